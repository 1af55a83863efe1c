import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { CHOSEN, createGroup, type Group, PASSWORD, type Person, stackClient } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'
import type { Stack } from '../support/stack'

let app: TestApp
let stack: Stack
let group: Group
let admin: Person

beforeAll(async () => {
  app = await startApp()
  stack = app.stack
  group = await createGroup(stack, 'Grupo Sesiones', [{ name: 'Sol', slug: 'sol' }])
  admin = await group.person('super_admin')
})
afterAll(() => app?.close())

/** A thief's copy of the person's token: it asks the database API directly and never refreshes. */
async function copyOf({ db }: Person) {
  const { data } = await db.auth.getSession()
  const token = data.session?.access_token ?? ''
  const request = async (path: string, init?: RequestInit) => {
    const headers = { apikey: stack.keys.publishableKey, authorization: `Bearer ${token}` }
    const response = await fetch(`${stack.url}/rest/v1/${path}`, { ...init, headers })
    return response.json()
  }
  return {
    locations: () => request('locations?select=name'),
    session: () => request('rpc/my_session', { method: 'POST' }),
  }
}

const SOL = [{ name: 'Sol' }]

/** What a token opens while its session is alive, and after `end`. */
async function endsWith(person: Person, end: () => PromiseLike<unknown>) {
  const copy = await copyOf(person)
  expect(await copy.locations()).toEqual(SOL)
  expect(await copy.session()).toMatchObject({ user_id: person.id })
  await end()
  expect(await copy.locations()).toEqual([])
  expect(await copy.session()).toBeNull()
}

it('a token opens nothing after its own sign-out', async () => {
  const person = await group.person('marketing')
  await endsWith(person, () => person.db.auth.signOut({ scope: 'local' }))
})

it('a token opens nothing after sign-out everywhere from another device', async () => {
  const person = await group.person('marketing')
  const other = stackClient(stack, 'anon')
  await other.auth.signInWithPassword({ email: person.email, password: PASSWORD })
  await endsWith(person, () => other.auth.signOut({ scope: 'global' }))
})

