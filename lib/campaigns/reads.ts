import 'server-only'
import { cache } from 'react'
import { z } from 'zod'
import { pageSessionWith } from '@/lib/auth/page-session'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { parseRows } from '@/lib/db/rows'
import { pageOf } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { isUuid } from '@/lib/uuid'
import {
  type Campaign,
  type CampaignSummary,
  campaignSchema,
  campaignSummarySchema,
  type campaignsQuery,
  storedMessage,
} from './schema'

type Db = Pick<Session, 'db'>

/** A keyset page of the campaigns that the caller may see, the newest first. */
export async function listCampaigns(
  { db }: Db,
  { cursor, limit = 50, status }: Partial<z.infer<typeof campaignsQuery>> = {},
): Promise<{ data: CampaignSummary[]; next_cursor: string | null }> {
  const before = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const parameters = { p_status: status, p_limit: limit + 1, p_before: before?.key, p_before_id: before?.id }
  const rows = parseRows(campaignSummarySchema, unwrap(await db.rpc('list_campaigns', parameters)))
  return pageOf(rows, limit, (last) => encodeInstantCursor(last.created_at, last.id))
}

// Each message by itself: one that cannot be read leaves the others.
const rowSchema = campaignSchema.extend({ messages: z.array(z.unknown()) })

/**
 * A campaign with its messages.
 * @throws HttpError 404 when there is none that the caller may see.
 */
export async function getCampaign({ db }: Db, id: string): Promise<Campaign> {
  const [found] = parseRows(rowSchema, unwrap(await db.rpc('list_campaigns', { p_id: id })))
  if (!found) throw new HttpError('NOT_FOUND')
  const messages = parseRows(storedMessage, found.messages)
  return { ...found, messages, ...(messages.some(({ broken }) => broken) ? { broken: true } : {}) }
}

interface Loaded {
  session: Session
  /** Null when there is none that the person may see. */
  campaign: Campaign | null
}

/** The session and the campaign of a page; null without the permission. Title and page share one query. */
export const pageCampaign = cache(async (id: string): Promise<Loaded | null> => {
  const session = await pageSessionWith('canAccessMarketing')
  if (!session) return null
  if (!isUuid(id)) return { session, campaign: null }
  try {
    return { session, campaign: await getCampaign(session, id) }
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return { session, campaign: null }
    throw error
  }
})
