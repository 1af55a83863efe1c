import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import { confirmed, QUESTIONS } from '@/lib/reservations/questions'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { Client } from '../support/app'
import { stopClock } from '../support/clock'
import { type Guests, startGuests } from '../support/guests'

stopClock()
const TODAY = currentServiceDay('Europe/Madrid')
const day = (ahead: number) => addDays(TODAY, ahead)

let g: Guests
let boss: Client
let office: Client
let floor: Client
let hostOfNorte: Client
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  office = await g.hire('operaciones')
  hostOfNorte = await g.hire('operaciones', 'Norte')
  floor = await g.hire('sala', 'Norte')
  await book('Norte', { customer_name: 'José García Núñez', customer_phone: '600111222' })
  await book('Norte', { customer_name: 'Rocío Vidal', reservation_date: day(9), table_name: 'S4+S5' })
  await book('Norte', { customer_name: 'Rocío Vidal', reservation_time: '22:00', notes: 'Trae (trona) 100%' })
  await book('Norte', { customer_name: 'Rocío Vidal', reservation_date: day(1) })
  await book('Norte', { customer_name: 'Rocío Vidal', reservation_date: day(-1) })
  await book('Norte', { customer_name: 'Rocío Vidal', reservation_date: day(-2) })
  await book('Sur', { customer_name: 'Rocío Vidal', reservation_date: day(9) })
  await book('Sur', { customer_name: 'Íñigo Sureño', customer_phone: '600333444' })
  await g.sql(
    `insert into public.reservations (organization_id, location_id, external_id, customer_name,
       reservation_date, reservation_time, party_size, status, source)
     values ($1, $2, 'Rz-48213', 'Del Sistema', $3, '21:00', 3, 'completed', 'pms')`,
    [g.group.id, g.places.Norte, day(-500)],
  )
  // Two bookings under a company's name: a known guest's of a year ago, and one of last month without a guest.
  const guest = await g.ask(boss, 'POST', '/api/customers', {
    ...{ first_name: 'Genoveva', last_name: 'Ortuño', phone: '655777888', email: 'geno@ejemplo.example' },
  })
  const { id } = guest.body.data
  await g.ask(boss, 'PUT', `/api/customers/${id}/facts`, { facts: [{ code: 'nuts' }] })
  await book('Norte', { customer_id: id, customer_name: 'Empresa SL', reservation_date: day(-365) })
  await g.sql(
    'insert into public.customer_aliases (organization_id, customer_id, phone) values ($1, $2, $3)',
    [...[g.group.id, id, '+34622999888']],
  )
  await book('Norte', { customer_name: 'Sin Ficha', reservation_date: day(-40) })
  await book('Norte', { customer_name: 'Sin Ficha', reservation_date: day(-6) })
  // A guest whose name differs by one letter, of long ago; and a booking of tonight without a name.
  const former = await g.ask(boss, 'POST', '/api/customers', { first_name: 'Pepe', last_name: 'Gonzales' })
  await book('Norte', {
    customer_id: former.body.data.id,
    customer_name: 'Pepe Gonzales',
    reservation_date: day(-900),
  })
  await book('Norte', { customer_name: 'María González-Ríos' })
  const nameless = await g.ask(boss, 'POST', '/api/customers', {
    first_name: 'Begoña',
    last_name: 'Etxeberria',
  })
  await book('Norte', { customer_id: nameless.body.data.id })
  await g.sql(`update public.reservations set customer_name = null where customer_id = $1`, [
    nameless.body.data.id,
  ])
  await book('Norte', {
    customer_name: 'Li Wei',
    table_name: 'Terraza 5+Terraza 6',
    notes: '过敏花生',
    reservation_date: day(3),
  })
})
afterAll(() => g?.app.close())

