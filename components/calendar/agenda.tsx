import { IconCalendarPlus } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { Allergies } from '@/components/customers/allergy-badges'
import { EmptyState } from '@/components/ui/empty-state'
import { Link } from '@/components/ui/link'
import { useGroupZone } from '@/components/ui/use-group-zone'
import { calendarDate } from '@/lib/i18n/formats'
import classes from './agenda.module.css'
import { EventButton } from './calendar-desk'
import type { CalendarView } from './calendar-query'
import { EventTitle } from './event-title'
import type { DayEvent } from './load-events'

interface AgendaProps {
  shown: CalendarView
  byDate: ReadonlyMap<string, DayEvent[]>
}

/** The events of a month by day; past days are collapsed. */
export function Agenda({ shown, byDate }: AgendaProps) {
  const t = useTranslations('calendar')
  const days = [...byDate].filter(([date]) => date.startsWith(shown.month))
  const isCurrent = shown.today.startsWith(shown.month)
  const past = isCurrent ? days.filter(([date]) => date < shown.today) : []
  const coming = days.slice(past.length)
  const pastEvents = new Set(past.flatMap(([, events]) => events.map(({ event }) => event.id)))
  if (days.length === 0) return <EmptyState icon={IconCalendarPlus} title={t('none')} text={t('noneText')} />
  const list = (of: typeof days) =>
    of.map(([date, events]) => <AgendaDay key={date} date={date} today={shown.today} events={events} />)
  return (
    <div className={classes.agenda}>
      {past.length > 0 ? (
        <details className={classes.past}>
          <summary>{t('past', { count: pastEvents.size })}</summary>
          {list(past)}
        </details>
      ) : null}
      {coming.length > 0 ? list(coming) : <p className={classes.none}>{t('noMore')}</p>}
    </div>
  )
}

function AgendaDay({ date, today, events }: { date: string; today: string; events: DayEvent[] }) {
  const t = useTranslations('calendar')
  const format = useFormatter()
  return (
    <section className={classes.day} id={`d-${date}`} aria-labelledby={`h-${date}`}>
      <h3 className={classes.date} id={`h-${date}`}>
        {format.dateTime(calendarDate(date), 'shortDate')}
        {date === today ? <span className={classes.today}>{t('today')}</span> : null}
      </h3>
      <ul>
        {events.map((one) => (
          <AgendaRow key={one.event.id} date={date} {...one} />
        ))}
      </ul>
    </section>
  )
}

/** An event on one of the dates it covers. */
function AgendaRow({ date, event, goesOn }: DayEvent & { date: string }) {
  const t = useTranslations('calendar')
  const format = useFormatter()
  const { start, end, endDate, location, assignee_name, customer, timezone } = event
  const groupZone = useGroupZone()
  const ends = endDate ? `${format.dateTime(calendarDate(endDate), 'shortDate')} ${end}` : ''
  const later = goesOn ? t('goesOnTo', { end: ends }) : t('allDayTo', { start, end: ends })
  const today = goesOn ? t('endsAt', { end: end ?? '' }) : t('until', { start, end: end ?? '' })
  const timed = !end ? start : endDate === date ? today : later
  const time = start ? timed : t('allDay')
  return (
    <li className={classes.row} data-all-day={start ? undefined : true}>
      <p className={classes.time}>
        {time}
        {timezone === groupZone || !start ? null : <small>{t('localTime')}</small>}
      </p>
      <div className={classes.what}>
        <EventButton event={event} className={classes.title}>
          <EventTitle event={event} />
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
        <Allergies allergies={event.allergies} />
      </div>
    </li>
  )
}
