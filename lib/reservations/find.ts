import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { type FoundReservation, foundReservationSchema } from '@/lib/service/schema'
import { forgivingSearch, type PartySearch, partySearch } from './party-search'

interface FindQuery {
  search?: string
  location_id?: string
  limit?: number
}

/**
 * The caller's reservations of every day that a text finds: today's first, then the days after it, then the past. When
 * no coming reservation is found, those with one typing error are included.
 */
export async function findReservations(
  { db }: Pick<Session, 'db'>,
  { search = '', location_id, limit = 20 }: FindQuery,
  now = new Date(),
): Promise<FoundReservation[]> {
  const find = async (wanted: (PartySearch & { code?: string }) | null) =>
    wanted === null
      ? []
      : z.array(foundReservationSchema).parse(
          unwrap(
            await db.rpc('find_reservations', {
              ...{ p_search: { ...wanted }, p_location: location_id },
              ...{ p_limit: limit, p_now: now.toISOString() },
            }),
          ),
        )
  const exact = partySearch(search)
  // The booking system's code as it is: unfolded.
  const found = await find(exact && { ...exact, code: search })
  if (found.some(isAhead)) return found
  const near = (await find(forgivingSearch(search))).filter(({ id }) => found.every((each) => each.id !== id))
  const [ahead, past] = [near.filter(isAhead), near.filter((each) => !isAhead(each))]
  return [...ahead, ...found, ...past].slice(0, limit)
}

const isAhead = ({ days }: FoundReservation) => days >= 0
