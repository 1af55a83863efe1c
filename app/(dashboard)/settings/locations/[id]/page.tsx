import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { HoursForm } from '@/components/locations/hours-form'
import { TablesForm } from '@/components/locations/tables-form'
import { BackLink } from '@/components/ui/back-link'
import { ClientTexts } from '@/components/ui/client-texts'
import { JumpLink } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Panel, Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSession, pageSessionWith } from '@/lib/auth/page-session'
import { listLocations } from '@/lib/locations/locations'
import { readHours, readTables } from '@/lib/locations/service-setup'

/** Returns the page's location; null when the person does not work in a location with this id. */
const findLocation = cache(async (id: string) =>
  (await listLocations(await pageSession())).find((location) => location.id === id),
)

export async function generateMetadata({ params }: PageProps<'/settings/locations/[id]'>): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  const session = await pageSessionWith('canViewSettings')
  const location = session && (await findLocation((await params).id))
  return { title: location?.name ?? t('locations') }
}

/** A location's shifts, closed days and tables. */
export default async function LocationPage({ params }: PageProps<'/settings/locations/[id]'>) {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const location = await findLocation((await params).id)
  if (!location) notFound()
  const [hours, tables, t] = await Promise.all([
    readHours(session, location.id),
    readTables(session, location.id),
    getTranslations('settings.location'),
  ])
  return (
    <ClientTexts features={['hours', 'tables']}>
      <BackLink href="/settings/locations">{t('back')}</BackLink>
      <PageHeader title={location.name} subtitle={t('subtitle')}>
        <JumpLink href="#tables">{t('toTables')}</JumpLink>
      </PageHeader>
      <Panels>
        <Panel title={t('hours')}>
          <HoursForm locationId={location.id} hours={hours} />
        </Panel>
        <Panel title={t('tables')} anchor="tables">
          <TablesForm locationId={location.id} tables={tables} />
        </Panel>
      </Panels>
    </ClientTexts>
  )
}
