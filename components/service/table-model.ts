import { serviceMinute } from '@/components/ui/service-day'
import { type BoardParty, type BoardService, clockAt, isExpected } from './board-model'

/** A location, with how long its parties stay: see `usualStay`. */
type Place = Pick<BoardService['location'], 'timezone' | 'stay_minutes'>

/** Minutes that parties usually stay, by the largest party size they are for, where a location says nothing else. */
export const USUAL_STAYS: Readonly<Record<string, number>> = { 2: 90, 4: 120, 99: 150 }

/**
 * Minutes that a party of that size usually stays: an estimate, not measured. The database has the same (`stay_of`).
 * @param stays minutes by the largest party size they are for; who is more stays as long as the largest
 */
export function usualStay(partySize: number, stays: Place['stay_minutes'] = null): number {
  const sizes = Object.entries(stays ?? USUAL_STAYS)
    .map(([upTo, minutes]) => ({ upTo: Number(upTo), minutes }))
    .sort((a, b) => a.upTo - b.upTo)
  return (sizes.find(({ upTo }) => upTo >= partySize) ?? sizes.at(-1))?.minutes ?? 0
}

/** A party that sits so many minutes longer than usual has probably left without a tap: it is proposed as finished. */
const FORGOTTEN_AFTER = 120
/** Minutes for which a table is held for a late party that did not say how late it comes. */
const WAITED_FOR = 60
/** A party that has stayed longer than usual is expected to leave after at least this many minutes. */
const LEAVES_IN = 15
/** The next party at a table is shown this many minutes before its time. */
const SOON = 120
export const QUARTER = 15

/** A stay at a table, in minutes after 06:00. */
export interface Span {
  from: number
  until: number
}

const overlap = (a: Span, b: Span): boolean => a.from < b.until && b.from < a.until

/** Splits the table of a party: `4+5` are two joined tables. */
export const tablesOf = ({ table_name }: Pick<BoardParty, 'table_name'>): string[] =>
  (table_name ?? '')
    .split('+')
    .map((name) => name.trim())
    .filter(Boolean)

const isThere = (party: BoardParty) => isExpected(party) || party.status === 'seated'

/**
 * Returns when a party is at its table: the recorded times, else its time and the usual stay. Null for one that does
 * not come.
 * @param now the current minute; null for another day than today
 */
export function spanOf(
  party: BoardParty,
  { timezone, stay_minutes: stays }: Place,
  now: number | null,
): Span | null {
  if (party.status === 'cancelled' || party.status === 'no_show') return null
  const minuteOf = (instant: string | null) =>
    instant === null ? null : serviceMinute(clockAt(new Date(instant), timezone))
  const booked = serviceMinute(party.time)
  const stay = usualStay(party.party_size, stays)
  if (isExpected(party)) {
    const late = now === null ? 0 : now - booked
    return {
      from: booked,
      until:
        (late > 0 && late <= Math.max(WAITED_FOR, party.late_minutes ?? 0) ? booked + late : booked) + stay,
    }
  }
  const from = minuteOf(party.seated_at) ?? booked
  if (party.status === 'seated')
    return {
      from: now === null ? from : Math.min(from, now),
      until: Math.max(from + stay, now === null ? 0 : now + LEAVES_IN),
    }
  return { from, until: Math.max(minuteOf(party.finished_at) ?? from + stay, from + QUARTER) }
}

/** How many minutes a party has been at its table: since it sat, else since its time. */
export function minutesSeated({ seated_at, time }: BoardParty, { timezone }: Place, now: Date): number {
  if (seated_at) return Math.floor((now.getTime() - Date.parse(seated_at)) / 60_000)
  return serviceMinute(clockAt(now, timezone)) - serviceMinute(time)
}

/** Whether a seated party is two hours past its usual stay. */
export const isForgotten = (party: BoardParty, place: Place, now: Date): boolean =>
  party.status === 'seated' &&
  minutesSeated(party, place, now) >= usualStay(party.party_size, place.stay_minutes) + FORGOTTEN_AFTER

/** From when a party needs its table, `HH:MM`: one that sits, or is late, from now on. */
export function neededFrom(party: BoardParty, clock: string | null, timezone: string): string {
  if (party.seated_at) return clock ?? clockAt(new Date(party.seated_at), timezone)
  return clock && serviceMinute(clock) > serviceMinute(party.time) ? clock : party.time
}

