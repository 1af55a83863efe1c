import { IconCalendarEvent, IconTicket } from '@tabler/icons-react'
import { getFormatter, getNow, getTranslations } from 'next-intl/server'
import { SECTIONS } from '@/components/shell/main-nav'
import { Badge } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import { twoDays } from '@/lib/calendar/events'
import { zoneOf } from '@/lib/locations/chosen-location'
import type { Location } from '@/lib/locations/locations'
import { dueTickets } from '@/lib/tickets/tickets'
import classes from './tickets-and-events.module.css'

interface TicketsDueProps {
  session: Session
  locations: readonly Location[]
  locationId?: string
}

/** The tickets that are past their deadline or close to it. */
export async function TicketsDue({ session, locations, locationId }: TicketsDueProps) {
  const [{ tickets, total }, t, format, now] = await Promise.all([
    dueTickets(session, { locationId }),
    getTranslations('home.tickets'),
    getFormatter(),
    getNow(),
  ])
  return (
    <Panel
      title={t('title')}
      aside={
        <>
          {total > tickets.length ? t('shown', { shown: tickets.length, total }) : null}{' '}
          <SectionLink href="/tickets">{t('all')}</SectionLink>
        </>
      }
      flush={tickets.length > 0}
    >
      {tickets.length > 0 ? (
        <ul>
          {tickets.map((ticket) => {
            const due = new Date(ticket.sla_due_at)
            const late = due < now
            const place = locations.find(({ id }) => id === ticket.location_id)?.name
            return (
              <li key={ticket.id} className={classes.row}>
                <span className={classes.main}>
                  {ticket.subject}
                  <small>
                    #{ticket.number} · {t(`priorities.${ticket.priority}`)}
                    {place ? ` · ${place}` : null}
                  </small>
                </span>
                <Badge tone={late ? 'red' : 'amber'}>
                  {t(late ? 'late' : 'soon', { when: format.relativeTime(due, now) })}
                </Badge>
              </li>
            )
          })}
        </ul>
      ) : (
        <EmptyState icon={IconTicket} title={t('none')} text={t('noneText')} />
      )}
    </Panel>
  )
}

interface EventsSoonProps {
  session: Session
  locations: readonly Location[]
  location?: Location
}

/** Today's and tomorrow's events. Events under way that began earlier come first. */
export async function EventsSoon({ session, locations, location }: EventsSoonProps) {
  const timezone = zoneOf(session, locations, location)
  const [days, t, format] = await Promise.all([
    twoDays(session, { locationId: location?.id, timezone }),
    getTranslations('home.events'),
    getFormatter(),
  ])
  const parts = [
    ['today', [...days.underWay, ...days.today]],
    ['tomorrow', days.tomorrow],
  ] as const
  const empty = parts.every(([, events]) => events.length === 0)
  return (
    <Panel title={t('title')} aside={<SectionLink href="/calendar">{t('all')}</SectionLink>} flush={!empty}>
      {empty ? <EmptyState icon={IconCalendarEvent} title={t('none')} text={t('noneText')} /> : null}
      {parts.map(([day, events]) =>
        events.length > 0 ? (
          <div key={day}>
            <h3 className={classes.day}>{t(day)}</h3>
            <ul>
              {events.map((event) => {
                const place = locations.find(({ id }) => id === event.location_id)
                const zone = place?.timezone ?? timezone
                const goesOn = days.underWay.includes(event)
                const under = [place?.name, event.assignee_name].filter(Boolean).join(' · ')
                return (
                  <li key={event.id} className={classes.row}>
                    <time className={classes.time} dateTime={event.starts_on ?? event.event_datetime}>
                      {goesOn || event.starts_on
                        ? t(event.starts_on ? 'allDay' : 'goesOn')
                        : format.dateTime(new Date(event.event_datetime), {
                            hour: '2-digit',
                            minute: '2-digit',
                            hourCycle: 'h23',
                            timeZone: zone,
                          })}
                    </time>
                    <span className={classes.main}>
                      {event.title}
                      {under ? <small>{under}</small> : null}
                    </span>
                  </li>
                )
              })}
            </ul>
          </div>
        ) : null,
      )}
    </Panel>
  )
}

/** A link to one of the main sections; nothing where there is no such section. */
function SectionLink({ href, children }: { href: string; children: string }) {
  if (!SECTIONS.some((section) => section.href === href)) return null
  return (
    <Link href={href} prefetch={false} className={classes.all}>
      {children}
    </Link>
  )
}
