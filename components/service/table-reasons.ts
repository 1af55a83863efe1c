import { tableNames } from '@/lib/reservations/table-names'
import { fold } from '@/lib/text/fold'
import type { BoardParty, BoardService } from './board-model'
import { isSameName } from './closed-zones'
import { joinable } from './joined-tables'
import { clockOf } from './table-model'
import { isFree, type TableState } from './table-states'

/** How many tables are proposed. */
const PROPOSED = 3

/** Why a free table suits a party. `spare` are the seats that stay empty; `time` is when the next party comes, `HH:MM`. */
export type Reason =
  | { kind: 'fits'; spare: number }
  | { kind: 'zone' }
  | { kind: 'usual' }
  | { kind: 'until'; time: string }

type Wishes = Pick<BoardParty, 'zone_name' | 'usual_table' | 'walk_in'>

const asksZone = ({ zone }: TableState, parties: readonly Wishes[]) =>
  zone !== null && parties.some(({ zone_name: wanted }) => wanted !== null && isSameName(wanted, zone))

/** Whether a state is of these tables, in any order. */
const isOf = ({ names }: TableState, tables: readonly string[]) => {
  const known = tables.map(fold)
  return known.length === names.length && names.every((name) => known.includes(fold(name)))
}

const isUsual = (state: TableState, parties: readonly Wishes[]) =>
  parties.some(({ usual_table: usual }) => isOf(state, tableNames(usual)))

/** What is true of a table that is free for these parties, who sit together; nothing for none that came without a booking. */
export function reasonsOf(state: TableState, parties: readonly Wishes[]): Reason[] {
  const { seats, covers, freeUntil } = state
  return [
    ...(seats === null || seats < covers ? [] : [{ kind: 'fits', spare: seats - covers } as const]),
    ...(asksZone(state, parties) ? [{ kind: 'zone' } as const] : []),
    ...(isUsual(state, parties) ? [{ kind: 'usual' } as const] : []),
    ...(freeUntil === null ? [] : [{ kind: 'until', time: clockOf(freeUntil) } as const]),
  ]
}

const BAR = /(^|[^\p{L}])(barra|bar)($|[^\p{L}])/u

/** Whether a table is a seat at the bar: of one place, or of one or two in a zone that is called so. */
const isStool = ({ zone, capacity }: Pick<TableState, 'zone' | 'capacity'>): boolean =>
  capacity === 1 || (capacity === 2 && BAR.test(fold(zone ?? '')))

/**
 * The tables to propose: the usual one of a guest, then those of the zone that was asked for, then those that leave the
 * fewest seats empty. Where no single one does, tables that may be joined. Never a table of a closed zone or, for a booking
 * that did not ask for its zone, a seat at the bar.
 * @param states all tables of the service, for these parties
 */
export function proposedTables(
  { tables }: Pick<BoardService, 'tables'>,
  states: readonly TableState[],
  parties: readonly (Wishes & Pick<BoardParty, 'tables'>)[],
  partySize: number,
): TableState[] {
  const isBooked = parties.some(({ walk_in }) => !walk_in)
  const isOwn = (state: TableState) => parties.some((party) => isOf(state, party.tables))
  const suiting = states.filter(
    (state) =>
      !isOwn(state) && (!isBooked || !isStool(state) || asksZone(state, parties) || isUsual(state, parties)),
  )
  const single = suiting.filter(isFree)
  const rank = (state: TableState) => (isUsual(state, parties) ? 0 : asksZone(state, parties) ? 1 : 2)
  if (single.length === 0) return joinable(tables, suiting, partySize, { isOwn, rank })
  const spare = ({ seats, covers }: TableState) => (seats === null ? 1000 : seats - covers)
  return single
    .toSorted(
      (a, b) => rank(a) - rank(b) || spare(a) - spare(b) || Number(Boolean(a.next)) - Number(Boolean(b.next)),
    )
    .slice(0, PROPOSED)
}

/** The other tables, as they stand in the room: zone by zone, seats at the bar after the tables, closed zones last. */
export function tablesByZone(
  { tables }: Pick<BoardService, 'tables'>,
  states: readonly TableState[],
): { zone: string | null; states: TableState[] }[] {
  const byName = new Map(states.map((state) => [state.name, state]))
  return [...new Set(tables.map(({ zone }) => zone))]
    .map((zone) => ({
      zone,
      states: tables.filter((table) => table.zone === zone).flatMap(({ name }) => byName.get(name) ?? []),
    }))
    .filter((each) => each.states.length > 0)
    .toSorted((a, b) => behind(a.states) - behind(b.states))
}

const behind = (states: readonly TableState[]) =>
  states.every(({ closing }) => closing !== null) ? 2 : states.every(isStool) ? 1 : 0