it.skipIf(process.env.STACK !== 'postgres')(
  'a token opens nothing when its session ends in the middle of the request',
  async () => {
    const person = await group.person('marketing')
    const copy = await copyOf(person)
    await copy.session()
    const own = [person.id]
    await stack.sql(
      `update private.session_details set last_seen_at = now() - interval '1 hour' where user_id = $1`,
      own,
    )
    await stack.sql('begin')
    await stack.sql('select from private.session_details where user_id = $1 for update', own)
    const asked = copy.session()
    const waiting = async () => {
      // Else the list of backends stays that of the transaction's first look.
      await stack.sql('select pg_stat_clear_snapshot()')
      return stack.sql(
        `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    }
    while ((await waiting()).length === 0);
    expect(await waiting()).toHaveLength(1)
    await stack.sql('delete from auth.sessions where user_id = $1', own)
    await stack.sql('commit')
    expect(await asked).toBeNull()
  },
)

it('a token opens nothing after the person got another role, and a new sign-in opens what that role may', async () => {
  const person = await group.person('marketing')
  const changes = { p_member: person.id, p_changes: { role: 'rrhh' } }
  await endsWith(person, () => admin.db.rpc('change_member', changes).throwOnError())
  await person.db.auth.signInWithPassword({ email: person.email, password: PASSWORD })
  expect(await (await copyOf(person)).session()).toMatchObject({ role: 'rrhh' })
})

it('a token opens nothing after the person was removed', async () => {
  const person = await group.person('marketing')
  await endsWith(person, () => admin.db.rpc('remove_member', { p_member: person.id }).throwOnError())
})

it('a changed name ends no session', async () => {
  const person = await group.person('marketing')
  const copy = await copyOf(person)
  await admin.db
    .rpc('change_member', { p_member: person.id, p_changes: { full_name: 'Lola' } })
    .throwOnError()
  expect(await copy.session()).toMatchObject({ full_name: 'Lola' })
})

describe('the age of a session', () => {
  const CREATED = 'update auth.sessions set created_at = now() - $2::interval where user_id = $1'
  const SEEN = 'update private.session_details set last_seen_at = now() - $2::interval where user_id = $1'
  const seen = ({ id }: Person) =>
    stack.sql<{ ago: number }>(
      'select extract(epoch from now() - last_seen_at)::int as ago from private.session_details where user_id = $1',
      [id],
    )

  it('ends it 30 days after the sign-in, however much it is used', async () => {
    const person = await group.person('marketing')
    await (await copyOf(person)).session()
    await stack.sql(CREATED, [person.id, '29 days 23 hours'])
    await endsWith(person, () => stack.sql(CREATED, [person.id, '30 days 1 minute']))
  })

  it('ends it after 7 days without use', async () => {
    const person = await group.person('marketing')
    await (await copyOf(person)).session()
    await stack.sql(CREATED, [person.id, '20 days'])
    await stack.sql(SEEN, [person.id, '6 days 23 hours'])
    await endsWith(person, () => stack.sql(SEEN, [person.id, '7 days 1 minute']))
  })

  it('ends a session that the app has never seen 7 days after it began', async () => {
    const person = await group.person('marketing')
    const copy = await copyOf(person)
    await stack.sql(CREATED, [person.id, '6 days 23 hours'])
    expect(await copy.locations()).toEqual(SOL)
    await stack.sql(CREATED, [person.id, '7 days 1 minute'])
    expect(await copy.locations()).toEqual([])
    expect(await copy.session()).toBeNull()
  })

  it('does not start again when Auth refreshes its token', async () => {
    const person = await group.person('marketing')
    await (await copyOf(person)).session()
    await stack.sql(SEEN, [person.id, '8 days'])
    expect((await person.db.auth.refreshSession()).error).toBeNull()
    const copy = await copyOf(person)
    expect(await copy.session()).toBeNull()
    expect(await copy.locations()).toEqual([])
  })

  it('is recorded by the app at most once in five minutes', async () => {
    const person = await group.person('marketing')
    const copy = await copyOf(person)
    await copy.session()
    await stack.sql(SEEN, [person.id, '4 minutes'])
    await copy.session()
    expect((await seen(person))[0]?.ago).toBeGreaterThan(200)
    await stack.sql(SEEN, [person.id, '6 minutes'])
    await Promise.all(Array.from({ length: 4 }, () => copy.session()))
    expect((await seen(person))[0]?.ago).toBeLessThan(60)
  })

  it('holds for the app as well', async () => {
    const person = await group.person('marketing')
    const browser = await signedIn(person)
    expect((await browser.request('GET', '/api/notices')).status).toBe(200)
    await stack.sql(SEEN, [person.id, '8 days'])
    expect((await browser.request('GET', '/api/notices')).status).toBe(401)
  })
})

describe('an ended session', () => {
  it.each([
    [
      'the role changes',
      (id: string) => admin.db.rpc('change_member', { p_member: id, p_changes: { role: 'rrhh' } }),
    ],
    ['an administrator ends them', (id: string) => admin.db.rpc('end_member_sessions', { p_member: id })],
  ])('sets no new password at Auth, and gets no new token there: %s', async (_, end) => {
    const person = await group.person('marketing')
    const { data } = await person.db.auth.getSession()
    await end(person.id).throwOnError()
    const headers = {
      apikey: stack.keys.publishableKey,
      authorization: `Bearer ${data.session?.access_token}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ password: 'una-frase-de-ladron' })
    const put = await fetch(`${stack.url}/auth/v1/user`, { method: 'PUT', headers, body })
    expect(put.status).toBeGreaterThanOrEqual(400)
    const token = { refresh_token: data.session?.refresh_token ?? '' }
    expect((await stackClient(stack, 'anon').auth.refreshSession(token)).error).not.toBeNull()
    const again = { email: person.email, password: PASSWORD }
    expect((await stackClient(stack, 'anon').auth.signInWithPassword(again)).error).toBeNull()
  })
})

describe('a password forgotten and set anew', () => {
  /** The token of a mailed link, as Auth keeps it. */
  async function mailedToken({ email }: Person): Promise<string> {
    await app.client().request('POST', '/api/auth/forgot-password', { body: { email } })
    await waitForDetachedWork()
    const query = 'select recovery_token as token from auth.users where email = $1'
    return (await stack.sql<{ token: string }>(query, [email]))[0]?.token ?? ''
  }

  it.each([
    ['and Auth signs out', false],
    ['and Auth fails to sign out', true],
  ])('ends every session, in the app and at the database, %s', async (_, fails) => {
    const person = await group.person('marketing')
    const browser = await signedIn(person)
    const token_hash = await mailedToken(person)
    const real = globalThis.fetch
    const asked: string[] = []
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      if (!fails || !url.includes('/logout')) return real(input, init)
      asked.push(url)
      return Promise.resolve(Response.json({ message: 'down' }, { status: 500 }))
    })
    try {
      await endsWith(person, async () => {
        const body = { token_hash, password: CHOSEN }
        const set = await answer(await app.client().request('POST', '/api/auth/reset-password', { body }))
        expect(set).toEqual({ status: 200, body: { success: true } })
      })
    } finally {
      spy.mockRestore()
    }
    expect(asked.length).toBe(fails ? 1 : 0)
    expect((await browser.request('GET', '/api/notices')).status).toBe(401)
    const fresh = { email: person.email, password: CHOSEN }
    const client = app.client()
    expect((await client.request('POST', '/api/auth/sign-in', { body: fresh })).status).toBe(200)
    expect((await client.request('GET', '/api/notices')).status).toBe(200)
  })
})

it('signing out clears what the browser keeps', async () => {
  const client = await signedIn(await group.person('marketing'))
  const response = await client.request('POST', '/api/auth/sign-out')
  expect(response.headers.get('clear-site-data')).toBe('"cache", "storage"')
})
