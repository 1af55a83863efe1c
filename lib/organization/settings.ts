import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/refusals'
import { NO_SECOND_FACTOR } from './operations'
import { type Organization, type organizationChangesSchema, organizationSchema } from './schema'

const COLUMNS =
  'id, name, slug, frequency_cap_days, quiet_from, quiet_until, limit_marketing_to_roles, require_second_factor, ' +
  'horizon_days, keep_job_runs_days, keep_automation_runs_days, keep_webhook_receipts_days, keep_failed_rows_days, ' +
  'ai_daily_calls, ai_daily_calls_per_person, ai_daily_tokens, ai_daily_tokens_per_person, approve_above'

/** The caller's organization and its settings. */
export async function readOrganization({
  db,
  organization,
}: Pick<Session, 'db' | 'organization'>): Promise<Organization> {
  return organizationSchema.parse(
    unwrap(await db.from('organizations').select(COLUMNS).eq('id', organization.id).single()),
  )
}

/**
 * Changes the given settings of the caller's organization; the audit log names them.
 * @throws HttpError 403 without canViewSettings, for someone bound to locations, and who may not change
 * `require_second_factor` or must confirm it; 409 for someone who requires of others what they do not have.
 */
export async function changeOrganization(
  session: Pick<Session, 'db' | 'organization'>,
  changes: z.infer<typeof organizationChangesSchema>,
): Promise<Organization> {
  const outcome = unwrap(await session.db.rpc('change_organization', { p_changes: changes }))
  refuse(outcome, { forbidden: [403, 'Forbidden'], no_second_factor: [409, NO_SECOND_FACTOR] })
  return readOrganization(session)
}
