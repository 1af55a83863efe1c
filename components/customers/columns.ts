/** The columns of the customer list that a person may show or hide; the name is always there. */
export const COLUMNS = [
  'contact',
  'tier',
  'visits',
  'spend',
  'points',
  'lastVisit',
  'location',
  'tags',
  'birthday',
  'company',
  'source',
  'created',
  'consent',
] as const
export type Column = (typeof COLUMNS)[number]

const USUAL: readonly Column[] = ['contact', 'tier', 'visits', 'spend', 'lastVisit', 'location']
/** The name of the cookie with the columns a person chose, for `parseColumns`. */
export const COLUMNS_COOKIE = 'customer-columns'

/** Returns the columns of a cookie in their usual order; the default columns without a cookie. */
export function parseColumns(cookie: string | undefined): readonly Column[] {
  if (cookie === undefined) return USUAL
  const chosen = cookie.split('.')
  return COLUMNS.filter((column) => chosen.includes(column))
}

/** Returns the cookie's value, which the server reads. A dot stands for no columns. */
export const columnsValue = (columns: readonly Column[]) => columns.join('.') || '.'
