import type { Messages } from 'next-intl'
import { fieldOf } from '@/components/settings/send'

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
type ProblemText = keyof Messages['client']['booking']['problems']
/** What is wrong, by field, as the names of texts. */
export type BookingProblems = Partial<Record<BookingField, ProblemText>>

const MAX_PARTY = 500

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
    table_name: text('table_name'),
    notes: text('notes'),
  }
}

export type BookingBody = ReturnType<typeof bookingBody>

/** What can be told without asking the server. */
export function bookingProblems(body: BookingBody): BookingProblems {
  const problems: BookingProblems = {}
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
}

/** The field that an answer of the API is about; nothing when it names none. */
export function refusedField(error: string): BookingProblems {
  if (error.startsWith('customer_email or customer_phone')) return { customer_phone: 'phone' }
  const [field, text] = REFUSED[fieldOf(error) ?? ''] ?? []
  return field ? { [field]: text } : {}
}
