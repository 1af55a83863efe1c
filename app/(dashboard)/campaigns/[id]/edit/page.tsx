import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { editCampaignPage } from '@/components/campaigns/addresses'
import { EditorFrame } from '@/components/campaigns/editor/editor-frame'
import { BackLink } from '@/components/ui/back-link'
import { PageHeader } from '@/components/ui/page-header'
import { NoAccess } from '@/components/ui/state-page'
import { pageCampaign } from '@/lib/campaigns/reads'

export async function generateMetadata({ params }: PageProps<'/campaigns/[id]/edit'>): Promise<Metadata> {
  const t = await getTranslations()
  const name = (await pageCampaign((await params).id))?.campaign?.name
  return { title: name ? t('campaigns.editTitle', { name }) : t('nav.campaigns') }
}

/** The editor of a draft; of any other campaign the page that shows it. */
export default async function EditCampaignPage({ params, searchParams }: PageProps<'/campaigns/[id]/edit'>) {
  const found = await pageCampaign((await params).id)
  if (!found) return <NoAccess />
  const { session, campaign } = found
  if (!campaign) notFound()
  const { id, name, version } = campaign
  if (campaign.status !== 'draft') redirect(`/campaigns/${id}`)
  const [query, t] = await Promise.all([searchParams, getTranslations('campaigns')])
  const { segment_id } = editCampaignPage(id).read(query)
  return (
    <>
      <BackLink href={`/campaigns/${id}`}>{name}</BackLink>
      <PageHeader title={t('editTitle', { name })} />
      <EditorFrame key={version} session={session} campaign={campaign} segmentId={segment_id} />
    </>
  )
}
