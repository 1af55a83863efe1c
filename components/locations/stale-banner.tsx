import { IconClockExclamation } from '@tabler/icons-react'
import { useFormatter, useNow, useTranslations } from 'next-intl'
import { Banner } from '@/components/ui/banner'
import { useGroupZone } from '@/components/ui/use-group-zone'
import { localDate } from '@/lib/dates'
import { type StaleLocation, type SyncedState, staleLocations } from '@/lib/pms/stale-locations'
import classes from './stale-banner.module.css'

const SHOWN = 3

/** Warns that the data of some locations are out of date, and why. Renders nothing when every sync succeeds. */
export function StaleBanner({ locations }: { locations: readonly SyncedState[] }) {
  const t = useTranslations('sync.stale')
  const stale = staleLocations(locations)
  if (stale.length === 0) return null
  return (
    <Banner icon={IconClockExclamation}>
      {stale.slice(0, SHOWN).map((location) => (
        <li key={location.id}>
          <StaleText location={location} />
        </li>
      ))}
      {stale.length > SHOWN ? <li>{t('more', { count: stale.length - SHOWN })}</li> : null}
    </Banner>
  )
}

/** A sentence with the location's name: since when its data are out of date, and why. */
function StaleText({ location }: { location: StaleLocation }) {
  const t = useTranslations('sync.stale')
  const { name, syncedAt, failingSince, reason } = location
  const when = useWhen()
  if (syncedAt === null) return t('never', { name, ...when(failingSince), reason: t(`reasons.${reason}`) })
  return t('since', { name, ...when(syncedAt), reason: t(`reasons.${reason}`) })
}

/** The same in short, for the location's own row. Renders nothing when its sync succeeds. */
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

/** A moment as a time of day (with the date unless it is today), and how long ago it was. */
function useWhen() {
  const format = useFormatter()
  const now = useNow()
  const timezone = useGroupZone()
  return (instant: Date) => ({
    today: localDate(instant, timezone) === localDate(now, timezone) ? 'yes' : 'no',
    time: format.dateTime(instant, 'time'),
    date: format.dateTime(instant, 'instant'),
    ago: format.relativeTime(instant, now),
  })
}
