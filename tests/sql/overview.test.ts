import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dailySummary, lastSync, nextArrivals, serviceSummary, shiftOccupancy } from '@/lib/overview/reads'
import { createGroup, type Group, type Person } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group
let host: Person

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Horas', [
    { name: 'Madrid', slug: 'madrid' },
    { name: 'Canarias', slug: 'canarias', timezone: 'Atlantic/Canary' },
  ])
  host = await group.person('operaciones')
  const [madrid, canarias] = group.locations
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, external_id, reservation_date, reservation_time,
       party_size, status, source)
     values ($1, $2, 'm-lunch', '2026-05-01', '14:00', 4, 'completed', 'pms'),
       ($1, $2, 'm-dinner', '2026-05-01', '21:30', 2, 'confirmed', 'pms'),
       ($1, $2, 'm-late', '2026-05-02', '01:15', 3, 'confirmed', 'pms'),
       ($1, $2, 'm-next', '2026-05-02', '14:00', 5, 'confirmed', 'pms'),
       ($1, $2, 'm-import', '2026-05-01', '12:00', 9, 'confirmed', 'import'),
       ($1, $2, 'm-gone', '2026-05-01', '22:00', 2, 'cancelled', 'pms'),
       ($1, $3, 'c-dinner', '2026-05-01', '21:00', 6, 'pending', 'pms')`,
    [group.id, madrid?.id, canarias?.id],
  )
})
afterAll(() => stack?.close())

const figures = async (now: string, locationId?: string) => {
  const rows = await serviceSummary({ db: host.db }, { now: new Date(now), locationId })
  return rows
    .map((row) => [row.service_date, row.status, row.hour, row.reservations, row.covers].join(' '))
    .sort()
}
const arrivals = async (now: string) =>
  (await nextArrivals({ db: host.db }, { now: new Date(now) })).map((one) => one.external_id)

const MAY_FIRST = [
  '2026-05-01 cancelled 22 1 2',
  '2026-05-01 completed 14 1 4',
  '2026-05-01 confirmed 1 1 3',
  '2026-05-01 confirmed 21 1 2',
  '2026-05-01 pending 21 1 6',
]

describe('the figures of the current service', () => {
  it.each([
    ['at noon', '2026-05-01T10:00:00Z'],
    ['at 23:59 in Madrid', '2026-05-01T21:59:00Z'],
    ['at 00:01 in Madrid, still last evening', '2026-05-01T22:01:00Z'],
    ['at 05:59 in Madrid', '2026-05-02T03:59:00Z'],
  ])('hold the whole service %s, after-midnight entries included', async (_, now) => {
    expect(await figures(now)).toEqual(MAY_FIRST)
  })

  it('change over at 06:00 of each location, in its own time zone', async () => {
    expect(await figures('2026-05-02T04:30:00Z')).toEqual([
      '2026-05-01 pending 21 1 6',
      '2026-05-02 confirmed 14 1 5',
    ])
  })

  it('are those of one location when it is chosen', async () => {
    expect(await figures('2026-05-01T10:00:00Z', group.locations[1]?.id)).toEqual([
      '2026-05-01 pending 21 1 6',
    ])
  })

  it('are those of a given date', async () => {
    const rows = await serviceSummary({ db: host.db }, { date: '2026-05-02' })
    expect(rows).toMatchObject([{ service_date: '2026-05-02', reservations: 1, covers: 5 }])
  })

  it('follow the source and the name, by the day as by the week', async () => {
    const [madrid] = group.locations
    await stack.sql(
      `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size,
         status, source, customer_name)
       values ($1, $2, '2026-06-01', '21:00', 2, 'confirmed', 'manual', 'Ana Muñoz'),
         ($1, $2, '2026-06-01', '21:00', 3, 'confirmed', 'pms', 'Ana Prieto'),
         ($1, $2, '2026-06-01', '21:00', 4, 'confirmed', 'manual', 'Luis Muñoz')`,
      [group.id, madrid?.id],
    )
    const covers = async (
      filters: { source?: 'pms' | 'manual'; search?: string },
      { db }: Pick<Person, 'db'> = host,
    ) => {
      const day = await serviceSummary({ db }, { date: '2026-06-01', ...filters })
      const week = await dailySummary({ db }, { from: '2026-06-01', to: '2026-06-07', ...filters })
      return [day, week].map((rows) => rows.reduce((sum, row) => sum + row.covers, 0))
    }
    expect(await covers({})).toEqual([9, 9])
    expect(await covers({ source: 'manual' })).toEqual([6, 6])
    expect(await covers({ search: 'munoz' })).toEqual([6, 6])
    expect(await covers({ source: 'manual', search: 'ana MUÑOZ' })).toEqual([2, 2])
    expect(await covers({ search: 'nadie' })).toEqual([0, 0])
    // A person who may not read reservations gets no guest's name from them.
    const dark = await group.person('rrhh')
    expect(await covers({ source: 'manual' }, dark)).toEqual([6, 6])
    expect(await covers({ search: 'munoz' }, dark)).toEqual([0, 0])
  })
})

describe('the next arrivals', () => {
  it('come in order of instant: 21:30 in Madrid is before 21:00 in the Canaries', async () => {
    expect(await arrivals('2026-05-01T10:00:00Z')).toEqual(['m-dinner', 'c-dinner', 'm-late'])
  })

  it('leave out those whose time has passed', async () => {
    expect(await arrivals('2026-05-01T20:30:01Z')).toEqual(['m-late'])
  })
})

describe('the last sync', () => {
  it('returns only the locations of each person, and null before the first sync', async () => {
    const [madrid, canarias] = group.locations
    const caller = {
      db: host.db,
      organization: group.organization,
    }
    expect(await lastSync(caller, [])).toBeNull()
    const report = (id?: string) => ({ id, name: 'x', count: 1, created: 1, updated: 0, failed: false })
    const issue = (id?: string) => ({
      location_id: id,
      location: 'x',
      code: 'timeout',
      reservation: null,
      detail: null,
    })
    const result = {
      locations: [report(madrid?.id), report(canarias?.id)],
      issues: [issue(madrid?.id), issue(canarias?.id)],
    }
    await stack.sql(
      `insert into public.job_runs (organization_id, job, status, started_at, result)
       values ($1, 'sync', 'partial', now() - interval '1 hour', '{}'), ($1, 'sync', 'partial', now(), $2::text::jsonb),
         ($1, 'other', 'failed', now() + interval '1 hour', '{}')`,
      [group.id, JSON.stringify(result)],
    )
    const run = await lastSync(caller, [canarias?.id ?? ''])
    expect(run).toMatchObject({ status: 'partial', result: { locations: [{ id: canarias?.id }] } })
    expect(run?.result.issues).toEqual([issue(canarias?.id)])
  })
})

describe('the occupancy of the current shifts', () => {
  const occupancy = async (now: string) =>
    (await shiftOccupancy({ db: host.db }, { now: new Date(now) })).map(
      ({ name, covers, capacity }) => `${name} ${covers}/${capacity}`,
    )
  const NOON = '2026-05-01T10:00:00Z'
  beforeAll(() =>
    stack.sql(
      `insert into public.shifts (organization_id, location_id, name, weekdays, opens, closes, capacity)
       values ($1, $2, 'Comida', '{5}', '13:00', '16:00', 20), ($1, $2, 'Cena', '{5,6}', '20:00', '01:30', 40),
         ($1, $2, 'Merienda', '{5}', '17:00', '18:00', null), ($1, $2, 'Domingo', '{7}', '13:00', '16:00', 20)`,
      [group.id, group.locations[0]?.id],
    ),
  )

  it('counts who comes and came by shift, after midnight too, beside a capacity that is known', async () => {
    expect(await occupancy(NOON)).toEqual(['Comida 4/20', 'Cena 5/40'])
  })

  it('is empty on a day on which the location is closed', async () => {
    await stack.sql(
      `insert into public.closed_days (organization_id, location_id, day) values ($1, $2, '2026-05-01')`,
      [group.id, group.locations[0]?.id],
    )
    expect(await occupancy(NOON)).toEqual([])
    expect(await occupancy('2026-05-02T10:00:00Z')).toEqual(['Cena 5/40'])
  })
})
