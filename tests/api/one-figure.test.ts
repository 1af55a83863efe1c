import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { customerHabits, noShowRate } from '@/lib/customers/habits'
import { addDays, localDate } from '@/lib/dates'
import type { Client } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { csvRows } from '../support/csv-rows'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

stayInOneDay()
let g: Guests
let boss: Client
let db: Parameters<typeof customerHabits>[0]['db']

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte', averageSpend: 20 },
    { name: 'Sur', slug: 'sur', averageSpend: null, timezone: 'Atlantic/Canary' },
  ])
  boss = await g.hire('admin')
  ;({ db } = await g.group.person('admin'))
})
beforeEach(() => g.sql(emptyTables('reservations', 'customers', 'audit_log')))
afterAll(() => g?.app.close())

const ANA = { id: '1', client_email: 'ana@correo.example', client_name: 'Ana', pax: 2 }
const customers = async () => (await g.ask(boss, 'GET', '/api/customers?sort=name')).body.data
const matched = async (definition: object) => {
  const { body } = await g.ask(boss, 'POST', '/api/segments/preview', { definition })
  return body.data.first.map(({ name }: { name: string }) => name).sort()
}

describe('the date of a visit is its service day, by the clock of its location', () => {
  const visitedBetween = (from: string, to: string) =>
    matched({ field: 'last_visit', is: 'between', from, to })

  it.each([
    // Half past midnight in Madrid, where the group is.
    ['a late dinner in the Canaries', 'Sur', '2026-05-01', '23:30', '2026-05-01'],
    ['a guest after midnight', 'Norte', '2026-05-02', '00:30', '2026-05-01'],
    ['a lunch', 'Norte', '2026-05-01', '14:00', '2026-05-01'],
  ])(
    'of %s: in the API, a segment, an export, a message and the points',
    async (_, place, date, time, day) => {
      await g.sync([{ ...ANA, date, time }], place)
      const [ana] = await customers()
      expect(ana).toMatchObject({ total_visits: 1, last_visit_on: day })
      expect(await visitedBetween(day, day)).toEqual(['Ana'])
      expect(await visitedBetween(addDays(day, 1), addDays(day, 1))).toEqual([])
      expect(await visitedBetween(addDays(day, -1), addDays(day, -1))).toEqual([])
      const file = csvRows(await (await boss.request('GET', '/api/customers/export')).text())
      expect(file[1]?.[file[0]?.indexOf('Última visita') ?? -1]).toBe(day)
      const [told] = await g.sql<{ last_visit: string }>(
        `select private.message_facts(o, c, null, null, null) ->> 'last_visit' as last_visit
       from public.customers c join public.organizations o on o.id = c.organization_id`,
      )
      expect(told).toEqual({ last_visit: day })
      const points = await g.ask(boss, 'GET', `/api/customers/${ana.id}/points`)
      // Without an average a visit of unknown amount earns nothing.
      const days = points.body.data.map(
        ({ reservation_date }: { reservation_date: string }) => reservation_date,
      )
      expect(days).toEqual(place === 'Sur' ? [] : [day])
      expect(await customerHabits({ db }, ana.id)).toMatchObject({ first_date: day })
    },
  )

  it('goes back with the visit', async () => {
    await g.sync([ANA, { ...ANA, id: '2', date: '2026-05-03' }])
    expect(await customers()).toMatchObject([{ last_visit_on: '2026-05-03' }])
    await g.sync([{ ...ANA, id: '2', date: '2026-05-03', status: 'cancelled' }])
    expect(await customers()).toMatchObject([{ last_visit_on: '2026-05-01' }])
    await g.sync([{ ...ANA, status: 'no_show' }])
    expect(await customers()).toMatchObject([{ last_visit_on: null, last_visit_at: null }])
  })
})

