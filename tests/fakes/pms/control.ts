import type { IncomingMessage, ServerResponse } from 'node:http'
import { type FaultSwitches, parseFault } from './faults'
import type { Ledger } from './ledger'
import { sendJson } from './respond'
import type { World } from './world'

const MAX_BODY = 1_000_000

/**
 * Answers `PUT` and `DELETE /__control/faults/<slug>` (204; 400 for a bad fault, 404 for an unknown venue) and
 * `GET /__control/ledger` (`{requests, venues: {slug: {requests, rows}}}`); anything else is 404.
 * @param path decoded segments after `/__control/`
 */
export async function handleControl(
  req: IncomingMessage,
  res: ServerResponse,
  path: string[],
  parts: { world: World; faults: FaultSwitches; ledger: Ledger },
): Promise<void> {
  const [resource, slug] = path
  if (req.method === 'GET' && resource === 'ledger' && path.length === 1) {
    return sendJson(res, 200, { requests: parts.ledger.requests, venues: parts.ledger.totals() })
  }
  const known = parts.world.venues.some((venue) => venue.slug === slug)
  if (resource !== 'faults' || !slug || path.length !== 2 || !known)
    return sendJson(res, 404, { error: 'Not found' })
  if (req.method === 'DELETE') {
    parts.faults.set(slug, null)
    res.writeHead(204).end()
    return
  }
  if (req.method !== 'PUT') return sendJson(res, 405, { error: 'Method not allowed' })
  const fault = parseFault(await readJson(req))
  if (!fault) return sendJson(res, 400, { error: 'Not a fault' })
  parts.faults.set(slug, fault)
  res.writeHead(204).end()
}

async function readJson(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    // Read on past the limit, so that the answer still reaches the sender.
    if (size <= MAX_BODY) chunks.push(chunk)
  }
  if (size > MAX_BODY) return null
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}
