import 'server-only'
import http, { type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import https from 'node:https'
import { env } from '@/lib/env'
import { guardedLookup } from '@/lib/outgoing/lookup'

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

/** A request without an answer. `begun` tells whether the provider may have got it. */
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

/** Connections that are kept for the next batch too, and closed once nobody has used them for `idleMs`. */
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
