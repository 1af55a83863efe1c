import 'server-only'
import { HttpError } from '@/lib/http/errors'
import type { SendingCheck } from './schema'

/**
 * Refuses what the check blocks.
 * @throws HttpError 409 with the lists of the check.
 */
export function refuseBlocked(check: SendingCheck): void {
  if (check.blocking.length > 0) throw new HttpError('CHECK_FAILED', { fields: { ...check } })
}
