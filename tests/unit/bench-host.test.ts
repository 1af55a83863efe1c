import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Host, startHost } from '../bench/host/host'
import { secondsOf } from '../bench/host/walk'

const LARGE = Buffer.alloc(4_600_000, 'x')
let app: Server
let host: Host

beforeAll(async () => {
  app = createServer((incoming, outgoing) => {
    incoming.resume()
    if (incoming.url === '/slow') return
    if (incoming.url === '/whole') outgoing.setHeader('content-length', LARGE.length)
    if (incoming.url !== '/streamed') return outgoing.end(incoming.url === '/body' ? 'read' : LARGE)
    outgoing.write(LARGE)
    outgoing.end()
  })
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  const { port } = app.address() as AddressInfo
  host = await startHost(`http://127.0.0.1:${port}`, (path) => (path === '/slow' ? 0.01 : 300))
})
afterAll(async () => {
  await host?.close()
  app?.closeAllConnections()
  app?.close()
})

const ask = async (path: string, body?: Buffer<ArrayBuffer>) => {
  const answer = await fetch(`${host.url}${path}`, body ? { method: 'POST', body } : {})
  const bytes = (await answer.arrayBuffer()).byteLength
  return [answer.status, answer.headers.get('x-vercel-error') ?? bytes]
}

it('the host of the bench takes what Vercel takes, and refuses what it refuses', async () => {
  expect(await ask('/body', LARGE.subarray(0, 4_400_000))).toEqual([200, 4])
  expect(await ask('/body', LARGE)).toEqual([413, 'FUNCTION_PAYLOAD_TOO_LARGE'])
  expect(await ask('/whole')).toEqual([500, 'FUNCTION_RESPONSE_PAYLOAD_TOO_LARGE'])
  expect(await ask('/streamed')).toEqual([200, LARGE.length])
  expect(await ask('/slow')).toEqual([504, 'FUNCTION_INVOCATION_TIMEOUT'])
})

it('gives each path the seconds that its route declares', () => {
  const paths = [
    '/api/cron/master?mode=parallel',
    '/api/cron/sync',
    '/api/automations/1/run',
    '/',
    '/api/tickets',
  ]
  expect(paths.map(secondsOf)).toEqual([300, 60, 300, 300, 300])
})
