import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/refusals'
import { type Sending, sendingSchema } from './sending-schema'

/** Whether the organization's automations send. */
export async function readSending({
  db,
  organization,
}: Pick<Session, 'db' | 'organization'>): Promise<Sending> {
  const columns = 'stopped_at:sending_stopped_at, stopped_by:sending_stopped_by'
  return sendingSchema.parse(
    unwrap(await db.from('organizations').select(columns).eq('id', organization.id).single()),
  )
}

/**
 * Stops everything that automations send, or lets it go on.
 * @throws HttpError 403 for someone bound to locations.
 */
export async function stopSending(
  session: Pick<Session, 'db' | 'organization'>,
  stopped: boolean,
): Promise<Sending> {
  const outcome = unwrap(await session.db.rpc('stop_sending', { p_stop: stopped }))
  refuse(outcome, { forbidden: [403, 'Forbidden'] })
  return readSending(session)
}
