import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWorker, type Worker } from '../bench/support/worker'
import { createGroup, type Group } from '../factories/group'
import { createCustomer, noQuietHours } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { invalid } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'
import { HOSTILE_TEMPLATES, SLOW_TEMPLATE } from './support/hostile-templates'
import type { Weighed } from './support/peak-memory'

let app: TestApp
let group: Group
let marketing: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Plantilla', [
    { name: 'Norte', slug: 'norte', averageSpend: 30 },
  ])
  marketing = await signedIn(await group.person('marketing'))
  await noQuietHours(app.stack)
})
beforeEach(() => app.stack.sql(emptyTables('automations', 'messages', 'customers', 'rate_limits')))
afterAll(() => app?.close())

const DRAFT = { type: 'vip_reward', channel: 'email', subject: 'Hola', criteria: { min_spend: 1 } }

async function preview(body: string) {
  await app.stack.sql(emptyTables('rate_limits', 'attempt_limits'))
  const draft = { ...DRAFT, body }
  return answer(await marketing.request('POST', '/api/automations/preview', { body: draft }))
}
const health = async () => (await app.client().request('GET', '/api/health')).status
const guest = (row: object = {}) =>
  createCustomer(app.stack, group.id, {
    email: 'ana@example.com',
    first_name: 'Ana',
    total_spend: 100,
    ...row,
  })

const ATTACK = `{% assign a=(1..20000) %}{% assign b=a | where_exp:"i","a contains 99999999" %}{{b|size}}`
it('answers others while a template that never ends is previewed, and refuses it in words', async () => {
  await guest()
  let ended = false
  const attack = preview(ATTACK).finally(() => {
    ended = true
  })
  const others: number[] = []
  do others.push(await health())
  while (!ended)
  expect(await attack).toEqual(invalid('body', 'template_range'))
  expect(await preview(ATTACK.replace('20000', '99'))).toEqual(invalid('body', 'template_unknown_filter'))
  expect(new Set(others)).toEqual(new Set([200]))
})

it.each(HOSTILE_TEMPLATES)('ends %s and lives on', async (_, body) => {
  await guest()
  expect(body.length).toBeLessThanOrEqual(10_000)
  const [hostile, other] = await Promise.all([preview(body), health()])
  expect([200, 400]).toContain(hostile.status)
  expect(hostile.body.error ?? '').not.toMatch(/Too (big|long)/)
  expect(other).toBe(200)
  // The thread that had to end has a successor.
  expect((await preview('Hola {{ first_name }}')).body.data.sample.body).toMatch(/^Hola Ana\n/)
})

describe('the memory of a process that renders', () => {
  let worker: Worker<{ body: string }, Weighed<string>>
  beforeAll(() => {
    worker = startWorker(new URL('./support/template-worker.ts', import.meta.url))
  })
  afterAll(() => worker?.stop())

  it.each(HOSTILE_TEMPLATES)('is bounded for %s', async (_, body) => {
    expect((await worker.ask({ body })).peak).toBeLessThan(300 * 1024 * 1024)
  })

  it('is for a greeting', async () => {
    expect((await worker.ask({ body: 'Hola {{ first_name }}' })).answer).toBe('Hola Ana')
  })
})

it('gives up a template that takes too long when it is sent, once for all, and sends the others', async () => {
  for (const name of ['ana', 'berta', 'carla', 'dora']) await guest({ email: `${name}@example.com` })
  const run = async (name: string, body: string) => {
    const automation = { ...DRAFT, name, body, status: 'active' }
    const made = await answer(await marketing.request('POST', '/api/automations', { body: automation }))
    expect(made).toMatchObject({ status: 201 })
    return answer(await marketing.request('POST', `/api/automations/${made.body.data.id}/run`))
  }
  const counts = () =>
    app.stack.sql(
      'select status, reason, count(*)::int from public.messages group by status, reason order by status',
    )
  await app.stack.sql('update public.organizations set frequency_cap_days = 0')
  expect((await run('Lenta', SLOW_TEMPLATE)).body).toMatchObject({ sent: 0, failed: 4 })
  const failed = { status: 'failed', reason: 'template_too_slow', count: 4 }
  expect(await counts()).toEqual([failed])
  expect((await run('Pronta', 'Hola {{ first_name }}')).body).toMatchObject({ sent: 4, failed: 0 })
  expect(await counts()).toEqual([failed, { status: 'sent', reason: null, count: 4 }])
})
