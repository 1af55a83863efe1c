import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays, localDate } from '@/lib/dates'
import { stackClient } from '../factories/group'
import type { Client } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

stayInOneDay()
let g: Guests
let boss: Client

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
})
beforeEach(() => g.sql(emptyTables('reservations', 'customers', 'audit_log')))
afterAll(() => g?.app.close())

const today = () => localDate(new Date(), 'Europe/Madrid')
const ANA = { id: '1', client_email: 'ana@correo.example', client_name: 'Ana', pax: 2 }

/** The reservation of the PMS with that id, as the API gives it. */
async function stored(id = '1') {
  const [row] = await g.sql<{ id: string }>('select id from public.reservations where external_id = $1', [id])
  return (await g.ask(boss, 'GET', `/api/reservations/${row?.id}`)).body.data
}
const patch = async (body: object, id = '1') =>
  g.ask(boss, 'PATCH', `/api/reservations/${(await stored(id)).id}`, body)
const activity = async (id = '1') =>
  (await g.ask(boss, 'GET', `/api/reservations/${(await stored(id)).id}/activity`)).body.data
async function figures() {
  const [customer] = (await g.ask(boss, 'GET', '/api/customers')).body.data
  const { total_visits: visits, total_spend: spend, loyalty_tier } = customer
  return { visits, spend, tier: loyalty_tier?.name ?? null }
}
/** Closes the services that are over at the instant. */
async function close(at: string) {
  const parameters = { p_organization: g.group.id, p_now: at }
  await stackClient(g.app.stack, 'service').rpc('close_services', parameters).throwOnError()
}

describe('a visit', () => {
  it.each([
    [1, 'confirmed', true],
    ['2', 'seated', true],
    [5, 'seated', true],
    ['9', 'seated', true],
    ['finished', 'completed', true],
    [0, 'pending', false],
    ['3', 'pending', false],
    [-2, 'cancelled', false],
    ['-5', 'cancelled', false],
    [-3, 'no_show', false],
  ])('of a service that is over, from the PMS’s %j (%s): %j', async (state, status, visited) => {
    await g.sync([{ ...ANA, state, status: undefined }])
    expect(await stored()).toMatchObject({ status, visited, pms_status: String(state) })
    expect(await figures()).toEqual(
      visited ? { visits: 1, spend: 40, tier: 'Bronce' } : { visits: 0, spend: 0, tier: null },
    )
  })

  it('is open until 06:00 local on the day after the service, also for guests after midnight', async () => {
    const date = addDays(today(), 3)
    const night = {
      ...ANA,
      id: '2',
      client_email: 'eva@correo.example',
      date: addDays(date, 1),
      time: '00:30',
    }
    await g.sync([
      { ...ANA, date, state: 1, status: undefined },
      { ...night, state: 9, status: undefined },
    ])
    expect([(await stored('1')).visited, (await stored('2')).visited]).toEqual([null, null])
    // Madrid's 06:00 is 04:00 or 05:00 in UTC: a minute before the earlier and after the later one.
    await close(`${addDays(date, 1)}T03:59:00Z`)
    expect([(await stored('1')).visited, (await stored('2')).visited]).toEqual([null, null])
    await close(`${addDays(date, 1)}T05:01:00Z`)
    expect([(await stored('1')).visited, (await stored('2')).visited]).toEqual([true, true])
    expect(await figures()).toMatchObject({ visits: 1, spend: 40 })
  })

  it('finished during the service counts at once, and only once', async () => {
    await g.sync([{ ...ANA, date: today(), time: '13:00' }])
    expect(await figures()).toMatchObject({ visits: 1 })
    await close(`${addDays(today(), 2)}T12:00:00Z`)
    expect(await figures()).toMatchObject({ visits: 1, spend: 40 })
  })

  it('is taken back by a later no-show or cancellation, and a tier is not', async () => {
    await g.sync([{ ...ANA, state: 1, status: undefined }])
    expect(await figures()).toEqual({ visits: 1, spend: 40, tier: 'Bronce' })
    await g.sync([{ ...ANA, state: -3, status: undefined }])
    expect(await figures()).toEqual({ visits: 0, spend: 0, tier: 'Bronce' })
    expect(await stored()).toMatchObject({ status: 'no_show', visited: false })
  })

  it('that was never marked counts where the location says so', async () => {
    await g.sync([
      { ...ANA, state: 1, status: undefined },
      { ...ANA, id: '2', date: '2026-05-02', state: 2, status: undefined },
    ])
    expect(await figures()).toMatchObject({ visits: 2, spend: 80 })
    const location = `/api/locations/${g.places.Norte}`
    expect(await g.ask(boss, 'PATCH', location, { count_unmarked_visits: false })).toMatchObject({
      status: 200,
      body: { data: { count_unmarked_visits: false } },
    })
    expect(await figures()).toMatchObject({ visits: 1, spend: 40 })
    expect(await stored()).toMatchObject({ status: 'confirmed', visited: false })
    await g.sync([{ ...ANA, id: '3', date: '2026-05-03', state: 1, status: undefined }])
    expect((await stored('3')).visited).toBe(false)
    await g.ask(boss, 'PATCH', location, { count_unmarked_visits: true })
    expect(await figures()).toMatchObject({ visits: 3, spend: 120 })
  })

  it('is what the figures of a period count', async () => {
    await g.sync([
      { ...ANA, state: 1, status: undefined },
      { ...ANA, id: '2', state: 2, status: undefined, pax: 3 },
      { ...ANA, id: '3', state: -3, status: undefined, pax: 5 },
    ])
    await patch({ total_amount: 99.5 })
    const { body } = await g.ask(boss, 'GET', '/api/stats/overview?from=2026-05-01&to=2026-05-01')
    expect(body.data.totals).toMatchObject({
      booked: 3,
      reservations: 2,
      covers: 5,
      completed: 0,
      visits: 2,
      cancelled: 0,
      no_shows: 1,
      revenue: 159.5,
      estimated_revenue: 60,
    })
  })
})

