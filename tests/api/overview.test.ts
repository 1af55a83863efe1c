import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statsOverview } from '@/lib/overview/stats'
import { ROLES } from '@/lib/permissions'
import { createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let other: Group
let boss: Client
let norteOnly: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Cifras', [
    { name: 'Norte', slug: 'norte', averageSpend: 30.5 },
    { name: 'Sur', slug: 'sur', averageSpend: null },
  ])
  other = await createGroup(app.stack, 'Otras Cifras', [{ name: 'Este', slug: 'este' }])
  const visits: [string, string, string, number, string, number | null, string?][] = [
    ['Norte', '2026-05-10', '21:00', 2, 'completed', null],
    ['Norte', '2026-05-10', '21:00', 3, 'completed', 99.9],
    ['Norte', '2026-05-11', '01:00', 4, 'confirmed', null],
    ['Norte', '2026-05-12', '21:00', 5, 'cancelled', 70],
    ['Norte', '2026-05-12', '21:00', 9, 'completed', 900, 'import'],
    ['Sur', '2026-05-12', '14:00', 6, 'no_show', null],
    ['Sur', '2026-05-12', '14:00', 7, 'completed', null],
    ['Norte', '2026-05-09', '21:00', 1, 'completed', 10],
    ['Norte', '2026-05-06', '21:00', 8, 'completed', 1000],
    ['Este', '2026-05-12', '14:00', 50, 'completed', 5000],
  ]
  for (const [place, date, time, party, status, amount, source = 'pms'] of visits)
    await app.stack.sql(
      `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size,
         status, total_amount, source) select l.organization_id, l.id, $2, $3, $4, $5, $6, $7
       from public.locations l where l.id = $1`,
      [at(place), date, time, party, status, amount, source],
    )
  await app.stack.sql(
    `insert into public.customers (organization_id, loyalty_tier_id)
     select $1, (select id from public.loyalty_tiers where organization_id = $1 and name = tier)
     from unnest(array['Oro', 'Oro', 'Plata', null]) as tier`,
    [group.id],
  )
  await app.stack.sql('insert into public.customers (organization_id) values ($1)', [other.id])
  await asked('2025-01-01', '2026-12-31')
  boss = await signedIn(await group.person('super_admin'))
  norteOnly = await signedIn(await group.person('pr_comunicacion', [at('Norte')]))
})
afterAll(() => app?.close())

const at = (name: string) =>
  String([...group.locations, ...other.locations].find((one) => one.name === name)?.id)
const ask = (query = '', client = boss) => client.request('GET', `/api/stats/overview${query}`).then(answer)
// Only what was completed counts as a visit here: the rows are not closed.
const figures = (
  booked = 0,
  covers = 0,
  completed = 0,
  cancelled = 0,
  no_shows = 0,
  revenue = 0,
  estimated_revenue = 0,
) => ({
  known: 'all',
  booked,
  reservations: booked - cancelled - no_shows,
  covers,
  completed,
  visits: completed,
  cancelled,
  no_shows,
  revenue,
  estimated_revenue,
})
const none = {
  booked: null,
  reservations: null,
  covers: null,
  completed: null,
  visits: null,
  cancelled: null,
  no_shows: null,
  revenue: null,
  estimated_revenue: null,
}
/** The PMS has been asked for these days of Norte and Sur. */
const asked = (from: string | null, until: string | null, name?: string) =>
  app.stack.sql(
    `update public.locations set known_from = $2, known_until = $3 where organization_id = $1 and name = coalesce($4, name)`,
    [group.id, from, until, name ?? null],
  )
const PERIOD = '?from=2026-05-10&to=2026-05-12'

