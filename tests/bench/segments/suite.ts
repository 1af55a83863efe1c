import type { SegmentNode } from '@/lib/segments/schema'
import { type Figure, median } from '../support/figures'
import { BARE, BARE_CODES, either, nested, together } from './definitions'
import { type Lab, withLab } from './lab'

const WARM_UP = 3
const ROUNDS = 20
const BOUND_SECONDS = 0.3

/** Segments of ten conditions over the demo: count with first page, as a list, and against the same by hand. */
export function segmentFigures(): Promise<Figure[]> {
  return withLab(async (lab) => {
    const [size] = await lab.stack.sql<{ customers: number; reservations: number }>(
      `select (select count(*)::integer from public.customers) as customers,
         (select count(*)::integer from public.reservations) as reservations`,
    )
    console.log(`${size?.customers} customers, ${size?.reservations} reservations`)
    const figures: Figure[] = []
    for (const [name, definition] of Object.entries({
      'ten that must hold': together(lab),
      'ten of which one is enough': either(lab),
      'ten in groups': nested(lab),
    })) {
      figures.push(await previewed(lab, name, definition), ...(await listed(lab, name, definition)))
    }
    figures.push(await againstBareSql(lab))
    return figures
  })
}

async function times(run: () => Promise<unknown>): Promise<number[]> {
  for (let turn = 0; turn < WARM_UP; turn++) await run()
  const found: number[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    const begin = performance.now()
    await run()
    found.push((performance.now() - begin) / 1000)
  }
  return found
}

function figure(name: string, found: number[], detail: string): Figure {
  const sorted = found.toSorted((one, other) => one - other)
  const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.NaN
  return {
    name: `${name}, p95`,
    measured: p95,
    unit: 's',
    bound: BOUND_SECONDS,
    detail: `median ${median(found).toFixed(3)} s; ${detail}`,
  }
}

async function previewed({ db }: Lab, name: string, definition: SegmentNode): Promise<Figure> {
  let customers = 0
  const found = await times(async () => {
    const { data, error } = await db.rpc('preview_segment', { p_definition: definition })
    if (error) throw error
    customers = data.customers
  })
  if (customers === 0) throw new Error(`${name}: nobody matches, which measures nothing`)
  return figure(`count and first 20: ${name}`, found, `${customers} customers`)
}

async function listed({ db }: Lab, name: string, definition: SegmentNode): Promise<Figure[]> {
  const made = await db.rpc('save_segment', { p_fields: { name, shared: true, definition } })
  if (made.error) throw made.error
  const p_filters = { segment_id: made.data.segment.id }
  const page = await times(async () => {
    const { data, error } = await db.rpc('list_customers', { p_filters, p_limit: 51 })
    if (error || data.length === 0) throw error ?? new Error('an empty page')
  })
  const count = await times(async () => {
    const { error } = await db.rpc('count_customers', { p_filters })
    if (error) throw error
  })
  return [
    figure(`page of the list: ${name}`, page, '51 rows'),
    figure(`count of the list: ${name}`, count, 'to 5,001'),
  ]
}

async function againstBareSql(lab: Lab): Promise<Figure> {
  const { stack, organization, tiers, locations } = lab
  const definition = JSON.stringify(together(lab))
  // The day of the group, which is not that of UTC around midnight.
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Madrid' }).format()
  const parameters = [organization, tiers, locations, BARE_CODES, today]
  const run = (text: string, values: unknown[]) => () => stack.sql<{ n: number }>(text, values)
  // The function's own query, planned and run each time, as preview_segment does it.
  await stack.sql(
    `create or replace function public.bench_preview(o uuid, d jsonb) returns jsonb language plpgsql as $f$
     declare r record; begin
       execute format('with found as materialized (%s) select (select count(*) from found) as n,
         array(select f.id from found f order by f.sort_visit desc, f.id desc limit 20) as ids',
         private.segment_query(d, private.segment_scope_of(o, now(), false))) into r using o;
       return jsonb_build_object('n', r.n, 'first', private.segment_page(r.ids));
     end $f$`,
  )
  const [bare] = await run(BARE, parameters)()
  const [built] = await stack.sql<{ found: { n: number } }>(
    'select public.bench_preview($1, $2::jsonb) as found',
    [organization, definition],
  )
  if (bare?.n !== built?.found.n) throw new Error(`by hand ${bare?.n}, ours ${built?.found.n}`)
  const byHand = await times(run(BARE, parameters))
  const byUs = await times(run('select public.bench_preview($1, $2::jsonb)', [organization, definition]))
  return {
    name: 'ten that must hold / the same SQL by hand',
    measured: median(byUs) / median(byHand),
    unit: '×',
    bound: 2,
    detail: `${median(byUs).toFixed(3)} s and ${median(byHand).toFixed(3)} s, ${bare?.n} customers`,
  }
}
