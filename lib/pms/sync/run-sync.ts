import 'server-only'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import { HttpError } from '@/lib/http/errors'
import { enabledPmsConfigs, type PmsConfig } from '@/lib/integrations/pms-config'
import { type JobOutcome, runJob } from '@/lib/jobs/run-job'
import { log } from '@/lib/log'
import { closeServices } from '@/lib/reservations/close-services'
import { checkedBaseUrl } from '../base-url'
import type { PmsConnection } from '../client'
import { PmsError } from '../errors'
import { pmsSlug } from '../location-slugs'
import type { SyncIssue } from './issues'
import { readLocation } from './read-location'
import { saveLocation } from './save-location'
import { syncWindow } from './window'

/** Counts of one location: `count` valid rows received; `failed` when it could not be fetched or saved whole. */
export interface LocationReport {
  id: string
  name: string
  count: number
  created: number
  updated: number
  customers: number
  failed: boolean
  issues: SyncIssue[]
}

interface SyncInput {
  /** The service client. */
  db: Db
  /** Only this organization; all with an enabled PMS when absent. */
  organizationId?: string
  now?: Date
  /** Ends the run early; what is saved stays saved. */
  signal?: AbortSignal
}

const BUDGET_MS = 55_000
const LEASE_SECONDS = 90

/**
 * Synchronises reservations of all active locations with a PMS id, one location after another. A location
 * that fails is reported and the next one goes on. `skipped` when another run is under way.
 * @throws HttpError 500 when no PMS integration is enabled.
 */
export async function runSync(input: SyncInput): Promise<{ skipped: boolean; locations: LocationReport[] }> {
  const { db, organizationId, now = new Date(), signal = AbortSignal.timeout(BUDGET_MS) } = input
  const configs = await enabledPmsConfigs(db, organizationId)
  if (configs.length === 0) throw new HttpError(500, { error: 'PMS integration is not configured' })
  const locations: LocationReport[] = []
  let skipped = true
  for (const config of configs) {
    const options = { job: 'sync', organizationId: config.organizationId, leaseSeconds: LEASE_SECONDS }
    const run = await runJob(db, options, () => syncOrganization(db, config, now, signal))
    if (run.skipped) continue
    skipped = false
    locations.push(...run.value)
  }
  return { skipped, locations }
}

async function syncOrganization(
  db: Db,
  config: PmsConfig,
  now: Date,
  signal: AbortSignal,
): Promise<JobOutcome<LocationReport[]>> {
  const found = await db
    .from('locations')
    .select('id, name, pms_id, timezone')
    .eq('organization_id', config.organizationId)
    .eq('is_active', true)
    .not('pms_id', 'is', null)
    .order('name')
  const reports: LocationReport[] = []
  for (const location of unwrap(found) ?? []) {
    reports.push(await syncLocation(db, config, { ...location, pms_id: location.pms_id ?? '' }, now, signal))
  }
  await closeServices({ db, now, signal }, config.organizationId)
  const failed = reports.filter((report) => report.failed).length
  const issues = reports.flatMap((report) => report.issues)
  const status =
    failed > 0 && failed === reports.length ? 'failed' : issues.length > 0 ? 'partial' : 'succeeded'
  const counts = reports.map(({ issues: _, ...report }) => report)
  return {
    status,
    result: { locations: counts, issues: issues.map((issue) => ({ ...issue })) },
    value: reports,
  }
}

async function syncLocation(
  db: Db,
  config: PmsConfig,
  location: { id: string; name: string; pms_id: string; timezone: string },
  now: Date,
  signal: AbortSignal,
): Promise<LocationReport> {
  const { PMS_SYNC_DAYS_BACK, PMS_SYNC_DAYS_AHEAD, PMS_TIMEOUT_MS, ALLOW_LOOPBACK_UPSTREAMS } = env()
  const report = { id: location.id, name: location.name }
  const saved = { created: 0, updated: 0, customers: 0 }
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
    const window = syncWindow(now, location.timezone, PMS_SYNC_DAYS_BACK, PMS_SYNC_DAYS_AHEAD)
    const reading = readLocation(connection, { slug: pmsSlug(location), ...window }, location)
    const problem = await saveLocation(db, location.id, reading.pages, now, signal, saved).then(
      () => [],
      (error: unknown) => {
        log().error({ err: error, location: location.name }, 'reservations not saved')
        return [own('not_saved', 'the reservations could not be saved')]
      },
    )
    const issues = [...problem, ...reading.issues()]
    const failed = issues.some((issue) => issue.reservation === null && issue.code !== 'more')
    return { ...report, ...saved, count: reading.received(), failed, issues }
  } catch (error) {
    if (!(error instanceof PmsError)) throw error
    return { ...report, ...saved, count: 0, failed: true, issues: [own(error.code, error.message)] }
  }
}
