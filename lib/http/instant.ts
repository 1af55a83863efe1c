import { z } from 'zod'
import { problemAs } from '@/lib/http/issues'
import { type Cursor, decodeCursor, encodeCursor } from './cursor'

const YEAR = /^(19|20|21)\d\d-/
const isoSchema = z.iso.datetime({ offset: true }).max(40)

/** An instant of a request: ISO 8601 with an offset, between 1900 and 2199. Comes out in UTC. */
export const instantInput = isoSchema
  .overwrite(toUtc)
  .refine(
    (value) => YEAR.test(value),
    problemAs('out_of_range', 'must be between 1900 and 2199', { minimum: 1900, maximum: 2199 }),
  )

/** An instant of an answer: ISO 8601 in UTC (milliseconds), whatever the database's notation. */
export const instant = z.string().overwrite(toUtc).meta({ format: 'date-time' })

/** The same to the microsecond, as the database has it. */
export const storedInstant = z.string().overwrite(isoInstant).meta({ format: 'date-time' })

/** The cursor after a row of a list ordered by an instant (as the database gives it) and the id. */
export const encodeInstantCursor = (key: string, id: string): string =>
  encodeCursor({ key: isoInstant(key), id })

/**
 * Reads it back.
 * @throws HttpError 400 when it is not one of ours.
 */
export const decodeInstantCursor = (text: string): Cursor => decodeCursor(text, isInstantKey)

/** Whether a cursor's key is an instant that Postgres takes: it knows no offset of 16 hours or more. */
export function isInstantKey(key: string): boolean {
  const iso = isoInstant(key)
  return YEAR.test(iso) && /(Z|[+-](0\d|1[0-5]):\d\d)$/.test(iso) && isoSchema.safeParse(iso).success
}

/** The embedded database leaves a space and a short offset. */
function isoInstant(value: string): string {
  return value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
}

function toUtc(value: string): string {
  const time = Date.parse(isoInstant(value))
  // The schema itself rejects invalid timestamps.
  return Number.isNaN(time) ? value : new Date(time).toISOString()
}
