'use client'
import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { type Refusal, send } from '@/components/forms/send'
import { Failure } from '@/components/ui/failure'
import { Link } from '@/components/ui/link'
import { useTabRouter } from '@/components/ui/tab-address'
import { useToast } from '@/components/ui/toast'
import type { Campaign, CampaignPreview } from '@/lib/campaigns/schema'
import classes from './campaigns.module.css'
import { draftOf } from './editor/draft'
import { useOwnTexts } from './editor/problems'
import { MessageName } from './message-name'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

interface LaunchProps {
  campaign: Campaign
  preview: CampaignPreview | null
  approvers: string
}

/** Launches a draft, for the number of guests that the person sees; above the limit a colleague has to approve. */
export function Launch({ campaign, preview, approvers }: LaunchProps) {
  const t = useTranslations('client.campaigns.launch')
  const say = useToast()
  const router = useTabRouter()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [asking, setAsking] = useState(false)
  const words = useErrorText()
  const needsApproval = preview?.needs_approval ?? false
  const isBlocked = (preview?.check.blocking.length ?? 0) > 0
  const asksAgain = preview?.asks_again === true && !needsApproval

  async function launch() {
    setAsking(false)
    if (!preview || busy) return
    setBusy(true)
    setRefusal(null)
    const { id, version } = campaign
    const path = `/api/campaigns/${id}/launch`
    const sent = await send<Campaign>('POST', path, { guests: preview.to_send, version })
    setBusy(false)
    if (!sent.ok) {
      setRefusal(sent)
      // Another version was saved: it is shown, to look at before launching that.
      if (sent.code === 'RUN_CHANGED') router.refresh()
      return
    }
    say(t(`done.${sent.data.status === 'waiting_approval' ? 'waiting' : 'launched'}`))
    router.refresh()
  }

  return (
    <div className={classes.stack}>
      {needsApproval ? (
        <p className={classes.note}>
          {t('needsApproval', { above: preview?.approve_above ?? 0, approvers })}
        </p>
      ) : null}
      {preview && preview.to_send === 0 ? <p className={classes.note}>{t('nobody')}</p> : null}
      {isBlocked ? (
        <p className={classes.note}>
          {t('blocked')} <Link href={`/campaigns/${campaign.id}/edit`}>{t('toEditor')}</Link>
        </p>
      ) : null}
      {preview && preview.to_send > 0 && !needsApproval && !isBlocked ? (
        <p className={classes.hint}>
          {t(campaign.starts_local ? 'laterHint' : asksAgain ? 'minuteHint' : 'nowHint')}
        </p>
      ) : null}
      <div>
        <Button
          leftSection={<IconSend size={16} aria-hidden />}
          onClick={asksAgain ? () => setAsking(true) : launch}
          loading={busy}
          disabled={!preview || preview.to_send === 0 || isBlocked}
        >
          {preview
            ? t(needsApproval ? 'ask' : campaign.starts_local ? 'schedule' : 'send', {
                count: preview.to_send,
              })
            : t('counting')}
        </Button>
      </div>
      {asking && preview ? (
        <AskAgain campaign={campaign} preview={preview} onConfirm={launch} onClose={() => setAsking(false)} />
      ) : null}
      {refusal && refusal.issues.length > 0 ? (
        <Missing campaign={campaign} issues={refusal.issues} />
      ) : (
        <Failure text={refusal ? words.ofRefusal(refusal) : null} />
      )}
    </div>
  )
}

interface AskAgainProps extends Pick<LaunchProps, 'campaign'> {
  preview: CampaignPreview
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** The second step of a large campaign: to how many, by what, and what it costs. */
function AskAgain({ campaign, preview, onConfirm, onClose }: AskAgainProps) {
  const t = useTranslations('client.campaigns.launch')
  const channels = useTranslations('client.campaigns.channels')
  const format = useFormatter()
  const count = preview.to_send
  const later = campaign.starts_local !== null
  const first = campaign.messages.filter(({ step }) => step === 1).map(({ channel }) => channels(channel))
  const amount = preview.check.warnings.find(({ code }) => code === 'cost')?.amount
  return (
    <ConfirmDialog
      title={t('askTitle', { count })}
      text={t(later ? 'askLater' : 'askNow', { channel: format.list([...new Set(first)]) })}
      action={t(later ? 'askYesLater' : 'askYes', { count })}
      danger={false}
      onConfirm={async () => {
        await onConfirm()
        return null
      }}
      onClose={onClose}
    >
      {amount ? <p>{t('askCost', { cost: format.number(amount, 'money') })}</p> : null}
    </ConfirmDialog>
  )
}

/** What is missing before a draft can be launched, with the way to the editor. */
function Missing({ campaign, issues }: { campaign: Campaign; issues: Refusal['issues'] }) {
  const t = useTranslations('client.campaigns.launch')
  const words = useErrorText()
  const texts = useOwnTexts(draftOf(campaign))
  const several = campaign.ab !== null
  return (
    <div role="alert" className={classes.missing}>
      <p>{t('missing')}</p>
      <ul>
        {issues.map((issue) => {
          const message = campaign.messages[Number(/^messages\.(\d+)\./.exec(issue.path)?.[1] ?? -1)]
          return (
            <li key={`${issue.path} ${issue.code}`}>
              {message ? (
                <>
                  <MessageName step={message.step} variant={message.variant} several={several} />
                  {': '}
                </>
              ) : null}
              {words.ofIssue(issue, texts)}
            </li>
          )
        })}
      </ul>
      <Link href={`/campaigns/${campaign.id}/edit`}>{t('toEditor')}</Link>
    </div>
  )
}
