import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scoreCustomers } from '@/lib/customers/score-customers'
import { stackClient } from '../factories/group'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let host: Client
let stranger: Client
const PATH = '/api/customers/matches'
const pepe = {
  first_name: 'José',
  last_name: 'Íñiguez Zurbano',
  email: 'pepe@correo.example',
  phone: '+34612345678',
}
const typed = { first_name: 'Pepe', last_name: 'Iñiguez', phone: '612 345 678' }

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  host = await g.hire('operaciones', 'Sur')
  stranger = await signedIn(await g.other.person('super_admin'))
})
beforeEach(() => g.sql(emptyTables('reservations', 'customers')))
afterAll(() => g?.app.close())

const create = async (fields: object) =>
  (await g.ask(boss, 'POST', '/api/customers', fields)).body.data.id as string
const matches = async (client: Client, body: object) => (await g.ask(client, 'POST', PATH, body)).body.data
const pairs = () =>
  g.sql<{ first_id: string; second_id: string }>('select first_id, second_id from public.identity_pairs')

describe('already here?', () => {
  it('shows the guest behind a nickname, with masked addresses and why', async () => {
    const id = await create(pepe)
    const answer = {
      id,
      first_name: pepe.first_name,
      last_name: pepe.last_name,
      phone: '… 678',
      email: 'p…@correo.example',
      last_visit_at: null,
      last_visit_on: null,
      total_visits: 0,
      chance: 'very_likely',
      reasons: ['phone', 'nickname', 'surname_part'],
    }
    expect(await matches(boss, typed)).toEqual([answer])
    // Guests are the group's, so staff of one location may see them, too.
    expect(await matches(host, typed)).toEqual([answer])
  })

  it('shows no guest of another group, none to who is edited, and none who staff said is another', async () => {
    const id = await create(pepe)
    expect(await matches(stranger, typed)).toEqual([])
    expect(await matches(boss, { ...typed, id })).toEqual([])
    const twin = await create({ ...typed, email: 'otro@correo.example' })
    expect(await matches(boss, { ...typed, id: twin })).toHaveLength(1)
    const verdict = { customer_id: id, other_ids: [twin], different: true }
    await g.ask(boss, 'PUT', '/api/customers/duplicates/different', verdict)
    expect(await matches(boss, { ...typed, id: twin })).toEqual([])
  })

  it('shows three at most, and none for input without information', async () => {
    for (const n of [1, 2, 3, 4]) await create({ ...pepe, email: `pepe${n}@correo.example` })
    expect(await matches(boss, typed)).toHaveLength(3)
    for (const body of [{}, { first_name: 'José' }, { email: 'pepe@', phone: '61' }, { last_name: "'; --" }])
      expect(await matches(boss, body)).toEqual([])
  })

  it.each([
    { first_name: 'x'.repeat(201) },
    { email: 1 },
    { birth_date: '0002-01-01' },
    { phone: '\u0000' },
    { id: 'x' },
    { notes: 'x' },
  ])('refuses %j', async (body) => {
    expect((await g.ask(boss, 'POST', PATH, body)).status).toBe(400)
  })
})

describe('a new guest who is like another', () => {
  it('is made, and suggested at once: by the form, and by a booking', async () => {
    const id = await create(pepe)
    const twin = await create({ ...typed, email: 'otro@correo.example' })
    expect(await pairs()).toEqual([{ first_id: [id, twin].sort()[0], second_id: [id, twin].sort()[1] }])
    const booking = {
      location_id: g.places.Norte,
      customer_name: 'Pepe Iñiguez Zurbano',
      customer_email: 'pepe.iz@correo.example',
      customer_phone: typed.phone,
      reservation_date: '2026-12-01',
      reservation_time: '21:00',
      party_size: 2,
    }
    expect((await g.ask(boss, 'POST', '/api/reservations', booking)).status).toBe(201)
    expect((await pairs()).length).toBeGreaterThan(1)
    expect(await g.sql('select 1 from private.identity_queue')).toEqual([])
  })

  it('is suggested at once for the same phone alone, about which the model finds too little', async () => {
    const id = await create({ phone: pepe.phone })
    const twin = await create({ first_name: 'Pepe', phone: pepe.phone })
    expect(await g.sql('select 1 from private.identity_queue')).toEqual([])
    expect(await pairs()).toEqual([{ first_id: [id, twin].sort()[0], second_id: [id, twin].sort()[1] }])
  })

  it('of the PMS waits for the job, which scores within its time', async () => {
    const guest = (id: string, name: string, email: string) => ({
      id,
      client_name: name,
      client_surname: 'Íñiguez Zurbano',
      client_email: email,
      client_phone: pepe.phone,
    })
    await g.sync([guest('1', 'José', 'pepe@correo.example'), guest('2', 'Pepe', 'otro@correo.example')])
    const db = stackClient(g.app.stack, 'service')
    expect(await g.sql('select 1 as one from private.identity_queue')).toHaveLength(2)
    await scoreCustomers({ db, signal: AbortSignal.abort() })
    expect(await g.sql('select 1 as one from private.identity_queue')).toHaveLength(2)
    await scoreCustomers({ db, signal: new AbortController().signal })
    expect(await g.sql('select 1 as one from private.identity_queue')).toEqual([])
    expect(await pairs()).toHaveLength(1)
  })
})
