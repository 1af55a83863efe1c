import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAutomation } from '../factories/messaging'
import type { Client } from '../support/app'
import { audienceOf } from '../support/audience'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { invalid, refusal } from '../support/refusal'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let stranger: Client
beforeAll(async () => {
  g = await startGuests([
    {
      name: 'Norte',
      slug: 'norte',
      averageSpend: 20,
      rules: { Bronce: { min_spend: 0, min_visits: 1 }, Plata: { min_spend: 50, min_visits: 1 } },
    },
    { name: 'Sur', slug: 'sur', averageSpend: null, timezone: 'Atlantic/Canary' },
  ])
  boss = await g.hire('admin')
  stranger = await signedIn(await g.other.person('super_admin'))
})
beforeEach(() => g.sql(emptyTables('customers', 'reservations', 'messages', 'automation_runs', 'audit_log')))
afterAll(() => g?.app.close())

const ids = async () =>
  Object.fromEntries(
    (await g.sql<{ id: string; email: string }>('select id::text, email from public.customers')).map(
      ({ id, email }) => [email?.split('@')[0] ?? 'phone', id],
    ),
  )
const merge = (id: string | undefined, duplicate_id: string | undefined, fields?: string[], client = boss) =>
  g.ask(client, 'POST', `/api/customers/${id}/merge`, { duplicate_id, fields })
const customers = () =>
  g.sql(
    `select split_part(c.email, '@', 1) as who, c.total_visits as visits, c.total_spend::float as spend, t.name as tier
     from public.customers c left join public.loyalty_tiers t on t.id = c.loyalty_tier_id order by 1`,
  )
const ANA = { client_email: 'ana@correo.example', client_phone: '612345678', client_name: 'Ana' }
const ANITA = { client_email: 'anita@correo.example', client_phone: '698765432', client_name: 'Anita' }

