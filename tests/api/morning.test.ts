import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import type { Morning, ShiftNote } from '@/lib/morning/schema'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { Client } from '../support/app'
import { stopClock } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'
import { signedIn } from '../support/sign-in'

stopClock()
const TODAY = currentServiceDay('Europe/Madrid')
const YESTERDAY = addDays(TODAY, -1)

let g: Guests
let manager: Client
let bound: Client
let stranger: Client
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte', averageSpend: 20 },
    { name: 'Sur', slug: 'sur', averageSpend: null },
  ])
  manager = await g.hire('operaciones')
  bound = await g.hire('operaciones', 'Norte')
  stranger = await signedIn(await g.other.person('super_admin'))
})
afterAll(() => g?.app.close())
beforeEach(async () => {
  await g.sql(emptyTables('customers', 'reservations', 'shift_notes', 'audit_log'))
  await g.sql('delete from public.shifts')
  await g.sql('delete from public.closed_days')
  await g.sql('delete from public.dining_tables')
})

const read = async (client = manager, query = '') => {
  const { status, body } = await g.ask(client, 'GET', `/api/morning${query}`)
  expect(status).toBe(200)
  return body.data as Morning
}
const book = (place: string, date: string, values: Record<string, unknown>) => {
  const row = { reservation_time: '21:00', party_size: 2, status: 'confirmed', source: 'manual', ...values }
  const columns = Object.keys(row)
  return g.sql(
    `insert into public.reservations (organization_id, location_id, reservation_date, ${columns.join(', ')})
     select l.organization_id, l.id, $2, ${columns.map((column) => `r.${column}`).join(', ')}
     from public.locations as l, jsonb_populate_record(null::public.reservations, $3::jsonb) as r where l.id = $1`,
    [g.places[place], date, JSON.stringify(row)],
  )
}

describe('the figures of yesterday', () => {
  it('count as the rest of the app does', async () => {
    await book('Norte', YESTERDAY, { status: 'completed', party_size: 4 })
    await book('Norte', YESTERDAY, { status: 'completed', party_size: 3, total_amount: 99.5 })
    await book('Norte', YESTERDAY, { status: 'completed', party_size: 2, walk_in: true, total_amount: 40 })
    await book('Norte', YESTERDAY, { status: 'no_show', party_size: 6 })
    await book('Norte', YESTERDAY, { status: 'cancelled', party_size: 8 })
    await book('Norte', YESTERDAY, { status: 'completed', party_size: 9, source: 'import' })
    // After midnight is still yesterday's service.
    await book('Norte', TODAY, { status: 'confirmed', party_size: 5, reservation_time: '01:30' })
    await book('Norte', addDays(YESTERDAY, -7), { status: 'completed', party_size: 10 })
    await book('Norte', addDays(YESTERDAY, -28), { status: 'completed', party_size: 30 })
    const { totals, locations, date, yesterday } = await read()
    expect([date, yesterday]).toEqual([TODAY, YESTERDAY])
    expect(totals.figures).toEqual({
      ...{ covers: 14, reservations: 4, walk_ins: 1, no_shows: 1, cancelled: 1, revenue: 219.5 },
    })
    expect(totals.estimated_revenue).toBe(80)
    expect(totals.since_week).toMatchObject({ covers: 4, reservations: 3, revenue: 19.5 })
    // The PMS was never asked for the other two weeks.
    expect(totals).toMatchObject({ since_mean: { covers: -6 }, mean_days: 2 })
    expect(locations.map(({ name }) => name)).toEqual(['Norte', 'Sur'])
    const overview = await g.ask(manager, 'GET', `/api/stats/overview?from=${YESTERDAY}&to=${YESTERDAY}`)
    expect(overview.body.data.totals).toMatchObject({ covers: 14, revenue: 219.5, no_shows: 1, cancelled: 1 })
  })

  it('are those of the caller’s locations', async () => {
    await book('Norte', YESTERDAY, { status: 'completed', party_size: 4 })
    await book('Sur', YESTERDAY, { status: 'completed', party_size: 7 })
    expect((await read(bound)).totals.figures?.covers).toBe(4)
    expect((await read(bound)).locations.map(({ name }) => name)).toEqual(['Norte'])
    expect((await read(manager, `?location_id=${g.places.Sur}`)).totals.figures?.covers).toBe(7)
    expect((await read(stranger)).totals.figures).toBe(null)
  })

  it('are of another day when asked', async () => {
    await book('Norte', '2026-03-01', { status: 'completed', party_size: 4 })
    expect((await read(manager, '?date=2026-03-02')).totals.figures?.covers).toBe(4)
    expect((await g.ask(manager, 'GET', '/api/morning?date=2026-02-30')).status).toBe(400)
  })
})

