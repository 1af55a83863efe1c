import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaultSwitch, type Fault, parseFault } from './faults'

/** A request as it arrived, whole. */
export interface Arrived {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export interface Answer {
  status: number
  /** JSON, or text as it is. */
  body?: unknown
  headers?: OutgoingHttpHeaders
}

/** What a provider is beyond its faults. */
export interface Protocol {
  /** Checks a request without accepting it: an answer refuses it, null lets it in. */
  check(request: Arrived): Answer | null
  /** Accepts the request (into the ledger) and answers. */
  accept(request: Arrived): Answer
  /** The provider's own error body. */
  error(status: number, code: number | string, message?: string): Answer
  /** `GET /__control/ledger`, when there is a control. */
  ledger(): unknown
  /** `POST /__control/<name>`: what it answers, or null for an unknown name. */
  command?(name: string, body: Record<string, unknown>): Promise<unknown>
}

export interface ServerOptions {
  /** Default 0: any free port. */
  port?: number
  /** Answer under `/__control/`; default false. */
  control?: boolean
}

/** How a fake calls back: POST with headers (in lower case) and body. Default: fetch. */
export type Deliver = (url: string, headers: Record<string, string>, body: string) => Promise<Response>

export const deliverByFetch: Deliver = (url, headers, body) => fetch(url, { method: 'POST', headers, body })

export interface FakeServer {
  url: string
  /** All requests of the protocol, refused ones included. */
  requests: Arrived[]
  setFault(fault: Fault | null): void
  /** From now on connections are refused, until `listen`. */
  refuse(): Promise<void>
  listen(): Promise<void>
  /** Ends at once, also requests that hang. */
  close(): Promise<void>
}

const MAX_BODY = 4 * 1024 * 1024

/** Serves a provider's protocol on loopback, with faults and, if asked for, a control endpoint. */
export async function startFakeServer(protocol: Protocol, options: ServerOptions = {}): Promise<FakeServer> {
  const faults = createFaultSwitch()
  const requests: Arrived[] = []
  let port = options.port ?? 0

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const request = await arrived(req)
    if (options.control && request.path.startsWith('/__control/')) return control(request, res)
    requests.push(request)
    const fault = faults.take()
    if (fault?.kind === 'error_before') return send(res, protocol.error(fault.status ?? 500, 20500))
    if (fault?.kind === 'rate_limit')
      return send(res, {
        ...protocol.error(429, 'rate_limit_exceeded'),
        headers: { 'Retry-After': fault.retryAfter },
      })
    if (fault?.kind === 'reject') return send(res, protocol.error(fault.status, fault.code, fault.message))
    const answer = protocol.check(request) ?? protocol.accept(request)
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'reset') return void req.socket.resetAndDestroy()
    if (fault?.kind === 'error_after') return send(res, protocol.error(fault.status ?? 500, 20500))
    if (fault?.kind === 'garbage') return send(res, { status: 200, body: '<html>' })
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms))
    send(res, answer)
  }

  async function control(request: Arrived, res: ServerResponse): Promise<void> {
    const name = request.path.slice('/__control/'.length)
    if (request.method === 'GET' && name === 'ledger')
      return send(res, { status: 200, body: protocol.ledger() })
    if (name === 'fault' && request.method === 'DELETE') {
      faults.set(null)
      return send(res, { status: 204 })
    }
    const body: unknown = JSON.parse(request.body || '{}')
    if (name === 'fault' && request.method === 'PUT') {
      const fault = parseFault(body)
      if (fault) faults.set(fault)
      return send(res, fault ? { status: 204 } : { status: 400, body: { error: 'Not a fault' } })
    }
    const done =
      request.method === 'POST' ? await protocol.command?.(name, body as Record<string, unknown>) : null
    send(res, done ? { status: 200, body: done } : { status: 404, body: { error: 'Not found' } })
  }

  const server = createServer((req, res) => {
    handle(req, res).catch(() => {
      if (res.headersSent) res.destroy()
      else send(res, { status: 500, body: { message: 'Simulator failure' } })
    })
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  await listen()
  port = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    setFault: faults.set,
    refuse: close,
    listen,
    close,
  }
}

async function arrived(req: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size <= MAX_BODY) chunks.push(chunk)
  }
  return {
    method: req.method ?? 'GET',
    path: req.url ?? '/',
    headers: req.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

function send(res: ServerResponse, { status, body, headers = {} }: Answer): void {
  if (body === undefined) return void res.writeHead(status, headers).end()
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text)
}
