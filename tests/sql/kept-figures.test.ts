import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGroup, type Group, stackClient } from '../factories/group'
import { createRandom, type Random } from '../fakes/pms/random'
import { type Stack, startStack } from '../support/stack'

const HISTORIES = Number(process.env.FIGURE_HISTORIES ?? 6)
const STEPS = Number(process.env.FIGURE_STEPS ?? 25)
const SEED = process.env.FIGURE_SEED ?? 'figures'
const NOW = '2026-06-20T03:00:00Z'
const STATUSES = ['pending', 'confirmed', 'seated', 'completed', 'cancelled', 'no_show'] as const
const TAGS = ['vip', 'prensa', 'boletín', 'a,b {c}'] as const

let stack: Stack
let group: Group
let other: Group

beforeAll(async () => {
  stack = await startStack()
  const places = ['Norte', 'Sur', 'Este'].map((name) => ({ name, slug: name.toLowerCase() }))
  group = await createGroup(stack, 'Grupo Cifras', places)
  other = await createGroup(stack, 'Otras Cifras', [{ name: 'Oeste', slug: 'oeste' }])
})
beforeEach(() => stack.sql('truncate public.customers, public.reservations, private.figure_checks cascade'))
afterAll(() => stack?.close())

const service = () => stackClient(stack, 'service')
const locations = () => [...group.locations, ...other.locations].map(({ id }) => id)

/** The figures as pages read them, and counted one by one from the reservations. */
const kept = () =>
  stack.sql(
    `select f.location_id, f.service_date::text as day, f.booked::int, f.reservations::int, f.covers::int,
       f.completed::int, f.visits::int, f.cancelled::int, f.no_shows::int, f.walk_ins::int,
       f.known_revenue::float8, f.unknown_covers::int
     from private.figures_of($1, '1900-01-01', '2199-12-31') as f order by 1, 2`,
    [locations()],
  )
interface Row {
  location_id: string
  day: string
  status: (typeof STATUSES)[number]
  party_size: number
  walk_in: boolean
  visited: boolean | null
  amount: number | null
}
async function recounted(): Promise<unknown[]> {
  const rows = await stack.sql<Row>(
    `select location_id, service_date::text as day, status, party_size, walk_in, visited,
       (total_amount * 100)::int as amount from public.reservations where source <> 'import'`,
  )
  const days = Map.groupBy(rows, ({ location_id, day }) => `${location_id} ${day}`)
  return [...days].sort(byKey).map(([key, all]) => {
    const come = all.filter(({ status }) => status !== 'cancelled' && status !== 'no_show')
    const visits = all.filter(({ visited }) => visited)
    const cents = visits.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
    return {
      location_id: key.split(' ')[0],
      day: key.split(' ')[1],
      booked: all.length,
      reservations: come.length,
      covers: guests(come),
      completed: all.filter(({ status }) => status === 'completed').length,
      visits: visits.length,
      cancelled: all.filter(({ status }) => status === 'cancelled').length,
      no_shows: all.filter(({ status }) => status === 'no_show').length,
      walk_ins: come.filter(({ walk_in }) => walk_in).length,
      known_revenue: cents / 100,
      unknown_covers: guests(visits.filter(({ amount }) => amount === null)),
    }
  })
}
const guests = (rows: Row[]) => rows.reduce((sum, { party_size }) => sum + party_size, 0)
const byKey = ([one]: [string, unknown], [two]: [string, unknown]) => (one < two ? -1 : 1)

const counts = async (kind: 'tier' | 'tag', { id } = group) =>
  Object.fromEntries(
    (
      await stack.sql<{ value: string; customers: number }>(
        'select value, customers::int from private.counts_of(array[$1::uuid], $2)',
        [id, kind],
      )
    ).map(({ value, customers }) => [value, customers]),
  )
async function recountedCounts({ id } = group) {
  const rows = await stack.sql<{ tier: string | null; tags: string[] }>(
    'select loyalty_tier_id::text as tier, to_jsonb(tags) as tags from public.customers where organization_id = $1',
    [id],
  )
  const number = (values: string[]) => {
    const found: Record<string, number> = {}
    for (const value of values) found[value] = (found[value] ?? 0) + 1
    return found
  }
  return { tier: number(rows.map(({ tier }) => tier ?? '')), tag: number(rows.flatMap(({ tags }) => tags)) }
}

async function expectExact(after: string) {
  expect({ after, figures: await kept() }).toEqual({ after, figures: await recounted() })
  for (const one of [group, other]) {
    const found = { after, tier: await counts('tier', one), tag: await counts('tag', one) }
    expect(found).toEqual({ after, ...(await recountedCounts(one)) })
  }
}

const check = async (now = NOW, rows = 40) => {
  const mended: string[] = []
  for (const { id } of [group, other])
    for (;;) {
      const parameters = { p_organization: id, p_now: now, p_rows: rows }
      const { data } = await service().rpc('check_daily_figures', parameters).throwOnError()
      const step = data as { more: boolean; location_id?: string; mended: string[] }
      mended.push(...step.mended.map((day) => `${step.location_id} ${day}`))
      if (!step.more) break
    }
  return mended
}
const checkCounts = async () =>
  (await service().rpc('check_customer_counts', { p_organization: group.id }).throwOnError()).data

