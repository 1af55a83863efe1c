import type { Messages } from 'next-intl'
import { parseNumber } from '@/components/loyalty/numbers'
import { fieldOf } from '@/components/settings/send'
import type { Reservation } from '@/lib/reservations/schema'

/** The customer chosen for a reservation. */
export interface ChosenGuest {
  id: string
  name: string
}

export type BookingField =
  | 'location_id'
  | 'customer_name'
  | 'customer_email'
  | 'customer_phone'
  | 'reservation_date'
  | 'reservation_time'
  | 'party_size'
  | 'total_amount'
type ProblemText = keyof Messages['client']['booking']['problems']
/** What is wrong, by field, as the names of texts. */
export type BookingProblems = Partial<Record<BookingField, ProblemText>>

const MAX_PARTY = 500
const MAX_EUR = 1_000_000

/** What the form holds, as the API takes it. A typed name without a chosen customer goes with its contact data. */
export function bookingBody(fields: FormData, guest: ChosenGuest | null) {
  const text = (name: string) => String(fields.get(name) ?? '').trim() || null
  const contact = { customer_email: text('customer_email'), customer_phone: text('customer_phone') }
  const known = contact.customer_email || contact.customer_phone
  return {
    location_id: String(fields.get('location_id') ?? ''),
    customer_name: guest ? guest.name : text('customer_name'),
    // Contact data finds the customer, or makes one.
    ...(guest ? { customer_id: guest.id } : known ? contact : { customer_id: null }),
    reservation_date: String(fields.get('reservation_date') ?? ''),
    reservation_time: String(fields.get('reservation_time') ?? '').slice(0, 5),
    party_size: Number(fields.get('party_size')),
    status: String(fields.get('status')),
    zone_name: text('zone_name'),
    ...markBody(fields),
  }
}

/** The amount, table and notes of a form: what staff may change of a reservation of the PMS, too. */
export function markBody(fields: FormData) {
  const text = (name: string) => String(fields.get(name) ?? '').trim() || null
  const amount = text('total_amount')?.replace(/\s*€$/, '')
  return {
    table_name: text('table_name'),
    notes: text('notes'),
    // A new reservation has no such field. What is no number stays one that nothing accepts.
    ...(fields.has('total_amount')
      ? { total_amount: amount ? (parseNumber(amount) ?? Number.NaN) : null }
      : {}),
  }
}

/** What is wrong with an amount, as the names of texts. */
export function markProblems({ total_amount: amount = null }: ReturnType<typeof markBody>): BookingProblems {
  return amount === null || amount <= MAX_EUR ? {} : { total_amount: 'amount' }
}

/** The fields that differ from the reservation's, so that no one else's change is sent back as it was. */
export function changedFields(reservation: Reservation, body: object): object {
  return Object.fromEntries(
    Object.entries(body).filter(([field, value]) => value !== reservation[field as keyof Reservation]),
  )
}

/** What takes a change back: the fields it sends, as they were. Contact data changes the customer. */
export function bodyBefore(reservation: Reservation, body: object): object {
  const fields = Object.keys(body).flatMap((field) =>
    field === 'customer_email' || field === 'customer_phone' ? ['customer_id'] : [field],
  )
  return Object.fromEntries(fields.map((field) => [field, reservation[field as keyof Reservation]]))
}

export type BookingBody = ReturnType<typeof bookingBody>

/** What can be told without asking the server. */
export function bookingProblems(body: BookingBody): BookingProblems {
  const problems = markProblems(body)
  if (!body.location_id) problems.location_id = 'location'
  if (!body.customer_name) problems.customer_name = 'name'
  if (!/^\d{4}-\d\d-\d\d$/.test(body.reservation_date)) problems.reservation_date = 'date'
  if (!/^\d\d:\d\d$/.test(body.reservation_time)) problems.reservation_time = 'time'
  if (!Number.isInteger(body.party_size) || body.party_size < 1 || body.party_size > MAX_PARTY)
    problems.party_size = 'party'
  return problems
}

const REFUSED: Record<string, [BookingField, ProblemText]> = {
  location_id: ['location_id', 'location'],
  customer_id: ['customer_name', 'customer'],
  customer_name: ['customer_name', 'name'],
  customer_email: ['customer_email', 'email'],
  customer_phone: ['customer_phone', 'phone'],
  reservation_date: ['reservation_date', 'date'],
  reservation_time: ['reservation_time', 'time'],
  party_size: ['party_size', 'party'],
  total_amount: ['total_amount', 'amount'],
}

/** The field that an answer of the API is about; nothing when it names none. */
export function refusedField(error: string): BookingProblems {
  if (error.startsWith('customer_email or customer_phone')) return { customer_phone: 'phone' }
  const [field, text] = REFUSED[fieldOf(error) ?? ''] ?? []
  return field ? { [field]: text } : {}
}
