import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Issue } from '@/lib/http/error-codes'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { invalid, refusal } from '../support/refusal'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let host: Client
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
  host = await g.hire('operaciones', 'Sur')
  stranger = await signedIn(await g.other.person('super_admin'))
})
beforeEach(() => g.sql(emptyTables('customers', 'reservations', 'audit_log')))
afterAll(() => g?.app.close())

const PATH = '/api/reservations'
// Long over: its figures change only when that is confirmed.
const confirm = ['service_over']
const TABLE = () => ({
  location_id: g.places.Norte,
  reservation_date: '2026-05-01',
  reservation_time: '21:00',
  party_size: 4,
  confirm,
})
const create = async (fields: object = {}, client = boss) => {
  const { status, body } = await g.ask(client, 'POST', PATH, { ...TABLE(), ...fields })
  expect([status, body]).toEqual([201, body])
  return body.data
}
const patch = (id: string, body: unknown, client = boss) =>
  g.ask(
    client,
    'PATCH',
    `${PATH}/${id}`,
    body instanceof Object && !Array.isArray(body) ? { confirm, ...body } : body,
  )
const customers = () =>
  g.sql(
    `select coalesce(c.email, c.phone) as who, concat_ws(' ', c.first_name, c.last_name) as name, c.source,
       c.total_visits as visits, c.total_spend::float as spend, t.name as tier
     from public.customers c left join public.loyalty_tiers t on t.id = c.loyalty_tier_id order by 1`,
  )
/** Visits and spend of each customer, added up here from the reservations as stored. */
async function expectedStatistics() {
  const rows = await g.sql<{
    who: string
    status: string
    pax: number
    amount: number | null
    average: number | null
  }>(
    `select coalesce(c.email, c.phone) as who, r.status, r.party_size as pax, r.total_amount::float as amount,
       l.average_spend_per_guest::float as average
     from public.customers c left join public.reservations r on r.customer_id = c.id
     left join public.locations l on l.id = r.location_id order by 1`,
  )
  return Object.entries(Object.groupBy(rows, ({ who }) => who)).map(([who, own = []]) => {
    const visits = own.filter(({ status }) => status === 'completed')
    const spend = visits.reduce((sum, { amount, pax, average }) => sum + (amount ?? pax * (average ?? 0)), 0)
    return { who, visits: visits.length, spend }
  })
}
const statistics = async () => (await customers()).map(({ who, visits, spend }) => ({ who, visits, spend }))

