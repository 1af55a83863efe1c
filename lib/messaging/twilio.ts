import 'server-only'
import twilio from 'twilio'
import { z } from 'zod'
import { isMessagingService } from '@/lib/integrations/types/twilio'
import {
  type Clock,
  keptAgent,
  type OutboundMessage,
  type Outcome,
  outcomeOfError,
  outcomeOfStatus,
  type Provider,
  paused,
  post,
  retryAfter,
  sendEach,
  type WireAnswer,
} from './provider'
import type { MessageReason } from './reasons'

const PARALLEL = 32
// Shorter than any provider's idle timeout: a message lost on a closed connection would be ambiguous.
const IDLE_MS = 2000
const TIMEOUT_MS = 10_000
const TWILIO = 'https://api.twilio.com'

/** The account and sender. `from` is a number, a name, or a messaging service's SID (MG…). */
export interface TwilioAccount {
  accountSid: string
  authToken: string
  from: string
  baseUrl: string
  /** The address for Twilio's delivery reports; `?message=<id>` is added. Null: no reports. */
  statusCallback: string | null
  /** Messages per second; 0: no limit. */
  pace?: number
  timeoutMs?: number
  clock?: Clock
}

/**
 * SMS or WhatsApp by Twilio, one request per message: its API has no batches and no idempotency keys, so a message that
 * may have been accepted is ambiguous. WhatsApp sends a template when the content has a Content SID, else free text.
 */
export function twilioProvider(account: TwilioAccount): Provider {
  const client = clientOf(account, new Transport(account, keptAgent(account.baseUrl, PARALLEL, IDLE_MS)))
  return {
    name: 'twilio',
    pace: account.pace,
    send: async (batch, gate) => {
      if (!client) return batch.map(() => paused('provider_config'))
      const groups = batch.map((message) => [message])
      const sendGroup = (group: OutboundMessage[]) =>
        Promise.all(group.map((message) => send(client, account, message)))
      const options = { parallel: PARALLEL, gate, clock: account.clock }
      return (await sendEach(groups, sendGroup, options)).flat()
    },
  }
}

type Client = ReturnType<typeof twilio>

function clientOf({ accountSid, authToken }: TwilioAccount, httpClient: Transport): Client | null {
  try {
    return twilio(accountSid, authToken, { httpClient })
  } catch {
    // The SDK accepts only SIDs that begin with AC.
    return null
  }
}

async function send(client: Client, account: TwilioAccount, message: OutboundMessage): Promise<Outcome> {
  try {
    const sent = await client.messages.create(parametersOf(account, message))
    if (sent.status === 'failed' || sent.status === 'undelivered')
      return { kind: 'permanent', reason: twilioReason(sent.errorCode) }
    if (sent.sid) return { kind: 'accepted', providerId: sent.sid }
    return { kind: 'ambiguous', reason: 'provider_error' }
  } catch (error) {
    return error instanceof Refusal ? error.outcome : outcomeOfError(error)
  }
}

function parametersOf(account: TwilioAccount, { id, channel, recipient, content }: OutboundMessage) {
  const prefix = channel === 'whatsapp' ? 'whatsapp:' : ''
  const from = isMessagingService(account.from)
    ? { messagingServiceSid: account.from }
    : { from: prefix + account.from.replace(/^whatsapp:/, '') }
  const words =
    content.content_sid === undefined
      ? { body: content.body ?? '' }
      : {
          contentSid: content.content_sid,
          contentVariables: JSON.stringify(content.content_variables ?? {}),
        }
  const report = account.statusCallback ? { statusCallback: `${account.statusCallback}?message=${id}` } : {}
  return { to: prefix + recipient, ...from, ...words, ...report }
}

/** An error answer of Twilio. */
class Refusal extends Error {
  constructor(readonly outcome: Outcome) {
    super(outcome.kind)
  }
}

const errorSchema = z.object({ code: z.number().optional() })

/** The SDK's HTTP client: our base URL and timeout, and errors that tell whether the request was sent. */
class Transport extends twilio.RequestClient {
  constructor(
    private readonly account: TwilioAccount,
    private readonly agent: ReturnType<typeof keptAgent>,
  ) {
    super()
  }

  override async request<T>(options: Parameters<twilio.RequestClient['request']>[0]) {
    const { accountSid, authToken, baseUrl, timeoutMs = TIMEOUT_MS } = this.account
    const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
    const answer = await post({
      url: options.uri.replace(TWILIO, baseUrl),
      headers: { ...(options.headers as Record<string, string>), Authorization: `Basic ${basic}` },
      body: new URLSearchParams(options.data as Record<string, string>).toString(),
      timeoutMs,
      agent: this.agent,
    })
    if (answer.status < 200 || answer.status > 299) throw new Refusal(outcomeOf(answer, this.account))
    return { statusCode: answer.status, body: JSON.parse(answer.text) as T, headers: answer.headers }
  }
}

function outcomeOf({ status, headers, text }: WireAnswer, { clock }: TwilioAccount): Outcome {
  const after = retryAfter(headers, clock?.now() ?? new Date())
  return outcomeOfStatus(status, after) ?? twilioRefusal(codeOf(text), after)
}

function codeOf(text: string): number | undefined {
  try {
    return errorSchema.parse(JSON.parse(text)).code
  } catch {
    return undefined
  }
}

/** Twilio's reasons for not sending or delivering, by error code. Reasons contain no personal data. */
const REASONS = {
  invalid_number: [
    21211, 21214, 21217, 21219, 21265, 21401, 21407, 21421, 21601, 21614, 21635, 30005, 30006, 63024, 63033,
  ],
  unsubscribed: [21610, 63032],
  unreachable: [21612, 30003, 30008, 63003, 63009, 63012],
  region_not_enabled: [21408, 60410],
  blocked: [30002, 30004, 30007, 30034, 63020, 63021, 63049],
  template_rejected: [
    21654, 21655, 21656, 63005, 63013, 63019, 63022, 63023, 63027, 63028, 63030, 63040, 63041, 63042,
  ],
  outside_window: [63016],
  content_rejected: [21602, 21605, 21617, 21619, 21620, 30019, 92001],
} satisfies Partial<Record<MessageReason, readonly number[]>>
/** The reason of each code. */
const REASON_OF = new Map(
  Object.entries(REASONS).flatMap(([reason, codes]) =>
    codes.map((code): [number, MessageReason] => [code, reason as keyof typeof REASONS]),
  ),
)

/** Codes for the sender or the account: no message would be accepted. */
const CONFIGURATION = new Set([
  20003, 20005, 20404, 21212, 21603, 21606, 21609, 21659, 21660, 21703, 63007, 63038,
])
/** Codes for too many requests. */
const CROWDED = new Set([14107, 20429, 21611, 30001, 30022, 63018])

/** The database keeps codes of up to nine digits; Twilio's have five. */
const LARGEST_CODE = 999_999_999

/** A short reason for Twilio's error code; the code itself when it is unknown. */
export function twilioReason(code: number | undefined): MessageReason {
  if (code === undefined || !Number.isInteger(code) || code < 1 || code > LARGEST_CODE) return 'rejected'
  return REASON_OF.get(code) ?? `twilio_${code}`
}

/** The outcome of a message that Twilio refused (4xx). */
function twilioRefusal(code: number | undefined, afterSeconds: number | undefined): Outcome {
  if (code !== undefined && CONFIGURATION.has(code)) return paused('provider_config')
  if (code !== undefined && CROWDED.has(code))
    return { kind: 'retryable', reason: 'provider_rate_limit', afterSeconds }
  return { kind: 'permanent', reason: twilioReason(code) }
}
