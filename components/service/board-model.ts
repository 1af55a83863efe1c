import { serviceMinute } from '@/components/ui/service-day'
import { NOT_PLACED } from '@/lib/locations/plan'
import { tableNames } from '@/lib/reservations/table-names'
import type { BackTo, Party, Service, Tap, WaitingTap } from '@/lib/service/schema'
import type { WaitingParty } from '@/lib/waitlist/schema'
import { type Before, isOfWaitlist, tappedFields, type Waiting } from './tap-queue'
import type { NewTap } from './use-service'

/** Minutes after the reservation's time from which an expected party counts as late. */
const LATE_AFTER = 15
/**
 * Beside the shift under way the board shows who of another shift was due in the last two hours, has come or sits since
 * the last four, or is due within the hour: the staff of a change of shifts still wait for them or serve them.
 */
const DUE = { since: 120, hereSince: 240, within: 60 }

/**
 * The groups of the board, in order. `earlier` sits since a shift before the one shown; `over` has finished; `lost` has
 * cancelled or did not come, and counts no covers.
 */
export const GROUPS = ['earlier', 'late', 'expected', 'seated', 'over', 'lost'] as const
export type Group = (typeof GROUPS)[number]
export type Groups = Record<Group, BoardParty[]>

/** Whether the party does not come: its covers do not count. */
export const isLost = ({ status }: Party): boolean => status === 'cancelled' || status === 'no_show'

/** Whether the party is still to be seated: expected, late, or waiting at the door. */
export const isExpected = ({ status }: Party): boolean => status === 'pending' || status === 'confirmed'

/** Whether the party waits at the door for its table: a table that is given to it seats it. */
export const isAtDoor = (party: Party): boolean => isExpected(party) && party.arrived_at !== null

/** Whether the party needs its tables: it is still to be seated, or sits. */
export const isThere = (party: Party): boolean => isExpected(party) || party.status === 'seated'

/** Whether the party is overdue and not at the door. */
export const isLate = (party: Party, clock: string): boolean =>
  isExpected(party) &&
  !party.arrived_at &&
  serviceMinute(clock) - serviceMinute(party.time) >= Math.max(LATE_AFTER, party.late_minutes ?? 0)

/**
 * Whether the party belongs on the board beside the shift under way: it is still to come or at its table, and its time is
 * near.
 */
function isDue(party: Party, clock: string): boolean {
  const ago = serviceMinute(clock) - serviceMinute(party.time)
  const isHere = party.status === 'seated' || party.arrived_at !== null
  const isOver = isLost(party) || party.status === 'completed'
  return !isOver && ago <= (isHere ? DUE.hereSince : DUE.since) && -ago <= DUE.within
}

/** The local time of an instant, `HH:MM`. */
export const clockAt = (at: Date, timezone: string): string =>
  at.toLocaleTimeString('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit' })

/**
 * The parties by group, each in order of time; parties that wait at the door come first.
 * @param shift only parties of this shift, who sits since an earlier one, and with the shift under way also who is due
 *   now; null for all
 * @param found the parties that a search has found: only these, in every shift; null without a search
 */
export function groupParties(
  service: BoardService,
  { shift, clock, found }: { shift: string | null; clock: string; found: readonly Party[] | null },
): Groups {
  const groups: Groups = { earlier: [], late: [], expected: [], seated: [], over: [], lost: [] }
  const now = shiftAt(service, clock)
  const order = service.shifts.map(({ id }) => id)
  const isEarlier = ({ status, shift_id: of }: Party) =>
    found === null &&
    status === 'seated' &&
    of !== null &&
    order.indexOf(of) < order.indexOf(shift ?? now ?? '')
  for (const party of service.parties) {
    const earlier = isEarlier(party)
    const isShown =
      found?.includes(party) ??
      (earlier || shift === null || party.shift_id === shift || (shift === now && isDue(party, clock)))
    if (isShown) groups[earlier ? 'earlier' : groupOf(party, clock)].push(party)
  }
  groups.expected.sort((a, b) => Number(Boolean(b.arrived_at)) - Number(Boolean(a.arrived_at)))
  return groups
}

/** The group to which a party belongs by its state. */
export function groupOf(party: Party, clock: string): Exclude<Group, 'earlier'> {
  if (party.status === 'seated') return 'seated'
  if (party.status === 'completed') return 'over'
  if (isLost(party)) return 'lost'
  return isLate(party, clock) ? 'late' : 'expected'
}

/**
 * The shift under way at a time: the last one that has opened or opens within the hour, else the first. Null without
 * shifts.
 */
export function shiftAt({ shifts }: Pick<Service, 'shifts'>, clock: string): string | null {
  const begun = shifts.filter(({ opens }) => serviceMinute(opens) - 60 <= serviceMinute(clock))
  return (begun.at(-1) ?? shifts[0])?.id ?? null
}

