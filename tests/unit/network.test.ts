import dns from 'node:dns/promises'
import { once } from 'node:events'
import http, { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { HttpResponse, http as mock } from 'msw'
import { Agent, fetch as undiciFetch } from 'undici'
import { expect, it, vi } from 'vitest'
import { network, watchRequests } from '../support/network'

// The guard of every test run (tests/support/network.ts): nothing leaves this machine.

/** How a request ends that node:http sends. */
const viaHttp = (url: string) => new Promise((resolve, reject) => http.get(url, resolve).on('error', reject))

/** How a bare connection ends. */
const viaSocket = (host: string) =>
  new Promise((resolve, reject) => net.connect(443, host, () => resolve(host)).on('error', reject))

const TRIES: Record<string, () => Promise<unknown>> = {
  'fetch to a name': () => fetch('https://api.twilio.com/'),
  'fetch to an IP': () => fetch('http://203.0.113.7/'),
  'node:http to a name': () => viaHttp('http://api.resend.com/'),
  'node:http to an IP': () => viaHttp('http://203.0.113.7/'),
  'undici to a name': () => undiciFetch('https://api.openai.com/', { dispatcher: new Agent() }),
  'undici to an IP': () => undiciFetch('https://203.0.113.7/', { dispatcher: new Agent() }),
  'undici with a lookup of its own': () =>
    undiciFetch('http://pms.example/', {
      dispatcher: new Agent({
        connect: { lookup: (_, __, callback) => callback(null, [{ address: '203.0.113.7', family: 4 }]) },
      }),
    }),
  'a socket to a name': () => viaSocket('example.com'),
  'a socket to an IP': () => viaSocket('2606:4700::1111'),
  'a look-up': () => dns.lookup('example.com'),
}

it.each(Object.entries(TRIES))('%s is refused', async (_, attempt) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const error: unknown = await attempt().catch((thrown) => thrown)
  const reasons = [error, error instanceof Error ? error.cause : undefined].map(String)
  expect(reasons.join()).toMatch(/Tests do not leave this machine|Cannot bypass a request/)
})

it('requests to this machine pass, by its name and by its IP', async () => {
  const server = createServer((_, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const host of ['localhost', '127.0.0.1']) {
    const url = `http://${host}:${port}/`
    expect(await (await fetch(url)).text()).toBe('here')
    expect(await (await undiciFetch(url, { dispatcher: new Agent() })).text()).toBe('here')
    expect(await viaHttp(url)).toMatchObject({ statusCode: 200 })
  }
  server.closeAllConnections()
  server.close()
})

it('an abort reaches a request to this machine, whatever the garbage collector has taken', async () => {
  setFlagsFromString('--expose_gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const controller = new AbortController()
  const answer = fetch(`http://127.0.0.1:${port}/`, { signal: controller.signal })
  await once(server, 'request')
  for (let turn = 0; turn < 5; turn++) {
    collectGarbage()
    await setImmediate()
  }
  controller.abort()
  await expect(answer).rejects.toThrow(/abort/i)
  server.closeAllConnections()
  server.close()
})

it('a test plays another host with a handler', async () => {
  network.use(mock.get('https://api.twilio.com/', () => HttpResponse.json({ played: true })))
  expect(await (await fetch('https://api.twilio.com/')).json()).toEqual({ played: true })
})

it('a test sees what the app sends, without taking its place', async () => {
  const server = createServer((request, response) => response.end(request.headers.authorization))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const seen: (string | null)[] = []
  const stop = watchRequests((request) => seen.push(request.headers.get('authorization')))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const sent = await fetch(url, { method: 'POST', body: 'x', headers: { authorization: 'Bearer t' } })
  stop()
  expect(await sent.text()).toBe('Bearer t')
  expect(seen).toEqual(['Bearer t'])
  server.closeAllConnections()
  server.close()
})
