import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'

const MINUTE_MS = 60_000
/** No import runs longer (maxDuration is 5 minutes): one that says so has lost its process. */
const STALE_MS = 10 * MINUTE_MS
/** Failed rows are personal data: they are kept for download so long and no longer. */
const KEEP_MS = 30 * 24 * 60 * MINUTE_MS

/** Closes the organization's imports whose process died, as failed, and forgets failed rows after 30 days. */
export async function tidyImports(organizationId: string, now: Date): Promise<void> {
  const runs = () => serviceDb().from('import_runs')
  const before = (age: number) => new Date(now.getTime() - age).toISOString()
  const dead = { status: 'failed', finished_at: now.toISOString() }
  unwrap(
    await runs()
      .update(dead)
      .eq('organization_id', organizationId)
      .eq('status', 'running')
      .lt('started_at', before(STALE_MS)),
  )
  const forgotten = { failed_rows: null, failed_row_count: 0 }
  unwrap(
    await runs()
      .update(forgotten)
      .eq('organization_id', organizationId)
      .gt('failed_row_count', 0)
      .lt('started_at', before(KEEP_MS)),
  )
}
