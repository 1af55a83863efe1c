import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'

/**
 * Deletes an event and withdraws its messages that still wait.
 * @throws HttpError 404 when there is none that the caller may see.
 */
export async function deleteEvent({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  if (!unwrap(await db.rpc('delete_calendar_event', { p_id: id })))
    throw new HttpError(404, { error: 'Not found' })
}
