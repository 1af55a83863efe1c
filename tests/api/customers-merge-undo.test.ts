import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'

let g: Guests
let boss: Client
beforeAll(async () => {
  g = await startGuests([
    {
      name: 'Norte',
      slug: 'norte',
      averageSpend: 20,
      rules: { Bronce: { min_spend: 0, min_visits: 1 }, Plata: { min_spend: 75, min_visits: 1 } },
    },
    { name: 'Sur', slug: 'sur', averageSpend: null, timezone: 'Atlantic/Canary' },
  ])
  boss = await g.hire('admin')
})
beforeEach(() =>
  g.sql(emptyTables('customers', 'reservations', 'messages', 'automation_runs', 'suppressions', 'audit_log')),
)
afterAll(() => g?.app.close())

const ANA = { client_email: 'ana@correo.example', client_phone: '612345678', client_name: 'Ana' }
const ANITA = { client_email: 'anita@correo.example', client_phone: '698765432', client_name: 'Anita' }

async function ids(): Promise<Record<string, string>> {
  const rows = await g.sql<{ id: string; email: string }>('select id::text, email from public.customers')
  return Object.fromEntries(rows.map(({ id, email }) => [email?.split('@')[0] ?? 'phone', id]))
}
/** Two guests with a visit each; Anita's is of four. */
async function two(): Promise<{ ana: string; anita: string }> {
  await g.sync([
    { id: '1', ...ANA },
    { id: '2', ...ANITA, pax: 4 },
  ])
  const { ana = '', anita = '' } = await ids()
  return { ana, anita }
}
async function merge(id: string, duplicate_id: string, fields?: string[]): Promise<string> {
  const { status, body } = await g.ask(boss, 'POST', `/api/customers/${id}/merge`, { duplicate_id, fields })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.merge_id
}
const undo = (id: string, client = boss) => g.ask(client, 'POST', `/api/customer-merges/${id}/undo`)
const merges = async (id: string, client = boss) =>
  (await g.ask(client, 'GET', `/api/customers/${id}/merges`)).body.data
const change = (id: string, fields: object) => g.ask(boss, 'PATCH', `/api/customers/${id}`, fields)
const read = async (id: string) => (await g.ask(boss, 'GET', `/api/customers/${id}`)).body.data
/** Everything of both that a merge touches, as it is stored; instants of changes aside. */
const everything = async () => ({
  customers: await g.sql(`select to_jsonb(c) - 'updated_at' as row from public.customers c order by id`),
  reservations: await g.sql('select external_id, customer_id::text from public.reservations order by 1'),
  messages: await g.sql(
    'select id::text, customer_id::text, recipient, dedupe_key, content from public.messages order by 1',
  ),
  aliases: await g.sql('select to_jsonb(a) as row from public.customer_aliases a order by id'),
  facts: await g.sql('select to_jsonb(f) as row from public.customer_facts f order by customer_id, code'),
  points: await g.sql('select to_jsonb(p) as row from public.loyalty_points p order by id'),
  tickets: await g.sql('select number, customer_id::text from public.tickets order by 1'),
  events: await g.sql('select title, customer_id::text from public.calendar_events order by 1'),
  pairs: await g.sql(
    'select first_id::text, second_id::text, author_name, decided_at from public.customer_pairs order by 1, 2',
  ),
})