describe('the no-show rate', () => {
  const RATES = [0, 1, 20, 25, 33, 34, 50, 67, 75, 100]
  const atLeast = (min: number) => matched({ field: 'no_show_rate', min })

  it('is no-shows of no-shows and visits of past services, from three on, on the page and in segments', async () => {
    const today = localDate(new Date(), 'Europe/Madrid')
    const HISTORIES: Record<string, string[]> = {
      // Two of three: also three cancelled ones and one that nobody marked as coming.
      Ana: ['no_show', 'no_show', 'finished', 'cancelled', 'cancelled', 'cancelled', 'pending'],
      Bea: ['no_show', 'finished'],
      Carla: ['finished', 'seated', 'confirmed'],
      Dora: ['no_show', 'no_show', 'no_show', 'tonight finished'],
      Eva: ['no_show', 'finished', 'tonight no_show', 'tonight finished', 'tonight no_show'],
      Fina: ['no_show', 'finished', 'finished', 'tonight no_show', 'tonight no_show', 'tonight finished'],
    }
    const rows = Object.entries(HISTORIES).flatMap(([client_name, history]) =>
      history.map((what, n) => ({
        ...{ id: `${client_name}${n}`, client_name, client_email: `${client_name}@correo.example` },
        ...(what.startsWith('tonight ') ? { date: today, time: '20:30' } : { date: `2026-05-${10 + n}` }),
        status: what.replace('tonight ', ''),
      })),
    )
    await g.sync(rows)
    const shown: Record<string, number | null> = {}
    for (const { id, first_name } of await customers())
      shown[first_name] = noShowRate(await customerHabits({ db }, id))
    expect(shown).toEqual({ Ana: 2 / 3, Bea: null, Carla: 0, Dora: 1, Eva: null, Fina: 1 / 3 })
    for (const min of RATES) {
      const expected = Object.entries(shown).filter(([, rate]) => rate !== null && rate * 100 >= min)
      expect([min, await atLeast(min)]).toEqual([min, expected.map(([name]) => name).sort()])
    }
    expect(await matched({ field: 'no_show_rate', max: 40 })).toEqual(['Carla', 'Fina'])
  })
})

it('a walk-in of the PMS is one: on the board, in the figures, and until the PMS corrects it', async () => {
  const day = '2026-05-01'
  const walkIns = async () => {
    const [row] = await g.sql<{ n: number }>(
      'select coalesce(sum(f.walk_ins), 0)::int as n from private.figures_of(array[$1::uuid], $2, $2) as f',
      [g.places.Norte, day],
    )
    return row?.n
  }
  const told = (state: string | number) => g.sync([{ ...ANA, state, status: undefined }])
  const rows = async () =>
    (await g.sql<{ walk_in: boolean }>('select walk_in from public.reservations')).map(
      ({ walk_in }) => walk_in,
    )
  await told(9)
  expect([await rows(), await walkIns()]).toEqual([[true], 1])
  // They finish: still a party without a booking.
  await told('finished')
  expect([await rows(), await walkIns()]).toEqual([[true], 1])
  await told(1)
  expect([await rows(), await walkIns()]).toEqual([[false], 0])
  await told('9')
  expect([await rows(), await walkIns()]).toEqual([[true], 1])
})

it('points say which amount was estimated', async () => {
  await g.sync([ANA, { ...ANA, id: '2', date: '2026-05-02' }])
  const [row] = await g.sql<{ id: string }>(`select id from public.reservations where external_id = '2'`)
  expect((await g.ask(boss, 'PATCH', `/api/reservations/${row?.id}`, { total_amount: 61.5 })).status).toBe(
    200,
  )
  const [ana] = await customers()
  const { data } = (await g.ask(boss, 'GET', `/api/customers/${ana.id}/points`)).body
  const lines = data.map((entry: Record<string, unknown>) => [
    entry.kind,
    entry.amount,
    entry.amount_is_estimate,
  ])
  expect(lines).toEqual([
    ['corrected', 61.5, false],
    ['earned', 40, true],
    ['earned', 40, true],
  ])
})

it('a booking is ahead while it is later than now, also for guests after midnight', async () => {
  const zone = 'Europe/Madrid'
  const noon = new Date('2026-11-20T11:00:00Z')
  const night = new Date('2026-11-20T23:15:00Z')
  const [segment] = await g.sql<{ id: string }>(
    `insert into public.segments (organization_id, name, shared, definition)
     values ($1, 'Con reserva', true, '{"field": "booking", "days": 0}') returning id`,
    [g.group.id],
  )
  const names = async (now: Date) => {
    const found = await g.sql<{ name: string }>(
      `select c.first_name as name from private.segment_members($1::uuid, $2::uuid, $3::timestamptz) as m (id)
       join public.customers c on c.id = m.id order by 1`,
      [g.group.id, segment?.id, now.toISOString()],
    )
    return found.map(({ name }) => name)
  }
  const book = (client_name: string, date: string, time: string, place = 'Norte') =>
    g.sync(
      [
        {
          id: client_name,
          client_name,
          client_email: `${client_name}@correo.example`,
          date,
          time,
          status: 'confirmed',
        },
      ],
      place,
    )
  await book('Ana', '2026-11-20', '11:30')
  await book('Bea', '2026-11-20', '21:00')
  // Of the night of the 20th.
  await book('Carla', '2026-11-21', '00:30')
  await book('Dora', '2026-11-21', '13:00')
  // 23:30 there is 00:30 in Madrid.
  await book('Eva', '2026-11-20', '23:30', 'Sur')
  await g.sql('update public.reservations set service_over = false')
  expect(localDate(night, zone)).toBe('2026-11-21')
  expect(await names(noon)).toEqual(['Bea', 'Carla', 'Eva'])
  expect(await names(night)).toEqual(['Carla', 'Eva'])
})
