import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Client, testClient } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

const PHONE = '+34600111222'
const EMAIL = 'ana@correo.example'

let g: Guests
let boss: Client
let floor: Client
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  boss = await g.hire('operaciones', 'Norte')
  floor = await g.hire('sala', 'Norte')
})
beforeEach(() => g.sql(emptyTables('customers', 'reservations', 'waitlist', 'attempt_limits')))
afterAll(() => g?.app.close())

const guest = async (fields: object = {}) => {
  const ana = { first_name: 'Ana', last_name: 'Ruiz', phone: PHONE, email: EMAIL, ...fields }
  const { status, body } = await g.ask(boss, 'POST', '/api/customers', ana)
  expect(status).toBe(201)
  return body.data.id as string
}
const BOOKING = { reservation_date: '2031-06-10', reservation_time: '21:00', party_size: 2 }
const book = (client: Client, fields: object) =>
  g.ask(client, 'POST', '/api/reservations', { ...BOOKING, location_id: g.places.Norte, ...fields })
const change = (client: Client, id: string, fields: object) =>
  g.ask(client, 'PATCH', `/api/reservations/${id}`, fields)
const people = () =>
  g.sql<{ name: string; email: string | null; phone: string | null }>(
    `select concat_ws(' ', first_name, last_name) as name, email, phone from public.customers order by created_at, id`,
  )
const ofAnother = (...candidates: object[]) => ({
  status: 409,
  body: { error: expect.any(String), code: 'CONTACT_OF_ANOTHER', candidates },
})

describe('a booking with the contact of a guest of another name', () => {
  it.each([
    ['phone', { customer_phone: PHONE }],
    ['e-mail', { customer_email: EMAIL }],
    ['phone beside an e-mail of its own', { customer_phone: PHONE, customer_email: 'luis@correo.example' }],
  ])('asks whose it is: %s', async (_, contact) => {
    const ana = await guest()
    const asked = await book(boss, { customer_name: 'Luis Gil', ...contact })
    expect(asked).toEqual(ofAnother({ id: ana, name: 'Ana Ruiz' }))
    expect(await people()).toHaveLength(1)
    expect(await g.sql('select from public.reservations')).toEqual([])
    const made = await book(boss, { customer_name: 'Luis Gil' })
    const { id } = made.body.data
    expect(await change(boss, id, contact)).toEqual(ofAnother({ id: ana, name: 'Ana Ruiz' }))
    const kept = await change(boss, id, { ...contact, link: 'none' })
    expect(kept).toMatchObject({
      status: 200,
      body: { data: { customer_id: null, customer_name: 'Luis Gil' } },
    })
  })

  it('is not asked about the same name, part of it, or a new contact', async () => {
    const ana = await guest()
    for (const customer_name of ['Ana Ruiz', 'RUIZ, ANA', 'Ana', 'Ana María Ruiz'])
      expect(await book(boss, { customer_name, customer_phone: PHONE })).toMatchObject({
        status: 201,
        body: { data: { customer_id: ana } },
      })
    const other = await book(boss, { customer_name: 'Luis Gil', customer_phone: '+34600999888' })
    expect(other.status).toBe(201)
    expect(other.body.data.customer_id).not.toBeNull()
  })

  it('goes to that guest with existing, and to the one named when there are several', async () => {
    const ana = await guest({ email: null })
    const luis = { customer_name: 'Luis Gil', customer_phone: PHONE }
    const linked = await book(boss, { ...luis, link: 'existing' })
    expect(linked).toMatchObject({
      status: 201,
      body: { data: { customer_id: ana, customer_name: 'Luis Gil' } },
    })
    const eva = await guest({ first_name: 'Eva', last_name: 'Sanz', email: 'eva@correo.example' })
    const both = [
      { id: ana, name: 'Ana Ruiz' },
      { id: eva, name: 'Eva Sanz' },
    ]
    expect(await book(boss, { ...luis, link: 'existing' })).toEqual(ofAnother(...both))
    const chosen = await book(boss, { ...luis, link: 'existing', customer_id: eva })
    expect(chosen).toMatchObject({ status: 201, body: { data: { customer_id: eva } } })
    const stranger = await guest({ first_name: 'Iván', phone: '+34600555444', email: 'ivan@correo.example' })
    const refused = await book(boss, { ...luis, link: 'existing', customer_id: stranger })
    expect(refused).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'customer_id', code: 'unknown' }] },
    })
  })

  it('becomes a guest of its own with new: the phone is shared, the e-mail stays', async () => {
    await guest()
    const contact = { customer_phone: PHONE, customer_email: EMAIL }
    const { status, body } = await book(boss, { customer_name: 'Luis Gil', ...contact, link: 'new' })
    expect(status).toBe(201)
    expect(await people()).toEqual([
      { name: 'Ana Ruiz', email: EMAIL, phone: PHONE },
      { name: 'Luis Gil', email: null, phone: null },
    ])
    const [row] = await g.sql(
      `select r.customer_email, r.customer_phone, a.phone from public.reservations r
       join public.customer_aliases a on a.customer_id = r.customer_id where r.id = $1`,
      [body.data.id],
    )
    expect(row).toEqual({ customer_email: EMAIL, customer_phone: PHONE, phone: PHONE })
    // From now on the phone is of both.
    const again = await book(boss, { customer_name: 'Luis Gil', customer_phone: PHONE })
    expect(again.body.data.customer_id).toBe(body.data.customer_id)
  })

  it('names nobody to a caller without access to customers', async () => {
    await guest()
    const body = {
      name: 'Caja',
      permissions: ['canAccessOperaciones'],
      location_ids: [],
      expires_in_days: 30,
    }
    const { data } = (await g.ask(await g.hire('admin'), 'POST', '/api/tokens', body)).body
    const headers = { authorization: `Bearer ${data.token}` }
    const till: Client = {
      ...testClient(),
      request: (method, path, given) => testClient().request(method, path, { ...given, headers }),
    }
    const asked = await book(till, { customer_name: 'Luis Gil', customer_phone: PHONE })
    expect(asked).toEqual(ofAnother())
  })
})

