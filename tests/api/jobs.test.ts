import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let boss: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Tareas', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  const other = await createGroup(app.stack, 'Otras Tareas')
  boss = await signedIn(await group.person('admin'))
  // Five at the same instant: only the id orders those.
  await app.stack.sql(
    `insert into public.job_runs (organization_id, job, status, started_at, finished_at)
     select $1, 'automations', 'succeeded', '2026-05-01T10:00:00.123456Z', '2026-05-01T10:00:05Z' from generate_series(1, 5)`,
    [group.id],
  )
  await app.stack.sql(
    `insert into public.job_runs (organization_id, job, status, started_at, result)
     values ($1, 'sync', 'partial', '2026-05-01T11:00:00Z', $2::jsonb),
       ($1, 'automations', 'failed', '2026-05-01T09:00:00Z', '{"error": "Interrupted", "customers": ["Ana"]}'),
       ($1, 'odd', 'running', '2026-05-01T08:00:00Z', '[1]'),
       ($3, 'sync', 'succeeded', '2026-05-01T11:00:00Z', '{"other": true}'),
       (null, 'cleanup', 'succeeded', '2026-05-01T11:00:00Z', '{}')`,
    [group.id, JSON.stringify(sync()), other.id],
  )
})
afterAll(() => app?.close())

const at = (name: string) => String(group.locations.find((one) => one.name === name)?.id)
const sync = () => ({
  locations: ['Norte', 'Sur'].map((name) => ({ id: at(name), name, count: 3 })),
  issues: ['Norte', 'Sur'].map((location) => ({ location_id: at(location), location, code: 'no_id' })),
  more: 'for all',
})
const list = (query = '', client = boss) => client.request('GET', `/api/jobs${query}`).then(answer)

describe('GET /api/jobs', () => {
  it('answers the organization’s runs, the latest first', async () => {
    const { body } = await list()
    expect(body.data.map(({ job }: { job: string }) => job)).toEqual([
      'sync',
      ...Array.from({ length: 6 }, () => 'automations'),
      'odd',
    ])
    expect(body.data[0]).toEqual({
      id: expect.any(String),
      job: 'sync',
      status: 'partial',
      started_at: '2026-05-01T11:00:00.000Z',
      finished_at: null,
      result: sync(),
    })
    expect(body.data[7]).toMatchObject({ status: 'running', result: {} })
  })

  it('comes in pages, each run once, also those of one instant', async () => {
    for (const filter of ['', '&job=automations']) {
      const all = (await list(`?limit=200${filter}`)).body.data.map(({ id }: { id: string }) => id)
      const paged: string[] = []
      let cursor = ''
      for (;;) {
        const { body } = await list(`?limit=2${filter}${cursor}`)
        paged.push(...body.data.map(({ id }: { id: string }) => id))
        if (!body.next_cursor) break
        cursor = `&cursor=${body.next_cursor}`
      }
      expect(paged).toEqual(all)
      expect(new Set(paged).size).toBe(filter ? 6 : 8)
    }
  })

  it('of one job are only those', async () => {
    expect((await list('?job=sync')).body.data).toHaveLength(1)
    for (const none of ['nothing', 'true', 'null'])
      expect(await list(`?job=${none}`)).toEqual({ status: 200, body: { data: [], next_cursor: null } })
  })

  it('shows people bound to locations only the results of these', async () => {
    const bound = await signedIn(await group.person('admin', [at('Norte')]))
    const { body } = await list('', bound)
    const { locations, issues } = sync()
    expect(body.data[0].result).toEqual({ locations: [locations[0]], issues: [issues[0]] })
    expect(body.data[6].result).toEqual({ locations: [], issues: [], error: 'Interrupted' })
    expect(JSON.stringify(body)).not.toMatch(/Sur|Ana|for all/)
  })

  it.each([
    'cursor=x',
    `cursor=${Buffer.from(JSON.stringify(['2026-13-01T00:00:00Z', crypto.randomUUID()])).toString('base64url')}`,
    `cursor=${Buffer.from(JSON.stringify(['2026-02-30 00:00:00+00', crypto.randomUUID()])).toString('base64url')}`,
    `cursor=${Buffer.from(JSON.stringify(['2026-02-01T00:00:00+23:59', crypto.randomUUID()])).toString('base64url')}`,
    'limit=0',
    'limit=1e9',
    'job=%00',
    'job=a%20b',
  ])('refuses %s', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400)
  })
})
