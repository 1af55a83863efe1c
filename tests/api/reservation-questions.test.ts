import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import type { Reservation } from '@/lib/reservations/schema'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { TapAnswer } from '@/lib/service/schema'
import type { Client } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

stayInOneDay()
let g: Guests
let host: Client
let norte: string
const today = currentServiceDay('Europe/Madrid')
const tomorrow = addDays(today, 1)
const yesterday = addDays(today, -1)
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte', averageSpend: 20 },
    { name: 'Sur', slug: 'sur', averageSpend: 20 },
  ])
  host = await g.hire('operaciones')
  norte = g.places.Norte ?? ''
  const tables = [
    ...[1, 2, 3, 4].map((name) => ({ zone: 'Sala', name: `S${name}`, capacity: 4 })),
    { zone: 'Terraza', name: 'T1', capacity: 2 },
    { zone: 'Terraza', name: 'T2', capacity: null },
  ]
  for (const { zone, name, capacity } of tables)
    await g.sql(
      `insert into public.dining_tables (organization_id, location_id, zone, name, capacity)
       values ($1, $2, $3, $4, $5)`,
      [g.group.id, norte, zone, name, capacity],
    )
})
afterAll(() => g?.app.close())
beforeEach(async () => {
  await g.sql(
    emptyTables('customers', 'reservations', 'waitlist', 'shifts', 'closed_days', 'private.service_taps'),
  )
  await g.sql('update public.locations set stay_minutes = null')
})

const ROW = { customer_name: 'Ana Ruiz', party_size: 2, status: 'confirmed' }
const book = (body: object = {}, client = host) =>
  g.ask(client, 'POST', '/api/reservations', {
    ...{ location_id: norte, reservation_date: tomorrow, reservation_time: '21:00' },
    ...ROW,
    ...body,
  })
