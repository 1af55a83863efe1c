import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { type Ticket, ticketSchema } from './schema'

/**
 * A ticket by id.
 * @throws HttpError 404 when there is none that the caller may see.
 */
export async function getTicket({ db }: Pick<Session, 'db'>, id: string): Promise<Ticket> {
  const [found] = unwrap(await db.rpc('list_tickets', { p_id: id })) ?? []
  if (!found) throw new HttpError(404, { error: 'Not found' })
  return ticketSchema.parse(found)
}
