import { z } from 'zod'
import { canonicalEmail } from '@/lib/contact/email'
import { readPhones } from '@/lib/contact/phone'
import type { ReservationStatus } from '@/lib/reservations/status'
import { clean } from '@/lib/text/clean'

/**
 * A parsed PMS row; `status` is null for an unknown PMS status (kept in `pms_status`). Of several numbers in its field the
 * first is the phone; `phone_words` become a line of the notes. `bad_email`: its e-mail is none, and `email` null.
 */
export interface PmsReservation {
  external_id: string
  email: string | null
  bad_email: boolean
  phone: string | null
  further_phones: string[]
  phone_words: string | null
  first_name: string | null
  last_name: string | null
  customer_name: string | null
  reservation_date: string
  reservation_time: string
  party_size: number
  status: ReservationStatus | null
  pms_status: string | null
  notes: string | null
  zone_name: string | null
  table_name: string | null
}

/** The problems that a row may have. */
export const ROW_PROBLEMS = [
  'not_an_object',
  'no_id',
  'bad_date',
  'bad_time',
  'bad_party_size',
  'bad_field',
  'too_long',
] as const
export type RowProblem = (typeof ROW_PROBLEMS)[number]

/**
 * A parsed row, or the reason why it is invalid. `external_id` is the id as a valid row would have it, and `id` the same
 * to show; both are null when the row has no usable id.
 */
export type ParsedRow =
  | { ok: true; row: PmsReservation }
  | {
      ok: false
      id: string | null
      external_id: string | null
      problem: RowProblem
      detail: string | null
    }

// The limits of the columns (supabase/schema/reservations.sql), in characters.
const MAX_PARTY_SIZE = 999
const MAX_ID = 200
const MAX_NAME = 200
const MAX_LABEL = 100
const MAX_NOTES = 5000
const MAX_SHOWN_ID = 100

/**
 * Parses one row of either inbound shape. Never throws. Invalid contact data and unknown statuses are accepted. An id
 * or a name that is too long is refused, because it identifies the guest; notes and labels that are too long are cut.
 */
export function parseRow(input: unknown): ParsedRow {
  const result = rawRowSchema.safeParse(input)
  if (!result.success) {
    const field = result.error.issues[0]?.path.join('.') ?? ''
    return field === ''
      ? { ok: false, id: null, external_id: null, problem: 'not_an_object', detail: null }
      : { ok: false, ...idOf(input), problem: 'bad_field', detail: field }
  }
  const raw = result.data
  const id = raw.booking_id ?? raw.id ?? raw.reservation_id
  const bad = (problem: RowProblem, detail: string | null) => ({
    ok: false as const,
    id: id && shortId(id),
    external_id: id,
    problem,
    detail,
  })
  if (id === null) return bad('no_id', null)
  if (id.length > MAX_ID) return bad('too_long', 'id')
  const date = raw.booking_date ?? raw.date
  if (!isDate(date)) return bad('bad_date', date)
  const time = parseTime(raw.booking_time ?? raw.time)
  if (time === null) return bad('bad_time', raw.booking_time ?? raw.time)
  const size = raw.party_size ?? raw.pax ?? raw.for
  const partySize = size !== null && /^\d{1,3}$/.test(size) ? Number(size) : 0
  if (partySize < 1 || partySize > MAX_PARTY_SIZE) return bad('bad_party_size', size)
  const named = names(raw)
  if ((named.customer_name?.length ?? 0) > MAX_NAME) return bad('too_long', 'name')
  const givenEmail = raw.customer_email ?? raw.client_email
  const email = canonicalEmail(givenEmail)
  const { phone, further, words } = readPhones(raw.customer_phone ?? raw.client_phone)
  const pmsStatus = cut(raw.status ?? raw.state, MAX_LABEL)
  return {
    ok: true,
    row: {
      external_id: id,
      email,
      bad_email: givenEmail !== null && email === null,
      phone,
      further_phones: further,
      phone_words: words,
      ...named,
      reservation_date: date,
      reservation_time: time,
      party_size: partySize,
      status: statusFromPms(pmsStatus),
      pms_status: pmsStatus,
      notes: cut(raw.notes, MAX_NOTES),
      zone_name: cut(raw.zone_name ?? raw.name_zone, MAX_LABEL),
      table_name: cut(raw.table_name ?? raw.table_names, MAX_LABEL),
    },
  }
}