/** The name of a statement, and the statement: each changes many rows at once. */
function statement(random: Random): [name: string, sql: string, parameters: unknown[]] {
  const some = `abs(hashtext(id::text || ${random.int(0, 1e6)})) % ${random.int(1, 6)} = 0`
  const place = random.pick(locations())
  const change = (set: string): [string, string, unknown[]] => [
    set,
    `update public.reservations set ${set} where ${some} and $1::uuid is not null`,
    [place],
  ]
  const guest = (set: string): [string, string, unknown[]] => [
    set,
    `update public.customers set ${set} where ${some} and $1::uuid is not null`,
    [place],
  ]
  return random.pick([
    [
      'book',
      `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size,
         status, source, total_amount, walk_in)
       select l.organization_id, l.id, date '2026-06-01' + (n * 7 % 12), time '04:30' + n % 9 * interval '2 hours',
         1 + n % 8, (array['${STATUSES.join("','")}'])[1 + n % 6], (array['pms','manual','import'])[1 + n % 3],
         case when n % 4 = 0 then n * 1.37 end, n % 5 = 0
       from public.locations l, generate_series(${random.int(0, 40)}, ${random.int(41, 90)}) as n where l.id = $1`,
      [place],
    ],
    [
      'meet',
      `insert into public.customers (organization_id, first_name, tags, loyalty_tier_id)
       select l.organization_id, 'Guest ' || n, (array['${TAGS.join("','")}'])[1 : n % 5],
         (select t.id from public.loyalty_tiers t where t.organization_id = l.organization_id and t.rank = n % 4)
       from public.locations l, generate_series(1, ${random.int(1, 30)}) as n where l.id = $1`,
      [place],
    ],
    change(`status = '${random.pick(STATUSES)}'`),
    change(`party_size = ${random.int(1, 20)}, total_amount = ${random.pick(['null', '12.34', '100000'])}`),
    change('service_over = not service_over'),
    change(`reservation_date = reservation_date + ${random.int(-3, 3)}`),
    change(
      `location_id = $1, organization_id = (select organization_id from public.locations where id = $1)`,
    ),
    change(`notes = 'nothing that counts'`),
    change('walk_in = not walk_in'),
    ['cancel for good', `delete from public.reservations where ${some}`, []],
    guest(`tags = array_append(tags, '${random.pick(TAGS)}')`),
    guest(`tags = array_remove(tags, '${random.pick(TAGS)}')`),
    guest('loyalty_tier_id = null'),
    guest(`loyalty_tier_id = (select t.id from public.loyalty_tiers t
      where t.organization_id = customers.organization_id and t.rank = ${random.int(0, 3)})`),
    guest(`notes = 'nothing that counts'`),
    ['forget', `delete from public.customers where ${some}`, []],
    ['fold', 'select public.fold_figures($1)', [random.int(1, 30)]],
  ])
}

