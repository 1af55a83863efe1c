import { getTranslations } from 'next-intl/server'
import { LiftPanel } from '@/components/automations/lift-panel'
import { reasonText } from '@/components/messages/reason-text'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import { campaignResults } from '@/lib/campaigns/results'
import type { Campaign } from '@/lib/campaigns/schema'
import { listLocations } from '@/lib/locations/locations'
import type { CampaignView } from './addresses'
import classes from './campaigns.module.css'
import { LinksPanel, OutcomesPanel } from './outcomes'
import { RecipientsPanel } from './recipients-panel'
import { AttributedFigures, MessagesTable, TestResults } from './results'
import { SentPanel } from './sent-panel'
import { CampaignSummaryText } from './summary'
import { CampaignWatch } from './watch'

interface ResultsPanelsProps {
  session: Session
  campaign: Campaign
  shown: CampaignView
}

/** The progress and the results of a campaign that has begun. */
export async function ResultsPanels({ session, campaign, shown }: ResultsPanelsProps) {
  const [t, reasons, locations, results] = await Promise.all([
    getTranslations('campaigns'),
    getTranslations('client.messageReasons'),
    listLocations(session),
    campaignResults(session, campaign.id),
  ])
  const { status, reason } = campaign
  const own = OWN_REASONS.find((one) => one === reason)
  const why = own ? t(`reasons.${own}`, { guests: campaign.guests ?? 0 }) : reasonText(reasons, reason)
  const names = locations.filter(({ id }) => campaign.location_ids.includes(id)).map(({ name }) => name)
  return (
    <>
      {status === 'sending' || status === 'paused' ? (
        <CampaignWatch campaign={campaign} why={status === 'paused' ? why : null} />
      ) : null}
      {reason === 'nobody' ? <p className={classes.note}>{t('reasons.nobody')}</p> : null}
      <LiftPanel lift={results.lift} of="campaign" />
      <AttributedFigures attributed={results.attributed} />
      {results.ab ? <TestResults test={results.ab} /> : null}
      <OutcomesPanel campaign={campaign} versions={results.versions} />
      <LinksPanel versions={results.versions} />
      <MessagesTable messages={results.messages} />
      <RecipientsPanel session={session} campaign={campaign} shown={shown} />
      {campaign.started_at === null ? null : <SentPanel session={session} campaign={campaign} />}
      {status === 'waiting_approval' ? null : (
        <Panel title={t('what')}>
          <CampaignSummaryText
            campaign={campaign}
            guests={campaign.guests}
            counts={null}
            locations={names}
            isLaunched
          />
        </Panel>
      )}
    </>
  )
}

const OWN_REASONS = [
  'audience_grew',
  'segment_changed',
  'segment_gone',
  'no_provider',
  'no_app_url',
  'paused_by_hand',
  'refused',
  'expired',
] as const
