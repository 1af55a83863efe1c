import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { Party, Service, TapAnswer } from '@/lib/service/schema'
import type { Client } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

// A party may hold several tables: `tables`, of which `table_name` is the joined form.
stayInOneDay()
const DAY = currentServiceDay('Europe/Madrid')
const AHEAD = '2031-06-10'

let g: Guests
let sala: Client
let host: Client
let norte: string
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  sala = await g.hire('sala', 'Norte')
  host = await g.hire('operaciones')
  norte = g.places.Norte as string
})
afterAll(() => g?.app.close())
beforeEach(async () => {
  await g.sql(emptyTables('reservations', 'private.service_taps', 'dining_tables', 'waitlist'))
  await g.sql(
    `insert into public.dining_tables (organization_id, location_id, zone, name, capacity)
     select l.organization_id, l.id, 'Salón', t.name, t.capacity from public.locations l
     cross join (values ('S4', 4), ('S5', 4), ('S6', 2), ('T+1', 8)) as t (name, capacity)
     where l.name = 'Norte'`,
  )
})

const booking = (fields: object = {}) => ({
  ...{ location_id: norte, customer_name: 'Ana Ruiz', reservation_date: AHEAD, reservation_time: '21:00' },
  ...{ party_size: 4, status: 'confirmed' },
  ...fields,
})
const book = (fields: object, as = host) => g.ask(as, 'POST', '/api/reservations', booking(fields))
const patch = (id: string, fields: object) => g.ask(host, 'PATCH', `/api/reservations/${id}`, fields)
const tap = async (fields: object, as = sala): Promise<TapAnswer> => {
  const taps = [{ key: randomUUID(), ...fields }]
  const { status, body } = await g.ask(as, 'POST', '/api/service/taps', { location_id: norte, taps })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.data[0]
}
const service = async (): Promise<Service> =>
  (await g.ask(sala, 'GET', `/api/service?location_id=${norte}`)).body.data
const party = async (id?: string) => (await service()).parties.find((each) => each.id === id) as Party
const JOINED = { table_name: 'S4+S5', tables: ['S4', 'S5'] }

describe('what is answered', () => {
  it('has the tables of a booking wherever it has its table_name', async () => {
    const { body } = await book({ reservation_date: DAY, confirm: ['outside_hours'], tables: ['s4', 'S5'] })
    expect(body.data).toMatchObject(JOINED)
    const { id } = body.data
    const read = async (path: string) => (await g.ask(host, 'GET', path)).body.data
    expect(await read(`/api/reservations/${id}`)).toMatchObject(JOINED)
    expect(await read(`/api/reservations?date=${DAY}&location_id=${norte}`)).toMatchObject([JOINED])
    expect(await party(id)).toMatchObject(JOINED)
    for (const typed of ['S4%2BS5', 's4', 'mesa s5'])
      expect(await read(`/api/service/find?search=${typed}`), typed).toMatchObject([JOINED])
    expect(await read('/api/service/find?search=S')).not.toMatchObject([JOINED])
    expect((await patch(id, { tables: [] })).body.data).toMatchObject({ table_name: null, tables: [] })
  })

  it('reads what the PMS writes, and learns its tables', async () => {
    const row = { id: '1', status: 'confirmed', date: DAY, time: '21:00', pax: 6, client_name: 'Luis Gil' }
    await g.sync([{ ...row, table_name: ' S7 +s4++' }])
    const [only] = (await service()).parties
    expect(only).toMatchObject({ tables: ['S7', 's4'] })
    const names = (await service()).tables.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['S7', 's4']))
    expect(names).not.toContain('')
  })
})

