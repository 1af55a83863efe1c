import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import type { JobContext } from '@/lib/jobs/job'
import { noShowRisk } from './no-show'
import type { NoShowRisk } from './risk-schema'

const counts = { bookings: z.int(), no_shows: z.int() }
const featuresSchema = z.object({
  locations: z.array(
    z.object({
      ...{ id: z.string(), ...counts, pairs: z.number(), missed_pairs: z.number() },
      kinds: z.array(z.object({ kind: z.string(), ...counts })),
    }),
  ),
  reservations: z.array(
    z.object({
      ...{ id: z.string(), location_id: z.string(), ...counts },
      ...{ lead_days: z.int().nullable(), party_size: z.int(), confirmed: z.boolean() },
    }),
  ),
})

/** The most reservations of one query. */
export const MAX_RESERVATIONS = 500
const NOTHING = { bookings: 0, no_shows: 0, kinds: [], pairs: 0, missed_pairs: 0 }

/**
 * The no-show risk of reservations that are ahead and that the caller may see, by their id; one query. Others, those that
 * are over, and any after the first 500 have none.
 */
export async function noShowRisks(
  { db }: Pick<Session, 'db'>,
  ids: readonly string[],
  now = new Date(),
): Promise<Map<string, NoShowRisk>> {
  if (ids.length === 0) return new Map()
  const parameters = { p_reservations: ids.slice(0, MAX_RESERVATIONS), p_now: now.toISOString() }
  const found = featuresSchema.parse(unwrap(await db.rpc('no_show_features', parameters)))
  const places = new Map(found.locations.map((place) => [place.id, place]))
  return new Map(
    found.reservations.map(({ id, location_id, ...features }) => [
      id,
      { ...features, ...noShowRisk(features, places.get(location_id) ?? NOTHING) },
    ]),
  )
}

/**
 * Counts the no-show rates of each location once a service day, one location a statement. Until it has run, pages use
 * the rates of the day before, or count.
 */
export async function keepNoShowRates({
  db,
  now,
  signal,
}: Pick<JobContext, 'db' | 'now' | 'signal'>): Promise<void> {
  while (!signal.aborted && unwrap(await db.rpc('keep_no_show_rates', { p_now: now.toISOString() })));
}
