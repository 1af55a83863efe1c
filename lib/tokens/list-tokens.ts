import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { type ApiToken, apiTokenSchema } from './schema'
import { shownPrefix } from './token'

/** A keyset page of the API tokens, the latest first, of those the caller may revoke. */
export async function listTokens({ db }: Pick<Session, 'db'>, page: { cursor?: string; limit: number }) {
  const after = page.cursor === undefined ? undefined : decodeInstantCursor(page.cursor)
  const parameters = { p_limit: page.limit + 1, p_after_at: after?.key, p_after_id: after?.id }
  const rows = unwrap(await db.rpc('list_api_tokens', parameters)) ?? []
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return {
    data: rows.slice(0, page.limit).map(shown),
    next_cursor: last ? encodeInstantCursor(last.created_at, last.id) : null,
  }
}

/** A row of `list_api_tokens` as the API gives it. */
export function shown(row: { id: string }): ApiToken {
  return apiTokenSchema.parse({ ...row, prefix: shownPrefix(row.id) })
}