describe('the days ahead', () => {
  it('have the capacity of their shifts, else of the tables in each', async () => {
    const weekdays = '{1,2,3,4,5,6,7}'
    await g.sql(
      `insert into public.shifts (organization_id, location_id, name, weekdays, opens, closes, capacity)
       select l.organization_id, l.id, s.name, '${weekdays}', s.opens, s.closes, s.capacity
       from public.locations l, (values ('Comida', time '13:00', time '16:00', null), ('Cena', time '20:00', time '23:30', 50))
         as s (name, opens, closes, capacity) where l.id = $1`,
      [g.places.Norte],
    )
    await g.sql(
      `insert into public.dining_tables (organization_id, location_id, name, capacity, is_active)
       select l.organization_id, l.id, t.name, t.seats, t.active from public.locations l,
         (values ('1', 10, true), ('2', 20, true), ('3', 90, false)) as t (name, seats, active) where l.id = $1`,
      [g.places.Norte],
    )
    await g.sql(
      `insert into public.closed_days (organization_id, location_id, day) select organization_id, id, $2
       from public.locations where id = $1`,
      [g.places.Norte, addDays(TODAY, 2)],
    )
    await book('Norte', TODAY, { party_size: 12 })
    await book('Norte', TODAY, { party_size: 3, status: 'cancelled' })
    const norte = (await read()).locations[0]
    expect(norte?.ahead).toHaveLength(8)
    expect(norte?.ahead[0]).toMatchObject({ day: TODAY, covers: 12, capacity: 80, reservations: 1 })
    expect(norte?.ahead[2]).toMatchObject({ closed: true, capacity: null })
    await g.sql(`update public.dining_tables set capacity = null where name = '1'`)
    expect((await read()).locations[0]?.ahead[0]).toMatchObject({ capacity: null })
  })

  it('are no data, never zero, where the PMS was not asked', async () => {
    await g.sql(
      `update public.locations set pms_id = 'norte', known_from = $2::date, known_until = $2::date where id = $1`,
      [g.places.Norte, TODAY],
    )
    const norte = (await read()).locations.find(({ name }) => name === 'Norte')
    expect(norte?.ahead.map(({ covers }) => covers).slice(0, 2)).toEqual([0, null])
    expect(norte?.yesterday).toMatchObject({ known: 'none', figures: null })
    await g.sql(`update public.locations set pms_id = null, known_from = null, known_until = null`)
  })
})

it('names the guests to know, with the allergies that staff recorded', async () => {
  await g.sync([
    {
      id: '1',
      status: 'confirmed',
      date: TODAY,
      hour: '21:00',
      client_name: 'Ana Ruiz',
      client_email: 'ana@correo.example',
    },
  ])
  await g.sql(
    `insert into public.customer_facts (organization_id, customer_id, code, kind, recorded_by)
     select organization_id, id, 'nuts', 'allergy', 'x' from public.customers`,
  )
  const { guests, guests_total } = await read()
  expect(guests_total).toBe(1)
  expect(guests[0]).toMatchObject({ customer_name: 'Ana Ruiz', allergy: true, facts: [{ code: 'nuts' }] })
  expect((await read(stranger)).guests).toEqual([])
})

describe('shift notes', () => {
  const write = (client: Client, changes: object = {}) =>
    g.ask(client, 'POST', '/api/shift-notes', {
      location_id: g.places.Norte,
      body: ' Se acabó el pan ',
      ...changes,
    })
  const list = async (client = manager, place = 'Norte') =>
    (await g.ask(client, 'GET', `/api/shift-notes?location_id=${g.places[place]}`)).body.data as ShiftNote[]

  it('are read the next morning, with who wrote them and when', async () => {
    const made = await write(bound, { day: YESTERDAY })
    expect(made).toMatchObject({
      status: 201,
      body: { data: { body: 'Se acabó el pan', day: YESTERDAY, mine: true, edited_at: null } },
    })
    const { notes } = await read()
    expect(notes).toMatchObject([{ body: 'Se acabó el pan', location: 'Norte', mine: false }])
    expect(notes[0]?.author).not.toBe('')
    expect((await read(stranger)).notes).toEqual([])
  })

  it('are of the service under way, of the last week, and at most ten a day', async () => {
    expect((await write(manager)).body.data.day).toBe(TODAY)
    for (const day of [addDays(TODAY, 1), addDays(TODAY, -8)])
      expect((await write(manager, { day })).status).toBe(400)
    await g.sql(
      `insert into public.shift_notes (organization_id, location_id, day, body, author_name)
       select organization_id, id, $2, 'x', 'y' from public.locations, generate_series(1, 9) where id = $1`,
      [g.places.Norte, TODAY],
    )
    expect(await write(manager)).toEqual(refusal('SHIFT_NOTES_FULL'))
    expect((await write(manager, { day: YESTERDAY })).status).toBe(201)
  })

  it('are changed and removed by who wrote them alone', async () => {
    const { id } = (await write(bound)).body.data as ShiftNote
    const path = `/api/shift-notes/${id}`
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { body: 'Otra cosa' } : undefined
      expect(await g.ask(manager, method, path, body)).toEqual(refusal('NOT_AUTHOR'))
    }
    expect(await g.ask(bound, 'PATCH', path, { body: 'Otra cosa' })).toMatchObject({
      status: 200,
      body: { data: { body: 'Otra cosa', edited_at: expect.any(String) } },
    })
    expect((await g.ask(bound, 'DELETE', path)).status).toBe(204)
    expect(await list()).toEqual([])
    const lines = await g.sql<{ action: string; details: unknown }>(
      'select action, details from public.audit_log order by created_at',
    )
    expect(lines.map(({ action }) => action)).toEqual([
      'shift_note.written',
      'shift_note.changed',
      'shift_note.removed',
    ])
    expect(JSON.stringify(lines)).not.toContain('pan')
  })

  it('stay when their author leaves, and no one else can change them', async () => {
    const { id } = (await write(bound)).body.data as ShiftNote
    await g.sql('update public.shift_notes set author_id = null where id = $1', [id])
    expect(await list()).toMatchObject([{ id, mine: false }])
    expect((await g.ask(manager, 'DELETE', `/api/shift-notes/${id}`)).status).toBe(403)
  })

  it('have words, and not too many', async () => {
    for (const body of ['', ' \n ', 'x'.repeat(2001), '\u0000'])
      expect((await write(manager, { body })).status).toBe(400)
  })
})
