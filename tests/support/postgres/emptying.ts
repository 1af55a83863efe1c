/** What runs statements: a client of `pg`, or the embedded engine. */
export interface Database {
  query: <Row>(text: string, values?: unknown[]) => Promise<{ rows: Row[] }>
}

/** What a migrated database is, apart from the rows that people and jobs make. */
export interface Baseline {
  /** A digest of functions, policies, tables, triggers, rights and settings. */
  schema: string
  /** A digest of the rows that the migrations make, such as the permissions of roles. */
  reference: string
  /** The tables that hold such rows, quoted. */
  referenceTables: string[]
}

// What a test may change of the schema: definitions, rights and settings, not where rows are stored.
const SCHEMA_DIGEST = `
  select md5(string_agg(line, e'\\n' order by line)) as digest from (
    select 'function ' || oid || proname || md5(prosrc) || coalesce(proacl::text, '') || prosecdef
      || coalesce(proconfig::text, '') from pg_proc where pronamespace = any($1)
    union all select 'policy ' || oid || polname || polroles::text || coalesce(pg_get_expr(polqual, polrelid), '')
      || coalesce(pg_get_expr(polwithcheck, polrelid), '') from pg_policy
    union all select 'table ' || oid || relname || relkind::text || relrowsecurity || coalesce(relacl::text, '')
      from pg_class where relnamespace = any($1) and relkind <> 't'
    union all select 'column ' || attrelid || attname || atttypid || attnotnull || coalesce(attacl::text, '')
      from pg_attribute join pg_class on pg_class.oid = attrelid where relnamespace = any($1) and attnum > 0
    union all select 'default ' || oid || pg_get_expr(adbin, adrelid) from pg_attrdef
    union all select 'trigger ' || oid || tgname || tgenabled::text from pg_trigger where not tgisinternal
    union all select 'constraint ' || oid || conname from pg_constraint where connamespace = any($1)
    union all select 'namespace ' || nspname || coalesce(nspacl::text, '') from pg_namespace
      where nspname !~ '^pg_(toast_)?temp'
    union all select 'setting ' || setdatabase || setrole || setconfig::text from pg_db_role_setting
      where setdatabase in (0, (select oid from pg_database where datname = current_database()))
    union all select 'role ' || rolname || rolsuper || rolbypassrls || rolcanlogin from pg_roles
  ) as lines (line)`

const RESTART = `set session_replication_role = origin;
  select setval(format('%I.%I', schemaname, sequencename), start_value, false) from pg_sequences
  where last_value is not null and schemaname in ('public', 'private', 'auth')`

const SCHEMAS = `select array_agg(oid) as oids from pg_namespace where nspname in ('public', 'private', 'auth')`

/** Reads what a freshly migrated database is. */
export async function readBaseline(client: Database): Promise<Baseline> {
  const referenceTables = await filledTables(client, [])
  return { ...(await digests(client, referenceTables)), referenceTables }
}

/**
 * Takes away all rows that were added since the baseline.
 * @returns false when the schema or the migrations' own rows are others than in the baseline: no emptying mends that.
 */
export async function emptyDatabase(client: Database, baseline: Baseline): Promise<boolean> {
  const filled = await filledTables(client, baseline.referenceTables)
  await client.query(
    // Without triggers and foreign keys. Truncating makes files anew for each index: it takes thirty times as long.
    ['set session_replication_role = replica', ...filled.map((name) => `delete from ${name}`), RESTART].join(
      ';',
    ),
  )
  // New rows would fill the gaps of deleted ones, and come in another order than they were written.
  const { rows: written } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where pg_relation_size(name::regclass) > 0',
    [await tables(client, baseline.referenceTables)],
  )
  if (written.length > 0) await client.query(`vacuum ${written.map(({ name }) => name).join(', ')}`)
  const { schema, reference } = await digests(client, baseline.referenceTables)
  return schema === baseline.schema && reference === baseline.reference
}

async function digests(
  client: Database,
  referenceTables: string[],
): Promise<Omit<Baseline, 'referenceTables'>> {
  const [schemas] = (await client.query<{ oids: number[] }>(SCHEMAS)).rows
  const [schema] = (await client.query<{ digest: string }>(SCHEMA_DIGEST, [schemas?.oids])).rows
  // A changed or new row has a transaction of its own, and a lost one is missing in the count.
  const parts = referenceTables.map(
    (table) =>
      `select '${table} ' || count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) as line from ${table}`,
  )
  const counted = `select string_agg(line, ', ' order by line) as digest from (${parts.join(' union all ')}) as t`
  const [reference] = (await client.query<{ digest: string }>(counted)).rows
  return { schema: schema?.digest ?? '', reference: reference?.digest ?? '' }
}

/** The tables, quoted, without those that are excepted. */
async function tables(client: Database, excepted: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private', 'auth') and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  return rows.map(({ name }) => name).filter((name) => !excepted.includes(name))
}

/** Those of them with at least one row. */
export async function filledTables(client: Database, excepted: string[]): Promise<string[]> {
  const parts = (await tables(client, excepted)).map(
    (name) => `select '${name}' as name where exists (select from ${name})`,
  )
  const { rows } = await client.query<{ name: string }>(parts.join(' union all '))
  return rows.map(({ name }) => name)
}
