import { z } from 'zod'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import type { PmsReservation } from '../parse-row'

const countsSchema = z.object({ created: z.number(), updated: z.number(), customers: z.number() })
export type SaveCounts = z.infer<typeof countsSchema>

// One call stays well under the 8 s statement limit of the service role.
const BATCH_ROWS = 2500

/**
 * Saves a location's rows: one SQL function call and transaction a batch, which matches customers, writes
 * what changed, recomputes the touched customers and raises their tiers. The next pages are read while a
 * batch is being saved; two batches are in memory at most. Counts are added to `total` batch by batch.
 * @throws DatabaseError; earlier batches stay saved, and `total` has them.
 */
export async function saveLocation(
  db: Db,
  locationId: string,
  pages: AsyncIterable<PmsReservation[]>,
  now: Date,
  signal: AbortSignal,
  total: SaveCounts,
): Promise<void> {
  const save = async (batch: PmsReservation[]) => {
    const parameters = {
      p_location: locationId,
      p_rows: batch as unknown as Json,
      p_now: now.toISOString(),
    }
    const counts = countsSchema.parse(
      unwrap(await db.rpc('sync_reservations', parameters).abortSignal(signal)),
    )
    total.created += counts.created
    total.updated += counts.updated
    total.customers += counts.customers
  }
  let waiting: PmsReservation[] = []
  let saving = Promise.resolve()
  try {
    for await (const page of pages) {
      waiting = [...waiting, ...page]
      while (waiting.length >= BATCH_ROWS) {
        await saving
        saving = save(waiting.splice(0, BATCH_ROWS))
        // Whoever waits for it hears of a failure; until then it is not unhandled.
        saving.catch(() => {})
      }
    }
    await saving
    if (waiting.length > 0) await save(waiting)
  } finally {
    // Nothing is under way any more when the lease of the run ends.
    await saving.catch(() => {})
  }
}