/** A table of the location at a time, for a party of some size. */
export interface TableState {
  name: string
  zone: string | null
  capacity: number | null
  /** The party seated there; null when the table is free. */
  party: BoardParty | null
  /** The next party expected there within two hours, or before the stay ends. */
  next: BoardParty | null
  /** The parties at the table during the stay. */
  clashes: BoardParty[]
  small: boolean
}

interface When {
  /** The party whose table is chosen; it does not count as a clash. */
  except?: string
  /** When the party comes, `HH:MM`; the time of `clock` when absent. */
  at?: string
}

/**
 * The tables, with the parties that clash with one of that size. Free tables that seat it come first, smallest first.
 * @param clock the current local time; null for another day than today
 */
export function tableStates(
  { tables, parties, location }: BoardService,
  clock: string | null,
  partySize: number,
  { except, at = clock ?? '00:00' }: When = {},
): TableState[] {
  const now = clock === null ? null : serviceMinute(clock)
  const from = serviceMinute(at)
  const stay = { from, until: from + usualStay(partySize, location.stay_minutes) }
  const others = parties
    .filter((party) => party.id !== except && isThere(party))
    .map((party) => ({ party, span: spanOf(party, location, now), names: tablesOf(party) }))
  const states = tables.map(({ name, zone, capacity }): TableState => {
    const here = others.filter(({ names }) => names.includes(name))
    const clashes = here.filter(({ span }) => span && overlap(span, stay)).map(({ party }) => party)
    const soon = here.find(
      ({ party: each }) =>
        isExpected(each) &&
        (clashes.includes(each) ||
          (serviceMinute(each.time) >= from && serviceMinute(each.time) - from < SOON)),
    )
    const small = capacity !== null && capacity < partySize
    return {
      ...{ name, zone, capacity, small, clashes },
      party: clashes.find(({ status }) => status === 'seated') ?? null,
      next: soon?.party ?? null,
    }
  })
  const misfit = ({ small, party, next, clashes }: TableState) =>
    (party ? 4 : 0) + (small ? 2 : 0) + (next || clashes.length > 0 ? 1 : 0)
  const size = ({ capacity }: TableState) => capacity ?? Number.POSITIVE_INFINITY
  return states.toSorted((a, b) => misfit(a) - misfit(b) || (a.small ? 0 : compare(size(a), size(b))))
}

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)

/** Whether the table is free during the stay and seats the party. */
export const isFree = ({ clashes, small }: TableState): boolean => clashes.length === 0 && !small

/**
 * Estimates how many minutes a party of that size waits for a table that seats it, in steps of five, after the
 * parties
 * that already wait and the reservations without a table. Null when no table seats it.
 */
export function suggestedWait(service: BoardService, clock: string, partySize: number): number | null {
  const now = serviceMinute(clock)
  const taken = new Map<string, Span[]>()
  const take = (name: string, span: Span) => taken.set(name, [...(taken.get(name) ?? []), span])
  /** Takes the table that is free first, the smallest of several; returns from which minute. */
  function seat(size: number, from: number): number | null {
    const stay = usualStay(size, service.location.stay_minutes)
    const [best] = service.tables
      .filter(({ capacity }) => capacity === null || capacity >= size)
      .map(({ name, capacity }) => ({
        name,
        size: capacity ?? 100,
        at: freeFrom(taken.get(name), from, stay),
      }))
      .sort((a, b) => a.at - b.at || a.size - b.size)
    if (!best) return null
    take(best.name, { from: best.at, until: best.at + stay })
    return best.at
  }
  const homeless: { size: number; at: number }[] = []
  for (const party of service.parties.filter(isThere)) {
    const span = spanOf(party, service.location, now)
    const names = tablesOf(party)
    if (span && span.until > now) {
      for (const name of names) take(name, span)
      if (names.length === 0 && isExpected(party))
        homeless.push({ size: party.party_size, at: Math.max(span.from, now) })
    }
  }
  for (const { size, at } of homeless.sort((a, b) => a.at - b.at)) seat(size, at)
  for (const { party_size } of service.waiting) seat(party_size, now)
  const at = seat(partySize, now)
  return at === null ? null : Math.ceil((at - now) / 5) * 5
}

