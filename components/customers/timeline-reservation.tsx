import { useTranslations } from 'next-intl'
import { Money } from '@/components/ui/money'
import { Note } from '@/components/ui/note'
import { StatusBadge } from '@/components/ui/status-badge'
import { VisitMark } from '@/components/ui/visit-mark'
import type { TimelineOf } from '@/lib/customers/timeline-schema'
import classes from './timeline.module.css'

/** A reservation: where, how many, how it ended. */
export function TimelineReservation({ details }: Pick<TimelineOf<'reservation'>, 'details'>) {
  const t = useTranslations('customer.timeline')
  const { location, party_size: guests, status, notes } = details
  const amount = details.total_amount ?? details.estimated_amount
  const table = [details.zone_name, details.table_name].filter(Boolean).join(' · ')
  return (
    <>
      <p className={classes.line}>
        <span className={classes.subject}>{location}</span>
        <span>
          <StatusBadge status={status} />
          <VisitMark reservation={details} />
        </span>
      </p>
      <p className={classes.more}>
        {t('guests', { count: guests })}
        {table ? ` · ${table}` : ''}
        {amount === null ? null : (
          <>
            {' · '}
            <Money value={amount} estimate={details.total_amount === null} />
          </>
        )}
      </p>
      <Note text={notes} />
    </>
  )
}
