import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { socketAddressHeader } from '@/lib/address/proxies'
import { makeAccount } from '../factories/account'
import { createGroup, type Group, inviteWithToken, PASSWORD, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { expireSession } from '../support/auth-front'

const PEOPLE = 40
const REFRESHES = 100
const ATTACKER = '203.0.113.66'

/** A person at work: each has an address of their own. */
interface Colleague {
  email: string
  from: Record<string, string>
  client: Client
}

let app: TestApp
let group: Group
let people: Colleague[]

const at = (address: string) => ({ [socketAddressHeader()]: address })
const signIn = ({ email, from, client }: Colleague, password = PASSWORD) =>
  client.request('POST', '/api/auth/sign-in', { body: { email, password }, headers: from })
const statuses = (answers: Response[]) => new Set(answers.map(({ status }) => status))
const failures = () =>
  app.stack.sql<{ key: string }>(
    'select key from public.attempt_limits where failures > 0 or locked_until is not null',
  )

async function hire(n: number): Promise<Colleague> {
  const [service, db] = [stackClient(app.stack, 'service'), stackClient(app.stack, 'anon')]
  const email = `turno-${n}@equipo.example`
  const row = { organization_id: group.id, email, role: 'operaciones' as const }
  await makeAccount(app.stack, db, email, (await inviteWithToken(service, row)).data)
  return { email, from: at(`198.51.100.${n + 1}`), client: app.client() }
}

// The embedded stack's Auth has other limits.
describe.skipIf(process.env.STACK !== 'postgres')('Auth with its own limits on (STACK=postgres)', () => {
  beforeAll(async () => {
    const settings = {
      // Hosted Supabase counts calls by the address they come from, or by the one that a project lets its app name.
      GOTRUE_RATE_LIMIT_HEADER: 'X-Forwarded-For',
      GOTRUE_SECURITY_SB_FORWARDED_FOR_ENABLED: 'true',
      // One request back in five minutes, not one in two seconds: what is used up stays so, however long a test takes.
      GOTRUE_RATE_LIMIT_TOKEN_REFRESH: '1',
    }
    app = await startApp({}, { settings })
    group = await createGroup(app.stack, 'Grupo Turno', [{ name: 'Sol', slug: 'sol' }])
    people = []
    for (let n = 0; n < PEOPLE; n++) people.push(await hire(n))
  })
  afterAll(() => app?.close())

  it('everybody signs in within a minute, and stays in over a hundred refreshes', async () => {
    expect(statuses(await Promise.all(people.map((each) => signIn(each))))).toEqual(new Set([200]))
    const refreshed = Array.from({ length: REFRESHES }, (_, n) => people[n % PEOPLE] as Colleague)
    for (let n = 0; n < REFRESHES; n += PEOPLE) {
      const round = refreshed.slice(n, n + PEOPLE).map(async ({ client, from }) => {
        expireSession(client)
        const response = await client.request('GET', '/api/tickets', { headers: from })
        expect(response.headers.getSetCookie().some((line) => /auth-token[^=]*=[^;]/.test(line))).toBe(true)
        return response
      })
      expect(statuses(await Promise.all(round))).toEqual(new Set([200]))
    }
    expect(await failures()).toEqual([])
  })

  it('an attacker with sixty wrong passwords is the only one who waits', async () => {
    const guesses = Array.from({ length: 60 }, (_, n) => {
      const { email } = people[n % PEOPLE] as Colleague
      return signIn({ email, from: at(ATTACKER), client: app.client() }, 'not-the-password')
    })
    const answers = await Promise.all(guesses)
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThan(60)
    expect([...statuses(answers)].every((status) => [401, 429, 503].includes(status))).toBe(true)
    const again = await Promise.all(
      people.map(({ client, from }) => {
        expireSession(client)
        return client.request('GET', '/api/tickets', { headers: from })
      }),
    )
    expect(statuses(again)).toEqual(new Set([200]))
    expect(statuses(await Promise.all(people.map((each) => signIn(each))))).toEqual(new Set([200]))
    for (const { key } of await failures()) expect(key).toMatch(/^sign-in:account:|:203\.0\.113\.66$/)
  })

  it('an address that the client claims is not the one that counts', async () => {
    const claims = (n: number) => ({
      ...at('203.0.113.77'),
      'sb-forwarded-for': `192.0.2.${n}`,
      'x-forwarded-for': `192.0.2.${n}`,
    })
    const answers = await Promise.all(
      Array.from({ length: 45 }, (_, n) =>
        signIn({ email: people[n % PEOPLE]?.email ?? '', from: claims(n), client: app.client() }),
      ),
    )
    expect(statuses(answers)).toContain(503)
  })

  it('people whose address is unknown share ours: some wait, nobody counts as wrong, nobody is out', async () => {
    const answers = await Promise.all(
      people.map(({ email }) => signIn({ email, from: {}, client: app.client() })),
    )
    const busy = answers.filter(({ status }) => status === 503)
    expect(statuses(answers)).toEqual(new Set([200, 503]))
    for (const { headers } of busy) {
      expect(headers.get('x-error-code')).toBe('AUTH_BUSY')
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    const [first] = people as [Colleague]
    expireSession(first.client)
    const waiting = await first.client.request('GET', '/api/tickets')
    expect(waiting.status).toBe(503)
    const home = await first.client.request('GET', '/api/tickets', { headers: first.from })
    expect(home.status).toBe(200)
    expect((await failures()).filter(({ key }) => key.includes('unknown'))).toEqual([])
  })
})
