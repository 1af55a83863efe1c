import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { HOUR_MS } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { afterCursor, decodeCursor, encodeCursor, pageOf } from '@/lib/http/cursor'
import { HttpError, refuse } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor, instant } from '@/lib/http/instant'
import { RECORD_PROBLEMS } from '@/lib/http/issues'
import { editedMeanwhile } from '@/lib/http/loaded'
import { withPatterns } from '@/lib/search'
import type { TicketsQuery } from './filters'
import {
  activitySchema,
  COMMENT_COLUMNS,
  commentSchema,
  type Ticket,
  type TicketActivity,
  type TicketChanges,
  type TicketComment,
  ticketSchema,
} from './schema'

const MAX_NUMBER = 2_147_483_647

/** A keyset page of the tickets that the caller may see, the newest first. */
export async function listTickets(
  { db }: Pick<Session, 'db'>,
  { cursor, limit, ...filters }: TicketsQuery,
): Promise<{ data: Ticket[]; next_cursor: string | null }> {
  const found = await db
    .rpc('list_tickets', {
      p_filters: withPatterns(filters),
      p_before: cursor === undefined ? undefined : ticketNumber(decodeCursor(cursor).key),
      p_limit: limit + 1,
    })
    .order('number', { ascending: false })
  const rows = unwrap(found) ?? []
  const page = pageOf(rows, limit, (last) => encodeCursor({ key: String(last.number), id: last.id }))
  return { ...page, data: z.array(ticketSchema).parse(page.data) }
}

function ticketNumber(key: string): number {
  if (/^\d{1,10}$/.test(key) && Number(key) <= MAX_NUMBER) return Number(key)
  throw new HttpError('MALFORMED_CURSOR')
}

/**
 * A ticket by id.
 * @throws HttpError 404 when the caller may see no ticket with this id.
 */
export async function getTicket({ db }: Pick<Session, 'db'>, id: string): Promise<Ticket> {
  const [found] = unwrap(await db.rpc('list_tickets', { p_id: id })) ?? []
  if (!found) throw new HttpError('NOT_FOUND')
  return ticketSchema.parse(found)
}

// A quarter of each priority's time limit (private.sla_length), when the reminder is sent as well.
const LAST_HOURS = { low: 18, medium: 6, high: 2, urgent: 0.5 }

const DUE_COLUMNS = 'id, number, subject, priority, status, sla_due_at, location_id'
const dueTicketSchema = ticketSchema
  .pick({ id: true, number: true, subject: true, priority: true, status: true, location_id: true })
  .extend({ sla_due_at: instant })
/** An unresolved ticket past its deadline or near it. */
export type DueTicket = z.infer<typeof dueTicketSchema>

/** The unresolved tickets past their deadline or in the last quarter of their time, by deadline; `total` counts all. */
export async function dueTickets(
  { db }: Pick<Session, 'db'>,
  { locationId, limit = 5, now = new Date() }: { locationId?: string; limit?: number; now?: Date },
): Promise<{ tickets: DueTicket[]; total: number }> {
  const soon = Object.entries(LAST_HOURS).map(
    ([priority, hours]) =>
      `and(priority.eq.${priority},sla_due_at.lt.${new Date(now.getTime() + hours * HOUR_MS).toISOString()})`,
  )
  const due = db
    .from('tickets')
    .select(DUE_COLUMNS, { count: 'exact' })
    .in('status', ['open', 'in_progress', 'waiting'])
    .or(soon.join(','))
    .order('sla_due_at')
    .order('id')
    .limit(limit)
  const found = await (locationId ? due.eq('location_id', locationId) : due)
  return { tickets: z.array(dueTicketSchema).parse(unwrap(found)), total: found.count ?? 0 }
}

const savedSchema = z.object({
  outcome: z.string(),
  ticket: ticketSchema.optional(),
  current: ticketSchema.partial().optional(),
})

/**
 * Creates a ticket (`id` null; the caller is its requester) or changes one. A new priority moves the deadline; a new
 * status, priority or assignee is part of the next notification.
 * @throws HttpError 404 for a ticket that the caller may not see, 400 for an unknown location, customer or assignee,
 * 403 for a customer without the permission for customers, 409 for fields that another person changed since they were
 * `loaded`.
 */
export async function saveTicket(
  { db }: Pick<Session, 'db'>,
  id: string | null,
  changes: TicketChanges,
): Promise<Ticket> {
  const parameters = { p_id: id as string, p_fields: changes }
  const { outcome, ticket, current } = savedSchema.parse(unwrap(await db.rpc('save_ticket', parameters)))
  if (current) throw editedMeanwhile(current)
  refuse(outcome, RECORD_PROBLEMS)
  if (!ticket) throw new Error(`Unexpected outcome "${outcome}"`)
  return ticket
}

/**
 * Deletes a ticket with its comments; its number is not used again.
 * @throws HttpError 404 when the caller may delete no ticket with this id.
 */
export async function deleteTicket({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  if (!unwrap(await db.rpc('delete_ticket', { p_id: id }))) throw new HttpError('NOT_FOUND')
}

/**
 * A keyset page of a ticket's comments, the oldest first.
 * @throws HttpError 404 when the caller may see no such ticket.
 */
export async function listComments(
  { db }: Pick<Session, 'db'>,
  ticketId: string,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<{ data: TicketComment[]; next_cursor: string | null }> {
  let query = db.from('ticket_comments').select(COMMENT_COLUMNS).eq('ticket_id', ticketId)
  if (cursor !== undefined) query = query.or(afterCursor('created_at', decodeInstantCursor(cursor), true))
  const page = query
    .order('created_at')
    .order('id')
    .limit(limit + 1)
  const ticket = db.from('tickets').select('id').eq('id', ticketId).maybeSingle()
  const [found, visible] = await Promise.all([page, ticket])
  if (!unwrap(visible)) throw new HttpError('NOT_FOUND')
  const rows = unwrap(found) ?? []
  const comments = pageOf(rows, limit, (last) => encodeInstantCursor(last.created_at, last.id))
  return { ...comments, data: z.array(commentSchema).parse(comments.data) }
}

/**
 * A keyset page of a ticket's activity, the oldest first: comments and changes with their authors.
 * @throws HttpError 404 when the caller may see no such ticket.
 */
export async function listActivity(
  { db }: Pick<Session, 'db'>,
  ticketId: string,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<{ data: TicketActivity[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const parameters = {
    p_ticket: ticketId,
    p_after: after?.key,
    p_after_id: after?.id,
    p_limit: limit + 1,
  }
  const ticket = db.from('tickets').select('id').eq('id', ticketId).maybeSingle()
  const [found, visible] = await Promise.all([db.rpc('ticket_activity', parameters), ticket])
  if (!unwrap(visible)) throw new HttpError('NOT_FOUND')
  const rows = unwrap(found) ?? []
  const page = pageOf(rows, limit, (last) => encodeInstantCursor(last.at, last.id))
  return { ...page, data: z.array(activitySchema).parse(page.data) }
}

/**
 * Adds a comment of the caller to a ticket; it is part of the next notification.
 * @throws HttpError 404 when the caller may see no such ticket.
 */
export async function addComment(
  { db }: Pick<Session, 'db'>,
  ticketId: string,
  body: string,
): Promise<TicketComment> {
  const added = unwrap(await db.rpc('add_ticket_comment', { p_ticket: ticketId, p_body: body }))
  if (!added) throw new HttpError('NOT_FOUND')
  return commentSchema.parse(added)
}
