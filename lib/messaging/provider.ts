import 'server-only'
import http, { type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import https from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { env } from '@/lib/env'
import { guardedLookup } from '@/lib/outgoing/lookup'
import type { Channel, Content } from './schema'

/** A message whose content is frozen, as a provider gets it. */
export interface OutboundMessage {
  id: string
  channel: Channel
  recipient: string
  content: Content
  /** The same at every attempt: a provider that knows it never sends twice. Shared by what goes in one request. */
  idempotencyKey: string
}

/** What a provider made of a message. Reasons hold no personal data: they are shown and logged. */
export type Outcome =
  | { kind: 'accepted'; providerId: string }
  /** Refused for good: the address is wrong, the content is not allowed. */
  | { kind: 'permanent'; reason: string }
  /** Surely not accepted (429, connection refused): may be tried again, after so many seconds. */
  | { kind: 'retryable'; reason: string; afterSeconds?: number }
  /** Perhaps accepted (timeout, 5xx): resent only under an idempotency key. */
  | { kind: 'ambiguous'; reason: string }

/** How a request went; `untried`: nothing was asked of the provider. */
type Passage = 'fine' | 'trouble' | 'untried'

/** A batch's way to its provider; all batches under way by a channel share its width and its troubles. */
export interface Gate {
  /** Does the work once there is room. `judge` says by its result whether the provider copes. */
  pass: <T>(work: () => Promise<T>, judge: (result: T) => Passage) => Promise<T>
  /** Whether any batch has met trouble that the database did not know of when this one came. */
  troubled: () => boolean
  /** Called when what became of the batch is recorded: batches claimed from now on know of its troubles. */
  close: () => void
}

export interface Provider {
  /** What `messages.provider` says. */
  name: string
  /** Messages a second over all instances; without one: as fast as they go. */
  pace?: number
  /** One of the organization's integrations: nothing more is claimed for it once that is switched off. */
  isIntegration?: boolean
  /** The most messages it takes in one request; without one: a request a message. */
  batchSize?: number
  /**
   * Sends a batch; one outcome a message, in order. May send several at once, must end by itself (timeouts), and what
   * it throws counts as ambiguous for the whole batch. Each request passes the gate, which batches under way share.
   */
  send: (batch: OutboundMessage[], gate?: Gate) => Promise<Outcome[]>
}

/** Who sends what goes by each channel; nothing goes by one that is not there. */
export type Providers = Partial<Record<Channel, Provider>>

/**
 * A problem of every message until the integration's settings or plan change: a long pause, so that a message's few
 * attempts last for days. The engine caps a delay at six hours.
 */
const PAUSE_SECONDS = 21_600

/** Not this message's fault: credentials, sender or plan. Surely not accepted. */
export const paused = (reason: 'provider_auth' | 'provider_config' | 'provider_quota'): Outcome => ({
  kind: 'retryable',
  reason,
  afterSeconds: PAUSE_SECONDS,
})

/** What an HTTP status says by itself; null for refusals of the one message (other 4xx). */
export function outcomeOfStatus(status: number, afterSeconds: number | undefined): Outcome | null {
  if (status === 429) return { kind: 'retryable', reason: 'provider_rate_limit', afterSeconds }
  if (status === 401 || status === 403) return paused('provider_auth')
  if (status >= 400 && status < 500 && status !== 408) return null
  return { kind: 'ambiguous', reason: 'provider_error' }
}

/** What a failure without an answer says. Anything but a request that never left may have been accepted. */
export function outcomeOfError(error: unknown): Outcome {
  if (!(error instanceof WireError)) return { kind: 'ambiguous', reason: 'provider_error' }
  if (!error.begun) return { kind: 'retryable', reason: 'provider_unreachable' }
  return { kind: 'ambiguous', reason: error.timedOut ? 'provider_timeout' : 'provider_connection_lost' }
}

// A batch is leased for three minutes (drain.ts) and must be over well before.
const BUDGET_MS = 90_000
const SHORT_PAUSE_SECONDS = 5

/** The clock, which tests replace. */
export interface Clock {
  now: () => Date
  sleep: (ms: number) => Promise<unknown>
}

const realClock: Clock = { now: () => new Date(), sleep: pause }

interface Pace {
  parallel: number
  gate?: Gate
  clock?: Clock
}

/**
 * Sends groups of messages, each with one request, `parallel` at once; one outcome a message, in order. A provider
 * that asks to slow down for a few seconds is waited for. When it is in trouble (any other retryable or ambiguous
 * outcome, here or in another batch at the same gate), what has not begun is not even tried: it comes back retryable,
 * for sure unsent.
 */
export async function sendEach(
  groups: OutboundMessage[][],
  send: (group: OutboundMessage[]) => Promise<Outcome[]>,
  { parallel, clock = realClock, gate = createGate(parallel)() }: Pace,
): Promise<Outcome[][]> {
  const outcomes: Outcome[][] = []
  const end = clock.now().getTime() + BUDGET_MS
  let next = 0
  let trouble: Outcome | undefined

  async function sendPatiently(group: OutboundMessage[]): Promise<Outcome[]> {
    for (;;) {
      const result = await send(group)
      const wait = result[0]?.kind === 'retryable' ? result[0].afterSeconds : undefined
      const ms = Math.max(wait ?? 0, 1) * 1000
      const patient = wait !== undefined && wait <= SHORT_PAUSE_SECONDS && clock.now().getTime() + ms < end
      if (!patient || trouble) return result
      await clock.sleep(ms)
    }
  }

  /** The gate may have opened only after others met trouble. */
  async function begin(group: OutboundMessage[]): Promise<Outcome[]> {
    if (gate.troubled() || clock.now().getTime() >= end) trouble ??= HELD_BACK
    const held = trouble
    const result = held ? group.map(() => held) : await sendPatiently(group)
    trouble ??= troubleOf(result)
    return result
  }

  async function work(): Promise<void> {
    for (let index = next++; index < groups.length; index = next++) {
      const group = groups[index] ?? []
      outcomes[index] = await gate.pass(() => begin(group), passageOf)
    }
  }

  await Promise.all(Array.from({ length: Math.min(parallel, groups.length) }, work))
  return outcomes
}

const HELD_BACK = { kind: 'retryable', reason: 'held_back' } as const satisfies Outcome

function passageOf(result: Outcome[]): Passage {
  if (result.every((outcome) => outcome.kind === 'retryable' && outcome.reason === HELD_BACK.reason))
    return 'untried'
  return troubleOf(result) ? 'trouble' : 'fine'
}

function troubleOf(result: Outcome[]): Outcome | undefined {
  if (result.some(({ kind }) => kind === 'ambiguous')) return HELD_BACK
  return result.find(({ kind }) => kind === 'retryable')
}

// A provider in trouble gets few requests before the rest is held back.
const INITIAL_WIDTH = 5

/**
 * A channel's gate: it begins narrow, widens by one with each success up to `maxWidth`, and is narrow again after trouble.
 * Returns what each batch calls before it is claimed.
 */
export function createGate(maxWidth: number): () => Gate {
  const first = Math.min(INITIAL_WIDTH, maxWidth)
  const waiting: (() => void)[] = []
  const unrecorded = new Set<symbol>()
  let width = first
  let inside = 0
  let troubles = 0

  const letIn = () => {
    while (inside < width && waiting.length > 0) {
      inside++
      waiting.shift()?.()
    }
  }
  const leave = (batch: symbol, passage: Passage) => {
    inside--
    if (passage === 'fine') width = Math.min(maxWidth, width + 1)
    if (passage === 'trouble') {
      width = first
      troubles++
      unrecorded.add(batch)
    }
    letIn()
  }
  return () => {
    const batch = Symbol('batch')
    const known = unrecorded.size > 0 ? troubles - 1 : troubles
    return {
      async pass(work, judge) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          letIn()
        })
        let passage: Passage = 'trouble'
        try {
          const result = await work()
          passage = judge(result)
          return result
        } finally {
          leave(batch, passage)
        }
      },
      troubled: () => troubles > known,
      close: () => void unrecorded.delete(batch),
    }
  }
}

