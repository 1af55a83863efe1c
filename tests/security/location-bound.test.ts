import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group, type Person, setRules } from '../factories/group'
import { createAutomation, createCustomer, createReservation, noQuietHours } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { invalid, refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

const REFUSED = refusal('FOREIGN_LOCATION')
const NOT_FOUND = refusal('NOT_FOUND')
/** In every row of Sol, where none of the people below works. */
const SECRET = 'SOLO-SOL'

stayInOneDay()
let app: TestApp
let group: Group
let [retiro, sol] = ['', '']
let tier = ''
/** A guest with visits in both locations. */
let ana = ''
/** Automations for Retiro, for Sol and for every location. */
let [here, there, everywhere] = ['', '', '']
/** Bound to Retiro, with their clients of the app. */
let marketing: Person
let admin: Person
let asMarketing: Client
let asAdmin: Client
let asBoss: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Ligado', [
    { name: 'Retiro', slug: 'retiro' },
    { name: `Sol ${SECRET}`, slug: 'sol' },
  ])
  ;[retiro = '', sol = ''] = group.locations.map(({ id }) => id)
  await noQuietHours(app.stack)
  await setRules(app.stack, sol, { Plata: { min_spend: 1, min_visits: 0 } })
  const [oro] = await sql<{ id: string }>(
    `select id::text from public.loyalty_tiers where name = 'Oro' and organization_id = $1`,
    [group.id],
  )
  tier = oro?.id ?? ''
  const today = new Date().toISOString().slice(0, 10)
  ana = await createCustomer(app.stack, group.id, {
    first_name: 'Ana',
    email: 'ana@example.com',
    location_id: retiro,
  })
  const luis = await createCustomer(app.stack, group.id, {
    first_name: 'Luis',
    email: 'luis@example.com',
    location_id: sol,
    total_spend: 10,
  })
  const visit = { customer_id: ana, reservation_date: today, status: 'completed', service_over: true }
  await createReservation(app.stack, group.id, { ...visit, location_id: retiro, notes: 'De Retiro' })
  // Most of her visits are there, which makes it her location.
  await createReservation(app.stack, group.id, { ...visit, location_id: retiro })
  const elsewhere = await createReservation(app.stack, group.id, {
    ...visit,
    location_id: sol,
    notes: SECRET,
  })
  await sql(
    `insert into public.loyalty_points (organization_id, customer_id, reservation_id, kind, points, multiplier, amount)
     values ($1, $2, $3, 'earned', 777123, 1, 777123)`,
    [group.id, ana, elsewhere],
  )
  const automate = (name: string, location_ids: string[]) =>
    createAutomation(app.stack, group.id, {
      type: 'vip_reward',
      criteria: { min_spend: 0 },
      name,
      location_ids,
    })
  here = await automate('De Retiro', [retiro])
  there = await automate(`De Sol ${SECRET}`, [sol])
  everywhere = await automate('De todos', [])
  await sql(
    `insert into public.messages (organization_id, kind, purpose, customer_id, location_id, channel, recipient, dedupe_key, content)
     values ($1, 'marketing', 'post_visit', $2, $3, 'email', 'ana@example.com', 'sol', '{"body": "${SECRET}"}')`,
    [group.id, ana, sol],
  )
  asBoss = await signedIn(await group.person('super_admin'))
  for (const id of [everywhere, there]) await asBoss.request('POST', `/api/automations/${id}/run`)
  await asBoss.request('POST', '/api/loyalty/rules', {
    body: { locationId: sol, rules: [{ tier_id: tier, min_spend: 9, min_visits: 1 }] },
  })
  await asBoss.request('PATCH', `/api/reservations/${elsewhere}`, { body: { notes: `${SECRET} otra vez` } })
  await sql(
    `insert into public.import_runs (organization_id, location_id, file_name, status, failed_rows, failed_row_count)
     values ($1, $2, $3, 'succeeded', '{"columns": ["a", "b"], "rows": [["${SECRET}", "email"]]}', 1)`,
    [group.id, sol, `${SECRET}.csv`],
  )
  await sql(
    `insert into public.job_runs (organization_id, job, status, result)
     values ($1, 'sync', 'partial', jsonb_build_object('locations', '[]'::jsonb, 'issues', jsonb_build_array(
       jsonb_build_object('location_id', $2::text, 'location', '${SECRET}', 'code', 'http', 'reservation', null, 'detail', null))))`,
    [group.id, sol],
  )
  expect(luis).not.toBe('')
  marketing = await group.person('marketing', [retiro])
  admin = await group.person('admin', [retiro])
  asMarketing = await signedIn(marketing)
  asAdmin = await signedIn(admin)
})
afterAll(() => app?.close())