describe('what is sent', () => {
  it.each([
    ['a table that the location does not have', { tables: ['S4', 'Z9'] }],
    ['a table twice', { tables: ['S4', 'S4'] }],
    ['a table twice in two spellings', { tables: ['S4', 's4'] }],
    ['more than ten', { tables: Array.from({ length: 11 }, (_, n) => `S${n}`) }],
    ['another table_name', { tables: ['S4', 'S5'], table_name: 'S4+S6' }],
    ['a table_name for none', { tables: [], table_name: 'S4' }],
    ['none for a table', { tables: ['S4'], table_name: null }],
    ['a name that reads as two tables', { tables: ['T+1'] }],
    ['a blank', { tables: [' '] }],
    ['what is no list', { tables: 'S4' }],
  ])('is refused with %s', async (_, fields) => {
    expect(await book(fields)).toMatchObject({ status: 400 })
    expect(await book(fields)).toMatchObject({
      body: { issues: [{ path: expect.stringMatching(/^tables/) }] },
    })
    expect(await g.sql('select from public.reservations')).toEqual([])
  })

  it('is refused when their names together are longer than a table may be called', async () => {
    const tables = ['x'.repeat(60), 'y'.repeat(60)]
    for (const name of tables)
      await g.sql(
        `insert into public.dining_tables (organization_id, location_id, name)
         select organization_id, id, $1 from public.locations where name = 'Norte'`,
        [name],
      )
    expect(await book({ tables })).toMatchObject({ status: 400, body: { issues: [{ path: 'table_name' }] } })
    expect(await book({ tables: tables.slice(1) })).toMatchObject({ status: 201 })
    const walkIn = { action: 'walk_in', party_size: 2, tables }
    expect(await tap(walkIn)).toMatchObject({ outcome: 'malformed' })
  })

  it('may say the same tables twice, in any order and spelling', async () => {
    expect((await book({ tables: ['S5', 'S4'], table_name: 's4 + S5' })).body.data).toMatchObject({
      tables: ['S5', 'S4'],
    })
  })

  it('tells nobody the tables of a location where they do not work', async () => {
    const elsewhere = await g.hire('operaciones', 'Sur')
    const answers = await Promise.all(
      [['S4'], ['Z9']].map(async (tables) => (await book({ tables }, elsewhere)).body),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ issues: [{ path: 'location_id' }] })
  })

  it('leaves no mark when it names the tables of the PMS', async () => {
    const row = { id: '1', status: 'confirmed', date: DAY, time: '21:00', pax: 6, client_name: 'Luis Gil' }
    await g.sync([{ ...row, table_name: 'S4 + S5' }])
    const [{ id } = { id: '' }] = (await service()).parties
    const marks = async () => (await g.sql('select staff_marks as m from public.reservations'))[0]?.m
    await tap({ action: 'assign', reservation_id: id, tables: ['S4', 'S5'] })
    expect(await marks()).toEqual({})
    await tap({ action: 'assign', reservation_id: id, tables: ['S6'], confirm: ['table_too_small'] })
    expect(await marks()).toEqual({ table_name: 'S4 + S5' })
    await tap({ action: 'assign', reservation_id: id, tables: ['S4', 'S5'] })
    expect({ marks: await marks(), party: await party(id) }).toMatchObject({
      ...{ marks: {}, party: { table_name: 'S4 + S5' } },
    })
  })
})

