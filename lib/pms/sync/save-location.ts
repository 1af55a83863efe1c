import { z } from 'zod'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { type HalvingBudget, saveByHalves } from '@/lib/db/save-by-halves'
import type { Db } from '@/lib/db/types'
import type { PmsReservation } from '../parse-row'

const countsSchema = z.object({ created: z.number(), updated: z.number(), customers: z.number() })
export type SaveCounts = z.infer<typeof countsSchema>

/** A row that the database refused: the reservation's PMS id, and the constraint or code. */
export interface RefusedRow {
  id: string
  reason: string
}

// One call stays well under the 8 s statement limit of the service role.
const BATCH_ROWS = 2500
// Enough to find a dozen bad rows of a batch; a database that refuses everything is not asked row by row.
const HALVING_CALLS = 160

/**
 * Saves a location's rows: one SQL function call and transaction a batch, which matches customers, writes
 * what changed, recomputes the touched customers and raises their tiers. The next pages are read while a
 * batch is being saved; two batches are in memory at most. Counts are added to `total` batch by batch. A row that
 * the database refuses costs only itself: it is added to `refused`.
 * @throws DatabaseError; earlier batches stay saved, and `total` has them.
 */
export async function saveLocation(
  db: Db,
  locationId: string,
  pages: AsyncIterable<PmsReservation[]>,
  now: Date,
  signal: AbortSignal,
  total: SaveCounts,
  refused: RefusedRow[],
): Promise<void> {
  const budget: HalvingBudget = { calls: HALVING_CALLS }
  const refuse = ({ external_id }: PmsReservation, reason: string) => {
    refused.push({ id: external_id, reason })
  }
  const save = (batch: PmsReservation[]) => saveByHalves(batch, saveOnce, refuse, budget)
  const saveOnce = async (batch: PmsReservation[]) => {
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