const sql = <Row>(query: string, parameters?: unknown[]) => app.stack.sql<Row>(query, parameters)
const ask = async (client: Client, method: string, path: string, body?: unknown) =>
  answer(await client.request(method, path, body === undefined ? {} : { body }))
/** Everything a person's token reads of a table. */
async function rowsOf({ db }: Person, table: 'messages') {
  return (await db.from(table).select('*').throwOnError()).data
}
const table = (name: string) => name as 'messages'

describe('loyalty rules', () => {
  const rules = () => sql('select * from public.loyalty_rules order by location_id, tier_id')
  const change = () => [{ location_id: sol, tier_id: tier, min_spend: 0, min_visits: 0 }]

  it('of another location are refused by both endpoints, and stay', async () => {
    const before = await rules()
    const post = { locationId: sol, rules: [{ tier_id: tier }] }
    const patch = { changes: [{ location_id: sol, tier_id: tier, rule: { min_spend: 0, min_visits: 0 } }] }
    expect(await ask(asMarketing, 'POST', '/api/loyalty/rules', post)).toEqual({
      status: 403,
      body: { error: 'No autorizado para esta ubicación' },
    })
    expect(await ask(asMarketing, 'PATCH', '/api/loyalty/rules', patch)).toEqual(REFUSED)
    expect(await ask(asMarketing, 'POST', '/api/loyalty/preview', patch)).toEqual(REFUSED)
    expect(await rules()).toEqual(before)
  })

  it('of another location are refused by the database', async () => {
    const before = await rules()
    const saved = await marketing.db.rpc('save_loyalty_rules', { p_location: sol, p_rules: change() })
    expect(saved.data).toBe('foreign_location')
    expect((await marketing.db.rpc('save_loyalty_changes', { p_changes: change() })).data).toBe(
      'unknown_location',
    )
    expect(await rules()).toEqual(before)
  })

  it('are shown of the own locations only', async () => {
    await setRules(app.stack, retiro, { Bronce: { min_spend: 0, min_visits: 1 } })
    const { body } = await ask(asMarketing, 'GET', '/api/loyalty/rules')
    expect(body.data.map((rule: { location_id: string }) => rule.location_id)).toEqual([retiro])
    expect(await rowsOf(marketing, table('loyalty_rules'))).toHaveLength(1)
  })

  it('are evaluated for the guests of the own locations only', async () => {
    const { body } = await ask(asMarketing, 'POST', '/api/loyalty/preview', { changes: [] })
    expect(body.data.evaluated).toBe(1)
    expect(JSON.stringify(body)).not.toContain(sol)
    expect((await ask(asMarketing, 'POST', '/api/loyalty/recalculate')).body.evaluated).toBe(1)
    const held = await sql(`select first_name from public.customers where loyalty_tier_id is not null`)
    expect(held).not.toContainEqual({ first_name: 'Luis' })
  })
})

