import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import { meanCovers, readHours, shownHours } from '@/lib/reports/hours'
import type { Hours } from '@/lib/reports/schema'
import { currentServiceDay } from '@/lib/reservations/service-day'
import { claimsOf, type Person } from '../factories/group'
import type { Client } from '../support/app'
import { stopClock } from '../support/clock'
import { csvRows } from '../support/csv-rows'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

stopClock()
const ZONES = { Norte: 'Europe/Madrid', Isla: 'Atlantic/Canary' }
type Place = keyof typeof ZONES
const PLACES = Object.keys(ZONES) as Place[]
const STATUSES = ['completed', 'confirmed', 'seated', 'pending', 'cancelled', 'no_show'] as const
const CHANNELS = ['pms', 'manual', 'walk_in'] as const

let g: Guests
let person: Person
let boss: Client
let bound: Client

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Isla', slug: 'isla', timezone: ZONES.Isla },
  ])
  person = await g.group.person('ceo')
  boss = await signedIn(person)
  bound = await g.hire('operaciones', 'Isla')
})
beforeEach(() => g.sql(emptyTables('reservations')))
afterAll(() => g?.app.close())

interface Booking {
  place: Place
  /** The local date, which after midnight is the day after that of the service. */
  date: string
  time: string
  status: (typeof STATUSES)[number]
  channel: (typeof CHANNELS)[number] | 'import'
  party_size: number
}
const isOver = (row: Booking, now: Date) => serviceOf(row).day < currentServiceDay(ZONES[row.place], now)
/** Books, with the services that are over then closed. */
const book = (rows: Booking[], now: Date) =>
  g.sql(
    `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size,
       status, source, walk_in, service_over)
     select $1::uuid, ($2::jsonb ->> r.place)::uuid, r.date, r.time, r.party_size, r.status,
       case r.channel when 'walk_in' then 'manual' else r.channel end, r.channel = 'walk_in', r.over
     from jsonb_to_recordset($3::jsonb)
       as r (place text, date date, time time, party_size integer, status text, channel text, over boolean)`,
    [
      ...[g.group.id, JSON.stringify(g.places)],
      JSON.stringify(rows.map((row) => ({ ...row, over: isOver(row, now) }))),
    ],
  )
