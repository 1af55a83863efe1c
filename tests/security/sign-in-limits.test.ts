import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { socketAddressHeader } from '@/lib/address/proxies'
import { waitForDetachedWork } from '@/lib/http/after'
import { CHOSEN, createGroup, type Group, PASSWORD, type Person } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answerOf, plainRefusal } from '../support/refusal'

const OFFICE = '198.51.100.20'
const STRANGER = '203.0.113.7'

let app: TestApp
let group: Group
let person: Person
beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Cerrojos')
})
beforeEach(async () => {
  await app.stack.sql(emptyTables('attempt_limits', 'messages'))
  person = await group.person('operaciones')
})
afterAll(() => app?.close())

const post = (path: string, body: unknown, from: string, headers = {}) =>
  app
    .client()
    .request('POST', `/api/auth/${path}`, { body, headers: { [socketAddressHeader()]: from, ...headers } })
const signIn = (password: string, from = STRANGER, email = person.email, headers = {}) =>
  post('sign-in', { email, password }, from, headers)
const wrong = (from = STRANGER, email = person.email, headers = {}) =>
  signIn('not-the-password', from, email, headers)
const statuses = async (answers: Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status).sort()
const times = (count: number, status: number) => Array.from({ length: count }, () => status)

describe('the limit of failed sign-ins', () => {
  it.each(['x-forwarded-for', 'x-real-ip', 'x-vercel-forwarded-for', 'forwarded'])(
    'is not lifted by another %s in each request',
    async (name) => {
      const attempts = Array.from({ length: 14 }, (_, n) =>
        wrong(STRANGER, person.email, { [name]: name === 'forwarded' ? `for=10.0.0.${n}` : `10.0.0.${n}` }),
      )
      expect(await statuses(attempts)).toEqual([...times(10, 401), ...times(4, 429)])
    },
  )

  it('is not lifted by hundreds of other keys', async () => {
    expect(await statuses(Array.from({ length: 10 }, () => wrong()))).toEqual(times(10, 401))
    await app.stack.sql(
      `select count(public.take_attempts(array['forgot-password:network:' || n], array[10], 60))
       from generate_series(1, 700) as n`,
    )
    const [kept] = await app.stack.sql<{ keys: number }>(
      'select count(*)::int as keys from public.attempt_limits',
    )
    expect(kept?.keys).toBeGreaterThan(600)
    expect((await wrong()).status).toBe(429)
  })

  it('is ten a minute an account, from all networks together', async () => {
    const attempts = Array.from({ length: 14 }, (_, n) => wrong(`192.0.2.${n}`))
    expect(await statuses(attempts)).toEqual([...times(10, 401), ...times(4, 429)])
  })

  it('is sixty a minute a network, for all accounts together and whatever the headers say', async () => {
    const attempts = Array.from({ length: 64 }, (_, n) =>
      wrong(STRANGER, `${n}@fuera.example`, { 'x-forwarded-for': `10.0.0.${n}`, 'x-real-ip': `10.0.0.${n}` }),
    )
    expect(await statuses(attempts)).toEqual([...times(60, 401), ...times(4, 429)])
    expect((await signIn(PASSWORD, OFFICE)).status).toBe(200)
  })

  it('counts a whole IPv6 /64 as one network', async () => {
    const attempts = Array.from({ length: 64 }, (_, n) =>
      wrong(`2001:db8:1:2::${n.toString(16)}`, `${n}@fuera.example`),
    )
    expect(await statuses(attempts)).toEqual([...times(60, 401), ...times(4, 429)])
    expect((await wrong('2001:db8:1:3::1')).status).toBe(401)
  })

  it('does not count what succeeds', async () => {
    for (let n = 0; n < 12; n++) expect((await signIn(PASSWORD)).status).toBe(200)
  })

  it('does not count an attempt when Auth does not answer', async () => {
    await app.stack.sql('alter table auth.users rename to users_gone')
    try {
      const attempts = await statuses(Array.from({ length: 10 }, () => wrong()))
      expect(attempts).toEqual(times(10, 503))
    } finally {
      await app.stack.sql('alter table auth.users_gone rename to users')
    }
    expect((await wrong()).status).toBe(401)
  })

  it('says when to come back', async () => {
    await statuses(Array.from({ length: 10 }, () => wrong()))
    const response = await signIn(PASSWORD)
    expect(await answerOf(response)).toEqual(plainRefusal('RATE_LIMITED'))
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  })

  it('never asks for more than the minute, also of an attempt that waited for others begun after it', async () => {
    const seconds = async (sql: string) => (await app.stack.sql<{ seconds: number }>(sql))[0]?.seconds
    const begin = (email: string, at: string) =>
      seconds(`select public.begin_sign_in('${email}', '${STRANGER}', '${at}') as seconds`)
    const [earlier, later] = ['2026-11-22T20:00:00.000Z', '2026-11-22T20:00:00.400Z']
    for (let n = 0; n < 10; n++) {
      expect(await begin(person.email, later)).toBe(0)
      await app.stack.sql(`select public.end_sign_in('${person.email}', '${STRANGER}', 'failed', '${later}')`)
    }
    expect(await begin(person.email, earlier)).toBe(60)
    for (let n = 0; n < 50; n++) expect(await begin(`${n}@equipo.example`, later)).toBe(0)
    expect(await begin('otra@equipo.example', earlier)).toBe(60)

    const take = (at: string) =>
      seconds(`select public.take_attempts(array['forgot-password:x'], array[1], 60, '${at}') as seconds`)
    expect([await take(later), await take(earlier)]).toEqual([0, 60])
  })
})

