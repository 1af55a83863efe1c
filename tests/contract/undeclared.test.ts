import { afterAll, beforeAll, expect, it } from 'vitest'
import { PATHS } from '@/lib/api-document/paths'
import type { Operation } from '@/lib/openapi/operation'
import { generateKeys } from '../../supabase/local/keys'
import { type BuiltApp, startBuiltApp } from './built-app'
import * as raw from './raw'
import { NOWHERE, TEXT } from './row'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
type Method = (typeof METHODS)[number]

let built: BuiltApp
beforeAll(async () => {
  // Whatever would need the database is refused before that, or fails.
  built = await startBuiltApp(
    { url: 'http://127.0.0.1:9', keys: await generateKeys() },
    { SECURITY_CONTACT: 'mailto:seguridad@crm.example' },
  )
})
afterAll(() => built?.stop())

const ask = (method: Method | 'TRACE', path: string, headers: Record<string, string> = {}) =>
  raw.ask(built.url, method, path, { headers, body: /^P/.test(method) ? '{"a":1}' : undefined })

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': TEXT }
const asked = (path: string) => path.replaceAll(/\{\w+\}/g, NOWHERE)
const json = (method: Method, body: object) => (method === 'HEAD' ? '' : JSON.stringify(body))

/** Whether the operation refuses callers without a session: the built app does so before it asks the database. */
const wantsSession = (operations: Partial<Record<string, Operation>>, method: Method) =>
  ['session', 'cron'].includes(operations[method === 'HEAD' ? 'get' : method.toLowerCase()]?.auth ?? '')

/** Expects the answer for what is not there. */
async function expectUnknown(method: Method, path: string): Promise<void> {
  const { status, headers, body } = await ask(method, path)
  expect({ method, path, status, body }).toEqual({
    method,
    path,
    status: 404,
    body: json(method, { error: 'Not found' }),
  })
  expect(headers).toMatchObject(JSON_HEADERS)
}

it.each(Object.entries(PATHS))(
  '%s answers every method as declared, or with 405',
  async (path, operations) => {
    const declared = METHODS.filter(
      (method) => method === 'OPTIONS' || (method === 'HEAD' ? 'get' : method.toLowerCase()) in operations,
    )
    const allow = declared.toSorted().join(', ')
    for (const method of METHODS) {
      const { status, headers, body } = await ask(method, asked(path))
      const got = { method, status, allow: headers.allow, body }
      if (method === 'OPTIONS') {
        expect(got).toEqual({ method, status: 204, allow, body: '' })
      } else if (declared.includes(method)) {
        expect(got).not.toMatchObject({ status: 404 })
        expect(got).not.toMatchObject({ status: 405 })
        if (wantsSession(operations, method)) expect(got).toMatchObject({ status: 401 })
        expect(headers['content-type']).toMatch(/^application\/(json|x-yaml)/)
        expect(headers['cache-control']).toBe('no-store')
      } else {
        expect(got).toEqual({
          method,
          status: 405,
          allow,
          body: json(method, { error: 'Method not allowed' }),
        })
        expect(headers).toMatchObject(JSON_HEADERS)
      }
    }
    for (const method of METHODS) await expectUnknown(method, `${asked(path)}/there/is/nothing`)
  },
)

it.each([
  '/api',
  '/api/',
  '/api/nothing',
  '/api/cron',
  '/api/webhooks/nothing.html',
  '/api//customers',
  '/api/customers%2Fexport',
  '/api/automations%2F%2Frun',
  '/api/customers\\export',
  '/api/%E0%A4%A',
  '/api/%',
  '/api/nothing?one=%E0%A4%A',
])('%s is not there, whatever the method', async (path) => {
  for (const method of METHODS) await expectUnknown(method, path)
})

it.each([
  ['GET', '/api/customers/'],
  ['GET', '/api/customers/%E0%A4%A'],
  ['POST', '/api/automations//run'],
  ['POST', '/api/automations//run/'],
  ['POST', '/api/automations/run'],
  ['POST', '/api/automations/%2F/run'],
  ['POST', '/api/automations/%/run'],
] as const)('%s %s reaches its operation, which wants a session', async (method, path) => {
  const { status, headers, body } = await ask(method, path)
  expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 401, error: 'Unauthorized' })
  expect(headers).toMatchObject(JSON_HEADERS)
})

