import 'server-only'
import { z } from 'zod'
import { safeBaseUrl } from '@/lib/address/address'
import { refusalBehind } from '@/lib/address/refusals'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { invalidInput, notFoundError } from '@/lib/http/errors'
import { log } from '@/lib/log'
import { AnswerTooLarge, outgoingFetch } from '@/lib/outgoing/fetch'
import { testPms } from '@/lib/pms/test-connection'
import { type AiConfig, type ResendConfig, storedConfig, type TwilioConfig } from './providers'
import { INTEGRATION_TYPES, type TestReason, type TestResult, type testInputSchema } from './schema'
import { twilioSenders } from './twilio-senders'

const TIMEOUT_MS = 8000
// Much more than a hundred of Resend's domains need.
const fetchProvider = outgoingFetch(256 * 1024)

const works: TestResult = { success: true }
const failed = (reason: TestReason, error: string): TestResult => ({ success: false, reason, error })

/**
 * Tests the stored settings with the provider, enabled or not, or those of `input`. Saves nothing and sends no message.
 * @param timeoutMs the time limit for the provider's answer; tests pass a shorter one
 * @throws HttpError 404 for an unknown type, 400 for `input` of another type than pms, 403 for `input` of a caller bound
 * to locations.
 */
export async function testConnection(
  session: Pick<Session, 'organization' | 'db' | 'user_id' | 'role'>,
  name: string,
  input?: z.infer<typeof testInputSchema>,
  timeoutMs = TIMEOUT_MS,
): Promise<TestResult> {
  const type = INTEGRATION_TYPES.find((known) => known === name)
  if (!type) throw notFoundError()
  if (type === 'pms') return testPms(session, input?.config)
  if (input)
    throw invalidInput({
      path: 'config',
      code: 'unknown_field',
      message: 'only a PMS is tested before it is saved',
    })
  return testProvider(type, session.organization.id, timeoutMs)
}

/** Tests the stored settings of an organization with the provider, enabled or not, for the app itself. */
export async function testProvider(
  type: 'ai' | 'twilio' | 'resend',
  organizationId: string,
  timeoutMs = TIMEOUT_MS,
): Promise<TestResult> {
  let questions: Question[]
  try {
    questions = await questionsFor(type, organizationId)
  } catch {
    return failed('unreadable_key', 'a stored secret cannot be read: enter it again')
  }
  const [first, ...others] = questions
  if (!first) return failed('not_configured', 'a required field is missing')
  const result = await ask(first, timeoutMs)
  if (!result.success) return result
  const rest = await Promise.all(others.map((question) => ask(question, timeoutMs / 2)))
  // Where the provider does not tell, it stays open whether the sender is right.
  return rest.find((one) => !one.success && SENDER_REASONS.has(one.reason)) ?? works
}

const SENDER_REASONS: ReadonlySet<TestReason> = new Set([
  'sms_sender_unknown',
  'whatsapp_sender_unknown',
  'whatsapp_sender_offline',
])

/** A request that costs (almost) nothing, and the meaning of its answer. */
export interface Question {
  baseUrl: string
  path: string
  init: RequestInit
  /** The meaning of an answer with this status and body; null: the usual meaning of the status. */
  judge: (status: number, body: unknown) => TestResult | null
}

/** The questions about the stored settings; the connection works when the first is answered well. None: not set up. */
async function questionsFor(type: 'ai' | 'twilio' | 'resend', organizationId: string): Promise<Question[]> {
  switch (type) {
    case 'ai': {
      const config = await storedConfig(serviceDb(), 'ai', organizationId)
      return config ? [askAi(config)] : []
    }
    case 'twilio': {
      const config = await storedConfig(serviceDb(), 'twilio', organizationId)
      return config ? [askTwilio(config), ...twilioSenders(config)] : []
    }
    case 'resend': {
      const config = await storedConfig(serviceDb(), 'resend', organizationId)
      return config ? [askResend(config)] : []
    }
  }
}

const completion = z.object({ choices: z.array(z.unknown()).min(1) })
const modelError = z.object({ error: z.object({ code: z.string().nullish(), type: z.string().nullish() }) })

/**
 * Requests one token from the model, like the assistant does, so it also finds a missing model and an empty account.
 */
