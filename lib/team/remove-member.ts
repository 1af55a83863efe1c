import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/refusals'
import { TEAM_REFUSALS } from './schema'

/**
 * Removes a person's profile, and with it their access; a new invitation lets them back in.
 * @throws HttpError 403, 404, 409 for oneself.
 */
export async function removeMember({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  refuse(unwrap(await db.rpc('remove_member', { p_member: id })), TEAM_REFUSALS)
}