const MAX_ANSWER_BYTES = 1024 * 1024

/** A request to a provider; `timeoutMs` is for the whole of it. */
export interface WireRequest {
  url: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
  agent: http.Agent
}

export interface WireAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** A request without an answer. `begun`: the provider may have received it. */
export class WireError extends Error {
  constructor(
    readonly begun: boolean,
    readonly timedOut: boolean,
  ) {
    super(timedOut ? 'timeout' : begun ? 'connection lost' : 'unreachable')
    this.name = 'WireError'
  }
}

/** Connections that live as long as one batch: an old idle one could break just as a message is written to it. */
export function batchAgent(url: string, maxSockets: number): http.Agent {
  return agentFor(url, { keepAlive: true, maxSockets })
}

/** Connections that are kept for the next batch too, and closed after `idleMs` without use. */
export function keptAgent(url: string, maxSockets: number, idleMs: number): http.Agent {
  return agentFor(url, { keepAlive: true, maxSockets, timeout: idleMs })
}

function agentFor(url: string, options: http.AgentOptions): http.Agent {
  const guarded = { ...options, lookup: guardedLookup(env().ALLOW_LOOPBACK_UPSTREAMS) }
  return url.startsWith('https:') ? new https.Agent(guarded) : new http.Agent(guarded)
}

/**
 * Posts and reads the whole answer; redirects are not followed. fetch would do, but hides whether a request that
 * failed had been written: only what surely was not may be sent again.
 * @throws WireError
 */
export function post({ url, headers, body, timeoutMs, agent }: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    let begun = false
    let timedOut = false
    const length = { 'Content-Length': String(Buffer.byteLength(body)) }
    const options: RequestOptions = { method: 'POST', headers: { ...headers, ...length }, agent }
    const request = (url.startsWith('https:') ? https : http).request(url, options)
    const timer = setTimeout(() => {
      timedOut = true
      request.destroy()
    }, timeoutMs)
    const fail = () => {
      clearTimeout(timer)
      reject(new WireError(begun, timedOut))
    }
    request.once('socket', (socket) => {
      if (request.reusedSocket || !socket.connecting) begun = true
      // Until TLS stands nothing of the request can have left.
      else
        socket.once(url.startsWith('https:') ? 'secureConnect' : 'connect', () => {
          begun = true
        })
    })
    request.once('error', fail)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        chunks.push(chunk)
        if (size > MAX_ANSWER_BYTES) request.destroy()
      })
      response.once('close', () => {
        if (!response.complete) return fail()
        clearTimeout(timer)
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
      response.once('error', fail)
    })
    request.end(body)
  })
}

/** Seconds of a Retry-After header (a number or an HTTP date); undefined without one. */
export function retryAfter(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const value = headers['retry-after'] ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now.getTime()) / 1000))
}