const booked = async (body: object = {}) => {
  const made = await book(body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.data as Reservation
}
const change = (id: string, body: object) => g.ask(host, 'PATCH', `/api/reservations/${id}`, body)
const asks = (...questions: string[]) => ({
  status: 409,
  body: { code: questions[0], questions, error: expect.any(String) },
})
/** What a request was asked, in order; empty when it was done. */
const asked = async (answering: ReturnType<typeof book>) => {
  const { status, body } = await answering
  if (status !== 409) expect([status, body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()])
  return status === 409 ? body.questions : []
}
const tap = async (action: object) => {
  const body = { location_id: norte, taps: [{ key: randomUUID(), ...action }] }
  const answer = await g.ask(host, 'POST', '/api/service/taps', body)
  expect(answer.status).toBe(200)
  return answer.body.data[0] as TapAnswer
}
const shift = (name: string, opens: string, closes: string, weekdays = [1, 2, 3, 4, 5, 6, 7]) =>
  g.sql(
    `insert into public.shifts (organization_id, location_id, name, weekdays, opens, closes)
     values ($1, $2, $3, $4, $5, $6)`,
    [g.group.id, norte, name, weekdays, opens, closes],
  )
const close = (day: string, shift: string | null = null, zone: string | null = null) =>
  g.sql(
    `insert into public.closed_days (organization_id, location_id, day, shift, zone, name)
     values ($1, $2, $3, $4, $5, 'Obras')`,
    [g.group.id, norte, day, shift, zone],
  )

describe('a service that is over', () => {
  const confirm = ['service_over']

  it('takes a booking only when that is confirmed', async () => {
    expect(await book({ reservation_date: yesterday })).toMatchObject(asks('SERVICE_OVER'))
    expect(await g.sql('select from public.reservations')).toEqual([])
    await booked({ reservation_date: yesterday, confirm })
  })

  it('has its night until six: after midnight of today is last night’s', async () => {
    expect(await book({ reservation_date: today, reservation_time: '00:30' })).toMatchObject(
      asks('SERVICE_OVER'),
    )
    expect(await asked(book({ reservation_date: tomorrow, reservation_time: '00:30' }))).toEqual([])
  })

  it('asks before a booking moves into it or out of it, or changes its party size', async () => {
    const ahead = await booked()
    const over = await booked({ reservation_date: yesterday, confirm })
    expect(await asked(change(ahead.id, { reservation_date: yesterday }))).toEqual(['SERVICE_OVER'])
    expect(await asked(change(over.id, { reservation_date: tomorrow }))).toEqual(['SERVICE_OVER'])
    expect(await asked(change(over.id, { party_size: 3 }))).toEqual(['SERVICE_OVER'])
    expect(await asked(change(ahead.id, { party_size: 3 }))).toEqual([])
    expect(await asked(change(over.id, { party_size: 3, confirm }))).toEqual([])
    expect(await asked(change(over.id, { reservation_date: tomorrow, confirm }))).toEqual([])
  })

  it('takes marks, amounts, notes and another time of the same night without a question', async () => {
    const { id } = await booked({ reservation_date: yesterday, confirm })
    for (const body of [
      { status: 'completed' },
      { total_amount: 80 },
      { notes: 'Volverán' },
      { table_name: 'S1' },
      { reservation_time: '22:00' },
    ])
      expect(await asked(change(id, body)), JSON.stringify(body)).toEqual([])
  })
})

describe('a time', () => {
  it('alone keeps the night: 00:45 is on the next date, and 21:00 back on the first', async () => {
    const { id } = await booked()
    const late = await change(id, { reservation_time: '00:45' })
    expect(late.body.data).toMatchObject({
      reservation_date: addDays(tomorrow, 1),
      reservation_time: '00:45',
    })
    const back = await change(id, { reservation_time: '21:00' })
    expect(back.body.data).toMatchObject({ reservation_date: tomorrow, reservation_time: '21:00' })
  })

  it('with a date means that date', async () => {
    const { id } = await booked()
    const moved = await change(id, { reservation_date: tomorrow, reservation_time: '00:45' })
    expect(moved.body.data).toMatchObject({ reservation_date: tomorrow, reservation_time: '00:45' })
  })

  it('that the clocks skip is an error at its field, in the zone of the location', async () => {
    const skipped = await book({ reservation_date: '2032-03-28', reservation_time: '02:30' })
    expect(skipped.status).toBe(400)
    expect(skipped.body.issues).toEqual([{ path: 'reservation_time', code: 'skipped_time' }])
    await g.sql(`update public.locations set timezone = 'Atlantic/Canary' where id = $1`, [norte])
    expect((await book({ reservation_date: '2032-03-28', reservation_time: '02:30' })).status).toBe(201)
    expect((await book({ reservation_date: '2032-03-28', reservation_time: '01:30' })).status).toBe(400)
    await g.sql(`update public.locations set timezone = 'Europe/Madrid' where id = $1`, [norte])
  })
})

describe('a table', () => {
  const luis = { customer_name: 'Luis Gil', table_name: 'S1' }

  it('that another party has at that time is said, with the party and its hours', async () => {
    const ana = await booked({ table_name: 'S1' })
    expect(await book({ ...luis, reservation_time: '22:00' })).toEqual({
      status: 409,
      body: {
        ...{ error: expect.any(String), code: 'TABLE_TAKEN', questions: ['TABLE_TAKEN'] },
        current: { reservation_id: ana.id, customer_name: 'Ana Ruiz', from: '21:00', until: '22:30' },
      },
    })
    await booked({ ...luis, reservation_time: '22:00', confirm: ['table_taken'] })
  })

  it('is free when the usual stay is over, and for who comes long enough before', async () => {
    await booked({ table_name: 'S1' })
    expect(await asked(book({ ...luis, reservation_time: '22:30' }))).toEqual([])
    expect(await asked(book({ ...luis, reservation_time: '19:30' }))).toEqual([])
    expect(await asked(book({ ...luis, reservation_time: '19:31' }))).toEqual(['TABLE_TAKEN'])
  })

  it('is taken as long as the location says for the party’s size', async () => {
    await booked({ table_name: 'S1', party_size: 4 })
    const at = (time: string) => asked(book({ ...luis, reservation_time: time, status: 'pending' }))
    expect([await at('22:59'), await at('23:00')]).toEqual([['TABLE_TAKEN'], []])
    await g.sql('delete from public.reservations')
    const boss = await g.hire('admin')
    const stays = (stay_minutes: unknown) => g.ask(boss, 'PATCH', `/api/locations/${norte}`, { stay_minutes })
    expect((await stays({ 2: 45, 8: 60 })).body.data.stay_minutes).toEqual({ 2: 45, 8: 60 })
    for (const wrong of [
      {},
      { 0: 60 },
      { 2: 14 },
      { 2: 721 },
      { 2: 45.5 },
      { x: 60 },
      { 1000: 60 },
      [90],
      90,
    ])
      expect((await stays(wrong)).status, JSON.stringify(wrong)).toBe(400)
    await booked({ table_name: 'S1', party_size: 4 })
    expect([await at('21:59'), await at('22:00')]).toEqual([['TABLE_TAKEN'], []])
  })

  it('joined with others is taken in each of them', async () => {
    await booked({ table_name: 'S1+S2', party_size: 8 })
    expect(await asked(book({ ...luis, table_name: 'S2 + S3' }))).toEqual(['TABLE_TAKEN'])
    expect(await asked(book({ ...luis, table_name: 'S3' }))).toEqual([])
    expect(await asked(book({ ...luis, table_name: 'S12' }))).toEqual([])
  })

  it('is the same however its name is written, and gets the name that the location writes', async () => {
    await booked({ table_name: 'S1 + s2', party_size: 6 })
    expect(await asked(book({ ...luis, table_name: 's1' }))).toEqual(['TABLE_TAKEN'])
    expect(await asked(book({ table_name: 't1', party_size: 3 }))).toEqual(['TABLE_TOO_SMALL'])
    await close(tomorrow, null, 'Terraza')
    expect(await asked(book({ table_name: 't1' }))).toEqual(['CLOSED'])
    const made = await booked({ table_name: ' s3+Barra ', reservation_time: '13:00' })
    expect(made.table_name).toBe('S3+Barra')
    const { id } = await booked({ location_id: g.places.Sur, table_name: 's4' })
    const moved = await change(id, { location_id: norte })
    expect(moved.body.data.table_name).toBe('S4')
  })

  it('of who cancelled, did not come or left is free; of another location too', async () => {
    for (const status of ['cancelled', 'no_show', 'completed']) await booked({ table_name: 'S1', status })
    await booked({ table_name: 'S1', location_id: g.places.Sur })
    expect(await asked(book(luis))).toEqual([])
  })

  it('is asked about when its party comes again, is moved or gets more people, not when it is as before', async () => {
    await booked({ table_name: 'S1' })
    const { id } = await booked({ ...luis, status: 'cancelled' })
    expect(await asked(change(id, { status: 'confirmed' }))).toEqual(['TABLE_TAKEN'])
    expect(await asked(change(id, { notes: 'Con carrito' }))).toEqual([])
    expect(await asked(change(id, { status: 'confirmed', confirm: ['table_taken'] }))).toEqual([])
    expect(await asked(change(id, { status: 'pending', notes: 'Celíaco' }))).toEqual([])
    expect(await asked(change(id, { party_size: 3 }))).toEqual(['TABLE_TAKEN'])
    expect(await asked(change(id, { reservation_time: '21:15' }))).toEqual(['TABLE_TAKEN'])
    expect(await asked(change(id, { reservation_time: '22:45' }))).toEqual([])
  })

  it('is too small for more covers than its tables seat, unless a capacity is not known', async () => {
    expect(await asked(book({ table_name: 'S1', party_size: 60 }))).toEqual(['TABLE_TOO_SMALL'])
    expect(await asked(book({ table_name: 'S1+S2', party_size: 8 }))).toEqual([])
    expect(await asked(book({ table_name: 'S3+T1', party_size: 7 }))).toEqual(['TABLE_TOO_SMALL'])
    expect(await asked(book({ table_name: 'T2', party_size: 60 }))).toEqual([])
    expect(await asked(book({ table_name: 'S4+Barra', party_size: 60 }))).toEqual([])
  })

  it('is given once to two who ask at the same moment', async () => {
    const both = await Promise.all([book({ table_name: 'S1' }), book(luis)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })
})

describe('taps', () => {
  it('say who has the table, and take it when that is confirmed', async () => {
    const first = await tap({ action: 'walk_in', party_size: 2, customer_name: 'Ana Ruiz', table_name: 'S1' })
    expect(first.outcome).toBe('saved')
    const second = { action: 'walk_in', party_size: 6, table_name: 'S1' }
    expect(await tap(second)).toEqual({
      ...{ key: expect.any(String), outcome: 'table_taken', questions: ['TABLE_TAKEN', 'TABLE_TOO_SMALL'] },
      current: {
        ...{ reservation_id: first.reservation_id, customer_name: 'Ana Ruiz' },
        ...{ from: expect.stringMatching(/^\d\d:\d\d$/), until: expect.stringMatching(/^\d\d:\d\d$/) },
      },
    })
    expect((await tap({ ...second, confirm: ['table_taken'] })).outcome).toBe('table_too_small')
    expect((await tap({ ...second, confirm: ['table_taken', 'table_too_small'] })).outcome).toBe('saved')
  })

  it('ask before a party sits down at its own table, where another still sits', async () => {
    await tap({ action: 'walk_in', party_size: 2, table_name: 'S1' })
    const party = await booked({
      ...{ reservation_date: today, reservation_time: '06:00', table_name: 'S1' },
      confirm: ['service_over', 'table_taken'],
    })
    const seat = { action: 'seat', reservation_id: party.id, seen: 'confirmed' }
    expect(await tap(seat)).toMatchObject({ outcome: 'table_taken', reservation_id: party.id })
    expect((await tap({ ...seat, table_name: 'S2' })).outcome).toBe('saved')
  })

  it('let a party sit down at its own table, though another is to come there later', async () => {
    const [other] = await g.sql<{ id: string }>(
      `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time,
         party_size, status, table_name)
       select organization_id, id, soon::date, soon::time, 2, 'confirmed', 'S1'
       from public.locations, lateral (select now() at time zone timezone + interval '30 minutes') as s (soon)
       where id = $1 returning id`,
      [norte],
    )
    const walkIn = { action: 'walk_in', party_size: 2, table_name: 'S1' }
    expect(await tap(walkIn)).toMatchObject({
      outcome: 'table_taken',
      current: { reservation_id: other?.id },
    })
    const now = { reservation_date: today, reservation_time: '06:00', table_name: 'S1' }
    const party = await booked({ ...now, confirm: ['service_over', 'table_taken'] })
    const seat = { action: 'seat', reservation_id: party.id, seen: 'confirmed' }
    expect((await tap(seat)).outcome).toBe('saved')
  })

  it('ask who sits at a table now, not when the party sat down', async () => {
    // Of tonight's service, whatever the time: only the moment of sitting down is earlier.
    const sat = async (table_name: string, minutes: number) => {
      const { reservation_id: id } = await tap({ action: 'walk_in', party_size: 2, table_name })
      await g.sql(
        `update public.reservations set seated_at = seated_at - make_interval(mins => $2) where id = $1`,
        [id, minutes],
      )
      return id
    }
    const moving = await sat('S1', 120)
    await sat('S2', 20)
    const move = { action: 'assign', reservation_id: moving, seen: 'seated', table_name: 'S2' }
    expect((await tap(move)).outcome).toBe('table_taken')
    // One that left, whose table another party has since.
    await tap({ action: 'finish', reservation_id: moving, seen: 'seated' })
    await sat('S1', 5)
    const back = { action: 'seat', reservation_id: moving, seen: 'completed' }
    expect((await tap(back)).outcome).toBe('table_taken')
    expect((await tap({ ...back, table_name: 'S3' })).outcome).toBe('saved')
  })

  it('that are undone leave no mark on a booking of the PMS, however it writes its tables', async () => {
    const [row] = await g.sql<{ id: string }>(
      `insert into public.reservations (organization_id, location_id, external_id, source, reservation_date,
         reservation_time, party_size, status, table_name)
       values ($1, $2, 'p-1', 'pms', $3, '21:00', 2, 'confirmed', 'S3 + S4') returning id`,
      [g.group.id, norte, tomorrow],
    )
    const key = randomUUID()
    const assign = { key, action: 'assign', reservation_id: row?.id, table_name: 'S2' }
    expect((await tap(assign)).outcome).toBe('saved')
    expect((await tap({ action: 'undo', reservation_id: row?.id, undoes: key })).outcome).toBe('saved')
    expect(
      await g.sql('select table_name, staff_marks from public.reservations where id = $1', [row?.id]),
    ).toEqual([{ table_name: 'S3 + S4', staff_marks: {} }])
  })

  it('with one key count once, also when the first attempt was asked', async () => {
    await tap({ action: 'walk_in', party_size: 2, table_name: 'S1' })
    const key = randomUUID()
    const again = { key, action: 'walk_in', party_size: 2, table_name: 'S1' }
    expect((await tap(again)).outcome).toBe('table_taken')
    expect((await tap({ ...again, confirm: ['table_taken'] })).outcome).toBe('saved')
    expect((await tap({ ...again, confirm: ['table_taken'] })).outcome).toBe('repeated')
  })

  it('of who came without a booking are not asked about hours or closings', async () => {
    await shift('Cena', '20:00', '20:01', [1])
    await close(today)
    expect((await tap({ action: 'walk_in', party_size: 2, table_name: 'S1' })).outcome).toBe('saved')
    const second = await tap({ action: 'walk_in', party_size: 9, table_name: 'S1' })
    expect(second.questions).toEqual(['TABLE_TAKEN', 'TABLE_TOO_SMALL'])
  })

  it('from the waitlist are asked too', async () => {
    await tap({ action: 'walk_in', party_size: 2, table_name: 'S1' })
    const entry = { location_id: norte, name: 'Eva', party_size: 2 }
    const { body } = await g.ask(host, 'POST', '/api/waitlist', entry)
    const seat = (more: object = {}) =>
      g.ask(host, 'PATCH', `/api/waitlist/${body.data.id}`, { action: 'seat', table_name: 'S1', ...more })
    expect(await seat()).toMatchObject({ status: 409, body: { code: 'TABLE_TAKEN' } })
    expect((await seat({ confirm: ['table_taken'] })).status).toBe(200)
  })
})

describe('hours', () => {
  it('take a booking from the opening to before the close, on the days of the shift', async () => {
    const weekday = new Date(`${tomorrow}T12:00Z`).getUTCDay() || 7
    await shift('Comida', '13:00', '16:00')
    await shift('Cena', '20:00', '00:30', [weekday])
    const at = (reservation_time: string, reservation_date = tomorrow) =>
      asked(book({ reservation_time, reservation_date }))
    for (const time of ['13:00', '15:59', '20:00', '23:59']) expect(await at(time), time).toEqual([])
    for (const time of ['05:30', '12:59', '16:00', '19:59']) {
      const day = time === '05:30' ? addDays(tomorrow, 1) : tomorrow
      expect(await at(time, day), time).toEqual(['OUTSIDE_HOURS'])
    }
    expect(await at('00:29', addDays(tomorrow, 1))).toEqual([])
    expect(await at('00:30', addDays(tomorrow, 1))).toEqual(['OUTSIDE_HOURS'])
    expect(await at('21:00', addDays(tomorrow, 1))).toEqual(['OUTSIDE_HOURS'])
  })

  it('of a location without shifts are not known: nothing is asked', async () => {
    await shift('Comida', '13:00', '16:00')
    expect(await asked(book({ location_id: g.places.Sur, reservation_time: '04:00' }))).toEqual([])
  })

  it('are asked about when a booking is moved, not when something else changes', async () => {
    await shift('Comida', '13:00', '16:00')
    const { id } = await booked({ confirm: ['outside_hours'] })
    expect(await asked(change(id, { party_size: 4, status: 'pending', table_name: 'S1' }))).toEqual([])
    expect(await asked(change(id, { reservation_time: '22:00' }))).toEqual(['OUTSIDE_HOURS'])
    expect(await asked(change(id, { reservation_time: '14:00' }))).toEqual([])
  })
})

describe('a closing', () => {
  it('of the day, of a shift or of a zone asks who books into it', async () => {
    await shift('Comida', '13:00', '16:00')
    await shift('Cena', '20:00', '23:30')
    const dinner = { reservation_time: '21:00' }
    const lunch = { reservation_time: '14:00' }
    await close(tomorrow)
    expect([await asked(book(dinner)), await asked(book(lunch))]).toEqual([['CLOSED'], ['CLOSED']])
    expect(await asked(book({ ...dinner, reservation_date: addDays(tomorrow, 1) }))).toEqual([])
    await g.sql('delete from public.closed_days')
    await close(tomorrow, 'cena')
    expect([await asked(book(dinner)), await asked(book(lunch))]).toEqual([['CLOSED'], []])
    await g.sql('delete from public.closed_days')
    await close(tomorrow, null, 'terraza')
    expect(await asked(book({ ...lunch, zone_name: 'Terraza' }))).toEqual(['CLOSED'])
    expect(await asked(book({ ...lunch, table_name: 'T1' }))).toEqual(['CLOSED'])
    expect(await asked(book({ ...lunch, table_name: 'S1' }))).toEqual([])
    expect(await asked(book({ ...lunch, zone_name: 'Sala' }))).toEqual([])
  })

  it('asks a party that moves into it, to that day or that table', async () => {
    await close(tomorrow, null, 'Terraza')
    const { id } = await booked()
    expect(await asked(change(id, { table_name: 'T1' }))).toEqual(['CLOSED'])
    expect(await asked(change(id, { table_name: 'S2' }))).toEqual([])
    await close(addDays(tomorrow, 1))
    expect(await asked(change(id, { reservation_date: addDays(tomorrow, 1) }))).toEqual(['CLOSED'])
    expect(await asked(change(id, { status: 'cancelled' }))).toEqual([])
  })

  it('goes by the zone of a party’s tables, not by the zone it booked', async () => {
    const { id } = await booked({ zone_name: 'Terraza', table_name: 'T1' })
    const { id: open } = await booked({ zone_name: 'terraza', table_name: 'S1' })
    await close(tomorrow, null, 'Terraza')
    const assign = async (reservation_id: string, tables: string[]) =>
      (await tap({ action: 'assign', reservation_id, tables })).outcome
    // Out of it, back without a table, and into it.
    expect(await assign(id, ['S2'])).toBe('saved')
    expect(await assign(id, [])).toBe('saved')
    expect(await assign(id, ['T1'])).toBe('closed')
    expect(await asked(change(open, { party_size: 1, table_name: 'S3' }))).toEqual([])
    // Of a table that is none of the location's only the booked zone is known.
    expect(await asked(change(open, { table_name: 'X9' }))).toEqual(['CLOSED'])
  })

  it('asks a party that cancelled before, and comes again', async () => {
    const { id } = await booked({ status: 'cancelled' })
    const { id: other } = await booked({ status: 'completed' })
    await close(tomorrow)
    expect(await asked(change(id, { notes: 'Trona' }))).toEqual([])
    expect(await asked(change(id, { status: 'confirmed' }))).toEqual(['CLOSED'])
    expect(await asked(change(other, { status: 'seated' }))).toEqual([])
  })
})

describe('several questions', () => {
  it('come all at once, in one order, with the first that is not answered as the code', async () => {
    await shift('Comida', '13:00', '16:00')
    await close(tomorrow)
    await booked({ table_name: 'S1', confirm: ['closed', 'outside_hours'] })
    const all = ['TABLE_TAKEN', 'TABLE_TOO_SMALL', 'CLOSED', 'OUTSIDE_HOURS', 'UNUSUAL_AMOUNT']
    const body = { table_name: 'S1', party_size: 5, total_amount: 5000 }
    expect(await book(body)).toMatchObject(asks(...all))
    const some = await book({ ...body, confirm: ['table_taken', 'closed'] })
    expect(some.body).toMatchObject({ code: 'TABLE_TOO_SMALL', questions: all })
    const confirm = all.map((code) => code.toLowerCase())
    expect(await asked(book({ ...body, confirm }))).toEqual([])
  })

  it('take only words that are questions', async () => {
    const wrong = await book({ confirm: ['whatever'] })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  })
})
