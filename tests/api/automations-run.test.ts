import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runAllAutomations } from '@/lib/automations/run'
import { waitForDetachedWork } from '@/lib/http/after'
import { createGroup, type Group, POSTAL_ADDRESS, stackClient } from '../factories/group'
import { createAutomation, createCustomer, type NewAutomation, noQuietHours } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

const STAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const ASYNC = { headers: { prefer: 'respond-async' } }

let app: TestApp
let group: Group
let other: Group
let cook: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Envíos', [{ name: 'Norte', slug: 'norte' }])
  other = await createGroup(app.stack, 'Otros Envíos')
  cook = await signedIn(await group.person('rrhh'))
  await noQuietHours(app.stack)
})
beforeEach(async () => {
  await app.stack.sql(
    emptyTables(
      'automations',
      'automation_runs',
      'messages',
      'suppressions',
      'customers',
      'rate_limits',
      'job_runs',
      'job_leases',
    ),
  )
})
afterAll(() => app?.close())

const automate = (more: Partial<NewAutomation> = {}, home = group) =>
  createAutomation(app.stack, home.id, { type: 'vip_reward', criteria: { min_spend: 100 }, ...more })
async function guests(count: number) {
  for (let n = 0; n < count; n++) {
    const name = `g${n}`
    const row = { first_name: name, email: `${name}@example.com`, total_spend: 500 }
    await createCustomer(app.stack, group.id, row)
  }
}
const run = async (id: string, init = {}, client = cook) =>
  client.request('POST', `/api/automations/${id}/run`, init)
const messages = () =>
  app.stack.sql<{ status: string }>(
    'select status, content, provider from public.messages order by recipient',
  )

describe('POST /api/automations/{id}/run', () => {
  it('writes to everyone who matches, for anyone with a session, and says what became of each', async () => {
    await guests(3)
    await createCustomer(app.stack, group.id, { total_spend: 900, phone: '+34600000001' })
    const id = await automate({ subject: 'Hola {{first_name}}', body: '¡Vuelve!' })
    expect(await answer(await run(id))).toEqual({
      status: 200,
      body: {
        success: true,
        processed: 4,
        sent: 3,
        skipped: 1,
        failed: 0,
        pending: 0,
        errors: [],
        timestamp: STAMP,
      },
    })
    expect(await messages()).toEqual([
      ...[0, 1, 2].map((n) => ({
        status: 'sent',
        content: {
          ...{ subject: `Hola g${n}`, headers: expect.any(Object) },
          body: `¡Vuelve!\n\nGrupo Envíos\n${POSTAL_ADDRESS}\n`,
        },
        provider: 'sandbox',
      })),
      { status: 'skipped', content: {}, provider: null },
    ])
  })

  it('tells what failed, without names or addresses', async () => {
    await guests(2)
    const id = await automate({ body: '{% for i in (1..100000000) %}x{% endfor %}' })
    const { body } = await answer(await run(id))
    expect(body).toMatchObject({ success: true, processed: 2, sent: 0, failed: 2 })
    expect(body.errors).toHaveLength(1)
    expect(body.errors[0]).toMatch(/^2 by email failed: template_/)
  })

  it('two at once write to nobody twice, nor does a third', async () => {
    await guests(30)
    const id = await automate()
    const answers = await Promise.all([run(id).then(answer), run(id).then(answer)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    // The second may send some that the first has planned: then both count them.
    expect(answers.reduce((sum, { body }) => sum + body.sent, 0)).toBeGreaterThanOrEqual(30)
    expect((await answer(await run(id))).body).toMatchObject({ processed: 0, sent: 0, skipped: 0 })
    expect((await messages()).map(({ status }) => status)).toEqual(Array(30).fill('sent'))
    expect(await app.stack.sql('select distinct attempts from public.messages')).toEqual([{ attempts: 1 }])
  })

  it('leaves what quiet hours hold back as pending', async () => {
    await guests(2)
    // Two minutes each way around now, wherever in the day this test runs.
    await app.stack.sql(
      `update public.organizations set quiet_from = (now() at time zone 'Europe/Madrid' - interval '2 minutes')::time,
         quiet_until = (now() at time zone 'Europe/Madrid' + interval '2 minutes')::time`,
    )
    const { body } = await answer(await run(await automate()))
    await noQuietHours(app.stack)
    expect(body).toMatchObject({ processed: 2, sent: 0, pending: 2 })
  })

  it('does nothing while the automation is not active', async () => {
    await guests(1)
    expect(await answer(await run(await automate({ status: 'inactive' })))).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'Automation is not active',
        processed: 0,
        sent: 0,
        skipped: 0,
        failed: 0,
        timestamp: STAMP,
      },
    })
    expect(await messages()).toEqual([])
  })

  it.each(['%20', '%20%09', '   '])('needs an id (%s)', async (id) => {
    for (const init of [{}, ASYNC]) {
      expect(await answer(await run(id, init))).toEqual({
        status: 400,
        body: { error: 'Automation ID is required', timestamp: STAMP },
      })
    }
  })

  it('does not know other ids: unknown, malformed, deleted, or of another organization', async () => {
    const deleted = await automate()
    await app.stack.sql('update public.automations set deleted_at = now() where id = $1', [deleted])
    const ids = [crypto.randomUUID(), 'nope', '%00', '%E0%A4%A', deleted, await automate({}, other)]
    for (const id of ids) {
      await app.stack.sql(emptyTables('rate_limits'))
      expect(await answer(await run(id))).toEqual({
        status: 500,
        body: { success: false, error: 'Automation not found', timestamp: STAMP },
      })
      expect(await answer(await run(id, ASYNC))).toEqual({
        status: 404,
        body: { error: 'Automation not found' },
      })
    }
    expect(await app.stack.sql('select 1 from public.automation_runs')).toEqual([])
  })

  it('is limited to ten a minute a person', async () => {
    const id = await automate({ status: 'inactive' })
    for (let n = 0; n < 10; n++) expect((await run(id)).status).toBe(200)
    const refused = await run(id)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer(refused)).toEqual({ status: 429, body: { error: 'Rate limit exceeded' } })
  })

  it('says what went wrong in its own form when the database fails', async () => {
    const id = await automate()
    await app.stack.sql('alter function public.run_report(uuid) rename to run_report_away')
    const failed = await run(id)
    await app.stack.sql('alter function public.run_report_away(uuid) rename to run_report')
    expect(await answer(failed)).toEqual({
      status: 500,
      body: { success: false, error: expect.any(String), timestamp: STAMP },
    })
  })
})

