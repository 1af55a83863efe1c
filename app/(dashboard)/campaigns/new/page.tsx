import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { newCampaignPage } from '@/components/campaigns/addresses'
import { EditorFrame } from '@/components/campaigns/editor/editor-frame'
import { BackLink } from '@/components/ui/back-link'
import { PageHeader } from '@/components/ui/page-header'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('campaigns')
  return { title: t('new') }
}

/** A new campaign, perhaps to the segment that the address names. */
export default async function NewCampaignPage({ searchParams }: PageProps<'/campaigns/new'>) {
  const session = await pageSessionWith('canAccessMarketing')
  if (!session) return <NoAccess />
  const [query, t] = await Promise.all([searchParams, getTranslations('campaigns')])
  const { segment_id } = newCampaignPage.read(query)
  return (
    <>
      <BackLink href="/campaigns">{t('title')}</BackLink>
      <PageHeader title={t('new')} subtitle={t('newText')} />
      <EditorFrame key={segment_id} session={session} segmentId={segment_id} />
    </>
  )
}