describe('GET /api/stats/overview', () => {
  it('sums up a period, its days and locations, and the period before', async () => {
    const { status, body } = await ask(PERIOD)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      from: '2026-05-10',
      to: '2026-05-12',
      totals: figures(6, 16, 3, 1, 1, 160.9, 61),
      previous: { from: '2026-05-07', to: '2026-05-09', ...figures(1, 1, 1, 0, 0, 10) },
      days: [
        { date: '2026-05-10', ...figures(3, 9, 2, 0, 0, 160.9, 61) },
        { date: '2026-05-11', ...figures() },
        { date: '2026-05-12', ...figures(3, 7, 1, 1, 1, 0) },
      ],
      locations: [
        { id: at('Norte'), name: 'Norte', known_until: '2026-12-31', ...figures(4, 9, 2, 1, 0, 160.9, 61) },
        { id: at('Sur'), name: 'Sur', known_until: '2026-12-31', ...figures(2, 7, 1, 0, 1, 0) },
      ],
      customers: {
        total: 4,
        by_tier: [
          { id: expect.any(String), name: 'Bronce', customers: 0 },
          { id: expect.any(String), name: 'Plata', customers: 1 },
          { id: expect.any(String), name: 'Oro', customers: 2 },
          { id: expect.any(String), name: 'Platino', customers: 0 },
        ],
      },
    })
  })

  it('is for every role of the office', async () => {
    const { body } = await ask(PERIOD)
    for (const role of ROLES.filter((one) => one !== 'sala'))
      expect(await ask(PERIOD, await signedIn(await group.person(role)))).toEqual({ status: 200, body })
  })

  it('is of one location when asked, and of the caller’s only', async () => {
    const sur = await ask(`${PERIOD}&location_id=${at('Sur').toUpperCase()}`)
    expect(sur.body.data.totals).toEqual(figures(2, 7, 1, 0, 1, 0))
    expect(sur.body.data.locations.map(({ name }: { name: string }) => name)).toEqual(['Sur'])
    const bound = await ask(PERIOD, norteOnly)
    expect(bound.body.data.totals).toEqual(figures(4, 9, 2, 1, 0, 160.9, 61))
    expect(bound.body.data.locations.map(({ name }: { name: string }) => name)).toEqual(['Norte'])
    for (const [client, id] of [
      [norteOnly, at('Sur')],
      [boss, at('Este')],
      [boss, crypto.randomUUID()],
    ] as const)
      expect(await ask(`${PERIOD}&location_id=${id}`, client)).toEqual(refusal('NOT_FOUND'))
  })

  it('has no data, not zero, for days that were never fetched from the PMS', async () => {
    await asked('2026-05-10', '2026-05-11')
    await asked('2026-05-10', '2026-05-10', 'Sur')
    const { data } = (await ask('?from=2026-05-10&to=2026-05-14')).body
    expect(data.totals).toEqual({ ...figures(6, 16, 3, 1, 1, 160.9, 61), known: 'some' })
    expect(data.previous).toMatchObject({ known: 'none', reservations: 2 })
    expect(data.days).toEqual([
      { date: '2026-05-10', ...figures(3, 9, 2, 0, 0, 160.9, 61) },
      { date: '2026-05-11', ...figures(), known: 'some' },
      // What is there counts, also when made by hand.
      { date: '2026-05-12', ...figures(3, 7, 1, 1, 1, 0), known: 'none' },
      { date: '2026-05-13', ...none, known: 'none' },
      { date: '2026-05-14', ...none, known: 'none' },
    ])
    expect(data.locations).toMatchObject([
      { name: 'Norte', known_until: '2026-05-11', known: 'some' },
      { name: 'Sur', known_until: '2026-05-10', known: 'some' },
    ])
    const ahead = (await ask('?from=2026-05-20&to=2026-05-21')).body.data
    expect(ahead.totals).toEqual({ ...none, known: 'none' })
    expect(ahead.locations[0]).toEqual({
      id: at('Norte'),
      name: 'Norte',
      known_until: '2026-05-11',
      known: 'none',
      ...none,
    })
    expect(ahead.previous).toMatchObject({ known: 'none', reservations: null })
    await asked('2025-01-01', '2026-12-31')
  })

  it('knows every day of a location without a PMS, and asks for nothing of a closed one', async () => {
    await asked('2026-05-10', '2026-05-10')
    await app.stack.sql('update public.locations set pms_id = null where id = $1', [at('Sur')])
    const sur = (await ask(`?from=2026-06-01&to=2026-06-01&location_id=${at('Sur')}`)).body.data
    expect(sur.days).toEqual([{ date: '2026-06-01', ...figures() }])
    expect(sur.locations[0].known_until).toBe(null)
    expect((await ask('?from=2026-06-01&to=2026-06-01')).body.data.days[0].known).toBe('some')
    await app.stack.sql('update public.locations set is_active = false where id = $1', [at('Norte')])
    expect((await ask('?from=2026-06-01&to=2026-06-01')).body.data.days[0]).toMatchObject({
      known: 'all',
      reservations: 0,
    })
    await app.stack.sql(`update public.locations set is_active = true, pms_id = lower(name)`)
    await asked('2025-01-01', '2026-12-31')
  })

  it('is of the last seven service days by default', async () => {
    const { db } = await group.person('ceo')
    // 01:30 in Madrid on the 13th: still the service of the 12th.
    const now = new Date('2026-05-12T23:30:00Z')
    const { from, to, days, totals } = await statsOverview({ db }, {}, now)
    expect([from, to, days.length]).toEqual(['2026-05-06', '2026-05-12', 7])
    expect([totals.booked, totals.reservations]).toEqual([8, 6])
    expect(await statsOverview({ db }, { to: '2026-05-10' }, now)).toMatchObject({ from: '2026-05-04' })
    expect(await statsOverview({ db }, { from: '2026-05-11' }, now)).toMatchObject({ to: '2026-05-12' })
  })

  it('takes a year, and no more', async () => {
    expect((await ask('?from=2025-05-13&to=2026-05-13')).body.data.days).toHaveLength(366)
    const refused = refusal('INVALID_INPUT')
    expect(await ask('?from=2025-05-12&to=2026-05-13')).toEqual(refused)
    expect(await ask('?from=2026-05-13&to=2026-05-12')).toEqual(refused)
    expect(await ask('?from=1900-01-01')).toEqual(refused)
  })

  it.each([
    'from=2026-02-30',
    'from=0000-00-00',
    'from=0000-01-01',
    'to=99999-01-01',
    'to=9999-12-31',
    'from=infinity',
    'from=',
    'from=%00',
    'location_id=x',
    'location_id=%00',
  ])('refuses %s', async (query) => {
    expect(await ask(`?${query}`)).toEqual(refusal('INVALID_INPUT'))
  })
})
