'use client'
import { useTranslations } from 'next-intl'
import { HtmlPreview } from '@/components/email-design/html-preview'
import type { PreviewState } from '@/components/forms/use-preview'
import { CheckList } from '@/components/sending-check/check-list'
import { Link } from '@/components/ui/link'
import type { AutomationPreview } from '@/lib/automations/schema'
import classes from './preview.module.css'
import { AudienceCounts, PreviewFrame } from './preview-frame'

/** The number of recipients, and the message as one customer would get it, for the current form. */
export function PreviewPanel({ preview, ...state }: PreviewState<AutomationPreview>) {
  const t = useTranslations('client.automationEditor.preview')
  return (
    <PreviewFrame title={t('title')} {...state}>
      {preview ? (
        <>
          <CheckList check={preview.check} />
          <AudienceCounts
            matched={{ label: t('matched'), count: preview.matched }}
            skipped={preview.skipped}
            toSend={{ label: t('toSend'), count: preview.to_send }}
            held={preview.held_by_quiet_hours}
          />
          <MessagePreview preview={preview} />
        </>
      ) : null}
    </PreviewFrame>
  )
}

/** The message as one customer would get it. */
function MessagePreview({ preview: { matched, sample } }: { preview: AutomationPreview }) {
  const t = useTranslations('client.automationEditor.preview')
  if (!sample) return <p className={classes.dim}>{t('nobody')}</p>
  return (
    <div>
      <p className={classes.for}>
        {t('asFor')}{' '}
        <Link href={`/customers/${sample.customer_id}`} target="_blank" prefetch={false}>
          {sample.customer_name ?? t('someone')}
        </Link>
        {matched === 0 ? `. ${t('notMatched')}` : null}
      </p>
      <MessageBubble message={sample} />
    </div>
  )
}

type Shown = Pick<
  NonNullable<AutomationPreview['sample']>,
  'channel' | 'subject' | 'body' | 'content_sid' | 'content_variables'
> & { html?: string | null | undefined }

/** A message as its channel shows it. */
export function MessageBubble({ message }: { message: Shown }) {
  const t = useTranslations('client.automationEditor.preview')
  const { channel, subject, body, html, content_sid, content_variables } = message
  return (
    <div className={classes.message} data-channel={channel}>
      {channel === 'email' ? (
        <div className={classes.subject}>
          {subject || <span className={classes.dim}>{t('noSubject')}</span>}
        </div>
      ) : null}
      {html ? (
        <HtmlPreview html={html} text={body ?? ''} />
      ) : content_sid ? (
        <>
          <div className={classes.text}>
            {t('template', { sid: content_sid })}
            <br />
            <span className={classes.dim}>{t('templateHint')}</span>
          </div>
          <dl className={classes.variables}>
            {Object.entries(content_variables).map(([name, value]) => (
              <Pair key={name} name={name} value={value} />
            ))}
          </dl>
        </>
      ) : (
        <div className={classes.text}>
          {body?.trim() ? body : <span className={classes.dim}>{t('empty')}</span>}
        </div>
      )}
    </div>
  )
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}
