import 'server-only'
import http, { type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import https from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { env } from '@/lib/env'
import { guardedLookup } from '@/lib/outgoing/lookup'
import type { MessageReason } from './reasons'
import type { Channel, Content } from './schema'

/** A message with frozen content, in the form for providers. */
export interface OutboundMessage {
  id: string
  channel: Channel
  recipient: string
  content: Content
  /**
   * The same at every attempt: a provider with idempotency keys never sends twice. Shared by the messages of one
   * request.
   */
  idempotencyKey: string
}

/** The outcome of a message at a provider. Reasons contain no personal data: they are shown and logged. */
export type Outcome =
  | { kind: 'accepted'; providerId: string }
  /** Permanently refused: wrong address, content not allowed. */
  | { kind: 'permanent'; reason: MessageReason }
  /** Certainly not accepted (429, connection refused): may be retried after this many seconds. */
  | { kind: 'retryable'; reason: MessageReason; afterSeconds?: number }
  /** Possibly accepted (timeout, 5xx): retried only under an idempotency key. */
  | { kind: 'ambiguous'; reason: MessageReason }

/** The result of a request; `untried`: no request was sent to the provider. */
type Passage = 'fine' | 'trouble' | 'untried'

/** Limits a batch's requests to its provider; all batches of a channel share the width and the known troubles. */
export interface Gate {
  /** Does the work when a place is free. `judge` returns from its result whether the provider works well. */
  pass: <T>(work: () => Promise<T>, judge: (result: T) => Passage) => Promise<T>
  /** Whether a batch has met trouble that was not recorded in the database when this batch was claimed. */
  troubled: () => boolean
  /** Call after the batch's outcomes are recorded: batches claimed later see its troubles in the database. */
  close: () => void
}

export interface Provider {
  /** The value of `messages.provider`. */
  name: string
  /** Messages per second over all instances; absent: no limit. */
  pace?: number
  /** The organization's integration behind it: when it is switched off, no more messages are claimed. */
  isIntegration?: boolean
  /** For SMS: what guests answer to in order to opt out, a number or the message; absent when the sender cannot receive answers. */
  answers?: { number: string } | 'message'
  /** The maximum number of messages in one request; absent: one message per request. */
  batchSize?: number
  /**
   * Sends a batch; returns one outcome per message, in order. May send several at once, must end by its own timeouts;
   * an error counts as ambiguous for the whole batch. Each request passes the gate, which batches under way share.
   */
  send: (batch: OutboundMessage[], gate?: Gate) => Promise<Outcome[]>
}

/** The provider of each channel; a channel without one sends nothing. */
export type Providers = Partial<Record<Channel, Provider>>

/**
 * A problem of every message until the integration's settings or plan change: a long pause, so that a message's few
 * attempts last for days. The engine caps a delay at six hours.
 */
const PAUSE_SECONDS = 21_600

/** Not caused by this message: credentials, sender or plan. Certainly not accepted. */
export const paused = (reason: 'provider_auth' | 'provider_config' | 'provider_quota'): Outcome => ({
  kind: 'retryable',
  reason,
  afterSeconds: PAUSE_SECONDS,
})

/** The outcome by HTTP status alone; null for refusals of a single message (other 4xx). */
export function outcomeOfStatus(status: number, afterSeconds: number | undefined): Outcome | null {
  if (status === 429) return { kind: 'retryable', reason: 'provider_rate_limit', afterSeconds }
  if (status === 401 || status === 403) return paused('provider_auth')
  if (status >= 400 && status < 500 && status !== 408) return null
  return { kind: 'ambiguous', reason: 'provider_error' }
}

/** The outcome of a failure without an answer. Only a request that was never sent is certainly not accepted. */
export function outcomeOfError(error: unknown): Outcome {
  if (!(error instanceof WireError)) return { kind: 'ambiguous', reason: 'provider_error' }
  if (!error.begun) return { kind: 'retryable', reason: 'provider_unreachable' }
  return { kind: 'ambiguous', reason: error.timedOut ? 'provider_timeout' : 'provider_connection_lost' }
}

// A batch is leased for three minutes (drain.ts) and must end well before that.
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
 * Sends groups of messages, each with one request, `parallel` at once; returns one outcome per message, in order. It
 * waits when the provider asks to slow down for a few seconds. After trouble (any other retryable or ambiguous outcome,
 * here or in another batch at the same gate) it sends no further requests: these messages are retryable and unsent.
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

  /** Check again: other batches may have met trouble while this one waited at the gate. */
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

// A failing provider gets only few requests before the others are held back.
const INITIAL_WIDTH = 5

/**
 * A channel's gate: it starts narrow, widens by one with each success up to `maxWidth`, and is narrow again after
 * trouble. Returns the function that each batch calls before it is claimed.
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

/** A request to a provider; `timeoutMs` limits the whole request. */
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

/** Connections for one batch only: an old idle one could break just when a message is written to it. */
export function batchAgent(url: string, maxSockets: number): http.Agent {
  return agentFor(url, { keepAlive: true, maxSockets })
}

/** Connections that are kept for later batches, and closed after `idleMs` without use. */
export function keptAgent(url: string, maxSockets: number, idleMs: number): http.Agent {
  return agentFor(url, { keepAlive: true, maxSockets, timeout: idleMs })
}

function agentFor(url: string, options: http.AgentOptions): http.Agent {
  const guarded = { ...options, lookup: guardedLookup(env().ALLOW_LOOPBACK_UPSTREAMS) }
  return url.startsWith('https:') ? new https.Agent(guarded) : new http.Agent(guarded)
}

/**
 * Posts and reads the whole answer; does not follow redirects. Not `fetch`, which hides whether a failed request was
 * already written: only a request that was certainly not written may be sent again.
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
      // Before TLS is established no part of the request can have been sent.
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
