import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import type { JobContext } from '@/lib/jobs/job'
import { boundTo } from '@/lib/locations/bound-to'
import { failureText, formatIssue } from './issues'
import { type LocationReport, runSync } from './run-sync'

const sum = (locations: LocationReport[], field: 'count' | 'created' | 'updated' | 'customers') =>
  locations.reduce((total, location) => total + location[field], 0)

const errorLines = (locations: LocationReport[]) =>
  locations.flatMap((location) => location.issues).map(formatIssue)

async function syncOrConflict(organizationId?: string, only?: string[] | null): Promise<LocationReport[]> {
  const { skipped, locations: all } = await runSync({ db: serviceDb(), organizationId })
  if (skipped) throw new HttpError(409, { error: 'Sync already running' })
  const locations = only ? all.filter(({ id }) => only.includes(id)) : all
  refuseIfAllFailed(locations)
  return locations
}

/** A sync that reached no location at all has failed; one without any location has not. */
function refuseIfAllFailed(locations: LocationReport[]): void {
  if (locations.length === 0 || locations.some(({ failed }) => !failed)) return
  throw new HttpError(500, { error: failureText(locations.flatMap(({ issues }) => issues)) })
}

/** POST /api/sync, called by a scheduler: all locations. */
export async function syncForScheduler() {
  const locations = await syncOrConflict()
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
 * POST /api/sync, called by a signed-in person: the locations of their organization. Someone bound to locations is told
 * of those.
 */
export async function syncForPerson(session: Pick<Session, 'db' | 'organization' | 'user_id'>) {
  const bound = await boundTo(session)
  unwrap(await session.db.rpc('log_action', { p_action: 'job.sync_started' }))
  const locations = await syncOrConflict(session.organization.id, bound)
  return {
    success: true,
    synced_reservations: sum(locations, 'count'),
    synced_customers: sum(locations, 'customers'),
    errors: errorLines(locations),
  }
}

/**
 * The job behind GET /api/cron/sync, which also looks ahead: a run already under way is no error, the next one comes
 * in minutes.
 * @throws HttpError 500 when every location failed.
 */
export async function syncForCron({ db, now, signal }: JobContext) {
  const { skipped, locations } = await runSync({ db, now, signal, ahead: true })
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
