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
/** Keeps which columns a person chose, for `parseColumns`. */
export const COLUMNS_COOKIE = 'customer-columns'

/** The columns a cookie asks for, in their usual order; the usual ones without a cookie. */
export function parseColumns(cookie: string | undefined): readonly Column[] {
  if (cookie === undefined) return USUAL
  const chosen = cookie.split('.')
  return COLUMNS.filter((column) => chosen.includes(column))
}

/** The value of that cookie, which the server reads; a dot stands for no column at all. */
export const columnsValue = (columns: readonly Column[]) => columns.join('.') || '.'
