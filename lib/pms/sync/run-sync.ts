import 'server-only'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import { HttpError } from '@/lib/http/errors'
import { enabledPmsConfigs } from '@/lib/integrations/pms-config'
import { type JobOutcome, runJob } from '@/lib/jobs/run-job'
import { closeServices } from '@/lib/reservations/close-services'
import { isFailure, type SyncIssue } from './issues'
import { type AheadReport, lookAhead } from './look-ahead'
import { type SyncedLocation, type SyncTools, syncDays } from './sync-days'
import { syncWindow } from './window'

/**
 * Counts of one location: `count` valid rows of the days around today; `failed` when these could not be fetched or
 * saved whole. `ahead` is there when the days ahead were asked for as well.
 */
export interface LocationReport {
  id: string
  name: string
  count: number
  created: number
  updated: number
  customers: number
  failed: boolean
  ahead?: AheadReport
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
  /** Also ask for the days ahead, where it is time, after all locations. */
  ahead?: boolean
}

const BUDGET_MS = 55_000
const LEASE_SECONDS = 90

/**
 * Synchronises reservations of all active locations with a PMS id, one location after another. A location
 * that fails is reported and the next one goes on. `skipped` when another run is under way.
 * @throws HttpError 500 when no PMS integration is enabled.
 */
export async function runSync(input: SyncInput): Promise<{ skipped: boolean; locations: LocationReport[] }> {
  const { db, organizationId, now = new Date(), signal = AbortSignal.timeout(BUDGET_MS), ahead } = input
  const configs = await enabledPmsConfigs(db, organizationId)
  if (configs.length === 0) throw new HttpError(500, { error: 'PMS integration is not configured' })
  const locations: LocationReport[] = []
  let skipped = true
  for (const config of configs) {
    const options = { job: 'sync', organizationId: config.organizationId, leaseSeconds: LEASE_SECONDS }
    const run = await runJob(db, options, () => syncOrganization({ db, config, signal }, now, ahead === true))
    if (run.skipped) continue
    skipped = false
    locations.push(...run.value)
  }
  return { skipped, locations }
}

async function syncOrganization(
  tools: SyncTools,
  now: Date,
  ahead: boolean,
): Promise<JobOutcome<LocationReport[]>> {
  const found = await tools.db
    .from('locations')
    .select('id, name, pms_id, timezone, looked_ahead_at, ahead_tried_at, ahead_until')
    .eq('organization_id', tools.config.organizationId)
    .eq('is_active', true)
    .not('pms_id', 'is', null)
    .order('name')
  const locations = (unwrap(found) ?? []).map((row) => ({ ...row, pms_id: row.pms_id ?? '' }))
  let reports: LocationReport[] = []
  for (const location of locations) reports.push(await syncLocation(tools, location, now))
  await closeServices({ ...tools, now }, tools.config.organizationId)
  if (ahead) {
    // One that fails now would fail again; today's reservations come first.
    const answered = locations.filter((_, index) => reports[index]?.failed === false)
    const looks = await lookAhead(tools, answered, now)
    reports = reports.map((report) => {
      const { issues = [], ...look } = looks.get(report.id) ?? {}
      return 'until' in look ? { ...report, ahead: look, issues: [...report.issues, ...issues] } : report
    })
  }
  const failed = reports.filter((report) => report.failed).length
  const issues = reports.flatMap((report) => report.issues)
  const status =
    failed > 0 && failed === reports.length ? 'failed' : issues.length > 0 ? 'partial' : 'succeeded'
  const counts = reports.map(({ issues: _, ahead, ...report }) => ({
    ...report,
    ...(ahead ? { ahead: { ...ahead } } : {}),
  }))
  return {
    status,
    result: { locations: counts, issues: issues.map((issue) => ({ ...issue })) },
    value: reports,
  }
}

/** One location's days around today; how it went is kept with the location. */
async function syncLocation(tools: SyncTools, location: SyncedLocation, now: Date): Promise<LocationReport> {
  const { PMS_SYNC_DAYS_BACK, PMS_SYNC_DAYS_AHEAD } = env()
  const window = syncWindow(now, location.timezone, PMS_SYNC_DAYS_BACK, PMS_SYNC_DAYS_AHEAD)
  const report = await syncDays(tools, location, window, now)
  unwrap(
    await tools.db.rpc('record_sync', {
      p_location: location.id,
      p_at: now.toISOString(),
      p_from: window.from,
      p_to: window.to,
      p_failure: report.issues.find(isFailure)?.code,
    }),
  )
  return { id: location.id, name: location.name, ...report }
}
