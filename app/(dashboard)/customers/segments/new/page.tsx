import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { EditorFrame } from '@/components/segments/editor-frame'
import { BackLink } from '@/components/ui/back-link'
import { PageHeader } from '@/components/ui/page-header'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { listLocations } from '@/lib/locations/locations'
import { listTiers } from '@/lib/loyalty/tiers'
import { newSegmentPage } from '@/lib/segments/addresses'
import { definitionOfFilters, exampleDefinition } from '@/lib/segments/proposals'
import { isReadable } from '@/lib/segments/schema'
import { listSegments } from '@/lib/segments/segments'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('segments')
  return { title: t('newTitle') }
}

/** A new segment: from scratch, from an example, or from the filters of the customer list. */
export default async function NewSegmentPage({ searchParams }: PageProps<'/customers/segments/new'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const [query, tiers, locations, segments, t] = await Promise.all([
    searchParams,
    listTiers(session),
    listLocations(session),
    listSegments(session),
    getTranslations('segments'),
  ])
  const { example, name = '', campaign, ...filters } = newSegmentPage.read(query)
  const chosen = segments.find(({ id }) => id === filters.segment_id)?.definition
  const within = chosen && isReadable(chosen) ? chosen : undefined
  const location_id = (await chosenLocation(query, locations))?.id
  const definition = example
    ? exampleDefinition(example, tiers)
    : definitionOfFilters({ ...filters, location_id }, tiers, within)
  return (
    <>
      <BackLink href="/customers/segments">{t('back')}</BackLink>
      <PageHeader title={t('newTitle')} />
      <EditorFrame session={session} proposed={{ name, definition }} campaignId={campaign} />
    </>
  )
}
