import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { customerHabits } from '@/lib/customers/habits'
import { SEEDS } from '@/lib/rhythm/fit'
import type { Parameters } from '@/lib/rhythm/model'
import { createGroup, type Group, type Person, stackClient } from '../factories/group'
import { createRandom } from '../fakes/pms/random'
import { emptyTables } from '../support/empty-tables'
import { cutsOf, returnProbability, rhythmOf } from '../support/rhythm-oracle'
import { type Stack, startStack } from '../support/stack'

const GUESTS = 300
const DAY = 86_400_000
const TODAY = '2026-11-20'
const OWN: Parameters = { r: 0.9, alpha: 40, a: 0.5, b: 2 }
const ago = (days: number) => new Date(Date.parse(TODAY) - days * DAY).toISOString().slice(0, 10)

let stack: Stack
let group: Group
let boss: Person

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Ritmo', [{ name: 'Norte', slug: 'norte' }])
  boss = await group.person('admin')
})
afterAll(() => stack?.close())
beforeEach(() => stack.sql(emptyTables('customers', 'rhythm_models')))

interface Booking {
  day: string
  time?: string
  status?: string
  source?: string
}
const id = (n: number) => `b0000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Guests with these bookings, of services that are over, and their rhythms. */
async function guestsWith(...histories: Booking[][]): Promise<void> {
  const guests = histories.map((bookings, n) => ({ id: id(n), bookings }))
  await stack.sql(
    `insert into public.customers (id, organization_id, first_name)
     select g.id, $1, 'Ana' from jsonb_to_recordset($2::jsonb) as g (id uuid)`,
    [group.id, JSON.stringify(guests)],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source, service_over, total_amount)
     select $1, $2, g.id, b.day, coalesce(b.time, '21:00'), 2, coalesce(b.status, 'completed'), coalesce(b.source, 'pms'), true, 30
     from jsonb_to_recordset($3::jsonb) as g (id uuid, bookings jsonb)
     cross join lateral jsonb_to_recordset(g.bookings) as b (day date, "time" time, status text, source text)`,
    [group.id, group.locations[0]?.id, JSON.stringify(guests)],
  )
  await refresh()
}
const refresh = () => stack.sql('select private.refresh_customers(array(select id from public.customers))')

interface Row {
  id: string
  visit_days: number
  first_day: string
  last_day: string
  usual_days: number | null
  states: string[]
}
const STATES = ['on_time', 'at_risk', 'lost', 'overdue', 'unknown']
/** The rows of customer_rhythms with their states of that day. */
const rhythms = (today = TODAY) =>
  stack.sql<Row>(
    `select customer_id::text as id, visit_days, first_day::text, last_day::text, usual_days,
       array_remove(array[${STATES.map((_, n) => `case when ${stateSql[n]} then '${STATES[n]}' end`).join(', ')}], null) as states
     from public.customer_rhythms k order by 1`.replaceAll('$today', `'${today}'`),
  )
let stateSql: string[] = []
beforeAll(async () => {
  const [row] = await stack.sql<{ texts: string[] }>(
    `select array(select private.rhythm_state(s, 'k', date '2000-01-01') from unnest($1::text[]) as s) as texts`,
    [STATES],
  )
  stateSql = (row?.texts ?? []).map((text) => text.replaceAll("'2000-01-01'", '$today'))
})

/** Bookings of a random guest: rare or frequent, some cancelled, of imports, or twice a day. */
function drawn(random: ReturnType<typeof createRandom>): Booking[] {
  const wait = random.pick([2, 7, 30, 90, 400])
  const bookings: Booking[] = []
  let since = random.int(0, 1500)
  for (let left = random.int(0, 12); left > 0 && since >= 0; left--) {
    bookings.push({
      day: ago(since),
      time: random.pick(['14:00', '21:00']),
      status: random.pick(['completed', 'completed', 'completed', 'seated', 'cancelled', 'no_show']),
      source: random.pick(['pms', 'pms', 'manual', 'import']),
    })
    since -= random.int(0, wait * 2)
  }
  return bookings
}
const cameOn = (bookings: Booking[]) =>
  bookings
    .filter(({ status, source }) => ['completed', 'seated'].includes(status ?? '') && source !== 'import')
    .map(({ day }) => day)

