import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { storedInstant } from '@/lib/http/instant'
import { boundTo } from '@/lib/locations/bound-to'
import { resultsSchema } from './results-schema'
import { runSchema } from './schema'

const DAY_MS = 86_400_000

const overviewSchema = resultsSchema.omit({ from: true, to: true }).extend({
  automation_id: z.string(),
  last_run: runSchema
    .pick({ id: true, status: true, reason: true })
    .extend({ started_at: storedInstant })
    .nullable(),
})
/** What an automation brought, and its last run. */
export type AutomationOverview = z.infer<typeof overviewSchema>

/** The same figures as automationResults, and the last run, of a whole list of automations in one query; by their id. */
export async function automationsOverview(
  session: Pick<Session, 'db' | 'organization' | 'user_id'>,
  ids: readonly string[],
  days: number,
  now = new Date(),
): Promise<Map<string, AutomationOverview>> {
  if (ids.length === 0) return new Map()
  const parameters = {
    p_organization: session.organization.id,
    p_automations: [...ids],
    p_from: new Date(now.getTime() - days * DAY_MS).toISOString(),
    p_to: now.toISOString(),
    p_locations: (await boundTo(session)) ?? undefined,
  }
  const rows = z
    .array(overviewSchema)
    .parse(unwrap(await serviceDb().rpc('automations_overview', parameters)))
  return new Map(rows.map((row) => [row.automation_id, row]))
}
