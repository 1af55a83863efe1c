import { useFormatter, useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { currentServiceDay, localTime } from '@/components/ui/service-day'
import type { Location } from '@/lib/organization/list-locations'
import type { ListedReservation } from '@/lib/reservations/schema'
import type { DayQuery } from './day-query'
import classes from './timeline.module.css'
import { buildTimeline, COLUMN_MINUTES, placeOf } from './timeline-model'
import { TimelineRow } from './timeline-row'

interface TimelineProps {
  day: DayQuery
  reservations: readonly ListedReservation[]
  locations: readonly Location[]
}

/** A day by hour: a row for each location, or for each zone of the one chosen. On a phone a list under each. */
export function Timeline({ day, reservations, locations }: TimelineProps) {
  const t = useTranslations('reservations.timeline')
  const format = useFormatter()
  const byZone = day.location !== undefined || locations.length === 1
  const timeline = buildTimeline(reservations, (one) =>
    byZone ? (one.zone_name ?? '') : (one.location?.name ?? ''),
  )
  const label = (key: string) => key || t(byZone ? 'noZone' : 'noLocation')
  const timezone = (key: string) =>
    (byZone ? (day.location ?? locations[0]) : locations.find(({ name }) => name === key))?.timezone
  const columns = {
    '--hours': timeline.hours.length,
    '--columns': (timeline.hours.length * 60) / COLUMN_MINUTES,
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className={classes.scroller} aria-label={t('label')} tabIndex={0}>
      <div className={classes.timeline} style={columns as CSSProperties}>
        <ol className={classes.axis} aria-label={t('axis')}>
          {timeline.hours.map(({ hour, covers }) => (
            <li key={hour} data-none={covers === 0 || undefined}>
              <span className={classes.hour}>{t('hour', { hour })}</span>
              <span className={classes.covers}>
                {covers === 0 ? '–' : t('covers', { count: covers, shown: format.number(covers) })}
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
                now={place === null ? null : { time: now, place }}
              />
            )
          })}
      </div>
    </section>
  )
}
