import { stackClient } from '../factories/group'
import type { Stack } from '../support/stack'

/** Where the rows are: two locations of Norte, none of Norte's, and Sur's. */
const PLACES = [
  { home: 'Norte', location: 'Retiro' },
  { home: 'Norte', location: 'Sol' },
  { home: 'Norte', location: null },
  { home: 'Sur', location: 'Triana' },
] as const

/** An event, a ticket and a comment in each place; their ids go into `ids` as `event Retiro`, `ticket Norte`. */
export async function fillCalendar(stack: Stack, ids: Record<string, string>): Promise<void> {
  const service = stackClient(stack, 'service')
  for (const { home, location } of PLACES) {
    const place = location ?? home
    const row = {
      organization_id: String(ids[home]),
      location_id: location && String(ids[location]),
    }
    const event = await service
      .from('calendar_events')
      .insert({ ...row, title: `event ${place}`, event_datetime: '2026-11-21T12:00:00Z' })
      .select('id')
      .single()
      .throwOnError()
    ids[`event ${place}`] = event.data.id
    const ticket = await service
      .from('tickets')
      .insert({ ...row, subject: `ticket ${place}` })
      .select('id')
      .single()
      .throwOnError()
    ids[`ticket ${place}`] = ticket.data.id
    await service
      .from('ticket_comments')
      .insert({ ticket_id: ticket.data.id, author_name: 'Alguien', body: `comment ${place}` })
      .throwOnError()
    await service
      .from('ticket_changes')
      .insert({
        ticket_id: ticket.data.id,
        field: 'subject',
        before: `change ${place}`,
        after: `ticket ${place}`,
      })
      .throwOnError()
  }
}
