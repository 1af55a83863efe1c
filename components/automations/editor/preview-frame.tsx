import { Loader } from '@mantine/core'
import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { PreviewState } from '@/components/forms/use-preview'
import { reasonText } from '@/components/messages/reason-text'
import { Panel } from '@/components/ui/panel'
import { PLAN_REASONS } from '@/lib/messaging/reasons'
import classes from './preview.module.css'

interface PreviewFrameProps extends Omit<PreviewState<unknown>, 'preview'> {
  title: string
  children: ReactNode
}

/** A preview beside its form, which says whether it is up to date, and dims what it shows while it is not. */
export function PreviewFrame({ title, loading, refusal, children }: PreviewFrameProps) {
  const t = useTranslations('client.automationEditor.preview')
  const trouble =
    refusal &&
    t(refusal.issues.length > 0 ? 'problem' : refusal.code === 'RATE_LIMITED' ? 'limited' : 'failed')
  return (
    <Panel
      title={title}
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
        {children}
      </div>
    </Panel>
  )
}

const SKIPS = ['recently_written', ...PLAN_REASONS] as const

interface Count {
  label: string
  count: number
}

interface AudienceCountsProps {
  matched: Count
  /** How many are left out, by reason. */
  skipped: Partial<Record<(typeof SKIPS)[number], number>>
  toSend: Count
  /** How many of those get it after the quiet hours. */
  held: number
  /** Other parts of those who would get it. */
  parts?: readonly Count[]
}

/** How many customers there are, how many are left out and why, and how many would get the message. */
export function AudienceCounts({ matched, skipped, toSend, held, parts = [] }: AudienceCountsProps) {
  const t = useTranslations('client.automationEditor.preview')
  const reasons = useTranslations('client.messageReasons')
  const format = useFormatter()
  const left = SKIPS.map((reason) => ({ label: reasonText(reasons, reason), count: skipped[reason] ?? 0 }))
  return (
    <div>
      <h3 className={classes.title}>{t('audience')}</h3>
      <dl className={classes.counts}>
        <dt>{matched.label}</dt>
        <dd>{format.number(matched.count, 'grouped')}</dd>
        {left.map(({ label, count }) => (
          <Line key={label} label={label} count={count} sign="−" />
        ))}
        <dt data-main>{toSend.label}</dt>
        <dd data-main>{format.number(toSend.count, 'grouped')}</dd>
        {parts.map(({ label, count }) => (
          <Line key={label} label={label} count={count} />
        ))}
        <Line label={t('held')} count={held} />
      </dl>
    </div>
  )
}

/** A smaller line of the counts; nothing for none. */
function Line({ label, count, sign = '' }: Count & { sign?: string }) {
  const format = useFormatter()
  if (count === 0) return null
  return (
    <>
      <dt data-less>{label}</dt>
      <dd data-less>
        {sign}
        {format.number(count, 'grouped')}
      </dd>
    </>
  )
}
