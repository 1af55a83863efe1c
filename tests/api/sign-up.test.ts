import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CHOSEN, createGroup, type Group, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let boss: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Altas', [{ name: 'Norte', slug: 'norte' }])
  boss = await signedIn(await group.person('super_admin'))
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => app?.close())

const norte = () => String(group.locations[0]?.id)
const invite = (email: string, rest: object = {}) =>
  boss.request('POST', '/api/team/invitations', { body: { email, role: 'operaciones', ...rest } })
const signUp = (body: unknown, client = app.client(), headers = {}) =>
  client.request('POST', '/api/auth/sign-up', { body, headers })
/** Invites the e-mail; the token of the link. */
const tokenFor = async (email: string, rest: object = {}): Promise<string> =>
  (await answer(await invite(email, rest))).body.data.token
const REFUSED = { status: 403, body: expect.objectContaining({ code: 'INVALID_INVITATION' }) }
const profileOf = (email: string) =>
  app.stack.sql('select role, full_name from public.profiles where email = $1', [email])

describe('POST /api/auth/sign-up', () => {
  it('lets someone invited in, with the role and locations of the invitation', async () => {
    const invitation = { location_ids: [norte()], full_name: 'De la invitación' }
    const token = await tokenFor('alta@equipo.example', invitation)
    const client = app.client()
    const response = await signUp({ email: ' ALTA@equipo.example', password: CHOSEN, token }, client)
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toMatch(/HttpOnly.*SameSite=lax/i)
    expect(await answer(response)).toEqual({
      status: 201,
      body: {
        success: true,
        user: { id: expect.any(String), email: 'alta@equipo.example', role: 'operaciones' },
      },
    })
    const { body } = await answer(await client.request('GET', '/api/locations'))
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([norte()])
    expect(await profileOf('alta@equipo.example')).toEqual([
      { role: 'operaciones', full_name: 'De la invitación' },
    ])
    const again = { email: 'alta@equipo.example', password: CHOSEN }
    expect((await app.client().request('POST', '/api/auth/sign-in', { body: again })).status).toBe(200)
  })

  it('takes a password of 72 characters, and reads every one of them', async () => {
    const email = 'larga@equipo.example'
    const password = (crypto.randomUUID() + crypto.randomUUID()).slice(0, 71)
    expect((await signUp({ email, password: `${password}7`, token: await tokenFor(email) })).status).toBe(201)
    const signIn = async (given: string) =>
      (await app.client().request('POST', '/api/auth/sign-in', { body: { email, password: given } })).status
    expect([await signIn(password), await signIn(`${password}8`), await signIn(`${password}7`)]).toEqual([
      401, 401, 200,
    ])
  })

  it('takes the name they give', async () => {
    const token = await tokenFor('nombre@equipo.example', { full_name: 'Otro' })
    await signUp({ email: 'nombre@equipo.example', password: CHOSEN, full_name: ' Lola Marín ', token })
    expect(await profileOf('nombre@equipo.example')).toEqual([
      { role: 'operaciones', full_name: 'Lola Marín' },
    ])
  })

  it('answers the same to someone not invited, to a member, and to a wrong password of one invited again', async () => {
    const member = await group.person('rrhh')
    const back = await group.person('rrhh')
    await boss.request('DELETE', `/api/team/${back.id}`)
    const token = await tokenFor(back.email)
    for (const email of ['nadie@equipo.example', member.email, back.email]) {
      const response = await signUp({ email, password: `${CHOSEN}!`, token })
      expect(response.headers.getSetCookie().filter((cookie) => !/Max-Age=0/i.test(cookie))).toEqual([])
      expect(await answer(response)).toEqual(REFUSED)
    }
    expect(await app.stack.sql(`select 1 from auth.users where email = 'nadie@equipo.example'`)).toEqual([])
  })

  it.each([
    [{}],
    [{ email: 'debil@equipo.example' }],
    [{ email: 'debil@equipo.example', password: 'nueve-car' }],
    [{ email: 'debil@equipo.example', password: 'ñ'.repeat(40) }],
    [{ email: 'debil@equipo.example', password: 'con\u0000nulo-largo' }],
    [{ email: 'debil', password: CHOSEN }],
    [{ email: 'debil@equipo.example', password: CHOSEN, full_name: 'A\u0000' }],
    [{ email: 'debil@equipo.example', password: CHOSEN, role: 'super_admin' }],
    [{ email: 'debil@equipo.example', password: CHOSEN, token: 'x'.repeat(201) }],
    [{ email: 'debil@equipo.example', password: CHOSEN, token: null }],
  ])('refuses %j and leaves the invitation open', async (body) => {
    await invite('debil@equipo.example')
    expect(await answer(await signUp(body))).toEqual({
      status: 400,
      body: expect.objectContaining({ code: expect.any(String) }),
    })
    const open = `select 1 from public.invitations where email = 'debil@equipo.example' and accepted_at is null`
    expect(await app.stack.sql(open)).toHaveLength(1)
  })

  it('says what a password lacks', async () => {
    const body = { email: 'debil@equipo.example', password: 'corta' }
    expect((await answer(await signUp(body))).body).toEqual(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        issues: [expect.objectContaining({ path: 'password' })],
      }),
    )
  })

  it('refuses a form that another site sends', async () => {
    const body = { email: 'debil@equipo.example', password: CHOSEN }
    expect((await signUp(body, app.client(), { origin: 'https://evil.example' })).status).toBe(403)
  })

  it('lets ten attempts a minute through for an address and e-mail', async () => {
    const attempt = () =>
      signUp({ email: 'rafaga@equipo.example', password: CHOSEN }, app.client(), {
        'x-real-ip': '203.0.113.9',
      })
    const answers = await Promise.all(Array.from({ length: 12 }, attempt))
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  })
})

