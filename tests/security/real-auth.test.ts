import type { Session } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import {
  CHOSEN,
  createGroup,
  type Group,
  inviteWithToken,
  PASSWORD,
  type Person,
  stackClient,
} from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'
import { type Stack, startStack } from '../support/stack'
import { totpCode } from '../support/totp'

let app: TestApp
let group: Group

const publishable = () => stackClient(app.stack, 'anon')
const post = (path: string, body: unknown, client = app.client()) =>
  client.request('POST', `/api/auth/${path}`, { body })
const signIn = (email: string, password = PASSWORD) => post('sign-in', { email, password })

/** Invites the address; gives what Auth's own sign-up takes along, and the token in it. */
async function invite(email: string) {
  const row = { organization_id: group.id, email, role: 'operaciones' as const, full_name: 'Lola' }
  const { data } = await inviteWithToken(stackClient(app.stack, 'service'), row)
  return { options: { data }, token: data.invitation_token }
}

/** The mails to an address, in order. */
const mailsTo = (email: string) => app.stack.mails.filter(({ to }) => to.includes(email))

/** A session at Auth, of which the app's other sessions of the person know nothing. */
async function sessionOf({ email }: Pick<Person, 'email'>, password = PASSWORD) {
  const client = publishable()
  const { data, error } = await client.auth.signInWithPassword({ email, password })
  if (error) throw error
  return { client, session: data.session }
}

const claimsOf = ({ access_token }: Session) =>
  JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

/** What Auth says to a refresh token: `ok`, or its error code. */
async function refresh(
  token: string,
  stack = app.stack,
): Promise<{ code: string | undefined; next: string }> {
  const { data, error } = await stackClient(stack, 'anon').auth.refreshSession({ refresh_token: token })
  return { code: error?.code ?? 'ok', next: data.session?.refresh_token ?? '' }
}

/** Answers of Auth's HTTP API to given headers. */
const ask = (path: string, headers: Record<string, string>) =>
  fetch(`${app.stack.url}/auth/v1/${path}`, { headers })

