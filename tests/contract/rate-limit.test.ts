import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup } from '../factories/group'
import { type Stack, startStack } from '../support/stack'
import { type BuiltApp, startBuiltApp } from './built-app'
import { httpClient, signIn } from './http-client'

const BURST = 50
const LIMIT = 10
const KEYS = 500

let stack: Stack
let apps: BuiltApp[]
beforeAll(async () => {
  stack = await startStack()
  apps = await Promise.all([startBuiltApp(stack), startBuiltApp(stack)])
})
afterAll(async () => {
  await Promise.all((apps ?? []).map((app) => app.stop()))
  await stack?.close()
})

const attempt = (app: BuiltApp | undefined, email: string, headers = {}) =>
  httpClient(app?.url ?? '').request('POST', '/api/auth/sign-in', {
    body: { email, password: 'not-the-password' },
    headers,
  })

describe('the limit of sign-ins, with two app processes on one database', () => {
  it('lets exactly ten failures of a parallel burst of 50 through, and says when to come back', async () => {
    const responses = await Promise.all(
      Array.from({ length: BURST }, (_, index) => attempt(apps[index % 2], 'prisa@equipo.example')),
    )
    const refused = responses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(BURST - LIMIT)
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(LIMIT)
    for (const response of refused) {
      expect(await response.json()).toEqual({ error: 'Rate limit exceeded' })
      const wait = Number(response.headers.get('retry-after'))
      expect(wait).toBeGreaterThanOrEqual(1)
      expect(wait).toBeLessThanOrEqual(60)
    }
  })

  it('counts by the connection’s address, whatever a request says of itself', async () => {
    await stack.sql('truncate public.attempt_limits')
    const responses = await Promise.all(
      Array.from({ length: 64 }, (_, n) =>
        attempt(apps[n % 2], `${n}@equipo.example`, {
          'x-forwarded-for': `203.0.113.${n}`,
          'x-real-ip': `203.0.113.${n}`,
          'x-vercel-forwarded-for': `203.0.113.${n}`,
        }),
      ),
    )
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(60)
    const networks = `select key from public.attempt_limits where key like 'sign-in:network:%'`
    expect(await stack.sql(networks)).toEqual([{ key: 'sign-in:network:127.0.0.1' }])
    await stack.sql('truncate public.attempt_limits')
  })
})

describe('the rate limit of a person, with two app processes on one database', () => {
  it('tracks 500 keys: the 501st puts out the stalest', async () => {
    const group = await createGroup(stack, 'Grupo Prisa')
    const [older, newer] = [await group.person('rrhh'), await group.person('rrhh')]
    const ask = async (app: BuiltApp | undefined, email: string) => {
      const client = await signIn(app?.url ?? '', email)
      return client.request('POST', '/api/ai/chat', { body: { message: 'Hola' } })
    }
    expect((await ask(apps[0], older.email)).status).toBe(200)
    await stack.sql(`update public.rate_limits set hits = 99, touched_at = now() - interval '20 minutes'`)
    await stack.sql(
      `insert into public.rate_limits (key, window_start, hits, touched_at)
       select 'key-' || n, now(), 99, now() - make_interval(secs => 600 - n) from generate_series(2, ${KEYS}) as n`,
    )
    expect((await ask(apps[1], newer.email)).status).toBe(200)
    const [kept] = await stack.sql<{ keys: number; stalest: number; second: number }>(
      `select count(*)::int as keys, count(*) filter (where key like '%' || $1)::int as stalest,
         count(*) filter (where key = 'key-2')::int as second from public.rate_limits`,
      [older.id],
    )
    expect(kept).toEqual({ keys: KEYS, stalest: 0, second: 1 })
    expect((await ask(apps[0], older.email)).status).toBe(200)
  })
})
