import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PATHS } from '@/lib/api-document/paths'
import type { Operation } from '@/lib/openapi/operation'
import { generateKeys } from '../../supabase/local/keys'
import { type BuiltApp, startBuiltApp } from './built-app'
import { NOWHERE, TEXT } from './row'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
type Method = (typeof METHODS)[number]

let built: BuiltApp
beforeAll(async () => {
  // Whatever would need the database is refused before that, or fails.
  built = await startBuiltApp({ url: 'http://127.0.0.1:9', keys: await generateKeys() })
})
afterAll(() => built?.stop())

/** Asks for the path as it stands: `fetch` would tidy it up. */
async function ask(method: Method, path: string) {
  const sent = request(built.url, { method, path })
  sent.end(method === 'POST' || method === 'PUT' || method === 'PATCH' ? '{"a":1}' : undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

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
    const sent = request(built.url, { method: 'TRACE', path, headers: { 'x-seen': 'echoed-by-trace' } })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const body = await text(response)
    expect({ path, status: response.statusCode, echoes: body.includes('echoed-by-trace') }).toEqual({
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
