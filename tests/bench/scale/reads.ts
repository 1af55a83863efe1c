import type { Figure } from '../support/figures'
import type { Place } from './place'
import { figureOf, oneByOne, type Row } from './row'

const TIMES = 40

interface Read {
  name: string
  /** What it asks for, by the number of the request. */
  path: (turn: number) => string
  most: number
  /** The same rows as bare SQL by the superuser. */
  floor: { what: string; sql: string; values: (turn: number) => unknown[] }
}

/** Pages and answers, one request after another, as the person who looks at everything. */
export async function reads(place: Place): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const read of await readsOf(place)) figures.push(figureOf(await rowOf(place, read)))
  return figures
}

async function rowOf(place: Place, { name, path, most, floor }: Read): Promise<Row> {
  const goal = { most, unit: 'ms', of: 'p95' } as const
  try {
    const times = await oneByOne(TIMES, async (turn) => {
      const { status, text } = await place.ask(path(turn))
      if (status !== 200) throw new Error(`${path(turn)} answered ${status}: ${text.slice(0, 120)}`)
    })
    const bare = await oneByOne(TIMES, (turn) => place.bare.query(floor.sql, floor.values(turn)))
    return { name, times, floor: { times: bare, what: floor.what }, goal }
  } catch (error) {
    return { name, times: [], goal, note: String(error) }
  }
}

const DAY = `select r.*, l.name, c.first_name, c.last_name from public.reservations r
  join public.locations l on l.id = r.location_id left join public.customers c on c.id = r.customer_id
  where r.location_id = any($1) and r.service_date between $2 and $3 and r.source <> 'import'
  order by r.service_order, r.id limit 100`
const TWO_WEEKS = `select r.location_id, r.service_date, r.status, count(*), sum(r.party_size), sum(r.total_amount)
  from public.reservations r
  where r.location_id = any($1) and r.service_date between $2::date - 13 and $2::date group by 1, 2, 3`
const WORDS = ['garcía', 'lucía fernández', 'martínez ló', 'javier', '61234', 'pérez sánchez', 'carmen ruiz']

async function readsOf({ bare, lab, ask }: Place): Promise<Read[]> {
  const places = lab.locations.map(({ id }) => id)
  const today = new Date().toISOString().slice(0, 10)
  const day = (turn: number) => new Date(Date.parse(today) - turn * 86_400_000).toISOString().slice(0, 10)
  const week = (turn: number) => [day(turn * 7 + 6), day(turn * 7)]
  // The three regulars first.
  const { rows: guests } = await bare.query<{ id: string }>(
    `(select id from public.customers order by total_visits desc limit 3)
     union all (select id from public.customers tablesample system (0.1) limit ${TIMES + 5})`,
  )
  const guest = (turn: number) => guests[turn % guests.length]?.id ?? ''
  const cursors = await deepCursors(ask, TIMES + 5)
  const keys = await deepKeys(bare, lab.organization)
  return [
    {
      name: 'home',
      path: () => '/',
      most: 250,
      floor: { what: 'two weeks by day, place and status', sql: TWO_WEEKS, values: () => [places, today] },
    },
    {
      name: 'stats/overview',
      path: () => '/api/stats/overview',
      most: 150,
      floor: { what: 'two weeks by day, place and status', sql: TWO_WEEKS, values: () => [places, today] },
    },
    {
      name: 'debug-reservations',
      path: () => '/api/admin/debug-reservations',
      most: 50,
      floor: { what: 'the day’s first rows', sql: DAY, values: () => [places, today, today] },
    },
    {
      name: 'reservations of a day, page',
      path: (turn) => `/reservations?date=${day(turn)}`,
      most: 200,
      floor: { what: 'the day’s first rows', sql: DAY, values: (turn) => [places, day(turn), day(turn)] },
    },
    {
      name: 'reservations of a week, page',
      path: (turn) => `/reservations?view=week&date=${day(turn * 7)}`,
      most: 200,
      floor: { what: 'the week’s first rows', sql: DAY, values: (turn) => [places, ...week(turn)] },
    },
    {
      name: 'customers/tags',
      path: () => '/api/customers/tags',
      most: 20,
      floor: {
        what: 'counting the tags',
        sql: 'select t, count(*) from public.customers c, unnest(c.tags) as t where c.organization_id = $1 group by t',
        values: () => [lab.organization],
      },
    },
    {
      name: 'duplicates, page',
      path: () => '/customers/duplicates',
      most: 150,
      floor: duplicates(lab.organization),
    },
    {
      name: 'duplicates, API',
      path: () => '/api/customers/duplicates',
      most: 150,
      floor: duplicates(lab.organization),
    },
    {
      name: 'guests’ list, any depth',
      path: (turn) =>
        `/api/customers?limit=50${cursors[turn] ? `&cursor=${encodeURIComponent(cursors[turn])}` : ''}`,
      most: 29,
      floor: {
        what: '50 rows from a key on',
        sql: `select * from public.customers where organization_id = $1 and (sort_visit, id) < ($2, $3)
          order by sort_visit desc, id desc limit 50`,
        values: (turn) => [lab.organization, ...(keys[turn % keys.length] ?? [])],
      },
    },
    {
      name: 'guests’ list, search',
      path: (turn) =>
        `/api/customers?limit=50&search=${encodeURIComponent(WORDS[turn % WORDS.length] ?? '')}`,
      most: 82,
      floor: {
        what: 'ilike all, newest visit first',
        sql: `select * from public.customers where organization_id = $1
          and search_text like all (select '%' || private.fold(w) || '%' from unnest(string_to_array($2, ' ')) w)
          order by sort_visit desc, id desc limit 50`,
        values: (turn) => [lab.organization, WORDS[turn % WORDS.length]],
      },
    },
    {
      name: 'one guest, page',
      path: (turn) => `/customers/${guest(turn)}`,
      most: 110,
      floor: {
        what: 'the guest and the last 25 reservations',
        sql: `select c.*, r.* from public.customers c left join lateral (
          select * from public.reservations r where r.customer_id = c.id order by r.service_order desc limit 25) as r on true
          where c.id = $1`,
        values: (turn) => [guest(turn)],
      },
    },
  ]
}

const duplicates = (organization: string) => ({
  what: '50 pairs with their guests',
  sql: `select * from (select * from public.identity_pairs where organization_id = $1
      order by probability desc, first_id, second_id limit 50) as p
    join public.customers a on a.id = p.first_id join public.customers b on b.id = p.second_id`,
  values: () => [organization],
})

/** Cursors of the list's pages, from the first to the `count`th. */
async function deepCursors(ask: Place['ask'], count: number): Promise<(string | undefined)[]> {
  const cursors: (string | undefined)[] = [undefined]
  while (cursors.length < count) {
    const cursor = cursors.at(-1)
    const { text } = await ask(
      `/api/customers?limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    )
    const next = (JSON.parse(text) as { next_cursor?: string | null }).next_cursor
    if (!next) break
    cursors.push(next)
  }
  return cursors
}

async function deepKeys(bare: Place['bare'], organization: string): Promise<[Date, string][]> {
  const { rows } = await bare.query<{ sort_visit: Date; id: string }>(
    `select sort_visit, id from public.customers tablesample system (0.1)
     where organization_id = $1 and sort_visit > '-infinity' limit 50`,
    [organization],
  )
  return rows.map(({ sort_visit, id }) => [sort_visit, id])
}
