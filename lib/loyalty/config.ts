import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { refuseBound } from '@/lib/locations/bound-to'
import { configSchema, DEFAULT_CONFIG, type LoyaltyConfig } from './schema'

/**
 * The stored programme, or the default tiers. Reading needs no session (the contract checks nothing); without
 * one it is that of the deployment's organization.
 */
export async function readConfig(session: Session | null): Promise<LoyaltyConfig> {
  const query = (session?.db ?? serviceDb())
    .from('loyalty_configs')
    .select('tiers')
    .order('organization_id')
    .limit(1)
  const stored = unwrap(await query.maybeSingle())
  return stored ? configSchema.parse(stored) : DEFAULT_CONFIG
}

/**
 * Stores the programme, brings the tiers in line with it, and answers the stored record.
 * @throws HttpError 403 for someone bound to locations.
 */
export async function writeConfig(
  session: Pick<Session, 'db' | 'organization' | 'user_id'>,
  config: LoyaltyConfig,
): Promise<LoyaltyConfig> {
  await refuseBound(session)
  const parameters = { p_organization: session.organization.id, p_tiers: config.tiers }
  return configSchema.parse(unwrap(await serviceDb().rpc('save_loyalty_config', parameters)))
}
