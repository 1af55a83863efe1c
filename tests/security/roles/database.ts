import { request } from '../../sql/ask'
import type { Cast, Who } from '../../sql/cast'
import type { Stack } from '../../support/stack'
import type { Place } from './places'

/** A table and the columns that signed-in people may select. */
export interface Table {
  name: string
  columns: string[]
}

/** Every table and view of public. */
export async function catalogue(stack: Stack): Promise<Table[]> {
  return stack.sql<Table>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum)
       filter (where has_column_privilege('authenticated', c.oid, a.attnum, 'select')) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
     group by c.relname order by 1`,
  )
}

/** What a person should not have read of a table. */
export async function readEveryTable(
  cast: Cast,
  who: Who,
  { name, columns }: Table,
  hidden: readonly string[],
): Promise<string[]> {
  const text = await (await request(cast, who, `${name}?select=${columns?.join(',') ?? '*'}`)).text()
  const problems = hidden.filter((mark) => text.includes(mark))
  if (['anon', 'fired'].includes(who) && text !== '[]' && !text.includes('42501')) problems.push(text)
  return problems.map((problem) => `${who}: ${name}: ${problem}`)
}

/** Tries to change and delete every row of a table; what was not refused. */
export async function writeEveryTable(cast: Cast, who: Who, { name, columns }: Table): Promise<string[]> {
  const filter = `${columns?.[0] ?? 'id'}=not.is.null`
  const tries = [
    { method: 'PATCH', body: { [columns?.[0] ?? 'id']: null }, path: `${name}?${filter}` },
    { method: 'DELETE', path: `${name}?${filter}` },
    { method: 'POST', body: {}, path: name },
  ] as const
  const problems: string[] = []
  for (const { path, ...question } of tries) {
    const response = await request(cast, who, path, question)
    const text = await response.text()
    if (response.ok) problems.push(`${who}: ${question.method} ${name}: ${response.status} ${text}`)
  }
  return problems
}

interface Argument {
  name: string
  type: string
}
type Call = (hidden: readonly string[]) => Promise<string[]>

const VALUES: Record<string, unknown> = {
  text: 'x',
  'text[]': [],
  jsonb: {},
  integer: 1,
  bigint: 1,
  boolean: false,
  date: '2026-11-20',
  'timestamp with time zone': '2026-11-20T11:00:00Z',
  numeric: 1,
}
/** Words that some functions know. */
const WORDS: Record<string, unknown> = {
  p_sort: 'name',
  p_kind: 'adjusted',
  p_status: 'sent',
  p_role: 'rrhh',
}

/** Calls of every function of public: once with each row of the other place for its ids. */
export async function callEveryFunction(cast: Cast, who: Who, place: Place): Promise<Call[]> {
  const functions = await cast.stack.sql<{ name: string; args: Argument[]; granted: boolean }>(
    `select p.proname::text as name, coalesce((
       select jsonb_agg(jsonb_build_object('name', p.proargnames[n], 'type', format_type(p.proargtypes[n - 1], null)) order by n)
       from generate_series(1, p.pronargs) as n), '[]') as args,
       has_function_privilege('authenticated', p.oid, 'execute') as granted
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype order by 1`,
  )
  const ids = Object.values(place.rows)
  return functions.flatMap(({ name, args, granted }) => {
    const takesIds = args.some(({ type }) => type.startsWith('uuid'))
    // Functions that no one may call are called once.
    const lists = takesIds && granted && who !== 'anon' ? ids : [ids[0] ?? '']
    return lists.map((id) => async (hidden: readonly string[]) => {
      const body = Object.fromEntries(args.map((argument) => [argument.name, valueFor(argument, id)]))
      const text = await (await request(cast, who, `rpc/${name}`, { method: 'POST', body })).text()
      return hidden
        .filter((mark) => text.includes(mark))
        .map((mark) => `${who}: ${name}(${JSON.stringify(body)}): ${mark}`)
    })
  })
}

function valueFor({ name, type }: Argument, id: string): unknown {
  if (type === 'uuid') return id
  if (type === 'uuid[]') return [id]
  if (name === 'p_rules' || name === 'p_changes' || name === 'p_rows') return []
  return WORDS[name] ?? VALUES[type] ?? null
}