describe('creating a reservation', () => {
  it('stores what is given, and finds it on its day', async () => {
    const made = await create({
      customer_name: '  Ana Ruiz ',
      status: 'confirmed',
      notes: 'Ventana',
      total_amount: 120.5,
      zone_name: 'Terraza',
      table_name: '7',
    })
    expect(made).toEqual({
      id: expect.any(String),
      external_id: null,
      location_id: g.places.Norte,
      customer_id: null,
      customer_name: 'Ana Ruiz',
      reservation_date: '2026-05-01',
      reservation_time: '21:00',
      party_size: 4,
      status: 'confirmed',
      pms_status: null,
      visited: true,
      notes: 'Ventana',
      total_amount: 120.5,
      source: 'manual',
      zone_name: 'Terraza',
      table_name: '7',
      tables: ['7'],
      allergies: [],
    })
    expect((await g.ask(boss, 'GET', `${PATH}?date=2026-05-01`)).body.data).toEqual([made])
    expect(await customers()).toEqual([])
    expect((await create()).status).toBe('pending')
  })

  it('matches the contact data to a customer, or creates one, as the sync does', async () => {
    const guest = {
      customer_name: 'Ana Ruiz Gil',
      customer_email: ' ANA@correo.example',
      customer_phone: '612345678',
    }
    const first = await create({ ...guest, status: 'completed' })
    expect(await customers()).toEqual([
      {
        who: 'ana@correo.example',
        name: 'Ana Ruiz Gil',
        source: 'Manual',
        visits: 1,
        spend: 80,
        tier: 'Plata',
      },
    ])
    // By e-mail before phone, by phone alone, and another customer with the same phone.
    await g.sync([{ id: '1', client_email: 'eva@correo.example', client_phone: '698765432' }])
    const again = await create({ customer_email: 'ana@correo.example', customer_phone: '698765432' })
    const byPhone = await create({ customer_phone: '0034 612 345 678', customer_name: 'Ana' })
    expect([again.customer_id, byPhone.customer_id]).toEqual([first.customer_id, first.customer_id])
    const leo = await create({ customer_email: 'leo@correo.example', customer_phone: '612345678' })
    expect(leo.customer_id).not.toBe(first.customer_id)
    expect((await customers()).map(({ who, name }) => [who, name])).toEqual([
      ['ana@correo.example', 'Ana Ruiz Gil'],
      ['eva@correo.example', ''],
      ['leo@correo.example', ''],
    ])
    // The PMS knows who it is now.
    await g.sync([{ id: '2', client_email: 'ana@correo.example' }])
    expect((await customers())[0]).toMatchObject({ visits: 2 })
  })

  it('matches a new e-mail to the customer with the same phone and name, former addresses included', async () => {
    const ana = { customer_phone: '612345678', customer_name: 'Ana García López' }
    const { customer_id } = await create({ ...ana, customer_email: 'ana@correo.example' })
    const again = await create({
      ...ana,
      customer_name: 'GARCIA LOPEZ Ana',
      customer_email: 'ana@trabajo.example',
    })
    const leo = await create({
      ...ana,
      customer_name: 'Leo',
      customer_email: 'leo@correo.example',
      link: 'new',
    })
    await g.sql(
      `insert into public.customer_aliases (organization_id, customer_id, phone)
       select organization_id, id, '+34698765432' from public.customers where id = $1`,
      [customer_id],
    )
    const byAlias = await create({ customer_email: 'ana@trabajo.example', customer_name: 'Ana' })
    const byPhone = await create({ customer_phone: '698765432' })
    const byBoth = await create({
      ...ana,
      customer_phone: '698765432',
      customer_email: 'ana@tercera.example',
    })
    expect([again, byAlias, byPhone, byBoth].map((one) => one.customer_id)).toEqual(
      Array(4).fill(customer_id),
    )
    expect(leo.customer_id).not.toBe(customer_id)
    expect((await customers()).map(({ who, name }) => [who, name])).toEqual([
      ['ana@correo.example', 'Ana García López'],
      ['leo@correo.example', 'Leo'],
    ])
    const { body } = await g.ask(boss, 'GET', `/api/customers/${customer_id}/export`)
    expect(body.former_addresses).toEqual(
      expect.arrayContaining(['ana@trabajo.example', '+34698765432', 'ana@tercera.example']),
    )
  })

  it('adds a new e-mail to a customer known only by that phone, and fills blanks', async () => {
    await g.sync([{ id: '1', client_phone: '612345678' }])
    await create({ customer_email: 'ana@correo.example', customer_phone: '612345678', customer_name: 'Ana' })
    expect(await customers()).toMatchObject([{ who: 'ana@correo.example', name: 'Ana', source: 'PMS' }])
  })

  it('matches a merged customer by the address the merge dropped', async () => {
    const one = await create({ customer_email: 'ana@correo.example', customer_phone: '612345678' })
    const two = await create({ customer_email: 'anita@correo.example', customer_phone: '698765432' })
    const merge = { duplicate_id: two.customer_id }
    await g.ask(boss, 'POST', `/api/customers/${one.customer_id}/merge`, merge)
    for (const contact of [{ customer_email: 'anita@correo.example' }, { customer_phone: '698765432' }])
      expect((await create(contact)).customer_id).toBe(one.customer_id)
    expect(await customers()).toHaveLength(1)
  })

  it('takes the customer’s name unless another is given', async () => {
    const { data } = (await g.ask(boss, 'POST', '/api/customers', { first_name: 'Ana', last_name: 'Ruiz' }))
      .body
    const made = await create({ customer_id: data.id, status: 'completed' })
    expect(made).toMatchObject({ customer_id: data.id, customer_name: 'Ana Ruiz' })
    expect(await create({ customer_id: data.id, customer_name: 'Sr. Gil' })).toMatchObject({
      customer_id: data.id,
      customer_name: 'Sr. Gil',
    })
    expect(await customers()).toMatchObject([{ visits: 1, spend: 80, tier: 'Plata' }])
  })

  it('creates one customer when two reservations at once are of the same new person', async () => {
    const made = await Promise.all(
      Array.from({ length: 4 }, () => create({ customer_email: 'ana@correo.example', status: 'completed' })),
    )
    expect(new Set(made.map(({ customer_id }) => customer_id)).size).toBe(1)
    expect(await customers()).toMatchObject([{ visits: 4, spend: 320 }])
  })

  it.each([
    ['location_id', [undefined, null, 'norte', '00000000-0000-4000-8000-000000000000', 'Este']],
    ['customer_id', ['x', '00000000-0000-4000-8000-000000000000']],
    ['customer_email', ['x', 5, 'a\0@b.example']],
    ['customer_phone', ['12', 612345678, '6'.repeat(41)]],
    ['customer_name', ['a'.repeat(201), 'a\0', 7]],
    [
      'reservation_date',
      [undefined, null, '2026-02-30', '0000-01-01', '99999-01-01', '01/05/2026', 20260501],
    ],
    ['reservation_time', [undefined, null, '24:00', '9:00', '21:00:00', '21h', '21:60', '-01:00']],
    ['party_size', [undefined, null, 0, -1, 501, 1.5, '4', 2 ** 40]],
    ['status', ['finished', '', null, 1]],
    ['total_amount', [-1, '12', 1_000_001, true]],
    ['notes', ['a'.repeat(5001), '\ud800', []]],
    ['zone_name', ['a'.repeat(101)]],
    ['table_name', [12]],
    ['source', ['pms']],
    ['external_id', ['1']],
  ])('refuses a wrong %s', async (field, values) => {
    for (const value of values) {
      const body = { ...TABLE(), [field]: value === 'Este' ? g.places.Este : value }
      const { status, body: refused } = await g.ask(boss, 'POST', PATH, body)
      const fields = refused.issues.map(({ path, params }: Issue) => path || params?.field)
      expect([value, status, fields]).toEqual([value, 400, expect.arrayContaining([field])])
    }
    expect(await g.sql('select 1 from public.reservations')).toEqual([])
  })

  it('refuses numbers out of range, and a customer together with contact data', async () => {
    const text = JSON.stringify(TABLE())
    for (const amount of ['1e400', '-1e400'])
      expect((await g.ask(boss, 'POST', PATH, `${text.slice(0, -1)},"total_amount":${amount}}`)).status).toBe(
        400,
      )
    const both = { ...TABLE(), customer_id: crypto.randomUUID(), customer_email: 'ana@correo.example' }
    expect((await g.ask(boss, 'POST', PATH, both)).status).toBe(400)
  })

  it('takes only locations where the person works and customers of the organization', async () => {
    const elsewhere = invalid('location_id', 'unknown')
    expect(await g.ask(host, 'POST', PATH, TABLE())).toEqual(elsewhere)
    expect(await g.ask(stranger, 'POST', PATH, TABLE())).toEqual(elsewhere)
    expect(await create({ location_id: g.places.Sur }, host)).toMatchObject({ location_id: g.places.Sur })
    const foreign = (await g.ask(stranger, 'POST', '/api/customers', { first_name: 'Eva' })).body.data.id
    expect(await g.ask(boss, 'POST', PATH, { ...TABLE(), customer_id: foreign })).toEqual(
      invalid('customer_id', 'unknown'),
    )
  })
})

