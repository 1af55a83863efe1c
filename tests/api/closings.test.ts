import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { Client } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { answer } from '../support/sign-in'

stayInOneDay()
let g: Guests
let host: Client
let elsewhere: Client
let floor: Client
let boss: Client
const day = addDays(currentServiceDay('Europe/Madrid'), 3)
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte', averageSpend: 20 },
    { name: 'Sur', slug: 'sur', averageSpend: 20 },
  ])
  host = await g.hire('operaciones', 'Norte')
  elsewhere = await g.hire('operaciones', 'Sur')
  floor = await g.hire('sala', 'Norte')
  boss = await g.hire('admin')
  await g.sql(
    `insert into public.dining_tables (organization_id, location_id, zone, name)
     values ($1, $2, 'Sala', 'S1'), ($1, $2, 'Terraza', 'T1')`,
    [g.group.id, g.places.Norte],
  )
})
afterAll(() => g?.app.close())
beforeEach(async () => {
  await g.sql(emptyTables('customers', 'reservations', 'shifts', 'closed_days', 'audit_log'))
  await g.sql(
    `insert into public.shifts (organization_id, location_id, name, weekdays, opens, closes)
     select $1, $2, s.name, '{1,2,3,4,5,6,7}', s.opens, s.closes
     from (values ('Comida', time '13:00', time '16:00'), ('Cena', '20:00', '00:30')) as s (name, opens, closes)`,
    [g.group.id, g.places.Norte],
  )
})

const path = (place = 'Norte') => `/api/locations/${g.places[place]}/closings`
const close = (body: object = {}, client = host) =>
  g.ask(client, 'POST', path(), { day, reason: 'Obras', ...body })
const list = async (client = host) => (await g.ask(client, 'GET', path())).body.data
const book = async (customer_name: string, reservation_time: string, more: object = {}) => {
  const booking = { location_id: g.places.Norte, reservation_date: day, reservation_time, party_size: 2 }
  const made = await g.ask(host, 'POST', '/api/reservations', { ...booking, customer_name, ...more })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
}

