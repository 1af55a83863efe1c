import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/refusals'
import { TOKEN_REFUSALS } from './schema'

/**
 * Ends an API token at once; also fine when it was over.
 * @throws HttpError 404 for one that is not there or reaches beyond the caller's locations, 403.
 */
export async function revokeToken({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  refuse(unwrap(await db.rpc('revoke_api_token', { p_id: id })), TOKEN_REFUSALS)
}
