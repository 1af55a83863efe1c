import { IconClockExclamation } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { type SyncedState, staleLocations } from '@/lib/locations/stale-data'
import classes from './stale-banner.module.css'
import { StaleText } from './stale-text'

const SHOWN = 3

/** Says of which locations what a page of today shows is old, and why; nothing when every PMS answers. */
export function StaleBanner({ locations }: { locations: readonly SyncedState[] }) {
  const t = useTranslations('sync.stale')
  const stale = staleLocations(locations)
  if (stale.length === 0) return null
  return (
    <div role="status" className={classes.banner}>
      <IconClockExclamation size={20} aria-hidden />
      <ul>
        {stale.slice(0, SHOWN).map((location) => (
          <li key={location.id}>
            <StaleText location={location} />
          </li>
        ))}
        {stale.length > SHOWN ? <li>{t('more', { count: stale.length - SHOWN })}</li> : null}
      </ul>
    </div>
  )
}
