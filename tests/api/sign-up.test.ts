import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createGroup, type Group, PASSWORD } from '../factories/group'
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
const REFUSED = { status: 403, body: { error: 'Sin invitación, o ya tienes cuenta: inicia sesión' } }
const profileOf = (email: string) =>
  app.stack.sql('select role, full_name from public.profiles where email = $1', [email])

describe('POST /api/auth/sign-up', () => {
  it('lets someone invited in, with the role and locations of the invitation', async () => {
    await invite('alta@equipo.example', { location_ids: [norte()], full_name: 'De la invitación' })
    const client = app.client()
    const response = await signUp({ email: ' ALTA@equipo.example', password: PASSWORD }, client)
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
    const again = { email: 'alta@equipo.example', password: PASSWORD }
    expect((await app.client().request('POST', '/api/auth/sign-in', { body: again })).status).toBe(200)
  })

  it('takes the name they give', async () => {
    await invite('nombre@equipo.example', { full_name: 'Otro' })
    await signUp({ email: 'nombre@equipo.example', password: PASSWORD, full_name: ' Lola Marín ' })
    expect(await profileOf('nombre@equipo.example')).toEqual([
      { role: 'operaciones', full_name: 'Lola Marín' },
    ])
  })

  it('answers the same to someone not invited, to a member, and to a member invited again', async () => {
    const member = await group.person('rrhh')
    const back = await group.person('rrhh')
    await boss.request('DELETE', `/api/team/${back.id}`)
    await invite(back.email)
    for (const email of ['nadie@equipo.example', member.email, back.email]) {
      const response = await signUp({ email, password: 'another-password' })
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
    [{ email: 'debil', password: PASSWORD }],
    [{ email: 'debil@equipo.example', password: PASSWORD, full_name: 'A\u0000' }],
    [{ email: 'debil@equipo.example', password: PASSWORD, role: 'super_admin' }],
  ])('refuses %j and leaves the invitation open', async (body) => {
    await invite('debil@equipo.example')
    expect(await answer(await signUp(body))).toEqual({ status: 400, body: { error: expect.any(String) } })
    const open = `select 1 from public.invitations where email = 'debil@equipo.example' and accepted_at is null`
    expect(await app.stack.sql(open)).toHaveLength(1)
  })

  it('says what a password lacks', async () => {
    const body = { email: 'debil@equipo.example', password: 'corta' }
    expect((await answer(await signUp(body))).body).toEqual({ error: 'password: at least 10 characters' })
  })

  it('refuses a form that another site sends', async () => {
    const body = { email: 'debil@equipo.example', password: PASSWORD }
    expect((await signUp(body, app.client(), { origin: 'https://evil.example' })).status).toBe(403)
  })

  it('lets ten attempts a minute through for an address and e-mail', async () => {
    const attempt = () =>
      signUp({ email: 'rafaga@equipo.example', password: PASSWORD }, app.client(), {
        'x-real-ip': '203.0.113.9',
      })
    const answers = await Promise.all(Array.from({ length: 12 }, attempt))
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  })
})

describe('Auth as hosted Supabase has it', () => {
  const user = { id: crypto.randomUUID(), aud: 'authenticated', email: 'correo@equipo.example' }

  /** Auth's sign-up answers this; everything else goes through. */
  function authAnswers(status: number, body: object) {
    const real = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      return url.includes('/auth/v1/signup') ? Response.json(body, { status }) : real(input, init)
    })
  }

  it('first wants the e-mail confirmed', async () => {
    await invite('correo@equipo.example')
    authAnswers(200, { ...user, identities: [{ id: '1' }], confirmation_sent_at: '2026-11-20T12:00:00Z' })
    const response = await signUp({ email: 'correo@equipo.example', password: PASSWORD })
    expect(response.headers.getSetCookie().filter((cookie) => !/Max-Age=0/i.test(cookie))).toEqual([])
    expect(await answer(response)).toEqual({ status: 202, body: { success: true, confirm: true } })
  })

  it('pretends to sign up someone who has an account', async () => {
    authAnswers(200, { ...user, identities: [] })
    expect(await answer(await signUp({ email: 'correo@equipo.example', password: PASSWORD }))).toEqual(
      REFUSED,
    )
  })

  it.each([
    [
      422,
      { error_code: 'weak_password', msg: 'x', weak_password: { reasons: [] } },
      400,
      'password: too weak',
    ],
    [422, { error_code: 'user_already_exists', msg: 'x' }, 403, REFUSED.body.error],
    [400, { error_code: 'email_address_invalid', msg: 'x' }, 400, 'email: not accepted'],
    [500, { error_code: 'unexpected_failure', msg: 'Database error' }, 503, 'Sign-up is not available'],
    [429, { error_code: 'over_email_send_rate_limit', msg: 'x' }, 503, 'Sign-up is not available'],
  ])('refuses with %i %j', async (status, body, answered, error) => {
    authAnswers(status, body)
    expect(await answer(await signUp({ email: 'correo@equipo.example', password: PASSWORD }))).toEqual({
      status: answered,
      body: { error },
    })
  })
})

describe('someone who left and is invited again', () => {
  it('is back with the next sign-in, as the new invitation says', async () => {
    const person = await group.person('marketing')
    await boss.request('DELETE', `/api/team/${person.id}`)
    const body = { email: person.email, password: PASSWORD }
    expect((await app.client().request('POST', '/api/auth/sign-in', { body })).status).toBe(401)
    await invite(person.email, { role: 'rrhh' })
    const client = app.client()
    expect(await answer(await client.request('POST', '/api/auth/sign-in', { body }))).toEqual({
      status: 200,
      body: { success: true, user: { id: person.id, email: person.email, role: 'rrhh' } },
    })
    expect((await client.request('GET', '/api/brands')).status).toBe(200)
    expect((await answer(await invite(person.email))).status).toBe(409)
  })
})
