import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/errors'
import { type Identity, type identityChangesSchema, identitySchema } from './schema'
import { compareSoon } from './score'

/** The thresholds and weights of the caller's group, and how many of its guests wait to be compared. */
export async function readIdentity({ db }: Pick<Session, 'db'>): Promise<Identity> {
  return identitySchema.parse(unwrap(await db.rpc('read_identity')))
}

/**
 * Changes the thresholds; who is concerned is compared again.
 * @throws HttpError 403 without canViewSettings and for people bound to locations; 400 unless likely is below certain.
 */
export async function changeIdentity(
  session: Pick<Session, 'db' | 'organization'>,
  changes: z.infer<typeof identityChangesSchema>,
): Promise<Identity> {
  const outcome = unwrap(await session.db.rpc('change_identity', { p_changes: changes }))
  refuse(outcome, { order: { path: 'likely', code: 'invalid', message: 'Must be below certain' } })
  compareSoon(session.organization.id)
  return readIdentity(session)
}
