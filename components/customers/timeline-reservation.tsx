import { useFormatter, useTranslations } from 'next-intl'
import { Note } from '@/components/ui/note'
import { StatusBadge } from '@/components/ui/status-badge'
import type { TimelineOf } from '@/lib/customers/timeline-schema'
import classes from './timeline.module.css'

/** A reservation: where, how many, how it ended. */
export function TimelineReservation({ details }: Pick<TimelineOf<'reservation'>, 'details'>) {
  const t = useTranslations('customer.timeline')
  const format = useFormatter()
  const { location, party_size: guests, status, notes, total_amount: amount } = details
  const table = [details.zone_name, details.table_name].filter(Boolean).join(' · ')
  return (
    <>
      <p className={classes.line}>
        <span className={classes.subject}>{location}</span>
        <StatusBadge status={status} />
      </p>
      <p className={classes.more}>
        {t('guests', { count: guests })}
        {table ? ` · ${table}` : ''}
        {amount === null ? '' : ` · ${format.number(amount, 'money')}`}
      </p>
      <Note text={notes} />
    </>
  )
}
