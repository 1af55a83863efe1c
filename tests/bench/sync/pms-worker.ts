// The PMS in a process of its own, so that its memory and its work are not the app's.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createPeople } from '../../fakes/pms/people'
import { startPmsSimulator } from '../../fakes/pms/server'
import { createWorld } from '../../fakes/pms/world'
import { answerQuestions } from '../support/worker'

/** Serve `rows` bulk rows for each restaurant in a window of dates, every answer after `latencyMs`. */
export interface PmsQuestion {
  slugs: string[]
  rows: number
  latencyMs: number
  window: { from: string; to: string }
  apiKey: string
}

const PAGE = 1000

answerQuestions(async (question: PmsQuestion): Promise<string> => {
  const { slugs, rows, latencyMs, window, apiKey } = question
  const venues = slugs.map((slug) => ({
    slug,
    name: slug,
    timezone: 'Europe/Madrid',
    shape: 'mapped' as const,
  }))
  const people = createPeople({ seed: 'bench', count: 300, slugs })
  const world = createWorld({ seed: 'bench', people, venues, now: () => new Date() })
  const simulator = await startPmsSimulator({ world, apiKey, pageSize: 1_000_000, ledgerLimit: 1 })
  for (const slug of slugs) simulator.setFault(slug, { kind: 'large', rows })
  const url = await servePages(simulator.url, latencyMs)
  for (const slug of slugs) {
    const path = [apiKey, slug, window.from, window.to, 0].map(encodeURIComponent).join('/')
    await fetch(`${url}/api/restaurant/get_reservs/${path}`, { method: 'POST' })
  }
  return url
})

/**
 * The simulator makes all rows of a `large` answer anew for each page. This asks it for all of them once,
 * when the window is first asked for, and serves the pages from memory.
 */
function servePages(simulatorUrl: string, latencyMs: number): Promise<string> {
  const windows = new Map<string, Promise<Buffer[]>>()
  const server = createServer(async (request, response) => {
    request.resume()
    const [, window = '', page = ''] = /^(.*)\/(\d+)$/.exec(request.url ?? '') ?? []
    const pages = windows.get(window) ?? cutPages(`${simulatorUrl}${window}/0`)
    windows.set(window, pages)
    const body = (await pages)[Number(page)] ?? pageBody([])
    if (latencyMs > 0) await wait(latencyMs)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

async function cutPages(url: string): Promise<Buffer[]> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(url, { method: 'POST', headers })
  const { reservs } = (await response.json()) as { reservs: unknown[] }
  const count = Math.ceil(reservs.length / PAGE)
  return Array.from({ length: count }, (_, page) => pageBody(reservs.slice(page * PAGE, (page + 1) * PAGE)))
}

function pageBody(reservs: unknown[]): Buffer {
  return Buffer.from(JSON.stringify({ resp: 1, reservs }))
}
