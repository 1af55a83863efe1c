import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from './errors'

const LIMIT = 10
const WINDOW_SECONDS = 60

/**
 * Counts one request of the key (10 a minute, kept in Postgres, so it holds across instances). Only the 500 keys used
 * last are kept: for people signed in. Callers without a session could invent keys; theirs is `takeAttempts`.
 * @throws HttpError 429 `Rate limit exceeded` with Retry-After (seconds).
 */
export async function takeRateLimit(key: string): Promise<void> {
  const parameters = { p_key: key, p_limit: LIMIT, p_seconds: WINDOW_SECONDS }
  const wait = unwrap(await serviceDb().rpc('take_rate_limit', parameters)) ?? 0
  if (wait > 0) throw new HttpError(429, { error: 'Rate limit exceeded' }, { 'Retry-After': String(wait) })
}
