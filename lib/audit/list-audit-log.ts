import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import type { AuditFilters } from './operations'
import { auditLineSchema, type NamedLine, namedLineSchema } from './schema'

type Page = AuditFilters & { cursor?: string; limit: number }

/**
 * A keyset page of the lines that the caller may read, the latest first, each with what its record was called.
 * @throws HttpError 400 for a cursor that is not one of ours.
 */
export async function queryAuditLog(
  { db }: Pick<Session, 'db'>,
  { from, to, actor, kind, search, cursor, limit }: Page,
): Promise<{ data: NamedLine[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const found = await db.rpc('list_audit_log', {
    p_from: from,
    p_to: to,
    p_actor: actor,
    p_kind: kind,
    p_search: search,
    p_before: after?.key,
    p_before_id: after?.id,
    p_limit: limit + 1,
  })
  const rows = unwrap(found) ?? []
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    data: z.array(namedLineSchema).parse(rows.slice(0, limit)),
    next_cursor: last ? encodeInstantCursor(last.at, last.id) : null,
  }
}

/** The same as GET /api/audit-log answers it. */
export async function listAuditLog(session: Pick<Session, 'db'>, page: Page) {
  const { data, next_cursor } = await queryAuditLog(session, page)
  return { data: z.array(auditLineSchema).parse(data), next_cursor }
}
