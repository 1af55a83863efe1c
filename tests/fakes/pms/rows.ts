import { addDays, clock } from './calendar'
import { missing, type RawContact, rawContact } from './dirt'
import type { Booking } from './plan'
import { createRandom, type Random } from './random'
import type { ExternalRow, LocalStatus, MappedRow, PmsRow, TruthRow, Venue } from './types'

/** What a host notes down beside a booking. */
export const OCCASIONS = [
  'Cumpleaños',
  'Aniversario de boda',
  'Trona para bebé',
  'Mesa junto a la ventana',
  'Alergia a frutos secos',
  'Una persona celíaca',
  'Silla de ruedas, mesa accesible',
  'Llegarán 15 minutos tarde',
  'Comida de empresa, factura',
]

/** Writes a booking down in the venue's shape and keeps the truth beside it. Only the status depends on `status`. */
export function buildTruth(
  seed: string,
  venue: Venue,
  booking: Booking,
  status: LocalStatus,
): Omit<TruthRow, 'visited'> {
  const random = createRandom(`${seed}|row|${booking.id}`)
  const contact = booking.person ? rawContact(random, booking.person) : anonymous(random)
  const notes = noteFor(random, booking)
  const build = venue.shape === 'external' ? externalRow : mappedRow
  return {
    row: compact(build(random, venue, booking, contact, notes, status)),
    personId: booking.person?.id ?? null,
    person: booking.person,
    externalId: booking.id,
    date: booking.date,
    time: clock(booking.minutes),
    partySize: booking.partySize,
    status,
    rawEmail: contact.email,
    rawPhone: contact.phone,
  }
}

/** How a PMS names a guest it does not know. */
export const UNKNOWN_GUESTS = ['', 'Walk-in', 'Sin reserva']

function anonymous(random: Random): RawContact {
  return { first: random.pick(UNKNOWN_GUESTS), last: '', email: null, phone: null }
}

function noteFor(random: Random, { person, walkIn }: Booking): string | null {
  const known = random.chance(0.7)
  const occasion = random.chance(0.12)
  const text = random.pick(OCCASIONS)
  if (person?.notes && known) return person.notes
  return occasion && !walkIn ? text : null
}

function externalRow(
  random: Random,
  venue: Venue,
  booking: Booking,
  contact: RawContact,
  notes: string | null,
  status: LocalStatus,
): ExternalRow {
  const guests = random.chance(0.85) ? { pax: booking.partySize } : { for: booking.partySize }
  const zone = random.chance(0.8) ? { zone_name: booking.zone } : { name_zone: booking.zone }
  const table = random.chance(0.8) ? { table_name: booking.table } : { table_names: booking.table }
  const ahead = booking.walkIn ? 0 : Math.floor(random.next() ** 2 * 21)
  const addedAt = booking.walkIn || ahead === 0 ? Math.max(0, booking.minutes - 60) : random.int(600, 1410)
  const source = random.pick(['moduloweb', 'moduloweb', 'app-movil', 'terceros', 'telefono'])
  return {
    id: booking.id,
    ...(random.chance(0.2) ? { reservation_id: booking.id } : {}),
    restaurante_id: venue.slug,
    date: booking.date,
    time: clock(booking.minutes),
    client_name: contact.first || missing(random),
    client_surname: contact.last || missing(random),
    client_email: contact.email ?? missing(random),
    client_phone: contact.phone ?? missing(random),
    ...guests,
    notes: notes ?? missing(random),
    ...zone,
    ...table,
    date_add: addDays(booking.date, -ahead),
    time_add: clock(booking.walkIn ? booking.minutes : addedAt),
    meal_shift: booking.minutes < 360 || booking.minutes >= 1080 ? 'Cena' : 'Comida',
    provenance: booking.walkIn ? 'walk in' : source,
    state: stateCode(random, booking, status),
  }
}

function mappedRow(
  random: Random,
  _venue: Venue,
  booking: Booking,
  contact: RawContact,
  notes: string | null,
  status: LocalStatus,
): MappedRow {
  return {
    booking_id: booking.id,
    customer_name: `${contact.first} ${contact.last}`.trimEnd() || missing(random),
    customer_email: contact.email ?? missing(random),
    customer_phone: contact.phone ?? missing(random),
    booking_date: booking.date,
    booking_time: clock(booking.minutes),
    party_size: booking.partySize,
    status: status === 'completed' ? 'finished' : status,
    notes: notes ?? missing(random),
    zone_name: booking.zone,
    table_name: random.chance(0.9) ? booking.table : missing(random),
  }
}

function stateCode(random: Random, booking: Booking, status: LocalStatus): string | number {
  const second = random.chance(0.5)
  const arrived = booking.walkIn ? '9' : second ? '2' : '5'
  const codes: Record<LocalStatus, string> = {
    pending: second ? '0' : '3',
    confirmed: '1',
    seated: arrived,
    completed: arrived,
    cancelled: second ? '-2' : '-5',
    no_show: '-3',
  }
  const code = codes[status]
  return random.chance(0.3) ? Number(code) : code
}

// Fields left out are really left out, so that a row in memory equals the row that went over the wire.
function compact<T extends PmsRow>(row: T): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as T
}