describe('undoing a merge at once', () => {
  it('puts everything back where it was', async () => {
    const { ana, anita } = await two()
    const third = (await g.ask(boss, 'POST', '/api/customers', { first_name: 'Eva' })).body.data.id
    await change(ana, { notes: 'Sin gluten', tags: ['a', 'b'], company: 'Acme' })
    await change(anita, {
      notes: 'Ventana',
      tags: ['b', 'c'],
      birth_date: '1990-01-02',
      email: 'anita2@correo.example',
      consent: { sms: { basis: 'opt_in', reason: 'Lo pidió' } },
    })
    for (const [id, facts] of [
      [ana, [{ code: 'nuts', note: 'poco' }, { code: 'window' }]],
      [anita, [{ code: 'nuts', note: 'mucho' }, { code: 'vegan' }]],
    ] as const)
      expect((await g.ask(boss, 'PUT', `/api/customers/${id}/facts`, { facts })).status).toBe(200)
    await g.ask(boss, 'POST', `/api/customers/${anita}/points`, {
      kind: 'adjusted',
      points: 7,
      reason: 'Detalle',
    })
    await g.ask(boss, 'POST', '/api/tickets', { subject: 'Abrigo', customer_id: anita })
    await g.sql(
      `insert into public.calendar_events (organization_id, title, event_datetime, customer_id)
       values ($1, 'Cata', now(), $2)`,
      [g.group.id, anita],
    )
    for (const other of [ana, anita])
      await g.ask(boss, 'PUT', '/api/customers/duplicates/different', {
        customer_id: other,
        other_ids: [third],
        different: true,
      })
    await g.sql(
      `with run as (insert into public.automation_runs (organization_id, automation_name, triggered_by)
         values ($1, 'x', 'manual') returning id)
       insert into public.messages (organization_id, kind, purpose, run_id, customer_id, channel, status, recipient, dedupe_key, content)
       select $1::uuid, 'marketing', 'post_visit', case when m.key like 'run%' then run.id end, m.customer, 'email', 'sent', m.key,
         format(m.key, m.customer), '{"subject": "Hola"}' from run, (values
         ($2::uuid, 'run-ana'), ($3::uuid, 'run-anita'), ($2::uuid, 'birthday:x:%s'), ($3::uuid, 'birthday:x:%s')) as m (customer, key)`,
      [g.group.id, ana, anita],
    )
    const before = await everything()

    const id = await merge(ana, anita, ['email', 'notes'])
    expect(await everything()).not.toEqual(before)
    const { status, body } = await undo(id)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.data.not_restored).toEqual({ kept: [], restored: [] })
    expect(body.data.kept).toMatchObject({ id: ana, email: 'ana@correo.example', total_spend: 40 })
    expect(body.data.restored).toMatchObject({ id: anita, email: 'anita2@correo.example', total_spend: 80 })
    const after = await everything()
    const told = after.pairs.filter(({ first_id, second_id }) => ![first_id, second_id].includes(third))
    expect(told).toEqual([
      expect.objectContaining({ first_id: [ana, anita].sort()[0], second_id: [ana, anita].sort()[1] }),
    ])
    expect({ ...after, pairs: after.pairs.filter((pair) => !told.includes(pair)) }).toEqual(before)
    expect(await g.sql('select 1 from private.merged_rows')).toEqual([])
    expect(await g.sql('select 1 from private.merged_customers')).toEqual([])
  })

  it('recounts visits, spend, tier and points of both', async () => {
    const { ana, anita } = await two()
    const joined = await merge(ana, anita)
    expect(await read(ana)).toMatchObject({
      total_visits: 2,
      total_spend: 120,
      loyalty_tier: { name: 'Plata' },
    })
    await undo(joined)
    expect(await read(ana)).toMatchObject({
      total_visits: 1,
      total_spend: 40,
      loyalty_tier: { name: 'Bronce' },
    })
    expect(await read(anita)).toMatchObject({
      total_visits: 1,
      total_spend: 80,
      loyalty_tier: { name: 'Plata' },
    })
  })

  it('the next sync neither joins nor doubles them, and they are not suggested again', async () => {
    const other = { ...ANITA, client_email: 'ana+x@correo.example' }
    const bookings = () => g.sql('select external_id, customer_id::text from public.reservations order by 1')
    const suggested = async () => (await g.ask(boss, 'GET', '/api/customers/duplicates')).body.data
    await g.sync([
      { id: '1', ...ANA },
      { id: '2', ...other },
    ])
    expect(await suggested()).toHaveLength(1)
    const found = await ids()
    const before = await bookings()
    const id = await merge(String(found.ana), String(found['ana+x']))
    expect(await bookings()).not.toEqual(before)
    await undo(id)
    expect(await suggested()).toEqual([])
    await g.sync([
      { id: '1', ...ANA, pax: 3 },
      { id: '2', ...other, pax: 5 },
    ])
    expect(await bookings()).toEqual(before)
    await g.sync([{ id: '3', ...other }])
    expect(await ids()).toEqual(found)
    expect((await read(String(found['ana+x']))).total_visits).toBe(2)
  })

  it('says so at both, and keeps the merge in the list as undone', async () => {
    const { ana, anita } = await two()
    const id = await merge(ana, anita)
    expect(await merges(ana)).toMatchObject([
      {
        id,
        customer: { id: anita, name: 'Anita' },
        moved: { reservations: 1, messages: 0, tickets: 0, calendar_events: 0 },
        undone_at: null,
        obstacle: null,
      },
    ])
    await undo(id)
    expect(await merges(ana)).toMatchObject([
      {
        customer: { id: anita, name: 'Anita' },
        undone_at: expect.any(String),
        undone_by: expect.any(String),
        obstacle: 'already_undone',
      },
    ])
    expect(
      await g.sql(
        `select subject_id::text as id, details from public.audit_log where action = 'customer.merge_undone' order by created_at`,
      ),
    ).toEqual([
      { id: ana, details: { other_id: anita } },
      { id: anita, details: { other_id: ana } },
    ])
  })
})

