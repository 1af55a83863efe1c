import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerIn, type Dialect, eventsIn } from './dialect'
import type { Fault, Received, Reply } from './types'
import { problem } from './wire'

export interface OpenAiFake {
  /** The base URL, `http://127.0.0.1:port/v1`. */
  url: string
  /** Every request so far, in order. */
  received: Received[]
  /** What the model says next, one reply a request; the last one repeats. */
  say: (...replies: Reply[]) => void
  setFault: (fault: Fault | null) => void
  /** Lets slow answers go on. */
  proceed: () => void
  /** The next request to arrive. */
  next: () => Promise<Received>
  /** Forgets requests, replies and fault. */
  reset: () => void
  /** Ends at once, also requests that hang. */
  close: () => Promise<void>
}

const DEFAULT: Reply = { content: 'Todo en orden.' }

/** Starts an OpenAI-compatible server on loopback; any key is accepted. It speaks as OpenAI does, or another dialect. */
export async function startOpenAi(dialect: Dialect = {}): Promise<OpenAiFake> {
  const received: Received[] = []
  let replies: Reply[] = [DEFAULT]
  let fault: Fault | null = null
  let gate = Promise.withResolvers<void>()
  let waiting: ((request: Received) => void)[] = []

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of req) parts.push(part)
    const body = Buffer.concat(parts).toString('utf8')
    const { method = '', url: path = '', headers } = req
    const left = once(res, 'close').then(() => !res.writableFinished)
    const request = { method, path, headers, body, left }
    received.push(request)
    for (const resolve of waiting.splice(0)) resolve(request)
    if (method !== 'POST' || path !== '/v1/chat/completions')
      return json(res, 404, problem(`Invalid URL (${method} ${path})`, 'unknown_url'))
    if (fault && refuse(res, fault, headers.authorization ?? '')) return
    const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean }
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? DEFAULT
    const streams = dialect.alwaysStream || (stream && !dialect.noStream)
    if (streams) {
      res.setHeader('Content-Type', dialect.type ?? 'text/event-stream; charset=utf-8')
      await sendStream(res, eventsIn(model, reply, dialect), fault, () => gate.promise)
    } else if (fault?.kind === 'cut') cutShort(res, JSON.stringify(answerIn(model, reply, dialect)))
    else {
      if (fault?.kind === 'slow') await gate.promise
      json(res, 200, answerIn(model, reply, dialect))
    }
  }

  const server = createServer((req, res) => {
    handle(req, res).catch(() => res.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    say: (...next) => {
      replies = next
    },
    setFault: (next) => {
      fault = next
      gate = Promise.withResolvers<void>()
    },
    proceed: () => gate.resolve(),
    next: () => new Promise((resolve) => waiting.push(resolve)),
    reset: () => {
      received.length = 0
      replies = [DEFAULT]
      fault = null
      waiting = []
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers as the fault has it, before the model is asked; false for faults of the answer itself. */
function refuse(res: ServerResponse, fault: Fault, authorization: string): boolean {
  if (fault.kind === 'unauthorized') {
    const message = fault.message.replaceAll('{key}', authorization.replace(/^Bearer /, ''))
    json(res, 401, problem(message, 'invalid_api_key'))
  } else if (fault.kind === 'rate_limited') {
    res.setHeader('Retry-After', String(fault.retryAfter))
    json(res, 429, problem('Rate limit reached for requests', 'rate_limit_exceeded'))
  } else if (fault.kind === 'no_credit') {
    json(res, 429, problem('You exceeded your current quota', 'insufficient_quota'))
  } else if (fault.kind === 'server_error') {
    if (fault.message === undefined) res.writeHead(500).end()
    else json(res, 500, problem(fault.message, 'server_error'))
  } else if (fault.kind === 'garbage') {
    res.writeHead(200, { 'Content-Type': fault.type ?? 'application/json' }).end(fault.body)
  } else if (fault.kind === 'redirect') {
    res.writeHead(307, { Location: fault.location }).end()
  } else return fault.kind === 'hang'
  return true
}

async function sendStream(
  res: ServerResponse,
  events: string[],
  fault: Fault | null,
  proceed: () => Promise<void>,
): Promise<void> {
  res.writeHead(200)
  const [role = '', first = '', ...rest] = events
  res.write(role)
  res.write(first)
  if (fault?.kind === 'cut') return void setImmediate(() => res.destroy())
  if (fault?.kind === 'unfinished') return void res.end()
  if (fault?.kind === 'slow') await proceed()
  for (const event of rest) res.write(event)
  res.end()
}

function cutShort(res: ServerResponse, body: string): void {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  res.write(body.slice(0, 20), () => res.destroy())
}

function json(res: ServerResponse, status: number, value: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}
