import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type BuiltApp, startBuiltApp } from './built-app'

// What the built app shows where it cannot run: Next itself would answer 500 without a word.
const NOWHERE = 'http://127.0.0.1:1'
let misconfigured: BuiltApp
let alone: BuiltApp

beforeAll(async () => {
  const stack = { url: NOWHERE, keys: inject('keys') }
  const apps = [startBuiltApp(stack, { SETUP_TOKEN: 'fifteen-letters' }), startBuiltApp(stack)] as const
  ;[misconfigured, alone] = await Promise.all(apps)
})
afterAll(() => Promise.all([misconfigured?.stop(), alone?.stop()]))

const page = async ({ url }: BuiltApp, path: string, language = 'es') => {
  const headers = { 'accept-language': language }
  const response = await fetch(url + path, { headers, redirect: 'manual' })
  return {
    status: response.status,
    policy: response.headers.get('content-security-policy'),
    text: await response.text(),
  }
}

it.each(['/', '/sign-in', '/setup', '/customers', '/no/such/page'])(
  '%s says which setting is wrong',
  async (path) => {
    const { status, policy, text } = await page(misconfigured, path)
    expect(status).toBe(503)
    expect(policy).toContain("default-src 'none'")
    expect(text).toContain(
      '<code>SETUP_TOKEN</code> no vale tal como está. Tiene que tener al menos 16 caracteres',
    )
    expect(text).not.toMatch(/fifteen-letters|node_modules|\.js:\d/)
    expect((await page(misconfigured, path, 'en')).text).toContain('is not valid as it stands')
  },
)

it('the log names the setting when the app starts', () => {
  expect(misconfigured.output()).toContain('SETUP_TOKEN: must have at least 16 characters')
  expect(misconfigured.output()).not.toContain('fifteen-letters')
})

it('says that the database does not answer, in place of the sign-in', async () => {
  expect(await page(alone, '/sign-in')).toMatchObject({
    status: 503,
    text: expect.stringContaining('<h1>La base de datos no responde</h1>'),
  })
  expect(alone.output()).toContain('"fault":"silent"')
  const health = await fetch(`${alone.url}/api/health`)
  expect([health.status, await health.json()]).toEqual([
    503,
    { status: 'unhealthy', error: 'The database does not answer' },
  ])
})