/** A party on the board. A walk-in that only this browser knows is `unsaved`, and its id is the key of its tap. */
export interface BoardParty extends Party {
  unsaved?: boolean
}
/** A party of the waitlist. One that only this browser knows is `unsaved`. */
export interface BoardWaiting extends WaitingParty {
  unsaved?: boolean
}
export type BoardService = Omit<Service, 'parties' | 'waiting'> & {
  parties: BoardParty[]
  waiting: BoardWaiting[]
}

/** The party that all who sit together are joined to. */
const firstOf = ({ joined_to, id }: BoardParty): string => joined_to ?? id

/** Whether two parties that come or are here sit together: each keeps its covers, guest and state. */
export const areTogether = (one: BoardParty, other: BoardParty): boolean =>
  one.id !== other.id && firstOf(one) === firstOf(other) && isThere(one) && isThere(other)

/** The others that sit together with a party, in the order of the list. */
export const sitsWith = (party: BoardParty, parties: readonly BoardParty[]): BoardParty[] =>
  parties.filter((each) => areTogether(party, each))

/** How many people parties are together. */
export const coversOf = (parties: readonly Pick<BoardParty, 'party_size'>[]): number =>
  parties.reduce((sum, { party_size }) => sum + party_size, 0)

/** What a list lacks that an older version of the app has read: it knows the tables only by their joined name. */
const complete = (party: BoardParty): BoardParty => ({
  ...party,
  tables: party.tables ?? tableNames(party.table_name),
  joined_to: party.joined_to ?? null,
  usual_table: party.usual_table ?? null,
})

/** Applies the pending taps to the service, so that the board shows them at once. */
export function withTaps(service: Service, waiting: readonly Waiting[]): BoardService {
  const tables = service.tables.map((table) => ({ ...NOT_PLACED, ...table }))
  return waiting.reduce<BoardService>(applyTap, {
    ...service,
    tables,
    parties: service.parties.map(complete),
  })
}

function applyTap(service: BoardService, { tap, before, party: back }: Waiting): BoardService {
  const { parties } = service
  const at = tap.at ?? service.at
  if (isOfWaitlist(tap)) return { ...service, ...waitingAfter(service, tap, at, back) }
  if (tap.action === 'walk_in') return { ...service, parties: [...parties, walkIn(tap, service, at)] }
  const id = tap.reservation_id ?? tap.of
  if (tap.action === 'undo' && !before)
    return { ...service, parties: parties.filter((party) => party.id !== id) }
  if (tap.action === 'join') return { ...service, parties: afterJoin(parties, id, tap) }
  const after = (party: BoardParty) =>
    tap.action === 'undo'
      ? { ...party, ...before?.[party.id] }
      : party.id === id
        ? { ...party, ...changesOf(tap, party, at) }
        : party
  return { ...service, parties: parties.map(after) }
}

type Join = Pick<Extract<Tap, { action: 'join' }>, 'to' | 'tables' | 'table_name'>

/**
 * The parties once one, with those it sits with, sits with another one and with those of that one; or on its own.
 * `private.links_after` has the same.
 */
function afterJoin(parties: BoardParty[], id: string | undefined, tap: Join): BoardParty[] {
  const party = parties.find((each) => each.id === id)
  const other = parties.find((each) => each.id === tap.to)
  if (!party || (tap.to !== null && !other)) return parties
  const moved = other ? [party, ...sitsWith(party, parties)] : [party]
  const first = other ? firstOf(other) : null
  const seated = other ? [...moved, other, ...sitsWith(other, parties)] : moved
  // Who was joined to somebody who goes, and does not go along: they stay together.
  const left = parties.filter(
    (each) => !moved.includes(each) && moved.some((goes) => goes.id === each.joined_to),
  )
  const linkTo = (each: BoardParty, to?: string | null) => ({
    joined_to: to === each.id ? null : (to ?? null),
  })
  return parties.map((each) => {
    if (seated.includes(each))
      return { ...each, ...(moved.includes(each) ? linkTo(each, first) : {}), ...placeOf(tap) }
    return left.includes(each) ? { ...each, ...linkTo(each, left[0]?.id) } : each
  })
}

/** The fields of all parties that a tap of one changes, from before it: by these, its undo shows at once. */
export function fieldsBefore(parties: BoardParty[], tap: NewTap, party: BoardParty): Before {
  if (tap.action !== 'join') return { [party.id]: tappedFields(party) }
  const after = afterJoin(parties, party.id, tap)
  return Object.fromEntries(
    parties
      .filter((each, n) => after[n] !== each)
      .map(({ id, joined_to, table_name, tables }) => [id, { joined_to, table_name, tables }]),
  )
}

