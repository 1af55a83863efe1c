/** The shapes of tables on the plan of a zone. */
export const TABLE_SHAPES = ['round', 'square', 'rectangle'] as const
export type TableShape = (typeof TABLE_SHAPES)[number]

/** The grid of a zone's plan, in cells. Checks of `dining_tables` have the same. */
export const PLAN = { columns: 40, rows: 30 } as const

/** Where a table stands on the plan of its zone, and how: `plan_x` and `plan_y` are its top left cell, null when it is not placed. */
export interface OnPlan {
  plan_x: number | null
  plan_y: number | null
  shape: TableShape
  /** A rectangle that stands upright. */
  turned: boolean
  joinable: boolean
}

/** What a new table has. */
export const NOT_PLACED: OnPlan = {
  plan_x: null,
  plan_y: null,
  shape: 'square',
  turned: false,
  joinable: true,
}
