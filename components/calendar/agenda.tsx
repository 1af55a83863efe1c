import { IconCalendarPlus } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { EmptyState } from '@/components/ui/empty-state'
import { Link } from '@/components/ui/link'
import { calendarDate } from '@/lib/i18n/formats'
import { TIME_ZONE } from '@/lib/i18n/locales'
import classes from './agenda.module.css'
import type { CalendarView } from './calendar-query'
import { EventButton } from './event-buttons'
import type { ShownEvent } from './load-events'

interface AgendaProps {
  shown: CalendarView
  byDate: ReadonlyMap<string, ShownEvent[]>
}

/** The events of a month day by day; those of the days gone by are folded away. */
export function Agenda({ shown, byDate }: AgendaProps) {
  const t = useTranslations('calendar')
  const days = [...byDate].filter(([date]) => date.startsWith(shown.month))
  const isCurrent = shown.today.startsWith(shown.month)
  const past = isCurrent ? days.filter(([date]) => date < shown.today) : []
  const coming = days.slice(past.length)
  if (days.length === 0) return <EmptyState icon={IconCalendarPlus} title={t('none')} text={t('noneText')} />
  const list = (of: typeof days) =>
    of.map(([date, events]) => <AgendaDay key={date} date={date} today={shown.today} events={events} />)
  return (
    <div className={classes.agenda}>
      {past.length > 0 ? (
        <details className={classes.past}>
          <summary>{t('past', { count: past.reduce((sum, [, events]) => sum + events.length, 0) })}</summary>
          {list(past)}
        </details>
      ) : null}
      {coming.length > 0 ? list(coming) : <p className={classes.none}>{t('noMore')}</p>}
    </div>
  )
}

function AgendaDay({ date, today, events }: { date: string; today: string; events: ShownEvent[] }) {
  const t = useTranslations('calendar')
  const format = useFormatter()
  return (
    <section className={classes.day} id={`d-${date}`} aria-labelledby={`h-${date}`}>
      <h3 className={classes.date} id={`h-${date}`}>
        {format.dateTime(calendarDate(date), 'shortDate')}
        {date === today ? <span className={classes.today}>{t('today')}</span> : null}
      </h3>
      <ul>
        {events.map((event) => (
          <AgendaRow key={event.id} event={event} />
        ))}
      </ul>
    </section>
  )
}

function AgendaRow({ event }: { event: ShownEvent }) {
  const t = useTranslations('calendar')
  const format = useFormatter()
  const { start, end, endDate, date, title, location, assignee_name, customer, timezone } = event
  const sameDay = endDate === date
  const time = !end
    ? start
    : sameDay
      ? t('until', { start, end })
      : t('allDayTo', { start, end: `${format.dateTime(calendarDate(endDate ?? date), 'shortDate')} ${end}` })
  return (
    <li className={classes.row}>
      <p className={classes.time}>
        {time}
        {timezone === TIME_ZONE ? null : <small>{t('localTime')}</small>}
      </p>
      <div className={classes.what}>
        <EventButton event={event} className={classes.title}>
          {title}
        </EventButton>
        <p className={classes.who}>
          {[location ?? t('wholeGroup'), assignee_name ?? t('nobody')].join(' · ')}
          {customer ? (
            <>
              {' · '}
              <Link href={`/customers/${customer.id}`} prefetch={false}>
                {customer.name || t('noName')}
              </Link>
            </>
          ) : null}
        </p>
      </div>
    </li>
  )
}
