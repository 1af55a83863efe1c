import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { refuseBound } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError, refuse } from '@/lib/http/errors'
import { assignedLocationSchema } from '@/lib/locations/schema'
import {
  type Organization,
  type organizationChangesSchema,
  organizationSchema,
  type Pending,
  pendingSchema,
} from './schema'
import { seedLocations } from './seed'

const COLUMNS =
  'id, name, slug, timezone, show_setup, frequency_cap_days, quiet_from, quiet_until, limit_marketing_to_roles, ' +
  'require_second_factor, horizon_days, keep_job_runs_days, keep_automation_runs_days, keep_webhook_receipts_days, keep_failed_rows_days, ' +
  'ai_daily_calls, ai_daily_calls_per_person, ai_daily_tokens, ai_daily_tokens_per_person, approve_above, campaign_approve_above, control_share, offer_tables_minutes, sms_price, postal_address, language, pending'

/** The caller's organization and its settings. */
export async function readOrganization(session: Pick<Session, 'db' | 'organization'>): Promise<Organization> {
  return (await answerOrganization(session)).data
}

/** The body of GET /api/organization: `pending` has the limits of approval that wait to be raised, if there are any. */
export async function answerOrganization({
  db,
  organization,
}: Pick<Session, 'db' | 'organization'>): Promise<{ data: Organization; pending?: Pending }> {
  const row = unwrap(await db.from('organizations').select(COLUMNS).eq('id', organization.id).single())
  const { pending } = z.object({ pending: pendingSchema }).parse(row)
  const data = organizationSchema.parse(row)
  return Object.keys(pending).length > 0 ? { data, pending } : { data }
}

/**
 * Changes the given settings of the caller's organization; the audit log names them. A limit of approval that is raised or
 * switched off waits for another person, the rest is saved.
 * @returns the body of the answer, and whether something waits
 * @throws HttpError 403 without canViewSettings, for people bound to locations, and for
 * `require_second_factor` without the role or the confirmation; 409 for requiring a second factor without having one.
 */
export async function changeOrganization(
  session: Pick<Session, 'db' | 'organization'>,
  changes: z.infer<typeof organizationChangesSchema>,
): Promise<{ waits: boolean; body: { data: Organization; pending?: Pending } }> {
  const outcome = unwrap(await session.db.rpc('change_organization', { p_changes: changes }))
  refuse(outcome, {
    no_second_factor: 'OWN_SECOND_FACTOR_FIRST',
    unknown_timezone: { path: 'timezone', code: 'unknown', message: 'unknown time zone' },
  })
  return { waits: outcome === 'pending', body: await answerOrganization(session) }
}

const assignedSchema = z.array(assignedLocationSchema)

/** GET /api/organization/context: the caller's organization; null, with a message, without a session. */
export function organizationContext(session: Session | null) {
  if (!session)
    return { success: true, data: null, isPlatformAdmin: false, message: 'No hay organización activa' }
  const { id, name, slug } = session.organization
  return { success: true, data: { id, name, slug, isPlatformAdminView: false }, isPlatformAdmin: false }
}

/**
 * GET /api/organization/context?view=assignments: the locations the caller works in, each with its brand.
 * @throws HttpError 401 without a session.
 */
export async function organizationAssignments(session: Session | null) {
  if (!session) throw new HttpError('UNAUTHORIZED')
  const columns =
    'id, name, city, address, brand_id, pms_id, timezone, average_spend_per_guest, count_unmarked_visits, ' +
    'quiet_from, quiet_until, is_active, stay_minutes, review_urls, known_until, brand:brands(id, name, slug)'
  const locations = assignedSchema.parse(
    unwrap(await session.db.from('locations').select(columns).order('name')),
  )
  const brandIds = new Set(locations.flatMap(({ brand_id }) => brand_id ?? []))
  return { user_id: session.user_id, locations, brand_ids: [...brandIds] }
}

/**
 * GET /api/admin/seed-locations: seeds the caller's organization with the service's rights, as the contract requires.
 * @throws HttpError 403 for people bound to locations.
 */
export async function seedForAdmin(session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>) {
  await refuseBound(session)
  return seedLocations(serviceDb(), session.organization.id)
}
