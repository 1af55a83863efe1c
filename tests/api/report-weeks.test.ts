import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import type { Served, Week, Weeks } from '@/lib/reports/schema'
import { compareWeek } from '@/lib/reports/weeks'
import { currentServiceDay, weekStart } from '@/lib/reservations/service-day'
import type { Client } from '../support/app'
import { stopClock } from '../support/clock'
import { csvRows } from '../support/csv-rows'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

stopClock()
const TODAY = currentServiceDay('Europe/Madrid')
const MONDAY = weekStart(TODAY)
const NOTHING = {
  reservations: 0,
  covers: 0,
  visits: 0,
  no_shows: 0,
  cancelled: 0,
  revenue: 0,
  estimated_revenue: 0,
}

let g: Guests
let boss: Client
let bound: Client

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte', averageSpend: 30 },
    { name: 'Sur', slug: 'sur', averageSpend: null },
  ])
  boss = await g.hire('ceo')
  bound = await g.hire('operaciones', 'Sur')
})
beforeEach(async () => {
  await g.sql(emptyTables('reservations'))
  await g.sql(`update public.locations set known_from = null, known_until = null, pms_id = lower(name)`)
})
afterAll(() => g?.app.close())

interface Booking {
  place: 'Norte' | 'Sur'
  day: string
  status: string
  party_size: number
  total_amount: number | null
}
const book = (rows: Booking[]) =>
  g.sql(
    `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size,
       status, total_amount, source, service_over)
     select $1::uuid, ($2::jsonb ->> r.place)::uuid, r.day, '21:00', r.party_size, r.status, r.total_amount, 'manual', r.day < $4
     from jsonb_to_recordset($3::jsonb) as r (place text, day date, party_size integer, status text, total_amount numeric)`,
    [g.group.id, JSON.stringify(g.places), JSON.stringify(rows), TODAY],
  )
