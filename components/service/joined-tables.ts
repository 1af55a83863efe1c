import { type Box, boxOf, distance } from '@/components/tables/plan-geometry'
import type { Place } from '@/lib/service/schema'
import type { BoardService } from './board-model'
import { fitOf, isFree, seatsOf, type TableState } from './table-states'

/** How many tables a party may hold, and how long their joined name may be. */
const MOST_TABLES = 10
const LONGEST_NAME = 100
/** How many joined tables are proposed. */
const PROPOSED = 3
/** In cells of the plan: how far apart neighbours stand at most, and more than any two tables do. */
const NEAR = 3
const FURTHEST = 100

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
    closing: states.find(({ closing }) => closing)?.closing ?? null,
    freeUntil: states.reduce<number | null>(
      (least, { freeUntil }) => (freeUntil === null ? least : Math.min(least ?? freeUntil, freeUntil)),
      null,
    ),
    // A party at two of them is in the way once.
    clashes: clashes.filter(({ id }, at) => clashes.findIndex((other) => other.id === id) === at),
  }
}

/**
 * Tables that seat a party together when no single one does: two free ones of a zone, else the fewest neighbours. Those
 * with the fewest seats come first, of these the nearest to each other: on the plan of their zone, else in the list. Two
 * that the plan shows apart come last. Tables that are not `joinable` are not among them.
 * @param tables the location's tables in the order of the room, in which neighbours follow each other
 * @param wishes which tables the parties have already, and which they should rather have (the least first)
 */
export function joinable(
  tables: BoardService['tables'],
  states: readonly TableState[],
  partySize: number,
  { isOwn, rank }: Wishes = { isOwn: () => false, rank: () => 0 },
): TableState[] {
  if (states.some(isFree)) return []
  const byName = new Map(states.map((state) => [state.name, state]))
  const zones = [...new Set(tables.map(({ zone }) => zone))].map((zone) =>
    tables
      .filter((table) => table.zone === zone)
      .flatMap((table, at): Spot[] => {
        const state = byName.get(table.name)
        return state ? [{ state, at, box: boxOf(table), open: table.joinable && isOpen(state) }] : []
      }),
  )
  const chains = zones.flatMap(chainsOf)
  for (let count = 2; count <= MOST_TABLES; count++) {
    const found = zones
      .flatMap((zone) => (count === 2 ? pairsOf(zone) : rowsOf(zone, count)))
      .concat(count === 2 ? [] : startsOf(chains, count))
      .filter(({ spots }) => spots.every(({ open }) => open))
      .map((each) => ({ ...each, some: each.spots.map(({ state }) => state) }))
      .filter(({ some }) => hasName(some))
      .map((each) => ({ ...each, state: joined(each.some, partySize), seats: seatsOf(each.some) ?? 0 }))
      .filter(({ state }) => !state.small)
    if (found.length > 0)
      return found
        .filter(({ state }) => !isOwn(state))
        .sort(
          (a, b) =>
            rank(a.state) - rank(b.state) ||
            Number(a.isApart) - Number(b.isApart) ||
            a.seats - b.seats ||
            a.gap - b.gap,
        )
        .slice(0, PROPOSED)
        .map(({ state }) => state)
  }
  return []
}

const isOpen = ({ clashes, capacity, closing }: TableState) =>
  clashes.length === 0 && capacity !== null && closing === null
const hasName = (states: readonly TableState[]) => canHold(states.map(({ name }) => name))

/** A table of a zone: its place in the list and on the plan, and whether it may be proposed. */
interface Spot {
  state: TableState
  at: number
  box: Box | null
  open: boolean
}

interface Some {
  spots: Spot[]
  /** How far they are from each other, and whether the plan shows that they are no neighbours. */
  gap: number
  isApart: boolean
}

interface Wishes {
  isOwn: (state: TableState) => boolean
  rank: (state: TableState) => number
}

/** Tables that stand on the plan come before those of which only the place in the list is known. */
const gapOf = (one: Spot, other: Spot): number =>
  one.box && other.box ? distance(one.box, other.box) : FURTHEST + Math.abs(one.at - other.at)

const pairsOf = (zone: readonly Spot[]): Some[] =>
  zone.flatMap((one, n) =>
    zone.slice(n + 1).map((other) => {
      const gap = gapOf(one, other)
      return { spots: [one, other], gap, isApart: gap > NEAR && gap < FURTHEST }
    }),
  )

/** So many that follow each other in the list, of those that do not stand on the plan. */
function rowsOf(zone: readonly Spot[], count: number): Some[] {
  const unplaced = zone.filter(({ box }) => !box)
  return unplaced
    .map((_, n) => ({ spots: unplaced.slice(n, n + count), gap: FURTHEST, isApart: false }))
    .filter(({ spots }) => spots.length === count)
}

/** From each open table of the plan the way to its neighbours: always the nearest to those before, and how far it is. */
function chainsOf(zone: readonly Spot[]): { spot: Spot; step: number }[][] {
  const open = zone.filter(({ box, open }) => box && open)
  return open.map((first) => {
    const chain = [{ spot: first, step: 0 }]
    let rest = open.filter((spot) => spot !== first).map((spot) => ({ spot, step: gapOf(first, spot) }))
    while (chain.length < MOST_TABLES) {
      const step = Math.min(...rest.map((each) => each.step))
      const next = rest.find((each) => each.step === step)
      if (!next || step > NEAR) break
      chain.push(next)
      rest = rest
        .filter((each) => each !== next)
        .map(({ spot, step }) => ({ spot, step: Math.min(step, gapOf(next.spot, spot)) }))
    }
    return chain
  })
}

/** The first tables of each chain, in the order of the list, each set once. */
function startsOf(chains: ReturnType<typeof chainsOf>, count: number): Some[] {
  const sets = chains
    .filter((chain) => chain.length >= count)
    .map((chain) => chain.slice(0, count))
    .map((some) => ({
      spots: some.map(({ spot }) => spot).sort((a, b) => a.at - b.at),
      gap: some.reduce((sum, { step }) => sum + step, 0),
      isApart: false,
    }))
  return [...new Map(sets.map((set) => [set.spots.map(({ state }) => state.name).join('+'), set])).values()]
}
