import { type Box, boxOf } from '@/components/tables/plan-geometry'
import { serviceMinute } from '@/components/ui/service-day'
import {
  areTogether,
  type BoardParty,
  type BoardService,
  clockAt,
  isAtDoor,
  isExpected,
  isThere,
  shiftAt,
} from './board-model'
import { type Closing, closingOf } from './closed-zones'
import { minutesSeated, overlap, type Span, spanOf, usualStay } from './table-model'

/** A free table is reserved so many minutes before the next party; at an occupied one it is named so much before. */
const RESERVED = 30
const NAMED = 60

/** What a table's colour, border and words say. */
export const PLAN_STATES = ['free', 'reserved', 'seated', 'over', 'twice', 'closed'] as const
type PlanState = (typeof PLAN_STATES)[number]

/** A table of the plan, as it is now. */
export interface PlanTable {
  name: string
  capacity: number | null
  shape: BoardService['tables'][number]['shape']
  /** Its place in cells from the top left table of its zone; null when it is not placed. */
  box: Box | null
  state: PlanState
  /** Who sits there or, at a table that is not taken, for whom it is reserved: all of them. */
  parties: BoardParty[]
  /** How long the first of them has sat, and how much longer than usual; null while none sits. */
  minutes: number | null
  over: number
  /** Who comes afterwards, by time; and the one of them that is named: at an occupied table only within the hour. */
  later: BoardParty[]
  next: BoardParty | null
  closing: Closing | null
}

/** The plan of a zone: its size in cells, the tables on it, and those that are not placed. */
export interface PlanZone {
  zone: string | null
  columns: number
  rows: number
  placed: PlanTable[]
  loose: PlanTable[]
}

export interface FloorPlan {
  zones: PlanZone[]
  /** Who is here or expected without a table: who is at the door first, then who sits, then by time. */
  tray: BoardParty[]
}

interface When {
  now: Date
  /** Whether the day is today: only then a table is occupied now. Of another day the plan says who comes to each table. */
  isToday: boolean
  /** The shift shown; null for all. It decides who is expected in the tray, never who sits at a table. */
  shift: string | null
}

/** Returns the plan of a location: by zone, each table with who is there, whatever the shift they came for. */
export function floorPlan(service: BoardService, when: When): FloorPlan {
  const known = new Set(service.tables.map(({ name }) => name))
  const hasTable = ({ tables }: BoardParty) => tables.some((name) => known.has(name))
  const { now, isToday, shift } = when
  const minute = isToday ? serviceMinute(clockAt(now, service.location.timezone)) : null
  const claims = service.parties.filter(isThere).flatMap((party): Claim[] => {
    const span = spanOf(party, service.location, minute)
    return span ? [{ party, span }] : []
  })
  // Today a zone is closed or open now, as a table is taken or free now, whatever shift is shown.
  const closedFor = isToday
    ? [shiftAt(service, clockAt(now, service.location.timezone))]
    : shift === null
      ? service.shifts.map(({ id }) => id)
      : [shift]
  const zones = [...new Set(service.tables.map(({ zone }) => zone))].map((zone): PlanZone => {
    const closing = closingOf(service, zone, closedFor)
    const tables = service.tables
      .filter((table) => table.zone === zone)
      .map((table): PlanTable => {
        const here = claims.filter(({ party }) => party.tables.includes(table.name))
        const { name, capacity, shape } = table
        return {
          ...{ name, capacity, shape, box: boxOf(table), closing },
          ...stateOf(isToday ? here : here.filter(({ party }) => isOf(party, shift)), {
            service,
            now,
            minute,
            closing,
          }),
        }
      })
    return { zone, ...cropped(tables) }
  })
  const tray = service.parties
    .filter(
      (party) => isThere(party) && !hasTable(party) && (isOf(party, shift) || (isToday && isHere(party))),
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b) || serviceMinute(a.time) - serviceMinute(b.time))
  return { zones, tray }
}

/** Who comes outside the hours of all shifts is shown in each. */
const isOf = ({ shift_id: of }: BoardParty, shift: string | null) =>
  shift === null || of === null || of === shift
const isHere = ({ status, arrived_at }: BoardParty) => status === 'seated' || arrived_at !== null
const rankOf = (party: BoardParty) => (isAtDoor(party) ? 0 : party.status === 'seated' ? 1 : 2)

/** A party that needs a table, and when. */
interface Claim {
  party: BoardParty
  span: Span
}

interface Given {
  service: BoardService
  now: Date
  minute: number | null
  closing: Closing | null
}

