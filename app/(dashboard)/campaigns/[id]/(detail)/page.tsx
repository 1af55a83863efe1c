import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { ProviderNote, SendingNote } from '@/components/automations/notes'
import { campaignPage } from '@/components/campaigns/addresses'
import { CampaignHeader } from '@/components/campaigns/header'
import { ResultsPanels } from '@/components/campaigns/results-panels'
import { ReviewFrame } from '@/components/campaigns/review-frame'
import { Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { readSending } from '@/lib/automations/control-runs'
import { pageCampaign } from '@/lib/campaigns/reads'
import { channelTroubles } from '@/lib/messaging/providers'

export async function generateMetadata({ params }: PageProps<'/campaigns/[id]'>): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: (await pageCampaign((await params).id))?.campaign?.name ?? t('campaigns') }
}

/** A campaign: before it is sent what it would do, then its progress and results. */
export default async function CampaignPage({ params, searchParams }: PageProps<'/campaigns/[id]'>) {
  const found = await pageCampaign((await params).id)
  if (!found) return <NoAccess />
  const { session, campaign } = found
  if (!campaign) notFound()
  const [troubles, sending] = await Promise.all([channelTroubles(session), readSending(session)])
  const { status } = campaign
  const isOver = status === 'finished' || status === 'stopped'
  // One that has grown waits for approval again when it has begun.
  const isAhead = status === 'draft' || status === 'waiting_approval' || status === 'scheduled'
  return (
    <>
      <CampaignHeader campaign={campaign} />
      <SendingNote sending={sending} />
      {isOver ? null : (
        <ProviderNote
          automations={campaign.messages.map(({ channel, fallback_channel }) => ({
            type: 'campaign',
            channel,
            fallback_channel,
          }))}
          troubles={troubles}
        />
      )}
      {isAhead ? <ReviewFrame session={session} campaign={campaign} /> : null}
      {isAhead && campaign.started_at === null ? null : (
        <Panels>
          <ResultsPanels
            session={session}
            campaign={campaign}
            shown={campaignPage(campaign.id).read(await searchParams)}
          />
        </Panels>
      )}
    </>
  )
}
