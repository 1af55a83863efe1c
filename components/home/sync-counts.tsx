import { useTranslations } from 'next-intl'
import type { LastSync } from '@/lib/overview/last-sync'
import classes from './sync-panel.module.css'

/** What each location received. */
export function SyncCounts({ locations }: { locations: LastSync['result']['locations'] }) {
  const t = useTranslations('sync')
  if (locations.length === 0) return null
  return (
    <ul className={classes.counts} aria-label={t('counts')}>
      {locations.map(({ id, name, count, created, updated, failed }) => (
        <li key={id} className={classes.count}>
          <span>{name}</span>
          {failed && count === 0 ? (
            <span data-failed>{t('nothing')}</span>
          ) : (
            <span>{t('count', { count, created, updated })}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
