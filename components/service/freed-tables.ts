import { serviceMinute } from '@/components/ui/service-day'
import { tableNames } from '@/lib/reservations/table-names'
import type { WaitingParty } from '@/lib/waitlist/schema'
import { type BoardParty, type BoardService, shiftAt } from './board-model'
import { closingOf } from './closed-zones'
import { clockOf } from './table-model'
import { tableStates } from './table-states'

/** Minutes for which a table is offered: from so long before its time until so long after it. */
const BEFORE = 120
const AFTER = 60

/** A table that was given back, and the waiting party for it. */
export interface FreedTable {
  /** The reservation that was cancelled, or whose guests did not come. */
  freed: BoardParty
  /** `4`, or `4+5` for joined tables; null where the location has no tables. */
  table: string | null
  /** From when it is free, `HH:MM`. */
  at: string
  party: WaitingParty
}

/**
 * The tables of cancelled reservations and no-shows for which someone waits, each for one party: the first on the list that
 * it seats, that has not been called, and is offered no other by message. A table that is taken again during the stay, or
 * held by such an offer, is not free.
 * @param clock the current local time; null when the service is of another day, which has no waitlist
 */
export function freedTables(service: BoardService, clock: string | null): FreedTable[] {
  if (clock === null) return []
  const now = serviceMinute(clock)
  const freed = service.parties
    .filter(({ status, walk_in }) => (status === 'cancelled' || status === 'no_show') && !walk_in)
    .map((party) => ({ party, booked: serviceMinute(party.time) }))
    .filter(({ booked }) => booked - now <= BEFORE && now - booked < AFTER)
    .sort((a, b) => a.booked - b.booked)
  const found: FreedTable[] = []
  const isHeld = ({ offer }: WaitingParty) => offer !== null && offer.outcome === null
  const taken = new Set(
    service.waiting.flatMap((party) => (isHeld(party) ? tableNames(party.offer?.table_name) : [])),
  )
  for (const { party: gone, booked } of freed) {
    const at = clockOf(Math.max(booked, now))
    for (const party of service.waiting) {
      if (party.called_at || isHeld(party) || found.some((one) => one.party.id === party.id)) continue
      const tables = tablesFor(service, clock, at, gone, party.party_size, taken)
      if (tables === undefined) continue
      for (const name of tables) taken.add(name)
      found.push({ freed: gone, table: tables.join('+') || null, at, party })
      break
    }
  }
  return found
}

/** The tables that the party gets, none where the location has none; undefined when it does not fit. */
function tablesFor(
  service: BoardService,
  clock: string,
  at: string,
  gone: BoardParty,
  size: number,
  taken: ReadonlySet<string>,
): readonly string[] | undefined {
  const states = tableStates(service, clock, size, { at }).filter(({ name }) => !taken.has(name))
  const isOpen = ({ clashes, closing }: (typeof states)[number]) => clashes.length === 0 && closing === null
  const names = gone.tables
  // Where it had no table, only its zone is known.
  if (names.length === 0 && closingOf(service, gone.zone_name, [shiftAt(service, at)])) return undefined
  if (names.length > 0) {
    const own = states.filter((state) => names.includes(state.name) && isOpen(state))
    const seats = own.reduce((sum, { capacity }) => sum + (capacity ?? gone.party_size), 0)
    return own.length === names.length && seats >= size ? names : undefined
  }
  // Without a table of its own it gives back places, and any table that is free then.
  if (size > gone.party_size) return undefined
  if (service.tables.length === 0) return []
  const fitting = states.find((state) => isOpen(state) && !state.small)
  return fitting && [fitting.name]
}
