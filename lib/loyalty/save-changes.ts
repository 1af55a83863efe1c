import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { FOREIGN_LOCATION } from './foreign-location'
import { flat, type RuleChange } from './grid-schema'

const REFUSALS: Record<string, [status: number, error: string]> = {
  forbidden: [403, 'Forbidden'],
  unknown_location: [403, FOREIGN_LOCATION],
  unknown_tier: [400, 'changes: Unknown tier'],
}

/**
 * Changes rules of several locations, all or none. Customers keep their tiers until they are next evaluated.
 * @throws HttpError 403 for a location the caller does not work in, 400 for an unknown tier.
 */
export async function saveChanges({ db }: Pick<Session, 'db'>, changes: readonly RuleChange[]) {
  const outcome = unwrap(await db.rpc('save_loyalty_changes', { p_changes: flat(changes) }))
  if (outcome === 'saved') return { success: true }
  const [status, error] = REFUSALS[outcome ?? ''] ?? [500, String(outcome)]
  throw new HttpError(status, { error })
}