/** The people who may use the operations open to all, once the organization limits them. */
describe('limit_marketing_to_roles', () => {
  const setting = (on: boolean) => ask(asBoss, 'PATCH', '/api/organization', { limit_marketing_to_roles: on })
  const rules = () => ({
    locationId: retiro,
    rules: [{ tier_id: tier, min_spend: Math.random() * 100, min_visits: 1 }],
  })
  const forbidden = { status: 403, body: expect.objectContaining({ error: 'Forbidden' }) }
  const audited = (id: string, subject: string) =>
    sql('select action from public.audit_log where actor_id = $1 and subject_id = $2', [id, subject])

  it('is off at first: every role may, and the log says who did', async () => {
    const cook = await group.person('rrhh')
    const client = await signedIn(cook)
    expect((await ask(client, 'POST', `/api/automations/${here}/run`)).status).toBe(200)
    expect((await ask(client, 'POST', '/api/loyalty/rules', rules())).status).toBe(200)
    expect(await audited(cook.id, here)).toEqual([{ action: 'automation.run' }])
    expect(await audited(cook.id, retiro)).toEqual([{ action: 'loyalty_rules.changed' }])
  })

  it('closes both to who lacks canAccessMarketing, in the app and in the database', async () => {
    const cook = await group.person('operaciones')
    const client = await signedIn(cook)
    expect(await setting(true)).toMatchObject({ body: { data: { limit_marketing_to_roles: true } } })
    try {
      const before = await sql('select * from public.loyalty_rules order by location_id, tier_id')
      expect(await ask(client, 'POST', `/api/automations/${here}/run`)).toEqual(forbidden)
      const headers = { prefer: 'respond-async' }
      const async = await client.request('POST', `/api/automations/${here}/run`, { headers })
      expect(await answer(async)).toEqual(forbidden)
      expect(await ask(client, 'POST', '/api/loyalty/rules', rules())).toEqual(forbidden)
      const { data } = await cook.db.rpc('save_loyalty_rules', { p_location: retiro, p_rules: rules().rules })
      expect(data).toBe('forbidden')
      expect((await cook.db.rpc('authorize_run', { p_automation: here })).data).toBe('forbidden')
      expect(await sql('select * from public.loyalty_rules order by location_id, tier_id')).toEqual(before)
      expect(await audited(cook.id, here)).toEqual([])
      expect((await ask(asMarketing, 'POST', `/api/automations/${here}/run`)).status).toBe(200)
      expect((await ask(asMarketing, 'POST', '/api/loyalty/rules', rules())).status).toBe(200)
    } finally {
      await setting(false)
    }
  })
})

describe('automations', () => {
  const state = () =>
    sql(
      'select (select count(*) from public.automation_runs) as runs, array(select a::text from public.automations a order by 1) as rows',
    )

  it('that reach another location cannot be run, by any role', async () => {
    const before = await state()
    const cook = await signedIn(await group.person('rrhh', [retiro]))
    for (const client of [asMarketing, cook]) {
      for (const id of [there, everywhere]) {
        const path = `/api/automations/${id}/run`
        expect(await ask(client, 'POST', path)).toMatchObject({
          status: 500,
          body: { success: false, error: 'Automation not found' },
        })
        const async = await client.request('POST', path, { headers: { prefer: 'respond-async' } })
        expect(await answer(async)).toEqual({
          status: 404,
          body: { error: 'Automation not found' },
        })
      }
    }
    expect(await state()).toEqual(before)
  })

  it('that reach another location cannot be read, tried, changed or deleted', async () => {
    const before = await state()
    for (const id of [there, everywhere]) {
      const path = `/api/automations/${id}`
      for (const rest of ['', '/runs', '/preview', '/results'])
        expect(await ask(asMarketing, 'GET', path + rest), rest).toEqual(NOT_FOUND)
      expect(await ask(asMarketing, 'PATCH', path, { name: 'Robada' })).toEqual(NOT_FOUND)
      expect(await ask(asMarketing, 'POST', `${path}/test`, {})).toEqual(NOT_FOUND)
      const draft = { id, type: 'vip_reward', channel: 'email', location_ids: [retiro] }
      expect(await ask(asMarketing, 'POST', '/api/automations/preview', draft)).toEqual(NOT_FOUND)
      expect(await ask(asMarketing, 'DELETE', path)).toEqual(NOT_FOUND)
    }
    const { body } = await ask(asMarketing, 'GET', '/api/automations')
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([here])
    expect(await state()).toEqual(before)
  })

  it('cannot be made to reach another location', async () => {
    const before = await state()
    const draft = { type: 'vip_reward', channel: 'email', body: 'Hola' }
    for (const location_ids of [[], [sol], [retiro, sol]]) {
      const refused = invalid('location_ids')
      const path = `/api/automations/${here}`
      expect(await ask(asMarketing, 'PATCH', path, { location_ids })).toEqual(refused)
      const made = { ...draft, name: 'Nueva', location_ids }
      expect(await ask(asMarketing, 'POST', '/api/automations', made)).toEqual(refused)
      const tried = { ...draft, location_ids }
      expect(await ask(asMarketing, 'POST', '/api/automations/preview', tried)).toEqual(refused)
    }
    expect(await state()).toEqual(before)
  })

  it('of the own location may be run, and show a guest of it', async () => {
    expect((await ask(asMarketing, 'GET', `/api/automations/${here}/preview`)).body.data.matched).toBe(1)
    expect((await ask(asMarketing, 'POST', `/api/automations/${here}/run`)).status).toBe(200)
    const results = await ask(asMarketing, 'GET', `/api/automations/${here}/results`)
    expect(results).toMatchObject({ status: 200, body: { data: { reservations: expect.any(Number) } } })
  })

  it('have no example of a guest of another location', async () => {
    const draft = { type: 'birthday', channel: 'email', body: '{{ first_name }} en {{ location_name }}' }
    await sql(`update public.customers set last_visit_at = now() where first_name = 'Luis'`)
    const body = { ...draft, location_ids: [retiro] }
    const tried = await ask(asMarketing, 'POST', '/api/automations/preview', body)
    expect(tried.body.data.sample).toMatchObject({ customer_name: 'Ana' })
  })
})

