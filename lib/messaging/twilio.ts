import 'server-only'
import twilio from 'twilio'
import { z } from 'zod'
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

const PARALLEL = 32
// Short enough that no provider has closed it meanwhile: a message lost on a stale connection would be ambiguous.
const IDLE_MS = 2000
const TIMEOUT_MS = 10_000
const TWILIO = 'https://api.twilio.com'

/** Where and as whom to send. `from` is a number, a name, or a messaging service's SID (MG…). */
export interface TwilioAccount {
  accountSid: string
  authToken: string
  from: string
  baseUrl: string
  /** Where Twilio reports what became of a message; `?message=<id>` is added. Null: nowhere. */
  statusCallback: string | null
  /** Messages a second; 0: as fast as they go. */
  pace?: number
  timeoutMs?: number
  clock?: Clock
}

/**
 * SMS or WhatsApp by Twilio, one request a message: its API knows no batch and no idempotency key, so what may have
 * been accepted comes back ambiguous. WhatsApp sends a template when the content has a Content SID, else free text.
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
    // The SDK takes only SIDs that begin with AC.
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
  const from = account.from.startsWith('MG')
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

/** An answer of Twilio's that is not a success. */
class Refusal extends Error {
  constructor(readonly outcome: Outcome) {
    super(outcome.kind)
  }
}

const errorSchema = z.object({ code: z.number().optional() })

/** The SDK's way onto the wire: our base URL and timeout, and errors that know whether the request had left. */
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

/** Why Twilio did not send or deliver, by its error codes. Reasons hold no personal data. */
const REASONS: Record<string, readonly number[]> = {
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
}

/** Codes about the sender or the account: no message would get through. */
const CONFIGURATION = new Set([
  20003, 20005, 20404, 21212, 21603, 21606, 21609, 21659, 21660, 21703, 63007, 63038,
])
/** Too much at once. */
const CROWDED = new Set([14107, 20429, 21611, 30001, 30022, 63018])

/** A short reason for an error code of Twilio's, the code itself where there is none. */
export function twilioReason(code: number | undefined): string {
  const known = Object.entries(REASONS).find(([, codes]) => code !== undefined && codes.includes(code))
  if (known) return known[0]
  return Number.isInteger(code) ? `twilio_${code}` : 'rejected'
}

/** What a refusal (4xx) of Twilio's means for the message. */
function twilioRefusal(code: number | undefined, afterSeconds: number | undefined): Outcome {
  if (code !== undefined && CONFIGURATION.has(code)) return paused('provider_config')
  if (code !== undefined && CROWDED.has(code))
    return { kind: 'retryable', reason: 'provider_rate_limit', afterSeconds }
  return { kind: 'permanent', reason: twilioReason(code) }
}
