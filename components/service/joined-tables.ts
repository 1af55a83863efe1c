import type { Place } from '@/lib/service/schema'
import type { BoardService } from './board-model'
import { fitOf, isFree, seatsOf, type TableState } from './table-states'

/** How many tables a party may hold, and how long their joined name may be. */
const MOST_TABLES = 10
const LONGEST_NAME = 100
/** How many joined tables are proposed. */
const PROPOSED = 3

/**
 * The tables as a tap takes them: by their joined name, as this device has read it. A list would be refused once a table
 * is called something else, and the tap with it.
 */
export const placeOf = (names: readonly string[]): Place =>
  names.length > 0 ? { table_name: names.join('+') } : { tables: [] }

/** Whether a party may hold these tables. */
export const canHold = (names: readonly string[]): boolean =>
  names.length <= MOST_TABLES && names.join('+').length <= LONGEST_NAME

/** Whether a party that holds some tables may not hold another one too. */
export const isTooMany = (names: readonly string[], another: string): boolean =>
  !names.includes(another) && !canHold([...names, another])

/** Several tables as one for a party of that size: its seats are theirs together, unknown when one of them is. */
export function joined(states: readonly TableState[], partySize: number): TableState {
  const [first] = states
  const capacity = seatsOf(states)
  const zones = [...new Set(states.map(({ zone }) => zone))]
  const clashes = states.flatMap((state) => state.clashes)
  return {
    names: states.flatMap(({ names }) => names),
    name: states.map(({ name }) => name).join('+'),
    zone: zones.length === 1 ? (first?.zone ?? null) : null,
    capacity,
    ...fitOf(states, partySize, first?.staying),
    party: states.find(({ party }) => party)?.party ?? null,
    next: states.find(({ next }) => next)?.next ?? null,
    // A party at two of them is in the way once.
    clashes: clashes.filter(({ id }, at) => clashes.findIndex((other) => other.id === id) === at),
  }
}

/**
 * Tables that seat a party together when no single one does: two free ones of a zone, else the fewest neighbours. Those
 * with the fewest seats come first, of these the nearest to each other.
 * @param tables the location's tables in the order of the room, in which neighbours follow each other
 */
export function joinable(
  tables: BoardService['tables'],
  states: readonly TableState[],
  partySize: number,
): TableState[] {
  if (states.some(isFree)) return []
  const byName = new Map(states.map((state) => [state.name, state]))
  const zones = [...new Set(tables.map(({ zone }) => zone))].map((zone) =>
    tables.filter((table) => table.zone === zone).flatMap(({ name }) => byName.get(name) ?? []),
  )
  for (let count = 2; count <= MOST_TABLES; count++) {
    const found = zones
      .flatMap((zone) => (count === 2 ? pairsOf(zone) : neighboursOf(zone, count)))
      .map((some) => ({ ...some, seats: seatsOf(some.states) ?? 0 }))
      .filter(({ states: some }) => some.every(isOpen) && hasName(some) && !joined(some, partySize).small)
      .sort((a, b) => a.seats - b.seats || a.gap - b.gap)
    if (found.length > 0) return found.slice(0, PROPOSED).map(({ states: some }) => joined(some, partySize))
  }
  return []
}

const isOpen = ({ clashes, capacity }: TableState) => clashes.length === 0 && capacity !== null
const hasName = (states: readonly TableState[]) => canHold(states.map(({ name }) => name))

interface Some {
  states: TableState[]
  /** How far the first is from the last. */
  gap: number
}

const pairsOf = (zone: readonly TableState[]): Some[] =>
  zone.flatMap((one, at) =>
    zone.slice(at + 1).map((other, further) => ({ states: [one, other], gap: further + 1 })),
  )

const neighboursOf = (zone: readonly TableState[], count: number): Some[] =>
  zone
    .map((_, at) => ({ states: zone.slice(at, at + count), gap: count - 1 }))
    .filter(({ states }) => states.length === count)