it('an export of a guest has only the visits, points and messages of the own locations', async () => {
  const response = await asAdmin.request('GET', `/api/customers/${ana}/export`)
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(text).toContain('De Retiro')
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain('777123')
  expect(JSON.parse(text).messages).not.toEqual([])
})

it('the debug listing has only the own locations', async () => {
  const response = await asMarketing.request('GET', '/api/admin/debug-reservations')
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).toContain('De Retiro')
  expect(text).not.toContain(SECRET)
})

it('messages are those about guests of the own locations', async () => {
  const whose = async (client: Client) =>
    new Set(
      (await ask(client, 'GET', '/api/messages')).body.data.map((m: { recipient: string }) => m.recipient),
    )
  expect(await whose(asBoss)).toEqual(new Set(['ana@example.com', 'luis@example.com']))
  expect(await whose(asMarketing)).toEqual(new Set(['ana@example.com']))
  const [lost] = await sql<{ id: string }>(
    `update public.messages set status = 'unknown' where recipient = 'luis@example.com' and automation_id = $1
     returning id::text`,
    [everywhere],
  )
  const reconcile = `/api/messages/${lost?.id}/reconcile`
  expect(await ask(asMarketing, 'POST', reconcile, { status: 'sent' })).toEqual(NOT_FOUND)
})

it.each([
  'messages',
  'automations',
  'automation_runs',
  'loyalty_points',
  'reservations',
  'audit_log',
  'import_runs',
  'job_runs',
])('the database API shows no row of another location in %s', async (name) => {
  const columns = name === 'job_runs' ? 'id' : '*'
  const { data } = await admin.db.from(table(name)).select(columns).throwOnError()
  const seen = JSON.stringify(data)
  for (const foreign of [SECRET, sol, there, 'luis@', '777123']) expect(seen).not.toContain(foreign)
})

it('the result of a sync shows its own locations only, whichever way it is read', async () => {
  const { data = [], error } = await admin.db.from('job_runs').select('*')
  expect(JSON.stringify(data ?? error)).not.toContain(SECRET)
  expect(JSON.stringify((await ask(asAdmin, 'GET', '/api/jobs')).body)).not.toContain(SECRET)
})

it('a guest cannot be moved to another location', async () => {
  const moved = await ask(asMarketing, 'PATCH', `/api/customers/${ana}`, { location_id: sol })
  expect(moved).toMatchObject({ status: 400 })
})

it.each([
  ['PATCH', '/api/organization', { name: 'Robado' }],
  ['POST', '/api/brands', { name: 'Nueva' }],
  ['PUT', '/api/integrations/ai', { is_enabled: false, config: {} }],
  ['GET', '/api/admin/seed-locations', undefined],
])('what holds for every location is not theirs to change: %s %s', async (method, path, body) => {
  expect(await ask(asAdmin, method, path, body)).toMatchObject({ status: 403 })
})
