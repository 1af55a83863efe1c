import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { refuse } from '@/lib/http/refusals'
import { shown } from './list-tokens'
import { makeMachineAccount } from './machine-account'
import { type NewApiToken, type newApiTokenSchema, TOKEN_REFUSALS } from './schema'
import { newSecret, tokenOf } from './token'

const outcomeSchema = z.object({ outcome: z.string(), id: z.string().nullish() })

/**
 * Makes an API token, with the account in Auth that its requests run as. The token is in this answer only.
 * @throws HttpError 403, 400 for a location the caller does not work in, 409 when there are too many; AuthError.
 */
export async function createToken(
  { db }: Pick<Session, 'db'>,
  { name, permissions, location_ids, expires_in_days }: z.infer<typeof newApiTokenSchema>,
): Promise<NewApiToken> {
  const { secret, hash } = newSecret()
  const proof = newSecret()
  const parameters = {
    ...{ p_name: name, p_permissions: permissions, p_locations: location_ids, p_days: expires_in_days },
    ...{ p_token_hash: hash, p_account_hash: proof.hash },
  }
  const { outcome, id } = outcomeSchema.parse(unwrap(await db.rpc('prepare_api_token', parameters)))
  refuse(outcome, TOKEN_REFUSALS)
  const p_id = id ?? ''
  try {
    await makeMachineAccount(p_id, secret, proof.secret)
  } catch (error) {
    unwrap(await serviceDb().rpc('discard_api_token', { p_id }))
    throw error
  }
  const row = unwrap(await db.rpc('list_api_tokens', { p_id }).single())
  return { ...shown(row ?? { id: p_id }), token: tokenOf(p_id, secret) }
}