const read = async (query = '', client = boss): Promise<Hours> => {
  const { status, body } = await g.ask(client, 'GET', `/api/reports${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.hours
}

/** The service day of a local date and time, and its weekday from Monday, by the calendar alone. */
function serviceOf({ date, time }: Booking) {
  const day = new Date(`${date}T00:00:00Z`)
  if (time < '06:00') day.setUTCDate(day.getUTCDate() - 1)
  return { day: day.toISOString().slice(0, 10), weekday: (day.getUTCDay() + 6) % 7 }
}

/** What the heat of some bookings is, counted one by one. */
function counted(rows: Booking[], from: string, now: Date) {
  const served = rows.filter(
    (row) =>
      serviceOf(row).day >= from &&
      isOver(row, now) &&
      ['completed', 'seated', 'confirmed'].includes(row.status) &&
      row.channel !== 'import',
  )
  const covers = Array.from({ length: 7 }, () => Array<number>(24).fill(0))
  const days = Array.from({ length: 7 }, () => new Set<string>())
  for (const row of served) {
    const { day, weekday } = serviceOf(row)
    const hours = covers[weekday] ?? []
    const hour = Number(row.time.slice(0, 2))
    hours[hour] = (hours[hour] ?? 0) + row.party_size
    days[weekday]?.add(day)
  }
  const channels = CHANNELS.map((channel) => {
    const own = served.filter((row) => row.channel === channel)
    return {
      channel,
      visits: own.length,
      covers: own.reduce((sum, { party_size }) => sum + party_size, 0),
    }
  })
  return { days: days.map(({ size }) => size), covers, channels }
}

const drawn = (today: string) =>
  fc.record({
    place: fc.constantFrom(...PLACES),
    date: fc.integer({ min: -100, max: 5 }).map((days) => addDays(today, days)),
    time: fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
    status: fc.constantFrom(...STATUSES),
    channel: fc.constantFrom(...CHANNELS, 'import' as const),
    party_size: fc.integer({ min: 1, max: 12 }),
  })

/** What the function answers the boss at an instant: one to whom the server's clock is not given. */
async function at(now: Date, months: number): Promise<Hours> {
  const db = {
    rpc: async (name: string, { p_months, p_now }: { p_months: number; p_now: string }) => {
      const [row] = await g.sql<{ found: unknown }>(
        `with me as materialized (select set_config('request.jwt.claims', $1::text, true) as claims)
         select public.report_hours($2, null, $3) as found from me where claims is not null`,
        [await claimsOf(person), p_months, p_now],
      )
      return { data: name === 'report_hours' ? row?.found : null, error: null }
    },
  } as unknown as Parameters<typeof readHours>[0]['db']
  return readHours({ db }, { months }, now)
}

describe('the hours of the reports', () => {
  // In Madrid the clocks went back on 2025-10-26 and on to summer time on 2026-03-29, both at night.
  it.each([
    ['2025-10-26T04:30:00Z', 'the service of Madrid and of the island still under way: 05:30 and 04:30'],
    ['2025-10-26T05:30:00Z', 'over in Madrid, under way on the island'],
    ['2025-10-26T06:30:00Z', 'over in both'],
    ['2026-03-29T04:30:00Z', 'over in Madrid, by summer time, under way on the island'],
    ['2026-03-29T05:30:00Z', 'over in both'],
  ])('are what a plain count says at %s: %s', async (instant) => {
    const now = new Date(instant)
    const night = instant.slice(0, 10)
    const some = fc.sample(drawn(night), { numRuns: 300, seed: 11 })
    // The night on which an hour is missing, or is there twice.
    const changed = PLACES.flatMap((place) =>
      ['00:30', '01:15', '02:30', '05:59', '06:00'].map((time): Booking => {
        return { place, date: night, time, status: 'completed', channel: 'pms', party_size: 2 }
      }),
    )
    const rows = [...some, ...changed]
    await book(rows, now)
    const { from, all, locations } = await at(now, 3)
    expect(from).toBe(`${instant.startsWith('2025') ? '2025-08' : '2026-01'}-01`)
    expect(all).toEqual(counted(rows, from, now))
    for (const { name, id: _, ...part } of locations) {
      const own = rows.filter(({ place }) => place === name)
      expect({ name, ...part }).toEqual({ name, ...counted(own, from, now) })
    }
    expect(all.covers.flat().reduce((sum, covers) => sum + covers, 0)).toBeGreaterThan(100)
  })

  it('are those of one location when asked, and of the caller’s only; also as files', async () => {
    const now = new Date()
    const rows = fc.sample(drawn(currentServiceDay(ZONES.Norte)), { numRuns: 200, seed: 3 })
    await book(rows, now)
    const own = async (query: string, client?: Client) => (await read(query, client)).all
    const { from } = await read('?months=2')
    const isla = counted(
      rows.filter(({ place }) => place === 'Isla'),
      from,
      now,
    )
    expect(await own('?months=2')).toEqual(counted(rows, from, now))
    expect(await own(`?months=2&location_id=${g.places.Isla}`)).toEqual(isla)
    expect(await own('?months=2', bound)).toEqual(isla)
    const lines = async (report: string) =>
      csvRows(
        await (
          await boss.request(
            'GET',
            `/api/reports/export?report=${report}&months=2&location_id=${g.places.Isla}`,
          )
        ).text(),
      )
    const [header, ...cells] = await lines('hours')
    expect(header?.slice(0, 3)).toEqual(['Local', 'Día de la semana', 'Hora'])
    const expected = isla.covers.flatMap((hours, weekday) =>
      shownHours(isla).map((hour) => {
        const [days = 0, covers = 0] = [isla.days[weekday], hours[hour]]
        return [days, covers, days === 0 ? '' : Math.round((covers / days) * 100) / 100]
      }),
    )
    const figure = (cell = '') => (cell === '' ? '' : Number(cell.replace(',', '.')))
    expect(cells.map((each) => each.slice(3).map(figure))).toEqual(expected)
    expect((await lines('channels')).slice(1).map((cells) => cells.slice(2).map(Number))).toEqual(
      isla.channels.map(({ visits, covers }) => [visits, covers]),
    )
  })
})

it('the mean is over the days with guests, and the hours follow the service', () => {
  const covers = Array.from({ length: 7 }, () => Array<number>(24).fill(0))
  const part = { days: [2, 0, 0, 0, 0, 0, 0], covers, channels: [] }
  expect(shownHours(part)).toEqual([12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23])
  const monday = covers[0] ?? []
  ;[monday[0], monday[21]] = [3, 10]
  expect(shownHours(part).slice(-2)).toEqual([23, 0])
  expect([meanCovers(part, 0, 0), meanCovers(part, 0), meanCovers(part, 1, 21)]).toEqual([1.5, 6.5, null])
})
