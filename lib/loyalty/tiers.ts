import 'server-only'
import { z } from 'zod'
import { refuseBound, type Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { configSchema, DEFAULT_CONFIG, type LoyaltyConfig, type Tier, tierSchema } from './schema'

/** The organization's loyalty tiers, the lowest first. */
export async function listTiers({ db }: Pick<Session, 'db'>): Promise<Tier[]> {
  return z
    .array(tierSchema)
    .parse(unwrap(await db.from('loyalty_tiers').select('id, name, rank, points_multiplier').order('rank')))
}

const rowsSchema = z.array(
  z.object({ location_id: z.string(), tier_id: z.string().nullable(), customers: z.number() }),
)
/** How many customers of a location hold a tier (null: none). */
export type TierCount = z.infer<typeof rowsSchema>[number]

/** How many customers hold each tier, at each of the caller's locations. */
export async function tierDistribution({ db }: Pick<Session, 'db'>): Promise<TierCount[]> {
  return rowsSchema.parse(unwrap(await db.rpc('loyalty_distribution')))
}

/**
 * The stored programme, or the default tiers. Reading needs no session (the contract checks none); without
 * one it returns the programme of the deployment's organization.
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
 * Stores the programme, updates the tiers accordingly, and returns the stored record.
 * @throws HttpError 403 for people bound to locations.
 */
export async function writeConfig(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
  config: LoyaltyConfig,
): Promise<LoyaltyConfig> {
  await refuseBound(session)
  const parameters = { p_organization: session.organization.id, p_tiers: config.tiers }
  return configSchema.parse(unwrap(await serviceDb().rpc('save_loyalty_config', parameters)))
}
