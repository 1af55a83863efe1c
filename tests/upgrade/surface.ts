import { query } from './deployment'

/** A function as the API calls it: by the names of its arguments. */
interface Callable {
  role: string
  name: string
  inputs: { name: string; type: string; optional: boolean }[]
  /** The type; of a set of rows each `column type`. */
  outputs: string[]
}

/** What a database offers to the roles of the API, in which an app asks. */
export interface Surface {
  /** `authenticated may update tickets.title (text)`, `ticket_status has open`. */
  facts: string[]
  functions: Callable[]
  /** Columns that every insert has to give, as `tickets.title`. */
  required: string[]
  /** What refuses or hides rows: checks, unique indexes, foreign keys, not null, policies, domains. */
  rules: Rule[]
}

interface Rule {
  /** The table or the domain. */
  on: string
  /** As `tickets.title`; none: the whole row. */
  columns: string[]
  rule: string
}

// What the queries read, each with its alias: the roles, the columns of our tables and views, the arguments of a function `p`.
const ROLES = `(select oid, rolname as name from pg_roles
    where rolname in ('anon', 'authenticated', 'service_role')) as r`
const COLUMNS = `(select c.oid::regclass as path, c.relkind, a.* from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
      and a.attnum > 0 and not a.attisdropped) as a`
const ARGUMENTS = `unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames,
    coalesce(p.proargmodes, array_fill('i'::"char", array[p.pronargs]))) with ordinality as a (type, name, mode, place)`

const FACTS = `
  select format('%s may %s %s.%s (%s)', r.name, privilege, a.path, a.attname,
      format_type(a.atttypid, a.atttypmod)) as line
    from ${ROLES} cross join (values ('select'), ('insert'), ('update')) as p (privilege) cross join ${COLUMNS}
    where has_column_privilege(r.oid, a.attrelid, a.attnum, privilege)
      and (privilege = 'select' or a.attgenerated = '' and a.attidentity <> 'a')
  union all
  select format('%s may delete from %s', r.name, c.oid::regclass) from ${ROLES} cross join pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and has_table_privilege(r.oid, c.oid, 'delete')
  union all
  select format('%s has %s', t.oid::regtype, e.enumlabel) from pg_enum e join pg_type t on t.oid = e.enumtypid
    where t.typnamespace = 'public'::regnamespace`

// An answer reads the same as json and as jsonb.
const FUNCTIONS = `
  select r.name as role, p.oid::regproc::text as name,
    coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'type', format_type(a.type, null),
      'optional', a.place > p.pronargs - p.pronargdefaults) order by a.place)
      filter (where a.mode in ('i', 'b', 'v')), '[]') as inputs,
    coalesce(jsonb_agg(concat_ws(' ', a.name, replace(format_type(a.type, null), 'jsonb', 'json')) order by a.place)
        filter (where a.mode in ('o', 'b', 't')),
      jsonb_build_array(concat(case when p.proretset then 'setof ' end,
        replace(format_type(p.prorettype, null), 'jsonb', 'json')))) as outputs
  from ${ROLES} cross join pg_proc p left join lateral ${ARGUMENTS} on true
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
    and has_function_privilege(r.oid, p.oid, 'execute')
  group by r.name, p.oid, p.pronargs, p.pronargdefaults, p.proretset, p.prorettype`

const REQUIRED = `
  select format('%s.%s', a.path, a.attname) as line from ${COLUMNS}
    where a.attnotnull and not a.atthasdef and a.attidentity = '' and a.attgenerated = '' and a.relkind <> 'v'`

const RULES = `
  select k.oid::regclass::text as on, array(select format('%s.%s', k.oid::regclass, attname) from pg_attribute
      where attrelid = k.oid and attnum = any(r.places)) as columns, r.rule
    from (
      select conrelid as oid, conkey as places, pg_get_constraintdef(oid) as rule from pg_constraint
        where contype in ('c', 'x', 'f')
      union all
      select indrelid, indkey::int2[], regexp_replace(pg_get_indexdef(indexrelid), '^.* USING', 'UNIQUE')
        from pg_index where indisunique
      union all
      select polrelid, '{}', format('POLICY %s %s %s: %s, %s', polcmd, polpermissive, polroles::regrole[],
        pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from pg_policy
      union all
      select attrelid, array[attnum], format('%s IS NOT NULL', attname) from pg_attribute
        where attnotnull and attnum > 0
      union all
      select oid, '{}', 'ROW LEVEL SECURITY' from pg_class where relrowsecurity) as r
    join pg_class k on k.oid = r.oid
    where k.relnamespace = 'public'::regnamespace and k.relkind in ('r', 'p')
  union all
  select contypid::regtype::text, '{}', pg_get_constraintdef(oid) from pg_constraint
    where contypid <> 0 and connamespace = 'public'::regnamespace`

/** Reads what a database offers. */
export async function surfaceOf(database: string): Promise<Surface> {
  const lines = async (sql: string) => (await query<{ line: string }>(database, sql)).map(({ line }) => line)
  return {
    facts: await lines(FACTS),
    functions: await query<Callable>(database, FUNCTIONS),
    required: await lines(REQUIRED),
    rules: await query<Rule>(database, RULES),
  }
}

/** What an app of `former` asks for and `present` does not give it, in words. */
export function gapsOf(former: Surface, present: Surface): string[] {
  const facts = new Set(present.facts)
  const required = new Set(former.required)
  const known = new Set(former.rules.map(({ on }) => on))
  return [
    ...former.facts.filter((fact) => !facts.has(fact)),
    ...former.functions
      .filter((asked) => !present.functions.some((given) => answers(given, asked)))
      .map(({ role, name, inputs }) => `${role} may call ${name}(${inputs.map((each) => each.name)})`),
    ...present.required
      .filter((column) => !required.has(column) && known.has(column.replace(/\.[^.]+$/, '')))
      .map((column) => `asks for ${column}`),
    ...newRules(former, present),
  ].sort()
}

/** New rules of what the former app knew, and those that its upserts and embeds asked for and that went. */
function newRules(former: Surface, present: Surface): string[] {
  const worded = ({ on, rule }: Rule) => `${on}: ${rule}`
  const [was, is] = [new Set(former.rules.map(worded)), new Set(present.rules.map(worded))]
  const tables = new Set(former.rules.map(({ on }) => on))
  const columns = new Set(former.facts.map((fact) => / (\S+) \(/.exec(fact)?.[1]))
  const concerns = (rule: Rule) =>
    tables.has(rule.on) && (rule.columns.length === 0 || rule.columns.some((column) => columns.has(column)))
  return [
    ...present.rules.filter((rule) => !was.has(worded(rule)) && concerns(rule)).map(worded),
    ...former.rules
      .filter((rule) => /^(UNIQUE|FOREIGN|POLICY)/.test(rule.rule) && !is.has(worded(rule)))
      .map((rule) => `gone: ${worded(rule)}`),
  ]
}

/** Whether a call as the former app makes it, with or without what was optional, finds `given` and what it reads of the answer. */
function answers(given: Callable, asked: Callable): boolean {
  const byName = new Map(asked.inputs.map((input) => [input.name, input]))
  return (
    given.role === asked.role &&
    given.name === asked.name &&
    given.inputs.every(({ name, optional, type }) => {
      const former = byName.get(name)
      return former ? former.type === type && (optional || !former.optional) : optional
    }) &&
    asked.inputs.every(({ name }) => given.inputs.some((input) => input.name === name)) &&
    asked.outputs.every((output) => given.outputs.includes(output))
  )
}