describe('what happened since the merge', () => {
  it('stays with the remaining guest: reservations, tags, and fields that were changed', async () => {
    const { ana, anita } = await two()
    await change(anita, { notes: 'Ventana', company: 'Olmo', tags: ['vieja'] })
    const id = await merge(ana, anita, ['first_name'])
    await g.sync([{ id: '3', ...ANITA }])
    await change(ana, { notes: 'Ventana, y sin gluten', tags: ['vieja', 'nueva'], first_name: 'Anabel' })
    const { body } = await undo(id)
    expect(body.data.not_restored).toEqual({ kept: ['first_name', 'notes'], restored: [] })
    expect(body.data.kept).toMatchObject({
      first_name: 'Anabel',
      notes: 'Ventana, y sin gluten',
      tags: ['nueva'],
      company: null,
      total_visits: 2,
    })
    expect(body.data.restored).toMatchObject({
      first_name: 'Anita',
      notes: 'Ventana',
      tags: ['vieja'],
      company: 'Olmo',
      total_visits: 1,
    })
  })

  it('a reservation that was given to another customer stays there, and its points follow', async () => {
    const { ana, anita } = await two()
    const third = (await g.ask(boss, 'POST', '/api/customers', { first_name: 'Eva' })).body.data.id
    const id = await merge(ana, anita)
    const [booking] = await g.sql<{ id: string }>(
      `update public.reservations set source = 'manual', external_id = null where external_id = '2' returning id::text`,
    )
    const given = await g.ask(boss, 'PATCH', `/api/reservations/${booking?.id}`, { customer_id: third })
    expect(given.status, JSON.stringify(given.body)).toBe(200)
    expect((await undo(id)).status).toBe(200)
    for (const [who, visits, points] of [
      [ana, 1, 40],
      [anita, 0, 0],
      [third, 1, 80],
    ] as const)
      expect(await read(who)).toMatchObject({ total_visits: visits, points })
    expect((await g.sql('select 1 from public.loyalty_points where points < 0')).length).toBe(1)
  })

  it('an e-mail that another customer has by now is not restored, and is reported', async () => {
    const { ana, anita } = await two()
    const id = await merge(ana, anita)
    await change(ana, { emails: [] })
    expect((await g.ask(boss, 'POST', '/api/customers', { email: ANITA.client_email })).status).toBe(201)
    const { status, body } = await undo(id)
    expect(status).toBe(200)
    expect(body.data.not_restored).toEqual({ kept: [], restored: ['email'] })
    expect(body.data.restored).toMatchObject({ email: null, phone: '+34698765432' })
  })

  it('an opt-out holds for both, and one from before only where it was', async () => {
    const { ana, anita } = await two()
    await g.sql(`select public.suppress_addresses($1, 'sms', array['+34698765432'], 'stop')`, [g.group.id])
    const id = await merge(ana, anita)
    await g.sql(`select public.suppress_addresses($1, 'email', array['ana@correo.example'], 'unsubscribe')`, [
      g.group.id,
    ])
    await change(ana, { consent: { whatsapp: { basis: 'none', reason: 'Ya no quiere' } } })
    await undo(id)
    for (const who of [ana, anita]) {
      const { consent } = await read(who)
      expect(consent.email.opted_out).toBe(true)
      expect(consent.whatsapp.basis).toBe('none')
    }
    expect((await read(anita)).consent.sms.opted_out).toBe(true)
  })

  it('an allergy recorded since stays, and the restored guest has their own', async () => {
    const { ana, anita } = await two()
    await g.ask(boss, 'PUT', `/api/customers/${anita}/facts`, { facts: [{ code: 'nuts' }, { code: 'egg' }] })
    const id = await merge(ana, anita)
    await g.ask(boss, 'PUT', `/api/customers/${ana}/facts`, {
      facts: [{ code: 'nuts', note: 'grave' }, { code: 'egg' }, { code: 'fish' }],
    })
    await undo(id)
    const facts = async (who: string) =>
      (await g.ask(boss, 'GET', `/api/customers/${who}/facts`)).body.data.facts
        .map(({ code, note }: { code: string; note: string | null }) => [code, note])
        .sort()
    expect(await facts(ana)).toEqual([
      ['fish', null],
      ['nuts', 'grave'],
    ])
    expect(await facts(anita)).toEqual([
      ['egg', null],
      ['nuts', null],
    ])
  })
})

