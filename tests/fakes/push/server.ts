import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type FakeDevice, makeDevice, vapidProblem } from './device'

/** What a device was shown, and how it was sent. */
interface Pushed {
  endpoint: string
  payload: Record<string, unknown>
  ttl: number
  urgency: string
  topic: string
}

interface Fault {
  status: number
  headers?: Record<string, string>
}

export interface FakePush {
  /** Where it listens; its devices' endpoints are at `origin`, as the app refuses loopback for push services. */
  url: string
  origin: string
  /** A new device, as a browser's `pushManager.subscribe` returns it. */
  subscribe(): { endpoint: string; keys: FakeDevice['keys'] }
  /** The person took the permission away: 410 from now on. */
  unsubscribe(endpoint: string): void
  /** What was accepted and decrypted, in order. */
  pushed: Pushed[]
  /** Every request, refused ones too. */
  requests: string[]
  /** Why requests were refused. */
  refusals: string[]
  /** Answers this from now on, or nothing at all (`hang`). */
  setFault(fault: Fault | 'hang' | null): void
  close(): Promise<void>
}

/** Starts a push service (RFC 8030) over HTTP, public as `origin`, that checks the sender's identity and reads what its devices would. */
export async function startFakePush(publicKey: string, origin: string): Promise<FakePush> {
  const devices = new Map<string, FakeDevice>()
  const [pushed, requests, refusals]: [Pushed[], string[], string[]] = [[], [], []]
  let fault: Fault | 'hang' | null = null

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const endpoint = origin + req.url
    const body = await buffer(req)
    requests.push(endpoint)
    if (fault === 'hang') return
    if (fault) return void res.writeHead(fault.status, fault.headers).end()
    const device = devices.get(endpoint)
    if (!device) return void res.writeHead(410).end()
    const problem = problemOf(req) ?? vapidProblem(req.headers, { origin, publicKey })
    if (problem) {
      refusals.push(problem)
      return void res.writeHead(problem.includes('key') ? 403 : 400).end()
    }
    const payload = JSON.parse(device.read(body)) as Pushed['payload']
    const { ttl, urgency, topic } = req.headers
    pushed.push({ endpoint, payload, ttl: Number(ttl), urgency: String(urgency), topic: String(topic) })
    res.writeHead(201, { location: `${origin}/m/${randomUUID()}` }).end()
  }

  const server = createServer((req, res) => {
    handle(req, res).catch((error: unknown) => {
      refusals.push(String(error))
      res.writeHead(400).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    origin,
    pushed,
    requests,
    refusals,
    subscribe() {
      const endpoint = `${origin}/p/${randomUUID()}`
      const device = makeDevice()
      devices.set(endpoint, device)
      return { endpoint, keys: device.keys }
    },
    unsubscribe: (endpoint) => void devices.delete(endpoint),
    setFault: (next) => {
      fault = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function problemOf({ method, headers }: IncomingMessage): string | null {
  if (method !== 'POST') return 'not a POST'
  if (headers['content-encoding'] !== 'aes128gcm') return 'another encoding'
  if (!/^\d+$/.test(headers.ttl as string)) return 'no TTL'
  if (!/^[\w-]{1,32}$/.test(headers.topic as string)) return 'a topic that is none'
  return Number(headers['content-length']) > 4096 ? 'too large' : null
}
