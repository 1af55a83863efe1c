import type { Figure } from '../support/figures'
import type { Place } from './place'
import { figureOf } from './row'

const ROUNDS = 3
// One guest in ten loses the tier, so that there is something to raise.
const LOSE = `update public.customers set loyalty_tier_id = null
  where loyalty_tier_id is not null and hashtext(id::text) % 10 = 0`
const RAISE = `update public.customers c set loyalty_tier_id = earned.tier_id
  from (select distinct on (c.id) c.id, t.id as tier_id, t.rank, held.rank as held from public.customers c
    join public.loyalty_rules r on r.location_id = c.location_id and c.total_spend >= r.min_spend
      and c.total_visits >= r.min_visits
    join public.loyalty_tiers t on t.id = r.tier_id
    left join public.loyalty_tiers held on held.id = c.loyalty_tier_id
    order by c.id, t.rank desc) as earned
  where earned.id = c.id and (earned.held is null or earned.rank > earned.held)`

/** The recalculation of every guest's tier, a tenth of which rise. */
export async function tiers(place: Place): Promise<Figure[]> {
  const { bare } = place
  const [times, floor]: number[][] = [[], []]
  let problem: string | undefined
  let longest = 0
  for (let round = 0; round < ROUNDS && !problem; round++) {
    await lose(place)
    floor?.push(await rolledBack(place))
    const watch = watchStatements(place)
    const begin = performance.now()
    const { status, text } = await place.ask('/api/loyalty/recalculate', { method: 'POST', body: '{}' })
    times?.push(performance.now() - begin)
    longest = Math.max(longest, await watch())
    if (status !== 200) problem = `${status}: ${text.slice(0, 120)}`
    await bare.query('truncate public.rate_limits')
  }
  return [
    figureOf({
      name: 'recalculation of all tiers',
      times: problem ? [] : (times ?? []),
      floor: { times: floor ?? [], what: 'one update that joins the rules' },
      goal: { most: 5, unit: 's', of: 'median' },
      note: problem ?? `longest statement ${(longest / 1000).toFixed(1)} s`,
    }),
  ]
}

async function lose({ bare }: Place): Promise<void> {
  await bare.query(`set session_replication_role = replica`)
  await bare.query(LOSE)
  await bare.query(`set session_replication_role = origin`)
  await bare.query('vacuum (analyze) public.customers')
}

async function rolledBack({ bare }: Place): Promise<number> {
  await bare.query('begin')
  const begin = performance.now()
  await bare.query(RAISE)
  const time = performance.now() - begin
  await bare.query('rollback')
  return time
}

/** Watches how long the statements of PostgREST run; the answer is the longest, in milliseconds. */
function watchStatements({ stack }: Place): () => Promise<number> {
  let longest = 0
  let on = true
  const loop = (async () => {
    while (on) {
      const [row] = await stack.sql<{ ms: number | null }>(
        `select max(extract(epoch from clock_timestamp() - query_start) * 1000)::float8 as ms from pg_stat_activity
         where usename = 'authenticator' and state = 'active'`,
      )
      longest = Math.max(longest, row?.ms ?? 0)
      await new Promise((resume) => setTimeout(resume, 50))
    }
  })()
  return async () => {
    on = false
    await loop
    return longest
  }
}
