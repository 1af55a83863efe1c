import { addDays } from '@/lib/dates'
import {
  checkedBaseUrl,
  fetchReservations,
  type PmsConnection,
  PmsError,
  type PmsFailure,
  type PmsReason,
} from './client'
import type { PmsDetails } from './details'
import { type PmsReservation, parseRow, type RowProblem } from './parse-row'

/** Where to ask: `allowLoopback` is ALLOW_LOOPBACK_UPSTREAMS, `timeoutMs` (at most five seconds) PMS_TIMEOUT_MS. */
export interface CheckedPms {
  baseUrl: string
  apiKey: string
  timeoutMs: number
  allowLoopback: boolean
}

/**
 * The outcome of a check; `error` is a sentence without address or key. `unreadable_rows`: no row could be read;
 * `wrong_days`: all rows are of days that were not asked for.
 */
export type PmsCheck =
  | { success: true; details: PmsDetails }
  | {
      success: false
      reason: PmsFailure | PmsReason | 'unreadable_rows' | 'wrong_days'
      error: string
      details?: PmsDetails
    }

const TIMEOUT_MS = 5000
/** A day has fewer; a PMS that ignores the page number answers with the same one for ever. */
const MAX_PAGES = 5
const DAYS_BACK = 7
const MAX_WORDS = 5
const MAX_WORD = 40
const NIGHT_ENDS = '06:00'

/**
 * Asks a PMS for the bookings of one restaurant on one day, and tells how a sync would read the answer. A day without
 * any is closed, as a rule: then the last of the seven days before that has some is told. Saves nothing.
 * @param venue the restaurant as the PMS calls it
 * @param today YYYY-MM-DD
 */
export async function checkPms(pms: CheckedPms, venue: string, today: string): Promise<PmsCheck> {
  try {
    const connection: PmsConnection = {
      ...pms,
      baseUrl: checkedBaseUrl(pms.baseUrl, pms.allowLoopback),
      timeoutMs: Math.min(TIMEOUT_MS, pms.timeoutMs),
      signal: AbortSignal.timeout(2 * TIMEOUT_MS),
      retryDelaysMs: [],
    }
    const now = await read(connection, venue, today, today)
    if (now.total > 0) return judge(detailsOf(now, venue, today), now.total)
    const before = await read(connection, venue, addDays(today, -DAYS_BACK), addDays(today, -1))
    const days = before.rows.map(({ reservation_date }) => reservation_date).filter((day) => day < today)
    return judge(detailsOf(before, venue, days.sort().at(-1) ?? today), before.total)
  } catch (error) {
    if (!(error instanceof PmsError)) throw error
    return { success: false, reason: error.reason ?? error.code, error: error.message }
  }
}

function judge(details: PmsDetails, total: number): PmsCheck {
  const fails = (reason: 'unreadable_rows' | 'wrong_days', error: string) =>
    ({ success: false, reason, error, details }) as const
  if (details.bookings > 0 || total === 0) return { success: true, details }
  if (details.other_days > 0)
    return fails('wrong_days', 'the PMS answered with bookings of days that were not asked for')
  return fails('unreadable_rows', 'the PMS answered with rows of which none can be read')
}

/** The rows of some days; `rows` are those of the days asked for, each id once. */
interface Reading {
  rows: PmsReservation[]
  total: number
  pages: number
  shapes: Set<'client_fields' | 'booking_fields'>
  unreadable: Map<RowProblem, number>
  otherDays: number
  repeated: number
}

async function read(connection: PmsConnection, slug: string, from: string, to: string): Promise<Reading> {
  const reading: Reading = {
    rows: [],
    total: 0,
    pages: 0,
    shapes: new Set(),
    unreadable: new Map(),
    otherDays: 0,
    repeated: 0,
  }
  const ids = new Set<string>()
  for await (const { rows } of fetchReservations(connection, { slug, from, to })) {
    reading.pages++
    reading.total += rows.length
    for (const input of rows) take(reading, ids, input, from, to)
    if (reading.pages === MAX_PAGES) break
  }
  return reading
}

function take(reading: Reading, ids: Set<string>, input: unknown, from: string, to: string): void {
  const shape = shapeOf(input)
  if (shape) reading.shapes.add(shape)
  const parsed = parseRow(input)
  if (!parsed.ok) {
    reading.unreadable.set(parsed.problem, (reading.unreadable.get(parsed.problem) ?? 0) + 1)
    return
  }
  const { row } = parsed
  if (ids.has(row.external_id)) reading.repeated++
  else if (!isWithin(row, from, to)) reading.otherDays++
  else reading.rows.push(row)
  ids.add(row.external_id)
}

function shapeOf(input: unknown): 'client_fields' | 'booking_fields' | null {
  if (typeof input !== 'object' || input === null) return null
  return 'booking_id' in input || 'booking_date' in input ? 'booking_fields' : 'client_fields'
}

/** Whether a row belongs to these days: a walk-in after midnight has the next date, and belongs to the dinner before. */
function isWithin(
  { reservation_date: date, reservation_time: time }: PmsReservation,
  from: string,
  to: string,
) {
  return (date >= from && date <= to) || (date === addDays(to, 1) && time < NIGHT_ENDS)
}

function detailsOf(reading: Reading, venue: string, day: string): PmsDetails {
  const rows = reading.rows.filter((row) => isWithin(row, day, day))
  const of = (status: PmsReservation['status']) => rows.filter((row) => row.status === status)
  const gone = [...of('cancelled'), ...of('no_show')]
  const people = (some: PmsReservation[]) => some.reduce((sum, { party_size }) => sum + party_size, 0)
  // In the order of the evening: after midnight comes last.
  const moments = rows.map((row) => `${row.reservation_date} ${row.reservation_time}`).sort()
  return {
    venue,
    day,
    shape: reading.shapes.size > 1 ? 'mixed' : ([...reading.shapes][0] ?? null),
    pages: reading.pages,
    bookings: rows.length,
    by_status: {
      pending: of('pending').length,
      confirmed: of('confirmed').length,
      seated: of('seated').length,
      completed: of('completed').length,
      cancelled: of('cancelled').length,
      no_show: of('no_show').length,
      unknown: of(null).length,
    },
    unknown_statuses: mostUsed(of(null).map(({ pms_status }) => (pms_status ?? '').slice(0, MAX_WORD))),
    covers: people(rows) - people(gone),
    without_contact: rows.filter(({ email, phone }) => !email && !phone).length,
    first: moments[0]?.slice(-5) ?? null,
    last: moments.at(-1)?.slice(-5) ?? null,
    unreadable: [...reading.unreadable].map(([problem, count]) => ({ problem, count })),
    other_days: reading.otherDays,
    repeated: reading.repeated,
  }
}

function mostUsed(words: string[]): PmsDetails['unknown_statuses'] {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, MAX_WORDS)
}
