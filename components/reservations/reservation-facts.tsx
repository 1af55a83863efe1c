import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Money } from '@/components/ui/money'
import { StatusBadge } from '@/components/ui/status-badge'
import { VisitMark, visitReason } from '@/components/ui/visit-mark'
import { calendarDate } from '@/lib/i18n/formats'
import type { Location } from '@/lib/organization/list-locations'
import type { StaffMarks } from '@/lib/reservations/read-reservation'
import type { Reservation } from '@/lib/reservations/schema'
import classes from './drawer.module.css'

interface ReservationFactsProps {
  reservation: Reservation
  marks: StaffMarks
  location: Location | undefined
}

/** What was booked and what became of it; where staff say something else than the PMS, both. */
export function ReservationFacts({ reservation, marks, location }: ReservationFactsProps) {
  const t = useTranslations('reservations.drawer')
  const texts = useTranslations('reservation')
  const statuses = useTranslations('status')
  const format = useFormatter()
  const reason = visitReason(reservation)
  const average = location?.average_spend_per_guest ?? null
  const estimate = reservation.visited && average !== null ? reservation.party_size * average : null
  const amount = reservation.total_amount ?? estimate
  const place = [reservation.zone_name, reservation.table_name].filter(Boolean).join(' · ')
  /** What the PMS says of a field that staff marked. */
  const mark = (pms: string | null | undefined) =>
    pms === undefined ? null : (
      <small className={classes.mark}>{pms ? t('marked', { value: pms }) : t('markedEmpty')}</small>
    )
  const tableMark = mark(marks.table_name)
  const facts: [name: string, value: ReactNode, mark?: ReactNode][] = [
    [t('date'), format.dateTime(calendarDate(reservation.reservation_date), 'longDate')],
    [t('time'), reservation.reservation_time],
    [t('party'), texts('party', { count: reservation.party_size })],
    [t('location'), location?.name],
    [t('place'), place || (tableMark && '–'), tableMark],
    [
      t('amount'),
      amount === null ? null : (
        <Money key="amount" value={amount} estimate={reservation.total_amount === null} />
      ),
    ],
    [t('source'), t(`sources.${reservation.source}`)],
  ]
  return (
    <>
      <div className={classes.status}>
        <StatusBadge status={reservation.status} />
        <VisitMark reservation={reservation} />
        {mark(marks.status && statuses(`one.${marks.status}`))}
        {reason ? <p className={classes.reason}>{statuses(`visit.why.${reason}`)}</p> : null}
      </div>
      <dl className={classes.facts}>
        {facts.map(([name, value, note]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {value}
                {note}
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {reservation.notes ? <p className={classes.notes}>{reservation.notes}</p> : null}
      {mark(marks.notes)}
    </>
  )
}
