import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listRuns } from '@/lib/automations/runs'
import { tidyUp } from '@/lib/jobs/tidy-up'
import { createGroup, type Group, type Person, stackClient } from '../factories/group'
import { createAutomation, createCustomer } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { stopClock } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

const NOW = new Date('2026-11-20T11:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** So many days before NOW, and a second more or less. */
const older = (days: number) => new Date(NOW.getTime() - days * DAY - 1000).toISOString()
const younger = (days: number) => new Date(NOW.getTime() - days * DAY + 1000).toISOString()

// Two calls of the automations job are of one night.
stopClock()
let app: TestApp
let group: Group
let other: Group
let person: Person
let boss: Client
let db: ReturnType<typeof stackClient>

beforeAll(async () => {
  app = await startApp()
  db = stackClient(app.stack, 'service')
  group = await createGroup(app.stack, 'Grupo Limpio', [{ name: 'Norte', slug: 'norte' }])
  other = await createGroup(app.stack, 'Otro Limpio')
  person = await group.person('admin')
  boss = await signedIn(person)
})
beforeEach(async () => {
  await app.stack.sql(
    emptyTables(
      'automations',
      'automation_runs',
      'messages',
      'customers',
      'import_runs',
      'webhook_receipts',
      'job_runs',
      'job_leases',
    ),
  )
  await app.stack.sql(
    `update public.organizations set keep_job_runs_days = 90, keep_automation_runs_days = 365,
       keep_webhook_receipts_days = 90, keep_failed_rows_days = 30`,
  )
})
afterAll(() => app?.close())

const sql = <Row>(query: string, parameters?: unknown[]) => app.stack.sql<Row>(query, parameters)
const tidy = (now = NOW, options = {}, signal = new AbortController().signal) =>
  tidyUp({ db, now, signal }, options)
const keep = async (settings: Record<string, number>) =>
  expect((await boss.request('PATCH', '/api/organization', { body: settings })).status).toBe(200)
const names = async (table: string, column: string, home = group) => {
  const query = `select ${column} as name from public.${table} where organization_id = $1 order by 1`
  return (await sql<{ name: string }>(query, [home.id])).map(({ name }) => name)
}

const job = (name: string, at: string, home = group) =>
  sql('insert into public.job_runs (organization_id, job, status, started_at) values ($1, $2, $3, $4)', [
    home.id,
    name,
    'succeeded',
    at,
  ])
const receipt = (name: string, at: string, home = group) =>
  sql('insert into public.webhook_receipts values ($1, $2, $3)', [home.id, name, at])
const failedRows = (name: string, at: string, home = group) =>
  sql(
    `insert into public.import_runs (organization_id, file_name, status, started_at, failed_row_count, failed_rows)
     values ($1, $2, 'partial', $3, 1, '{"columns": ["email"], "rows": [["mal", "x"]]}')`,
    [home.id, name, at],
  )
const automate = (home = group) =>
  createAutomation(app.stack, home.id, { type: 'vip_reward', criteria: { min_spend: 100 } })
/** A finished run, known by its name. */
async function run(automation: string | null, name: string, at: string, values: object = {}, home = group) {
  const row = { triggered_by: 'manual', status: 'finished', processed: 0, ...values }
  const [made] = await sql<{ id: string }>(
    `insert into public.automation_runs (organization_id, automation_id, automation_name, started_at, triggered_by,
       status, processed) values ($1, $2, $3, $4, $5, $6, $7) returning id::text`,
    [home.id, automation, name, at, row.triggered_by, row.status, row.processed],
  )
  return String(made?.id)
}
const tagChange = (tag: string, at: string, home = group) =>
  sql(
    `insert into private.tag_changes (organization_id, author_id, tag, added, customer_ids, changed_at)
     values ($1, $2, $3, true, array[gen_random_uuid()], $4)`,
    [home.id, person.id, tag, at],
  )
const EMPTY = { triggered_by: 'schedule' }
const jobsOf = (name: string) =>
  sql<{ status: string; result: object }>(
    'select status, result from public.job_runs where job = $1 and organization_id = $2 order by started_at, id',
    [name, group.id],
  )

describe('what is no longer kept', () => {
  it('goes when it is older than its setting, to the second, and the other organization keeps by its own', async () => {
    const settings = {
      keep_automation_runs_days: 40,
      keep_failed_rows_days: 5,
      keep_job_runs_days: 10,
      keep_webhook_receipts_days: 20,
    }
    const known = await sql<{ name: string }>(
      `select column_name::text as name from information_schema.columns
       where table_schema = 'public' and table_name = 'organizations' and column_name like 'keep\\_%' order by 1`,
    )
    expect(known.map(({ name }) => name)).toEqual(Object.keys(settings))
    await keep(settings)
    for (const home of [group, other]) {
      const automation = await automate(home)
      for (const [name, days] of Object.entries({ job: 10, run: 40, receipt: 20, rows: 5 }))
        for (const [at, which] of [
          [older(days), 'old'],
          [younger(days), 'young'],
        ] as const) {
          if (name === 'job') await job('sync', at, home)
          if (name === 'run') await run(automation, which, at, { processed: 0 }, home)
          if (name === 'receipt') await receipt(which, at, home)
          if (name === 'rows') await failedRows(which, at, home)
        }
    }
    await tidy()
    expect(await names('automation_runs', 'automation_name')).toEqual(['young'])
    expect(await names('webhook_receipts', 'receipt')).toEqual(['young'])
    expect(await sql(`select count(*)::int as n from public.job_runs where job = 'sync'`)).toEqual([{ n: 3 }])
    const kept = `select file_name || ' ' || failed_row_count || ' ' || (failed_rows is not null) as name
      from public.import_runs where organization_id = $1 order by 1`
    expect(await sql(kept, [group.id])).toEqual([{ name: 'old 0 false' }, { name: 'young 1 true' }])
    expect(await names('automation_runs', 'automation_name', other)).toEqual(['old', 'young'])
    expect(await names('webhook_receipts', 'receipt', other)).toEqual(['old', 'young'])
    expect(await sql(kept, [other.id])).toEqual([{ name: 'old 1 true' }, { name: 'young 1 true' }])
    expect(await jobsOf('tidy-up')).toEqual([
      {
        status: 'succeeded',
        result: { empty_runs: 0, automation_runs: 1, job_runs: 1, webhook_receipts: 1, failed_rows: 1 },
      },
    ])
  })

  it('a change of tags can be taken back for a day at most, and who it was about is forgotten then', async () => {
    await sql('delete from private.tag_changes')
    for (const home of [group, other]) {
      await tagChange('old', older(1), home)
      await tagChange('young', younger(1), home)
    }
    await tidy()
    const kept = await sql<{ tag: string }>('select tag from private.tag_changes')
    expect(kept).toEqual([{ tag: 'young' }, { tag: 'young' }])
  })

  it('an answer is kept for a day, for those who send their request again', async () => {
    for (const home of [group, other])
      for (const [key, at] of Object.entries({ old: older(1), young: younger(1) }))
        await sql(
          `insert into private.kept_answers (caller_id, path, key, organization_id, body_hash, holder, role, location_ids,
             created_at, held_until, status, answer)
           values ($1, '/api/tickets', $2, $3, repeat('a', 64), gen_random_uuid(), 'admin', '{}', $4, $4, 201, '{}')`,
          [person.id, `${key} of ${home.id}`, home.id, at],
        )
    await tidy()
    const kept = await sql<{ key: string }>('select key from private.kept_answers')
    expect(kept.map(({ key }) => key.split(' ')[0])).toEqual(['young', 'young'])
  })

  it('a merge of customers can be undone for 30 days, and what was kept of it goes then', async () => {
    for (const home of [group, other])
      for (const at of [older(30), younger(30)])
        await sql(
          `with kept as (insert into public.customers (organization_id, first_name) values ($1, 'x') returning id),
           merge as (insert into public.customer_merges (organization_id, kept_id, gone_id, author_name, merged_at)
             select $1, id, gen_random_uuid(), 'x', $2 from kept returning id),
           rows as (insert into private.merged_rows (merge_id, source, role)
             select id, 'public.tickets', 'moved' from merge)
           insert into private.merged_customers select id, '{}', '{}', '{}' from merge`,
          [home.id, at],
        )
    await tidy()
    expect(
      await sql(
        `select 1 from public.customer_merges m join private.merged_customers c on c.merge_id = m.id
         join private.merged_rows r on r.merge_id = m.id`,
      ),
    ).toHaveLength(2)
    expect(await sql('select 1 from private.merged_rows')).toHaveLength(2)
  })

  it('failed rows are no longer there to download', async () => {
    await failedRows('vieja.csv', older(30))
    const [{ id }] = (await answer(await boss.request('GET', '/api/imports'))).body.data
    const download = () => boss.request('GET', `/api/imports/${id}/failed-rows`)
    expect((await download()).status).toBe(200)
    await tidy()
    expect((await download()).status).toBe(404)
    expect((await answer(await boss.request('GET', `/api/imports/${id}`))).body.data.failed_row_count).toBe(0)
  })

  it('the last run of each automation and of each job stays, and so does what is not over', async () => {
    const [first, second] = [await automate(), await automate()]
    await run(first, 'first old', older(800))
    await run(first, 'first last', older(700))
    await run(second, 'second last', older(700), EMPTY)
    for (const status of ['running', 'paused']) await run(first, status, older(900), { status })
    await run(null, 'of a gone automation', older(700))
    for (const name of ['sync', 'loyalty']) for (const days of [800, 700]) await job(name, older(days))
    await tidy()
    expect(await names('automation_runs', 'automation_name')).toEqual([
      'first last',
      'paused',
      'running',
      'second last',
    ])
    expect(await names('job_runs', 'job')).toEqual(['loyalty', 'sync', 'tidy-up'])
  })

  it('scheduled runs without recipients go after a day, those by hand and those with recipients stay', async () => {
    const automation = await automate()
    await run(automation, 'old', older(1), EMPTY)
    await run(automation, 'young', younger(1), EMPTY)
    await run(automation, 'by hand', older(1))
    await run(automation, 'with recipients', older(1), { ...EMPTY, processed: 1 })
    await run(automation, 'latest', NOW.toISOString(), EMPTY)
    await tidy()
    expect(await names('automation_runs', 'automation_name')).toEqual([
      'by hand',
      'latest',
      'with recipients',
      'young',
    ])
  })
})

describe('messages outlive their run', () => {
  const birthday = () =>
    createAutomation(app.stack, group.id, { type: 'birthday', criteria: { days_before: 7 } })
  const enqueue = async (automation: string) => {
    const parameters = { p_organization: group.id, p_automation: automation, p_triggered_by: 'manual' }
    const { data } = await db.rpc('enqueue_run', { ...parameters, p_now: NOW.toISOString() }).throwOnError()
    return data as { run_id: string }
  }
  const later = new Date(NOW.getTime() + 31 * DAY)

  it('so that no one gets a message twice and the figures stay', async () => {
    await keep({ keep_automation_runs_days: 30, frequency_cap_days: 0 })
    await createCustomer(app.stack, group.id, { email: 'ana@example.com', birth_date: '1990-11-22' })
    const automation = await birthday()
    const { run_id } = await enqueue(automation)
    await sql(`update public.messages set status = 'sent', sent_at = $1`, [NOW])
    await run(automation, 'latest', later.toISOString())
    const figures = async () => {
      const parameters = { p_organization: group.id, p_automation: automation }
      const period = { p_from: older(1), p_to: later.toISOString() }
      return (await db.rpc('results_of_automation', { ...parameters, ...period }).throwOnError()).data
    }
    const before = await figures()
    expect(before).toMatchObject({ messages: { total: 1, sent: 1 } })
    await tidy(later)
    expect(await sql('select 1 from public.automation_runs where id = $1', [run_id])).toEqual([])
    expect(await sql('select status, run_id from public.messages')).toEqual([
      { status: 'sent', run_id: null },
    ])
    expect(await figures()).toEqual(before)
    await enqueue(automation)
    expect(await sql('select count(*)::int as n from public.messages')).toEqual([{ n: 1 }])
    await keep({ frequency_cap_days: 7 })
  })

  it('and one that is still to be sent keeps its run', async () => {
    await createCustomer(app.stack, group.id, { email: 'ana@example.com', birth_date: '1990-11-22' })
    const automation = await birthday()
    const { run_id } = await enqueue(automation)
    await run(automation, 'latest', new Date(NOW.getTime() + 400 * DAY).toISOString())
    await sql(`update public.automation_runs set status = 'finished'`)
    await tidy(new Date(NOW.getTime() + 401 * DAY))
    expect(await sql('select run_id::text from public.messages')).toEqual([{ run_id }])
  })
})

describe('the nightly tidy-up', () => {
  it('goes on chunk by chunk, and with the next call when its time is over', async () => {
    const automation = await automate()
    const old = await run(automation, 'large', older(366))
    for (let n = 0; n < 5; n++)
      await sql(
        `insert into public.messages (organization_id, kind, purpose, automation_id, run_id, channel, status, dedupe_key)
         values ($1, 'marketing', 'post_visit', $2, $3, 'email', 'sent', $4)`,
        [group.id, automation, old, `key ${n}`],
      )
    for (let n = 0; n < 5; n++) await receipt(`old ${n}`, older(91))
    await run(automation, 'latest', NOW.toISOString())
    await tidy(NOW, { chunk: 2, budgetMs: 0 })
    expect(await names('webhook_receipts', 'receipt')).toHaveLength(3)
    expect(await names('automation_runs', 'automation_name')).toEqual(['large', 'latest'])
    expect((await jobsOf('tidy-up')).map(({ status }) => status)).toEqual(['partial'])
    await tidy(NOW, { chunk: 2 })
    expect(await names('webhook_receipts', 'receipt')).toEqual([])
    expect(await names('automation_runs', 'automation_name')).toEqual(['latest'])
    expect(await sql('select count(*)::int as n from public.messages')).toEqual([{ n: 5 }])
    expect((await jobsOf('tidy-up'))[1]).toEqual({
      status: 'succeeded',
      result: { empty_runs: 0, automation_runs: 1, job_runs: 0, webhook_receipts: 3, failed_rows: 0 },
    })
  })

  // 03:00 in Madrid is 02:00 UTC in winter and 01:00 UTC in summer.
  it.each([
    ['winter', '2026-11-20T02:00:00Z', '2026-11-21T01:59:59Z', '2026-11-21T02:00:00Z'],
    ['summer', '2026-07-20T01:00:00Z', '2026-07-21T00:59:59Z', '2026-07-21T01:00:00Z'],
  ])('runs once a night, the first time after 03:00 local: %s', async (_, first, before, next) => {
    await tidy(new Date(first))
    await sql('update public.job_runs set started_at = $1', [first])
    await receipt('old', '2026-01-01T00:00:00Z')
    await tidy(new Date(before))
    expect(await names('webhook_receipts', 'receipt')).toEqual(['old'])
    expect(await jobsOf('tidy-up')).toHaveLength(1)
    await tidy(new Date(next))
    expect(await names('webhook_receipts', 'receipt')).toEqual([])
    expect(await jobsOf('tidy-up')).toHaveLength(2)
  })

  it('is done again after a crash, and not while another process is at it', async () => {
    await receipt('old', older(91))
    await sql(`insert into public.job_runs (organization_id, job) values ($1, 'tidy-up')`, [group.id])
    const lease = (seconds: number) =>
      sql(
        `insert into public.job_leases values ($1, gen_random_uuid(), now() + make_interval(secs => $2))
         on conflict (name) do update set expires_at = excluded.expires_at`,
        [`tidy-up:${group.id}`, seconds],
      )
    await lease(60)
    await tidy()
    expect(await names('webhook_receipts', 'receipt')).toEqual(['old'])
    await lease(-1)
    await tidy()
    expect(await names('webhook_receipts', 'receipt')).toEqual([])
    expect((await jobsOf('tidy-up')).map(({ status }) => status).sort()).toEqual(['failed', 'succeeded'])
    await receipt('older', older(100))
    await tidy(NOW, {}, AbortSignal.abort())
    expect(await names('webhook_receipts', 'receipt')).toEqual(['older'])
  })

  it('happens on the way in the automations job, once, and its answer says what it always said', async () => {
    const headers = { authorization: `Bearer ${app.cronSecret}` }
    const call = async () => answer(await app.client().request('GET', '/api/cron/automations', { headers }))
    await receipt('old', '2020-01-01T00:00:00Z')
    const { status, body } = await call()
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(
      ['success', 'timestamp', 'total', 'executed', 'failed', 'statistics', 'details'].sort(),
    )
    expect(await names('webhook_receipts', 'receipt')).toEqual([])
    await receipt('old', '2020-01-01T00:00:00Z')
    await call()
    expect(await names('webhook_receipts', 'receipt')).toEqual(['old'])
  })
})

describe('the automation log', () => {
  it('has each scheduled run, also one without customers; folded, these are left out', async () => {
    const automation = await automate()
    const headers = { authorization: `Bearer ${app.cronSecret}` }
    for (let n = 0; n < 3; n++) await app.client().request('GET', '/api/cron/automations', { headers })
    await run(automation, 'with recipients', older(2), { ...EMPTY, processed: 2 })
    await run(automation, 'by hand', older(3))
    const path = `/api/automations/${automation}/runs`
    const { body } = await answer(await boss.request('GET', path))
    expect(body.data.map(({ processed }: { processed: number }) => processed)).toEqual([0, 0, 0, 2, 0])
    const page = await listRuns({ db: person.db }, automation, { limit: 1, folded: true })
    expect(page.data).toMatchObject([{ automation_name: 'with recipients' }])
    const next = await listRuns({ db: person.db }, automation, {
      cursor: String(page.next_cursor),
      folded: true,
    })
    expect(next).toMatchObject({ data: [{ automation_name: 'by hand' }], next_cursor: null })
  })
})
