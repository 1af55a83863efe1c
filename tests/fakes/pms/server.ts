import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isWindow } from './answer'
import { handleControl } from './control'
import { createFaults, type Fault } from './faults'
import { createLedger, type Ledger } from './ledger'
import { answerReservations } from './reservations'
import { sendJson, sendRefusal } from './respond'
import type { World } from './world'

export interface SimulatorOptions {
  world: World
  apiKey: string
  /** Default 0: any free port. */
  port?: number
  /** Default 127.0.0.1. */
  host?: string
  /** Delay of every answer in milliseconds; default 0. */
  latencyMs?: number
  /** Answer under `/__control/`; default false. */
  control?: boolean
  /** Rows a page; default 1,000. */
  pageSize?: number
  /** Entries the ledger keeps; default: all. */
  ledgerLimit?: number
}

export interface PmsSimulator {
  /** `http://host:port`, without a slash at the end. */
  url: string
  ledger: Ledger
  setFault(slug: string, fault: Fault | null): void
  clearFaults(): void
  setWorld(world: World): void
  /** Ends at once, also requests that hang. */
  close(): Promise<void>
}

/** Starts the PMS over HTTP. Rejects when the port is taken. It never writes the key anywhere. */
export async function startPmsSimulator(options: SimulatorOptions): Promise<PmsSimulator> {
  const { apiKey, port = 0, host = '127.0.0.1', latencyMs = 0, control = false, pageSize = 1_000 } = options
  let world = options.world
  const ledger = createLedger(options.ledgerLimit)
  const faults = createFaults()
  const closing = new AbortController()

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = segments(req.url ?? '/')
    if (control && path[0] === '__control') {
      return handleControl(req, res, path.slice(1), { world, faults, ledger })
    }
    req.resume()
    const [api, resource, verb, key, slug, from, to, page] = path
    const complete = path.length === 8 && api === 'api' && resource === 'restaurant' && verb === 'get_reservs'
    if (!complete || !slug || !from || !to || !page) return sendJson(res, 404, { error: 'Not found' })
    ledger.countRequest()
    if (req.method !== 'POST') return sendJson(res, 405, { error: 'Method not allowed' })
    if (!isForm(req)) return sendJson(res, 415, { error: 'Unsupported media type' })
    if (key !== apiKey) return sendRefusal(res, 'Invalid API key')
    if (!world.venues.some((venue) => venue.slug === slug)) return sendRefusal(res, 'Restaurant not found')
    if (!isWindow(from, to)) return sendRefusal(res, 'Invalid date range')
    if (!/^\d{1,6}$/.test(page)) return sendRefusal(res, 'Invalid page')
    const query = { slug, from, to, page: Number(page) }
    const context = { world, ledger, fault: faults.take(slug), latencyMs, pageSize, closing: closing.signal }
    return answerReservations(res, query, context)
  }

  const server = createServer((req, res) => {
    handle(req, res).catch(() => {
      if (res.headersSent) res.destroy()
      else sendJson(res, 500, { resp: 0, error: 'Simulator failure' })
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo

  return {
    url: `http://${host}:${address.port}`,
    ledger,
    setFault: faults.set,
    clearFaults: faults.clear,
    setWorld(next) {
      world = next
    },
    close() {
      closing.abort()
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function segments(url: string): string[] {
  try {
    return (url.split('?')[0] ?? '').slice(1).split('/').map(decodeURIComponent)
  } catch {
    return []
  }
}

function isForm(req: IncomingMessage): boolean {
  const type = req.headers['content-type']?.split(';')[0] ?? ''
  return type.trim().toLowerCase() === 'application/x-www-form-urlencoded'
}
