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
const COOKIE = 'customer-columns'
const YEAR_S = 31_536_000

/** The columns a cookie asks for, in their usual order; the usual ones without a cookie. */
export function parseColumns(cookie: string | undefined): readonly Column[] {
  if (cookie === undefined) return USUAL
  const chosen = cookie.split('.')
  return COLUMNS.filter((column) => chosen.includes(column))
}

/** The cookie that keeps a choice. The server reads it, so that the list comes as it was left. */
export function columnsCookie(columns: readonly Column[]): string {
  return `${COOKIE}=${columns.join('.')}; path=/customers; max-age=${YEAR_S}; samesite=lax`
}

export { COOKIE as COLUMNS_COOKIE }
