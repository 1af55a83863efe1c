import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from './errors'

/** How many times each key may in a window of so many seconds. */
export interface Attempts {
  seconds: number
  most: Readonly<Record<string, number>>
}

/**
 * Counts an attempt of every key. Unlike `takeRateLimit` it forgets by time only: other keys never push one out, so it
 * is the limit for callers without a session, who can invent keys.
 * @throws HttpError 429 `Rate limit exceeded` with Retry-After (seconds).
 */
export async function takeAttempts({ seconds, most }: Attempts): Promise<void> {
  const parameters = { p_keys: Object.keys(most), p_limits: Object.values(most), p_seconds: seconds }
  refuseFor(unwrap(await serviceDb().rpc('take_attempts', parameters)))
}

/** @throws HttpError 429 when there are seconds to wait. */
export function refuseFor(seconds: number | null): void {
  if (seconds) throw new HttpError(429, { error: 'Rate limit exceeded' }, { 'Retry-After': String(seconds) })
}
