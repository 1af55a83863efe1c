import 'server-only'
import { z } from 'zod'
import { createAccount } from '@/lib/auth/create-account'
import type { Session } from '@/lib/auth/session'
import { machineAddress, shownPrefix, tokenOf } from '@/lib/auth/token-session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { refuse } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { newSecret } from '@/lib/secret'
import {
  type ApiToken,
  apiTokenSchema,
  type NewApiToken,
  type newApiTokenSchema,
  TOKEN_REFUSALS,
} from './schema'

/** A keyset page of the API tokens, the latest first, of those the caller may revoke. */
export async function listTokens({ db }: Pick<Session, 'db'>, page: { cursor?: string; limit: number }) {
  const after = page.cursor === undefined ? undefined : decodeInstantCursor(page.cursor)
  const parameters = { p_limit: page.limit + 1, p_after_at: after?.key, p_after_id: after?.id }
  const rows = unwrap(await db.rpc('list_api_tokens', parameters)) ?? []
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return {
    data: rows.slice(0, page.limit).map(toApiToken),
    next_cursor: last ? encodeInstantCursor(last.created_at, last.id) : null,
  }
}

/** A row of `list_api_tokens` as the API returns it. */
function toApiToken(row: { id: string }): ApiToken {
  return apiTokenSchema.parse({ ...row, prefix: shownPrefix(row.id) })
}

const outcomeSchema = z.object({ outcome: z.string(), id: z.string().nullish() })

/**
 * Creates an API token, with the account in Auth that its requests act as. The token itself is returned only here.
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
    const account = { email: machineAddress(p_id), password: secret }
    await createAccount(account, { machine_token: proof.secret })
  } catch (error) {
    unwrap(await serviceDb().rpc('discard_api_token', { p_id }))
    throw error
  }
  const row = unwrap(await db.rpc('list_api_tokens', { p_id }).single())
  return { ...toApiToken(row ?? { id: p_id }), token: tokenOf(p_id, secret) }
}

/**
 * Revokes an API token at once; does nothing when it has already ended.
 * @throws HttpError 404 for a token that does not exist or covers more than the caller's locations, 403.
 */
export async function revokeToken({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  refuse(unwrap(await db.rpc('revoke_api_token', { p_id: id })), TOKEN_REFUSALS)
}
