import { HttpError } from './errors'
import { parseJson } from './json'
import { isStorable } from './storable'

const MAX_KEY = 300

/** The cursor of a list ordered by one unique key, such as a name. */
export const encodeKey = (key: string): string => Buffer.from(JSON.stringify([key])).toString('base64url')

/**
 * Reads such a cursor back.
 * @throws HttpError 400 when it is not one of ours.
 */
export function decodeKey(text: string): string {
  try {
    const [key] = parseJson(Buffer.from(text, 'base64url').toString('utf8')) as unknown[]
    if (typeof key === 'string' && key.length <= MAX_KEY && isStorable(key)) return key
  } catch {
    // Answered below: not ours.
  }
  throw new HttpError(400, { error: 'Malformed cursor' })
}
