import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { memberSchema } from './schema'

/** A keyset page of the team, the longest there first; empty for someone who may not manage it. */
export async function listTeam({ db }: Pick<Session, 'db'>, page: { cursor?: string; limit: number }) {
  const after = page.cursor === undefined ? undefined : decodeInstantCursor(page.cursor)
  const parameters = {
    p_limit: page.limit + 1,
    p_after_at: after?.key,
    p_after_id: after?.id,
  }
  const rows = unwrap(await db.rpc('list_team', parameters)) ?? []
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return {
    data: z.array(memberSchema).parse(rows.slice(0, page.limit)),
    next_cursor: last ? encodeInstantCursor(last.created_at, last.id) : null,
  }
}
