'use client'
import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
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
  const words = useErrorText()
  const needsApproval = preview?.needs_approval ?? false
  const isBlocked = (preview?.check.blocking.length ?? 0) > 0

  async function launch() {
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
        <p className={classes.hint}>{t(campaign.starts_local ? 'laterHint' : 'nowHint')}</p>
      ) : null}
      <div>
        <Button
          leftSection={<IconSend size={16} aria-hidden />}
          onClick={launch}
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
      {refusal && refusal.issues.length > 0 ? (
        <Missing campaign={campaign} issues={refusal.issues} />
      ) : (
        <Failure text={refusal ? words.ofRefusal(refusal) : null} />
      )}
    </div>
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
