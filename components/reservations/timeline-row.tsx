import { useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { RowLink } from '@/components/ui/row-link'
import { serviceMinute } from '@/components/ui/service-day'
import { STATUS_TONES } from '@/components/ui/status-badge'
import { visitReason } from '@/components/ui/visit-mark'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { type DayQuery, reservationHref } from './day-query'
import classes from './timeline.module.css'
import type { Bar, TimelineRow as Row } from './timeline-model'

interface TimelineRowProps {
  row: Row
  label: string
  day: DayQuery
  /** The time in the row's location and its place on the axis, while the service is under way. */
  now: { time: string; place: number } | null
}

/** One location's or zone's reservations, each a bar that opens it. */
export function TimelineRow({ row, label, day, now }: TimelineRowProps) {
  const t = useTranslations('reservations.timeline')
  const late = now ? row.bars.findIndex((bar) => isAfter(bar, now.time)) : -1
  const before = now ? (late < 0 ? row.bars : row.bars.slice(0, late)) : row.bars
  const mark = now ? (
    <li className={classes.now} style={{ '--place': now.place } as CSSProperties}>
      <span>{t('now', { time: now.time })}</span>
    </li>
  ) : null
  return (
    <div className={classes.row}>
      <h3 className={classes.label}>
        {label}
        <small>{t('row', { reservations: row.reservations, covers: row.covers })}</small>
      </h3>
      <ol
        className={classes.track}
        style={{ '--lanes': row.lanes } as CSSProperties}
        data-now={mark ? true : undefined}
        aria-label={label}
      >
        {before.map((bar) => (
          <TimelineBar key={bar.reservation.id} bar={bar} day={day} />
        ))}
        {mark}
        {row.bars.slice(before.length).map((bar) => (
          <TimelineBar key={bar.reservation.id} bar={bar} day={day} />
        ))}
      </ol>
    </div>
  )
}

const isAfter = ({ reservation }: Bar, time: string) =>
  serviceMinute(reservation.reservation_time) > serviceMinute(time)

function TimelineBar({ bar: { reservation, column, lane }, day }: { bar: Bar; day: DayQuery }) {
  const t = useTranslations('reservation')
  const statuses = useTranslations('status.one')
  const name = reservation.customer_name ?? t('noName')
  const party = t('party', { count: reservation.party_size })
  const visits = useTranslations('status.visit')
  const status = statuses(reservation.status)
  const visit = visitReason(reservation) ? visits(reservation.visited ? 'yes' : 'no') : null
  return (
    <li className={classes.bar} style={{ '--column': column, '--lane': lane } as CSSProperties}>
      <RowLink
        href={reservationHref(day, reservation.id)}
        beside
        data-tone={STATUS_TONES[reservation.status]}
        data-lost={['cancelled', 'no_show'].includes(reservation.status) || undefined}
        title={[reservation.reservation_time, name, party, status, visit].filter(Boolean).join(' · ')}
      >
        <time>{reservation.reservation_time}</time>
        <span className={classes.party} aria-hidden>
          {reservation.party_size}
        </span>
        <span className={classes.name}>{name}</span>
        <VisuallyHidden>, {[party, status, visit].filter(Boolean).join(', ')}</VisuallyHidden>
        <span className={classes.status} aria-hidden>
          {status}
        </span>
      </RowLink>
    </li>
  )
}
