import { EUR, readNumber } from '@/components/forms/numbers'
import { dateInService } from '@/components/ui/service-day'
import { confirmed, QUESTIONS } from '@/lib/reservations/questions'
import type { Reservation } from '@/lib/reservations/schema'

/** The customer chosen for a reservation. */
export interface ChosenCustomer {
  id: string
  name: string
}

/** The name of the draft: of the reservation, or of a new one (for the customer, when that is known). */
export const draftName = (reservation?: { id: string }, customer?: { id: string }) =>
  `reservation:${reservation?.id ?? ['new', ...(customer ? [customer.id] : [])].join(':')}`

/** The form's fields, by their paths in the API. */
export const BOOKING_FIELDS = [
  'location_id',
  'customer_id',
  'customer_name',
  'customer_email',
  'customer_phone',
  'reservation_date',
  'reservation_time',
  'party_size',
  'total_amount',
] as const
type BookingField = (typeof BOOKING_FIELDS)[number]

const MAX_PARTY = 500
const isDay = (date: string) => /^\d{4}-\d\d-\d\d$/.test(date)
const MAX_EUR = 1_000_000

/** The body for the API, of a form written in that language. A typed name without a chosen customer is sent with its contact data. */
export function bookingBody(fields: FormData, customer: ChosenCustomer | null, locale: string) {
  const text = (name: string) => String(fields.get(name) ?? '').trim() || null
  const contact = { customer_email: text('customer_email'), customer_phone: text('customer_phone') }
  const known = contact.customer_email || contact.customer_phone
  const day = String(fields.get('reservation_date') ?? '')
  const time = String(fields.get('reservation_time') ?? '').slice(0, 5)
  return {
    location_id: String(fields.get('location_id') ?? ''),
    customer_name: customer ? customer.name : text('customer_name'),
    // Contact data is matched to a customer or creates one.
    ...(customer ? { customer_id: customer.id } : known ? contact : { customer_id: null }),
    // The form has the day of the service.
    reservation_date: isDay(day) && time ? dateInService(day, time) : day,
    reservation_time: time,
    // No number becomes NaN, which `invalidFields` refuses.
    party_size: readNumber(String(fields.get('party_size') ?? ''), locale) ?? Number.NaN,
    status: String(fields.get('status')),
    zone_name: text('zone_name'),
    ...markBody(fields, locale),
  }
}

/** The amount, table and notes of a form, which staff may change of a PMS reservation too. */
export function markBody(fields: FormData, locale: string) {
  const text = (name: string) => String(fields.get(name) ?? '').trim() || null
  const amount = text('total_amount')
  return {
    table_name: text('table_name'),
    notes: text('notes'),
    // The form of a new reservation has no amount. An invalid number becomes NaN, which `isAmount` refuses.
    ...(fields.has('total_amount')
      ? { total_amount: amount ? (readNumber(amount, locale, EUR) ?? Number.NaN) : null }
      : {}),
  }
}

/** Whether the API accepts the amount in a form. */
export function isAmount({ total_amount: amount = null }: ReturnType<typeof markBody>): boolean {
  return amount === null || (amount >= 0 && amount <= MAX_EUR)
}

/**
 * The body that undoes a change: the former values of its fields. For contact data it has the former `customer_id`.
 */
export function bodyBefore(reservation: Reservation, body: object): object {
  const fields = Object.keys(body).flatMap((field) =>
    field === 'customer_email' || field === 'customer_phone' ? ['customer_id'] : [field],
  )
  return {
    ...Object.fromEntries(fields.map((field) => [field, reservation[field as keyof Reservation]])),
    // These values were accepted once: an undo asks only whether another party has the table by now.
    confirm: QUESTIONS.filter((code) => code !== 'TABLE_TAKEN').map(confirmed),
  }
}

type BookingBody = ReturnType<typeof bookingBody>

/** The missing or invalid fields, found without the API. */
export function invalidFields(body: BookingBody): BookingField[] {
  const valid: Partial<Record<BookingField, boolean>> = {
    location_id: body.location_id !== '',
    customer_name: body.customer_name !== null && body.customer_name !== '',
    reservation_date: isDay(body.reservation_date),
    reservation_time: /^\d\d:\d\d$/.test(body.reservation_time),
    party_size: Number.isInteger(body.party_size) && body.party_size >= 1 && body.party_size <= MAX_PARTY,
    total_amount: isAmount(body),
  }
  return BOOKING_FIELDS.filter((field) => valid[field] === false)
}
