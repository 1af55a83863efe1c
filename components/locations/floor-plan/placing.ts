import { type Box, inPlan } from '@/components/tables/plan-geometry'
import { PLAN } from '@/lib/locations/plan'

/** The size of a table in cells. */
export type Size = Pick<Box, 'width' | 'height'>

/** The cells of a box by their number: rows from the top, columns from the left. Cells out of the plan are left out. */
function cellsOf({ x, y, width, height }: Box): number[] {
  const cells: number[] = []
  for (let row = Math.max(0, y); row < Math.min(PLAN.rows, y + height); row++)
    for (let column = Math.max(0, x); column < Math.min(PLAN.columns, x + width); column++)
      cells.push(row * PLAN.columns + column)
  return cells
}

const takenCells = (taken: readonly Box[]) => new Set(taken.flatMap(cellsOf))
const isClear = (box: Box, cells: ReadonlySet<number>) => cellsOf(box).every((cell) => !cells.has(cell))
const isWithin = ({ x, y, width, height }: Box) =>
  x >= 0 && y >= 0 && x + width <= PLAN.columns && y + height <= PLAN.rows

/** Whether a table may stand there: within the plan, and on no cell of another one. */
export const isFree = (box: Box, taken: readonly Box[]): boolean =>
  isWithin(box) && isClear(box, takenCells(taken))

/** Every place of the plan for a table of that size, row by row. */
function placesFor({ width, height }: Size): Box[] {
  const places: Box[] = []
  for (let y = 0; y + height <= PLAN.rows; y++)
    for (let x = 0; x + width <= PLAN.columns; x++) places.push({ x, y, width, height })
  return places
}

/** The free place nearest to the one that is wanted; null when the plan is full. */
export function nearestFree(wanted: Box, taken: readonly Box[]): Box | null {
  const cells = takenCells(taken)
  const far = (place: Box) => (place.x - wanted.x) ** 2 + (place.y - wanted.y) ** 2
  const free = placesFor(wanted).filter((place) => isClear(place, cells))
  return free.reduce<Box | null>((best, place) => (best && far(best) <= far(place) ? best : place), null)
}

/** The next free place in a direction, beyond the tables in the way; null when there is none before the edge. */
export function nextFree(from: Box, dx: number, dy: number, taken: readonly Box[]): Box | null {
  const cells = takenCells(taken)
  let place = { ...from, x: from.x + dx, y: from.y + dy }
  while (isWithin(place)) {
    if (isClear(place, cells)) return place
    place = { ...place, x: place.x + dx, y: place.y + dy }
  }
  return null
}

/**
 * Free places for tables in rows, in their order: with a cell between them, or side by side when more find a place then.
 * @returns a place or null for each, when the plan is full
 */
export function placeInRows(sizes: readonly Size[], taken: readonly Box[]): (Box | null)[] {
  const apart = fill(sizes, taken, 1)
  if (!apart.includes(null)) return apart
  const close = fill(sizes, taken, 0)
  const count = (places: typeof close) => places.filter(Boolean).length
  return count(close) > count(apart) ? close : apart
}

function fill(sizes: readonly Size[], taken: readonly Box[], space: number): (Box | null)[] {
  const cells = takenCells(taken)
  return sizes.map((size) => {
    const place = placesFor(size).find((each) => isClear(around(each, space), cells)) ?? null
    if (place) for (const cell of cellsOf(place)) cells.add(cell)
    return place
  })
}

const around = ({ x, y, width, height }: Box, space: number): Box => ({
  ...{ x: x - space, y: y - space },
  ...{ width: width + 2 * space, height: height + 2 * space },
})

/** Whether each box shares a cell with another one. */
export function overlapping(boxes: readonly Box[]): boolean[] {
  const counts = new Map<number, number>()
  for (const cell of boxes.flatMap(cellsOf)) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  return boxes.map((box) => cellsOf(box).some((cell) => (counts.get(cell) ?? 0) > 1))
}

/** A table that gets another size: where it stands, or at the nearest free place. */
export function resized(box: Box, { width, height }: Size, taken: readonly Box[]): Box | null {
  const wanted = inPlan({ ...box, width, height })
  return isFree(wanted, taken) ? wanted : nearestFree(wanted, taken)
}