describe('merging a duplicate', () => {
  it('moves reservations and messages and recounts visits and spend', async () => {
    await g.sync([
      { id: '1', ...ANA },
      { id: '2', ...ANITA, pax: 3 },
      { id: '3', ...ANITA, status: 'cancelled' },
    ])
    await g.sync([{ id: '4', ...ANITA }], 'Sur')
    const { ana, anita } = await ids()
    await g.sql(
      `insert into public.messages (organization_id, kind, purpose, customer_id, channel, dedupe_key)
       values ($1, 'marketing', 'post_visit', $2, 'email', 'a'), ($1, 'marketing', 'post_visit', $3, 'email', 'b')`,
      [g.group.id, ana, anita],
    )
    const { status, body } = await merge(ana, anita)
    expect(status).toBe(200)
    // 2 + 3 guests at 20 €, and a visit in Sur, where the average is unknown.
    expect(body.data).toMatchObject({
      id: ana,
      email: 'ana@correo.example',
      first_name: 'Ana',
      total_visits: 3,
      total_spend: 100,
      location_id: g.places.Norte,
      loyalty_tier: { name: 'Plata' },
    })
    expect(await customers()).toEqual([{ who: 'ana', visits: 3, spend: 100, tier: 'Plata' }])
    expect(await g.sql('select distinct customer_id::text as id from public.reservations')).toEqual([
      { id: ana },
    ])
    expect(await g.sql('select distinct customer_id::text as id from public.messages')).toEqual([{ id: ana }])
    expect(
      await g.sql(
        `select subject_id::text as id, details from public.audit_log where action = 'customer.merged'`,
      ),
    ).toEqual([{ id: ana, details: { duplicate_id: anita, fields: [] } }])
    expect((await g.ask(boss, 'GET', `/api/customers/${anita}`)).status).toBe(404)
  })

  it('fills blanks, unites tags and notes, takes the named fields, keeps the first created', async () => {
    const make = (fields: object) =>
      g.ask(boss, 'POST', '/api/customers', fields).then(({ body }) => body.data.id)
    const kept = await make({
      email: 'ana@correo.example',
      first_name: 'Ana',
      tags: ['a', 'b'],
      notes: 'Sin gluten',
      company: 'Acme',
    })
    const gone = await make({
      email: 'anita@correo.example',
      phone: '698765432',
      first_name: 'Anita',
      last_name: 'Ruiz',
      tags: ['b', 'c'],
      notes: 'Ventana',
      company: 'Otra',
      birth_date: '1990-01-02',
    })
    await g.sql(`update public.customers set created_at = '2020-01-01' where id = $1`, [gone])
    const { body } = await merge(kept, gone, ['first_name', 'company', 'address'])
    expect(body.data).toMatchObject({
      email: 'ana@correo.example',
      phone: '+34698765432',
      first_name: 'Anita',
      last_name: 'Ruiz',
      company: 'Otra',
      address: null,
      birth_date: '1990-01-02',
      tags: ['a', 'b', 'c'],
      notes: 'Sin gluten\nVentana',
      created_at: '2020-01-01T00:00:00.000Z',
    })
  })

  it('can take e-mail and notes from the duplicate', async () => {
    await g.sync([
      { id: '1', ...ANA },
      { id: '2', ...ANITA },
    ])
    const { ana, anita } = await ids()
    await g.sql(`update public.customers set notes = 'de ' || first_name`)
    const { body } = await merge(ana, anita, ['email', 'notes'])
    expect(body.data).toMatchObject({
      id: ana,
      email: 'anita@correo.example',
      phone: '+34612345678',
      notes: 'de Anita',
    })
  })

  it.each([
    ['Oro', 'Bronce', 'Oro'],
    ['Bronce', 'Oro', 'Oro'],
    [null, 'Platino', 'Platino'],
  ])('of tiers %s and %s keeps the higher', async (one, other, tier) => {
    await g.sync([
      { id: '1', ...ANA, status: 'pending' },
      { id: '2', ...ANITA, status: 'pending' },
    ])
    const { ana, anita } = await ids()
    await g.sql(
      `update public.customers c set loyalty_tier_id = (select t.id from public.loyalty_tiers t
         where t.organization_id = c.organization_id and t.name = case when c.id = $1 then $2 else $3 end)`,
      [ana, one, other],
    )
    await merge(ana, anita)
    expect(await customers()).toEqual([{ who: 'ana', visits: 0, spend: 0, tier }])
  })

  it('keeps one of two messages of the same run, and sends no second', async () => {
    await g.sync([
      { id: '1', ...ANA },
      { id: '2', ...ANITA },
    ])
    const { ana, anita } = await ids()
    await g.sql(
      `with run as (insert into public.automation_runs (organization_id, automation_name, triggered_by)
         values ($1, 'x', 'manual') returning id)
       insert into public.messages (organization_id, kind, purpose, run_id, customer_id, channel, recipient, dedupe_key)
       select $1::uuid, 'marketing', 'post_visit', run.id, m.customer, m.channel, m.key, m.key from run, (values
         ($2::uuid, 'email', 'ana'), ($3::uuid, 'email', 'anita'), ($3::uuid, 'sms', 'anita-sms')) as m (customer, channel, key)`,
      [g.group.id, ana, anita],
    )
    expect((await merge(ana, anita)).status).toBe(200)
    expect(
      await g.sql(
        `select dedupe_key as key, customer_id::text as id, recipient, status from public.messages order by 1`,
      ),
    ).toEqual([
      { key: 'ana', id: ana, recipient: 'ana', status: 'queued' },
      { key: 'anita', id: null, recipient: null, status: 'skipped' },
      { key: 'anita-sms', id: ana, recipient: 'anita-sms', status: 'queued' },
    ])
  })
})

describe('one message of a run each, by different channels', () => {
  it('leaves the channel of the one that does not go to the one that does', async () => {
    await g.sync([
      { id: '1', ...ANA },
      { id: '2', ...ANITA },
    ])
    const { ana, anita } = await ids()
    await g.sql(
      `with run as (insert into public.automation_runs (organization_id, automation_name, triggered_by)
         values ($1, 'x', 'manual') returning id)
       insert into public.messages (organization_id, kind, purpose, run_id, customer_id, channel, recipient, dedupe_key)
       select $1::uuid, 'marketing', 'post_visit', run.id, m.customer, m.channel, 'x', 'campaign:1:' || m.customer
       from run, (values ($2::uuid, 'email'), ($3::uuid, 'whatsapp')) as m (customer, channel)`,
      [g.group.id, ana, anita],
    )
    expect((await merge(ana, anita)).status).toBe(200)
    expect(
      await g.sql(
        `select channel, customer_id::text as id, status, reason from public.messages order by channel`,
      ),
    ).toEqual([
      { channel: 'email', id: ana, status: 'queued', reason: null },
      { channel: 'whatsapp', id: null, status: 'skipped', reason: 'merged' },
    ])
  })
})

