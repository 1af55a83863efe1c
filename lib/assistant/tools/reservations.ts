import 'server-only'
import { z } from 'zod'
import { DAY_MS } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { requiredText } from '@/lib/http/fields'
import { unknownAt } from '@/lib/locations/known-days'
import { listLocations } from '@/lib/locations/locations'
import { listDay } from '@/lib/reservations/reads'
import type { ListedReservation } from '@/lib/reservations/schema'
import { dateSchema, defineTool, type Found, locationNamed } from './tool'

const MAX_LISTED = 100

export const reservationsOfDay = defineTool({
  name: 'reservations_of_day',
  description:
    'Reservas de un día de servicio (AAAA-MM-DD), por orden de hora; de todos los locales o de uno por su nombre. `visited` dice si el cliente vino; sin importe, `total_amount_eur` es null. No contiene las alergias anotadas: están en la ficha y en la reserva.',
  permission: 'canAccessOperaciones',
  arguments: z.strictObject({ date: dateSchema, location: requiredText(120).optional() }),
  run: async (session, { date, location }, { limit }) => {
    const named = location ? await locationNamed(session, location) : undefined
    const [page, locations] = await Promise.all([
      listDay(session, { date, location_id: named?.id, limit: Math.min(limit, MAX_LISTED) }),
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

const MAX_DAYS = 366

const rowSchema = z.object({
  location_id: z.string(),
  location: z.string(),
  reservations: z.number(),
  covers: z.number(),
  visits: z.number(),
  revenue: z.coerce.number(),
  estimated: z.coerce.number(),
})

export const revenueByLocation = defineTool({
  name: 'revenue_by_location',
  description:
    'Visitas y sus ingresos (`estimated_eur` es la parte estimada: comensales por gasto medio), reservas y comensales por local entre dos días de servicio, ambos incluidos; un año como mucho.',
  permission: 'canAccessOperaciones',
  arguments: z
    .strictObject({ from: dateSchema, to: dateSchema })
    .refine(({ from, to }) => from <= to, 'from is after to')
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY_MS, 'more than a year'),
  run: async (session, { from, to }, { limit }) => {
    const [answer, locations] = await Promise.all([
      session.db.rpc('revenue_by_location', { p_from: from, p_to: to }).limit(limit + 1),
      listLocations(session),
    ])
    const found = unwrap(answer)
    const rows = z.array(rowSchema).parse(found)
    const listed = rows.slice(0, limit)
    return {
      rows: listed.map(({ location_id: _, revenue, estimated, ...row }) => ({
        ...row,
        revenue_eur: revenue,
        estimated_eur: estimated,
      })),
      more: rows.length > limit,
      // Known days are contiguous: when either end is unknown, some are missing.
      noData: [...new Set([...unknownAt(locations, from), ...unknownAt(locations, to)])].map(
        ({ name }) => name,
      ),
      found: listed.map(({ location_id: id, location }) => ({
        type: 'location',
        id,
        label: location,
        names: [location],
      })),
    }
  },
})
