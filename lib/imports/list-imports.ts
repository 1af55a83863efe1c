import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor } from '@/lib/http/cursor'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { IMPORT_COLUMNS, type Import, importSchema } from './schema'
import { tidyImports } from './tidy-imports'

/** A keyset page of the organization's imports, the latest first. */
export async function listImports(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<{ data: Import[]; next_cursor: string | null }> {
  await tidyImports(organization.id, new Date())
  let query = db.from('import_runs').select(IMPORT_COLUMNS).eq('organization_id', organization.id)
  if (cursor) query = query.or(afterCursor('started_at', decodeInstantCursor(cursor), false))
  const found = await query
    .order('started_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit + 1)
  const rows = z.array(importSchema).parse(unwrap(found))
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const next = last && encodeInstantCursor(last.started_at, last.id)
  return { data: rows.slice(0, limit), next_cursor: next ?? null }
}
