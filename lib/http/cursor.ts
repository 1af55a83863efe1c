import { HttpError } from './errors'
import { isStorable, parseJson } from './json'

/** A position in a list ordered by one sort key and the id: the last row of the page before. */
export interface Cursor {
  key: string
  id: string
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
// Sort keys are names, numbers, dates and times. Quotes and backslashes would end the filter's quoting.
const isPlain = (key: string) => /^[^"\\\0]{0,300}$/.test(key) && key.isWellFormed()

/** The opaque text of a cursor. */
export function encodeCursor({ key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([key, id])).toString('base64url')
}

/**
 * Parses a cursor. `isKey` checks that the key is a value of the list's sort column: a client can invent a cursor, and
 * Postgres fails on a key that is not a date where it expects one.
 * @throws HttpError 400 for an invalid cursor.
 */
export function decodeCursor(text: string, isKey: (key: string) => boolean = isPlain): Cursor {
  try {
    const [key, id] = parseJson(Buffer.from(text, 'base64url').toString('utf8')) as unknown[]
    if (typeof key === 'string' && isKey(key) && typeof id === 'string' && UUID.test(id)) return { key, id }
  } catch {
    // Refused below.
  }
  throw new HttpError('MALFORMED_CURSOR')
}

/** The PostgREST `or` filter for the rows after a cursor. Combine it with a bound on the key, for the index. */
export function afterCursor(column: string, { key, id }: Cursor, ascending: boolean): string {
  const operator = ascending ? 'gt' : 'lt'
  return `${column}.${operator}."${key}",and(${column}.eq."${key}",id.${operator}.${id})`
}

/** A page of `rows`, which were read with one more than `limit`: only then is there a next page, after the last row of this one. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  cursorOf: (last: T) => string,
): { data: T[]; next_cursor: string | null } {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { data: rows.slice(0, limit), next_cursor: last === undefined ? null : cursorOf(last) }
}

const MAX_KEY = 300

/** The cursor of a list ordered by one unique key, such as a name. */
export const encodeKey = (key: string): string => Buffer.from(JSON.stringify([key])).toString('base64url')

/**
 * Parses such a cursor.
 * @throws HttpError 400 for an invalid cursor.
 */
export function decodeKey(text: string): string {
  try {
    const [key] = parseJson(Buffer.from(text, 'base64url').toString('utf8')) as unknown[]
    if (typeof key === 'string' && key.length <= MAX_KEY && isStorable(key)) return key
  } catch {
    // Refused below.
  }
  throw new HttpError('MALFORMED_CURSOR')
}
