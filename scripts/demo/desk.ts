import { addDays, instantAt, localDate } from '@/lib/dates'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { findCorrespondents } from './correspondents'
import { EVENTS } from './event-texts'
import type { SeededLocation, Service } from './service-client'
import { TICKETS } from './ticket-texts'

const HOUR_MS = 3_600_000
const RECENT_HOURS = 2

const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()

/** Seeds tickets with their comments, and the calendar of this month and the next. */
export async function seedDesk(
  db: Service,
  organization_id: string,
  locations: SeededLocation[],
): Promise<void> {
  const [staff, customers] = await Promise.all([
    db.from('profiles').select('id, email, full_name').eq('organization_id', organization_id).throwOnError(),
    findCorrespondents(db, organization_id, { min: 4, max: 9 }, 10),
  ])
  const person = (name?: string) => staff.data.find(({ email }) => email.startsWith(`${name}@`))
  const place = (name?: string) => locations.find((location) => location.name === name)
  const guest = (wanted: true | undefined, at: number) =>
    (wanted && customers[at % Math.max(1, customers.length)]?.id) || null

  const tickets = TICKETS.map(
    ({ hoursAgo, resolvedHoursAgo, location, requester, assignee, customer, ...told }, at) => ({
      ...{ organization_id, subject: told.subject, description: told.description },
      ...{ status: told.status, priority: told.priority },
      location_id: place(location)?.id ?? null,
      customer_id: guest(customer, at),
      requester_id: person(requester)?.id ?? null,
      assignee_id: person(assignee)?.id ?? null,
      created_at: ago(hoursAgo),
      updated_at: ago(told.comments?.at(-1)?.[1] ?? hoursAgo),
      resolved_at: resolvedHoursAgo === undefined ? null : ago(resolvedHoursAgo),
      // The e-mails about older ones count as sent.
      notified_changes: hoursAgo > RECENT_HOURS ? 1 : 0,
      notified_at: hoursAgo > RECENT_HOURS ? ago(hoursAgo - 0.2) : null,
    }),
  )
  const opened = await db.from('tickets').insert(tickets).select('id, subject').throwOnError()
  const comments = TICKETS.flatMap(({ subject, comments: told = [] }) =>
    told.map(([author, hours, body]) => ({
      ticket_id: opened.data.find((ticket) => ticket.subject === subject)?.id ?? '',
      author_id: person(author)?.id ?? null,
      author_name: person(author)?.full_name ?? author,
      body,
      created_at: ago(hours),
    })),
  )
  await db.from('ticket_comments').insert(comments).throwOnError()

  const events = EVENTS.map(
    ({ day, from, to, location, assignee, customer, reminder_minutes = 60, ...told }, at) => {
      const zone = place(location)?.timezone ?? TIME_ZONE
      const date = addDays(localDate(new Date(), zone), day)
      const isOver = day < 0
      return {
        ...{ organization_id, title: told.title, description: told.description, reminder_minutes },
        event_datetime: instantAt(`${date}T${from}`, zone).toISOString(),
        ends_at: to && instantAt(`${date}T${to}`, zone).toISOString(),
        location_id: place(location)?.id ?? null,
        customer_id: guest(customer, at),
        assignee_id: person(assignee)?.id ?? null,
        created_by: person('admin')?.id ?? null,
        notification_sent: isOver,
        reminder_sent: isOver,
      }
    },
  )
  await db.from('calendar_events').insert(events).throwOnError()
}