/** The first minute from which a table with these spans is free for the whole stay. */
function freeFrom(spans: readonly Span[] = [], from: number, stay: number): number {
  let at = from
  for (const span of spans.toSorted((a, b) => a.from - b.from))
    if (overlap(span, { from: at, until: at + stay })) at = span.until
  return at
}

/** A party on the board of tables: its span, and its line within the row. */
export interface Bar extends Span {
  party: BoardParty
  line: number
  /** Whether another party is at the table at the same time. */
  clashes: boolean
}

/** A row of the board: a table, or the parties without a table. */
export interface TableRow {
  name: string
  capacity: number | null
  bars: Bar[]
  lines: number
}

/** The board of a shift: its range of minutes, the parties without a table, and the tables by zone. */
export interface TablesDay {
  range: Span
  without: TableRow
  zones: { zone: string | null; rows: TableRow[] }[]
}

const NOON_TO_NIGHT: Span = { from: 6 * 60, until: 18 * 60 }

/**
 * The times that the board shows, in whole quarters: a shift from its opening to its close, longer where one of its parties
 * comes before or after; without a shift the times of the parties.
 */
export function rangeOf(
  { shifts }: Pick<BoardService, 'shifts'>,
  shift: string | null,
  parties: readonly (Span & { party: Pick<BoardParty, 'shift_id'> })[],
): Span {
  const one = shifts.find(({ id }) => id === shift)
  const own = parties.filter(({ party }) => !one || party.shift_id === one.id)
  const opens = Math.min(...(one ? [serviceMinute(one.opens)] : []), ...own.map(({ from }) => from))
  const end = one ? serviceMinute(one.closes) : 0
  const closes = Math.max(end, ...own.filter(({ from }) => from >= end).map(({ until }) => until))
  if (!Number.isFinite(opens)) return NOON_TO_NIGHT
  return { from: Math.floor(opens / QUARTER) * QUARTER, until: Math.ceil(closes / QUARTER) * QUARTER }
}

/**
 * Returns the board of a shift, or of the whole day when the shift is null. Parties at a table that is not among the
 * location's tables are shown with the parties without a table.
 */
export function tablesDay(service: BoardService, shift: string | null, now: number | null): TablesDay {
  const { tables, location } = service
  const known = new Set(tables.map(({ name }) => name))
  const all = service.parties.flatMap((party) => {
    const span = spanOf(party, location, now)
    return span ? [{ party, ...span, names: tablesOf(party).filter((name) => known.has(name)) }] : []
  })
  const range = rangeOf(service, shift, all)
  const shown = all.filter((each) => overlap(each, range))
  const rowOf = (name: string, capacity: number | null, parties: typeof shown): TableRow => {
    const bars = inLines(parties)
    return { name, capacity, bars, lines: Math.max(1, ...bars.map(({ line }) => line + 1)) }
  }
  const zones = [...new Set(tables.map(({ zone }) => zone))].map((zone) => ({
    zone,
    rows: tables
      .filter((table) => table.zone === zone)
      .map(({ name, capacity }) => {
        const row = rowOf(
          name,
          capacity,
          shown.filter(({ names }) => names.includes(name)),
        )
        const clashes = (bar: Bar) =>
          row.bars.some((other) => other !== bar && isThere(other.party) && overlap(other, bar))
        return {
          ...row,
          bars: row.bars.map((bar) => ({ ...bar, clashes: isThere(bar.party) && clashes(bar) })),
        }
      }),
  }))
  const without = shown.filter(
    ({ names, party }) =>
      names.length === 0 && isThere(party) && (shift === null || party.shift_id === shift),
  )
  return { range, without: rowOf('', null, without), zones }
}

/** Puts each party on the first line without an overlap. */
function inLines(parties: readonly (Span & { party: BoardParty })[]): Bar[] {
  const ends: number[] = []
  return parties
    .toSorted((a, b) => a.from - b.from)
    .map(({ party, from, until }) => {
      const free = ends.findIndex((end) => end <= from)
      const line = free === -1 ? ends.length : free
      ends[line] = until
      return { party, from, until, line, clashes: false }
    })
}

/** Formats a minute after 06:00 as `HH:MM`. */
export function clockOf(minute: number): string {
  const local = (minute + 360) % 1440
  return `${String(Math.floor(local / 60)).padStart(2, '0')}:${String(local % 60).padStart(2, '0')}`
}
