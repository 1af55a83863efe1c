import 'server-only'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { boundTo, type Session } from '@/lib/auth/session'
import { personName } from '@/lib/customers/person-name'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { withUnsubscribe } from '@/lib/email-design/render'
import { exampleSurveyUrl } from '@/lib/feedback/survey-link'
import { HttpError, invalidInput } from '@/lib/http/errors'
import { storedInstant } from '@/lib/http/instant'
import { type OptOutLine, smsOptOut } from '@/lib/messaging/opt-out-line'
import type { Providers } from '@/lib/messaging/provider'
import { closedChannels, providersFor } from '@/lib/messaging/providers'
import { byPlanReason } from '@/lib/messaging/reasons'
import { CHANNELS, type Content, factsSchema, templateSchema } from '@/lib/messaging/schema'
import { type Rendering, renderMessages, TemplateError } from '@/lib/messaging/template'
import { checkSending } from '@/lib/sending-check/check'
import { guestToCheckSchema, type SendingCheck } from '@/lib/sending-check/schema'
import { checkAutomation } from './check'
import { getAutomation } from './reads'
import type { AutomationDraft, AutomationPreview } from './schema'

const planSchema = z.object({
  matched: z.number(),
  skipped: z.record(z.string(), z.number()),
  held: z.number(),
  held_until: storedInstant.nullable(),
  check: z.array(guestToCheckSchema),
  template: templateSchema,
  kind: z.enum(['marketing', 'transactional']),
  channel: z.enum(CHANNELS),
  channels: z.tuple([z.enum(CHANNELS), z.enum(CHANNELS).nullable()]),
  customer_id: z.string().nullable(),
  facts: factsSchema.nullable(),
})

/** Who asks: someone bound to locations gets the plan as far as it concerns these. */
type Planner = Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>

/** What a run would do: counts, the template, and the customer of the sample. */
export type Plan = z.infer<typeof planSchema> & {
  /** Of what is not saved. */
  seed: string | null
  /** The last line of its SMS. */
  optOut: OptOutLine
}

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
  return asPreview(session, await planPreview(session, id, now))
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
  return asPreview(session, await planDraft(session, draft, now))
}

async function asPreview(session: Planner, plan: Plan): Promise<AutomationPreview> {
  const skipped = { ...byPlanReason(0), ...plan.skipped }
  return {
    matched: plan.matched,
    to_send: Object.values(skipped).reduce((left, count) => left - count, plan.matched),
    held_by_quiet_hours: plan.held,
    skipped,
    sample: await sampleOf(plan),
    check: await checkPlan(session, plan),
    seed: plan.seed,
  }
}

/**
 * What is wrong with what a saved automation would send.
 * @throws HttpError 404
 */
export async function automationCheck(session: Planner, id: string, now = new Date()): Promise<SendingCheck> {
  return checkPlan(session, await planPreview(session, id, now))
}

/** What is wrong with what a plan would send. */
export async function checkPlan({ organization }: Planner, plan: Plan): Promise<SendingCheck> {
  const [channel, fallback_channel] = plan.channels
  return checkSending({
    isMarketing: plan.kind === 'marketing',
    messages: [{ at: '', step: 1, channel, fallback_channel, template: plan.template }],
    guests: plan.check,
    isPast: false,
    capped: (plan.skipped.frequency_cap ?? 0) + (plan.skipped.guest_frequency ?? 0),
    heldUntil: plan.held_until,
    smsPrice: await smsPriceOf(organization.id),
    smsOptOut: plan.optOut,
  })
}

/** EUR a segment of an SMS; null: none is known. */
export async function smsPriceOf(organizationId: string): Promise<number | null> {
  const query = serviceDb().from('organizations').select('sms_price').eq('id', organizationId)
  const { sms_price } = unwrap(await query.single()) ?? {}
  return sms_price === null || sms_price === undefined ? null : Number(sms_price)
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
  const providers = await providersFor(db, session.organization.id)
  const parameters = {
    p_organization: session.organization.id,
    p_automation: id,
    p_now: now.toISOString(),
    p_closed: closedChannels(providers),
    p_locations: (await boundTo(session)) ?? undefined,
  }
  const answer = unwrap(await db.rpc('preview_automation', parameters))
  return asPlan(answer, providers, null)
}

/**
 * The plan of an automation that is not saved.
 * @throws HttpError 400 that names the field (see checkAutomation); 404 when there is none of its id.
 */
export async function planDraft(
  session: Planner,
  { id, seed: given, language, ...fields }: AutomationDraft,
  now: Date,
): Promise<Plan> {
  const seed = id === undefined ? (given ?? randomUUID()) : null
  if (id !== undefined) await getAutomation(session, id)
  const draft = await checkAutomation(session, { ...fields, name: '-', status: 'inactive' })
  const db = serviceDb()
  const providers = await providersFor(db, session.organization.id)
  const parameters = {
    p_organization: session.organization.id,
    p_closed: closedChannels(providers),
    p_draft: { ...draft, seed } as unknown as Json,
    p_automation: id,
    p_now: now.toISOString(),
    p_locations: (await boundTo(session)) ?? undefined,
  }
  const plan = asPlan(unwrap(await db.rpc('preview_draft', parameters)), providers, seed)
  return { ...plan, facts: plan.facts && { ...plan.facts, ...(language ? { language } : {}) } }
}

function asPlan(answer: Json, providers: Providers, seed: string | null): Plan {
  if (answer === null) throw new HttpError('NOT_FOUND')
  const optOut: OptOutLine = (language) => smsOptOut(providers.sms, undefined, language)
  return { ...planSchema.parse(answer), optOut, seed }
}

/** The unsubscribe link of a preview, which leads nowhere; confirmations have none. */
export const exampleUnsubscribe = (kind: Plan['kind']) =>
  kind === 'marketing' ? 'https://unsubscribe.invalid/' : null

async function sampleOf({ template, channel, customer_id, facts, kind, optOut }: Plan) {
  if (customer_id === null || facts === null) return null
  const feedbackUrl = exampleSurveyUrl() ?? undefined
  const content = await renderSample({
    ...{ template, channel, facts, feedbackUrl, optOut },
    isMarketing: kind === 'marketing',
  })
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
