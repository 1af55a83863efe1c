import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { compileTemplate } from '@/lib/messaging/render'
import { CHANNELS, factsSchema, templateSchema } from '@/lib/messaging/schema'
import { TemplateError } from '@/lib/messaging/template'
import type { AutomationPreview } from './schema'

const planSchema = z.object({
  matched: z.number(),
  skipped: z.record(z.string(), z.number()),
  held: z.number(),
  template: templateSchema,
  channel: z.enum(CHANNELS),
  customer_id: z.string().nullable(),
  facts: factsSchema.nullable(),
})

/**
 * What a manual run of the automation would do now, whatever its status. `sample` is the message as one of the
 * audience would get it, else the customer who came last; null when there is no customer at all.
 * @throws HttpError 404; 400 when the template cannot be rendered.
 */
export async function previewAutomation(
  { organization }: Pick<Session, 'organization'>,
  id: string,
  now = new Date(),
): Promise<AutomationPreview> {
  const plan = await planPreview(organization.id, id, now)
  const {
    no_address = 0,
    suppressed = 0,
    needs_template = 0,
    frequency_cap = 0,
    duplicate = 0,
  } = plan.skipped
  return {
    matched: plan.matched,
    to_send: plan.matched - no_address - suppressed - needs_template - frequency_cap - duplicate,
    held_by_quiet_hours: plan.held,
    skipped: { no_address, suppressed, needs_template, frequency_cap, duplicate },
    sample: sampleOf(plan),
  }
}

/**
 * A run's plan, its template, and facts about one customer.
 * @throws HttpError 404 when the organization has no such automation.
 */
export async function planPreview(organizationId: string, id: string, now: Date) {
  const parameters = { p_organization: organizationId, p_automation: id, p_now: now.toISOString() }
  const answer = unwrap(await serviceDb().rpc('preview_automation', parameters))
  if (answer === null) throw new HttpError(404, { error: 'Not found' })
  return planSchema.parse(answer)
}

function sampleOf({ template, channel, customer_id, facts }: z.infer<typeof planSchema>) {
  if (customer_id === null || facts === null) return null
  try {
    const content = compileTemplate(template)(channel, facts)
    return {
      customer_id,
      channel,
      subject: content.subject ?? null,
      body: content.body ?? null,
      content_sid: content.content_sid ?? null,
      content_variables: content.content_variables ?? {},
    }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new HttpError(400, { error: `template: ${error.message}` })
  }
}