async function book(place: string, fields: object) {
  const made = await g.ask(boss, 'POST', '/api/reservations', {
    ...{ location_id: g.places[place], party_size: 2, reservation_time: '21:00', reservation_date: TODAY },
    ...{ confirm: QUESTIONS.map(confirmed), ...fields },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
}
const asked = (client: Client, search: string, more = '') =>
  g.ask(client, 'GET', `/api/service/find?search=${encodeURIComponent(search)}${more}`)

/** What was found, as `Norte 9 Name` of nine days ahead. */
async function found(client: Client, search: string, more = ''): Promise<string[]> {
  const { status, body } = await asked(client, search, more)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map(
    (one: { location_name: string; days: number; name: string }) =>
      `${one.location_name} ${one.days} ${one.name}`,
  )
}
const JOSE = ['Norte 0 José García Núñez']

it('gives today first, then the days after it, then the past, the latest first', async () => {
  expect(await found(floor, 'vidal')).toEqual([
    'Norte 0 Rocío Vidal',
    'Norte 1 Rocío Vidal',
    'Norte 9 Rocío Vidal',
    'Norte -1 Rocío Vidal',
    'Norte -2 Rocío Vidal',
  ])
  expect(await found(floor, 'vidal', '&limit=2')).toHaveLength(2)
})

describe.each([
  ['operaciones', () => office],
  ['sala', () => floor],
] as const)('%s finds', (_, client) => {
  it.each([
    ...['nunez jose', 'GARCÍA núñez', 'garc jos', 'gracia', 'garxia nunez', 'nuñes'],
    ...['600111222', '600 11 12 22', '+34 600 111 222', '0034 600111222', '(+34) 600-111-222', '1222'],
  ])('a party of tonight by %s', async (search) => {
    expect(await found(client(), search, `&location_id=${g.places.Norte}`)).toEqual(JOSE)
  })

  it('a booking nine days ahead by a joined table, a note’s word, and a code of long ago', async () => {
    expect(await found(client(), 's5')).toEqual(['Norte 9 Rocío Vidal'])
    expect(await found(client(), 'S4+S5')).toEqual(['Norte 9 Rocío Vidal'])
    expect(await found(client(), 'trona vidal')).toEqual(['Norte 0 Rocío Vidal'])
    expect(await found(client(), 'Rz-48213')).toEqual(['Norte -500 Del Sistema'])
  })

  it('who is still to come with a typing error, before who came long ago without one', async () => {
    expect(await found(client(), 'gonzales')).toEqual([
      'Norte 0 María González-Ríos',
      'Norte -900 Pepe Gonzales',
    ])
    expect(await found(client(), 'roxs')).toEqual([])
    expect(await found(client(), 'rioss gonzalez')).toEqual(['Norte 0 María González-Ríos'])
  })

  it('a booking without a name by its guest’s, as the board shows it', async () => {
    expect(await found(client(), 'etxeberria')).toEqual(['Norte 0 Begoña Etxeberria'])
  })

  it.each(['terraza 5', 'terraza6', 'Terraza 5 + terraza 6', '花生'])(
    'a table or a note as the board does: %s',
    async (search) => {
      expect(await found(client(), search)).toEqual(['Norte 3 Li Wei'])
    },
  )

  it('a booking by a further phone of its guest', async () => {
    expect(await found(client(), '622 999 888')).toEqual(['Norte -365 Empresa SL'])
  })
  it('a booking of nobody on record for a week', async () => {
    expect(await found(client(), 'sin ficha')).toEqual(['Norte -6 Sin Ficha'])
  })

  it('a guest’s booking of long ago by phone, with the allergy, and no contact', async () => {
    const { body } = await asked(client(), '655 777 888')
    expect(body.data).toEqual([
      {
        ...{ id: expect.any(String), location_id: g.places.Norte, location_name: 'Norte', days: -365 },
        ...{ service_date: day(-365), time: '21:00', name: 'Empresa SL', party_size: 2 },
        ...{ status: expect.any(String), table_name: null, tables: [], allergies: ['nuts'] },
      },
    ])
  })

  it.each(['%', '_', '\\', '.*', '(a+)+$', '{2}', '\\1', '\\W', '%%%%%', '   ', '', '*', '[[:alpha:]]'])(
    'nothing by %j',
    async (search) => {
      expect(await found(client(), search)).toEqual([])
    },
  )

  it('refuses what is too long or cannot be stored, and takes what is as long as it may be', async () => {
    expect((await asked(client(), 'x'.repeat(10_000))).status).toBe(400)
    expect((await asked(client(), 'a\0b')).status).toBe(400)
    expect(await found(client(), 'x'.repeat(200))).toEqual([])
    expect(await found(client(), 'ñandú '.repeat(33))).toEqual([])
    expect(await found(client(), '100%')).toEqual(['Norte 0 Rocío Vidal'])
  })
})

it('a guest’s name and e-mail lead to bookings under another name only for who may see customers', async () => {
  expect(await found(office, 'ortuño')).toEqual(['Norte -365 Empresa SL'])
  expect(await found(floor, 'ortuño')).toEqual([])
  for (const client of [office, floor]) expect(await found(client, 'geno@ejemplo.example')).toEqual([])
})

it('floor staff cannot read a guest’s phone digit by digit', async () => {
  expect(await found(office, '5777')).toEqual(['Norte -365 Empresa SL'])
  expect(await found(office, '2999')).toEqual(['Norte -365 Empresa SL'])
  for (const part of ['2999', '34622999', '7888', '5777', '5577788', '65577788', '34655777'])
    expect(await found(floor, part)).toEqual([])
  for (const whole of ['655777888', '34655777888'])
    expect(await found(floor, whole)).toEqual(['Norte -365 Empresa SL'])
})

it('staff bound to a location find nothing of another', async () => {
  expect(await found(office, 'surneo')).toEqual(['Sur 0 Íñigo Sureño'])
  for (const client of [hostOfNorte, floor]) {
    expect(await found(client, 'sureño')).toEqual([])
    expect(await found(client, '600333444')).toEqual([])
    expect(await found(client, 'vidal', `&location_id=${g.places.Sur}`)).toEqual([])
  }
  expect(await found(office, 'vidal', `&location_id=${g.places.Sur}`)).toEqual(['Sur 9 Rocío Vidal'])
  expect(await found(office, 'vidal', `&location_id=${g.places.Este}`)).toEqual([])
})

it('is refused to roles without the service, which marketing has', async () => {
  expect((await asked(await g.hire('rrhh'), 'vidal')).status).toBe(403)
  expect((await asked(await g.hire('marketing'), 'vidal')).status).toBe(200)
})

it('takes no pattern that keeps Postgres busy', async () => {
  const patterns = ['(a*)*', 'a{9}', '(a)\\1', '[ab]', 'a+']
  const searches = [
    ...patterns.flatMap((pattern) => [{ names: [pattern] }, { starts: [pattern] }, { phone: pattern }]),
    ...['4', '12a4', '%%%%', '1'.repeat(21)].map((wrong) => ({ phone: wrong })),
  ]
  for (const search of searches)
    await expect(
      g.sql(`select private.reservations_found($1, $2, '{}', '2031-01-01', true, true)`, [
        JSON.stringify({ names: [], starts: [], ...search }),
        g.group.id,
      ]),
      JSON.stringify(search),
    ).rejects.toThrow('unknown pattern')
})
