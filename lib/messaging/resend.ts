import 'server-only'
import { Resend } from 'resend'
import { z } from 'zod'
import { emailOf } from './email'
import type { OutboundMessage, Outcome, Provider } from './provider'
import { outcomeOfError, outcomeOfStatus } from './provider-outcomes'
import { resendReason, resendRefusal } from './resend-errors'
import { type Clock, sendEach } from './send-each'
import { batchAgent, post, retryAfter, type WireAnswer } from './wire'

// Resend allows few requests a second; it says so with 429 and a second's Retry-After, which is waited for.
const PARALLEL = 2
const BATCH_SIZE = 100
const TIMEOUT_MS = 10_000

/** Where and as whom to send. */
export interface ResendAccount {
  apiKey: string
  fromEmail: string
  fromName: string | null
  baseUrl: string
  /** Messages a second; 0: as fast as they go. */
  pace?: number
  timeoutMs?: number
  clock?: Clock
}

/**
 * E-mail by Resend. Messages that share an idempotency key are one frozen batch and go in one request (at most 100,
 * in the order of their ids); all others go one by one. Resend keeps a key for 24 hours: a request repeated under it
 * answers the same and sends nothing, so an ambiguous outcome may safely be tried again with the same content.
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
      // One bad address must not keep back the rest.
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

/** Ids come for the accepted ones only, in order; errors tell the places of the others. */
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

/** An answer of Resend's that is not a success. */
class Refusal extends Error {
  constructor(readonly outcome: Outcome) {
    super(outcome.kind)
  }
}

const errorSchema = z.object({ name: z.string().default(''), message: z.string().default('') })

/** The SDK on our own way to the wire: its fetch hides whether a failed request had left, and Retry-After. */
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
