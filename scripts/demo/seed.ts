import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { seedLocations } from '@/lib/organization/seed'
import { newSecret } from '@/lib/secret'
import { fold } from '@/lib/text/fold'
import { savePmsConfig } from '../../lib/integrations/save-pms-config'
import { seedCampaigns } from './campaigns'
import { seedControlGroup } from './control-groups'
import { seedConversations } from './conversations'
import { seedDesk } from './desk'
import { seedDuplicates } from './duplicates'
import { seedFeedback } from './feedback'
import { seedHistory } from './history'
import { seedHours } from './hours'
import { seedMessages } from './messages'
import { seedSegments } from './segments'
import { type SeededLocation, type Service, serviceClient } from './service-client'
import { appEnvironment, type DemoSettings } from './settings'
import { DEMO_PASSWORD, DEMO_STAFF } from './staff'

export const SLUG = 'grupo-alborada'
const TIERS = ['Bronce', 'Plata', 'Oro', 'Platino']
// Minimum spend (EUR) and visits of each tier, by the location's average spend.
const RULES = [
  { spend: 0, visits: 1 },
  { spend: 12, visits: 4 },
  { spend: 30, visits: 9 },
  { spend: 70, visits: 18 },
]

/** Fills an empty stack with the demo group and twelve months of history, messages and a full desk; does nothing when it is there. */
export async function seedDemo(settings: DemoSettings): Promise<void> {
  const db = serviceClient(settings)
  const found = await db.from('organizations').select('id').eq('slug', SLUG).throwOnError()
  const marker = join(settings.dataDir, 'seeded')
  if (found.data.length > 0) {
    if (existsSync(marker)) return
    throw new Error(`The demo data in ${settings.dataDir} is incomplete. Remove that folder and start again.`)
  }
  console.log('Seeding the demo: three brands, five locations, twelve months of history …')
  const organization = await db
    .from('organizations')
    .insert({
      name: 'Grupo Alborada',
      slug: SLUG,
      timezone: settings.timezone,
      show_setup: false,
      postal_address: 'Calle del Alba 14, 28004 Madrid',
    })
    .select('id')
    .single()
    .throwOnError()
  const id = organization.data.id
  const locations = await openRestaurants(db, id, settings.timezone)
  await seedRules(db, id, locations)
  await seedHours(db, id, locations)
  const pms = {
    organizationId: id,
    baseUrl: `http://127.0.0.1:${settings.pmsPort}`,
    apiKey: settings.pmsKey,
    venueId: null,
  }
  await savePmsConfig(db, pms, [settings.keys.secretsKey])
  await seedStaff(db, id, locations, settings)
  await seedHistory(db, id, locations, settings.scale)
  await seedMessages(db, id, locations)
  await seedFeedback(db, id)
  await seedDuplicates(db, id)
  await seedDesk(db, id, locations)
  await seedConversations(db, id)
  await seedSegments(db, id)
  await seedControlGroup(db, id)
  await seedCampaigns(db, id)
  writeFileSync(marker, '')
}

async function openRestaurants(db: Service, organization_id: string, timezone: string) {
  await seedLocations(db, organization_id)
  const mainland = { organization_id, timezone: TIME_ZONE }
  await db.from('locations').update({ timezone }).match(mainland).throwOnError()
  const opened = await db
    .from('locations')
    .select('id, name, average_spend_per_guest, timezone')
    .eq('organization_id', organization_id)
    .throwOnError()
  for (const { id, name } of opened.data)
    await db
      .from('locations')
      .update({ review_urls: reviewPages(name) })
      .eq('id', id)
      .throwOnError()
  return opened.data
}

/** Made-up pages of a restaurant on two review sites. */
function reviewPages(name: string): string[] {
  const slug = fold(name).replaceAll(/[^a-z0-9]+/g, '-')
  return [
    `https://search.google.com/local/writereview?placeid=demo-${slug}`,
    `https://www.tripadvisor.es/UserReviewEdit-demo-${slug}.html`,
  ]
}

async function seedRules(db: Service, organizationId: string, locations: SeededLocation[]): Promise<void> {
  const tiers = await db
    .from('loyalty_tiers')
    .select('id, name')
    .eq('organization_id', organizationId)
    .throwOnError()
  const rows = locations.flatMap((location) =>
    tiers.data.map((tier) => {
      const rule = RULES[TIERS.indexOf(tier.name)] ?? { spend: 0, visits: 0 }
      const min_spend = rule.spend * (location.average_spend_per_guest ?? 0)
      return { location_id: location.id, tier_id: tier.id, min_spend, min_visits: rule.visits }
    }),
  )
  await db.from('loyalty_rules').upsert(rows).throwOnError()
}

async function seedStaff(
  db: Service,
  organization_id: string,
  locations: readonly { id: string; name: string }[],
  settings: DemoSettings,
): Promise<void> {
  const invited = DEMO_STAFF.map((person) => ({ ...person, ...newSecret() }))
  await db
    .from('invitations')
    .insert(
      invited.map(({ secret: _, hash, location, ...person }) => ({
        ...person,
        organization_id,
        location_ids: locations.filter(({ name }) => name === location).map(({ id }) => id),
        token_hash: hash,
      })),
    )
    .throwOnError()
  const visitor = createClient(appEnvironment(settings).SUPABASE_URL ?? '', settings.keys.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  for (const { email, secret } of invited) {
    const options = { data: { invitation_token: secret } }
    const { error } = await visitor.auth.signUp({ email, password: DEMO_PASSWORD, options })
    if (error) throw error
  }
}
