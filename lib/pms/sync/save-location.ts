import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import type { PmsReservation } from '../parse-row'

const countsSchema = z.object({ created: z.number(), updated: z.number(), customers: z.number() })
export type SaveCounts = z.infer<typeof countsSchema>

// One call stays well under the 8 s statement limit of the service role.
const BATCH_ROWS = 5000

/**
 * Saves a location's rows: one SQL function call and transaction a batch, which matches customers, writes
 * what changed, recomputes the touched customers and raises their tiers.
 * @throws DatabaseError; earlier batches stay saved.
 */
export async function saveLocation(
  db: Db,
  locationId: string,
  rows: readonly PmsReservation[],
  signal: AbortSignal,
): Promise<SaveCounts> {
  const total = { created: 0, updated: 0, customers: 0 }
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const batch = rows.slice(start, start + BATCH_ROWS)
    const parameters = { p_location: locationId, p_rows: batch.map((row) => ({ ...row })) }
    const counts = countsSchema.parse(
      unwrap(await db.rpc('sync_reservations', parameters).abortSignal(signal)),
    )
    total.created += counts.created
    total.updated += counts.updated
    total.customers += counts.customers
  }
  return total
}