describe('the lock after repeated failures', () => {
  let now: number
  beforeEach(() => {
    now = Date.now()
  })
  const call = async (name: string, ...values: unknown[]) => {
    const places = [...values, new Date(now).toISOString()].map((_, n) => `$${n + 1}`)
    const rows = await app.stack.sql<{ value: number }>(
      `select public.${name}(${places.join(', ')}) as value`,
      [...values, new Date(now).toISOString()],
    )
    return rows[0]?.value
  }
  const begin = (from = STRANGER, email = person.email) => call('begin_sign_in', email, from)
  const end = (outcome: string, from = STRANGER, email = person.email) =>
    call('end_sign_in', email, from, outcome)
  /** Fails as soon as it may, so many times; the waits in minutes that it met. */
  async function fail(count: number, from = () => STRANGER, email = person.email): Promise<number[]> {
    const waits: number[] = []
    for (let n = 0; n < count; n++) {
      const network = from()
      const wait = Number(await begin(network, email))
      if (wait > 0) {
        waits.push(Math.ceil(wait / 60))
        now += wait * 1000
        expect(await begin(network, email)).toBe(0)
      }
      await end('failed', network, email)
    }
    return waits
  }

  it('grows from a minute to an hour, for accounts that exist and others alike', async () => {
    const grown = [1, 2, 4, 8, 16, 32, 60, 60]
    expect(await fail(18)).toEqual(grown)
    expect(await fail(18, () => STRANGER, 'nadie@fuera.example')).toEqual(grown)
  })

  it('is forgotten when a day passes without a failure', async () => {
    await fail(14)
    now += 25 * 3_600_000
    await end('failed')
    expect(await begin()).toBe(0)
  })

  it('holds against the right password, and a new one lifts it', async () => {
    await statuses(Array.from({ length: 10 }, () => wrong()))
    await app.stack.sql(`update public.attempt_limits set window_start = now() - interval '2 minutes'`)
    expect((await signIn(PASSWORD)).status).toBe(429)
    await post('forgot-password', { email: person.email }, OFFICE)
    await waitForDetachedWork()
    const [user] = await app.stack.sql<{ token: string }>(
      'select recovery_token as token from auth.users where email = $1',
      [person.email],
    )
    const body = { token_hash: user?.token, password: CHOSEN }
    expect((await post('reset-password', body, OFFICE)).status).toBe(200)
    expect((await signIn(CHOSEN)).status).toBe(200)
  })

  it('never locks a person out on the network they use, however many strangers fail', async () => {
    await begin(OFFICE)
    await end('succeeded', OFFICE)
    let stranger = 0
    await fail(60, () => `192.0.2.${stranger++ % 200}`)
    expect(await begin(OFFICE)).toBe(0)
    await end('succeeded', OFFICE)
    // From elsewhere there is a wait, and an end to it.
    const wait = Number(await begin('198.51.100.99'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(15 * 60)
  })

  it('ends with a new password, and strangers cannot lock the network it was set from', async () => {
    let stranger = 0
    await fail(40, () => `192.0.2.${stranger++}`)
    await call('lift_sign_in_lock', person.email, OFFICE)
    await fail(40, () => `192.0.2.${stranger++}`)
    expect(await begin(OFFICE)).toBe(0)
  })

  it('is reported to the owner once a day, and to no one else', async () => {
    const told = () =>
      app.stack.sql('select recipient, kind, channel, content from public.messages order by created_at')
    await fail(9)
    expect(await told()).toEqual([])
    await fail(6)
    expect(await told()).toMatchObject([
      {
        recipient: person.email,
        kind: 'notification',
        channel: 'email',
        content: { template: 'sign_in_failures', failures: 10, organization: 'Grupo Cerrojos' },
      },
    ])
    await fail(12, () => OFFICE, 'nadie@fuera.example')
    expect(await told()).toHaveLength(1)
    now += 24 * 3_600_000 + 1000
    await fail(10)
    expect(await told()).toHaveLength(2)
  })

  it('stores no address of an account, and its rows expire', async () => {
    await fail(3)
    const rows = await app.stack.sql('select * from public.attempt_limits')
    expect(JSON.stringify(rows)).not.toContain(person.email)
    now += 40 * 24 * 3_600_000
    await call('take_attempts', ['otra'], [1], 60)
    expect(await app.stack.sql('select key from public.attempt_limits')).toEqual([{ key: 'otra' }])
  })
})

afterEach(() => waitForDetachedWork())
