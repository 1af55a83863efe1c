import { PLAN, type TableShape } from '@/lib/locations/plan'

/** A rectangle of cells on a plan; `x` and `y` are its top left cell, from 0. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

interface Look {
  /** Guests it seats; null when unknown, which is drawn as 4. */
  capacity: number | null
  shape: TableShape
  /** A rectangle that stands upright. */
  turned: boolean
}

interface Placed extends Look {
  plan_x: number | null
  plan_y: number | null
}

const LONGEST = 12

/** The size of a table on the plan, in cells: squares and round tables of 2 to 4 cells, rectangles two cells wide. */
export function sizeOf({ capacity, shape, turned }: Look): Pick<Box, 'width' | 'height'> {
  const seats = capacity ?? 4
  if (shape !== 'rectangle') {
    const side = seats <= 4 ? 2 : seats <= 8 ? 3 : 4
    return { width: side, height: side }
  }
  // A guest at each end, the others opposite each other.
  const long = Math.min(LONGEST, Math.max(3, Math.ceil(seats / 2) + 1))
  return turned ? { width: 2, height: long } : { width: long, height: 2 }
}

/** A box moved into the plan, when it stands out of it. */
export const inPlan = ({ x, y, width, height }: Box): Box => ({
  ...{ width, height },
  x: Math.max(0, Math.min(x, PLAN.columns - width)),
  y: Math.max(0, Math.min(y, PLAN.rows - height)),
})

/** Where a table stands on the plan of its zone, in cells; null when it is not placed. */
export const boxOf = (table: Placed): Box | null =>
  table.plan_x === null || table.plan_y === null
    ? null
    : inPlan({ x: table.plan_x, y: table.plan_y, ...sizeOf(table) })

/** Whether two tables stand on the same cell. */
export const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** The distance between the edges of two tables, in cells; 0 when they touch or overlap. */
export const distance = (a: Box, b: Box): number =>
  Math.hypot(
    Math.max(0, a.x - b.x - b.width, b.x - a.x - a.width),
    Math.max(0, a.y - b.y - b.height, b.y - a.y - a.height),
  )
