import { Agent, request } from 'node:http'
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
