import 'server-only'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import type { PmsConfig } from '@/lib/integrations/pms-config'
import { log } from '@/lib/log'
import { checkedBaseUrl } from '../base-url'
import type { PmsConnection } from '../client'
import { PmsError } from '../errors'
import { pmsSlug } from '../location-slugs'
import { shortId } from '../parse-row'
import { isFailure, type SyncIssue } from './issues'
import { readLocation } from './read-location'
import { type RefusedRow, type SaveCounts, saveLocation } from './save-location'

/** A location that is synchronised: active, with a PMS id. */
export interface SyncedLocation {
  id: string
  name: string
  pms_id: string
  timezone: string
  looked_ahead_at: string | null
  ahead_tried_at: string | null
  ahead_until: string | null
}

/** What some days of a location brought: `count` valid rows; `failed` when they did not come or were not saved whole. */
export interface DaysReport extends SaveCounts {
  count: number
  failed: boolean
  issues: SyncIssue[]
}

/** What syncing works with: the service client, the PMS, and the signal that ends the run. */
export interface SyncTools {
  db: Db
  config: PmsConfig
  signal: AbortSignal
}

/** Fetches a location's reservations between two dates and saves them. A failure is one of the issues. */
export async function syncDays(
  { db, config, signal }: SyncTools,
  location: SyncedLocation,
  days: { from: string; to: string },
  now: Date,
): Promise<DaysReport> {
  const { PMS_TIMEOUT_MS, ALLOW_LOOPBACK_UPSTREAMS } = env()
  const saved = { created: 0, updated: 0, customers: 0 }
  const refused: RefusedRow[] = []
  const own = (code: SyncIssue['code'], detail: string): SyncIssue => ({
    location_id: location.id,
    location: location.name,
    code,
    reservation: null,
    detail,
  })
  try {
    const baseUrl = checkedBaseUrl(config.baseUrl, ALLOW_LOOPBACK_UPSTREAMS)
    const connection: PmsConnection = { baseUrl, apiKey: config.apiKey, timeoutMs: PMS_TIMEOUT_MS, signal }
    const reading = readLocation(connection, { slug: pmsSlug(location), ...days }, location)
    const problem = await saveLocation(db, location.id, reading.pages, now, signal, saved, refused).then(
      () => [],
      (error: unknown) => {
        log().error({ err: error, location: location.name }, 'reservations not saved')
        return [own('not_saved', 'the reservations could not be saved')]
      },
    )
    const lost = refused.map(({ id, reason }) => ({
      ...own('refused_row', reason),
      reservation: shortId(id),
    }))
    const issues = [...problem, ...lost, ...reading.issues()]
    return { ...saved, count: reading.received() - refused.length, failed: issues.some(isFailure), issues }
  } catch (error) {
    if (!(error instanceof PmsError)) throw error
    return { ...saved, count: 0, failed: true, issues: [own(error.code, error.message)] }
  }
}