describe('floor staff', () => {
  const cardOf = (id: string) => g.ask(floor, 'GET', `/api/service/guests/${id}`)

  it('open no card by a phone or an e-mail that they type', async () => {
    const ana = await guest()
    for (const contact of [{ customer_phone: PHONE }, { customer_email: EMAIL }]) {
      for (const name of ['Luis Gil', 'Ana', null]) {
        const made = await book(floor, { customer_name: name, ...contact })
        expect(made).toMatchObject({
          status: 201,
          body: { data: { customer_id: null, customer_name: name } },
        })
        const changed = await change(floor, made.body.data.id, { ...contact, customer_name: 'Eva Sanz' })
        expect(changed.body.data.customer_id).toBeNull()
      }
    }
    expect((await cardOf(ana)).status).toBe(404)
    expect(await people()).toHaveLength(1)
  })

  it('learn as little of a contact that nobody has', async () => {
    await guest()
    const known = await book(floor, { customer_name: 'Luis Gil', customer_phone: PHONE })
    const unknown = await book(floor, { customer_name: 'Luis Gil', customer_phone: '+34600999888' })
    const shown = ({ status, body }: typeof known) => ({ status, data: { ...body.data, id: null } })
    expect(shown(unknown)).toEqual(shown(known))
  })

  it('link a guest whose name and contact they know, or none', async () => {
    const ana = await guest()
    const typed = { customer_name: 'ana ruiz', customer_phone: PHONE }
    expect((await book(floor, typed)).body.data.customer_id).toBe(ana)
    expect((await book(floor, { ...typed, link: 'none' })).body.data.customer_id).toBeNull()
    for (const link of ['existing', 'new'])
      expect(await book(floor, { ...typed, link })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      })
  })

  it('keep the guest of a booking whose phone they correct', async () => {
    const ana = await guest()
    const { body } = await book(boss, { customer_id: ana })
    const changed = await change(floor, body.data.id, { customer_phone: '+34600999888' })
    expect(changed.body.data.customer_id).toBe(ana)
  })

  it('open no card by the waitlist', async () => {
    const ana = await guest()
    const entry = { location_id: g.places.Norte, name: 'Luis Gil', phone: PHONE, party_size: 2 }
    for (const [client, table_name] of [
      [floor, '4'],
      [boss, '5'],
    ] as const) {
      const { body } = await g.ask(client, 'POST', '/api/waitlist', { ...entry, notes: 'Trona' })
      const seated = { action: 'seat', table_name }
      expect((await g.ask(client, 'PATCH', `/api/waitlist/${body.data.id}`, seated)).status).toBe(200)
    }
    expect(await g.sql('select customer_id, customer_phone, notes from public.reservations')).toEqual([
      { customer_id: null, customer_phone: PHONE, notes: 'Trona' },
      { customer_id: null, customer_phone: PHONE, notes: 'Trona' },
    ])
    expect((await cardOf(ana)).status).toBe(404)
  })

  it('set no amount', async () => {
    expect(await book(floor, { customer_name: 'Luis', total_amount: 10 })).toMatchObject({ status: 403 })
    const { body } = await book(boss, { customer_name: 'Luis', total_amount: 50 })
    for (const total_amount of [51, null, 99_999])
      expect(await change(floor, body.data.id, { total_amount, confirm: ['unusual_amount'] })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      })
    expect((await change(floor, body.data.id, { total_amount: 50, notes: 'x' })).status).toBe(200)
  })
})

describe('an amount', () => {
  const asks = {
    status: 409,
    body: { error: expect.any(String), code: 'UNUSUAL_AMOUNT', questions: ['UNUSUAL_AMOUNT'] },
  }
  const average = (value: number | null) =>
    g.sql('update public.locations set average_spend_per_guest = $1', [value])
  afterAll(() => average(null))

  it.each([
    [null, 2, 1000],
    [20, 2, 1000],
    [60, 2, 1200],
    [60, 10, 6000],
  ])(
    'is asked about above ten times the usual, 1,000 € at least: %s € for %s',
    async (usual, party_size, most) => {
      await average(usual)
      const party = { customer_name: 'Luis', party_size }
      const made = await book(boss, { ...party, total_amount: most })
      expect(made.status).toBe(201)
      expect(await book(boss, { ...party, total_amount: most + 0.01 })).toEqual(asks)
      expect(await change(boss, made.body.data.id, { total_amount: 99_999 })).toEqual(asks)
      const confirmed = { total_amount: 99_999, confirm: ['unusual_amount'] }
      expect((await change(boss, made.body.data.id, confirmed)).body.data.total_amount).toBe(99_999)
      expect((await book(boss, { ...party, ...confirmed })).status).toBe(201)
    },
  )

  it('is logged with its value before and after', async () => {
    const { body } = await book(boss, { customer_name: 'Luis' })
    const { id } = body.data
    await change(boss, id, { total_amount: 80 })
    await change(boss, id, { total_amount: null, notes: 'Sin cobrar' })
    const lines = await g.sql<{ details: object }>(
      'select details from public.audit_log where subject_id = $1 order by created_at',
      [id],
    )
    expect(lines.map(({ details }) => details)).toEqual([
      {},
      { fields: ['total_amount'], before: { total_amount: null }, after: { total_amount: 80 } },
      { fields: ['notes', 'total_amount'], before: { total_amount: 80 }, after: { total_amount: null } },
    ])
  })
})
