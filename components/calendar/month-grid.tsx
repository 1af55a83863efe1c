import { useFormatter, useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { calendarDate } from '@/lib/i18n/formats'
import { DayButton, EventButton } from './calendar-desk'
import { type CalendarView, calendarHref } from './calendar-query'
import { EventTitle } from './event-title'
import type { DayEvent } from './load-events'
import { weeksOf } from './month'
import classes from './month-grid.module.css'

interface MonthGridProps {
  shown: CalendarView
  title: string
  byDate: ReadonlyMap<string, DayEvent[]>
}

const MAX_SHOWN = 3

/** A month as a table of weeks. */
export function MonthGrid({ shown, title, byDate }: MonthGridProps) {
  const t = useTranslations('calendar')
  const format = useFormatter()
  const weeks = weeksOf(shown.month)
  const weekdays = weeks[0] ?? []
  const named = (date: string, weekday: 'short' | 'long') =>
    format.dateTime(calendarDate(date), { weekday, timeZone: 'UTC' })
  return (
    <table className={classes.grid}>
      <caption>
        <VisuallyHidden>{t('caption', { month: title })}</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          {weekdays.map((date) => (
            <th key={date} scope="col" abbr={named(date, 'long')}>
              {named(date, 'short')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <Day key={date} date={date} shown={shown} events={byDate.get(date) ?? []} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Day({ date, shown, events }: { date: string; shown: CalendarView; events: DayEvent[] }) {
  const t = useTranslations('calendar')
  const format = useFormatter()
  const label = format.dateTime(calendarDate(date), 'shortDate')
  const isToday = date === shown.today
  const isOther = !date.startsWith(shown.month)
  const visible = events.slice(0, events.length > MAX_SHOWN ? MAX_SHOWN - 1 : MAX_SHOWN)
  const agenda = calendarHref(shown, { view: 'agenda', month: date.slice(0, 7) })
  const count = t('events', { count: events.length })
  return (
    <td className={classes.day} data-other={isOther || undefined} aria-current={isToday ? 'date' : undefined}>
      <VisuallyHidden>
        {t('dayLabel', { date: label, today: isToday ? 'yes' : 'no', events: count })}
      </VisuallyHidden>
      <DayButton date={date} label={label} className={classes.number} />
      {visible.length > 0 ? (
        <ul className={classes.events}>
          {visible.map(({ event, goesOn }) => (
            <li
              key={event.id}
              className={event.start ? undefined : classes.band}
              data-last={event.lastDate === date || undefined}
              data-first={goesOn ? undefined : true}
            >
              <EventButton event={event} className={classes.event}>
                {event.start ? (
                  <span className={classes.time}>{goesOn ? t('goesOn') : event.start} </span>
                ) : (
                  <VisuallyHidden>{t('allDay')} </VisuallyHidden>
                )}
                <EventTitle event={event} />
              </EventButton>
            </li>
          ))}
        </ul>
      ) : null}
      {events.length > visible.length ? (
        <Link className={classes.more} href={`${agenda}#d-${date}`} prefetch={false}>
          {t('more', { count: events.length - visible.length })}
        </Link>
      ) : null}
      {events.length > 0 ? (
        <Link
          className={classes.dots}
          href={`${agenda}#d-${date}`}
          prefetch={false}
          aria-label={`${label}: ${count}`}
        >
          {events.length}
        </Link>
      ) : null}
    </td>
  )
}
