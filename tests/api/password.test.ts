import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { CHOSEN, createGroup, type Group, PASSWORD, type Person } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let person: Person
const SPENT = { status: 403, body: expect.objectContaining({ code: 'LINK_SPENT' }) }
const DONE = { status: 200, body: { success: true } }

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Olvidos')
})
afterAll(() => app?.close())

const post = (path: string, body: unknown, headers = {}) =>
  app.client().request('POST', `/api/auth/${path}`, { body, headers })
const forgot = (email: string) => post('forgot-password', { email })
const reset = (token_hash: string, password = CHOSEN) => post('reset-password', { token_hash, password })

/** The token of the mail that Auth sent last to the person. */
async function mailed({ email }: Person): Promise<string> {
  expect(await answer(await forgot(email))).toEqual(DONE)
  await waitForDetachedWork()
  const [user] = await app.stack.sql<{ token: string }>(
    'select recovery_token as token from auth.users where email = $1',
    [email],
  )
  expect(user?.token).toMatch(/^[\w-]{20,}$/)
  return String(user?.token)
}
const signIn = (password: string) => post('sign-in', { email: person.email, password })

describe('a forgotten password', () => {
  it('is replaced with the mailed link, once, and open sessions end', async () => {
    person = await group.person('marketing')
    await signedIn(person)
    const token = await mailed(person)
    const changed = await reset(token)
    expect(changed.headers.getSetCookie()).toEqual([])
    expect(await answer(changed)).toEqual(DONE)
    expect((await signIn(PASSWORD)).status).toBe(401)
    expect((await signIn(CHOSEN)).status).toBe(200)
    expect(await answer(await reset(token, CHOSEN))).toEqual(SPENT)
    expect((await signIn(CHOSEN)).status).toBe(200)
    const [open] = await app.stack.sql<{ count: string }>(
      'select count(*) from auth.sessions where user_id = $1',
      [person.id],
    )
    // Those of the two sign-ins above.
    expect(Number(open?.count)).toBe(2)
  })

  it('answers the same to an address without an account, and sets no cookie', async () => {
    const unknown = await forgot('nadie@fuera.example')
    expect(unknown.headers.getSetCookie()).toEqual([])
    expect(await answer(unknown)).toEqual(DONE)
    await waitForDetachedWork()
  })

  it('keeps the link when the new password is too short', async () => {
    person = await group.person('rrhh')
    const token = await mailed(person)
    expect(await answer(await reset(token, 'corta'))).toEqual({
      status: 400,
      body: expect.objectContaining({
        code: 'INVALID_INPUT',
        issues: [expect.objectContaining({ path: 'password' })],
      }),
    })
    expect(await answer(await reset(token))).toEqual(DONE)
  })

  it('takes no invented link', async () => {
    expect(await answer(await reset('invented'))).toEqual(SPENT)
    expect((await reset("x' or true --")).status).toBe(400)
  })

  it('says so when Auth does not answer, but not when a link is asked for', async () => {
    await app.stack.sql('alter schema auth rename to auth_gone')
    try {
      expect(await answer(await forgot('nadie@fuera.example'))).toEqual(DONE)
      expect(await answer(await reset('c0ffee'))).toEqual({
        status: 503,
        body: expect.objectContaining({ code: 'AUTH_UNAVAILABLE' }),
      })
      await waitForDetachedWork()
    } finally {
      await app.stack.sql('alter schema auth_gone rename to auth')
    }
  })

  it.each(['forgot-password', 'reset-password'])('%s refuses another site', async (path) => {
    const body = { email: 'a@b.example', token_hash: 'x', password: CHOSEN }
    expect((await post(path, body, { origin: 'https://evil.example' })).status).toBe(403)
  })
})
