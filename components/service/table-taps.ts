import type { Confirmed } from '@/lib/reservations/questions'
import { tableNames } from '@/lib/reservations/table-names'
import type { Place } from '@/lib/service/schema'
import { type BoardParty, type BoardService, isThere } from './board-model'
import { canHold, placeOf } from './joined-tables'
import { type PartyTap, seen, withOthers } from './together'
import { targetOf } from './use-service'

/** The taps that give parties other tables, where they have not these already. */
export function assignTaps(parties: readonly BoardParty[], place: Place, confirm?: Confirmed[]): PartyTap[] {
  const names = place.tables ?? tableNames(place.table_name)
  const has = ({ tables }: BoardParty) =>
    tables.length === names.length && names.every((name) => tables.includes(name))
  return parties
    .filter((each) => isThere(each) && !has(each))
    .map((each) => [{ action: 'assign', ...seen(each), ...place, confirm }, each])
}

/** The tap after which a party and those it sits with have another one, and those it sits with, at the tables of all. */
export function joinTap(party: BoardParty, other: BoardParty, service: BoardService): PartyTap {
  const all = [...withOthers(party, service), ...withOthers(other, service)]
  const names = [...new Set(all.flatMap(({ tables }) => tables))]
  const isSame = all.every(({ tables }) => tables.length === names.length)
  // Too many tables for one party: each keeps its own.
  const place = isSame || !canHold(names) ? {} : placeOf(names)
  return [{ action: 'join', ...targetOf(party), to: other.id, ...place }, party]
}

/** The tap after which a party sits on its own, without a table; the others keep theirs and go on together. */
export const separateTap = (party: BoardParty): PartyTap => [
  { action: 'join', ...targetOf(party), to: null, tables: [] },
  party,
]