describe('what an automation wrote to either', () => {
  const NOW = '2026-11-20T11:00:00Z'
  const automate = async (people: Record<string, string>) => {
    const id = await createAutomation(g.app.stack, g.group.id, { type: 'birthday' })
    for (const [customer, status] of Object.entries(people))
      await g.sql(
        `insert into public.messages (organization_id, kind, purpose, automation_id, customer_id, channel, status, recipient, dedupe_key)
         values ($1, 'marketing', 'post_visit', $2, $3, 'email', $4, 'x', format('birthday:%s:%s:2026', $2::uuid, $3::uuid))`,
        [g.group.id, id, customer, status],
      )
    return id
  }
  const audience = async (automation: string) =>
    (await audienceOf(g, automation, NOW)).map(({ customer_id }) => ({ id: customer_id }))
  const messages = () =>
    g.sql('select customer_id::text as id, status, reason from public.messages order by status, reason')
  let ana: string
  let anita: string
  beforeEach(async () => {
    await g.sql(emptyTables('automations'))
    await g.sync([
      { id: '1', ...ANA },
      { id: '2', ...ANITA },
    ])
    ;({ ana = '', anita = '' } = await ids())
    await g.sql("update public.customers set birth_date = '1990-11-22'")
  })

  it('counts for the remaining customer, who gets no second birthday message', async () => {
    const automation = await automate({ [anita]: 'sent' })
    expect(await audience(automation)).toEqual([{ id: ana }])
    expect((await merge(ana, anita)).status).toBe(200)
    expect(await audience(automation)).toEqual([])
  })

  it.each(['skipped', 'failed', 'queued'])(
    'counts when it went out, beside one that is %s',
    async (status) => {
      const automation = await automate({ [ana]: status, [anita]: 'delivered' })
      expect((await merge(ana, anita)).status).toBe(200)
      expect(await audience(automation)).toEqual([])
      const reason = status === 'queued' ? 'merged' : null
      expect(await messages()).toEqual(
        [
          { id: ana, status: 'delivered', reason: null },
          { id: ana, status: status === 'queued' ? 'skipped' : status, reason },
        ].sort((a, b) => (a.status < b.status ? -1 : 1)),
      )
    },
  )

  it('is sent once when both wait', async () => {
    await automate({ [ana]: 'queued', [anita]: 'queued' })
    expect((await merge(ana, anita)).status).toBe(200)
    expect(await messages()).toEqual([
      { id: ana, status: 'queued', reason: null },
      { id: ana, status: 'skipped', reason: 'merged' },
    ])
  })

  it('in one run: the one that went out stays theirs', async () => {
    const automation = await automate({ [ana]: 'skipped', [anita]: 'sent' })
    await g.sql(
      `with run as (insert into public.automation_runs (organization_id, automation_id, automation_name, triggered_by)
         values ($1, $2, 'x', 'manual') returning id)
       update public.messages set run_id = run.id from run`,
      [g.group.id, automation],
    )
    expect((await merge(ana, anita)).status).toBe(200)
    expect(await messages()).toEqual([
      { id: ana, status: 'sent', reason: null },
      { id: null, status: 'skipped', reason: null },
    ])
  })
})

