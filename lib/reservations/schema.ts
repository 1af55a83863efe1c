import { z } from 'zod'
import { emailField, phoneField } from '@/lib/contact/fields'
import { allergiesField } from '@/lib/customers/facts-schema'
import { calendarDate, line, optionalText } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'
import { problemAs } from '@/lib/http/issues'
import { anyId, anyText, loadedValues } from '@/lib/http/loaded'
import { confirmed, QUESTIONS, type TakenBy } from './questions'
import { RESERVATION_STATUSES } from './status'
import { tableNames } from './table-names'

export const reservationSchema = z.object({
  id: z.string(),
  external_id: z.string().nullable(),
  location_id: z.string(),
  customer_id: z.string().nullable(),
  customer_name: z.string().nullable(),
  reservation_date: z.string(),
  reservation_time: z.string().overwrite((time) => time.slice(0, 5)),
  party_size: z.number(),
  status: z.enum(RESERVATION_STATUSES),
  pms_status: z.string().nullable().meta({
    description:
      'The status as the PMS sent it, a word or a code; `missing`: the PMS sends the booking no longer',
  }),
  visited: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether the guest came; null while the service is not over (06:00 local)' }),
  notes: z.string().nullable(),
  total_amount: z.coerce.number().nullable(),
  source: z.enum(['pms', 'manual', 'import']),
  zone_name: z.string().nullable(),
  table_name: z.string().nullable(),
  // RESERVATION_COLUMNS reads it as `table_name`.
  tables: z
    .preprocess(
      (read) => (Array.isArray(read) ? read : tableNames(z.string().nullable().parse(read))),
      z.array(z.string()),
    )
    .meta({ description: 'The tables of `table_name`, which joins them (`S4+S5`)' }),
})
/** A reservation as stored: local date and time (`HH:mm`), money in EUR. */
export type Reservation = z.infer<typeof reservationSchema>

/** A reservation in the API. */
export const toldReservationSchema = reservationSchema
  .extend({ allergies: allergiesField })
  .meta({ id: 'Reservation' })
export type ToldReservation = z.infer<typeof toldReservationSchema>

/** A guest to whom the contact of a booking belongs. */
export const contactOwnerSchema = z.object({ id: z.string(), name: z.string().nullable() })

export const RESERVATION_COLUMNS =
  'id, external_id, location_id, customer_id, customer_name, reservation_date, reservation_time, party_size, ' +
  'status, pms_status, visited, notes, total_amount, source, zone_name, table_name, tables:table_name'