describe('the kept figures and counts', () => {
  it(`equal a recount after each step of ${HISTORIES} random histories (seed ${SEED})`, {
    timeout: 300_000,
  }, async () => {
    const random = createRandom(SEED)
    for (let history = 0; history < HISTORIES; history++) {
      await stack.sql('truncate public.customers, public.reservations cascade')
      for (let step = 0; step < STEPS; step++) {
        const [name, sql, parameters] = statement(random)
        await stack.sql(sql, parameters)
        await expectExact(`${history}.${step} ${name}`)
      }
      expect(await check(NOW)).toEqual([])
      await stack.sql('truncate private.figure_checks')
    }
  })

  it('stay exact while writers, folds and checks run at once', { timeout: 120_000 }, async () => {
    const [place] = locations()
    const rows = (batch: number, status: string) =>
      Array.from({ length: 30 }, (_, n) => ({
        external_id: `r${batch}-${n}`,
        email: `g${n}@correo.example`,
        customer_name: `Guest ${n}`,
        reservation_date: `2026-06-${10 + (n % 5)}`,
        reservation_time: '21:00',
        party_size: 1 + (n % 6),
        status,
      }))
    const sync = (batch: number, status: string) =>
      service()
        .rpc('sync_reservations', { p_location: place ?? '', p_rows: rows(batch, status), p_now: NOW })
        .throwOnError()
    const fold = () => service().rpc('fold_figures', { p_limit: 5 }).throwOnError()
    const mark = (day: number, status: string) =>
      service()
        .from('reservations')
        .update({ status })
        .eq('service_date', `2026-06-${day}`)
        .eq('status', 'confirmed')
        .throwOnError()
    const mended: unknown[] = []
    for (let round = 0; round < 6; round++) {
      await Promise.all([
        ...[0, 1, 2].map((batch) => sync(batch, round % 2 === 0 ? 'confirmed' : 'completed')),
        ...[10, 11, 12, 13].map((day) => mark(day, round % 2 === 0 ? 'seated' : 'no_show')),
        ...Array.from({ length: 4 }, fold),
        check(`2026-06-2${round}T03:00:00Z`).then((found) => mended.push(...found)),
        checkCounts().then((found) => mended.push(...(found as unknown[]))),
      ])
      await expectExact(`round ${round}`)
    }
    // A check that sees another transaction's change or the reservations, not both, would "mend" what is right.
    expect(mended).toEqual([])
  })

  it('fold into one row a day and value', async () => {
    const book = `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size)
      values ($1, $2, '2026-06-01', '14:00', 2)`
    const meet = `insert into public.customers (organization_id, first_name, tags) values ($1, 'Ana', '{vip}')`
    for (let n = 0; n < 5; n++) {
      await stack.sql(book, [group.id, locations()[0]])
      await stack.sql(meet, [group.id])
    }
    const stored = async () => [
      ...(await stack.sql('select id = 0 as folded, booked from private.daily_figures')),
      ...(await stack.sql(
        'select id = 0 as folded, kind, customers from private.customer_counts order by kind',
      )),
    ]
    expect(await stored()).toHaveLength(15)
    const fold = (p_limit?: number) => service().rpc('fold_figures', { p_limit }).throwOnError()
    expect((await fold(5)).data).toBe(true)
    while ((await fold()).data);
    expect(await stored()).toEqual([
      { folded: true, booked: 5 },
      { folded: true, kind: 'tag', customers: 5 },
      { folded: true, kind: 'tier', customers: 5 },
    ])
    await stack.sql('delete from public.reservations')
    await stack.sql('delete from public.customers')
    while ((await fold()).data);
    expect(await stored()).toEqual([])
  })

  it('are empty once the location and the organization are gone', async () => {
    const gone = await createGroup(stack, 'Grupo Cerrado', [{ name: 'Cerrado', slug: 'cerrado' }])
    const place = gone.locations[0]?.id
    await stack.sql(
      `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size)
       values ($1, $2, '2026-06-01', '14:00', 2)`,
      [gone.id, place],
    )
    await stack.sql(`insert into public.customers (organization_id, first_name) values ($1, 'Ana')`, [
      gone.id,
    ])
    await stack.sql('delete from public.locations where id = $1', [place])
    await stack.sql('delete from public.customers where organization_id = $1', [gone.id])
    while ((await service().rpc('fold_figures').throwOnError()).data);
    expect(await stack.sql('select 1 from private.daily_figures')).toEqual([])
    expect(await stack.sql('select 1 from private.customer_counts')).toEqual([])
  })
})

describe('the nightly check', () => {
  const wrong = async () => {
    const [norte = '', sur = ''] = locations()
    const book = `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size)
      select $1, $2, date '2026-06-01' + n % 6, '14:00', 2 from generate_series(1, 60) as n`
    for (const place of [norte, sur]) await stack.sql(book, [group.id, place])
    await stack.sql(
      `insert into public.customers (organization_id, first_name, tags) select $1, 'Ana', '{vip}' from generate_series(1, 3)`,
      [group.id],
    )
    // A restored table, say: its triggers did not run.
    await stack.sql(`set session_replication_role = replica`)
    await stack.sql(
      `delete from public.reservations where location_id = $1 and service_date = '2026-06-02'`,
      [norte],
    )
    await stack.sql(
      `update public.reservations set total_amount = 50, status = 'completed'
       where location_id = $1 and service_date = '2026-06-05'`,
      [sur],
    )
    await stack.sql(`update public.customers set tags = '{prensa}'`)
    await stack.sql(`set session_replication_role = origin`)
    return [`${norte} 2026-06-02`, `${sur} 2026-06-05`]
  }

  it('finds and mends what is wrong, some days at a time', async () => {
    const days = await wrong()
    expect((await check()).sort()).toEqual(days.sort())
    expect(await checkCounts()).toEqual(
      expect.arrayContaining([
        { kind: 'tag', value: 'vip', customers: -3 },
        { kind: 'tag', value: 'prensa', customers: 3 },
      ]),
    )
    await expectExact('the check')
    expect(await check('2026-06-21T03:00:00Z')).toEqual([])
    expect(await checkCounts()).toEqual([])
  })

  it('goes on where it was, and begins anew after 12 hours', async () => {
    const days = await wrong()
    const parameters = { p_organization: group.id, p_now: NOW, p_rows: 20 }
    const step = async (p_now = NOW) =>
      (
        await service()
          .rpc('check_daily_figures', { ...parameters, p_now })
          .throwOnError()
      ).data as {
        more: boolean
        mended: string[]
      }
    const found: string[] = []
    for (let steps = 0; steps < 100; steps++) {
      const { more, mended } = await step()
      found.push(...mended)
      if (!more) break
      expect(steps).toBeLessThan(99)
    }
    expect(found.sort()).toEqual(days.map((day) => day.slice(-10)).sort())
    expect((await step('2026-06-20T14:00:00Z')).more).toBe(false)
    expect((await step('2026-06-20T15:00:01Z')).more).toBe(true)
  })
})
