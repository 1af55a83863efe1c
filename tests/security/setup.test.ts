import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setupState } from '@/lib/setup/setup'
import { CHOSEN } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer } from '../support/sign-in'

const TOKEN = 'a-token-of-these-tests-9f1c'
let app: TestApp
beforeAll(async () => {
  app = await startApp({ SETUP_TOKEN: TOKEN })
})
afterAll(() => app?.close())
afterEach(() => vi.restoreAllMocks())
beforeEach(() => app.stack.sql('delete from public.attempt_limits'))

const lola = {
  token: TOKEN,
  group_name: 'Grupo Ñandú & Hijos',
  timezone: 'Atlantic/Canary',
  email: 'lola@nandu.example',
  full_name: 'Lola Marín',
  password: CHOSEN,
}
const setUp = (changes: object = {}, client: Client = app.client(), headers = {}) =>
  client.request('POST', '/api/setup', { body: { ...lola, ...changes }, headers }).then(answer)
const code = (name: string) => expect.objectContaining({ code: name })
const count = async (table: string) =>
  (await app.stack.sql<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n
const traces = () => Promise.all(['public.organizations', 'public.invitations', 'auth.users'].map(count))

describe('POST /api/setup, before there is a group', () => {
  afterEach(async () => expect(await traces()).toEqual([0, 0, 0]))

  it.each(['', 'otro', TOKEN.toUpperCase(), `${TOKEN}x`])('refuses the token %j', async (token) => {
    expect(await setUp({ token })).toEqual({ status: 403, body: code('SETUP_REFUSED') })
  })

  it('says nothing of the rest to who lacks the token', async () => {
    expect(await setUp({ token: 'otro', password: 'contraseña' })).toMatchObject({ status: 403 })
  })

  it.each([
    [{ group_name: ' ' }, 'group_name'],
    [{ timezone: 'Europe/Atlantis' }, 'timezone'],
    [{ email: 'lola' }, 'email'],
    [{ password: 'corta' }, 'password'],
    [{ password: 'lolamarin1' }, 'password'],
    [{ password: undefined }, 'password'],
    [{ role: 'admin' }, ''],
  ])('refuses %j', async (changes, path) => {
    const refused = await setUp(changes)
    expect(refused).toEqual({ status: 400, body: code('INVALID_INPUT') })
    expect((refused.body as { issues: { path: string }[] }).issues[0]?.path).toBe(path)
  })

  it('is open', async () => expect(await setupState()).toBe('open'))

  it('refuses a page of another site', async () => {
    const headers = { origin: 'https://evil.example' }
    expect(await setUp({}, app.client(), headers)).toEqual({ status: 403, body: code('FORBIDDEN') })
  })

  it('refuses the eleventh guess of a minute, even the right one', async () => {
    const guesses = Array.from({ length: 10 }, (_, n) =>
      setUp({ token: `guess-${n}`, email: `${n}@x.example` }),
    )
    expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([403]))
    expect(await setUp()).toEqual({ status: 429, body: code('RATE_LIMITED') })
  })

  it('leaves nothing behind when Auth fails', async () => {
    const real = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : String(input))
      if (!pathname.startsWith('/auth/v1/')) return real(input, init)
      return Response.json({ error_code: 'unexpected_failure', msg: 'x' }, { status: 500 })
    })
    expect(await setUp()).toEqual({ status: 503, body: code('AUTH_UNAVAILABLE') })
  })

  it('is no way into Auth alone: a token without a prepared request makes no account', async () => {
    const headers = { apikey: app.stack.keys.publishableKey, 'content-type': 'application/json' }
    const body = JSON.stringify({
      email: lola.email,
      password: CHOSEN,
      data: { setup_token: 'a'.repeat(43) },
    })
    expect((await fetch(`${app.stack.url}/auth/v1/signup`, { method: 'POST', headers, body })).ok).toBe(false)
  })
})

/** Someone else at the same moment, and the same person twice: by two clicks, say. */
const RIVAL = { email: 'rival@nandu.example', group_name: 'Grupo Rival', timezone: 'Europe/Madrid' }
const TRIES = [{}, RIVAL, {}]

describe('the first group', () => {
  let winner: Client
  let made: typeof lola

  it('is one of three that are asked for at once; the others learn that there is one', async () => {
    const clients = TRIES.map(() => app.client())
    const answers = await Promise.all(TRIES.map((changes, n) => setUp(changes, clients[n])))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    for (const { status, body } of answers)
      expect(body).toEqual(status === 201 ? { success: true, signed_in: true } : code('SETUP_DONE'))
    expect(await traces()).toEqual([1, 1, 1])
    const first = answers.findIndex(({ status }) => status === 201)
    winner = clients[first] ?? app.client()
    made = { ...lola, ...TRIES[first] }
  })

  it('has its super_admin, who is signed in', async () => {
    const { body } = await answer(await winner.request('GET', '/api/organization'))
    const slug = made.email === lola.email ? 'grupo-nandu-hijos' : 'grupo-rival'
    expect(body.data).toMatchObject({ name: made.group_name, slug, timezone: made.timezone })
    const team = await answer(await winner.request('GET', '/api/team'))
    expect(team.body.data).toEqual([
      expect.objectContaining({
        email: made.email,
        full_name: 'Lola Marín',
        role: 'super_admin',
        all_locations: true,
      }),
    ])
    const location = await answer(
      await winner.request('POST', '/api/locations', { body: { name: 'Triana' } }),
    )
    expect(location.body.data).toMatchObject({ name: 'Triana', timezone: made.timezone })
  })

  it('keeps nothing of what was asked for, and no token in the account', async () => {
    expect(await count('private.setup_requests')).toBe(0)
    const [user] = await app.stack.sql<{ data: object; confirmed: boolean }>(
      'select raw_user_meta_data as data, email_confirmed_at is not null as confirmed from auth.users',
    )
    expect(user?.confirmed).toBe(true)
    expect(JSON.stringify(user?.data)).not.toContain('setup_token')
  })

  it('closes the page: the right token makes no second one', async () => {
    expect(await setupState()).toBe('closed')
    expect(await setUp({ email: 'otra@nandu.example' })).toEqual({ status: 409, body: code('SETUP_DONE') })
    expect(await traces()).toEqual([1, 1, 1])
  })

  it('still reveals nothing to a wrong token', async () => {
    expect(await setUp({ token: 'otro' })).toEqual({ status: 403, body: code('SETUP_REFUSED') })
  })
})
