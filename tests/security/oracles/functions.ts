import type { Stack } from '../../support/stack'
import { type World, worldless } from './worlds'

interface Argument {
  name: string
  type: string
  optional: boolean
}
interface Callable {
  name: string
  args: Argument[]
  isVoid: boolean
}

/** Runs statements as a signed-in person, each undone again; their answers or errors as text. */
const ANSWERS = `
  create function tries.answers(p_claims text[], p_calls text[]) returns text[] language plpgsql as $$
  declare
    v_claims text;
    v_call text;
    v_answer text;
    v_all text[] := '{}';
  begin
    for v_claims, v_call in select * from unnest(p_claims, p_calls) loop
      v_answer := null;
      begin
        perform set_config('request.jwt.claims', v_claims, true), set_config('role', 'authenticated', true);
        execute v_call into v_answer;
        raise exception using errcode = 'ZZ999';
      exception
        when sqlstate 'ZZ999' then null;
        when others then v_answer := sqlstate || ' ' || sqlerrm;
      end;
      v_all := v_all || coalesce(v_answer, 'null');
    end loop;
    return v_all;
  end $$`

/** Every function of public that signed-in people may call. */
export async function callableFunctions(stack: Stack): Promise<Callable[]> {
  return stack.sql<Callable>(
    `select p.proname::text as name, p.prorettype = 'void'::regtype as "isVoid", coalesce((
       select jsonb_agg(jsonb_build_object('name', p.proargnames[n], 'type', format_type(p.proargtypes[n - 1], null),
         'optional', n > p.pronargs - p.pronargdefaults) order by n)
       from generate_series(1, p.pronargs) as n), '[]') as args
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
       and has_function_privilege('authenticated', p.oid, 'execute') order by 1`,
  )
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Conditions that ask about reservations, and about the other location by name. */
export function definitionsOf({ own, other }: World): object[] {
  const [there, here] = [{ locations: [other.location] }, { locations: [own.location] }]
  const period = { days: 365 }
  return [
    ...[1, 2, 3].flatMap((min) => [
      { field: 'visits', min, ...there },
      { field: 'visits', min, period },
      { field: 'no_shows', min },
    ]),
    ...[1, 100, 200].flatMap((min) => [
      { field: 'spend', min, ...there },
      { field: 'spend', min, period, ...here },
    ]),
    ...[10, 30, 60].map((min) => ({ field: 'no_show_rate', min })),
    { field: 'booking', days: 5 },
    { field: 'booking', days: 5, ...there },
    { not: { field: 'no_shows', max: 1 } },
    { field: 'last_visit', is: 'within', days: 25 },
    { field: 'rhythm', is: 'on_time' },
    { field: 'rfm', classes: ['champions', 'loyal', 'dormant'] },
    { field: 'received' },
    { field: 'opened', days: 25 },
    { not: { field: 'clicked' } },
    { field: 'not_written', days: 3 },
    { field: 'survey_score', max: 2 },
    { field: 'visited_on', weekdays: [1, 2, 3, 4, 5, 6, 7], shift: 'dinner', days: 30 },
    { field: 'first_visit', period },
    { field: 'first_visit', period: { days: 59 } },
    { field: 'party_size', min: 2 },
  ]
}

/** The filters of the list of customers, the built-in groups among them, and those of other lists. */
function filtersOf({ own, other, guests }: World): object[] {
  const groups = ['inactive', 'new', 'vip', 'birthday', 'no_show'].map((segment) => ({ segment }))
  return [
    {},
    ...groups,
    ...['on_time', 'at_risk', 'lost', 'unknown', 'overdue'].map((rhythm) => ({ rhythm })),
    { inactive_days: 10 },
    { segment_id: own.rows.segments },
    { consent: 'email:reachable' },
    { location_id: own.location },
    { location_id: other.location },
    { ids: [guests.guest, guests.foreign] },
    { search: ['ana'] },
    { customer_id: guests.guest },
  ]
}

/** The values that each parameter is tried with, by its name. */
function valuesOf(world: World): Record<string, unknown[]> {
  const { own, other, guests } = world
  const all = Object.values(guests)
  return {
    p_location: [own.location, other.location],
    p_locations: [[own.location]],
    p_customer: all,
    p_ids: [all],
    p_others: [[guests.foreign]],
    p_duplicate_id: [guests.twin, guests.foreign],
    p_reservations: [[own.rows.reservations, other.rows.reservations]],
    p_filters: filtersOf(world),
    p_definition: definitionsOf(world),
    p_sort: ['recent', 'name', 'spend', 'visits'],
    p_kind: ['adjusted'],
    p_status: ['sent'],
    p_role: ['rrhh'],
    p_scope: ['one'],
    p_which: ['others'],
    p_outcome: ['left'],
    p_split: ['channel', 'tier'],
    p_date: [day(0), day(-9), day(1)],
    p_day: [day(0), day(-9), day(1)],
    p_from: [day(-200)],
    p_since: [day(-200)],
    p_to: [day(30)],
    p_above: [0],
    p_certain: [false],
    p_approve: [true, false],
    p_action: ['customers.exported'],
    p_person: [{ first_name: 'Ana', last_name: 'Ruiz', phone: '+34600111222' }],
    p_fields: [
      { name: 'Nuevo', shared: true, definition: { field: 'no_shows', min: 1 } },
      { first_name: 'Ana', last_name: 'Ruiz', phone: '+34600111222' },
      { location_id: own.location, customer_id: guests.guest, status: 'confirmed', party_size: 2 },
    ],
    p_entry: [{ name: 'Ana', party_size: 2, phone: '+34600111222' }],
    p_taps: [
      [{ key: own.location, kind: 'seated', id: own.rows.reservations, at: new Date().toISOString() }],
    ],
  }
}

const BY_TYPE: Record<string, unknown> = {
  text: 'x',
  'text[]': ['email'],
  jsonb: {},
  integer: 1,
  bigint: 1,
  real: 0,
  boolean: false,
  date: day(0),
  'timestamp with time zone': day(-1),
  numeric: 1,
}
/** Optional parameters that are left out: the page's place, the moment. */
const LEFT_OUT = /^p_(now|after|before|limit|most|people|months|above)/

/** The calls of a function: each parameter in turn with each of its values, the others with their first (or left out). */
export function callsOf({ name, args, isVoid }: Callable, world: World): { label: string; sql: string }[] {
  const values = valuesOf(world)
  const ids = [
    ...new Set([
      ...Object.values(world.own.rows),
      ...Object.values(world.guests),
      ...Object.values(world.other.rows),
    ]),
  ]
  const taken = args.filter((argument) => !(argument.optional && LEFT_OUT.test(argument.name)))
  const choices = taken.map(({ name: parameter, type, optional }) => {
    const offered = offeredTo(parameter, type)
    return optional ? [undefined, ...offered] : offered
  })
  function offeredTo(parameter: string, type: string): unknown[] {
    const isList = type.endsWith('[]')
    const named = values[parameter]?.filter((value) => type === 'jsonb' || Array.isArray(value) === isList)
    if (named?.length) return named
    if (type === 'uuid') return ids
    return [type === 'uuid[]' ? ids : (BY_TYPE[type] ?? null)]
  }
  const first = choices.map(([value]) => value)
  const sets = [first, ...choices.flatMap((list, n) => list.slice(1).map((value) => first.with(n, value)))]
  return sets.map((set) => {
    const given = set
      .flatMap((value, n) =>
        value === undefined ? [] : [`${taken[n]?.name} => ${literal(value, taken[n]?.type ?? '')}`],
      )
      .join(', ')
    const call = `public.${name}(${given})`
    return {
      label: `${name}(${worldless(given)})`,
      sql: isVoid
        ? `select ${call}::text`
        : `select coalesce(jsonb_agg(to_jsonb(f)), '[]')::text from ${call} as f`,
    }
  })
}

function literal(value: unknown, type: string): string {
  const text = (one: unknown) =>
    `'${(typeof one === 'object' ? JSON.stringify(one) : String(one)).replaceAll("'", "''")}'`
  if (value === null) return 'null'
  if (type.endsWith('[]')) return `array[${(value as unknown[]).map(text).join(', ')}]::${type}`
  return `${text(value)}::${type}`
}

/** What the people of these claims get for the statements, which change nothing. All are asked at one moment. */
export async function answersOf(stack: Stack, asked: { claims: string; sql: string }[]): Promise<string[]> {
  await stack.sql('create schema tries')
  await stack.sql(ANSWERS)
  const [row] = await stack.sql<{ answers: string[] }>(
    'select tries.answers($1::text[], $2::text[]) as answers',
    [asked.map(({ claims }) => claims), asked.map(({ sql }) => sql)],
  )
  await stack.sql('drop schema tries cascade')
  return row?.answers ?? []
}
