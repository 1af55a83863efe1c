import { z } from 'zod'
import { emailField, phoneField } from '@/lib/customers/fields'
import { calendarDate, optionalText, text } from '@/lib/http/fields'
import { pageQuery } from '@/lib/openapi/common'
import { RESERVATION_STATUSES } from '@/lib/pms/status'

const MAX_PARTY = 500
const MAX_EUR = 1_000_000
// The years the PMS parser takes as well.
const date = calendarDate(1900, 2199)

/** The fields of a reservation that people edit. */
const fields = {
  location_id: z.uuid().meta({ description: 'One of the caller’s locations' }),
  customer_id: z.uuid().nullable().optional(),
  customer_name: optionalText(200).optional(),
  customer_email: emailField.optional(),
  customer_phone: phoneField.optional(),
  reservation_date: date,
  reservation_time: z.iso.time({ precision: -1 }).meta({ description: 'Local time, HH:mm' }),
  party_size: z.number().int().min(1).max(MAX_PARTY),
  status: z.enum(RESERVATION_STATUSES).optional(),
  notes: optionalText(5000).optional(),
  total_amount: z
    .number()
    .min(0)
    .max(MAX_EUR)
    .nullable()
    .optional()
    .meta({ description: 'EUR; null counts as party size × the location’s average spend' }),
  zone_name: optionalText(100).optional(),
  table_name: optionalText(100).optional(),
}

interface Guest {
  customer_id?: string | null
  customer_email?: string | null
  customer_phone?: string | null
}
const oneGuest = (body: Guest) => !(body.customer_id && (body.customer_email || body.customer_phone))
const TWO_GUESTS = { path: ['customer_id'], message: 'Give either the customer or their contact data' }

export const newReservation = z.strictObject(fields).refine(oneGuest, TWO_GUESTS)
export const reservationChange = z.strictObject(fields).partial().refine(oneGuest, TWO_GUESTS)

const statuses = z.array(z.enum(RESERVATION_STATUSES))

/** Which reservations of a service day. */
export const reservationsQuery = pageQuery.extend({
  date: date
    .optional()
    .meta({ description: 'The service day (it ends at 06:00 local); the current one by default' }),
  location_id: z.uuid().optional(),
  status: z
    .string()
    .max(200)
    .transform((list) => list.split(',').filter(Boolean))
    .pipe(statuses)
    .optional()
    .meta({ description: 'One or more, with commas between them' }),
  search: text(200).optional().meta({ description: 'Words of the name under which it is booked' }),
})
