import { generateKeys } from '../../../supabase/local/keys'
import { startCluster } from '../../support/postgres/cluster'
import { startPostgresStack } from '../../support/postgres/stack'
import type { Stack } from '../../support/stack'
import { watchBackends } from '../identity/million/backends'
import type { Figure } from '../support/figures'
import { startWorker, type Worker } from '../support/worker'
import type { RhythmAnswer, RhythmQuestion } from './million-worker'

const SIZE = 1_000_000
/** The statement limit of the service and of signed-in staff. */
const LIMIT_SECONDS = 8

/**
 * The nightly job and the filtered lists of a group with `size` guests on Postgres, and what a recount of 2,000 guests
 * costs with their rhythm.
 */
export async function rhythmMillionFigures({ size = SIZE }: { size?: number }): Promise<Figure[]> {
  const { connection, stop } = await startCluster()
  try {
    const stack = await startPostgresStack(connection, await generateKeys())
    const app = startWorker<RhythmQuestion, RhythmAnswer>(new URL('million-worker.ts', import.meta.url))
    try {
      return await measure(stack, app, size)
    } finally {
      await app.stop()
      await stack.close()
    }
  } finally {
    await stop()
  }
}

async function measure(
  stack: Stack,
  app: Worker<RhythmQuestion, RhythmAnswer>,
  size: number,
): Promise<Figure[]> {
  const address = { kind: stack.kind, url: stack.url, keys: stack.keys }
  const { organization, location } = await app.ask({ stack: address, ask: 'group' })
  await fill(stack, organization, location, size)
  const backends = watchBackends(stack)
  const night = await app.ask({ stack: address, ask: 'night' })
  const used = await backends.stop()
  const [model] = await stack.sql<{ guests: number; done: boolean }>(
    'select guests, apply_after is null as done from public.rhythm_models',
  )
  if (!model?.done) throw new Error('The nightly job did not finish')
  const lists = await app.ask({ stack: address, ask: 'lists' })
  const steps = night.calls.filter(({ name }) => name === 'apply_rhythm_model')
  return [
    {
      name: `${size} guests: the nightly job`,
      measured: night.milliseconds / 1000,
      unit: 's',
      detail: `${model.guests} guests with a visit, ${steps.length} steps, ${used.seconds.toFixed(1)} s of processor in the database`,
    },
    longest('the longest statement at night', night),
    longest('the slowest list or count of a state', lists),
    await recount(stack),
  ]
}

function longest(name: string, { calls }: RhythmAnswer): Figure {
  const [most] = calls.toSorted((one, other) => other.milliseconds - one.milliseconds)
  const means = new Map<string, number[]>()
  for (const call of calls) means.set(call.name, [...(means.get(call.name) ?? []), call.milliseconds])
  const detail = [...means].map(([call, times]) => `${call} ${Math.round(Math.max(...times))} ms`).join('; ')
  return { name, measured: (most?.milliseconds ?? 0) / 1000, unit: 's', bound: LIMIT_SECONDS, detail }
}

/** Recounts 2,000 guests, as the end of a service does, and then their rhythms alone. */
async function recount(stack: Stack): Promise<Figure> {
  const timed = async (name: string) => {
    await stack.sql(
      'update public.customer_rhythms set usual_days = usual_days + 1 where usual_days is not null',
    )
    const begin = performance.now()
    await stack.sql(`select private.${name}(array(select id from public.customers order by id limit 2000))`)
    return (performance.now() - begin) / 1000
  }
  const [alone, all] = [await timed('refresh_rhythms'), await timed('refresh_customers')]
  const name = 'the rhythms of 2,000 guests in a recount'
  return { name, measured: alone, unit: 's', detail: `the whole recount ${all.toFixed(2)} s` }
}

/** Guests with one to twelve visits each, half of them with one. The triggers are off: they would only take time. */
async function fill(stack: Stack, organization: string, location: string, size: number): Promise<void> {
  await stack.sql('set session_replication_role = replica')
  await stack.sql('select setseed(0.5)')
  await stack.sql(
    `insert into public.customers (organization_id, first_name)
     select $1, 'Ana ' || n from generate_series(1, $2::integer) as n`,
    [organization, size],
  )
  // The same guest waits about the same 1 to 120 days between visits.
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source, service_over, total_amount)
     select $1, $2, g.id, g.last - n * g.wait, '21:00', 2, 'completed', 'pms', true, 40
     from (select c.id, current_date - 1 - (random() * 1000)::integer as last, 1 + (random() * 119)::integer as wait,
       case when random() < 0.5 then 1 else 1 + (random() * 11)::integer end as visits
       from public.customers c offset 0) as g
     cross join lateral generate_series(0, g.visits - 1) as n`,
    [organization, location],
  )
  await stack.sql(
    `update public.customers c set total_visits = v.visits, total_spend = 40 * v.visits, last_visit_at = v.last
     from (select customer_id, count(*) as visits, max(service_order)::timestamptz as last
       from public.reservations group by customer_id) as v where v.customer_id = c.id`,
  )
  await stack.sql('set session_replication_role = origin')
  await stack.sql('vacuum analyze')
  await stack.sql(
    `select private.refresh_rhythms(array_agg(g.id)) from (
       select c.id, row_number() over () / 5000 as batch from public.customers c) as g
     group by g.batch`,
  )
  await stack.sql('vacuum analyze')
}
