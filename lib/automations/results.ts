import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { boundTo } from '@/lib/locations/bound-to'
import { getAutomation } from './get-automation'
import { type AutomationResults, resultsSchema } from './results-schema'

const DAY_MS = 86_400_000

/**
 * What an automation's messages of the last `days` brought, in the locations the caller works in: a reservation made within
 * 30 days after a customer's last marketing message is credited to it.
 * @throws HttpError 404 when there is no such automation that the caller may see.
 */
export async function automationResults(
  session: Pick<Session, 'db' | 'organization' | 'user_id'>,
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
