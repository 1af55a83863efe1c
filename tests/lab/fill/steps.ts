/** One statement of the growth; a named one is reported with its time. */
export interface Step {
  sql: string
  values?: unknown[]
  name?: string
}
