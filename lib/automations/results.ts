import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { boundTo } from '@/lib/auth/session'
import { DAY_MS } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { storedInstant } from '@/lib/http/instant'
import { getAutomation } from './reads'
import { type AutomationResults, resultsSchema, runSchema } from './schema'

/**
 * What an automation's messages of the last `days` brought, in the locations the caller works in: a reservation made within
 * 30 days after a customer's last marketing message is credited to it.
 * @throws HttpError 404 when there is no such automation that the caller may see.
 */
export async function automationResults(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
  automationId: string,
  days: number,
  now = new Date(),
): Promise<AutomationResults> {
  const { id } = await getAutomation(session, automationId)
  const period = { from: new Date(now.getTime() - days * DAY_MS).toISOString(), to: now.toISOString() }
  const parameters = {
    p_organization: session.organization.id,
    p_automation: id,
    p_from: period.from,
    p_to: period.to,
    p_locations: (await boundTo(session)) ?? undefined,
  }
  const counts = unwrap(await serviceDb().rpc('results_of_automation', parameters)) as object
  return resultsSchema.parse({ ...period, ...counts })
}

const overviewSchema = resultsSchema.omit({ from: true, to: true, links: true }).extend({
  automation_id: z.string(),
  last_run: runSchema
    .pick({ id: true, status: true, reason: true })
    .extend({ started_at: storedInstant })
    .nullable(),
})
/** What an automation brought, and its last run. */
export type AutomationOverview = z.infer<typeof overviewSchema>

/** The same figures as automationResults without the links, and the last run, of a whole list of automations in one query; by their id. */
export async function automationsOverview(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
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