/** A change of a reservation: a mark of staff, or the PMS' value that replaced a mark (`reservation.overruled`), or an answer of its guest. */
export const reservationActivitySchema = z
  .object({
    id: z.string(),
    at: instant,
    action: z.enum([
      'reservation.created',
      'reservation.changed',
      'reservation.overruled',
      'reservation.answered',
    ]),
    actor: z
      .string()
      .nullable()
      .meta({ description: 'The person; null is the PMS, or the guest who answered' }),
    fields: z.array(z.string()),
    status: z
      .object({
        from: z.enum(RESERVATION_STATUSES),
        to: z.enum(RESERVATION_STATUSES),
        pms: z
          .enum(RESERVATION_STATUSES)
          .optional()
          .meta({ description: 'The status in the PMS at that time' }),
      })
      .nullable(),
    answer: z
      .object({ answer: z.enum(['confirmed', 'cancelled']), channel: z.enum(['sms', 'whatsapp']) })
      .nullable()
      .meta({ description: 'What the guest answered, and by which channel' }),
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

/** Whether the key in a cursor has the form of `service_order`. */
export function isServiceOrder(key: string): boolean {
  return isDateTime.safeParse(key.replace(' ', 'T')).success && /^[12]\d{3}-/.test(key)
}

/** A reservation with its location and customer, for lists. */
export const listedReservationSchema = reservationSchema.extend({
  location: z.object({ name: z.string() }).nullable(),
  customer: z
    .object({ total_visits: z.number(), loyalty_tier: z.object({ name: z.string() }).nullable() })
    .nullable(),
})
export type ListedReservation = z.infer<typeof listedReservationSchema>

export const LISTED_COLUMNS = `${RESERVATION_COLUMNS}, location:locations!reservations_location_id_fkey(name), customer:customers!reservations_customer_id_fkey(total_visits, loyalty_tier:loyalty_tiers(name))`

/** A reservation of the debug listing: `reservation_date` is a local date-time there. */
export const debugReservationSchema = reservationSchema.extend({
  pax: z.number(),
  locations: z.object({ name: z.string() }).nullable(),
  customers: z.object({ first_name: z.string().nullable(), last_name: z.string().nullable() }).nullable(),
  allergies: allergiesField,
})

const MAX_PARTY = 500
const MAX_EUR = 1_000_000
// The same years as the PMS parser accepts.
const date = calendarDate(1900, 2199)

/** The answers of yes to questions. */
export const confirmField = z
  .array(z.enum(QUESTIONS.map(confirmed)))
  .max(10)
  .optional()
  .meta({ description: 'The questions that are answered with yes' })

/** The tables that a party gets. The database knows which a location has. */
export const tablesField = z
  .array(line(100))
  .max(10)
  .refine((names) => new Set(names).size === names.length, problemAs('invalid', 'A table is named twice'))
  .optional()
  .meta({
    description:
      'Tables of the location, none twice; empty: none. In place of `table_name`; with both, they must be the same. `loaded` has `table_name`',
  })

export const takenBySchema: z.ZodType<TakenBy> = z
  .object({
    reservation_id: z.string(),
    customer_name: z.string().nullable(),
    from: z.string(),
    until: z.string(),
  })
  .meta({ id: 'TakenBy' })

/** Whose booking it is when its contact belongs to a guest of another name. */
const LINKS = ['existing', 'new', 'none'] as const

/** The fields of a reservation that people edit, and what they say about them. */
const fields = {
  location_id: z.guid().meta({ description: 'One of the caller’s locations' }),
  customer_id: z.guid().nullable().optional(),
  customer_name: optionalText(200).optional(),
  customer_email: emailField.optional(),
  customer_phone: phoneField.optional(),
  reservation_date: date,
  reservation_time: z.iso
    .time({ precision: -1 })
    .meta({ description: 'Local time, HH:mm; one that the clocks skip is refused' }),
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
  tables: tablesField,
  link: z.enum(LINKS).optional().meta({
    description:
      'Whose booking it is when its contact belongs to a guest of another name: `existing`, that guest (`customer_id` when there are several); `new`, a guest of its own; `none`, no guest. Floor staff may say `none` only',
  }),
  confirm: confirmField,
}

interface Guest {
  customer_id?: string | null
  customer_email?: string | null
  customer_phone?: string | null
  link?: (typeof LINKS)[number]
}
const oneGuest = (body: Guest) =>
  body.link === 'existing' || !(body.customer_id && (body.customer_email || body.customer_phone))
const TWO_GUESTS = {
  path: ['customer_id'],
  ...problemAs('invalid', 'Give either the customer or their contact data'),
}

export const newReservation = z.strictObject(fields).refine(oneGuest, TWO_GUESTS)
export const reservationChange = z
  .strictObject({
    ...fields,
    loaded: loadedValues({
      location_id: anyId,
      customer_id: anyId,
      customer_name: anyText,
      reservation_date: z.iso.date(),
      reservation_time: z.iso.time({ precision: -1 }),
      party_size: z.int32(),
      status: anyText,
      notes: anyText,
      total_amount: z.number().min(-1e9).max(1e9).nullable(),
      zone_name: anyText,
      table_name: anyText,
    }),
  })
  .partial()
  .refine(oneGuest, TWO_GUESTS)