// The embedded stack's Auth is another program: it has neither mails, nor rotation, nor second factors.
describe.skipIf(process.env.STACK !== 'postgres')('Supabase Auth itself (STACK=postgres)', () => {
  beforeAll(async () => {
    app = await startApp({}, { confirmEmail: true })
    group = await createGroup(app.stack, 'Grupo Real')
  })
  afterAll(() => app?.close())

  describe('joining', () => {
    it('with the mailed token confirms the address: no second mail, and the person is in', async () => {
      const email = 'alta@equipo.example'
      const { token } = await invite(email)
      const joined = await answer(await post('sign-up', { email, password: CHOSEN, token }))
      expect(joined).toMatchObject({ status: 201, body: { user: { email, role: 'operaciones' } } })
      expect(mailsTo(email)).toEqual([])
      expect((await signIn(email, CHOSEN)).status).toBe(200)
    })

    it('past the app waits for the link of the mail, which works once', async () => {
      const email = 'directa@equipo.example'
      const { options } = await invite(email)
      const made = await publishable().auth.signUp({ email, password: PASSWORD, options })
      expect(made.error).toBeNull()
      expect((await signIn(email)).status).toBe(401)
      const profiles = () => app.stack.sql('select role from public.profiles where email = $1', [email])
      expect(await profiles()).toEqual([])
      const [mail, ...more] = mailsTo(email)
      expect(more).toEqual([])
      const link = String(mail?.links[0])
      expect(link).toMatch(`${app.stack.url}/auth/v1/verify?`)
      await fetch(link, { redirect: 'manual' })
      expect(await profiles()).toEqual([{ role: 'operaciones' }])
      expect((await signIn(email)).status).toBe(200)
      const again = await fetch(link, { redirect: 'manual' })
      expect(again.headers.get('location')).toMatch('error_code=otp_expired')
    })

    it('answers someone with an account what it answers a stranger, and sends no mail', async () => {
      const person = await group.person('marketing')
      const taken = await answer(await post('sign-up', { email: person.email, password: CHOSEN }))
      expect(taken).toEqual(
        await answer(await post('sign-up', { email: 'nadie@equipo.example', password: CHOSEN })),
      )
      expect(taken.status).toBe(403)
      const { data } = await publishable().auth.signUp({ email: person.email, password: 'another-password' })
      expect(data).toMatchObject({ session: null, user: { identities: [] } })
      expect(data.user?.id).not.toBe(person.id)
      expect(mailsTo(person.email)).toEqual([])
      expect((await signIn(person.email)).status).toBe(200)
    })

    it('past the app is open to no one without an invitation', async () => {
      const { data, error } = await publishable().auth.signUp({
        email: 'intruso@equipo.example',
        password: PASSWORD,
      })
      expect(data.user).toBeNull()
      expect(error?.status).toBe(500)
      expect(await app.stack.sql(`select 1 from auth.users where email = 'intruso@equipo.example'`)).toEqual(
        [],
      )
    })

    it('past the app takes no weak password', async () => {
      const email = 'debil@equipo.example'
      const { options } = await invite(email)
      const { error } = await publishable().auth.signUp({ email, password: 'nueve-car', options })
      expect(error).toMatchObject({ code: 'weak_password', status: 422 })
    })
  })

  describe('a session', () => {
    it('says in its token which it is and how it was made', async () => {
      const person = await group.person('rrhh')
      const { session } = await sessionOf(person)
      const [row] = await app.stack.sql<{ id: string; aal: string }>(
        'select id, aal from auth.sessions where user_id = $1 order by created_at desc limit 1',
        [person.id],
      )
      expect(row?.aal).toBe('aal1')
      expect(claimsOf(session)).toMatchObject({
        iss: `${app.stack.url}/auth/v1`,
        sub: person.id,
        aud: 'authenticated',
        role: 'authenticated',
        session_id: row?.id,
        aal: 'aal1',
        amr: [{ method: 'password', timestamp: expect.any(Number) }],
        is_anonymous: false,
      })
    })

    it('goes on with new tokens, and ends when an old refresh token comes back', async () => {
      const person = await group.person('rrhh')
      const { session } = await sessionOf(person)
      const second = await refresh(session.refresh_token)
      expect(second).toEqual({ code: 'ok', next: expect.stringMatching(/./) })
      expect(second.next).not.toBe(session.refresh_token)
      const third = await refresh(second.next)
      expect(third.code).toBe('ok')
      // Within ten seconds it could be a browser's tab that was late.
      await elevenSecondsPass(person)
      expect((await refresh(session.refresh_token)).code).toBe('refresh_token_already_used')
      await elevenSecondsPass(person)
      expect((await refresh(third.next)).code).toBe('refresh_token_already_used')
    })

    const elevenSecondsPass = ({ id }: Person) =>
      app.stack.sql(
        `update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds' where user_id = $1`,
        [id],
      )

    it('ends with the sign-out of its browser, and no other does', async () => {
      const person = await group.person('ceo')
      const browser = await signedIn(person)
      const elsewhere = await sessionOf(person)
      const sessions = () =>
        app.stack.sql<{ id: string }>('select id from auth.sessions where user_id = $1', [person.id])
      const before = await sessions()
      expect((await post('sign-out', undefined, browser)).status).toBe(200)
      const after = await sessions()
      expect(after).toHaveLength(before.length - 1)
      expect(after).toContainEqual({ id: claimsOf(elsewhere.session).session_id })
      expect((await refresh(elsewhere.session.refresh_token)).code).toBe('ok')
    })

    it('ends when another one signs out everywhere', async () => {
      const person = await group.person('ceo')
      const { client } = await sessionOf(person)
      const other = await sessionOf(person)
      expect((await client.auth.signOut({ scope: 'global' })).error).toBeNull()
      expect(await app.stack.sql('select 1 from auth.sessions where user_id = $1', [person.id])).toEqual([])
      expect((await refresh(other.session.refresh_token)).code).toBe('refresh_token_not_found')
      // Its token has not expired: Auth looks for its session, too.
      expect((await other.client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    })
  })

  describe('a forgotten password', () => {
    it('is replaced with the mailed link, once, and every session ends', async () => {
      const person = await group.person('marketing')
      const { session } = await sessionOf(person)
      expect((await post('forgot-password', { email: person.email })).status).toBe(200)
      await waitForDetachedWork()
      const [mail, ...more] = mailsTo(person.email)
      expect(more).toEqual([])
      expect(mail?.subject).toBe('Tu nueva contraseña · Your new password')
      const link = new URL(String(mail?.links[0]))
      expect(link.origin + link.pathname).toBe('http://localhost:3000/reset-password')
      const token_hash = link.searchParams.get('token_hash')
      expect((await post('reset-password', { token_hash, password: CHOSEN })).status).toBe(200)
      expect((await refresh(session.refresh_token)).code).toBe('refresh_token_not_found')
      expect((await signIn(person.email)).status).toBe(401)
      expect((await signIn(person.email, CHOSEN)).status).toBe(200)
      const spent = { token_hash, password: CHOSEN }
      expect((await post('reset-password', spent)).status).toBe(403)
    })

    it('sends a stranger nothing', async () => {
      expect((await post('forgot-password', { email: 'nadie@fuera.example' })).status).toBe(200)
      await waitForDetachedWork()
      expect(mailsTo('nadie@fuera.example')).toEqual([])
    })

    it('has a new one of the same strength', async () => {
      const { client } = await sessionOf(await group.person('rrhh'))
      const { error } = await client.auth.updateUser({ password: 'nueve-car' })
      expect(error).toMatchObject({ code: 'weak_password', status: 422 })
    })
  })

  describe('a second factor', () => {
    async function enrolled(person: Person) {
      const { client } = await sessionOf(person)
      const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Móvil' })
      if (error) throw error
      return { client, factorId: data.id, secret: data.totp.secret }
    }
    const tryCode = ({ client, factorId }: Awaited<ReturnType<typeof enrolled>>, code: string) =>
      client.auth.mfa.challengeAndVerify({ factorId, code })

    it('lifts the session to aal2, with the right code only', async () => {
      const person = await group.person('admin')
      const factor = await enrolled(person)
      const right = totpCode(factor.secret, new Date())
      const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0')
      expect((await tryCode(factor, wrong)).error?.code).toBe('mfa_verification_failed')
      expect((await tryCode(factor, right)).error).toBeNull()
      const { data } = await factor.client.auth.getSession()
      const claims = claimsOf(data.session as Session)
      expect(claims).toMatchObject({ aal: 'aal2' })
      expect((claims.amr as { method: string }[]).map(({ method }) => method).sort()).toEqual([
        'password',
        'totp',
      ])
      const [row] = await app.stack.sql(
        'select status, factor_type from auth.mfa_factors where user_id = $1',
        [person.id],
      )
      expect(row).toEqual({ status: 'verified', factor_type: 'totp' })
    })

    it('is asked for at the next sign-in, which cannot remove it before', async () => {
      const person = await group.person('admin')
      const factor = await enrolled(person)
      await tryCode(factor, totpCode(factor.secret, new Date()))
      const { client } = await sessionOf(person)
      const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel()
      expect(data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
      const { error } = await client.auth.mfa.unenroll({ factorId: factor.factorId })
      expect(error?.code).toBe('insufficient_aal')
      expect((await client.auth.updateUser({ password: CHOSEN })).error?.code).toBe('insufficient_aal')
      expect((await factor.client.auth.mfa.unenroll({ factorId: factor.factorId })).error).toBeNull()
    })
  })

  describe('the admin API', () => {
    it.each(['admin/users', 'admin/audit'])('refuses %s to everyone but the secret key', async (path) => {
      const { publishableKey, secretKey } = app.stack.keys
      const { session } = await sessionOf(await group.person('super_admin'))
      const bearer = (token: string) => ({ apikey: publishableKey, authorization: `Bearer ${token}` })
      const status = async (headers: Record<string, string>) => (await ask(path, headers)).status
      expect(await status({})).toBe(401)
      expect(await status({ apikey: 'sb_secret_invented' })).toBe(401)
      expect(await status({ authorization: `Bearer ${secretKey}` })).toBe(401)
      expect(await status({ apikey: publishableKey })).toBe(403)
      expect(await status(bearer(publishableKey))).toBe(403)
      expect(await status(bearer(session.access_token))).toBe(403)
      expect(await status({ apikey: secretKey })).toBe(200)
    })
  })

  describe('with other settings', () => {
    let other: Stack
    let people: Person[]
    beforeAll(async () => {
      other = await startStack({
        // Auth counts no mails while sign-up needs none.
        confirmEmail: true,
        settings: {
          // Refresh tokens that count, which hosted projects are moving to.
          GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION: '2',
          GOTRUE_RATE_LIMIT_EMAIL_SENT: '1/1h',
        },
      })
      const { person } = await createGroup(other, 'Otro Grupo')
      people = [await person('rrhh'), await person('rrhh')]
    })
    afterAll(() => other?.close())

    it('removes the session of a refresh token that comes back', async () => {
      const [person] = people
      const { data } = (await person?.db.auth.getSession()) ?? {}
      const first = String(data?.session?.refresh_token)
      const second = await refresh(first, other)
      const third = await refresh(second.next, other)
      expect([second.code, third.code]).toEqual(['ok', 'ok'])
      await other.sql(`update auth.sessions set refreshed_at = refreshed_at - interval '11 seconds'`)
      const open = 'select 1 from auth.sessions where user_id = $1'
      expect(await other.sql(open, [person?.id])).toHaveLength(1)
      expect((await refresh(first, other)).code).toBe('refresh_token_already_used')
      expect(await other.sql(open, [person?.id])).toEqual([])
      expect((await refresh(third.next, other)).code).not.toBe('ok')
    })

    it('sends no more mails than its limit', async () => {
      const asked = []
      for (const { email } of people)
        asked.push((await stackClient(other, 'anon').auth.resetPasswordForEmail(email)).error?.code)
      expect(asked).toEqual([undefined, 'over_email_send_rate_limit'])
      expect(other.mails).toHaveLength(1)
    })
  })
})
