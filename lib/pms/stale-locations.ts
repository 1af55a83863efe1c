import type { PmsFailure } from '@/lib/pms/client'

/** A location's last syncs, which decide whether its data is stale. */
export interface SyncedState {
  id: string
  name: string
  pms_id: string | null
  is_active: boolean
  synced_at: string | null
  sync_failing_since: string | null
  sync_failure: string | null
}

/** Why a location's data is stale. */
type StaleReason = 'noAnswer' | 'busy' | 'error' | 'unreadable' | 'refused' | 'unfinished'

/** A location whose last sync failed: its data is from `syncedAt` (null: never synced). */
export interface StaleLocation {
  id: string
  name: string
  syncedAt: Date | null
  failingSince: Date
  reason: StaleReason
}

const REASONS: Record<PmsFailure, StaleReason> = {
  timeout: 'noAnswer',
  unreachable: 'noAnswer',
  rate_limited: 'busy',
  http_status: 'error',
  not_json: 'unreadable',
  refused: 'refused',
  bad_base_url: 'refused',
  out_of_time: 'unfinished',
}

/** The locations whose last sync failed, the stalest first. Inactive locations and those without a PMS are never stale. */
export function staleLocations(locations: readonly SyncedState[]): StaleLocation[] {
  return locations
    .flatMap(({ id, name, pms_id, is_active, synced_at, sync_failing_since, sync_failure }) => {
      if (!is_active || pms_id === null || sync_failing_since === null) return []
      const syncedAt = synced_at === null ? null : new Date(synced_at)
      return [
        { id, name, syncedAt, failingSince: new Date(sync_failing_since), reason: reasonOf(sync_failure) },
      ]
    })
    .sort((one, other) => (one.syncedAt?.getTime() ?? 0) - (other.syncedAt?.getTime() ?? 0))
}

function reasonOf(code: string | null): StaleReason {
  return code !== null && Object.hasOwn(REASONS, code) ? REASONS[code as PmsFailure] : 'unfinished'
}
