import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, PASSWORD } from '../factories/group'
import { type Stack, startStack } from '../support/stack'
import { type BuiltApp, startBuiltApp } from './built-app'
import { httpClient } from './http-client'

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

const attempt = (app: BuiltApp | undefined, email: string) =>
  httpClient(app?.url ?? '').request('POST', '/api/auth/sign-in', { body: { email, password: PASSWORD } })

describe('the rate limit, with two app processes on one database', () => {
  it('lets exactly ten of a parallel burst of 50 through, and tells the others when to come back', async () => {
    const group = await createGroup(stack, 'Grupo Prisa')
    const { email } = await group.person('rrhh')
    const responses = await Promise.all(
      Array.from({ length: BURST }, (_, index) => attempt(apps[index % 2], email)),
    )
    const refused = responses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(BURST - LIMIT)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
    for (const response of refused) {
      expect(await response.json()).toEqual({ error: 'Rate limit exceeded' })
      const wait = Number(response.headers.get('retry-after'))
      expect(wait).toBeGreaterThanOrEqual(1)
      expect(wait).toBeLessThanOrEqual(60)
    }
  })

  it('keeps another key’s count apart', async () => {
    expect((await attempt(apps[0], 'otra@equipo.example')).status).toBe(401)
  })

  it('tracks 500 keys: the 501st puts out the stalest, which then starts anew', async () => {
    await stack.sql('truncate public.rate_limits')
    const stalest = 'antigua@equipo.example'
    expect((await attempt(apps[0], stalest)).status).toBe(401)
    await stack.sql(`update public.rate_limits set hits = 99, touched_at = now() - interval '20 minutes'`)
    await stack.sql(
      `insert into public.rate_limits (key, window_start, hits, touched_at)
       select 'key-' || n, now(), 99, now() - make_interval(secs => 600 - n) from generate_series(2, ${KEYS}) as n`,
    )
    expect((await attempt(apps[1], 'nueva@equipo.example')).status).toBe(401)
    const [kept] = await stack.sql<{ keys: number; stalest: number; second: number }>(
      `select count(*)::int as keys, count(*) filter (where key like '%' || $1)::int as stalest,
         count(*) filter (where key = 'key-2')::int as second from public.rate_limits`,
      [stalest],
    )
    expect(kept).toEqual({ keys: KEYS, stalest: 0, second: 1 })
    expect((await attempt(apps[0], stalest)).status).toBe(401)
  })
})