const read = async (client = boss, query = ''): Promise<Weeks> => {
  const { status, body } = await g.ask(client, 'GET', `/api/reports${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.weeks
}

/** What a week of a location served, counted row by row. */
function servedIn(rows: Booking[], week: string): Served | null {
  const own = rows.filter(({ day }) => day >= week && day < addDays(week, 7))
  if (own.length === 0 || week > MONDAY) return null
  const over = own.filter(({ day }) => day < TODAY)
  const came = over.filter(({ status }) => !['cancelled', 'no_show'].includes(status))
  const visits = over.filter(({ status }) => ['completed', 'seated', 'confirmed'].includes(status))
  const sum = (of: number[]) => of.reduce((all, one) => all + one, 0)
  const average = own[0]?.place === 'Norte' ? 30 : 0
  const guessed = visits.filter(({ total_amount }) => total_amount === null)
  const estimated = sum(guessed.map(({ party_size }) => party_size * average))
  return {
    reservations: came.length,
    covers: sum(came.map(({ party_size }) => party_size)),
    visits: visits.length,
    no_shows: over.filter(({ status }) => status === 'no_show').length,
    cancelled: over.filter(({ status }) => status === 'cancelled').length,
    revenue: sum(visits.map(({ total_amount }) => total_amount ?? 0)) + estimated,
    estimated_revenue: estimated,
  }
}

describe('the weeks of the reports', () => {
  it('are what a plain count says, by location, and a year before', async () => {
    const drawn = fc.record({
      place: fc.constantFrom('Norte' as const, 'Sur' as const),
      // Also days outside, and of both years.
      day: fc
        .tuple(fc.integer({ min: -110, max: 20 }), fc.constantFrom(0, 364))
        .map(([days, before]) => addDays(TODAY, days - before)),
      status: fc.constantFrom('completed', 'confirmed', 'seated', 'pending', 'cancelled', 'no_show'),
      party_size: fc.integer({ min: 1, max: 9 }),
      total_amount: fc.option(fc.integer({ min: 10, max: 400 })),
    })
    const rows = fc.sample(drawn, { numRuns: 600, seed: 7 })
    await book(rows)
    // Norte has no PMS: its data begin with its first booking. Sur's PMS was asked for all days.
    await g.sql('update public.locations set pms_id = null where id = $1', [g.places.Norte])
    await g.sql('update public.locations set known_from = $2, known_until = $3 where id = $1', [
      ...[g.places.Sur, addDays(TODAY, -600), addDays(TODAY, 60)],
    ])
    const weeks = await read()
    expect(weeks.last_week).toBe(addDays(MONDAY, -7))
    for (const { name, weeks: own } of weeks.locations) {
      const mine = rows.filter(({ place }) => place === name)
      const since = mine
        .map(({ day }) => weekStart(day))
        .filter((week) => week >= addDays(MONDAY, -7 * 14 - 364))
        .sort()[0]
      expect(own.map(({ week }) => week)).toEqual(
        Array.from({ length: 15 }, (_, n) => addDays(MONDAY, 7 * (n - 13))),
      )
      for (const { week, served, year_before, booked } of own) {
        const own = mine.filter(({ day }) => day >= week && day < addDays(week, 7))
        const coming = own.filter(
          ({ day, status }) => day >= TODAY && !['cancelled', 'no_show'].includes(status),
        )
        const hasData = (asked: string) => name === 'Sur' || (since !== undefined && since < asked)
        const before = addDays(week, -364)
        expect({ name, week, served, year_before, booked }).toEqual({
          ...{ name, week },
          served: week > MONDAY ? null : (servedIn(mine, week) ?? (hasData(week) ? NOTHING : null)),
          year_before: hasData(before) ? (servedIn(mine, before) ?? NOTHING) : null,
          booked:
            own.length > 0 || hasData(week)
              ? {
                  reservations: coming.length,
                  covers: coming.reduce((sum, { party_size }) => sum + party_size, 0),
                }
              : null,
        })
      }
    }
    const served = (of: Week[]) => of.map((week) => week.served?.revenue ?? 0)
    const sums = weeks.locations.map(({ weeks: own }) => served(own))
    expect(served(weeks.totals)).toEqual(sums[0]?.map((one, n) => one + (sums[1]?.[n] ?? 0)))
    const file = csvRows(await (await boss.request('GET', '/api/reports/export?report=weeks')).text())
    expect(file).toHaveLength(1 + 2 * 15)
    expect(file[0]).toContain('Ingresos (EUR) (52 semanas antes)')
  })

  it('are those of one location when asked, and of the caller’s only', async () => {
    const day = addDays(MONDAY, -3)
    await book([
      { place: 'Norte', day, status: 'completed', party_size: 2, total_amount: 50 },
      { place: 'Sur', day, status: 'completed', party_size: 3, total_amount: 70 },
    ])
    const revenue = ({ totals, last_week }: Weeks) =>
      totals.find(({ week }) => week === last_week)?.served?.revenue
    expect(revenue(await read())).toBe(120)
    expect(revenue(await read(boss, `?location_id=${g.places.Norte}`))).toBe(50)
    const own = await read(bound)
    expect([revenue(own), own.locations.map(({ name }) => name)]).toEqual([70, ['Sur']])
  })

  it('have a year before where the data of all locations go back so far', async () => {
    const then = addDays(MONDAY, -7 - 364)
    const dinner = { status: 'completed', party_size: 2, total_amount: 50 }
    await g.sql('update public.locations set pms_id = null')
    await book([
      { ...dinner, place: 'Norte', day: addDays(then, 5) },
      { ...dinner, place: 'Norte', day: addDays(MONDAY, -3) },
    ])
    const lastOf = async () => {
      const { totals, last_week } = await read()
      return totals.find(({ week }) => week === last_week)
    }
    // The first week of all may be half of one.
    expect(await lastOf()).toMatchObject({ served: { covers: 2 }, year_before: null })
    await book([{ ...dinner, place: 'Norte', day: addDays(then, -5) }])
    expect(await lastOf()).toMatchObject({ year_before: { covers: 2, revenue: 50 } })
    await book([{ ...dinner, place: 'Sur', day: addDays(MONDAY, -3) }])
    expect(await lastOf()).toMatchObject({ served: { covers: 4 }, year_before: null })
  })

  it('have nothing of a location that closed, not zero', async () => {
    await g.sql('update public.locations set pms_id = null, is_active = false where id = $1', [
      g.places.Norte,
    ])
    await book([
      { place: 'Norte', day: addDays(MONDAY, -60), status: 'completed', party_size: 2, total_amount: 9 },
    ])
    const { locations, last_week } = await read()
    const norte = locations.find(({ name }) => name === 'Norte')
    expect(norte?.weeks.find(({ week }) => week === last_week)).toMatchObject({ served: null, booked: null })
    await g.sql('update public.locations set is_active = true')
  })

  it('have no data, not zero, where the PMS was not asked', async () => {
    const last = addDays(MONDAY, -7)
    await g.sql('update public.locations set known_from = $1, known_until = $2 where pms_id = $3', [
      last,
      addDays(MONDAY, 20),
      'norte',
    ])
    const weeks = await read()
    const of = (name: string) =>
      weeks.locations
        .find((location) => location.name === name)
        ?.weeks.filter(({ week }) => week >= addDays(last, -7))
        .map(({ served }) => served)
    expect(of('Norte')).toEqual([null, NOTHING, NOTHING, null])
    expect(of('Sur')).toEqual([null, null, null, null])
    const bookedIn = (name: string) =>
      weeks.locations.find((location) => location.name === name)?.weeks.at(-1)?.booked
    expect([bookedIn('Norte'), bookedIn('Sur')]).toEqual([{ reservations: 0, covers: 0 }, null])
    expect(weeks.totals.every(({ year_before }) => year_before === null)).toBe(true)
  })
})

it('a week is compared with equal sets of locations', () => {
  const week = (days: number, revenue: number | null, before: number | null = null): Week => {
    const of = (value: number | null) => (value === null ? null : { ...NOTHING, revenue: value, covers: 1 })
    return {
      week: addDays(MONDAY, days),
      served: of(revenue),
      year_before: of(before),
      booked: { reservations: 0, covers: 0 },
    }
  }
  const old = {
    weeks: [...[-35, -28, -21, -14].map((days, n) => week(days, 70 + 20 * n)), week(-7, 150, 100)],
  }
  // Its first week may be half of one, and three are no base.
  const young = {
    weeks: [week(-42, null), ...[-35, -28, -21, -14].map((days) => week(days, 10)), week(-7, 999)],
  }
  const last = addDays(MONDAY, -7)
  expect(compareWeek([old, young], last)).toMatchObject({
    served: { revenue: 1149, covers: 2 },
    sinceMean: { revenue: 0.5, covers: 0 },
    sinceYear: { revenue: 0.5 },
  })
  expect(compareWeek([young], last)).toMatchObject({
    sinceMean: { revenue: null },
    sinceYear: { covers: null },
  })
  expect(compareWeek([], last).served).toBeNull()
})
