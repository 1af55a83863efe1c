import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { PartyLines } from '@/lib/service/party-lines-schema'
import { type Client, testClient } from '../support/app'
import { stopClock } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

stopClock()
/** The service day of the party. */
const DAY = '2031-06-10'

let g: Guests
let boss: Client
let office: Client
let floor: Client
let program: Client
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  office = await g.hire('operaciones', 'Norte')
  floor = await g.hire('sala', 'Norte')
  const { body } = await g.ask(boss, 'POST', '/api/tokens', {
    ...{ name: 'Caja', permissions: ['canAccessOperaciones'], location_ids: [], expires_in_days: 30 },
  })
  const headers = { authorization: `Bearer ${body.data.token}` }
  program = {
    ...testClient(),
    request: (method, path, given) => testClient().request(method, path, { ...given, headers }),
  }
})
beforeEach(() => g.sql(emptyTables('feedback', 'tickets', 'customers', 'reservations', 'customer_facts')))
afterAll(() => g?.app.close())

/** A guest; `tier` by its name. */
async function guest({ tier, visits = 0, ...fields }: Record<string, unknown> = {}): Promise<string> {
  const made = await g.ask(boss, 'POST', '/api/customers', {
    first_name: 'Ana',
    last_name: 'Ruiz',
    ...fields,
  })
  const { id } = made.body.data
  await g.sql(
    `update public.customers c set total_visits = $2, loyalty_tier_id = (
       select t.id from public.loyalty_tiers t where t.organization_id = c.organization_id and t.name = $3)
     where c.id = $1`,
    [id, visits, tier ?? null],
  )
  return id
}

interface Booking {
  in?: string
  day?: string
  time?: string
  size?: number
  status?: string
  table?: string | null
  notes?: string | null
}

/** A booking of the guest, by default the party of the day that is expected; a past one was a visit. */
async function booked(customer: string | null, booking: Booking = {}): Promise<string> {
  const { in: place = 'Norte', day = DAY, time = '21:00', size = 2, table = null, notes = null } = booking
  const { status = day < DAY ? 'completed' : 'confirmed' } = booking
  const [made] = await g.sql<{ id: string }>(
    `insert into public.reservations (organization_id, location_id, customer_id, customer_name, reservation_date,
       reservation_time, party_size, status, table_name, notes, source)
     values ($1, $2, $3, 'Ana Ruiz', $4, $5, $6, $7, $8, $9, 'pms') returning id::text`,
    [g.group.id, g.places[place], customer, day, time, size, status, table, notes],
  )
  return made?.id ?? ''
}