it('TRACE is answered with nothing of the request', async () => {
  for (const path of ['/', '/api/health', '/api/customers', '/sign-in']) {
    const { status, body } = await ask('TRACE', path, { 'x-seen': 'echoed-by-trace' })
    expect({ path, status, echoes: body.includes('echoed-by-trace') }).toEqual({
      ...{ path, status: expect.toSatisfy((status: number) => status >= 300) },
      echoes: false,
    })
  }
})

it.each(['/icons/', '/_next/', '/_next/static/', '/_next/static/chunks/', '/_next/server/', '/screenshots/'])(
  '%s is no directory that lists its files',
  async (path) => {
    for (const asked of [path, path.slice(0, -1)]) {
      const { status, body } = await ask('GET', asked)
      expect({ asked, status }).not.toEqual({ asked, status: 200 })
      expect(body).not.toMatch(/Index of|icon-192/)
    }
  },
)

it.each([
  '/.git/config',
  '/.git/HEAD',
  '/.env',
  '/package.json',
  '/.next/BUILD_ID',
  '/%2e%2e/package.json',
  '/_next/../package.json',
])('%s is no file that is served', async (path) => {
  const { status, body } = await ask('GET', path)
  expect({ path, status }).not.toEqual({ path, status: 200 })
  expect(body).not.toMatch(/\[core\]|refs\/heads|"dependencies"/)
})
it.each([
  '/u/%ff',
  '/u/%ff.json',
  '/f/%ff',
  '/u/%E0%A4%A',
  '/customers/%ff',
  '/print/reservations/%ff',
  '/%ff',
])('an address that nobody can decode is no page: %s', async (path) => {
  expect((await ask('GET', path)).status).toBe(404)
})

it.each([
  ['/favicon.ico', 'image/x-icon'],
  ['/icon.svg', 'image/svg+xml'],
  ['/apple-icon.png', 'image/png'],
  ['/apple-touch-icon.png', 'image/png'],
  ['/apple-touch-icon-precomposed.png', 'image/png'],
  ['/apple-touch-icon-120x120.png', 'image/png'],
  ['/social.png', 'image/png'],
  ['/manifest.webmanifest', 'application/manifest+json'],
])('a browser that asks for %s gets it', async (path, type) => {
  const { status, headers } = await ask('GET', path)
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type })
})

it('crawlers may ask for everything, and are told by every answer to index nothing', async () => {
  const robots = await ask('GET', '/robots.txt')
  expect(robots.body.trim()).toMatch(/^User-Agent: \*\nAllow: \/$/i)
  for (const path of [
    '/',
    '/sign-in',
    '/setup',
    '/sign-up',
    '/reset-password',
    '/docs',
    '/u/none',
    '/f/none',
  ])
    expect((await ask('GET', path)).headers['x-robots-tag'], path).toBe('noindex, nofollow')
  for (const path of ['/api/health', '/api/docs/openapi.yaml', '/robots.txt', '/social.png', '/no.png'])
    expect((await ask('GET', path)).headers['x-robots-tag'], path).toBe('noindex, nofollow')
  expect((await ask('GET', '/sitemap.xml')).status).toBe(404)
})

it('says whom to tell of a weakness, and where passwords are changed', async () => {
  const { status, headers, body } = await ask('GET', '/.well-known/security.txt')
  expect({ status, type: headers['content-type'] }).toEqual({
    status: 200,
    type: 'text/plain; charset=utf-8',
  })
  const fields = Object.fromEntries(
    body
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/s)),
  )
  expect(fields).toMatchObject({
    Contact: 'mailto:seguridad@crm.example',
    'Preferred-Languages': 'es, en',
    Canonical: 'https://crm.example/.well-known/security.txt',
  })
  const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(1)
  expect(days).toBeLessThan(365)
  expect((await ask('GET', '/security.txt')).headers.location).toBe('/.well-known/security.txt')
  expect((await ask('GET', '/.well-known/change-password')).headers.location).toBe('/account')
  // Password managers believe that address only where one that cannot be there is not.
  const absent = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
  expect((await ask('GET', absent)).status).toBe(404)
})