/** The names of a row: one inbound shape has two fields, the other one string (its first word is the first name). */
function names(raw: RawRow): Pick<PmsReservation, 'first_name' | 'last_name' | 'customer_name'> {
  const squeeze = (value: string | null) => value?.replace(/\s+/g, ' ') ?? null
  const whole = squeeze(raw.customer_name)
  if (whole === null) {
    const first = squeeze(raw.client_name)
    const last = squeeze(raw.client_surname)
    return {
      first_name: first,
      last_name: last,
      customer_name: [first, last].filter(Boolean).join(' ') || null,
    }
  }
  const space = whole.indexOf(' ')
  if (space < 0) return { first_name: whole, last_name: null, customer_name: whole }
  return { first_name: whole.slice(0, space), last_name: whole.slice(space + 1), customer_name: whole }
}

/** A text of at most `max` characters, with an ellipsis where it was longer; never half a surrogate pair. */
function cut(text: string | null, max: number): string | null {
  if (text === null || text.length <= max) return text
  return `${text
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}

/** An id as issues show it: a long one is cut. */
export function shortId(id: string): string {
  return cut(id, MAX_SHOWN_ID) ?? id
}

function isDate(value: string | null): value is string {
  if (!value || !/^(19|20|21)\d\d-\d\d-\d\d$/.test(value)) return false
  const instant = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(value)
}

/** `HH:mm` of a time with or without seconds and leading zero, or null. */
function parseTime(value: string | null): string | null {
  const match = /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(value ?? '')
  const [hours, minutes] = [Number(match?.[1]), Number(match?.[2])]
  if (!match || hours > 23 || minutes > 59) return null
  return `${String(hours).padStart(2, '0')}:${match[2]}`
}

/** The id of a row with an unreadable field. */
function idOf(input: unknown): { id: string | null; external_id: string | null } {
  const { booking_id, id, reservation_id } = input as Record<string, unknown>
  const [found = null] = [booking_id, id, reservation_id].flatMap((value) => text.safeParse(value).data ?? [])
  return { id: found && shortId(found), external_id: found }
}

// Postgres' jsonb accepts neither NUL nor lone surrogates; one such row must not fail its batch.
const storable = (value: string) => clean(value.toWellFormed().replaceAll('\0', ''))

/** Text: a string, a number or nothing; blank means null. */
const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value == null ? null : storable(String(value)) || null))

const tableNames = z
  .union([z.array(z.union([z.string(), z.number()])), z.string(), z.number()])
  .nullish()
  .transform((value) => (value == null ? null : storable([value].flat().join(', ')) || null))

/** Every field either inbound shape has, and those seen in practice; unknown ones are dropped. */
export const rawRowSchema = z.object({
  booking_id: text,
  id: text,
  reservation_id: text,
  booking_date: text,
  date: text,
  booking_time: text,
  time: text,
  party_size: text,
  pax: text,
  for: text,
  status: text,
  state: text,
  customer_name: text,
  customer_email: text,
  customer_phone: text,
  client_name: text,
  client_surname: text,
  client_email: text,
  client_phone: text,
  notes: text,
  zone_name: text,
  name_zone: text,
  table_name: text,
  table_names: tableNames,
})

type RawRow = z.output<typeof rawRowSchema>

const FROM_PMS: Record<string, ReservationStatus> = {
  pending: 'pending',
  confirmed: 'confirmed',
  seated: 'seated',
  finished: 'completed',
  cancelled: 'cancelled',
  no_show: 'no_show',
  // Codes seen in practice: 3 pre-confirmed by a third party, 5 arrived, 9 walk-in, -2 and -5 cancelled.
  '0': 'pending',
  '1': 'confirmed',
  '2': 'seated',
  '3': 'pending',
  '5': 'seated',
  '9': 'seated',
  '-2': 'cancelled',
  '-3': 'no_show',
  '-5': 'cancelled',
}

/** The local status for a PMS status (text or code), or null for an unknown one. */
function statusFromPms(raw: string | null): ReservationStatus | null {
  return raw === null ? null : (FROM_PMS[raw.toLowerCase()] ?? null)
}