/** What is said of a table, from the parties that claim it. */
function stateOf(claims: readonly Claim[], given: Given) {
  const { service, now, minute, closing } = given
  const seated = claims.filter(({ party }) => party.status === 'seated' && minute !== null)
  const coming = claims
    .filter(({ party, span }) => isExpected(party) && (minute === null || span.until > minute))
    .toSorted((a, b) => a.span.from - b.span.from)
  const isNear = ({ span, party }: Claim, within: number) =>
    minute === null || span.from - minute <= within || (within > 0 && isAtDoor(party))
  // Whose time has come claims a table also while others sit there.
  const due = coming.filter((claim) => isNear(claim, seated.length > 0 ? 0 : RESERVED))
  const others = coming.filter((claim) => !due.includes(claim))
  const shown = [...seated, ...due]
  const minutes = seated.map(({ party }) => Math.max(0, minutesSeated(party, service.location, now)))
  const over = seated.map(
    ({ party }, n) => (minutes[n] ?? 0) - usualStay(party.party_size, service.location.stay_minutes),
  )
  const longest = Math.max(0, ...over)
  const next = seated.length > 0 ? others.find((claim) => isNear(claim, NAMED)) : others[0]
  const state: PlanState = isTwice(shown)
    ? 'twice'
    : seated.length > 0
      ? longest > 0
        ? 'over'
        : 'seated'
      : closing
        ? 'closed'
        : due.length > 0
          ? 'reserved'
          : 'free'
  return {
    state,
    parties: shown.map(({ party }) => party),
    minutes: minutes.length > 0 ? Math.max(...minutes) : null,
    over: longest,
    later: others.map(({ party }) => party),
    next: next?.party ?? null,
  }
}

/** Whether two of these, who do not sit together, need the table at one time. */
const isTwice = (claims: readonly Claim[]): boolean =>
  claims.some((one, n) =>
    claims
      .slice(n + 1)
      .some(
        (other) =>
          !areTogether(one.party, other.party) &&
          ((one.party.status === 'seated' && other.party.status === 'seated') ||
            overlap(one.span, other.span)),
      ),
  )

/** The tables of a zone without the empty margins of its plan. */
function cropped(tables: readonly PlanTable[]): Omit<PlanZone, 'zone'> {
  const placed = tables.flatMap((table) => (table.box ? [{ ...table, box: table.box }] : []))
  const left = Math.min(...placed.map(({ box }) => box.x))
  const top = Math.min(...placed.map(({ box }) => box.y))
  return {
    columns: Math.max(0, ...placed.map(({ box }) => box.x + box.width - left)),
    rows: Math.max(0, ...placed.map(({ box }) => box.y + box.height - top)),
    placed: placed
      .map((table) => ({ ...table, box: { ...table.box, x: table.box.x - left, y: table.box.y - top } }))
      // As they are read: row by row.
      .sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x),
    loose: tables.filter(({ box }) => box === null),
  }
}

/** Who can be chosen at a table: who is there or comes, then who comes later. */
export const claimsOf = ({ parties, later }: Pick<PlanTable, 'parties' | 'later'>): BoardParty[] => [
  ...parties,
  ...later,
]

interface Chosen {
  party: BoardParty
  moved: readonly BoardParty[]
  purpose: 'seat' | 'assign'
}

/** Whether the chosen parties have or claim a table. */
export const isOwn = (table: Pick<PlanTable, 'parties' | 'later'>, choice: Chosen | null): boolean =>
  choice?.moved.some(({ id }) => claimsOf(table).some((claim) => claim.id === id)) ?? false

/** Whether a tap on a table gives it to the chosen party, rather than choosing another one: also its own, to sit down there. */
export const givesTable = (
  table: Pick<PlanTable, 'name' | 'parties' | 'later'>,
  choice: Chosen | null,
): boolean =>
  choice !== null &&
  (!isOwn(table, choice) || (choice.purpose === 'seat' && choice.party.tables.includes(table.name)))

/** The party that is dragged from a table: the chosen one, when it claims the table, else the first that is there. */
export const draggedFrom = (
  table: Pick<PlanTable, 'parties' | 'later'>,
  choice: Chosen | null,
): BoardParty | undefined => claimsOf(table).find(({ id }) => id === choice?.party.id) ?? table.parties[0]

/** Which party a tap on a table is about, when none or one of them is chosen: the next of them, then none. */
export function partyAfter(parties: readonly BoardParty[], chosen: string | null): BoardParty | null {
  const at = parties.findIndex(({ id }) => id === chosen)
  return parties[at + 1] ?? null
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** A rectangle on the screen or on a plan. */
interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** The index of the area that is nearest in a direction; null when there is none. Straight ahead counts as nearer. */
export function nearest(areas: readonly Area[], from: Area, direction: Direction): number | null {
  const middle = ({ x, y, width, height }: Area) => ({ x: x + width / 2, y: y + height / 2 })
  const start = middle(from)
  const sign = direction === 'left' || direction === 'up' ? -1 : 1
  const isAcross = direction === 'left' || direction === 'right'
  const distances = areas.map((area) => {
    const end = middle(area)
    const [ahead, aside] = isAcross ? [end.x - start.x, end.y - start.y] : [end.y - start.y, end.x - start.x]
    const isAhead = ahead * sign > Math.abs(aside) / 4 && ahead !== 0
    return isAhead ? ahead * sign + 2 * Math.abs(aside) : Number.POSITIVE_INFINITY
  })
  const least = Math.min(...distances)
  return Number.isFinite(least) ? distances.indexOf(least) : null
}