describe('several tables', () => {
  it('seat as many as they hold together', async () => {
    expect(await book({ party_size: 8, tables: ['S4', 'S5'] })).toMatchObject({ status: 201 })
    const many = await book({ party_size: 9, tables: ['S4', 'S5'], reservation_time: '13:00' })
    expect(many).toMatchObject({ status: 409, body: { questions: ['TABLE_TOO_SMALL'] } })
  })

  it('are taken when one of them is', async () => {
    await book({ customer_name: 'Luis Gil', tables: ['S5', 'S6'] })
    for (const tables of [['S4', 'S5'], ['S6']])
      expect(await book({ party_size: 2, tables })).toMatchObject({
        ...{ status: 409, body: { code: 'TABLE_TAKEN', current: { customer_name: 'Luis Gil' } } },
      })
    expect(await book({ tables: ['S4'] })).toMatchObject({ status: 201 })
  })

  it('are given by each tap, taken back, and counted once', async () => {
    const confirm = ['outside_hours']
    const { id } = (await book({ reservation_date: DAY, party_size: 7, confirm })).body.data
    const seen = { reservation_id: id }
    expect(await tap({ action: 'assign', ...seen, tables: ['S4', 'S5'] })).toMatchObject({ outcome: 'saved' })
    expect(await party(id)).toMatchObject({ status: 'confirmed', ...JOINED })
    const change = { key: randomUUID(), action: 'change', ...seen, party_size: 6, tables: ['S5', 'S6'] }
    expect(await tap(change)).toMatchObject({ outcome: 'saved' })
    expect(await tap(change)).toMatchObject({ outcome: 'repeated' })
    expect(await party(id)).toMatchObject({ party_size: 6, tables: ['S5', 'S6'] })
    await tap({ action: 'undo', ...seen, undoes: change.key })
    expect(await party(id)).toMatchObject({ party_size: 7, ...JOINED })
    await tap({ action: 'seat', ...seen, tables: ['S4', 'S5', 'S6'] })
    expect(await party(id)).toMatchObject({ status: 'seated', table_name: 'S4+S5+S6' })
    const walkIn = { action: 'walk_in', party_size: 5, tables: ['S4', 'S5'] }
    expect(await tap(walkIn)).toMatchObject({ outcome: 'table_taken', questions: ['TABLE_TAKEN'] })
    await tap({ action: 'finish', ...seen })
    const { reservation_id } = await tap(walkIn)
    expect(await party(reservation_id)).toMatchObject(JOINED)
  })

  it.each([
    ['unknown', ['S4', 'Z9']],
    ['twice', ['S4', 's4']],
  ])('leave the party as it was when one is %s', async (_, tables) => {
    const confirm = ['outside_hours']
    const { id } = (await book({ reservation_date: DAY, confirm, tables: ['S6'], party_size: 2 })).body.data
    for (const action of ['seat', 'assign', 'change'])
      expect(await tap({ action, reservation_id: id, tables })).toMatchObject({ outcome: 'malformed' })
    const walkIn = await tap({ action: 'walk_in', party_size: 2, tables })
    expect(walkIn).toMatchObject({ outcome: 'malformed' })
    expect((await service()).parties).toMatchObject([{ id, status: 'confirmed', tables: ['S6'] }])
  })

  it('go to one of two devices that want one of them at the same moment', async () => {
    const confirm = ['outside_hours']
    const book2 = async (size: number) =>
      (await book({ reservation_date: DAY, party_size: size, confirm })).body.data.id as string
    for (let round = 0; round < 5; round++) {
      await g.sql(emptyTables('reservations', 'private.service_taps'))
      const [one, other] = [await book2(8), await book2(4)]
      const answers = await Promise.all([
        tap({ action: 'seat', reservation_id: one, tables: ['S4', 'S5'] }, sala),
        tap({ action: 'seat', reservation_id: other, tables: ['S5', 'S6'] }, host),
      ])
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['saved', 'table_taken'])
      const sitting = (await service()).parties.filter(({ status }) => status === 'seated')
      expect(sitting).toHaveLength(1)
    }
  })

  it.each(['rrhh', 'pr_comunicacion'] as const)('are refused to %s', async (role) => {
    const person = await g.hire(role)
    expect(await book({ tables: ['S4', 'S5'] }, person)).toMatchObject({ status: 403 })
    const taps = [{ key: randomUUID(), action: 'walk_in', party_size: 4, tables: ['S4', 'S5'] }]
    const answer = await g.ask(person, 'POST', '/api/service/taps', { location_id: norte, taps })
    expect(answer).toMatchObject({ status: 403 })
    expect((await service()).parties).toEqual([])
  })

  it.each(['sala', 'operaciones', 'marketing'] as const)(
    'are given by %s where they work, and nowhere else',
    async (role) => {
      const taps = [{ key: randomUUID(), action: 'walk_in', party_size: 8, tables: ['S4', 'S5'] }]
      const body = { location_id: norte, taps }
      const elsewhere = await g.hire(role, 'Sur')
      expect(await g.ask(elsewhere, 'POST', '/api/service/taps', body)).toMatchObject({ status: 404 })
      expect((await service()).parties).toEqual([])
      const here = await g.hire(role, 'Norte')
      expect(await g.ask(here, 'POST', '/api/service/taps', body)).toMatchObject({ status: 200 })
      expect((await service()).parties).toMatchObject([JOINED])
    },
  )
})
