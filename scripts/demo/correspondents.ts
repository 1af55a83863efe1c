import { whole } from './chance'
import type { Service } from './service-client'

const BATCH_ROWS = 2000
const DAY_MS = 86_400_000

/** A customer with reservations for the demo's messages. */
export interface Correspondent {
  id: string
  email: string
  phone: string
  first_name: string | null
  last_name: string | null
  birth_date: string | null
  location_id: string | null
  created_at: string
  total_visits: number
  reservations: Booking[]
}

export interface Booking {
  id: string
  location_id: string
  reservation_date: string
  reservation_time: string
  party_size: number
  status: string
  visited: boolean | null
}

const COLUMNS =
  'id, email, phone, first_name, last_name, birth_date, location_id, created_at, total_visits, ' +
  'reservations(id, location_id, reservation_date, reservation_time, party_size, status, visited)'

/** Returns customers with e-mail, a Spanish mobile and a number of visits, always the same ones. */
export async function findCorrespondents(
  db: Service,
  organizationId: string,
  visits: { min: number; max: number },
  count: number,
): Promise<Correspondent[]> {
  const found = await db
    .from('customers')
    .select(COLUMNS)
    .eq('organization_id', organizationId)
    .gte('total_visits', visits.min)
    .lte('total_visits', visits.max)
    .not('email', 'is', null)
    .like('phone', '+346%')
    .order('phone')
    .order('email')
    .limit(count)
    .throwOnError()
  return found.data as unknown as Correspondent[]
}

/** Sets the reservations' creation back to a plausible time; else all would count as made after every message. */
export async function dateBookings(
  db: Service,
  organization_id: string,
  people: Correspondent[],
): Promise<void> {
  const rows = people.flatMap(({ reservations }) =>
    reservations.map(({ status: _, visited: __, ...booking }) => {
      const lead = whole(booking.id, 'lead', 2, 9 * 24) * 3_600_000
      const created_at = new Date(Date.parse(`${booking.reservation_date}T12:00:00Z`) - lead).toISOString()
      return { ...booking, organization_id, created_at }
    }),
  )
  for (let from = 0; from < rows.length; from += BATCH_ROWS)
    await db
      .from('reservations')
      .upsert(rows.slice(from, from + BATCH_ROWS), { onConflict: 'id' })
      .throwOnError()
}

/** How many days ago a date was. */
export const daysAgo = (date: string, today: string): number =>
  Math.round((Date.parse(today) - Date.parse(date)) / DAY_MS)
