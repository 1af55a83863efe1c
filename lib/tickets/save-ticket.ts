import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { RECORD_REFUSALS, refuse } from '@/lib/http/refusals'
import { type Ticket, type TicketChanges, ticketSchema } from './schema'

const savedSchema = z.object({ outcome: z.string(), ticket: ticketSchema.optional() })

/**
 * Creates a ticket (`id` null; the caller is its requester) or changes one. Another priority moves its deadline;
 * another status, priority or assignee is told at the next notification.
 * @throws HttpError 404 for a ticket the caller may not see, 400 for a location, customer or assignee that is
 * not of the caller's, 403 for a customer without the permission for customers.
 */
export async function saveTicket(
  { db }: Pick<Session, 'db'>,
  id: string | null,
  changes: TicketChanges,
): Promise<Ticket> {
  const parameters = { p_id: id as string, p_fields: changes }
  const { outcome, ticket } = savedSchema.parse(unwrap(await db.rpc('save_ticket', parameters)))
  refuse(outcome, RECORD_REFUSALS)
  if (!ticket) throw new Error(`Unexpected outcome "${outcome}"`)
  return ticket
}
