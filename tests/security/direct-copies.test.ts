import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, REFUSED, request } from '../sql/ask'
import { arrangeCast, type Cast, type Who } from '../sql/cast'
import { startRlsStack } from '../sql/support'
import { emptyTables } from '../support/empty-tables'
import type { Stack } from '../support/stack'
import { functionsOf } from './support/catalogue'

let stack: Stack
let cast: Cast
beforeAll(async () => {
  stack = await startRlsStack()
  cast = await arrangeCast(stack)
})
beforeEach(async () => {
  await stack.sql(emptyTables('attempt_limits'))
  await stack.sql('delete from public.audit_log')
})
afterAll(() => stack?.close())

const as = (who: Who, name: string, body: Record<string, unknown>) =>
  ask(cast, who, `rpc/${name}`, { method: 'POST', body })
/** The code of the refusal. */
const refusalOf = async (who: Who, name: string, body: Record<string, unknown>) => {
  const response = await request(cast, who, `rpc/${name}`, { method: 'POST', body })
  expect(response.ok).toBe(false)
  return ((await response.json()) as { code: string }).code
}
const lines = (action: string) =>
  stack.sql<{ actor_id: string; details: object }>(
    'select actor_id::text, details from public.audit_log where action = $1 order by created_at',
    [action],
  )

describe('the customers behind an export, asked for directly', () => {
  const one = { p_filters: { search: ['%ana%'] } }
  const start = (who: Who, body: Record<string, unknown> = one) => as(who, 'log_customers_export', body)
  const page = (who: Who, p_export: unknown, body: Record<string, unknown> = one) =>
    as(who, 'export_customers', { p_export, ...body })

  it('are for nobody who has not started a download', async () => {
    expect(await refusalOf('boundOperaciones', 'export_customers', { p_filters: {} })).not.toBe('')
    expect(await page('boundOperaciones', cast.ids.Norte, { p_filters: {} })).toBe(REFUSED)
    expect(await lines('customers.exported')).toEqual([])
  })

  it('are those of the line that the start wrote, to who started it, until it ends', async () => {
    const id = await start('boundOperaciones')
    expect(await lines('customers.exported')).toEqual([
      { actor_id: cast.ids.boundOperaciones, details: { filters: { search: true } } },
    ])
    const { columns, rows } = (await page('boundOperaciones', id)) as { columns: string[]; rows: unknown[][] }
    expect(rows.map((row) => row[columns.indexOf('email')])).toEqual(['ana@norte.example'])
    expect(await page('boundOperaciones', id, { p_filters: {} })).toBe(REFUSED)
    expect(await page('operaciones', id)).toBe(REFUSED)
    await stack.sql(`update private.exports set started_at = started_at - interval '61 minutes'`)
    expect(await page('boundOperaciones', id)).toBe(REFUSED)
    await stack.sql(`update private.exports set started_at = started_at + interval '61 minutes'`)
    expect(await as('operaciones', 'end_export', { p_export: id, p_rows: 1 })).toBe(false)
    expect(await as('boundOperaciones', 'end_export', { p_export: id, p_rows: 1 })).toBe(true)
    expect(await as('boundOperaciones', 'end_export', { p_export: id, p_rows: 9 })).toBe(false)
    expect(await page('boundOperaciones', id)).toBe(REFUSED)
    expect(await lines('customers.export_ended')).toEqual([
      { actor_id: cast.ids.boundOperaciones, details: { filters: { search: true }, rows: 1 } },
    ])
  })
})

describe.each([
  ['log_customers_export', () => ({ p_filters: {} }), 'customers.exported'],
  ['log_reservations_export', () => ({ p_filters: { date: '2026-11-20' } }), 'reservations.exported'],
  [
    'log_recipients_export',
    () => ({ p_campaign: cast.ids['De Sol campaign'], p_filters: {} }),
    'recipients.exported',
  ],
  ['export_customer', () => ({ p_id: cast.ids['Norte regular'] }), 'customer.exported'],
])('%s', (name, body, action) => {
  it('goes ten times an hour a person, and is logged each time', async () => {
    for (let n = 0; n < 10; n++) expect(await as('ceo', name, body())).toBeTruthy()
    expect(await refusalOf('ceo', name, body())).toBe('PT429')
    expect(await lines(action)).toHaveLength(10)
    expect(await as('super_admin', name, body())).toBeTruthy()
  })
})

