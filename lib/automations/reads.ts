import 'server-only'
import { cache } from 'react'
import type { z } from 'zod'
import { pageSessionWith } from '@/lib/auth/page-session'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { afterCursor, pageOf } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { isUuid } from '@/lib/uuid'
import type { automationsQuery } from './filters'
import { AUTOMATION_COLUMNS, type Automation } from './schema'
import { parseAutomations } from './stored'

/** A keyset page of the organization's automations, the newest first. */
export async function listAutomations(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  { cursor, limit = 50, type, status }: Partial<z.infer<typeof automationsQuery>> = {},
): Promise<{ data: Automation[]; next_cursor: string | null }> {
  let query = db.from('automations').select(AUTOMATION_COLUMNS).eq('organization_id', organization.id)
  // Those of campaigns have pages of their own.
  query = query.is('campaign_id', null)
  if (type !== undefined) query = query.eq('type', type)
  if (status !== undefined) query = query.eq('status', status)
  if (cursor !== undefined) query = query.or(afterCursor('created_at', decodeInstantCursor(cursor), false))
  const found = await query
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit + 1)
  const rows = parseAutomations(unwrap(found))
  return pageOf(rows, limit, (last) => encodeInstantCursor(last.created_at, last.id))
}

/**
 * An automation by id.
 * @throws HttpError 404 when there is none that the caller may see.
 */
export async function getAutomation({ db }: Pick<Session, 'db'>, id: string): Promise<Automation> {
  const one = db.from('automations').select(AUTOMATION_COLUMNS).eq('id', id).is('campaign_id', null)
  const found = unwrap(await one.maybeSingle())
  const [automation] = found ? parseAutomations([found]) : []
  if (!automation) throw new HttpError('NOT_FOUND')
  return automation
}

interface Loaded {
  session: Session
  /** Null when there is none that the person may see. */
  automation: Automation | null
}

/** The session and the automation of a page; null without the permission. Title and page share one query. */
export const pageAutomation = cache(async (id: string): Promise<Loaded | null> => {
  const session = await pageSessionWith('canAccessMarketing')
  if (!session) return null
  if (!isUuid(id)) return { session, automation: null }
  try {
    return { session, automation: await getAutomation(session, id) }
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return { session, automation: null }
    throw error
  }
})