describe('merge after merge', () => {
  it('comes apart in reverse order only, and the later one is named', async () => {
    await g.sync([
      { id: '1', ...ANA },
      { id: '2', ...ANITA },
      { id: '3', client_email: 'caro@correo.example', client_phone: '655555555', client_name: 'Caro' },
    ])
    const { ana = '', anita = '', caro = '' } = await ids()
    const before = await everything()
    const first = await merge(ana, anita)
    const between = await everything()
    const second = await merge(caro, ana)
    expect(await merges(caro)).toMatchObject([
      { id: second, obstacle: null },
      { id: first, obstacle: 'merged_since', later_id: second },
    ])
    const refused = await undo(first)
    expect(refused).toMatchObject({ status: 409, body: { code: 'MERGED_SINCE', later_id: second } })
    expect((await undo(second)).status).toBe(200)
    expect({ ...(await everything()), pairs: [] }).toEqual({ ...between, pairs: [] })
    expect((await undo(first)).status).toBe(200)
    expect({ ...(await everything()), pairs: [] }).toEqual({ ...before, pairs: [] })
  })

  it('a verdict about a customer who was merged meanwhile is restored', async () => {
    const make = async (first_name: string) =>
      (await g.ask(boss, 'POST', '/api/customers', { first_name })).body.data.id as string
    const [a, b, x, y] = [await make('A'), await make('B'), await make('X'), await make('Y')]
    const apart = (customer_id: string, other: string) =>
      g.ask(boss, 'PUT', '/api/customers/duplicates/different', {
        customer_id,
        other_ids: [other],
        different: true,
      })
    await apart(a, x)
    await apart(b, x)
    const one = await merge(a, b)
    const other = await merge(y, x)
    await undo(one)
    await undo(other)
    const pairs = await g.sql<{ pair: string[] }>(
      'select array[first_id::text, second_id::text] as pair from public.customer_pairs',
    )
    const expected = [
      [a, x],
      [b, x],
      [a, b],
      [x, y],
    ].map((pair) => pair.sort().join())
    expect(pairs.map(({ pair }) => pair.join()).sort()).toEqual(expected.sort())
  })
})

describe('refuses to undo', () => {
  it('twice, also at the same time', async () => {
    const { ana, anita } = await two()
    const id = await merge(ana, anita)
    const answers = await Promise.all([undo(id), undo(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await undo(id)).toEqual(refusal('MERGE_UNDONE'))
  })

  it('after 30 days', async () => {
    const { ana, anita } = await two()
    const id = await merge(ana, anita)
    await g.sql(`update public.customer_merges set merged_at = now() - interval '30 days'`)
    expect(await undo(id)).toEqual(refusal('MERGE_TOO_OLD'))
    await g.sql(`update public.customer_merges set merged_at = now() - interval '29 days 23 hours'`)
    expect((await undo(id)).status).toBe(200)
  })

  it('what went with an erasure', async () => {
    const { ana, anita } = await two()
    const id = await merge(ana, anita)
    expect((await g.ask(boss, 'DELETE', `/api/customers/${ana}`)).status).toBe(204)
    expect(await undo(id)).toEqual(refusal('NOT_FOUND'))
    expect(await g.sql('select 1 from private.merged_customers')).toEqual([])
    expect(await g.sql('select 1 from private.merged_rows')).toEqual([])
  })
})
