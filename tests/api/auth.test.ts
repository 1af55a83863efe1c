import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group, PASSWORD, type Person } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { answerOf, plainRefusal } from '../support/refusal'

let app: TestApp
let group: Group
let person: Person

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Puertas')
  person = await group.person('operaciones')
})

afterAll(() => app?.close())

const signIn = (body: unknown, headers = {}) =>
  app.client().request('POST', '/api/auth/sign-in', { body, headers })

describe('POST /api/auth/sign-in', () => {
  it('answers the user and sets session cookies no script can read', async () => {
    const response = await signIn({ email: ` ${person.email.toUpperCase()} `, password: PASSWORD })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      success: true,
      user: { id: person.id, email: person.email, role: 'operaciones' },
    })
    const cookies = response.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie).toMatch(/HttpOnly.*SameSite=lax/i)
  })

  it.each([
    ['a wrong password', { password: 'not-the-password' }],
    ['an unknown e-mail', { email: 'nadie@equipo.example' }],
  ])('refuses %s with the same words', async (_, change) => {
    const response = await signIn({ email: person.email, password: PASSWORD, ...change })
    expect(await answerOf(response)).toEqual(plainRefusal('WRONG_CREDENTIALS'))
    expect(response.headers.getSetCookie().filter((cookie) => !/Max-Age=0/i.test(cookie))).toEqual([])
  })

  it('refuses someone whose profile is gone', async () => {
    const former = await group.person('marketing')
    await app.stack.sql('delete from public.profiles where id = $1', [former.id])
    const response = await signIn({ email: former.email, password: PASSWORD })
    expect(response.status).toBe(401)
  })

  it.each([
    [{}],
    [{ email: 'a@b.example' }],
    [[]],
    ['nonsense'],
    [{ email: 1, password: {} }],
    [{ email: 'a\u0000@b.example', password: 'x' }],
    [{ email: 'a@b.example', password: '\u0000' }],
  ])('answers 400 to %j', async (body) => {
    const { status, body: answer } = await answerOf(await signIn(body))
    expect({ status, answer }).toEqual({ status: 400, answer: { error: expect.any(String) } })
  })

  it('refuses a form that another site sends', async () => {
    const credentials = { email: person.email, password: PASSWORD }
    expect((await signIn(credentials, { origin: 'https://evil.example' })).status).toBe(403)
  })

  it('lets ten attempts a minute through for an address and e-mail, in a burst too', async () => {
    const attempt = () =>
      signIn({ email: 'rafaga@equipo.example', password: 'wrong-password' }, { 'x-real-ip': '203.0.113.7' })
    const answers = await Promise.all(Array.from({ length: 14 }, attempt))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited).toHaveLength(4)
    for (const each of limited) expect(await answerOf(each)).toEqual(plainRefusal('RATE_LIMITED'))
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = { email: person.email, password: PASSWORD }
    expect((await signIn(other, { 'x-real-ip': '203.0.113.7' })).status).toBe(200)
  })
})

describe('POST /api/auth/sign-out', () => {
  it('ends the session of this browser', async () => {
    const client = app.client()
    await client.request('POST', '/api/auth/sign-in', { body: { email: person.email, password: PASSWORD } })
    const invalid = { body: { source: 'none' } }
    expect((await client.request('POST', '/api/sync', invalid)).status).toBe(400)
    const response = await client.request('POST', '/api/auth/sign-out')
    expect(await response.json()).toEqual({ success: true })
    expect((await client.request('POST', '/api/sync', invalid)).status).toBe(401)
  })

  it('succeeds without a session', async () => {
    expect(await (await app.client().request('POST', '/api/auth/sign-out')).json()).toEqual({ success: true })
  })
})

describe('a forged session', () => {
  it('with a token signed by someone else is no session', async () => {
    const client = app.client()
    await client.request('POST', '/api/auth/sign-in', { body: { email: person.email, password: PASSWORD } })
    const sessions = await app.stack.sql('select id from public.profiles where id = $1', [person.id])
    expect(sessions).toHaveLength(1)
    const token = [
      '{"alg":"HS256","typ":"JWT"}',
      `{"sub":"${person.id}","role":"authenticated","exp":4102444800}`,
      'x',
    ]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')
    const session = {
      access_token: token,
      refresh_token: 'x',
      expires_at: 4102444800,
      token_type: 'bearer',
      user: {},
    }
    const name = `sb-${new URL(app.stack.url).hostname.split('.')[0]}-auth-token`
    const cookie = `${name}=base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`
    const response = await app
      .client()
      .request('POST', '/api/sync', { body: { source: 'pms' }, headers: { cookie } })
    expect(response.status).toBe(401)
  })

  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  function token(head: object, claims: object, key: string): string {
    const signed = `${encoded(head)}.${encoded({ role: 'authenticated', sub: person.id, ...claims })}`
    return `${signed}.${key && createHmac('sha256', key).update(signed).digest('base64url')}`
  }
  const [LATER, BEFORE] = [4102444800, 1500000000]
  it.each<[string, (key: string) => string, number]>([
    ['takes one of its own key', (key) => token({ alg: 'HS256' }, { exp: LATER }, key), 200],
    ['refuses one of another key', () => token({ alg: 'HS256' }, { exp: LATER }, 'x'.repeat(64)), 401],
    ['refuses one without a signature', () => token({ alg: 'none' }, { exp: LATER }, ''), 401],
    ['refuses one of another algorithm', (key) => token({ alg: 'HS512' }, { exp: LATER }, key), 401],
    [
      'refuses one that is not valid yet',
      (key) => token({ alg: 'HS256' }, { exp: LATER, nbf: LATER - 1 }, key),
      401,
    ],
    ['refuses one that is over', (key) => token({ alg: 'HS256' }, { exp: BEFORE }, key), 401],
  ])('the database API %s', async (_, make, status) => {
    const { url, keys } = app.stack
    const headers = { apikey: keys.publishableKey, authorization: `Bearer ${make(keys.jwtSecret)}` }
    const answer = await fetch(`${url}/rest/v1/profiles?select=id`, { headers })
    expect(answer.status).toBe(status)
  })
})
