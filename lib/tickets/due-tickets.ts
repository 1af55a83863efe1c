import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { instant } from '@/lib/http/instant'
import { ticketSchema } from './schema'

const HOUR_MS = 3_600_000
// A quarter of each priority's time (private.sla_length): when the reminder goes out as well.
const LAST_HOURS = { low: 18, medium: 6, high: 2, urgent: 0.5 }

const columns = 'id, number, subject, priority, status, sla_due_at, location_id'
const rowSchema = ticketSchema
  .pick({ id: true, number: true, subject: true, priority: true, status: true, location_id: true })
  .extend({ sla_due_at: instant })
/** An open ticket that is late, or will be soon. */
export type DueTicket = z.infer<typeof rowSchema>

/** The open tickets past their deadline or in the last quarter of their time, the most pressing first, and how many. */
export async function dueTickets(
  { db }: Pick<Session, 'db'>,
  { locationId, limit = 5, now = new Date() }: { locationId?: string; limit?: number; now?: Date },
): Promise<{ tickets: DueTicket[]; total: number }> {
  const soon = Object.entries(LAST_HOURS).map(
    ([priority, hours]) =>
      `and(priority.eq.${priority},sla_due_at.lt.${new Date(now.getTime() + hours * HOUR_MS).toISOString()})`,
  )
  const here = locationId ? `,or(location_id.is.null,location_id.eq.${locationId})` : ''
  const found = await db
    .from('tickets')
    .select(columns, { count: 'exact' })
    .in('status', ['open', 'in_progress', 'waiting'])
    .or(`and(or(${soon.join(',')})${here})`)
    .order('sla_due_at')
    .order('id')
    .limit(limit)
  return { tickets: z.array(rowSchema).parse(unwrap(found)), total: found.count ?? 0 }
}
