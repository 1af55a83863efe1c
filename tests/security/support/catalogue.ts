import type { Stack } from '../../support/stack'

/** A column of a table of public or private; `type` as format_type names it. */
export interface Column {
  schema: string
  table: string
  column: string
  type: string
  inKey: boolean
  generated: boolean
  /** Someone of the API may write it. */
  writable: boolean
}

/** A function of public that the API may call, and the role that is meant to. */
export interface Routine {
  name: string
  role: 'anon' | 'authenticated' | 'service_role'
  args: { name: string; type: string; optional: boolean }[]
  stable: boolean
  source: string
}

/** Every column of the app's own tables, from the catalogue. */
export function columnsOf(stack: Stack): Promise<Column[]> {
  return stack.sql<Column>(`
    select n.nspname as schema, c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
      coalesce(a.attnum = any(k.conkey), false) as "inKey", a.attgenerated <> '' as generated,
      a.attgenerated = '' and (has_column_privilege('authenticated', c.oid, a.attnum, 'insert, update')
        or has_column_privilege('service_role', c.oid, a.attnum, 'insert, update')) as writable
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
    where n.nspname in ('public', 'private') and c.relkind in ('r', 'p')
    order by 1, 2, a.attnum`)
}

/** Every function that the API's roles may call, from the catalogue. */
export async function functionsOf(stack: Stack): Promise<Routine[]> {
  const rows = await stack.sql<
    Omit<Routine, 'args'> & { names: string[]; types: string[]; defaults: number }
  >(`
    select p.proname as name, case when has_function_privilege('anon', p.oid, 'execute') then 'anon'
        when has_function_privilege('authenticated', p.oid, 'execute') then 'authenticated'
        else 'service_role' end as role,
      p.provolatile <> 'v' as stable, p.prosrc as source, p.pronargdefaults::integer as defaults,
      to_jsonb(coalesce(p.proargnames[1:p.pronargs], '{}')) as names,
      (select coalesce(jsonb_agg(format_type(t.type, null) order by t.place), '[]')
        from unnest(p.proargtypes::oid[]) with ordinality as t (type, place)) as types
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and (
      has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('service_role', p.oid, 'execute'))
    order by 1`)
  return rows.map(({ names, types, defaults, ...routine }) => ({
    ...routine,
    args: names.map((name, place) => ({
      name,
      type: types[place] ?? '',
      optional: place >= names.length - defaults,
    })),
  }))
}

const HASHES = /^private\.customer_identity\.by_/

/**
 * What is stored that no page can show, column by column. Generated sort keys may hold an infinity of their own; hashes
 * are any integer and on no page.
 */
export async function storedOddities(stack: Stack, columns: Column[]): Promise<string[]> {
  const tests = columns.flatMap(({ schema, table, column, type, generated }) => {
    const odd = oddity(`"${column}"`, type)
    if (!odd || generated || HASHES.test(`${schema}.${table}.${column}`)) return []
    return [
      `select '${schema}.${table}.${column}' as place where exists (select from ${schema}."${table}" where ${odd})`,
    ]
  })
  const rows = await stack.sql<{ place: string }>(tests.join(' union all '))
  return rows.map(({ place }) => place)
}

function oddity(column: string, type: string): string | null {
  if (type === 'numeric[]')
    return `cardinality(${column}) > 500 or exists (select from unnest(${column}) as v where v is null or v::text = 'NaN' or abs(v) > 1e10)`
  if (type === 'text') return `length(${column}) > 20000`
  if (type.startsWith('numeric'))
    return `${column}::text in ('NaN', 'Infinity', '-Infinity') or abs(${column}) > 1e10`
  if (type === 'integer') return `abs(${column}::bigint) > 1000000000`
  if (/^(date|timestamp)/.test(type)) return `not ${column} between '1900-01-01' and '2300-01-01'`
  if (type === 'jsonb') return `pg_column_size(${column}) > 17000000`
  if (type.endsWith('[]'))
    return `cardinality(${column}) > 500 or array_position(${column}, null) is not null`
  return null
}