describe('the same with Prefer: respond-async', () => {
  it.each(['respond-async', 'wait=10, Respond-Async; x=1'])(
    'enqueues, answers, and sends afterwards (%s)',
    async (prefer) => {
      await guests(2)
      const id = await automate()
      const response = await run(id, { headers: { prefer } })
      expect(response.headers.get('preference-applied')).toBe('respond-async')
      expect(await answer(response)).toEqual({ status: 200, body: { success: true, automation_id: id } })
      expect(await app.stack.sql('select processed, event from public.automation_runs')).toEqual([
        {
          processed: 2,
          event: { name: 'automation/run', data: { automation_id: id, triggered_by: 'manual' } },
        },
      ])
      await waitForDetachedWork()
      expect((await messages()).map(({ status }) => status)).toEqual(['sent', 'sent'])
    },
  )

  it('answers the same for one that is not active, and nothing happens', async () => {
    await guests(1)
    const id = await automate({ status: 'inactive' })
    expect(await answer(await run(id, ASYNC))).toEqual({
      status: 200,
      body: { success: true, automation_id: id },
    })
    await waitForDetachedWork()
    expect(await messages()).toEqual([])
  })

  it('runs at once with another preference', async () => {
    const id = await automate()
    const response = await run(id, { headers: { prefer: 'return=minimal, x-respond-async' } })
    expect(response.headers.get('preference-applied')).toBeNull()
    expect((await answer(response)).body).toMatchObject({ processed: 0 })
  })
})

