import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { twoDays } from '@/lib/calendar/events'
import { customersToKnow, dailySummary } from '@/lib/overview/reads'
import { dueTickets } from '@/lib/tickets/tickets'
import { createGroup, type Group, type Person } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

const DAY = '2027-03-01'
const NOON = new Date(`${DAY}T11:00:00Z`)

let stack: Stack
let group: Group
let host: Person
let bound: Person

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Anfitrión', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  host = await group.person('operaciones')
  bound = await group.person('operaciones', [group.locations[1]?.id ?? ''])
  const [norte, sur] = group.locations
  await stack.sql(
    `insert into public.customers (organization_id, first_name, birth_date, notes, tags, total_visits, last_visit_at,
       loyalty_tier_id)
     values ($1, 'Alergia', null, null, '{Alérgica}', 3, $2, null),
       ($1, 'Bisiesta', '1992-02-29', null, '{}', 3, $2, null),
       ($1, 'Antigua', '1900-03-01', null, '{}', 3, $2, null),
       ($1, 'Lejana', '1992-03-05', null, '{}', 3, $2, null),
       ($1, 'Nueva', null, null, '{}', 0, null, null),
       ($1, 'Oro', null, null, '{}', 9, $2, (select id from public.loyalty_tiers where organization_id = $1 and name = 'Oro')),
       ($1, 'Plata', null, null, '{}', 9, $2, (select id from public.loyalty_tiers where organization_id = $1 and name = 'Plata')),
       ($1, 'Vuelve', null, null, '{}', 2, $2::timestamptz - interval '200 days', null),
       ($1, 'Falta', null, null, '{}', 2, $2, null),
       ($1, 'Ventana', null, 'Le gusta la ventana', '{}', 2, $2, null)`,
    [group.id, '2027-02-20T20:00:00Z'],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, customer_name, external_id,
       reservation_date, reservation_time, party_size, status, source)
     select $1, case when c.first_name in ('Oro', 'Falta') then $3::uuid else $2::uuid end, c.id, c.first_name,
       'r-' || c.first_name, $4::date, time '20:00' + (row_number() over (order by c.first_name)) * interval '5 minutes',
       2, 'confirmed', 'pms'
     from public.customers c where c.organization_id = $1`,
    [group.id, norte?.id, sur?.id, DAY],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, customer_name, external_id,
       reservation_date, reservation_time, party_size, status, source)
     select $1, $2, c.id, 'Falta', 'x-' || n, $3::date - n, '21:00', 4, case n when 1 then 'no_show' when 2 then 'no_show'
       when 3 then 'cancelled' else 'completed' end, case n when 2 then 'import' else 'pms' end
     from public.customers c cross join generate_series(1, 4) as n
     where c.organization_id = $1 and c.first_name = 'Falta'`,
    [group.id, norte?.id, DAY],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, customer_name, external_id,
       reservation_date, reservation_time, party_size, status, source)
     select $1, $2, c.id, 'Cancela', 'gone', $3::date, '22:00', 4, 'cancelled', 'pms'
     from public.customers c where c.organization_id = $1 and c.first_name = 'Nueva'`,
    [group.id, norte?.id, DAY],
  )
})
afterAll(() => stack?.close())

const known = async (person: Person, filter = {}) => {
  const { customers, total } = await customersToKnow({ db: person.db }, { now: NOON, limit: 20, ...filter })
  return { names: customers.map((customer) => customer.customer_name), customers, total }
}

describe('the customers to know', () => {
  it('are those with a reason, by time, and no others', async () => {
    const { names, customers, total } = await known(host)
    expect(names).toEqual(['Alergia', 'Bisiesta', 'Falta', 'Nueva', 'Oro', 'Ventana', 'Vuelve'])
    expect(total).toBe(7)
    const of = (name: string) => customers.find((customer) => customer.customer_name === name)
    expect(of('Alergia')).toMatchObject({ allergy: true, vip: false, first_visit: false, away: false })
    // 29 February is kept on the 28th: yesterday.
    expect(of('Bisiesta')).toMatchObject({ birthday_in: -1, allergy: false })
    expect(of('Falta')).toMatchObject({ no_shows: 1 })
    expect(of('Nueva')).toMatchObject({ first_visit: true, no_shows: 0 })
    expect(of('Oro')).toMatchObject({ vip: true, tier: 'Oro', location_name: 'Sur' })
    expect(of('Ventana')).toMatchObject({ notes: 'Le gusta la ventana', allergy: false })
    expect(of('Vuelve')).toMatchObject({ away: true })
  })

  it('are cut to the most important, and still counted', async () => {
    const { names, total } = await known(host, { limit: 2 })
    expect(names).toEqual(['Alergia', 'Oro'])
    expect(total).toBe(7)
  })

  it('are those of the locations one works in, or of the one asked for', async () => {
    // The no-show was at the other location.
    expect((await known(bound)).names).toEqual(['Oro'])
    expect((await known(bound, { locationId: group.locations[0]?.id })).names).toEqual([])
    expect((await known(host, { locationId: group.locations[1]?.id })).names).toEqual(['Falta', 'Oro'])
  })

  it('are hidden from people who may not read reservations', async () => {
    expect((await known(await group.person('rrhh'))).names).toEqual([])
  })
})

describe('the days of a week', () => {
  it('tell who comes, and who does not, by location', async () => {
    const days = await dailySummary({ db: host.db }, { from: '2027-02-25', to: DAY })
    const lines = days.map((row) => {
      const place = group.locations.find(({ id }) => id === row.location_id)?.name
      return `${row.service_date} ${place} ${row.reservations}/${row.covers} ${row.no_shows} ${row.cancelled}`
    })
    expect(lines.sort()).toEqual([
      '2027-02-25 Norte 1/4 0 0',
      '2027-02-26 Norte 0/0 0 1',
      '2027-02-28 Norte 0/0 1 0',
      '2027-03-01 Norte 8/16 0 1',
      '2027-03-01 Sur 2/4 0 0',
    ])
  })
})

describe('the tickets that are due', () => {
  it('are the open ones in the last quarter of their time or past it, the most urgent first', async () => {
    const [norte, sur] = group.locations
    await stack.sql(
      `insert into public.tickets (organization_id, subject, priority, status, location_id, created_at)
       values ($1, 'pasado', 'urgent', 'open', $2, $4::timestamptz - interval '3 hours'),
         ($1, 'cerca', 'medium', 'waiting', $3, $4::timestamptz - interval '19 hours'),
         ($1, 'lejos', 'medium', 'open', $3, $4::timestamptz - interval '17 hours'),
         ($1, 'hecho', 'urgent', 'resolved', $2, $4::timestamptz - interval '3 hours'),
         ($1, 'de todos', 'low', 'in_progress', null, $4::timestamptz - interval '60 hours')`,
      [group.id, norte?.id, sur?.id, NOON.toISOString()],
    )
    const subjects = async (person: Person, filter = {}) =>
      (await dueTickets({ db: person.db }, { now: NOON, ...filter })).tickets.map(({ subject }) => subject)
    expect(await subjects(host)).toEqual(['pasado', 'cerca', 'de todos'])
    expect(await subjects(bound)).toEqual(['cerca', 'de todos'])
    expect(await subjects(host, { locationId: norte?.id })).toEqual(['pasado'])
    const total = async (filter = {}) =>
      (await dueTickets({ db: host.db }, { now: NOON, limit: 1, ...filter })).total
    expect(await total()).toBe(3)
    expect(await total({ locationId: norte?.id })).toBe(1)
  })
})

describe('the events of two days', () => {
  it('are those of the zone’s today and tomorrow and those under way, of the location asked for', async () => {
    const [norte, sur] = group.locations
    await stack.sql(
      `insert into public.calendar_events (organization_id, title, event_datetime, ends_at, location_id)
       values ($1, 'ayer', '2027-02-28 22:59+00', null, $2), ($1, 'medianoche', '2027-02-28 23:00+00', null, $2),
         ($1, 'noche', '2027-03-01 22:59+00', null, null), ($1, 'mañana', '2027-03-01 23:00+00', null, $3),
         ($1, 'pasado', '2027-03-02 23:00+00', null, $3),
         ($1, 'feria', '2026-12-20 09:00+00', '2027-03-05 12:00+00', $2),
         ($1, 'acabada', '2027-02-28 19:00+00', '2027-03-01 02:00+00', null)`,
      [group.id, norte?.id, sur?.id],
    )
    const titles = async (filter = {}) => {
      const { underWay, today, tomorrow } = await twoDays(
        { db: host.db },
        { timezone: 'Europe/Madrid', now: NOON, ...filter },
      )
      return [underWay, today, tomorrow].map((events) => events.map(({ title }) => title))
    }
    expect(await titles()).toEqual([['feria'], ['medianoche', 'noche'], ['mañana']])
    expect(await titles({ locationId: sur?.id })).toEqual([[], [], ['mañana']])
    expect(await titles({ timezone: 'Atlantic/Canary' })).toEqual([
      ['feria'],
      ['noche', 'mañana'],
      ['pasado'],
    ])
  })
})
