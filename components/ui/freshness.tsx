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

const DAY = { weekday: 'long', day: 'numeric', month: 'long' } as const

/** The age of the data on a page. Without a connection, the time it was read. */
export function Freshness({ at, offline, list = false }: FreshnessProps) {
  const t = useTranslations('client.frame.freshness')
  const format = useFormatter()
  const now = useClock(at)
  const isOfToday = format.dateTime(at, DAY) === format.dateTime(now, DAY)
  const time = format.dateTime(at, { hour: '2-digit', minute: '2-digit' })
  return (
    <span className={classes.fresh} data-offline={offline || undefined}>
      {offline ? <IconWifiOff size={14} aria-hidden /> : null}
      <span role="status">{offline ? t('offline') : null}</span>
      {offline
        ? isOfToday
          ? t(list ? 'listFrom' : 'from', { time })
          : t(list ? 'listOfDay' : 'fromDay', { time, day: format.dateTime(at, DAY) })
        : t('fresh', { when: format.relativeTime(at, at > now ? at : now) })}
    </span>
  )
}
