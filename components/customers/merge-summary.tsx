import { useTranslations } from 'next-intl'
import type { Belongings } from '@/lib/customers/belongings'
import classes from './merge-form.module.css'

const KINDS = ['reservations', 'messages', 'tickets', 'calendar_events'] as const

/** What a merge moves, and that it cannot be taken back. */
export function MergeSummary({ name, belongings }: { name: string; belongings: Belongings }) {
  const t = useTranslations('client.merge')
  const moved = KINDS.filter((kind) => belongings[kind] > 0)
  return (
    <div className={classes.summary}>
      <h3>{t('moves', { name })}</h3>
      {moved.length > 0 ? (
        <ul>
          {moved.map((kind) => (
            <li key={kind}>{t(`counts.${kind}`, { count: belongings[kind] })}</li>
          ))}
        </ul>
      ) : (
        <p>{t('nothing')}</p>
      )}
      <p>{t('warning')}</p>
    </div>
  )
}