describe('a closing', () => {
  it('of a day names everybody who has booked into it, and nobody else', async () => {
    await book('Ana', '14:00')
    await book('Luis', '21:00', { status: 'confirmed' })
    await book('Eva', '00:15', { reservation_date: addDays(day, 1) })
    await book('Se fue', '21:00', { status: 'cancelled' })
    await book('Otro día', '21:00', { reservation_date: addDays(day, 1) })
    const { status, body } = await close()
    expect(status).toBe(201)
    expect(body.data).toEqual({
      ...{ id: expect.any(String), day, shift: null, zone: null, reason: 'Obras' },
    })
    const names = body.reservations.map(({ customer_name }: { customer_name: string }) => customer_name)
    expect(names).toEqual(['Ana', 'Luis', 'Eva'])
    expect(await list()).toEqual([body.data])
  })

  it('of a shift or a zone concerns those alone, however they are written', async () => {
    await book('Ana', '14:00')
    await book('Luis', '21:00', { zone_name: 'Terraza' })
    await book('Eva', '21:00', { table_name: 'T1' })
    await book('Sol', '21:00', { table_name: 'S1' })
    const names = async (body: object) =>
      (await close(body)).body.reservations.map((one: { customer_name: string }) => one.customer_name)
    expect(await names({ shift: 'CENA' })).toEqual(['Luis', 'Eva', 'Sol'])
    expect(await names({ zone: 'terraza' })).toEqual(['Luis', 'Eva'])
    expect(await names({ shift: 'Comida', zone: 'Terraza' })).toEqual([])
    expect((await list()).map(({ shift, zone }: Record<string, string>) => [shift, zone])).toEqual([
      [null, 'Terraza'],
      ['Cena', null],
      ['Comida', 'Terraza'],
    ])
  })

  it('is there once', async () => {
    expect((await close({ shift: 'Cena' })).status).toBe(201)
    expect(await close({ shift: 'cena', reason: 'Otra' })).toMatchObject({
      ...{ status: 409, body: { code: 'ALREADY_EXISTS' } },
    })
  })

  it('names a shift and a zone that there are, and says why', async () => {
    const wrong = async (body: object) => (await close(body)).body.issues[0].path
    expect(await wrong({ shift: 'Brunch' })).toBe('shift')
    expect(await wrong({ zone: 'Azotea' })).toBe('zone')
    await g.sql(
      `update public.shifts set weekdays = array(select n::smallint from generate_series(1, 7) n where n <> $1)`,
      [new Date(day).getUTCDay() || 7],
    )
    expect(await wrong({ shift: 'Cena' })).toBe('shift')
    expect(await wrong({ reason: ' ' })).toBe('reason')
    expect(await wrong({ day: '2026-02-30' })).toBe('day')
  })

  it('is taken back, and both are in the audit log with who did it', async () => {
    const { body } = await close({ zone: 'Sala' })
    const one = `${path()}/${body.data.id}`
    expect((await g.ask(host, 'DELETE', one)).status).toBe(204)
    expect((await g.ask(host, 'DELETE', one)).status).toBe(404)
    expect(await list()).toEqual([])
    const closing = { day, shift: null, zone: 'Sala', reason: 'Obras' }
    expect(
      await g.sql('select action, subject, details from public.audit_log order by created_at, id'),
    ).toMatchObject([
      { action: 'location.closed', subject: 'Norte', details: { before: {}, after: closing } },
      { action: 'location.reopened', subject: 'Norte', details: { before: closing, after: {} } },
    ])
  })

  it('is of who serves there: not of floor staff, not of another location', async () => {
    expect((await close({}, floor)).status).toBe(403)
    expect((await close({}, elsewhere)).status).toBe(404)
    expect((await close({}, boss)).status).toBe(201)
    const [closing] = await list(floor)
    for (const [client, status] of [
      [floor, 403],
      [elsewhere, 404],
    ] as const)
      expect((await g.ask(client, 'DELETE', `${path()}/${closing.id}`)).status).toBe(status)
    expect(await list()).toHaveLength(1)
  })

  it('of a whole day is one of the hours’ closed days; that of a shift stays when the hours are saved', async () => {
    await close()
    await close({ day: addDays(day, 1), shift: 'Cena' })
    const hours = `/api/locations/${g.places.Norte}/hours`
    const { body } = await answer(await boss.request('GET', hours))
    expect(body.data.closed_days).toEqual([{ day, name: 'Obras' }])
    expect((await g.ask(boss, 'PUT', hours, { ...body.data, closed_days: [] })).status).toBe(200)
    expect((await list()).map(({ day: on }: { day: string }) => on)).toEqual([addDays(day, 1)])
  })

  it('keeps its id and a long reason when the hours are saved, where it may get another', async () => {
    const reason = 'Obras en la acera, hasta que el ayuntamiento diga. '.repeat(4).slice(0, 199)
    const { id } = (await close({ reason })).body.data
    const hours = `/api/locations/${g.places.Norte}/hours`
    const { body } = await answer(await boss.request('GET', hours))
    expect(body.data.closed_days).toEqual([{ day, name: reason.trim() }])
    expect((await g.ask(boss, 'PUT', hours, body.data)).status).toBe(200)
    expect(await list()).toMatchObject([{ id, reason: reason.trim() }])
    const closed_days = [{ day, name: 'Boda' }]
    expect((await g.ask(boss, 'PUT', hours, { ...body.data, closed_days })).status).toBe(200)
    expect(await list()).toMatchObject([{ id, reason: 'Boda' }])
    const twice = { ...body.data, closed_days: [...closed_days, ...closed_days] }
    expect((await g.ask(boss, 'PUT', hours, twice)).status).toBe(409)
    expect(await list()).toMatchObject([{ id, reason: 'Boda' }])
  })

  it('stays when hours are saved that were read before it was there', async () => {
    const hours = `/api/locations/${g.places.Norte}/hours`
    const removed = addDays(day, 1)
    await close({ day: removed })
    const { body } = await answer(await boss.request('GET', hours))
    await close()
    const save = (more: object) => g.ask(boss, 'PUT', hours, { ...body.data, closed_days: [], ...more })
    expect((await save({ loaded_days: [removed] })).body.data.closed_days).toEqual([{ day, name: 'Obras' }])
    expect((await save({})).body.data.closed_days).toEqual([])
  })

  it('that was opened again stays open when hours are saved that were read before', async () => {
    const hours = `/api/locations/${g.places.Norte}/hours`
    const { id } = (await close()).body.data
    const { body } = await answer(await boss.request('GET', hours))
    await g.ask(host, 'DELETE', `${path()}/${id}`)
    const closed_days = [...body.data.closed_days, { day: addDays(day, 2), name: 'Boda' }]
    const saved = await g.ask(boss, 'PUT', hours, { ...body.data, closed_days, loaded_days: [day] })
    expect(saved.body.data.closed_days).toEqual([{ day: addDays(day, 2), name: 'Boda' }])
  })

  it('is in the service of its day and in the morning reports of the week before, and in no other', async () => {
    const { data } = (await close({ shift: 'Cena', zone: 'Sala' })).body
    const serviceOf = async (on: string, client = floor) => {
      const query = new URLSearchParams({ location_id: String(g.places.Norte), date: on })
      return (await g.ask(client, 'GET', `/api/service?${query}`)).body.data
    }
    expect(await serviceOf(day)).toMatchObject({ closed: null, closings: [data] })
    expect((await serviceOf(addDays(day, 1))).closings).toEqual([])
    const morningOf = async (date: string, client = host) =>
      (await g.ask(client, 'GET', `/api/morning?date=${date}`)).body.data.closings
    const named = { ...data, location_id: g.places.Norte, location: 'Norte' }
    expect(await morningOf(addDays(day, -7))).toEqual([named])
    expect(await morningOf(day)).toEqual([named])
    for (const [date, client] of [
      [addDays(day, 1), host],
      [addDays(day, -8), host],
      [day, elsewhere],
    ] as const)
      expect(await morningOf(date, client)).toEqual([])
    await close()
    expect(await serviceOf(day)).toMatchObject({
      ...{ closed: { name: 'Obras' }, closings: [{ shift: null, zone: null }, data] },
    })
  })
})