function askAi({ baseUrl, apiKey, model }: AiConfig): Question {
  const messages = [{ role: 'user', content: '1' }]
  return {
    baseUrl,
    path: '/chat/completions',
    init: {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, max_tokens: 1 }),
    },
    judge: (status, body) => {
      if (status === 200) return completion.safeParse(body).success ? works : null
      const { code, type } = modelError.safeParse(body).data?.error ?? {}
      const isEmpty = code === 'insufficient_quota' || type === 'insufficient_quota' || status === 402
      return isEmpty ? failed('no_credit', 'the account has no credit') : null
    },
  }
}

const account = z.object({ sid: z.string(), status: z.string() })

/** Requests the account itself. */
function askTwilio({ accountSid, authToken }: TwilioConfig): Question {
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
  return {
    baseUrl: env().TWILIO_BASE_URL,
    path: `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}.json`,
    init: { headers: { authorization: `Basic ${basic}`, accept: 'application/json' } },
    judge: (status, body) => {
      // Twilio reports a malformed SID as wrong credentials.
      if (!/^AC[0-9a-f]{32}$/i.test(accountSid))
        return failed('bad_account', 'account_sid: AC and 32 hexadecimal digits')
      if (status !== 200) return null
      const found = account.safeParse(body)
      if (!found.success) return null
      return found.data.status === 'active' ? works : failed('suspended', 'the account is not active')
    },
  }
}

const domains = z.object({
  data: z.array(z.object({ name: z.string(), status: z.string() })),
  has_more: z.boolean().default(false),
})
const resendError = z.object({ name: z.string().default(''), message: z.string().default('') })

/** Requests the domains of the account: the sender's must be among them, and verified. */
function askResend({ apiKey, fromEmail }: ResendConfig): Question {
  return {
    baseUrl: env().RESEND_BASE_URL,
    path: '/domains',
    init: { headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' } },
    judge: (status, body) => {
      const { name, message } = resendError.safeParse(body).data ?? {}
      // A key with only the right to send is valid, but cannot list domains.
      if (name === 'restricted_api_key') return works
      if ([400, 401, 403].includes(status) && /api.key/i.test(`${name} ${message}`))
        return failed('bad_key', 'Resend does not accept the key')
      const list = status === 200 ? domains.safeParse(body) : null
      if (!list?.success) return null
      const { data, has_more } = list.data
      const verified = data.filter((domain) => domain.status === 'verified').map((domain) => domain.name)
      return has_more || isWithin(fromEmail, [...verified, 'resend.dev'])
        ? works
        : failed('domain_not_verified', 'the domain of from_email is not verified')
    },
  }
}

/** Whether the address belongs to one of the domains or their subdomains. */
function isWithin(email: string, names: readonly string[]): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return names.some((name) => domain === name.toLowerCase() || domain.endsWith(`.${name.toLowerCase()}`))
}

async function ask({ baseUrl, path, init, judge }: Question, timeoutMs: number): Promise<TestResult> {
  if (!isHeader(init)) return failed('bad_key', 'the key holds characters that no key has')
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const base = safeBaseUrl(baseUrl, env().ALLOW_LOOPBACK_UPSTREAMS)
    const response = await fetchProvider(`${base}${path}`, { ...init, signal })
    const body = jsonOf(await response.text())
    return judge(response.status, body) ?? usual(response.status)
  } catch (error) {
    const refused = refusalBehind(error)
    if (refused?.reason === 'scheme') return failed('bad_base_url', refused.message)
    if (refused) return failed('inside_address', refused.message)
    if (error instanceof AnswerTooLarge) return failed('not_json', 'the provider answered with too much data')
    if (signal.aborted) return failed('timeout', `the provider did not answer within ${timeoutMs / 1000} s`)
    // Its text may contain the address, its cause the request.
    log().warn({ name: error instanceof Error ? error.name : typeof error }, 'a provider was not reached')
    return failed('unreachable', 'the provider could not be reached')
  }
}

/** Whether the key is a valid header value: a pasted key may contain any characters. */
function isHeader({ headers }: RequestInit): boolean {
  try {
    return Boolean(new Headers(headers))
  } catch {
    return false
  }
}

/** The usual meaning of a status. */
function usual(status: number): TestResult {
  const text = `the provider answered ${status}`
  if (status === 200) return failed('not_json', 'the provider answered with something else')
  if (status === 401 || status === 403) return failed('bad_key', text)
  if (status === 404) return failed('not_found', text)
  if (status === 429) return failed('rate_limited', text)
  return failed(status >= 400 && status < 500 ? 'refused' : 'http_status', text)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
