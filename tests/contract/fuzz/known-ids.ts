import type { World } from '../world'

/** Ids that exist, by the field, parameter or resource that takes them; some are another organization's. */
export async function idsOf(world: World): Promise<Record<string, string[]>> {
  const some = async (table: string) => {
    const rows = await world.stack.sql<{ id: string }>(
      `select id::text from ${table.includes('.') ? table : `public.${table}`} order by random() limit 20`,
    )
    return rows.map(({ id }) => id)
  }
  const tables = {
    location_id: 'locations',
    locationId: 'locations',
    'locations.id': 'locations',
    tier_id: 'loyalty_tiers',
    tier: 'loyalty_tiers',
    customer_id: 'customers',
    duplicate_id: 'customers',
    'customers.id': 'customers',
    'reservations.id': 'reservations',
    brand_id: 'brands',
    'brands.id': 'brands',
    assignee_id: 'profiles',
    'team.id': 'profiles',
    automation_id: 'automations',
    'automations.id': 'automations',
    run_id: 'automation_runs',
    runId: 'automation_runs',
    closingId: 'closed_days',
    'calendar-events.id': 'calendar_events',
    'tickets.id': 'tickets',
    'imports.id': 'import_runs',
    'invitations.id': 'invitations',
    'messages.id': 'messages',
    'sessions.id': 'auth.sessions',
    'tokens.id': 'private.api_tokens',
  }
  const names = Object.entries(tables)
  const ids = await Promise.all(names.map(([, table]) => some(table)))
  return Object.fromEntries(names.map(([name], index) => [name, ids[index] ?? []]))
}
