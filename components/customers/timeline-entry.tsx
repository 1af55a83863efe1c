import {
  type Icon,
  IconCalendarEvent,
  IconHistory,
  IconMail,
  IconMessage,
  IconTicket,
} from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import type { TimelineEvent } from '@/lib/customers/timeline-schema'
import { calendarDate } from '@/lib/i18n/formats'
import classes from './timeline.module.css'
import { TimelineChange } from './timeline-change'
import { TimelineMessage } from './timeline-message'
import { TimelineReservation } from './timeline-reservation'
import { TimelineTicket } from './timeline-ticket'

function pictureOf(event: TimelineEvent): Icon {
  if (event.kind === 'message') return event.details.channel === 'email' ? IconMail : IconMessage
  return { reservation: IconCalendarEvent, ticket: IconTicket, change: IconHistory }[event.kind]
}

/** One event: when, what kind, and what it says. A reservation keeps the date and time of its location. */
export function TimelineEntry({ event, timeZone }: { event: TimelineEvent; timeZone: string | undefined }) {
  const t = useTranslations('customer.timeline')
  const format = useFormatter()
  const Picture = pictureOf(event)
  const local = event.kind === 'reservation' ? event.details : null
  const at = new Date(event.at)
  return (
    <li className={classes.event}>
      <span className={classes.picture} title={t(`one.${event.kind}`)}>
        <Picture size={16} stroke={1.7} role="img" aria-label={t(`one.${event.kind}`)} />
      </span>
      <time className={classes.time} dateTime={event.at}>
        {local
          ? format.dateTime(calendarDate(local.date), 'date')
          : format.dateTime(at, 'instantDate', { timeZone })}
        <small>
          {local?.time ??
            format.dateTime(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })}
        </small>
      </time>
      <div className={classes.what}>
        {event.kind === 'reservation' ? <TimelineReservation details={event.details} /> : null}
        {event.kind === 'message' ? <TimelineMessage details={event.details} /> : null}
        {event.kind === 'ticket' ? <TimelineTicket details={event.details} /> : null}
        {event.kind === 'change' ? <TimelineChange details={event.details} /> : null}
      </div>
    </li>
  )
}
