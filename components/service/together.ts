import type { Confirmed } from '@/lib/reservations/questions'
import type { Place } from '@/lib/service/schema'
import { areTogether, type BoardParty, type BoardService, isExpected, sitsWith } from './board-model'
import { type NewTap, targetOf } from './use-service'

/** A tap and the party it is about. */
export type PartyTap = readonly [NewTap, BoardParty]

/** A party, then who sits together with it. */
export const withOthers = (party: BoardParty, { parties }: Pick<BoardService, 'parties'>): BoardParty[] => [
  party,
  ...sitsWith(party, parties),
]

/** What a tap says of a party in the state in which it is seen. */
export const seen = (party: BoardParty) => ({ ...targetOf(party), seen: party.status })

/** Who sits down with a party: it, and those who sit with it and are at the door. The others are still expected. */
export const seatedWith = (party: BoardParty, service: Pick<BoardService, 'parties'>): BoardParty[] =>
  withOthers(party, service).filter(
    (each) => each === party || (isExpected(each) && each.arrived_at !== null),
  )

/** Whether these parties, who sit down together, have tables at which nobody else sits. */
export const isReady = (parties: readonly BoardParty[], service: Pick<BoardService, 'parties'>): boolean =>
  parties.every(
    (each) =>
      each.tables.length > 0 &&
      service.parties.every(
        (other) =>
          other.status !== 'seated' ||
          other.id === each.id ||
          areTogether(other, each) ||
          !other.tables.some((name) => each.tables.includes(name)),
      ),
  )

/** The taps that seat parties: at the same tables, else each at its own. */
export const seatTaps = (parties: readonly BoardParty[], place: Place, confirm?: Confirmed[]): PartyTap[] =>
  parties.map((each) => [{ action: 'seat', ...seen(each), ...place, confirm }, each])

/** The taps after which parties have left. */
export const finishTaps = (parties: readonly BoardParty[]): PartyTap[] =>
  parties.map((each) => [{ action: 'finish', ...seen(each) }, each])
