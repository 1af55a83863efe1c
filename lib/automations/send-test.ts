import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Session } from '@/lib/auth/session'
import { canonicalEmail } from '@/lib/contact/email'
import { canonicalPhone } from '@/lib/contact/phone'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { exampleSurveyUrl } from '@/lib/feedback/survey-link'
import { invalidInput } from '@/lib/http/errors'
import type { Outcome } from '@/lib/messaging/provider'
import { closedChannels, providersFor, sandbox } from '@/lib/messaging/providers'
import type { MessageReason } from '@/lib/messaging/reasons'
import type { Channel, Content, Facts } from '@/lib/messaging/schema'
import { suppressedBy, unsubscribeHeaders, unsubscribeUrl } from '@/lib/messaging/unsubscribe'
import { type Plan, planDraft, planPreview, renderSample } from './preview'
import type { AutomationDraft, TestSend, TestSendInput } from './schema'
import { factsOfGuest } from './test-guest'

const MARK = '[Prueba]'

/**
 * Sends the automation's message to the person who asks or to colleagues, as one of its guests would get it, marked as a test. It
 * is not logged and does not count for anything. Quiet hours and the frequency cap do not apply: someone asks
 * for this one message and waits for it.
 * @throws HttpError 404; 400 without an address it may go to, or when the template cannot be rendered.
 */
export async function sendTest(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role' | 'email' | 'full_name'>,
  automationId: string,
  input: TestSendInput,
  now = new Date(),
): Promise<TestSend> {
  return sendPlan(session, await planPreview(session, automationId, now), input, now)
}

/**
 * The same for an automation that is not saved.
 * @throws HttpError 400 also for what is wrong with the draft (see checkAutomation).
 */
export async function sendDraftTest(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role' | 'email' | 'full_name'>,
  { automation, ...input }: TestSendInput & { automation: AutomationDraft },
  now = new Date(),
): Promise<TestSend> {
  return sendPlan(session, await planDraft(session, automation, now), input, now)
}

/**
 * Sends the message of a plan to the person who asks, or to the colleagues named.
 * @throws HttpError 400 without an address it may go to, or when the template cannot be rendered; 404 for a guest whom the
 * caller may not see.
 */
export async function sendPlan(
  session: Pick<Session, 'db' | 'organization' | 'email' | 'full_name'>,
  plan: Plan,
  input: TestSendInput,
  now: Date,
): Promise<TestSend> {
  const channel = input.channel ?? plan.channel
  const addresses = await testAddresses(session, channel, input)
  const guest =
    input.customer_id === undefined
      ? (plan.facts ?? placeholderFacts(session))
      : await factsOfGuest(session, input.customer_id, now)
  const facts = { ...guest, ...(input.language ? { language: input.language } : {}) }
  const outcomes = await Promise.all(
    addresses.map((address) =>
      sendOne({ organizationId: session.organization.id, channel, address }, { ...plan, facts }, now),
    ),
  )
  const [own, ...others] = outcomes
  if (!own) throw new Error('a test without an address')
  return { channel, ...own, ...(others.length > 0 ? { others } : {}) }
}

interface To {
  organizationId: string
  channel: Channel
  address: string
}

/** Sends the message of a plan to one address. */
async function sendOne(to: To, plan: Plan & { facts: Facts }, now: Date): Promise<Omit<TestSend, 'channel'>> {
  const { organizationId, channel, address } = to
  const answer = { recipient: address }
  const link = unsubscribeUrl(to) ?? undefined
  const content = marked(
    await renderSample({
      ...{ template: plan.template, channel, facts: plan.facts, unsubscribeUrl: link },
      feedbackUrl: exampleSurveyUrl() ?? undefined,
      isMarketing: plan.kind === 'marketing',
      optOut: plan.optOut,
    }),
  )
  if (channel === 'email' && plan.kind === 'marketing' && link) content.headers = unsubscribeHeaders(link)
  const suppressed = await suppressedBy(to)
  if (suppressed !== null && suppressed !== 'unsubscribe')
    return { ...answer, status: 'skipped', reason: 'suppressed' }
  if (channel === 'whatsapp' && content.content_sid === undefined && !(await hasWritten(to, now)))
    return { ...answer, status: 'skipped', reason: 'needs_template' }

  const providers = await providersFor(serviceDb(), organizationId)
  const provider = providers[channel]
  if (!provider) return { ...answer, status: 'skipped', reason: 'no_provider' }
  if (plan.kind === 'marketing' && closedChannels(providers)[channel])
    return { ...answer, status: 'skipped', reason: 'no_app_url' }
  const id = randomUUID()
  const message = { id, channel, recipient: address, content, idempotencyKey: `test-${id}` }
  const [outcome] = await provider.send([message])
  return { ...answer, ...toTestSend(outcome), ...(provider === sandbox ? { simulated: true } : {}) }
}

