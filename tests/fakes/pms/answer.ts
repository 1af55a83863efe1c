import { bulkTruths } from './bulk'
import { addDays, dayNumber, isDate } from './calendar'
import type { Fault } from './faults'
import { malformedRows } from './malformed'
import type { TruthRow } from './types'
import type { World } from './world'

const MAX_DAYS = 800

export interface ReservationQuery {
  slug: string
  from: string
  to: string
  page: number
}

/** What goes out: all rows of the page, and the truth of those that are the world's own. */
export interface Page {
  rows: unknown[]
  truths: TruthRow[]
}

/** Whether a window is two real dates in order, at most 800 days apart. */
export function isWindow(from: string, to: string): boolean {
  if (!isDate(from) || !isDate(to)) return false
  const days = dayNumber(to) - dayNumber(from)
  return days >= 0 && days < MAX_DAYS
}

/** One page of a venue's reservations in a window; the faults `large` and `malformed_rows` change what is in it. */
export function reservationPage(
  world: World,
  query: ReservationQuery,
  fault: Fault | null,
  pageSize: number,
): Page {
  const good = fault?.kind === 'large' ? largeWindow(world, query, fault.rows) : wholeWindow(world, query)
  let items: { row: unknown; truth: TruthRow | null }[] = good.map((truth) => ({ row: truth.row, truth }))
  if (fault?.kind === 'malformed_rows') {
    const shape = world.venues.find((venue) => venue.slug === query.slug)?.shape ?? 'external'
    const rows = fault.rows ?? malformedRows(query.slug, shape, query.from)
    const bad = rows.map((row) => ({ row, truth: null }))
    const middle = Math.ceil(bad.length / 2)
    items = [...bad.slice(0, middle), ...items, ...bad.slice(middle)]
  }
  const page = items.slice(query.page * pageSize, (query.page + 1) * pageSize)
  return { rows: page.map((item) => item.row), truths: page.flatMap((item) => item.truth ?? []) }
}

function wholeWindow(world: World, { slug, from, to }: ReservationQuery): TruthRow[] {
  const days = dayNumber(to) - dayNumber(from) + 1
  return Array.from({ length: days }, (_, day) => world.truth(slug, addDays(from, day))).flat()
}

function largeWindow(world: World, { slug, from, to }: ReservationQuery, count: number): TruthRow[] {
  const days = dayNumber(to) - dayNumber(from) + 1
  return bulkTruths({ seed: world.seed, slug, from, count, people: world.people, days })
}
