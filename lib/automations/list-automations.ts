import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor } from '@/lib/http/cursor'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { AUTOMATION_COLUMNS, type Automation, automationSchema, type listQuery } from './schema'

/** A keyset page of the organization's automations, the newest first. */
export async function listAutomations(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  { cursor, limit = 50, type, status }: Partial<z.infer<typeof listQuery>> = {},
): Promise<{ data: Automation[]; next_cursor: string | null }> {
  let query = db.from('automations').select(AUTOMATION_COLUMNS).eq('organization_id', organization.id)
  if (type !== undefined) query = query.eq('type', type)
  if (status !== undefined) query = query.eq('status', status)
  if (cursor !== undefined) query = query.or(afterCursor('created_at', decodeInstantCursor(cursor), false))
  const found = await query
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit + 1)
  const rows = z.array(automationSchema).parse(unwrap(found))
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const next_cursor = last ? encodeInstantCursor(last.created_at, last.id) : null
  return { data: rows.slice(0, limit), next_cursor }
}
