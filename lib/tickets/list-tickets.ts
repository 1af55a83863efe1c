import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { decodeCursor, encodeCursor } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import { searchPatterns } from '@/lib/search'
import { type Ticket, type TicketQuery, ticketSchema } from './schema'

const MAX_NUMBER = 2_147_483_647

/** A keyset page of the tickets the caller may see, the newest first. */
export async function listTickets(
  { db }: Pick<Session, 'db'>,
  { status, priority, location_id, assignee_id, search = '', cursor, limit }: TicketQuery,
): Promise<{ data: Ticket[]; next_cursor: string | null }> {
  const patterns = searchPatterns(search)
  const found = await db
    .rpc('list_tickets', {
      p_status: status,
      p_priority: priority,
      p_location: location_id,
      p_assignee: assignee_id,
      p_patterns: patterns.length > 0 ? patterns : undefined,
      p_before: cursor === undefined ? undefined : ticketNumber(decodeCursor(cursor).key),
      p_limit: limit + 1,
    })
    .order('number', { ascending: false })
  const rows = unwrap(found) ?? []
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    data: z.array(ticketSchema).parse(rows.slice(0, limit)),
    next_cursor: last ? encodeCursor({ key: String(last.number), id: last.id }) : null,
  }
}

function ticketNumber(key: string): number {
  if (/^\d{1,10}$/.test(key) && Number(key) <= MAX_NUMBER) return Number(key)
  throw new HttpError(400, { error: 'Malformed cursor' })
}
