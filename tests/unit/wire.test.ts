import http, { type RequestListener } from 'node:http'
import https from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { post, retryAfter, sendEach, WireError } from '@/lib/messaging/provider'
import { selfSigned } from '../fakes/providers/tls'

const TLS = selfSigned()
const cleanups: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const cleanup of cleanups.splice(0)) cleanup()
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A server over http or TLS with scripted answers; `ask` posts to it and keeps its connections. */
async function serve(protocol: 'http' | 'https', listener: RequestListener, trusted = true) {
  const server = protocol === 'https' ? https.createServer(TLS, listener) : http.createServer(listener)
  const options = { keepAlive: true, maxSockets: 1 }
  const agent =
    protocol === 'https'
      ? new https.Agent({ ...options, ...(trusted ? { ca: TLS.cert } : {}) })
      : new http.Agent(options)
  const url = `${protocol}://127.0.0.1:${await listening(server)}/x`
  cleanups.push(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  return (timeoutMs = 300) => post({ url, headers: { 'X-A': '1' }, body: 'ñ=1', timeoutMs, agent })
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error) => (error instanceof WireError ? { begun: error.begun, timedOut: error.timedOut } : error),
  )

describe.each(['http', 'https'] as const)('a request over %s', (protocol) => {
  it('brings the answer, on one connection after another', async () => {
    const ports = new Set<number | undefined>()
    const ask = await serve(protocol, (req, res) => {
      ports.add(req.socket.remotePort)
      req.on('data', (data) => res.writeHead(201, { 'Retry-After': '3' }).end(`got ${data}`))
    })
    for (const _ of [1, 2, 3]) {
      expect(await ask(5000)).toMatchObject({ status: 201, text: 'got ñ=1', headers: { 'retry-after': '3' } })
    }
    expect(ports.size).toBe(1)
  })

  it('that hangs has begun', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    // The time is up when the request has arrived, however long the handshake takes.
    const ask = await serve(protocol, () => void vi.advanceTimersByTime(300))
    expect(await failure(ask(300))).toEqual({ begun: true, timedOut: true })
  })

  it('that hangs on a connection used before has begun', async () => {
    let count = 0
    const ask = await serve(protocol, (req, res) => {
      req.resume()
      if (++count === 1) res.end('one')
    })
    expect(await failure(ask(5000))).toBe('answered')
    expect(await failure(ask())).toEqual({ begun: true, timedOut: true })
  })

  it('that is cut off has begun, also within the answer', async () => {
    const reset = await serve(protocol, (req) => void req.socket.destroy())
    expect(await failure(reset(5000))).toEqual({ begun: true, timedOut: false })
    const half = await serve(protocol, (_req, res) => {
      res.writeHead(200, { 'Content-Length': '100' }).write('half')
      setImmediate(() => res.destroy())
    })
    expect(await failure(half(5000))).toEqual({ begun: true, timedOut: false })
  })

  it('whose answer never ends is given up', async () => {
    const ask = await serve(protocol, (_req, res) => {
      res.on('error', () => {})
      res.write('x'.repeat(2 * 1024 * 1024))
    })
    expect(await failure(ask(5000))).toEqual({ begun: true, timedOut: false })
  })
})

describe('a request that never left', () => {
  it('for a certificate that is not trusted has not begun', async () => {
    let asked = 0
    const ask = await serve('https', () => void asked++, false)
    expect(await failure(ask(5000))).toEqual({ begun: false, timedOut: false })
    expect(asked).toBe(0)
  })

  it('because TLS never came about has not begun', async () => {
    const server = createServer(() => {})
    const port = await listening(server)
    const agent = new https.Agent()
    cleanups.push(() => {
      agent.destroy()
      server.close()
    })
    const request = { url: `https://127.0.0.1:${port}/`, headers: {}, body: '', timeoutMs: 200, agent }
    expect(await failure(post(request))).toEqual({ begun: false, timedOut: true })
  })
})

it('Retry-After is seconds or a date', () => {
  const now = new Date('2026-11-20T11:00:00Z')
  const value = (text?: string) => retryAfter(text === undefined ? {} : { 'retry-after': text }, now)
  expect(value('120')).toBe(120)
  expect(value('Fri, 20 Nov 2026 11:01:30 GMT')).toBe(90)
  expect(value('Fri, 20 Nov 2026 10:00:00 GMT')).toBe(0)
  for (const nothing of [undefined, '', 'soon', '-1x', '1e9x']) expect(value(nothing)).toBeUndefined()
})

it('a batch ends when its time is over; the rest is held back, unsent', async () => {
  let at = 0
  const clock = { now: () => new Date(at), sleep: async () => {} }
  const groups = Array.from({ length: 20 }, (_, index) => [
    { id: String(index), channel: 'sms' as const, recipient: '', content: {}, idempotencyKey: '' },
  ])
  const outcomes = await sendEach(
    groups,
    async ([message]) => {
      at += 10_000
      return [{ kind: 'accepted', providerId: String(message?.id) }]
    },
    { parallel: 1, clock },
  )
  expect(
    outcomes.flat().map((outcome) => ('providerId' in outcome ? outcome.providerId : outcome.reason)),
  ).toEqual([
    ...Array.from({ length: 9 }, (_, index) => String(index)),
    ...Array.from({ length: 11 }, () => 'held_back'),
  ])
})
