import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PATHS } from '@/lib/api-document/paths'
import { createGroup, PASSWORD } from '../factories/group'
import { startApp, type TestApp } from '../support/app'

const SEED = '/api/admin/seed-locations'

let app: TestApp
/** The administrator's session as the browser keeps it for http and for https: the request says which counts. */
let cookie: string

beforeAll(async () => {
  app = await startApp()
  const group = await createGroup(app.stack, 'Grupo Semilla', [{ name: 'Marisma Cabanyal', slug: 'mine' }])
  const body = { email: (await group.person('admin')).email, password: PASSWORD }
  const lines: string[] = []
  for (const headers of [{ 'x-forwarded-proto': 'http' }, { 'x-forwarded-proto': 'https' }]) {
    const answer = await app.client().request('POST', '/api/auth/sign-in', { body, headers })
    lines.push(...answer.headers.getSetCookie())
  }
  cookie = lines.map((line) => line.split(';')[0]).join('; ')
})
afterAll(() => app?.close())
beforeEach(() => app.stack.sql("delete from public.locations where name <> 'Marisma Cabanyal'"))

const places = async () => (await app.stack.sql('select id from public.locations')).length
const status = async (method: string, path: string, headers: Record<string, string>) =>
  (await app.client().request(method, path, { headers: { cookie, ...headers } })).status

describe('what another site makes the browser of an administrator send', () => {
  /** What Chromium and Firefox send with a link, an image, a form or a script of that site. */
  const FOREIGN: [string, Record<string, string>][] = [
    ['an image of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
    [
      'a link of another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-user': '?1' },
    ],
    ['an image of a sibling host', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'image' }],
    ['a link of a sibling host', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }],
    ['a header in capitals', { 'sec-fetch-site': 'SAME-SITE' }],
    ['a script of another site', { origin: 'https://evil.example' }],
    ['a sandboxed frame or a local file', { origin: 'null' }],
    ['a sandboxed frame that says nothing else', { origin: 'null', 'sec-fetch-site': 'none' }],
    ['a host that begins like ours', { host: 'crm.example', origin: 'https://crm.example.evil.example' }],
    ['another port of our host', { host: 'crm.example', origin: 'https://crm.example:8443' }],
    [
      'our host without encryption',
      { host: 'crm.example', 'x-forwarded-proto': 'https', origin: 'http://crm.example' },
    ],
    ['an extension of the browser', { origin: 'chrome-extension://abcdefghijklmnop' }],
    ['no address at all', { host: 'crm.example', origin: 'crm.example' }],
  ]

  it.each(FOREIGN)('seeds nothing: %s', async (_, headers) => {
    expect(await status('GET', SEED, headers)).toBe(403)
    expect(await places()).toBe(1)
  })

  it.each([
    ['a person who enters the address', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['our own page', { 'sec-fetch-site': 'same-origin' }],
    [
      'our own page behind a proxy',
      {
        host: 'inner:3000',
        'x-forwarded-host': 'crm.example',
        'x-forwarded-proto': 'https',
        origin: 'https://crm.example',
      },
    ],
    [
      'our own page with its port written out',
      { host: 'crm.example:443', 'x-forwarded-proto': 'https', origin: 'https://crm.example' },
    ],
    ['a client that is no browser', {}],
  ] as [string, Record<string, string>][])('seeds for %s', async (_, headers) => {
    expect(await status('GET', SEED, headers)).toBe(200)
    expect(await places()).toBeGreaterThan(1)
  })

  it('is refused by every operation that changes something and has a session', async () => {
    const open: string[] = []
    const changing = Object.entries(PATHS).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(
          ([method, { changes = method !== 'get', auth, anyOrigin }]) =>
            changes && auth !== 'cron' && !anyOrigin,
        )
        .map(([method]) => ({ method: method.toUpperCase(), path })),
    )
    expect(changing.length).toBeGreaterThan(40)
    for (const { method, path } of changing) {
      const address = path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
      if ((await status(method, address, { 'sec-fetch-site': 'same-site' })) !== 403)
        open.push(`${method} ${path}`)
    }
    expect(open).toEqual([])
  }, 120_000)

  it('is answered by no operation with leave to read it', async () => {
    const open: string[] = []
    for (const [path, operations] of Object.entries(PATHS)) {
      const address = path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
      for (const method of ['OPTIONS', ...Object.keys(operations).map((each) => each.toUpperCase())]) {
        const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
        const answer = await app.client().request(method, address, { headers })
        for (const name of answer.headers.keys())
          if (name.startsWith('access-control')) open.push(`${method} ${path}: ${name}`)
      }
    }
    expect(open).toEqual([])
  }, 120_000)

  it('cannot carry the header by which a proxy names our host: the browser asks first and is not allowed to', async () => {
    const asking = {
      origin: 'https://evil.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-forwarded-host',
    }
    const answer = await app.client().request('OPTIONS', SEED, { headers: { cookie, ...asking } })
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})