describe('rhythms of generated histories', () => {
  it.each([
    ['the shipped parameters', SEEDS],
    ['the group’s own', OWN],
  ])('are what a plain computation says, by %s', async (_, parameters) => {
    const random = createRandom('rhythm')
    const histories = Array.from({ length: GUESTS }, () => drawn(random))
    await guestsWith(...histories)
    if (parameters === OWN) {
      await stack.sql('select public.save_rhythm_model($1, $2, 300, $3)', [
        group.id,
        JSON.stringify(OWN),
        `${TODAY}T03:00:00Z`,
      ])
      const next = () =>
        stackClient(stack, 'service')
          .rpc('apply_rhythm_model', { p_organization: group.id, p_limit: 70 })
          .throwOnError()
      while ((await next()).data);
    }
    const seen = new Set<string>()
    for (const today of [TODAY, ago(-40), ago(-400)]) {
      const expected = histories.flatMap((bookings, n) => {
        const rhythm = rhythmOf(cameOn(bookings), today, parameters)
        if (!rhythm) return []
        const states = [rhythm.state, ...(rhythm.isOverdue ? ['overdue'] : [])]
        for (const state of states) seen.add(state)
        const { visits, first, last, usual } = rhythm
        return [
          {
            id: id(n),
            visit_days: visits,
            first_day: first,
            last_day: last,
            usual_days: usual,
            states,
          },
        ]
      })
      expect(await rhythms(today)).toEqual(expected)
    }
    expect([...seen].sort()).toEqual([...STATES].sort())
  })
})

describe('the rhythm of a guest', () => {
  const card = async (n = 0) => {
    const { usual_days, rhythm, return_probability } = await customerHabits(
      { db: boss.db },
      id(n),
      new Date(`${TODAY}T20:00:00Z`),
    )
    return { usual_days, rhythm, return_probability }
  }

  it('is none of someone who never came, cancelled, did not turn up, or was imported', async () => {
    await guestsWith(
      [],
      [
        { day: ago(40), status: 'cancelled' },
        { day: ago(30), status: 'no_show' },
        { day: ago(20), source: 'import' },
      ],
    )
    expect(await rhythms()).toEqual([])
    expect(await card(1)).toEqual({ usual_days: null, rhythm: null, return_probability: null })
  })

  it('has no usual interval after one visit or two, nor of lunch and dinner of one day', async () => {
    await guestsWith([{ day: ago(9), time: '14:00' }, { day: ago(9) }], [{ day: ago(9) }, { day: ago(2) }])
    expect(await rhythms()).toMatchObject([
      { visit_days: 1, usual_days: null },
      { visit_days: 2, usual_days: null },
    ])
    for (const n of [0, 1])
      expect(await card(n)).toEqual({ usual_days: null, rhythm: 'unknown', return_probability: null })
    await stack.sql('update public.reservations set reservation_date = reservation_date - 3000')
    await refresh()
    expect((await rhythms()).map(({ states }) => states)).toEqual([['unknown'], ['unknown']])
  })

  it('has a chance of a visit within the year after three visits', async () => {
    await guestsWith([{ day: ago(49) }, { day: ago(29) }, { day: ago(9) }])
    expect(await card()).toMatchObject({ usual_days: 20, rhythm: 'on_time' })
    const history = { repeats: 2, recency: 40, age: 49 }
    expect((await card()).return_probability).toBeCloseTo(returnProbability(SEEDS, history), 10)
  })

  it('follows a visit that is taken back, down to none', async () => {
    const visits = [ago(30), ago(20), ago(10)]
    await guestsWith(visits.map((day) => ({ day })))
    expect(await card()).toMatchObject({ usual_days: 10, rhythm: 'on_time' })
    for (const day of visits) {
      await stack.sql(`update public.reservations set status = 'no_show' where reservation_date = $1`, [day])
      await refresh()
    }
    expect(await rhythms()).toEqual([])
  })

  it('is of both records after a merge, and of each again after its undo', async () => {
    await guestsWith([{ day: ago(40) }, { day: ago(20) }], [{ day: ago(30) }, { day: ago(10) }])
    const apart = await rhythms()
    const merged = await boss.db.rpc('merge_customers', { p_id: id(0), p_duplicate_id: id(1) }).throwOnError()
    expect(merged.data).toMatchObject({ outcome: 'merged' })
    expect(await rhythms()).toMatchObject([
      { id: id(0), visit_days: 4, usual_days: 10, first_day: ago(40), last_day: ago(10) },
    ])
    const [merge] = await stack.sql<{ id: string }>('select id::text from public.customer_merges')
    const undone = await boss.db.rpc('undo_merge', { p_id: merge?.id ?? '' }).throwOnError()
    expect(undone.data).toMatchObject({ outcome: 'undone' })
    expect(await rhythms()).toEqual(apart)
  })
})