describe('Auth as hosted Supabase has it', () => {
  const email = 'correo@equipo.example'
  let token: string
  beforeEach(async () => {
    await app.stack.sql('delete from public.invitations where email = $1', [email])
    token = await tokenFor(email)
  })
  const join = () => signUp({ email, password: CHOSEN, token })

  /** Auth's admin API answers with `admin`; everything else goes through, or answers what `other` gives for its path. */
  function authAnswers(
    admin: (body: Record<string, unknown>) => Promise<Response> | Response,
    other: Record<string, () => Response> = {},
  ) {
    const real = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const path = new URL(input instanceof Request ? input.url : String(input)).pathname
      if (path === '/auth/v1/admin/users') return admin(JSON.parse(String(init?.body)))
      return other[path]?.() ?? real(input, init)
    })
  }
  const noMail = { '/auth/v1/signup': () => Response.json({ msg: 'would send a mail' }, { status: 500 }) }

  /** What Auth does in the database, at once. */
  async function createUser(body: Record<string, unknown>) {
    expect(body).toMatchObject({ email, email_confirm: true, user_metadata: { invitation_token: token } })
    const options = { data: body.user_metadata as object }
    vi.restoreAllMocks()
    const { data } = await stackClient(app.stack, 'anon').auth.signUp({ email, password: CHOSEN, options })
    return Response.json(data.user)
  }

  it('makes the account with its address confirmed: no second mail', async () => {
    authAnswers(createUser, noMail)
    expect((await join()).status).toBe(201)
    expect(await profileOf(email)).toHaveLength(1)
    await app.stack.sql('delete from auth.users where email = $1', [email])
  })

  it('joins without a session when signing in takes one more step', async () => {
    const user = { id: crypto.randomUUID(), aud: 'authenticated', email }
    const unconfirmed = () => Response.json({ error_code: 'email_not_confirmed', msg: 'x' }, { status: 400 })
    authAnswers(() => Response.json(user), { '/auth/v1/token': unconfirmed })
    const response = await join()
    expect(response.headers.getSetCookie().filter((cookie) => !/Max-Age=0/i.test(cookie))).toEqual([])
    expect(await answer(response)).toEqual({ status: 202, body: { success: true, confirm: true } })
  })

  it.each([
    [422, { error_code: 'weak_password', msg: 'x', weak_password: { reasons: [] } }, 400, 'INVALID_INPUT'],
    [422, { error_code: 'email_exists', msg: 'x' }, 403, 'INVALID_INVITATION'],
    [400, { error_code: 'email_address_invalid', msg: 'x' }, 400, 'INVALID_INPUT'],
    [500, { error_code: 'unexpected_failure', msg: 'Database error' }, 503, 'AUTH_UNAVAILABLE'],
    [429, { error_code: 'over_request_rate_limit', msg: 'x' }, 503, 'AUTH_BUSY'],
    [403, { error_code: 'not_admin', msg: 'x' }, 503, 'AUTH_UNAVAILABLE'],
  ])('refuses with %i %j', async (status, body, refused, code) => {
    authAnswers(() => Response.json(body, { status }), noMail)
    const expected = { status: refused, body: expect.objectContaining({ code }) }
    expect(await answer(await join())).toEqual(expected)
  })

  it('does not say why the database refused when the token was spent meanwhile', async () => {
    authAnswers(async () => {
      await app.stack.sql('update public.invitations set token_hash = null where email = $1', [email])
      return Response.json({ error_code: 'unexpected_failure', msg: 'Database error' }, { status: 500 })
    }, noMail)
    expect(await answer(await join())).toEqual(REFUSED)
  })
})

describe('someone who left and is invited again', () => {
  it('comes back with the new link and their former password, in the role of the new invitation', async () => {
    const person = await group.person('marketing')
    await person.db.auth.updateUser({ password: CHOSEN })
    await boss.request('DELETE', `/api/team/${person.id}`)
    const body = { email: person.email, password: CHOSEN }
    expect((await app.client().request('POST', '/api/auth/sign-in', { body })).status).toBe(401)
    const token = await tokenFor(person.email, { role: 'rrhh' })
    const client = app.client()
    expect(await answer(await signUp({ ...body, token, full_name: 'Vuelta' }, client))).toEqual({
      status: 201,
      body: { success: true, user: { id: person.id, email: person.email, role: 'rrhh' } },
    })
    expect((await client.request('GET', '/api/brands')).status).toBe(200)
    expect(await profileOf(person.email)).toEqual([{ role: 'rrhh', full_name: 'Vuelta' }])
    expect((await answer(await invite(person.email))).status).toBe(409)
  })
})
