import type { SupabaseClient } from '@supabase/supabase-js'
import type { Session } from '@/lib/auth/session'
import type { Database } from '@/lib/db/database.types'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { savePmsConfig } from '@/lib/integrations/save-pms-config'
import type { Role } from '@/lib/permissions'
import { newSecret } from '@/lib/secret'
import type { Stack } from '../support/stack'
import { join, stackClient } from './account'

export { CHOSEN, PASSWORD, stackClient } from './account'
export const PMS_KEY = 'pms-key-/5c1f$ü'

export interface NewLocation {
  name: string
  slug: string | null
  timezone?: string
  averageSpend?: number | null
}

/** A restaurant group with one brand and the given locations. */
export interface Group {
  id: string
  /** As a session of the group has it, without the names. */
  organization: Session['organization']
  locations: { id: string; name: string; slug: string }[]
  /** Signs up a person by invitation and signs them in; `locationIds` binds them to locations. */
  person: (role: Role, locationIds?: string[]) => Promise<Person>
}

/** Someone who works there: their own client, RLS applies. */
export interface Person {
  id: string
  email: string
  db: SupabaseClient<Database>
}

/** The claims of a person's token, as JSON: what raw SQL sets to act as them. */
export async function claimsOf({ db }: Pick<Person, 'db'>): Promise<string> {
  const { data } = await db.auth.getSession()
  return Buffer.from(data.session?.access_token.split('.')[1] ?? '', 'base64url').toString()
}

/** At the end of the marketing e-mails of every group of the tests. */
export const POSTAL_ADDRESS = 'Calle de la Prueba 1, 28013 Madrid'

let count = 0

/** Makes a group as the service would; ids come back so that tests need not guess. */
export async function createGroup(stack: Stack, name: string, locations: NewLocation[] = []): Promise<Group> {
  const service = stackClient(stack, 'service')
  const slug = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${++count}`
  const organization = await service
    .from('organizations')
    .insert({ name, slug, postal_address: POSTAL_ADDRESS })
    .select('id')
    .single()
    .throwOnError()
  const organization_id = organization.data.id
  const brand = await service
    .from('brands')
    .insert({ organization_id, name, slug })
    .select('id')
    .single()
    .throwOnError()
  const rows = locations.map((location) => ({
    organization_id,
    brand_id: brand.data.id,
    name: location.name,
    pms_id: location.slug,
    timezone: location.timezone ?? 'Europe/Madrid',
    average_spend_per_guest: location.averageSpend === undefined ? 30 : location.averageSpend,
  }))
  const made = await service.from('locations').insert(rows).select('id, name, pms_id').throwOnError()
  return groupWith(stack, organization_id, made.data)
}

/** A group that is there already, with these of its locations. */
export function groupWith(
  stack: Stack,
  id: string,
  locations: readonly { id: string; name: string; pms_id: string | null }[],
): Group {
  const service = stackClient(stack, 'service')
  return {
    id,
    organization: { id, name: '', slug: '', timezone: TIME_ZONE },
    locations: locations.map((location) => ({ ...location, slug: location.pms_id ?? '' })),
    person: (role, locationIds = homeOf(role, locations)) => hire(stack, service, id, role, locationIds),
  }
}

/** The default locations of a person: floor staff in the first location, others everywhere. */
const homeOf = (role: Role, locations: readonly { id: string }[]): string[] =>
  role === 'sala' ? locations.slice(0, 1).map(({ id }) => id) : []

/** Puts an invitation there; what Auth's sign-up needs to redeem it. */
export async function inviteWithToken(
  service: SupabaseClient<Database>,
  invitation: Database['public']['Tables']['invitations']['Insert'],
) {
  const { secret: token, hash } = newSecret()
  await service
    .from('invitations')
    .insert({ ...invitation, token_hash: hash })
    .throwOnError()
  return { data: { invitation_token: token } }
}

async function hire(
  stack: Stack,
  service: SupabaseClient<Database>,
  organization_id: string,
  role: Role,
  location_ids: string[],
): Promise<Person> {
  const email = `${role}-${++count}@equipo.example`
  const options = await inviteWithToken(service, { organization_id, email, role, location_ids })
  const db = stackClient(stack, 'anon')
  const { user } = await join(stack, db, email, options.data)
  return { id: user.id, email, db }
}

/** Enables the group's PMS integration, its key encrypted as the app does. */
export async function connectPms(
  stack: Stack,
  groupId: string,
  baseUrl: string,
  apiKey = PMS_KEY,
): Promise<void> {
  const settings = { organizationId: groupId, baseUrl, apiKey, venueId: 'tests' }
  await savePmsConfig(stackClient(stack, 'service'), settings, [stack.keys.secretsKey])
}

/** Sets a location's loyalty rules by tier name: `{ Plata: { min_spend, min_visits } }`. */
export async function setRules(
  stack: Stack,
  locationId: string,
  rules: Record<string, { min_spend: number; min_visits: number }>,
): Promise<void> {
  for (const [tier, { min_spend, min_visits }] of Object.entries(rules)) {
    await stack.sql(
      `insert into public.loyalty_rules (location_id, tier_id, min_spend, min_visits)
       select l.id, t.id, $3, $4 from public.locations l
       join public.loyalty_tiers t on t.organization_id = l.organization_id and t.name = $2 where l.id = $1`,
      [locationId, tier, min_spend, min_visits],
    )
  }
}
