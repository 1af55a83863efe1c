import { z } from 'zod'
import { instant } from '@/lib/http/instant'
import { RESERVATION_STATUSES } from '@/lib/pms/status'

export const reservationSchema = z
  .object({
    id: z.string(),
    external_id: z.string().nullable(),
    location_id: z.string(),
    customer_id: z.string().nullable(),
    customer_name: z.string().nullable(),
    reservation_date: z.string(),
    reservation_time: z.string().overwrite((time) => time.slice(0, 5)),
    party_size: z.number(),
    status: z.enum(RESERVATION_STATUSES),
    pms_status: z
      .string()
      .nullable()
      .meta({ description: 'The status as the PMS sent it, a word or a code' }),
    visited: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the guest came; null while the service is not over (06:00 local)' }),
    notes: z.string().nullable(),
    total_amount: z.coerce.number().nullable(),
    source: z.enum(['pms', 'manual', 'import']),
    zone_name: z.string().nullable(),
    table_name: z.string().nullable(),
  })
  .meta({ id: 'Reservation' })
/** A reservation as the API gives it: local date and time (`HH:mm`), money in EUR. */
export type Reservation = z.infer<typeof reservationSchema>

export const RESERVATION_COLUMNS =
  'id, external_id, location_id, customer_id, customer_name, reservation_date, reservation_time, party_size, ' +
  'status, pms_status, visited, notes, total_amount, source, zone_name, table_name'

/** A change of a reservation: what staff marked, or what the PMS put in place of a mark (`reservation.overruled`). */
export const reservationActivitySchema = z
  .object({
    id: z.string(),
    at: instant,
    action: z.enum(['reservation.created', 'reservation.changed', 'reservation.overruled']),
    actor: z.string().nullable().meta({ description: 'Who; null is the PMS' }),
    fields: z.array(z.string()),
    status: z
      .object({
        from: z.enum(RESERVATION_STATUSES),
        to: z.enum(RESERVATION_STATUSES),
        pms: z.enum(RESERVATION_STATUSES).optional().meta({ description: 'What the PMS says meanwhile' }),
      })
      .nullable(),
  })
  .meta({ id: 'ReservationActivity' })
export type ReservationActivity = z.infer<typeof reservationActivitySchema>

/** The value of the column `service_order`: local date and time, the sort key of every list. */
export function serviceOrder(
  reservation: Pick<Reservation, 'reservation_date' | 'reservation_time'>,
): string {
  return `${reservation.reservation_date} ${reservation.reservation_time}:00`
}

const isDateTime = z.iso.datetime({ local: true, precision: 0 })

/** Whether a cursor's key is a value of `service_order`. */
export function isServiceOrder(key: string): boolean {
  return isDateTime.safeParse(key.replace(' ', 'T')).success && /^[12]\d{3}-/.test(key)
}

/** A reservation with what a list shows beside it. */
export const listedReservationSchema = reservationSchema.extend({
  location: z.object({ name: z.string() }).nullable(),
  customer: z
    .object({ total_visits: z.number(), loyalty_tier: z.object({ name: z.string() }).nullable() })
    .nullable(),
})
export type ListedReservation = z.infer<typeof listedReservationSchema>

export const LISTED_COLUMNS = `${RESERVATION_COLUMNS}, location:locations(name), customer:customers!reservations_customer_id_fkey(total_visits, loyalty_tier:loyalty_tiers(name))`

/** A reservation of the debug listing: `reservation_date` is a local date-time there. */
export const debugReservationSchema = reservationSchema.extend({
  pax: z.number(),
  locations: z.object({ name: z.string() }).nullable(),
  customers: z.object({ first_name: z.string().nullable(), last_name: z.string().nullable() }).nullable(),
})