const asked = (client: Client, id: string) => g.ask(client, 'GET', `/api/service/parties/${id}`)
async function lines(client: Client, id: string): Promise<PartyLines> {
  const { status, body } = await asked(client, id)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const rated = (visit: string, score: number) =>
  g.sql(
    `insert into public.feedback (organization_id, location_id, customer_id, reservation_id, score, words,
       language, answered_at)
     select organization_id, location_id, customer_id, id, $2, 'Frío', 'es', '2031-06-01T10:00:00Z'
     from public.reservations where id = $1`,
    [visit, score],
  )
async function ticket(fields: Record<string, unknown>, made = '2031-06-05T10:00:00Z'): Promise<string> {
  const { subject = 'Llamar', status = 'open', place = 'Norte', customer = null, visit = null } = fields
  const [stored] = await g.sql<{ id: string }>(
    `insert into public.tickets (organization_id, subject, status, location_id, customer_id, reservation_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id::text`,
    [g.group.id, subject, status, place === null ? null : g.places[String(place)], customer, visit, made],
  )
  return stored?.id ?? ''
}
const card = (kind: string, id: string) => ({ kind, id, location_id: null, date: null })
const at = (kind: string, id: string, date = DAY, place = 'Norte') => ({
  ...{ kind, id, location_id: g.places[place], date },
})
const kinds = ({ todo }: PartyLines) => todo.map(({ kind }) => kind)

describe('who comes', () => {
  it('has the visits, the last one before the party, what is usual, and the tier', async () => {
    const id = await guest({ visits: 9, tier: 'Plata' })
    await booked(id, { day: '2031-01-10', time: '21:30', size: 4, table: '12' })
    await booked(id, { day: '2031-02-10', time: '21:30', size: 4, table: '12' })
    await booked(id, { day: '2031-03-10', time: '14:00', size: 2, table: '7' })
    const last = await booked(id, { in: 'Sur', day: '2031-05-20', size: 4, table: '12' })
    await booked(id, { day: '2031-06-01', status: 'cancelled' })
    await booked(id, { day: '2031-07-01', table: '12', status: 'completed' })
    expect(await lines(boss, await booked(id))).toEqual({
      today: currentServiceDay('Europe/Madrid'),
      who: {
        ...{ withheld: false, visits: 8, here: 3, first_visit: false },
        last: { date: '2031-05-20', location: 'Sur', source: at('visit', last, '2031-05-20', 'Sur') },
        usual: { party_size: 4, time: '21:30', table_name: '12', source: card('customer', id) },
        tier: { name: 'Plata', source: card('tier', id) },
        source: card('customer', id),
      },
      avoid: [],
      todo: [],
    })
  })

  it('takes as usual only what was so twice, and a table of this location', async () => {
    const id = await guest({ visits: 2 })
    await booked(id, { in: 'Sur', day: '2031-01-10', time: '14:00', size: 3, table: '4' })
    await booked(id, { in: 'Sur', day: '2031-01-17', time: '15:00', size: 3, table: '4' })
    expect((await lines(boss, await booked(id))).who.usual).toMatchObject({
      ...{ party_size: 3, time: null, table_name: null },
    })
    await g.sql('delete from public.reservations where service_date = $1', ['2031-01-17'])
    expect((await lines(boss, await booked(id))).who.usual).toBeNull()
  })

  it('names no visit of a location where the person does not work, but counts it', async () => {
    const id = await guest({ visits: 3 })
    const here = await booked(id, { day: '2031-01-10', size: 2 })
    await booked(id, { in: 'Sur', day: '2031-05-10', size: 6 })
    await booked(id, { in: 'Sur', day: '2031-05-20', size: 6 })
    const party = await booked(id)
    for (const client of [office, floor])
      expect((await lines(client, party)).who).toMatchObject({
        ...{ visits: 3, here: 1, usual: null },
        last: { location: 'Norte', source: { id: here } },
      })
    expect((await lines(boss, party)).who).toMatchObject({
      last: { location: 'Sur' },
      usual: { party_size: 6 },
    })
  })

  it('counts only what was before the party, also once it has finished', async () => {
    const id = await guest({ visits: 4 })
    const first = await booked(id, { day: '2031-01-10', time: '14:00', size: 4, table: '12' })
    const second = await booked(id, { day: '2031-01-20', time: '21:30', size: 2, table: '12' })
    const third = await booked(id, { day: '2031-01-20', time: '22:00', size: 2, table: '12' })
    await booked(id, { in: 'Sur', day: '2031-03-10', table: '12' })
    const none = { visits: 0, here: 0, first_visit: true, last: null, usual: null }
    for (const client of [boss, floor]) expect((await lines(client, first)).who).toMatchObject(none)
    expect((await lines(boss, second)).who).toMatchObject({
      ...{ visits: 1, here: 1, first_visit: false, last: { source: { id: first } }, usual: null },
    })
    for (const client of [boss, floor])
      expect((await lines(client, third)).who).toMatchObject({
        ...{ visits: 2, here: 2, last: { source: { id: second } } },
        usual: { party_size: null, time: null, table_name: '12' },
      })
  })

  it('says a first visit in who and in what to do', async () => {
    const id = await guest()
    const found = await lines(floor, await booked(id))
    expect(found.who).toMatchObject({ visits: 0, here: 0, first_visit: true, last: null })
    expect(found.todo).toEqual([{ kind: 'first_visit', source: card('customer', id) }])
  })

  it('knows nothing of a booking without a guest but what it says', async () => {
    const party = await booked(null, { notes: 'Celíaca. Trae carrito' })
    const source = at('booking', party)
    expect(await lines(floor, party)).toMatchObject({
      who: {
        withheld: false,
        visits: null,
        here: null,
        first_visit: false,
        last: null,
        usual: null,
        tier: null,
        source: null,
      },
      avoid: [{ kind: 'allergy', code: 'gluten', suggested: true, source }],
      todo: [
        { kind: 'preference', code: 'pram', suggested: true, source },
        { kind: 'note', text: 'Celíaca. Trae carrito', source },
      ],
    })
  })

  it('goes with the guest when two are merged, and is gone with one who is erased', async () => {
    const [kept, gone] = [await guest({ email: 'a@example.com' }), await guest({ email: 'b@example.com' })]
    const party = await booked(gone)
    await booked(gone, { day: '2031-05-20' })
    const merged = await g.ask(boss, 'POST', `/api/customers/${kept}/merge`, { duplicate_id: gone })
    expect(merged.status, JSON.stringify(merged.body)).toBe(200)
    expect((await lines(boss, party)).who).toMatchObject({
      ...{ visits: 1, last: { date: '2031-05-20' }, source: { id: kept } },
    })
    expect((await g.ask(boss, 'DELETE', `/api/customers/${kept}`)).status).toBe(204)
    expect(await lines(boss, party)).toMatchObject({
      ...{ who: { visits: null, source: null }, avoid: [], todo: [] },
    })
  })
})

describe('what to avoid', () => {
  it('has recorded allergies and diets, and what notes and tags suggest, with where it is said', async () => {
    const id = await guest({ visits: 1, notes: 'Alérgica al huevo. Prefiere terraza', tags: ['vegana'] })
    const facts = [{ code: 'nuts', note: 'Grave' }, { code: 'halal' }, { code: 'window' }]
    expect((await g.ask(boss, 'PUT', `/api/customers/${id}/facts`, { facts })).status).toBe(200)
    const party = await booked(id, { notes: 'Sin lactosa, alergia a frutos secos' })
    const fact = { suggested: false, source: card('fact', id) }
    const note = { note: null, suggested: true, source: card('note', id) }
    const found = await lines(floor, party)
    expect(found.avoid).toEqual([
      { kind: 'allergy', code: 'egg', ...note },
      { kind: 'allergy', code: 'lactose', note: null, suggested: true, source: at('booking', party) },
      { kind: 'allergy', code: 'nuts', note: 'Grave', ...fact },
      { kind: 'diet', code: 'vegan', ...note },
      { kind: 'diet', code: 'halal', note: null, ...fact },
    ])
    expect(found.todo).toEqual([
      { kind: 'preference', code: 'window', note: null, ...fact },
      { kind: 'preference', code: 'terrace', ...note },
      { kind: 'note', text: 'Sin lactosa, alergia a frutos secos', source: at('booking', party) },
      { kind: 'guest_note', text: 'Alérgica al huevo. Prefiere terraza', source: card('note', id) },
    ])
  })

  it('gives a program without customers the recorded allergies, as the list does, and nothing of the card', async () => {
    const id = await guest({ visits: 4, tier: 'Oro', notes: 'Vegetariana', birth_date: '1990-06-10' })
    const facts = [{ code: 'nuts', note: 'Grave' }, { code: 'halal' }]
    await g.ask(boss, 'PUT', `/api/customers/${id}/facts`, { facts })
    await rated(await booked(id, { day: '2031-05-20' }), 1)
    await ticket({ customer: id })
    expect(await lines(program, await booked(id))).toMatchObject({
      who: { withheld: true, visits: null, here: null, last: null, usual: null, tier: null, source: null },
      avoid: [{ kind: 'allergy', code: 'nuts', note: null, suggested: false, source: null }],
      todo: [],
    })
  })
})

describe('what to do', () => {
  it('names a birthday within three days of the party, a VIP with the reason, and no-shows', async () => {
    const id = await guest({ visits: 2, tier: 'Oro', birth_date: '1990-06-13' })
    await booked(id, { day: '2029-06-09', status: 'no_show' })
    await booked(id, { day: '2029-06-10', status: 'no_show' })
    const latest = await booked(id, { day: '2031-01-10', status: 'no_show' })
    await booked(id, { in: 'Sur', day: '2031-02-10', status: 'no_show' })
    const party = await booked(id)
    expect((await lines(floor, party)).todo).toEqual([
      { kind: 'birthday', days: 3, source: card('customer', id) },
      { kind: 'vip', tier: 'Oro', source: card('tier', id) },
      { kind: 'no_shows', count: 2, source: at('booking', latest, '2031-01-10') },
    ])
    expect((await lines(boss, party)).todo[2]).toMatchObject({ count: 3 })
    await g.sql("update public.customers set birth_date = '1990-06-14', loyalty_tier_id = null")
    await g.sql("update public.reservations set status = 'seated' where id = $1", [party])
    expect((await lines(floor, party)).todo).toEqual([])
  })

  it('names no birthday of a date that stands for none', async () => {
    const party = await booked(await guest({ visits: 2, birth_date: '1900-06-10' }))
    expect((await lines(floor, party)).todo).toEqual([])
    // Nobody is 111; at 110 it is theirs.
    await g.sql("update public.customers set birth_date = '1920-06-10'")
    expect((await lines(floor, party)).todo).toEqual([])
    await g.sql("update public.customers set birth_date = '1920-06-11'")
    expect((await lines(floor, party)).todo).toMatchObject([{ kind: 'birthday', days: 1 }])
  })

  it('names no VIP below Oro', async () => {
    const id = await guest({ visits: 2, tier: 'Plata' })
    expect((await lines(boss, await booked(id))).todo).toEqual([])
  })

  it('names a bad answer about the last visit to who may read customers, and not to the floor', async () => {
    const id = await guest({ visits: 2 })
    const former = await booked(id, { day: '2031-04-20' })
    const visit = await booked(id, { day: '2031-05-20' })
    const party = await booked(id)
    await rated(former, 1)
    expect(kinds(await lines(boss, party))).toEqual([])
    await rated(visit, 2)
    const [stored] = await g.sql<{ id: string }>('select id::text from public.feedback where score = 2')
    for (const client of [boss, office])
      expect((await lines(client, party)).todo).toEqual([
        { kind: 'complaint', score: 2, date: '2031-05-20', source: card('feedback', stored?.id ?? '') },
      ])
    const { body } = await asked(floor, party)
    expect(body.data.todo).toEqual([])
    expect(JSON.stringify(body)).not.toMatch(/score|Frío/)
    await g.sql('update public.feedback set score = 3')
    expect(kinds(await lines(boss, party))).toEqual([])
  })

  it('names open tickets about the last visit, the party, or since the last visit', async () => {
    const id = await guest({ visits: 2 })
    const visit = await booked(id, { day: '2031-05-20' })
    const party = await booked(id)
    const about = await ticket({ subject: 'Cartera perdida', visit })
    await ticket({ subject: 'Pide trona', visit: party })
    await ticket({ subject: 'Factura', customer: id, place: null })
    await ticket({ subject: 'De antes', customer: id }, '2031-05-01T10:00:00Z')
    await ticket({ subject: 'Resuelta', visit, status: 'resolved' })
    await ticket({ subject: 'De Sur', place: 'Sur', customer: id })
    await ticket({ subject: 'De otra persona' })
    const subjects = async (client: Client) =>
      (await lines(client, party)).todo.flatMap((each) => (each.kind === 'ticket' ? [each.subject] : []))
    expect(await subjects(office)).toEqual(['Factura', 'Pide trona', 'Cartera perdida'])
    expect(await subjects(boss)).toEqual(['De Sur', 'Factura', 'Pide trona'])
    expect(await subjects(floor)).toEqual([])
    expect((await lines(office, party)).todo[2]).toMatchObject({
      ...{ number: expect.any(Number), source: card('ticket', about) },
    })
  })

  it('names the open ticket of a bad answer beside it', async () => {
    const id = await guest({ visits: 1 })
    const visit = await booked(id, { day: '2031-05-20' })
    const opened = await ticket({ subject: 'Mala valoración' })
    await rated(visit, 1)
    await g.sql('update public.feedback set ticket_id = $1', [opened])
    const party = await booked(id)
    expect(kinds(await lines(boss, party))).toEqual(['complaint', 'ticket'])
    await g.sql("update public.tickets set status = 'closed'")
    expect(kinds(await lines(boss, party))).toEqual(['complaint'])
  })
})

describe('who may ask', () => {
  it('of their own locations only, and of bookings that the service has', async () => {
    const id = await guest()
    const [here, elsewhere] = [await booked(id), await booked(id, { in: 'Sur' })]
    const marketing = await g.hire('marketing', 'Sur')
    expect((await asked(floor, here)).status).toBe(200)
    for (const [client, party] of [
      ...[[floor, elsewhere] as const, [office, elsewhere] as const, [marketing, here] as const],
      [boss, id] as const,
    ])
      expect((await asked(client, party)).status).toBe(404)
    expect((await asked(await g.hire('rrhh'), here)).status).toBe(403)
    await g.sql("update public.reservations set source = 'import' where id = $1", [here])
    expect((await asked(boss, here)).status).toBe(404)
  })

  it('is told of no contact and no spend', async () => {
    const id = await guest({ visits: 2, email: 'ana@example.com', phone: '600111222' })
    await booked(id, { day: '2031-05-20' })
    await g.sql('update public.reservations set total_amount = 777.77, customer_phone = $1', ['+34600111222'])
    const { body } = await asked(boss, await booked(id))
    expect(JSON.stringify(body)).not.toMatch(/ana@|600111222|777\.77|amount|spend/)
  })
})