describe('changing a reservation', () => {
  it('changes the given fields, any status to any, and logs which', async () => {
    const made = await create({ customer_name: 'Ana', notes: 'Ventana' })
    const changes = { reservation_time: '22:30', party_size: 6, notes: null, table_name: '3' }
    expect(await patch(made.id, changes)).toEqual({
      status: 200,
      body: { data: { ...made, ...changes, tables: ['3'] } },
    })
    for (const status of ['completed', 'pending', 'no_show', 'cancelled', 'seated', 'confirmed'])
      expect((await patch(made.id, { status })).body.data.status).toBe(status)
    const log = await g.sql(
      `select action, subject_id::text as id, details from public.audit_log order by created_at limit 2`,
    )
    expect(log).toEqual([
      { action: 'reservation.created', id: made.id, details: {} },
      {
        action: 'reservation.changed',
        id: made.id,
        details: {
          fields: ['notes', 'party_size', 'reservation_time', 'table_name'],
          before: { party_size: made.party_size },
          after: { party_size: 6 },
        },
      },
    ])
  })

  it('answers the unchanged record when nothing, or nothing new, is sent', async () => {
    const made = await create({ notes: 'Ventana' })
    for (const body of [{}, { notes: 'Ventana', party_size: 4 }])
      expect(await patch(made.id, body)).toEqual({ status: 200, body: { data: made } })
    expect(await g.sql('select 1 from public.audit_log')).toHaveLength(1)
  })

  it('keeps statistics and tiers in step with what is stored', async () => {
    const ana = await create({ customer_email: 'ana@correo.example' })
    const eva = await create({ customer_email: 'eva@correo.example', status: 'completed', party_size: 2 })
    const steps: [string, object][] = [
      [ana.id, { status: 'completed' }],
      [ana.id, { total_amount: 99.95 }],
      [eva.id, { party_size: 3 }],
      [ana.id, { location_id: g.places.Sur, total_amount: null }],
      [ana.id, { customer_email: 'eva@correo.example' }],
      [eva.id, { status: 'cancelled' }],
      [ana.id, { customer_id: null }],
      [ana.id, { customer_id: eva.customer_id }],
    ]
    for (const [id, change] of steps) {
      expect((await patch(id, change)).status).toBe(200)
      expect([change, await statistics()]).toEqual([change, await expectedStatistics()])
    }
    expect((await customers()).map(({ tier }) => tier)).toEqual(['Plata', 'Plata'])
  })

  it('moves it to the customer of the new contact data, and to none when the contact is cleared', async () => {
    const made = await create({ customer_email: 'ana@correo.example', customer_name: 'Ana' })
    const moved = (await patch(made.id, { customer_email: 'eva@correo.example' })).body.data
    expect(moved.customer_id).not.toBe(made.customer_id)
    expect((await patch(made.id, { customer_email: null })).body.data.customer_id).toBeNull()
    expect(await customers()).toHaveLength(2)
    const linked = (await patch(made.id, { customer_id: made.customer_id })).body.data
    expect(linked.customer_id).toBe(made.customer_id)
  })

  it('changes the fields that staff mark on a reservation of the PMS, and no other', async () => {
    const row = { id: '1', client_email: 'ana@correo.example', notes: 'Ventana' }
    await g.sync([row])
    const [stored] = (await g.ask(boss, 'GET', `${PATH}?date=2026-05-01`)).body.data
    const managed = refusal('MANAGED_BY_PMS')
    for (const change of [
      { party_size: 3, total_amount: 5 },
      { zone_name: 'Terraza' },
      { customer_name: 'Eva' },
      { customer_id: null },
      { location_id: g.places.Sur },
      { customer_email: 'eva@correo.example' },
    ])
      expect(await patch(stored.id, change)).toEqual(managed)
    expect((await g.ask(boss, 'GET', `${PATH}/${stored.id}`)).body.data).toEqual(stored)
    expect(await patch(stored.id, { total_amount: 140, notes: 'Ventana' })).toEqual({
      status: 200,
      body: { data: { ...stored, total_amount: 140 } },
    })
    await g.sync([{ ...row, notes: 'Terraza' }])
    expect((await g.ask(boss, 'GET', `${PATH}/${stored.id}`)).body.data).toMatchObject({
      total_amount: 140,
      notes: 'Terraza',
    })
    expect(await customers()).toMatchObject([{ visits: 1, spend: 140 }])
  })

  it('moves only to a location of the person', async () => {
    const norte = await create()
    const sur = await create({ location_id: g.places.Sur })
    expect((await patch(sur.id, { notes: 'x' }, host)).status).toBe(200)
    for (const location_id of [g.places.Norte, g.places.Este])
      expect((await patch(sur.id, { location_id }, host)).status).toBe(400)
    expect((await g.ask(boss, 'GET', `${PATH}/${norte.id}`)).body.data).toEqual(norte)
  })

  it('refuses invalid values and leaves it as it was', async () => {
    const made = await create()
    const changes = [
      null,
      [],
      'x',
      { source: 'pms' },
      { party_size: null },
      { status: null },
      { id: made.id },
    ]
    for (const body of changes) expect([body, (await patch(made.id, body)).status]).toEqual([body, 400])
    expect((await g.ask(boss, 'GET', `${PATH}/${made.id}`)).body.data).toEqual(made)
  })

  it('counts both of two simultaneous changes for one customer', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, () => create({ customer_email: 'ana@correo.example' })),
    )
    await Promise.all(made.map(({ id }) => patch(id, { status: 'completed' })))
    expect(await customers()).toMatchObject([{ visits: 6, spend: 480 }])
  })
})
