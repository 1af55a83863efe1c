import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { MESSAGE_COLUMNS } from './list-messages'
import { type Message, messageSchema } from './schema'

/**
 * Records what somebody found out about a message with an unknown outcome. One that failed may be planned again by
 * the automation's next run.
 * @throws HttpError 404 when there is none that the caller may see; 409 when its outcome is known.
 */
export async function reconcileMessage(
  { db }: Pick<Session, 'db'>,
  id: string,
  status: 'sent' | 'failed',
): Promise<Message> {
  const outcome = unwrap(await db.rpc('reconcile_message', { p_id: id, p_status: status }))
  if (outcome === 'not_found') throw new HttpError(404, { error: 'Not found' })
  if (outcome === 'not_unknown') throw new HttpError(409, { error: 'Not unknown' })
  return messageSchema.parse(unwrap(await db.from('messages').select(MESSAGE_COLUMNS).eq('id', id).single()))
}