describe('log_action', () => {
  it('writes one line of a kind a minute', async () => {
    for (let n = 0; n < 5; n++) await as('admin', 'log_action', { p_action: 'audit_log.exported' })
    await as('admin', 'log_action', { p_action: 'job.sync_started' })
    expect(await lines('audit_log.exported')).toHaveLength(1)
    expect(await lines('job.sync_started')).toHaveLength(1)
    await stack.sql(
      `update public.attempt_limits set window_start = window_start - interval '61 seconds', expires_at = now()`,
    )
    await as('admin', 'log_action', { p_action: 'audit_log.exported' })
    expect(await lines('audit_log.exported')).toHaveLength(2)
  })

  it('writes no line about what the caller may not do, or no endpoint writes', async () => {
    for (const p_action of ['loyalty.recalculated', 'audit_log.exported', 'customer.erased', ''])
      expect(await as('operaciones', 'log_action', { p_action })).toBe(false)
    expect(await as('marketing', 'log_action', { p_action: 'loyalty.recalculated' })).toBe(true)
    expect(await stack.sql('select action from public.audit_log')).toEqual([
      { action: 'loyalty.recalculated' },
    ])
  })
})

describe('authorize_run', () => {
  it('writes one line a minute of an automation, and none of a run that is not its own', async () => {
    const automation = cast.ids['Sol automation']
    await stack.sql(`update public.automations set status = 'active' where id = $1`, [automation])
    for (let n = 0; n < 5; n++)
      expect(await as('marketing', 'authorize_run', { p_automation: automation })).toBe('allowed')
    expect(await lines('automation.run')).toHaveLength(1)
    for (const p_run of [cast.ids.Norte, automation])
      expect(await as('marketing', 'authorize_run', { p_automation: automation, p_run })).toBe('unknown')
    expect(await lines('automation.resumed')).toEqual([])
    await stack.sql(`update public.automations set status = 'inactive' where id = $1`, [automation])
  })
})

describe('a count that is the planner’s guess', () => {
  it.each(['count=planned', 'count=estimated', 'handling=lenient,  count=planned'])(
    'is refused, for it knows the rows of other locations: %s',
    async (prefer) => {
      if (stack.kind !== 'postgres') return
      const elsewhere = `reservations?select=id&location_id=eq.${cast.ids.Sol}`
      for (const path of [elsewhere, 'customers?select=id', 'rpc/list_segments']) {
        const guessed = await request(cast, 'boundOperaciones', path, { headers: { prefer } })
        expect([guessed.status, guessed.headers.get('content-range')]).toEqual([403, null])
      }
      const exact = await request(cast, 'boundOperaciones', elsewhere, { headers: { prefer: 'count=exact' } })
      expect(exact.headers.get('content-range')).toBe('*/0')
    },
  )
})

describe('reading page by page', () => {
  it('gives as many rows as supabase/config.toml says', async () => {
    if (stack.kind !== 'postgres') return
    const config = readFileSync(new URL('../../supabase/config.toml', import.meta.url), 'utf8')
    const most = Number(/^max_rows = (\d+)$/m.exec(config)?.[1])
    expect(most).toBeLessThanOrEqual(1000)
    await stack.sql(
      `insert into public.customers (organization_id, first_name) select $1, 'c' || n from generate_series(1, $2) as n`,
      [cast.ids.Norte, most + 5],
    )
    const rows = await ask(cast, 'boundOperaciones', 'customers?select=id&limit=100000')
    expect(rows).toHaveLength(most)
    await stack.sql(`delete from public.customers where first_name ~ '^c[0-9]+$'`)
  })

  it('is bounded in every function that takes a number of rows', async () => {
    const people = (await functionsOf(stack)).filter(({ role }) => role !== 'service_role')
    const isCount = ({ name, type }: { name: string; type: string }) =>
      type === 'integer' && /^p_(limit|most)$/.test(name)
    const counted = people.filter(({ args }) => args.some(isCount))
    expect(counted.length).toBeGreaterThan(10)
    const unbounded = counted.filter(({ source }) => !/least\((greatest\()?p_(limit|most)\b/.test(source))
    // It passes the number on to a function that bounds it.
    expect(unbounded.map(({ name }) => name)).toEqual(['customers_to_know'])
  })
})
