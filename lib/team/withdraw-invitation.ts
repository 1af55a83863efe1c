import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/refusals'
import { TEAM_REFUSALS } from './schema'

/**
 * Takes an open invitation back.
 * @throws HttpError 403, 404.
 */
export async function withdrawInvitation({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  refuse(unwrap(await db.rpc('withdraw_invitation', { p_invitation: id })), TEAM_REFUSALS)
}
