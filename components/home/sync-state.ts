import type { LastSync } from '@/lib/overview/last-sync'

export type SyncState = 'running' | 'succeeded' | 'partial' | 'failed' | 'interrupted'

// Longer than a run's lease lasts: whatever claims to run since then has died.
const LONGEST_RUN_MS = 120_000

/** How the last run stands, telling a run that died from one that still goes on. */
export function syncState(run: LastSync, now = new Date()): SyncState {
  if (run.status === 'running')
    return now.getTime() - Date.parse(run.started_at) > LONGEST_RUN_MS ? 'interrupted' : 'running'
  return run.status === 'failed' && run.result.error !== undefined ? 'interrupted' : run.status
}
