import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/refusals'
import { TEAM_REFUSALS } from './schema'

/**
 * Signs a person of the team, or oneself, out everywhere, at once.
 * @throws HttpError 403, 404.
 */
export async function endMemberSessions({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  refuse(unwrap(await db.rpc('end_member_sessions', { p_member: id })), TEAM_REFUSALS)
}
