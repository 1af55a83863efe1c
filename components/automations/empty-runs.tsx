import { useFormatter, useNow, useTranslations } from 'next-intl'
import classes from './empty-runs.module.css'

interface EmptyRunsProps {
  count: number
  /** When the latest of them were, the last one first. */
  latest: readonly string[]
}

/** Scheduled runs that found no recipients, folded into one line; opened, when they were. */
export function EmptyRuns({ count, latest }: EmptyRunsProps) {
  const t = useTranslations('automations.runs.empty')
  const format = useFormatter()
  const now = useNow()
  const [last] = latest
  if (last === undefined) return null
  return (
    <details className={classes.empty}>
      <summary className={classes.line}>
        {t('line', { count, ago: format.relativeTime(new Date(last), now) })}
      </summary>
      <p className={classes.text}>{t('text')}</p>
      <ul className={classes.times} aria-label={t('list')}>
        {latest.map((at) => (
          <li key={at}>
            <time dateTime={at}>{format.dateTime(new Date(at), 'instant')}</time>
          </li>
        ))}
      </ul>
      {count > latest.length ? (
        <p className={classes.text}>{t('more', { count: count - latest.length })}</p>
      ) : null}
    </details>
  )
}
