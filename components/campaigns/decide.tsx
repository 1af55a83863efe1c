'use client'
import { Button } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useChange } from '@/components/forms/use-change'
import { Failure } from '@/components/ui/failure'
import type { Campaign } from '@/lib/campaigns/schema'
import { MoveButton } from './actions'
import classes from './campaigns.module.css'

/** A campaign that waits: a colleague approves or refuses it; who launched it can withdraw it. */
export function Decide({ campaign, approvers }: { campaign: Campaign; approvers: string }) {
  const t = useTranslations('client.campaigns.decide')
  const format = useFormatter()
  const change = useChange()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { id, guests, version, mine, can_approve, launched_by_name: who, expires_at } = campaign
  const asked = { count: guests ?? 0 }
  // If it has begun, it grew after its approval: refusing it leaves it paused.
  const hasBegun = campaign.started_at !== null
  const since = SINCE[campaign.reason ?? '']

  async function approve() {
    setBusy(true)
    const path = `/api/campaigns/${id}/approve`
    const refused = await change({ method: 'POST', path, body: { guests, version }, done: t('approved') })
    setFailure(refused)
    setBusy(false)
    // It may have been launched anew with another text: that is shown.
    if (refused !== null) router.refresh()
  }

  return (
    <div className={classes.stack}>
      <p className={classes.note}>
        {since ? `${t(since)} ` : null}
        {mine ? t('mine', { approvers }) : who ? t('asked', { who, ...asked }) : t('askedBySomeone', asked)}
        {expires_at
          ? ` ${t(hasBegun ? 'untilPaused' : 'until', { when: format.dateTime(new Date(expires_at), 'instant') })}`
          : null}
      </p>
      <div className={classes.buttons}>
        {can_approve ? (
          <Button onClick={approve} loading={busy}>
            {t('approve')}
          </Button>
        ) : null}
        {can_approve || mine ? (
          <MoveButton
            campaign={campaign}
            move="refuse"
            done={t(hasBegun ? 'staysPaused' : mine ? 'withdrawn' : 'refused')}
          >
            {t(mine ? 'withdraw' : 'refuse')}
          </MoveButton>
        ) : null}
      </div>
      <Failure text={failure} />
    </div>
  )
}

/** Why it waits for approval again. */
const SINCE: Partial<Record<string, 'grown' | 'changed'>> = {
  audience_grew: 'grown',
  segment_changed: 'changed',
}