describe('the list of customers', () => {
  const listed = async (rhythm: string) => {
    const filters = { p_filters: { rhythm }, p_now: `${TODAY}T20:00:00Z` }
    const list = await boss.db.rpc('list_customers', { ...filters, p_sort: 'name' }).throwOnError()
    const count = await boss.db.rpc('count_customers', filters).throwOnError()
    const ids = (list.data ?? []).map(({ customer }) => (customer as { id: string }).id).sort()
    expect(count.data).toBe(ids.length)
    return ids
  }

  it('is filtered by the state of the rhythm, on the group’s own day', async () => {
    const regular = (last: number) => [28, 21, 14, 7, 0].map((before) => ({ day: ago(last + before) }))
    await guestsWith([], [{ day: ago(900) }], regular(3), regular(1000), regular(40))
    const expected = await rhythms()
    for (const state of STATES) {
      const ids = expected.filter(({ states }) => states.includes(state)).map((row) => row.id)
      expect(ids.length, state).toBeGreaterThan(0)
      expect(await listed(state), state).toEqual(ids)
    }
  })

  it('refuses a state that does not exist', async () => {
    const { error } = await boss.db.rpc('list_customers', { p_filters: { rhythm: 'gone' } })
    expect(error?.code).toBe('22023')
  })

  it('has nobody in an empty group', async () => {
    for (const state of STATES) expect(await listed(state)).toEqual([])
  })
})

describe('the model of a group', () => {
  const due = async (now = `${TODAY}T03:00:00Z`) => {
    const found = await stackClient(stack, 'service')
      .rpc('rhythm_histories', { p_organization: group.id, p_now: now })
      .throwOnError()
    return found.data as unknown as { guests: number; parameters: Parameters; histories: number[][] | null }
  }
  const save = (parameters: object, guests: number, now = `${TODAY}T03:00:00Z`) =>
    stack.sql('select public.save_rhythm_model($1, $2, $3, $4)', [
      group.id,
      JSON.stringify(parameters),
      guests,
      now,
    ])
  const regulars = (guests: number): Booking[][] =>
    Array.from({ length: guests }, (_, n) => [{ day: ago(100) }, ...(n % 4 ? [] : [{ day: ago(60) }])])

  it('is the shipped one of a group with too little data', async () => {
    await guestsWith(...regulars(199))
    expect(await due()).toEqual({ guests: 199, parameters: SEEDS, histories: null })
  })

  it('is due from 200 guests on; then when a fifth more came, or after a week', async () => {
    await guestsWith(...regulars(200))
    const { histories } = await due()
    expect(histories?.sort()).toEqual([
      [0, 0, 100, 150],
      [1, 40, 100, 50],
    ])
    await save(OWN, 200)
    expect(await due()).toEqual({ guests: 200, parameters: OWN, histories: null })
    expect((await due('2026-11-27T03:00:01Z')).histories).not.toBeNull()
    await save(OWN, 160, '2026-11-20T03:00:00Z')
    expect((await due()).histories).not.toBeNull()
  })

  it('keeps the parameters when only the fifths are measured anew', async () => {
    await guestsWith(...regulars(10))
    await save(OWN, 10)
    await save({}, 10, '2026-11-21T03:00:00Z')
    expect(await due()).toMatchObject({ parameters: OWN })
    const guests = await stack.sql<{ total_visits: number; total_spend: number; last_visit_at: string }>(
      'select total_visits, total_spend::float, to_json(last_visit_at) #>> array[]::text[] as last_visit_at from public.customers',
    )
    const { recency, visits, spend } = cutsOf(guests, new Date('2026-11-21T03:00:00Z'))
    const cuts = { recency_cuts: recency, visit_cuts: visits, spend_cuts: spend }
    expect(
      await stack.sql(
        'select recency_cuts, visit_cuts, spend_cuts::float[], guests from public.rhythm_models',
      ),
    ).toEqual([{ ...cuts, guests: 10 }])
  })

  it('takes the guests of an empty group for none', async () => {
    expect(await due()).toEqual({ guests: 0, parameters: SEEDS, histories: null })
    await save({}, 0)
    expect(await stack.sql('select 1 from public.rhythm_models')).toEqual([])
    const apply = stackClient(stack, 'service').rpc('apply_rhythm_model', { p_organization: group.id })
    expect((await apply.throwOnError()).data).toBe(false)
  })

  it('refuses parameters out of bounds', async () => {
    await guestsWith(...regulars(1))
    await expect(save({ ...OWN, r: 0 }, 1)).rejects.toThrow(/check/)
    await expect(save({ ...OWN, alpha: 'NaN' }, 1)).rejects.toThrow(/check/)
  })
})