describe('after a merge', () => {
  it('the dropped addresses still match the customer, also after another merge', async () => {
    await g.sync([
      { id: '1', ...ANA },
      { id: '2', ...ANITA },
      { id: '3', client_email: 'a.ruiz@correo.example', client_phone: '655555555' },
    ])
    const { ana, anita, 'a.ruiz': ruiz } = await ids()
    await merge(anita, ruiz)
    await merge(ana, anita)
    await g.sync([
      { id: '4', client_email: 'anita@correo.example', client_name: 'Anita', client_phone: '677777777' },
      { id: '5', client_phone: '698765432' },
      { id: '6', client_email: 'a.ruiz@correo.example' },
      { id: '7', client_phone: '655555555', client_name: 'Otra Persona' },
    ])
    await g.sync([{ id: '8', client_email: 'nueva@correo.example', client_phone: '698765432' }])
    expect((await customers()).map(({ who, visits }) => [who, visits])).toEqual([
      ['ana', 7],
      ['nueva', 1],
    ])
    const { body } = await g.ask(boss, 'GET', `/api/customers/${ana}`)
    expect(body.data).toMatchObject({
      email: 'ana@correo.example',
      phone: '+34612345678',
      first_name: 'Ana',
    })
  })

  it('an e-mail taken from one customer can be given to another, whom bookings find then', async () => {
    await g.sync([
      { id: '1', ...ANA },
      { id: '2', ...ANITA },
    ])
    const { ana, anita } = await ids()
    await merge(ana, anita)
    const email = 'anita@correo.example'
    expect(await g.ask(boss, 'POST', '/api/customers', { email })).toEqual(refusal('EMAIL_TAKEN'))
    await g.ask(boss, 'PATCH', `/api/customers/${ana}`, { emails: [] })
    const made = await g.ask(boss, 'POST', '/api/customers', { email })
    expect(made.status).toBe(201)
    await g.sync([{ id: '3', client_email: 'anita@correo.example' }])
    expect((await customers()).map(({ who, visits }) => [who, visits])).toEqual([
      ['ana', 2],
      ['anita', 1],
    ])
    await g.ask(boss, 'PATCH', `/api/customers/${made.body.data.id}`, { email: 'otra@correo.example' })
    await g.sync([{ id: '4', client_email: 'anita@correo.example' }])
    expect(Object.keys(await ids()).sort()).toEqual(['ana', 'anita', 'otra'])
  })

  it('taking the duplicate’s e-mail keeps the other as a former one', async () => {
    await g.sync([
      { id: '1', ...ANA },
      { id: '2', ...ANITA },
    ])
    const { ana, anita } = await ids()
    await merge(ana, anita, ['email'])
    await g.sync([{ id: '3', client_email: 'ana@correo.example' }])
    expect(await customers()).toMatchObject([{ who: 'anita', visits: 3 }])
  })
})

describe('refuses a merge', () => {
  let ana: string | undefined
  let anita: string | undefined
  beforeEach(async () => {
    await g.sync([
      { id: '1', ...ANA },
      { id: '2', ...ANITA },
    ])
    const found = await ids()
    ana = found.ana
    anita = found.anita
  })

  it('of a customer with itself', async () => {
    const same = invalid('duplicate_id')
    expect(await merge(ana, ana)).toEqual(same)
    expect(await merge(ana, ana?.toUpperCase())).toEqual(same)
  })

  it('when either customer is unknown or of another organization', async () => {
    const foreign = (await g.ask(stranger, 'POST', '/api/customers', { first_name: 'Eva' })).body.data.id
    const unknown = crypto.randomUUID()
    for (const [one, two] of [
      [ana, unknown],
      [unknown, ana],
      [ana, foreign],
      [foreign, ana],
    ])
      expect(await merge(one, two)).toEqual(refusal('NOT_FOUND'))
    expect(await g.sql('select 1 from public.customers')).toHaveLength(3)
  })

  it.each([
    [{}],
    [{ duplicate_id: 'x' }],
    [{ duplicate_id: crypto.randomUUID(), fields: ['total_spend'] }],
    [{ duplicate_id: crypto.randomUUID(), fields: 'email' }],
    [{ duplicate_id: crypto.randomUUID(), more: 1 }],
  ])('with a body like %j', async (body) => {
    expect((await g.ask(boss, 'POST', `/api/customers/${ana}/merge`, body)).status).toBe(400)
  })

  it('of a customer that a simultaneous merge has just removed', async () => {
    const answers = await Promise.all([merge(ana, anita), merge(anita, ana), merge(ana, anita)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect(await customers()).toMatchObject([{ visits: 2, spend: 80 }])
  })
})
