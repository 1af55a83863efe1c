import { IconUsers } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { AllergyNote, useAllergyText } from '@/components/customers/allergy-note'
import { STATUS_TONES } from '@/components/ui/badge'
import { Link } from '@/components/ui/link'
import { currentServiceDay, localTime, serviceMinute } from '@/components/ui/service-day'
import { useGroupZone } from '@/components/ui/use-group-zone'
import { visitReason } from '@/components/ui/visit-mark'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { Allergy } from '@/lib/customers/allergies'
import { shownName } from '@/lib/customers/person-name'
import type { Location } from '@/lib/locations/locations'
import type { ListedReservation } from '@/lib/reservations/schema'
import { type DayQuery, reservationHref } from './day-query'
import classes from './timeline.module.css'
import { type Bar, buildTimeline, COLUMN_MINUTES, placeOf, type TimelineRow as Row } from './timeline-model'

interface TimelineProps {
  day: DayQuery
  reservations: readonly ListedReservation[]
  locations: readonly Location[]
  /** The recorded allergies, by the customer's id. */
  allergies: ReadonlyMap<string, Allergy[]>
}

/** A day by hour: a row for each location, or for each zone of the chosen location. On a phone a list for each. */
export function Timeline({ day, reservations, locations, allergies }: TimelineProps) {
  const t = useTranslations('reservations.timeline')
  const format = useFormatter()
  const byZone = day.location !== undefined || locations.length === 1
  const timeline = buildTimeline(reservations, (one) =>
    byZone ? (one.zone_name ?? '') : (one.location?.name ?? ''),
  )
  const label = (key: string) => key || t(byZone ? 'noZone' : 'noLocation')
  const groupZone = useGroupZone()
  const timezone = (key: string) =>
    (byZone ? (day.location ?? locations[0]) : locations.find(({ name }) => name === key))?.timezone ??
    groupZone
  const columns = {
    '--hours': timeline.hours.length,
    '--columns': (timeline.hours.length * 60) / COLUMN_MINUTES,
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
    <section className={classes.scroller} aria-label={t('label')} tabIndex={0}>
      <div className={classes.timeline} style={columns as CSSProperties}>
        <ol className={classes.axis} aria-label={t('axis')}>
          {timeline.hours.map(({ hour, covers }) => (
            <li key={hour} data-none={covers === 0 || undefined}>
              <span className={classes.hour}>{t('hour', { hour })}</span>
              <span className={classes.covers}>
                {covers === 0 ? (
                  '–'
                ) : (
                  <>
                    <IconUsers size={12} aria-hidden /> <span aria-hidden>{format.number(covers)}</span>
                    <VisuallyHidden>
                      {t('covers', { count: covers, shown: format.number(covers) })}
                    </VisuallyHidden>
                  </>
                )}
              </span>
            </li>
          ))}
        </ol>
        {timeline.rows
          .toSorted((a, b) => label(a.key).localeCompare(label(b.key)))
          .map((row) => {
            const zone = timezone(row.key)
            const now = localTime(zone)
            const place = currentServiceDay(zone) === day.date ? placeOf(now, timeline) : null
            return (
              <TimelineRow
                key={row.key}
                row={row}
                label={label(row.key)}
                day={day}
                allergies={allergies}
                now={place === null ? null : { time: now, place }}
              />
            )
          })}
      </div>
    </section>
  )
}

interface TimelineRowProps extends Pick<TimelineProps, 'allergies'> {
  row: Row
  label: string
  day: DayQuery
  /** The local time of the row and its position on the axis, during the service. */
  now: { time: string; place: number } | null
}

/** The reservations of a location or zone, each as a bar that opens it. */
function TimelineRow({ row, label, day, allergies, now }: TimelineRowProps) {
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
          <TimelineBar key={bar.reservation.id} bar={bar} day={day} allergies={allergies} />
        ))}
        {mark}
        {row.bars.slice(before.length).map((bar) => (
          <TimelineBar key={bar.reservation.id} bar={bar} day={day} allergies={allergies} />
        ))}
      </ol>
    </div>
  )
}

const isAfter = ({ reservation }: Bar, time: string) =>
  serviceMinute(reservation.reservation_time) > serviceMinute(time)

function TimelineBar({
  bar: { reservation, column, lane },
  day,
  allergies,
}: { bar: Bar } & Pick<TimelineRowProps, 'day' | 'allergies'>) {
  const t = useTranslations('reservation')
  const statuses = useTranslations('status.one')
  const name = shownName(reservation.customer_name ?? t('noName'))
  const party = t('party', { count: reservation.party_size })
  const visits = useTranslations('status.visit')
  const status = statuses(reservation.status)
  const alarms = allergies.get(reservation.customer_id ?? '') ?? []
  const alarm = useAllergyText()(alarms)
  const visit = visitReason(reservation) ? visits(reservation.visited ? 'yes' : 'no') : null
  return (
    <li className={classes.bar} style={{ '--column': column, '--lane': lane } as CSSProperties}>
      <Link
        prefetch={false}
        href={reservationHref(day, reservation.id)}
        scroll={false}
        data-tone={STATUS_TONES[reservation.status]}
        data-lost={['cancelled', 'no_show'].includes(reservation.status) || undefined}
        title={[reservation.reservation_time, name, alarm, party, status, visit].filter(Boolean).join(' · ')}
      >
        <time>{reservation.reservation_time}</time>
        <span className={classes.party} aria-hidden>
          {reservation.party_size}
        </span>
        <span className={classes.name}>{name}</span>
        {alarm ? (
          <span className={classes.allergy}>
            <AllergyNote allergies={alarms} />
          </span>
        ) : null}
        <VisuallyHidden>, {[party, status, visit].filter(Boolean).join(', ')}</VisuallyHidden>
        <span className={classes.status} aria-hidden>
          {status}
        </span>
      </Link>
    </li>
  )
}
