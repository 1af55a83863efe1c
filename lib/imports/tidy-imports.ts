import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'

/** No import runs longer (maxDuration is 5 minutes): one that says so has lost its process. */
const STALE_MS = 10 * 60_000

/** Closes the organization's imports whose process died, as failed. */
export async function tidyImports(organizationId: string, now: Date): Promise<void> {
  const dead = { status: 'failed', finished_at: now.toISOString() }
  unwrap(
    await serviceDb()
      .from('import_runs')
      .update(dead)
      .eq('organization_id', organizationId)
      .eq('status', 'running')
      .lt('started_at', new Date(now.getTime() - STALE_MS).toISOString()),
  )
}
