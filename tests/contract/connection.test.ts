import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateKeys } from '../../supabase/local/keys'
import { type BuiltApp, startBuiltApp } from './built-app'

const MB = 1024 * 1024
const NOT_A_FORM = { 'content-type': 'application/json' }

let built: BuiltApp
beforeAll(async () => {
  // Nothing here asks the database.
  built = await startBuiltApp(
    { url: 'http://127.0.0.1:9', keys: await generateKeys() },
    { LOG_LEVEL: 'info' },
  )
})
afterAll(() => built?.stop())

/** The status of a request over the agent's one connection. */
function ask(agent: Agent, method: string, path: string, size = 0): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, built.url), { method, agent, headers: NOT_A_FORM }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    sent.once('error', reject)
    sent.end('x'.repeat(size))
  })
}

it.each([
  ['above the limit', '/api/auth/sign-in', 2 * MB, 413],
  ['far above the limit', '/api/auth/sign-in', 40 * MB, 413],
  ['of a caller without a session', '/api/customers', 40 * MB, 401],
  ['for a path that is not there', '/api/nothing', 2 * MB, 404],
])('a body %s leaves the connection free for the next request', async (_, path, size, status) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    expect(await ask(agent, 'POST', path, size)).toBe(status)
    expect(await ask(agent, 'GET', '/api/customers')).toBe(401)
  } finally {
    agent.destroy()
  }
})

it('a client that leaves while it sends is noted, not reported as a failure', async () => {
  const headers = { ...NOT_A_FORM, 'content-length': 1000, expect: '100-continue' }
  const sent = request(new URL('/api/auth/sign-in', built.url), { method: 'POST', headers })
  sent.on('error', () => {})
  sent.once('continue', () => sent.write('{', () => sent.destroy()))
  sent.flushHeaders()
  await expect.poll(built.output, { timeout: 10_000 }).toContain('the client left')
  expect(built.output()).not.toContain('request failed')
})

/** All that is answered to bytes as they stand, until the connection ends or the first answer has come. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(built.url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.once('close', () => resolve(answer))
    socket.once('error', reject)
  })
}
const statuses = (answer: string) =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))

const HIDDEN = 'GET /api/health HTTP/1.1\r\nHost: crm.example\r\nConnection: close\r\n\r\n'
const post = (headers: string[], body: string) =>
  `POST /api/auth/sign-in HTTP/1.1\r\nHost: crm.example\r\n${headers.join('\r\n')}\r\n\r\n${body}`

it.each([
  ['has both lengths', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${HIDDEN}`],
  ['has two lengths', ['Content-Length: 0', `Content-Length: ${HIDDEN.length}`], HIDDEN],
  ['has a length that is none', ['Content-Length: +4'], `0\r\n\r\n${HIDDEN}`],
  ['has another encoding after chunked', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${HIDDEN}`],
  ['hides its encoding', ['Transfer-Encoding : chunked', 'Content-Length: 5'], `0\r\n\r\n${HIDDEN}`],
  ['has chunks without a size', ['Transfer-Encoding: chunked'], `zz\r\n\r\n${HIDDEN}`],
])('a request that %s is refused, and none that hides in it is answered', async (_, headers, body) => {
  expect(statuses(await raw(post(headers, body)))).toEqual([400])
})

it('two requests on a connection are two where their lengths are plain', async () => {
  const first = post(['Content-Type: application/json', 'Content-Length: 2'], '{}')
  expect(statuses(await raw(first + HIDDEN))).toHaveLength(2)
})
