import { serviceMinute } from '@/components/ui/service-day'
import { type Confirmed, confirmed } from '@/lib/reservations/questions'
import {
  areTogether,
  type BoardParty,
  type BoardService,
  coversOf,
  isExpected,
  isThere,
  shiftAt,
} from './board-model'
import { type Closing, closingOf } from './closed-zones'
import { neededFrom, overlap, type Span, spanOf, usualStay } from './table-model'

/** The next party at a table is shown this many minutes before its time. */
const SOON = 120

/** A table of the location at a time, for a party of some size. */
export interface TableState {
  name: string
  /** The table, or those that are joined. */
  names: string[]
  zone: string | null
  capacity: number | null
  /** The party seated there; null when the table is free. */
  party: BoardParty | null
  /** The next party expected there within two hours, or before the stay ends. */
  next: BoardParty | null
  /** The parties at the table during the stay. */
  clashes: BoardParty[]
  /** From when the next party after the stay has the table, in minutes after 06:00; null when none comes. */
  freeUntil: number | null
  /** What closes the table's zone then; null when it is open. */
  closing: Closing | null
  /** How many people share the table and those of `staying`, and how many seats these have; null when unknown. */
  covers: number
  seats: number | null
  small: boolean
  staying?: Staying
}

type Seats = Pick<BoardService['tables'][number], 'name' | 'capacity'>
/** Who sits together with the parties whose table is chosen, and keeps other tables: how many people, and the tables. */
interface Staying {
  covers: number
  tables: Seats[]
}

/** The seats of tables together; null when those of one are unknown. */
export const seatsOf = (tables: readonly Seats[]): number | null =>
  tables.reduce<number | null>(
    (sum, { capacity }) => (sum === null || capacity === null ? null : sum + capacity),
    0,
  )

/** Whether tables are too small for so many people and those who stay, as `TABLE_TOO_SMALL` asks it. */
export function fitOf(tables: readonly Seats[], partySize: number, staying?: Staying) {
  const others = staying?.tables.filter(({ name }) => tables.every((each) => each.name !== name)) ?? []
  const seats = seatsOf([...tables, ...others])
  const covers = partySize + (staying?.covers ?? 0)
  return { seats, covers, small: seats !== null && seats < covers }
}

interface When {
  /** The parties whose table is chosen: neither they nor who sits with them count as a clash. */
  moved?: readonly BoardParty[]
  /** When they come, `HH:MM`; the time of `clock` when absent. With `planned`, each when it needs its table. */
  at?: string
  planned?: boolean
}

/**
 * The tables, with the parties that clash with one of that size. Free tables that seat it come first, smallest first.
 * @param clock the current local time; null for another day than today
 */
export function tableStates(
  service: BoardService,
  clock: string | null,
  partySize: number,
  { moved = [], at = clock ?? '00:00', planned = false }: When = {},
): TableState[] {
  const { tables, parties, location } = service
  const now = clock === null ? null : serviceMinute(clock)
  // Each booking keeps its own stay, also of those who sit together, as in the database.
  const stayOf = (size: number, time: string): Span => ({
    from: serviceMinute(time),
    until: serviceMinute(time) + usualStay(size, location.stay_minutes),
  })
  const stays = moved.map((party) =>
    stayOf(party.party_size, planned ? neededFrom(party, clock, location.timezone) : at),
  )
  if (stays.length === 0) stays.push(stayOf(partySize, at))
  const from = Math.min(...stays.map((stay) => stay.from))
  const until = Math.max(...stays.map((stay) => stay.until))
  const shifts = moved.length > 0 ? moved.map(({ shift_id }) => shift_id) : [shiftAt(service, at)]
  const isMoved = ({ id }: BoardParty) => moved.some((each) => each.id === id)
  const isWith = (party: BoardParty) => moved.some((each) => areTogether(each, party))
  const stayed = parties.filter((party) => !isMoved(party) && isWith(party) && party.tables.length > 0)
  const staying = {
    covers: coversOf(stayed),
    tables: [...new Set(stayed.flatMap((party) => party.tables))].map(
      (name) => tables.find((table) => table.name === name) ?? { name, capacity: null },
    ),
  }
  const others = parties
    .filter((party) => isThere(party) && !isMoved(party) && !isWith(party))
    .map((party) => ({ party, span: spanOf(party, location, now), names: party.tables }))
  const states = tables.map(({ name, zone, capacity }): TableState => {
    const here = others.filter(({ names }) => names.includes(name))
    const clashes = here
      .filter(({ span }) => span && stays.some((stay) => overlap(span, stay)))
      .map(({ party }) => party)
    const soon = here.find(
      ({ party: each }) =>
        isExpected(each) &&
        (clashes.includes(each) ||
          (serviceMinute(each.time) >= from && serviceMinute(each.time) - from < SOON)),
    )
    return {
      ...{ name, names: [name], zone, capacity, clashes, staying },
      freeUntil: earliest(here.flatMap(({ span }) => (span && span.from >= until ? [span.from] : []))),
      closing: closingOf(service, zone, shifts),
      ...fitOf([{ name, capacity }], partySize, staying),
      party: clashes.find(({ status }) => status === 'seated') ?? null,
      next: soon?.party ?? null,
    }
  })
  const misfit = ({ small, party, next, clashes }: TableState) =>
    (party ? 4 : 0) + (small ? 2 : 0) + (next || clashes.length > 0 ? 1 : 0)
  const size = ({ capacity }: TableState) => capacity ?? Number.POSITIVE_INFINITY
  return states.toSorted((a, b) => misfit(a) - misfit(b) || (a.small ? 0 : compare(size(a), size(b))))
}

const earliest = (minutes: readonly number[]) => (minutes.length > 0 ? Math.min(...minutes) : null)

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)

/** Whether the table is free during the stay, open, and seats the party. */
export const isFree = ({ clashes, small, closing }: TableState): boolean =>
  clashes.length === 0 && !small && closing === null

/** What there is to confirm about a table for these parties. Who came without a booking is asked about tables only. */
export const doubtsOf = (
  { clashes, small, closing }: TableState,
  moved: readonly BoardParty[],
): Confirmed[] => [
  ...(clashes.length > 0 ? [confirmed('TABLE_TAKEN')] : []),
  ...(small ? [confirmed('TABLE_TOO_SMALL')] : []),
  ...(closing && moved.some(({ walk_in }) => !walk_in) ? [confirmed('CLOSED')] : []),
]
