'use client'
import { useTranslations } from 'next-intl'
import { Panel } from '@/components/ui/panel'
import type { Campaign } from '@/lib/campaigns/schema'
import { MoveButton, PauseButton, StopButton } from './actions'
import classes from './campaigns.module.css'
import { useCampaign } from './use-campaign'

interface WatchProps {
  campaign: Campaign
  /** Why it is paused, in words. */
  why: string | null
}

/** How far a campaign is, which refreshes itself; with the buttons that pause, resume and stop it. */
export function CampaignWatch({ campaign: shown, why }: WatchProps) {
  const t = useTranslations('client.campaigns.watch')
  const campaign = useCampaign(shown, shown.status === 'sending')
  const { processed, sent, skipped, failed, pending, simulated } = campaign.progress
  const isPaused = campaign.status === 'paused'
  const grew = campaign.reason === 'audience_grew'
  const changed = campaign.reason === 'segment_changed'
  const pausedHint = grew ? 'grewHint' : changed ? 'changedHint' : 'pausedHint'
  return (
    <Panel title={t(isPaused ? 'pausedTitle' : 'title')}>
      <div className={classes.stack}>
        <progress
          className={classes.bar}
          aria-label={t('label')}
          max={processed || 1}
          value={processed - pending}
        />
        <p className={classes.strong} role="status">
          {[
            (sent > simulated || simulated === 0) && t('sent', { count: sent - simulated }),
            simulated > 0 && t('simulated', { count: simulated }),
            t('counts', { skipped, failed, pending }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {isPaused && why ? <p className={classes.problem}>{why}</p> : null}
        <p className={classes.hint}>{t(isPaused ? pausedHint : hintOf(campaign))}</p>
        <div className={classes.buttons}>
          {isPaused ? (
            <MoveButton campaign={campaign} move="resume" done={t('resumed')} isMain>
              {t(grew ? 'resumeGrown' : 'resume')}
            </MoveButton>
          ) : (
            <PauseButton campaign={campaign} />
          )}
          <StopButton campaign={campaign} />
        </div>
      </div>
    </Panel>
  )
}

/** What a campaign that is being sent is at: planning, sending, or waiting for a follow-up or a test. */
function hintOf({ progress, ab, winner, messages }: Campaign) {
  if (progress.processed === 0) return 'beginning'
  if (progress.pending > 0) return 'pending'
  if (ab && ab.test_share < 100 && winner === null) return 'testing'
  return messages.some(({ step }) => step > 1) ? 'followUps' : 'ending'
}
