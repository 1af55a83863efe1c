import { IconWifiOff } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import classes from './freshness.module.css'
import { useClock } from './use-clock'

interface FreshnessProps {
  /** When what is shown was read. */
  at: Date
  /** The last try to read it again failed. */
  offline: boolean
}

/** How old what a page shows is; without a connection, from when it is. */
export function Freshness({ at, offline }: FreshnessProps) {
  const t = useTranslations('client.frame.freshness')
  const format = useFormatter()
  const now = useClock(at)
  return (
    <span className={classes.fresh} data-offline={offline || undefined}>
      {offline ? <IconWifiOff size={14} aria-hidden /> : null}
      <span role="status">{offline ? t('offline') : null}</span>
      {offline
        ? t('from', { time: format.dateTime(at, { hour: '2-digit', minute: '2-digit' }) })
        : t('fresh', { when: format.relativeTime(at, at > now ? at : now) })}
    </span>
  )
}
