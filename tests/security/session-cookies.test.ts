import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGroup, type Group, PASSWORD } from '../factories/group'
import { startApp, type TestApp } from '../support/app'

const HTTPS = { 'x-forwarded-proto': 'https' }
const PATH = '/api/tickets'

let app: TestApp
let group: Group

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Galleta', [{ name: 'Centro', slug: 'centro' }])
})
afterAll(() => app?.close())

/** The cookies that a new member of the group gets: attempts are limited for each account. */
async function signIn(headers: Record<string, string>): Promise<string[]> {
  const person = await group.person('operaciones')
  const body = { email: person.email, password: PASSWORD }
  const answer = await app.client().request('POST', '/api/auth/sign-in', { body, headers })
  expect(answer.status).toBe(200)
  return answer.headers.getSetCookie()
}

const pairs = (lines: string[]) => lines.map((line) => line.split(';')[0]).join('; ')
const ask = (headers: Record<string, string>) => app.client().request('GET', PATH, { headers })

describe('the session over https', () => {
  let lines: string[]
  beforeEach(async () => {
    lines = await signIn(HTTPS)
  })

  it('is in cookies that only this host sets, for https and no script', () => {
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      expect(line).toMatch(/^__Host-sb-.+-auth-token/)
      expect(line).toMatch(/; Path=\/(;|$)/)
      expect(line).toMatch(/; Secure/)
      expect(line).toMatch(/; HttpOnly/)
      expect(line).toMatch(/; SameSite=lax/i)
      expect(line).not.toMatch(/domain/i)
    }
  })

  it('opens the API', async () => {
    expect((await ask({ ...HTTPS, cookie: pairs(lines) })).status).toBe(200)
  })

  it('ignores and clears a cookie that a sibling host sets under the plain name', async () => {
    const tossed = pairs(lines).replaceAll('__Host-', '')
    const answer = await ask({ ...HTTPS, cookie: tossed })
    expect(answer.status).toBe(401)
    const cleared = answer.headers.getSetCookie()
    expect(cleared.length).toBe(lines.length)
    for (const line of cleared) expect(line).toMatch(/^sb-.+-auth-token(\.\d)?=; Max-Age=0; Path=\//)
  })

  it('stays with its person when the request also has another person’s plain cookie', async () => {
    const other = await createGroup(app.stack, 'Otro Grupo', [{ name: 'Otro', slug: 'otro' }])
    const stranger = await other.person('admin')
    const signedIn = await app.client().request('POST', '/api/auth/sign-in', {
      body: { email: stranger.email, password: PASSWORD },
      headers: HTTPS,
    })
    const tossed = pairs(signedIn.headers.getSetCookie()).replaceAll('__Host-', '')
    for (const cookie of [`${tossed}; ${pairs(lines)}`, `${pairs(lines)}; ${tossed}`]) {
      const answer = await app
        .client()
        .request('GET', '/api/organization/context', { headers: { ...HTTPS, cookie } })
      expect(JSON.stringify(await answer.json())).not.toContain('Otro')
    }
  })

  it('ends with its cookies', async () => {
    const headers = { ...HTTPS, cookie: pairs(lines) }
    const answer = await app.client().request('POST', '/api/auth/sign-out', { headers })
    const gone = answer.headers.getSetCookie()
    expect(gone.length).toBeGreaterThan(1)
    for (const line of gone) expect(line).toMatch(/^__Host-(sb-.+|service-list-key)=; Max-Age=0;.*Secure/)
    // With it ends half of the key of the lists that the device keeps.
    expect(gone.filter((line) => line.startsWith('__Host-service-list-key='))).toHaveLength(1)
  })

  it.each([
    ['the address of the app is https, and no header says how the browser came', { host: 'crm.example' }],
    ['a proxy on the way says http', { host: 'crm.example', 'x-forwarded-proto': 'http' }],
    ['the inner hop is http', { 'x-forwarded-proto': 'https,http' }],
    ['the header is in capitals', { 'x-forwarded-proto': 'HTTPS' }],
  ])('is no other when %s', async (_, headers) => {
    for (const line of await signIn(headers as Record<string, string>))
      expect(line).toMatch(/^__Host-.*; Secure/)
  })
})

describe('the session over http, as in the demo', () => {
  it('has the plain name, because browsers accept no other without https', async () => {
    const lines = await signIn({})
    for (const line of lines) {
      expect(line).toMatch(/^sb-.+-auth-token/)
      expect(line).not.toMatch(/; Secure/)
    }
    expect((await ask({ cookie: pairs(lines) })).status).toBe(200)
  })
})
