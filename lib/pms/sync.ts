import 'server-only'
import type { Session } from '@/lib/auth/session'
import { boundTo } from '@/lib/auth/session'
import { addDays, localDate } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import { HttpError } from '@/lib/http/errors'
import { compareSoon } from '@/lib/identity/score'
import { enabledPmsConfigs } from '@/lib/integrations/services/pms'
import type { JobContext } from '@/lib/jobs/job'
import { type JobOutcome, runJob } from '@/lib/jobs/run-job'
import { closeServices } from '@/lib/reservations/close-services'
import { takeOutMissing } from './left-pms'
import { type AheadReport, lookAhead } from './look-ahead'
import { failureText, formatIssue, isFailure, type SyncIssue } from './sync-issues'
import { type SyncedLocation, type SyncTools, syncDays } from './sync-location'

/** Who reads the answers to POST /api/sync, but for people who are bound to locations. */
const REQUESTS = 'requests'

/** POST /api/sync, called by a scheduler: all locations. */
export async function syncForScheduler() {
  const locations = await syncOrConflict(REQUESTS)
  return {
    success: true,
    synced: sum(locations, 'count'),
    created: sum(locations, 'created'),
    updated: sum(locations, 'updated'),
    locations: locations.map(({ id, name, count }) => ({ locationId: id, locationName: name, count })),
    errors: errorLines(locations),
  }
}

/**
 * POST /api/sync, called by a signed-in person: the locations of their organization. Someone bound to locations gets
 * the counts of those only.
 */
export async function syncForPerson(session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>) {
  const bound = await boundTo(session)
  unwrap(await session.db.rpc('log_action', { p_action: 'job.sync_started' }))
  // Who sees some locations only is told once a day apart from the others.
  const reader = bound ? session.user_id : REQUESTS
  const locations = await syncOrConflict(reader, session.organization.id, bound)
  return {
    success: true,
    synced_reservations: sum(locations, 'count'),
    synced_customers: sum(locations, 'customers'),
    errors: errorLines(locations),
  }
}

/**
 * The job behind GET /api/cron/sync, which also looks ahead. A run that is already under way is not an error: the next
 * one starts in minutes.
 * @throws HttpError 500 when every location failed.
 */
export async function syncForCron({ db, now, signal }: JobContext) {
  const { skipped, locations } = await runSync({ db, now, signal, ahead: true, reader: 'schedule' })
  refuseIfAllFailed(locations)
  return {
    success: true,
    timestamp: now.toISOString(),
    summary: locations.map(({ name, count, failed, ahead }) => ({
      location: name,
      result: { status: failed || ahead?.failed ? 'error' : 'success', reservations: count },
    })),
    ...(skipped ? { skipped } : {}),
  }
}

const sum = (locations: LocationReport[], field: 'count' | 'created' | 'updated' | 'customers') =>
  locations.reduce((total, location) => total + location[field], 0)

const errorLines = (locations: LocationReport[]) =>
  locations.flatMap((location) => location.issues).map(formatIssue)

async function syncOrConflict(
  reader: string,
  organizationId?: string,
  only?: string[] | null,
): Promise<LocationReport[]> {
  const { skipped, locations: all } = await runSync({ db: serviceDb(), organizationId, reader })
  if (skipped) throw new HttpError('SYNC_RUNNING')
  const locations = only ? all.filter(({ id }) => only.includes(id)) : all
  refuseIfAllFailed(locations)
  return locations
}

/** A sync fails when every location failed; without any location it succeeds. */
function refuseIfAllFailed(locations: LocationReport[]): void {
  if (locations.length === 0 || locations.some(({ failed }) => !failed)) return
  throw new HttpError('SYNC_FAILED', { error: failureText(locations.flatMap(({ issues }) => issues)) })
}

/**
 * Counts of one location: `count` valid rows of the days around today; `failed` when not all were fetched
 * and saved. `ahead` is present when the days ahead were fetched as well. `missing` has the PMS ids of the bookings, of
 * all these days, that were cancelled because they left the PMS.
 */
interface LocationReport {
  id: string
  name: string
  count: number
  created: number
  updated: number
  customers: number
  failed: boolean
  missing: string[]
  ahead?: AheadReport
  issues: SyncIssue[]
}

interface SyncInput {
  /** The service client. */
  db: Db
  /** Only this organization; all with an enabled PMS when absent. */
  organizationId?: string
  now?: Date
  /** Ends the run early; saved batches stay. */
  signal?: AbortSignal
  /** After all locations, also fetch the days ahead where that is due. */
  ahead?: boolean
  /** Who reads its problems: some are named once a day to each. */
  reader: string
}

const BUDGET_MS = 55_000
const LEASE_SECONDS = 90

/**
 * Synchronises reservations of all active locations with a PMS id, one location after another. A location
 * that fails is reported and the next one is tried. `skipped` when another run is under way.
 * @throws HttpError 500 when no PMS integration is enabled.
 */
export async function runSync(input: SyncInput): Promise<{ skipped: boolean; locations: LocationReport[] }> {
  const { db, organizationId, now = new Date(), signal = AbortSignal.timeout(BUDGET_MS) } = input
  const { ahead = false, reader } = input
  const configs = await enabledPmsConfigs(db, organizationId)
  if (configs.length === 0) throw new HttpError('PMS_NOT_CONFIGURED')
  const locations: LocationReport[] = []
  let skipped = true
  for (const config of configs) {
    const options = { job: 'sync', organizationId: config.organizationId, leaseSeconds: LEASE_SECONDS }
    const tools = { db, config, signal, reader }
    const run = await runJob(db, options, () => syncOrganization(tools, now, ahead))
    if (run.skipped) continue
    skipped = false
    compareSoon(config.organizationId)
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
    // A location that has just failed would fail again.
    const answered = locations.filter((_, index) => reports[index]?.failed === false)
    const looks = await lookAhead(tools, answered, now)
    reports = reports.map((report) => {
      const { issues = [], missing = [], ...look } = looks.get(report.id) ?? {}
      if (!('until' in look)) return report
      return {
        ...report,
        missing: [...report.missing, ...missing],
        ahead: look,
        issues: [...report.issues, ...issues],
      }
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

/** Syncs one location's days around today and records the result with the location. */
async function syncLocation(tools: SyncTools, location: SyncedLocation, now: Date): Promise<LocationReport> {
  const { PMS_SYNC_DAYS_BACK, PMS_SYNC_DAYS_AHEAD } = env()
  const window = syncWindow(now, location.timezone, PMS_SYNC_DAYS_BACK, PMS_SYNC_DAYS_AHEAD)
  const { ids, ...report } = await syncDays(tools, location, window, now)
  const recorded = await tools.db.rpc('record_sync', {
    p_location: location.id,
    p_at: now.toISOString(),
    p_from: window.from,
    p_to: window.to,
    p_failure: report.issues.find(isFailure)?.code,
  })
  unwrap(recorded)
  const { missing, issues } = await takeOutMissing(tools, location, { days: window, ids }, now)
  const { id, name } = location
  return { id, name, ...report, missing, issues: [...report.issues, ...issues] }
}

/** First and last date to fetch, counted in days from today in the location's time zone. */
export function syncWindow(
  now: Date,
  timezone: string,
  back: number,
  ahead: number,
): { from: string; to: string } {
  const today = localDate(now, timezone)
  return { from: addDays(today, -back), to: addDays(today, ahead) }
}
