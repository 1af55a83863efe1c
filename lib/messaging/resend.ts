import 'server-only'
import { Resend } from 'resend'
import { z } from 'zod'
import { plainHtml } from '@/lib/email-design/content'
import { withUnsubscribe } from '@/lib/email-design/render'
import { missingLink, textWithLink } from './email-foot'
import {
  batchAgent,
  type Clock,
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

// Resend allows few requests per second; it answers 429 with a Retry-After of one second, which we wait.
const PARALLEL = 2
const BATCH_SIZE = 100
const TIMEOUT_MS = 10_000

/** The account, sender and address for sending. */
export interface ResendAccount {
  apiKey: string
  fromEmail: string
  fromName: string | null
  baseUrl: string
  /** Messages per second; 0: no limit. */
  pace?: number
  timeoutMs?: number
  clock?: Clock
}

/**
 * E-mail by Resend. Messages that share an idempotency key are one frozen batch, sent in one request (at most 100,
 * in the order of their ids); all others are sent one by one. Resend keeps a key for 24 hours: a repeated request gets
 * the same answer and sends nothing, so an ambiguous outcome can safely be retried with the same content.
 */
export function resendProvider(account: ResendAccount): Provider {
  return {
    name: 'resend',
    pace: account.pace,
    batchSize: BATCH_SIZE,
    send: async (batch) => {
      const agent = batchAgent(account.baseUrl, PARALLEL)
      try {
        const client = new WiredResend(account, agent)
        const groups = frozenBatches(batch)
        const sendGroup = (group: OutboundMessage[]) => send(client, account, group)
        const outcomes = await sendEach(groups, sendGroup, { parallel: PARALLEL, clock: account.clock })
        const byId = new Map(
          groups.flatMap((group, at) => group.map(({ id }, index) => [id, outcomes[at]?.[index]])),
        )
        return batch.map(({ id }) => byId.get(id) ?? LOST)
      } finally {
        agent.destroy()
      }
    },
  }
}

const LOST: Outcome = { kind: 'ambiguous', reason: 'provider_error' }

function frozenBatches(batch: OutboundMessage[]): OutboundMessage[][] {
  const groups = Map.groupBy(batch, ({ idempotencyKey }) => idempotencyKey)
  return [...groups.values()].map((group) => group.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
}

async function send(
  client: WiredResend,
  account: ResendAccount,
  group: OutboundMessage[],
): Promise<Outcome[]> {
  const [first] = group
  const emails = await Promise.all(group.map((message) => emailOf(message, account)))
  const [email] = emails
  if (!first || !email) return []
  const { idempotencyKey } = first
  try {
    if (group.length > 1) {
      // One bad address must not block the others.
      const options = { idempotencyKey, batchValidation: 'permissive' as const }
      const { data } = await client.batch.send(emails, options)
      return batchOutcomes(group.length, batchSchema.parse(data))
    }
    const { data } = await client.emails.send(email, { idempotencyKey })
    return [data?.id ? { kind: 'accepted', providerId: data.id } : LOST]
  } catch (error) {
    const outcome = error instanceof Refusal ? error.outcome : outcomeOfError(error)
    return group.map(() => outcome)
  }
}

const batchSchema = z.object({
  data: z.array(z.object({ id: z.string() })),
  errors: z.array(z.object({ index: z.number(), message: z.string() })).default([]),
})

/** Ids are only for accepted e-mails, in order; errors have the indexes of the others. */
function batchOutcomes(size: number, { data, errors }: z.output<typeof batchSchema>): Outcome[] {
  const refused = new Map(errors.map(({ index, message }) => [index, message]))
  const ids = data.map(({ id }) => id)
  if (ids.length + refused.size !== size) return Array.from({ length: size }, () => LOST)
  return Array.from({ length: size }, (_, index) => {
    const message = refused.get(index)
    if (message !== undefined) return { kind: 'permanent', reason: resendReason(message) }
    return { kind: 'accepted', providerId: ids.shift() ?? '' }
  })
}

/** An error answer of Resend. */
class Refusal extends Error {
  constructor(readonly outcome: Outcome) {
    super(outcome.kind)
  }
}

const errorSchema = z.object({ name: z.string().default(''), message: z.string().default('') })

/** The SDK on our own HTTP request: the SDK's fetch hides Retry-After, and whether a failed request was sent. */
class WiredResend extends Resend {
  constructor(
    private readonly account: ResendAccount,
    private readonly agent: ReturnType<typeof batchAgent>,
  ) {
    super(account.apiKey, { baseUrl: account.baseUrl })
  }

  override async fetchRequest<T>(
    path: string,
    options: { headers?: Headers; body?: string } = {},
  ): ReturnType<typeof Resend.prototype.fetchRequest<T>> {
    const { baseUrl, timeoutMs = TIMEOUT_MS } = this.account
    const headers = Object.fromEntries(options.headers ?? [])
    const body = options.body ?? ''
    const answer = await post({ url: `${baseUrl}${path}`, headers, body, timeoutMs, agent: this.agent })
    if (answer.status < 200 || answer.status > 299) throw new Refusal(outcomeOf(answer, this.account))
    return { data: JSON.parse(answer.text) as T, error: null, headers: {} }
  }
}

function outcomeOf({ status, headers, text }: WireAnswer, { clock }: ResendAccount): Outcome {
  const after = retryAfter(headers, clock?.now() ?? new Date())
  const { name, message } = errorOf(text)
  return resendRefusal(status, name, message) ?? outcomeOfStatus(status, after) ?? LOST
}

function errorOf(text: string): z.output<typeof errorSchema> {
  try {
    return errorSchema.parse(JSON.parse(text))
  } catch {
    return { name: '', message: '' }
  }
}

const QUOTAS = new Set(['daily_quota_exceeded', 'monthly_quota_exceeded'])
const CONFLICTS: Record<string, MessageReason> = {
  // An earlier request under this key was accepted with other content: only the webhook reports what it sent.
  invalid_idempotent_request: 'idempotency_conflict',
  concurrent_idempotent_requests: 'provider_busy',
}

/**
 * A short reason for Resend's error about one e-mail. Resend has no code for the field: its message names the field in
 * backticks. The message itself is not kept, because it may contain the address.
 */
function resendReason(message: string): MessageReason {
  return /`to`/.test(message) ? 'invalid_address' : 'content_rejected'
}

/** The outcome by Resend's status, error name and message, where the status is not enough; else null. */
function resendRefusal(status: number, name: string, message: string): Outcome | null {
  if (QUOTAS.has(name)) return paused('provider_quota')
  if (status === 409) return { kind: 'ambiguous', reason: CONFLICTS[name] ?? 'provider_busy' }
  if (name === 'invalid_from_address' || /`from`/.test(message) || status === 404 || status === 405)
    return paused('provider_config')
  if ([400, 413, 422, 451].includes(status)) return { kind: 'permanent', reason: resendReason(message) }
  return null
}

interface Sender {
  fromEmail: string
  fromName: string | null
}

/**
 * The e-mail of a message for Resend's SDK. The same message gives the same e-mail at every attempt: another
 * body under the same idempotency key is refused (409) and ends as unknown, should the layout change in between.
 */
async function emailOf({ id, recipient, content }: OutboundMessage, sender: Sender) {
  const { subject = '', body = '', headers = {}, from } = content
  const unsubscribeLink = unsubscribeUrl(headers)
  const missing = missingLink(body, unsubscribeLink)
  const [name, address] = [from?.name ?? sender.fromName, from?.email ?? sender.fromEmail]
  const html = content.html ?? (await plainHtml(body, name ?? address, content.language))
  return {
    from: name ? `${displayName(name)} <${address}>` : address,
    to: recipient,
    ...(from?.reply_to ? { replyTo: from.reply_to } : {}),
    subject,
    text: textWithLink(body, missing, content.language),
    html: withUnsubscribe(html, missing),
    headers,
    tags: [{ name: 'message_id', value: id }],
  }
}

function unsubscribeUrl(headers: Record<string, string>): string | null {
  return /<(https?:[^>]+)>/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? null
}

/** Quotes a name with characters other than letters, digits and spaces (RFC 5322). */
function displayName(name: string): string {
  const line = name.replace(/\s+/g, ' ').trim()
  return /^[\p{L}\p{N} ]+$/u.test(line) ? line : `"${line.replace(/["\\]/g, '\\$&')}"`
}
