import 'server-only'
import { addDays, localDate } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { env } from '@/lib/env'
import type { SyncIssue } from '@/lib/pms/sync-issues'
import { takeOutMissing } from './left-pms'
import { type SyncedLocation, type SyncTools, syncDays } from './sync-location'

/** The result of looking ahead at a location: counts of rows, and the last day that was fetched. */
export interface AheadReport {
  count: number
  created: number
  updated: number
  until: string | null
  failed: boolean
}

/** `missing`: the PMS ids of the bookings that were cancelled because they left the PMS. */
type LookAhead = AheadReport & { missing: string[]; issues: SyncIssue[] }

const EVERY_MS = 4 * 60 * 60 * 1000
// Few enough that even a slow PMS completes one request within a run; completed requests are saved.
const DAYS_A_REQUEST = 30

/** How many days ahead of today `cron/sync` fetches: the organization's setting, else the deployment's. */
async function horizonDays({ db, config }: SyncTools): Promise<number> {
  const found = await db.from('organizations').select('horizon_days').eq('id', config.organizationId).single()
  return unwrap(found)?.horizon_days ?? env().PMS_HORIZON_DAYS
}

/**
 * Fetches the days ahead of the locations where that was last done more than four hours ago, the longest waiting first,
 * thirty days a request. When the run's time ends, the next run continues there.
 * A location that fails is reported and the next one is tried.
 */
export async function lookAhead(
  tools: SyncTools,
  locations: readonly SyncedLocation[],
  now: Date,
): Promise<Map<string, LookAhead>> {
  const reports = new Map<string, LookAhead>()
  const due = dueLocations(locations, now)
  const days = due.length > 0 ? await horizonDays(tools) : 0
  for (const location of due) {
    if (tools.signal.aborted) break
    const look = await lookAheadAt(tools, location, days, now)
    if (look) reports.set(location.id, look)
  }
  return reports
}

/** The locations that are due; those that failed last time come last. */
function dueLocations(locations: readonly SyncedLocation[], now: Date): SyncedLocation[] {
  const instant = (text: string | null) => (text === null ? 0 : Date.parse(text))
  const turn = ({ looked_ahead_at, ahead_tried_at }: SyncedLocation) =>
    Math.max(instant(looked_ahead_at), instant(ahead_tried_at))
  return locations
    .filter(({ looked_ahead_at }) => now.getTime() - instant(looked_ahead_at) > EVERY_MS)
    .sort((one, other) => turn(one) - turn(other))
}

async function lookAheadAt(
  tools: SyncTools,
  location: SyncedLocation,
  horizon: number,
  now: Date,
): Promise<LookAhead | null> {
  const last = addDays(localDate(now, location.timezone), horizon)
  const look: LookAhead = {
    ...{ count: 0, created: 0, updated: 0 },
    ...{ until: null, failed: false, missing: [], issues: [] },
  }
  for (let from = firstDay(location, now, last); from <= last; from = addDays(look.until ?? last, 1)) {
    let to = addDays(from, DAYS_A_REQUEST - 1)
    if (to > last) to = last
    const days = await syncDays(tools, location, { from, to }, now)
    look.count += days.count
    look.created += days.created
    look.updated += days.updated
    // Running out of time is not a failure: the next run continues here.
    if (days.failed && tools.signal.aborted) break
    look.issues.push(...days.issues)
    look.failed = days.failed
    if (!days.failed) look.until = to
    const outcome = days.failed ? 'failed' : to === last ? 'done' : 'more'
    const kept = {
      p_location: location.id,
      p_at: now.toISOString(),
      p_from: from,
      p_to: to,
      p_outcome: outcome,
    }
    unwrap(await tools.db.rpc('record_look_ahead', kept))
    const left = await takeOutMissing(tools, location, { days: { from, to }, ids: days.ids }, now)
    look.missing.push(...left.missing)
    look.issues.push(...left.issues)
    if (days.failed) break
  }
  return look.until === null && look.issues.length === 0 ? null : look
}

/** The first day after the usual window, or after the last day fetched when the previous look ahead was cut short. */
function firstDay({ ahead_until, timezone }: SyncedLocation, now: Date, last: string): string {
  const first = addDays(localDate(now, timezone), env().PMS_SYNC_DAYS_AHEAD + 1)
  const next = ahead_until === null ? first : addDays(ahead_until, 1)
  return next > first && next <= last ? next : first
}
