import 'server-only'
import { z } from 'zod'
import { unknownAt } from '@/lib/locations/known-days'
import { listLocations } from '@/lib/organization/list-locations'
import { listDay } from '@/lib/reservations/list-day'
import type { ListedReservation } from '@/lib/reservations/schema'
import { dateSchema, locationNamed } from './arguments'
import { defineTool, type Found } from './tool'

const MOST = 100

export const reservationsOfDay = defineTool({
  name: 'reservations_of_day',
  description:
    'Reservas de un día de servicio (AAAA-MM-DD), por orden de hora; de todos los locales o de uno por su nombre. `visited` dice si el cliente vino; sin importe, `total_amount_eur` es null.',
  permission: 'canAccessOperaciones',
  arguments: z.strictObject({ date: dateSchema, location: z.string().trim().min(1).max(120).optional() }),
  run: async (session, { date, location }, { limit }) => {
    const named = location ? await locationNamed(session, location) : undefined
    const [page, locations] = await Promise.all([
      listDay(session, { date, locationId: named?.id, limit: Math.min(limit, MOST) }),
      named ? [named] : listLocations(session),
    ])
    return {
      rows: page.data.map(rowOf),
      more: page.next_cursor !== null,
      noData: unknownAt(locations, date).map(({ name }) => name),
      found: page.data.flatMap(foundOf),
    }
  },
})

const nameOf = ({ customer_name }: ListedReservation) => customer_name?.slice(0, 120) ?? ''

function rowOf(reservation: ListedReservation) {
  const { reservation_date, reservation_time, party_size, status, notes, location, customer } = reservation
  return {
    date: reservation_date,
    time: reservation_time,
    location: location?.name ?? null,
    customer_name: nameOf(reservation) || null,
    party_size,
    status,
    visited: reservation.visited,
    tier: customer?.loyalty_tier?.name ?? null,
    total_visits: customer?.total_visits ?? null,
    total_amount_eur: reservation.total_amount,
    notes: notes?.slice(0, 300) ?? null,
  }
}

function foundOf(reservation: ListedReservation): Found[] {
  const { id, reservation_date, reservation_time, location } = reservation
  const name = nameOf(reservation)
  const place = location?.name.slice(0, 80) ?? ''
  const label = [name, `${reservation_date} ${reservation_time}`, place].filter(Boolean).join(' · ')
  return [{ type: 'reservation', id, label, names: [name] }]
}