/** A Twilio template has its text at Twilio: it cannot be marked. */
function marked({ subject, body, ...rest }: Content): Content {
  if (subject !== undefined) return { ...rest, subject: `${MARK} ${subject}`.trim(), body }
  return body === undefined ? rest : { ...rest, body: `${MARK} ${body}` }
}

function toTestSend(
  outcome: Outcome | undefined,
): Pick<TestSend, 'status'> & { reason: MessageReason | null } {
  switch (outcome?.kind) {
    case 'accepted':
      return { status: 'sent', reason: null }
    case 'permanent':
    case 'retryable':
      return { status: 'failed', reason: outcome.reason }
    default:
      return { status: 'unknown', reason: outcome?.reason ?? 'provider_error' }
  }
}

async function hasWritten({ organizationId, address }: To, now: Date): Promise<boolean> {
  const parameters = { p_organization: organizationId, p_address: address, p_now: now.toISOString() }
  return unwrap(await serviceDb().rpc('whatsapp_open', parameters)) === true
}

/** Stands in while there is no customer. */
function placeholderFacts({ organization, full_name }: Pick<Session, 'organization' | 'full_name'>): Facts {
  return {
    organization_name: organization.name,
    first_name: full_name,
    last_name: null,
    birth_date: null,
    total_visits: null,
    last_visit: null,
    tier: null,
    location_name: null,
    reservation_date: null,
    reservation_time: null,
    party_size: null,
  }
}

/**
 * Where a test message goes: an e-mail to the colleagues named, else to the person's own address; anything else to the
 * phone number given.
 * @throws HttpError 400 for an e-mail address that is nobody's of the organization, or without a valid phone number.
 */
async function testAddresses(
  { organization, email: own }: Pick<Session, 'organization' | 'email'>,
  channel: Channel,
  { recipient, to }: TestSendInput,
): Promise<string[]> {
  if (channel === 'email') {
    if (to !== undefined) return colleaguesOf(organization.id, to)
    const email = canonicalEmail(own)
    if (email === null || (recipient !== undefined && canonicalEmail(recipient) !== email))
      throw invalidInput({
        path: 'recipient',
        code: 'own_address_only',
        message: 'a test e-mail goes to your own address',
      })
    return [email]
  }
  if (to !== undefined)
    throw invalidInput({ path: 'to', code: 'invalid', message: 'colleagues get tests by e-mail' })
  const phone = canonicalPhone(recipient)
  if (phone === null)
    throw invalidInput({ path: 'recipient', code: 'required', message: 'a phone number is needed' })
  return [phone]
}

/**
 * The addresses of colleagues, each once.
 * @throws HttpError 400 that names the first one that no colleague signs in with.
 */
async function colleaguesOf(organizationId: string, given: readonly string[]): Promise<string[]> {
  const people = serviceDb()
    .from('profiles')
    .select('email')
    .eq('organization_id', organizationId)
    .neq('role', 'machine')
  const known = new Set((unwrap(await people) ?? []).map(({ email }) => canonicalEmail(email)))
  const addresses = given.map((address, index) => {
    const email = canonicalEmail(address)
    if (email !== null && known.has(email)) return email
    const message = 'a test goes to people who sign in here'
    throw invalidInput({ path: `to.${index}`, code: 'colleagues_only', message })
  })
  return [...new Set(addresses)]
}
