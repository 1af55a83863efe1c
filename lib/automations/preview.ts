import 'server-only'
import { z } from 'zod'
import { boundTo, type Session } from '@/lib/auth/session'
import { personName } from '@/lib/customers/person-name'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { withUnsubscribe } from '@/lib/email-design/render'
import { exampleSurveyUrl } from '@/lib/feedback/survey-link'
import { HttpError, invalidInput } from '@/lib/http/errors'
import { closedChannels, providersFor } from '@/lib/messaging/providers'
import { byPlanReason } from '@/lib/messaging/reasons'
import { CHANNELS, type Content, factsSchema, templateSchema } from '@/lib/messaging/schema'
import { type Rendering, renderMessages, TemplateError } from '@/lib/messaging/template'
import { checkAutomation } from './check'
import { getAutomation } from './reads'
import type { AutomationDraft, AutomationPreview } from './schema'

const planSchema = z.object({
  matched: z.number(),
  skipped: z.record(z.string(), z.number()),
  held: z.number(),
  template: templateSchema,
  kind: z.enum(['marketing', 'transactional']),
  channel: z.enum(CHANNELS),
  customer_id: z.string().nullable(),
  facts: factsSchema.nullable(),
})

/** Who asks: someone bound to locations gets the plan as far as it concerns these. */
type Planner = Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>

/** What a run would do: counts, the template, and the customer of the sample. */
export type Plan = z.infer<typeof planSchema>

/**
 * What a manual run of the automation would do now, whatever its status. `sample` is the message as one of the
 * audience would get it, else the customer who came last; null when there is no customer at all.
 * @throws HttpError 404; 400 when the template cannot be rendered.
 */
export async function previewAutomation(
  session: Planner,
  id: string,
  now = new Date(),
): Promise<AutomationPreview> {
  return asPreview(await planPreview(session, id, now))
}

/**
 * The same for an automation in a form, which may be incomplete. With an `id`, its fields are changes to that
 * automation.
 * @throws HttpError 400 (see checkAutomation; or it cannot be rendered); 404.
 */
export async function previewDraft(
  session: Planner,
  draft: AutomationDraft,
  now = new Date(),
): Promise<AutomationPreview> {
  return asPreview(await planDraft(session, draft, now))
}

async function asPreview(plan: Plan): Promise<AutomationPreview> {
  const skipped = { ...byPlanReason(0), ...plan.skipped }
  return {
    matched: plan.matched,
    to_send: Object.values(skipped).reduce((left, count) => left - count, plan.matched),
    held_by_quiet_hours: plan.held,
    skipped,
    sample: await sampleOf(plan),
  }
}

/**
 * A run's plan, its template, and facts about one customer.
 * @throws HttpError 404 when there is no such automation that the caller may see.
 */
export async function planPreview(session: Planner, automationId: string, now: Date): Promise<Plan> {
  const { id } = await getAutomation(session, automationId)
  return planStored(session, id, now)
}

/** The same for an automation, or a message of a campaign, that the caller may see. */
export async function planStored(session: Planner, id: string, now: Date): Promise<Plan> {
  const db = serviceDb()
  const parameters = {
    p_organization: session.organization.id,
    p_automation: id,
    p_now: now.toISOString(),
    p_closed: closedChannels(await providersFor(db, session.organization.id)),
    p_locations: (await boundTo(session)) ?? undefined,
  }
  const answer = unwrap(await db.rpc('preview_automation', parameters))
  return asPlan(answer)
}

/**
 * The plan of an automation that is not saved.
 * @throws HttpError 400 that names the field (see checkAutomation); 404 when there is none of its id.
 */
export async function planDraft(
  session: Planner,
  { id, ...fields }: AutomationDraft,
  now: Date,
): Promise<Plan> {
  if (id !== undefined) await getAutomation(session, id)
  const draft = await checkAutomation(session, { ...fields, name: '-', status: 'inactive' })
  const db = serviceDb()
  const parameters = {
    p_organization: session.organization.id,
    p_closed: closedChannels(await providersFor(db, session.organization.id)),
    p_draft: draft as unknown as Json,
    p_automation: id,
    p_now: now.toISOString(),
    p_locations: (await boundTo(session)) ?? undefined,
  }
  return asPlan(unwrap(await db.rpc('preview_draft', parameters)))
}

function asPlan(answer: Json): Plan {
  if (answer === null) throw new HttpError('NOT_FOUND')
  return planSchema.parse(answer)
}

/** The unsubscribe link of a preview, which leads nowhere; confirmations have none. */
export const exampleUnsubscribe = (kind: Plan['kind']) =>
  kind === 'marketing' ? 'https://unsubscribe.invalid/' : null

async function sampleOf({ template, channel, customer_id, facts, kind }: Plan) {
  if (customer_id === null || facts === null) return null
  const feedbackUrl = exampleSurveyUrl() ?? undefined
  const content = await renderSample({ template, channel, facts, feedbackUrl })
  return {
    customer_id,
    customer_name: personName(facts),
    channel,
    subject: content.subject ?? null,
    body: content.body ?? null,
    html: content.html === undefined ? null : withUnsubscribe(content.html, exampleUnsubscribe(kind)),
    content_sid: content.content_sid ?? null,
    content_variables: content.content_variables ?? {},
  }
}

/**
 * Renders one message for a person who waits for it.
 * @throws HttpError 400 that says why it cannot be rendered.
 */
export async function renderSample(message: Rendering): Promise<Content> {
  const [content = new TemplateError({ message: 'nothing to render' })] = await renderMessages('people', [
    message,
  ])
  if (content instanceof TemplateError) throw invalidInput(content.problemAt('template'))
  return content
}