/** The waitlist after a tap, and the parties with who was seated from it. */
function waitingAfter(
  service: BoardService,
  tap: WaitingTap,
  at: string,
  back?: BoardWaiting,
): Partial<BoardService> {
  const { waiting, parties } = service
  if (tap.action === 'wait_return')
    return back && waiting.every(({ id }) => id !== back.id) ? { waiting: [...waiting, back] } : {}
  if (tap.action === 'wait_join') {
    // Its answer was lost: the list knows more of it.
    if (waiting.some(({ id }) => id === tap.key)) return {}
    const { key: id, name, phone = null, party_size, quoted_minutes = null, notes = null } = tap
    const none = { called_at: null, message: null, offer: null }
    const party = { id, name, phone, readable_phone: phone, party_size, quoted_minutes, notes, joined_at: at }
    return { waiting: [...waiting, { ...party, ...none, unsaved: true }] }
  }
  const party = waiting.find(({ id }) => id === tap.waiting_id)
  if (!party) return {}
  const others = waiting.filter((each) => each !== party)
  if (tap.action === 'wait_leave') return { waiting: others }
  const { party_size, name: customer_name, notes, phone, readable_phone } = party
  const { key, table_name } = tap
  const seated = walkIn({ key, action: 'walk_in', party_size, customer_name, table_name }, service, at)
  return { waiting: others, parties: [...parties, { ...seated, notes, phone, readable_phone }] }
}

function changesOf(
  tap: Exclude<Tap, WaitingTap | { action: 'walk_in' | 'undo' | 'join' }>,
  party: Party,
  at: string,
): Partial<Party> {
  switch (tap.action) {
    case 'arrive':
      return { arrived_at: at, status: party.status === 'seated' ? 'seated' : 'confirmed' }
    case 'assign':
      return placeOf(tap)
    case 'change': {
      const { party_size = party.party_size, time = party.time, notes = party.notes } = tap
      const late_minutes = tap.late_minutes === undefined && !tap.time ? party.late_minutes : tap.late_minutes
      return { party_size, time, notes, late_minutes: late_minutes ?? null, ...placeOf(tap) }
    }
    case 'seat':
      return {
        ...{ status: 'seated', seated_at: at, finished_at: null },
        ...{ arrived_at: party.arrived_at ?? at, ...placeOf(tap) },
      }
    case 'no_show':
      return { status: 'no_show', arrived_at: null, seated_at: null }
    case 'cancel':
      return { status: 'cancelled', arrived_at: null, seated_at: null, finished_at: null }
    case 'set_back':
      return { finished_at: null, ...setBack(tap.to, party, at) }
    case 'finish':
      return { status: 'completed', finished_at: at }
  }
}

type GivenTables = Pick<Extract<Tap, { action: 'assign' }>, 'tables' | 'table_name'>

/** What the tables that a tap gives are called; undefined for none. */
export const placeName = ({ tables, table_name }: GivenTables): string | undefined =>
  tables?.join('+') || table_name || undefined

/** The tables that a tap names; nothing without. */
const placeOf = ({ tables, table_name }: GivenTables): Partial<Pick<Party, 'tables' | 'table_name'>> =>
  tables
    ? { tables, table_name: placeName({ tables }) ?? null }
    : table_name === undefined
      ? {}
      : { table_name, tables: tableNames(table_name) }

/** A party's former state; since when it sat is what it was. */
function setBack(to: BackTo, party: Party, at: string): Partial<Party> {
  if (to === 'seated') return { status: 'seated' }
  const arrived_at = to === 'arrived' ? (party.arrived_at ?? at) : null
  return { status: 'confirmed', arrived_at, seated_at: null }
}

/** The state before a party's present one, to which it can be set back; null for one that is awaited. */
export function formerState(party: Party): BackTo | null {
  if (party.status === 'completed') return 'seated'
  if (party.status === 'seated' && party.arrived_at) return 'arrived'
  return isExpected(party) && !party.arrived_at ? null : 'expected'
}

/** The recorded allergies of a party's guest. */
export const allergiesIn = ({ facts }: Pick<BoardParty, 'facts'>) =>
  facts.filter(({ kind }) => kind === 'allergy')

/** A party without a reservation. */
function walkIn(
  tap: Extract<Tap, { action: 'walk_in' }>,
  service: Pick<Service, 'location' | 'shifts'>,
  at: string,
): BoardParty {
  const time = clockAt(new Date(at), service.location.timezone)
  return {
    ...{ id: tap.key, time, shift_id: shiftAt(service, time), name: tap.customer_name ?? null },
    ...{ phone: null, readable_phone: null },
    ...{ party_size: tap.party_size, status: 'seated', table_name: null, tables: [], zone_name: null },
    joined_to: null,
    ...{
      arrived_at: at,
      seated_at: at,
      finished_at: null,
      late_minutes: null,
      walk_in: true,
      notes: null,
      customer_id: null,
    },
    ...{ customer_notes: null, tags: [], tier: null, vip: false, birthday_in: null, first_visit: false },
    ...{ allergies: [], facts: [], suggested: [], no_shows: 0, risk: null, from_pms: false, unsaved: true },
    usual_table: null,
    ...placeOf(tap),
  }
}