describe('a mark by staff on a reservation of the PMS', () => {
  const marks = { status: 'no_show', total_amount: 12.5, table_name: 'T9', notes: 'No vino' }

  it('stays while the PMS goes on sending the same, and the figures follow', async () => {
    const row = { ...ANA, state: 1, status: undefined, table_name: '4', notes: 'Ventana' }
    await g.sync([row])
    expect((await patch(marks)).body.data).toMatchObject({ ...marks, visited: false, pms_status: '1' })
    expect(await figures()).toMatchObject({ visits: 0 })
    expect(await g.sync([row])).toMatchObject({ created: 0, updated: 0 })
    // Another field of the PMS changes, the marks stay; so does a status we do not know.
    await g.sync([{ ...row, pax: 6, state: 'sonstwas' }])
    expect(await stored()).toMatchObject({ ...marks, party_size: 6 })
  })

  it('is replaced, field by field, when the PMS sends another value; the activity shows both', async () => {
    const row = { ...ANA, state: 1, status: undefined, table_name: '4', notes: 'Ventana' }
    await g.sync([row])
    await patch(marks)
    await g.sync([{ ...row, state: 2, table_name: '5' }])
    expect(await stored()).toMatchObject({
      status: 'seated',
      table_name: '5',
      notes: 'No vino',
      total_amount: 12.5,
      visited: true,
    })
    expect(await activity()).toMatchObject([
      {
        action: 'reservation.overruled',
        actor: null,
        fields: ['status', 'table_name'],
        status: { from: 'no_show', to: 'seated' },
      },
      {
        action: 'reservation.changed',
        actor: expect.any(String),
        fields: ['notes', 'status', 'table_name', 'total_amount'],
        status: { from: 'confirmed', to: 'no_show', pms: 'confirmed' },
      },
    ])
    // The old value again is news by now.
    await g.sync([row])
    expect(await stored()).toMatchObject({ status: 'confirmed', table_name: '4' })
  })

  it('is over when staff take it back or the PMS agrees', async () => {
    const row = { ...ANA, state: 1, status: undefined }
    await g.sync([row])
    await patch({ status: 'seated' })
    await patch({ status: 'confirmed' })
    await g.sync([{ ...row, state: 2 }])
    expect(await stored()).toMatchObject({ status: 'seated' })
    await patch({ status: 'completed' })
    await g.sync([{ ...row, state: 'finished' }])
    await g.sync([{ ...row, state: 2 }])
    expect(await stored()).toMatchObject({ status: 'seated' })
    expect((await activity()).map(({ action }: { action: string }) => action)).toEqual(
      Array(3).fill('reservation.changed'),
    )
  })
})
