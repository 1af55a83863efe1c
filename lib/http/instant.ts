import { z } from 'zod'
import { problemAs } from '@/lib/http/issues'
import { type Cursor, decodeCursor, encodeCursor } from './cursor'

const YEAR = /^(19|20|21)\d\d-/
const isoSchema = z.iso.datetime({ offset: true }).max(40)

/** An instant in a request: ISO 8601 with an offset, between 1900 and 2199; parsed to UTC. */
export const instantInput = isoSchema
  .overwrite(toUtc)
  .refine(
    (value) => YEAR.test(value),
    problemAs('out_of_range', 'must be between 1900 and 2199', { minimum: 1900, maximum: 2199 }),
  )

/** An instant in an answer: ISO 8601 in UTC (milliseconds), from any notation of the database. */
export const instant = z.string().overwrite(toUtc).meta({ format: 'date-time' })

/** An instant in UTC with the database's microseconds. */
export const storedInstant = z.string().overwrite(isoInstant).meta({ format: 'date-time' })

/** The cursor after a row of a list ordered by an instant (as the database gives it) and the id. */
export const encodeInstantCursor = (key: string, id: string): string =>
  encodeCursor({ key: isoInstant(key), id })

/**
 * Parses such a cursor.
 * @throws HttpError 400 for an invalid cursor.
 */
export const decodeInstantCursor = (text: string): Cursor => decodeCursor(text, isInstantKey)

/** Whether a cursor's key is an instant that Postgres accepts: its offset must be less than 16 hours. */
export function isInstantKey(key: string): boolean {
  const iso = isoInstant(key)
  return YEAR.test(iso) && /(Z|[+-](0\d|1[0-5]):\d\d)$/.test(iso) && isoSchema.safeParse(iso).success
}

/** Rewrites the embedded database's notation, which has a space and a short offset. */
function isoInstant(value: string): string {
  return value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
}

function toUtc(value: string): string {
  const time = Date.parse(isoInstant(value))
  // The schema itself rejects invalid timestamps.
  return Number.isNaN(time) ? value : new Date(time).toISOString()
}