describe('the automations job', () => {
  const job = (signal = AbortSignal.timeout(60_000), now = new Date()) =>
    runAllAutomations({ db: stackClient(app.stack, 'service'), now, signal })

  it('runs every active automation and counts', async () => {
    await guests(2)
    await createCustomer(app.stack, group.id, { total_spend: 150, phone: '+34600000001' })
    const first = await automate({ name: 'A' })
    await automate({ name: 'B', status: 'inactive' })
    const third = await automate({ name: 'C' })
    const foreign = await automate({ name: 'D' }, other)
    const now = new Date()
    const body = await job(undefined, now)
    const idle = { success: true, processed: 0, sent: 0, skipped: 0, failed: 0 }
    expect({
      ...body,
      details: [...body.details].sort((a, b) => (a.automationName < b.automationName ? -1 : 1)),
    }).toEqual({
      success: true,
      timestamp: now.toISOString(),
      total: 3,
      executed: 3,
      failed: 0,
      statistics: { totalProcessed: 6, totalSent: 2, totalSkipped: 4, totalFailed: 0 },
      details: [
        { ...idle, automationId: first, automationName: 'A', processed: 3, sent: 2, skipped: 1 },
        // Everyone has just been written to by the first.
        { ...idle, automationId: third, automationName: 'C', processed: 3, skipped: 3 },
        { ...idle, automationId: foreign, automationName: 'D' },
      ],
    })
    expect(await app.stack.sql('select distinct status from public.job_runs')).toEqual([
      { status: 'succeeded' },
    ])
  })

  it('goes on when one fails', async () => {
    await guests(1)
    const broken = await automate({ name: 'A', criteria: { min_spend: 'mucho' } })
    await automate({ name: 'B' })
    const { executed, failed, total, details } = await job()
    expect([total, executed, failed]).toEqual([2, 1, 1])
    expect(details[0]).toMatchObject({ automationId: broken, success: false, processed: 0 })
    expect(details[1]).toMatchObject({ automationName: 'B', success: true, sent: 1 })
    const runs = await app.stack.sql('select status from public.job_runs where organization_id = $1', [
      group.id,
    ])
    expect(runs).toEqual([{ status: 'partial' }])
  })

  it('sends what is left over and what a dead process was about to send', async () => {
    await guests(2)
    const id = await automate()
    await run(id, ASYNC)
    await waitForDetachedWork()
    await app.stack.sql(
      `update public.messages set lease_token = gen_random_uuid(), frozen_at = null, sent_at = null,
         status = case recipient when 'g0@example.com' then 'queued' else 'sending' end,
         lease_until = now() - interval '1 minute'`,
    )
    await app.stack.sql(`update public.automations set type = 'reservation_confirmation', criteria = '{}'`)
    await app.stack.sql(
      `update public.messages set kind = 'notification', automation_id = null, run_id = null`,
    )
    expect((await job()).statistics.totalProcessed).toBe(0)
    expect((await messages()).map(({ status }) => status)).toEqual(['sent', 'sent'])
  })

  it('starts nothing when the time is over', async () => {
    await guests(1)
    await automate()
    expect(await job(AbortSignal.abort())).toMatchObject({ total: 0, executed: 0, details: [] })
    expect(await messages()).toEqual([])
  })

  it('says that it was skipped while another run holds the lease, and only then', async () => {
    await automate()
    await guests(1)
    const headers = { authorization: `Bearer ${app.cronSecret}` }
    const call = async () => (await app.client().request('GET', '/api/cron/automations', { headers })).json()
    await app.stack.sql(
      `select public.acquire_lease('automations:' || id, gen_random_uuid(), 300) from public.organizations`,
    )
    const nothing = { totalProcessed: 0, totalSent: 0, totalSkipped: 0, totalFailed: 0 }
    expect(await call()).toEqual({
      ...{ success: true, timestamp: STAMP, skipped: true, details: [] },
      ...{ total: 0, executed: 0, failed: 0, statistics: nothing },
    })
    await app.stack.sql('delete from public.job_leases')
    const ran = await call()
    expect(ran).toMatchObject({ total: 1, statistics: { totalSent: 1 } })
    expect(ran).not.toHaveProperty('skipped')
  })

  it('twice at once does the work once', async () => {
    await guests(20)
    await automate()
    const bodies = await Promise.all([job(), job()])
    expect(bodies.map(({ statistics }) => statistics.totalSent).sort()).toEqual([0, 20])
  })
})
