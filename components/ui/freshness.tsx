import { IconWifiOff } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import classes from './freshness.module.css'
import { useClock } from './use-clock'

interface FreshnessProps {
  /** When the data was read. */
  at: Date
  /** Whether the last refresh failed. */
  offline: boolean
  /** Whether the data is one list. */
  list?: boolean
}

/** The age of the data on a page. Without a connection, the time it was read. */
export function Freshness({ at, offline, list = false }: FreshnessProps) {
  const t = useTranslations('client.frame.freshness')
  const format = useFormatter()
  const now = useClock(at)
  return (
    <span className={classes.fresh} data-offline={offline || undefined}>
      {offline ? <IconWifiOff size={14} aria-hidden /> : null}
      <span role="status">{offline ? t('offline') : null}</span>
      {offline
        ? t(list ? 'listFrom' : 'from', { time: format.dateTime(at, { hour: '2-digit', minute: '2-digit' }) })
        : t('fresh', { when: format.relativeTime(at, at > now ? at : now) })}
    </span>
  )
}
