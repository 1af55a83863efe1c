import { useFormatter, useNow, useTranslations } from 'next-intl'
import { TIME_ZONE } from '@/lib/i18n/locales'
import type { StaleLocation } from '@/lib/locations/stale-data'
import { localDate } from '@/lib/pms/sync/window'
import classes from './stale-banner.module.css'

/** The data of a location are of that time, and why: as a sentence with its name. */
export function StaleText({ location }: { location: StaleLocation }) {
  const t = useTranslations('sync.stale')
  const { name, syncedAt, failingSince, reason } = location
  const when = useWhen()
  if (syncedAt === null) return t('never', { name, ...when(failingSince), reason: t(`reasons.${reason}`) })
  return t('since', { name, ...when(syncedAt), reason: t(`reasons.${reason}`) })
}

/** The same in few words, for the row of the location itself; nothing when its PMS answers. */
export function StaleNote({ location }: { location: StaleLocation | undefined }) {
  const t = useTranslations('sync.stale')
  const when = useWhen()
  if (!location) return null
  const { syncedAt, failingSince } = location
  return (
    <span className={classes.note}>
      {syncedAt ? t('noteSince', when(syncedAt)) : t('noteNever', when(failingSince))}
    </span>
  )
}

/** A moment as today's time of day, or as a date with it, and how long ago that is. */
function useWhen() {
  const format = useFormatter()
  const now = useNow()
  return (instant: Date) => ({
    today: localDate(instant, TIME_ZONE) === localDate(now, TIME_ZONE) ? 'yes' : 'no',
    time: format.dateTime(instant, 'time'),
    date: format.dateTime(instant, 'instant'),
    ago: format.relativeTime(instant, now),
  })
}
