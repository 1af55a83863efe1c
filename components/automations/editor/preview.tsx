'use client'
import { Loader } from '@mantine/core'
import { useFormatter, useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { type Refusal, send } from '@/components/forms/send'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import type { AutomationPreview } from '@/lib/automations/schema'
import classes from './preview.module.css'

/** The number of recipients, and the message as one customer would get it, for the current form. */
export function PreviewPanel({ loading, preview, refusal }: PreviewState) {
  const t = useTranslations('client.automationEditor.preview')
  const trouble = refusal && t(refusal.issues.length > 0 ? 'problem' : 'failed')
  return (
    <Panel
      title={t('title')}
      aside={
        <span className={classes.state}>
          {loading ? <Loader size={12} aria-hidden /> : null}
          {loading ? t('loading') : trouble ? '' : t('updated')}
        </span>
      }
    >
      <div className={classes.body} aria-busy={loading} data-stale={loading || trouble ? true : undefined}>
        <p className={classes.trouble} role="status">
          {loading ? null : trouble}
        </p>
        {preview ? (
          <>
            <AudienceCounts preview={preview} />
            <MessagePreview preview={preview} />
          </>
        ) : null}
      </div>
    </Panel>
  )
}

const SKIPS = [
  'no_address',
  'suppressed',
  'no_consent',
  'no_provider',
  'no_app_url',
  'needs_template',
  'frequency_cap',
  'duplicate',
] as const

/** The number of matching customers, the number of recipients, and the reasons why the others are left out. */
function AudienceCounts({ preview }: { preview: AutomationPreview }) {
  const t = useTranslations('client.automationEditor.preview')
  const reasons = useTranslations('client.messageReasons')
  const format = useFormatter()
  const { matched, to_send, held_by_quiet_hours, skipped } = preview
  return (
    <div>
      <h3 className={classes.title}>{t('audience')}</h3>
      <dl className={classes.counts}>
        <dt>{t('matched')}</dt>
        <dd>{format.number(matched)}</dd>
        {SKIPS.filter((reason) => skipped[reason] > 0).map((reason) => (
          <Less key={reason} label={reasons(reason)} count={`−${format.number(skipped[reason])}`} />
        ))}
        <dt data-main>{t('toSend')}</dt>
        <dd data-main>{format.number(to_send)}</dd>
        {held_by_quiet_hours > 0 ? (
          <Less label={t('held')} count={format.number(held_by_quiet_hours)} />
        ) : null}
      </dl>
    </div>
  )
}

function Less({ label, count }: { label: string; count: string }) {
  return (
    <>
      <dt data-less>{label}</dt>
      <dd data-less>{count}</dd>
    </>
  )
}

/** The message as one customer would get it. */
function MessagePreview({ preview: { matched, sample } }: { preview: AutomationPreview }) {
  const t = useTranslations('client.automationEditor.preview')
  if (!sample) return <p className={classes.dim}>{t('nobody')}</p>
  const { channel, subject, body, content_sid, content_variables } = sample
  return (
    <div>
      <p className={classes.for}>
        {t('asFor')}{' '}
        <Link href={`/customers/${sample.customer_id}`} target="_blank" prefetch={false}>
          {sample.customer_name ?? t('someone')}
        </Link>
        {matched === 0 ? `. ${t('notMatched')}` : null}
      </p>
      <div className={classes.message} data-channel={channel}>
        {channel === 'email' ? (
          <div className={classes.subject}>
            {subject || <span className={classes.dim}>{t('noSubject')}</span>}
          </div>
        ) : null}
        {content_sid ? (
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

const DELAY_MS = 500

/** What a run would do with the current form. The last preview stays while the next one is loading. */
export interface PreviewState {
  loading: boolean
  preview: AutomationPreview | null
  /** Why there is no preview of the current form; its issues refer to the form's fields. */
  refusal: Refusal | null
}

/** Fetches a preview a moment after the last change, and aborts a request that is out of date. */
export function usePreview(body: object): PreviewState {
  const [state, setState] = useState<PreviewState>({ loading: true, preview: null, refusal: null })
  const asked = JSON.stringify(body)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setState((now) => ({ ...now, loading: true }))
    const timer = setTimeout(async () => {
      const sent = await send<AutomationPreview>('POST', '/api/automations/preview', JSON.parse(asked), {
        signal,
      })
      if (signal.aborted) return
      setState((now) =>
        sent.ok
          ? { loading: false, preview: sent.data, refusal: null }
          : { loading: false, preview: now.preview, refusal: sent },
      )
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [asked])
  return state
}
