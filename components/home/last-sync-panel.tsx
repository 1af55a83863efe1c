import type { Session } from '@/lib/auth/session'
import { lastSync } from '@/lib/overview/last-sync'
import { SyncPanel } from './sync-panel'

/** The last sync as far as it concerns these locations, read when its turn comes. */
export async function LastSyncPanel({ session, locationIds }: { session: Session; locationIds: string[] }) {
  return <SyncPanel run={await lastSync(session, locationIds)} />
}
