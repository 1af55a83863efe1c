import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from './errors'

const LIMIT = 10
const WINDOW_SECONDS = 60

/**
 * Counts one request of the key (10 a minute, kept in Postgres, so it holds across instances). Only the 500 most
 * recently used keys are kept, so it is for signed-in people. Callers without a session could invent keys: use
 * `takeAttempts`.
 * @throws HttpError 429 `Rate limit exceeded` with Retry-After (seconds).
 */
export async function takeRateLimit(key: string): Promise<void> {
  const parameters = { p_key: key, p_limit: LIMIT, p_seconds: WINDOW_SECONDS }
  refuseFor(unwrap(await serviceDb().rpc('take_rate_limit', parameters)))
}

/** The number of attempts per key in a window of some seconds. */
export interface Attempts {
  seconds: number
  most: Readonly<Record<string, number>>
}

/**
 * Counts an attempt for each of the keys. Unlike `takeRateLimit`, keys expire only by time and are never pushed out by
 * other keys, so it also works for callers without a session, who can invent keys.
 * @throws HttpError 429 `Rate limit exceeded` with Retry-After (seconds).
 */
export async function takeAttempts({ seconds, most }: Attempts): Promise<void> {
  const parameters = { p_keys: Object.keys(most), p_limits: Object.values(most), p_seconds: seconds }
  refuseFor(unwrap(await serviceDb().rpc('take_attempts', parameters)))
}

/** The limit of previews and counts: 60 a minute a person, all kinds together. */
export const previewsOf = ({ user_id }: { user_id: string }): Attempts => ({
  seconds: WINDOW_SECONDS,
  most: { [`previews:${user_id}`]: 60 },
})

/** @throws HttpError 429 when there are seconds to wait. */
export function refuseFor(seconds: number | null): void {
  if (seconds) throw new HttpError('RATE_LIMITED', { headers: { 'Retry-After': String(seconds) } })
}
