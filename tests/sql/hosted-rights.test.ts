import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stack, startStack } from '../support/stack'

// Only the Postgres stack has hosted Supabase's roles; the embedded one migrates as a superuser.
describe.runIf(process.env.STACK === 'postgres')('rights on hosted Supabase', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack?.close())

  it('has its tables owned by a role without superuser rights', async () => {
    const owners = await stack.sql(`
      select distinct r.rolname, r.rolsuper from pg_class c join pg_roles r on r.oid = c.relowner
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')`)
    expect(owners).toEqual([{ rolname: 'postgres', rolsuper: false }])
  })

  it('lets the owner read sessions and factors of Auth, and the roles of requests nothing of it', async () => {
    const readers = await stack.sql<{ role: string; reads: string[] | null }>(`
      select role, (select array_agg(c.relname::text order by c.relname) from pg_class c
        where c.relnamespace = 'auth'::regnamespace and c.relkind in ('r', 'p', 'v')
          and has_table_privilege(role, c.oid, 'select, insert, update, delete')) as reads
      from unnest(array['postgres', 'anon', 'authenticated', 'service_role']) as role`)
    expect(readers[0]?.reads).toEqual(
      expect.arrayContaining(['mfa_factors', 'refresh_tokens', 'sessions', 'users']),
    )
    expect(readers.slice(1).map(({ reads }) => reads)).toEqual([null, null, null])
  })

  it('lets the owner create nothing in the schema of Auth', async () => {
    const [member] = await stack.sql<{ is: boolean }>(
      `select pg_has_role('postgres', 'supabase_auth_admin', 'member') as is`,
    )
    expect(member?.is).toBe(false)
    await stack.sql('set role postgres')
    try {
      for (const attempt of [
        'create table auth.mine (id integer)',
        'alter table auth.users add column mine integer',
        'drop function auth.jwt()',
        'insert into auth.schema_migrations (version) values (1)',
      ])
        await expect(stack.sql(attempt), attempt).rejects.toThrow(/permission denied|must be owner/)
    } finally {
      await stack.sql('reset role')
    }
  })

  it('gives anon no table, column or sequence of public', async () => {
    const reachable = await stack.sql(`
      select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace
        and case when c.relkind = 'S' then has_sequence_privilege('anon', c.oid, 'select, usage, update')
          else has_table_privilege('anon', c.oid, 'select, insert, update, delete, truncate, references, trigger')
            or has_any_column_privilege('anon', c.oid, 'select, insert, update, references') end
        and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')`)
    expect(reachable).toEqual([])
  })

  it('lets anon execute no function of public', async () => {
    const callable = await stack.sql(`
      select p.oid::regprocedure::text as function from pg_proc p
      where p.pronamespace = 'public'::regnamespace and has_function_privilege('anon', p.oid, 'execute')`)
    expect(callable).toEqual([])
  })

  it('gives nothing of public to everybody', async () => {
    const shared = await stack.sql(`
      select c.relname as name from pg_class c, aclexplode(c.relacl) a
      where c.relnamespace = 'public'::regnamespace and a.grantee = 0
      union all
      select p.proname from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and a.grantee = 0`)
    expect(shared).toEqual([])
  })

  it('has row level security on every table of public and private', async () => {
    const open = await stack.sql(`
      select c.oid::regclass::text as table from pg_class c
      where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
        and c.relkind in ('r', 'p') and not c.relrowsecurity`)
    expect(open).toEqual([])
  })

  it('names the roles of every policy', async () => {
    const policies = await stack.sql(`
      select tablename, policyname from pg_policies where schemaname = 'public' and 'public' = any(roles)`)
    expect(policies).toEqual([])
  })

  it('relies on no default privileges: a fresh table, sequence or function is out of reach', async () => {
    await stack.sql('set role postgres')
    try {
      await stack.sql('create table public.fresh_table (id integer generated always as identity)')
      await stack.sql(`create function public.fresh_function() returns integer language sql as 'select 1'`)
    } finally {
      await stack.sql('reset role')
    }
    const rights = await stack.sql(`
      select role, has_table_privilege(role, 'public.fresh_table', 'select, insert, update, delete') as table,
        has_sequence_privilege(role, 'public.fresh_table_id_seq', 'usage, select, update') as sequence,
        has_function_privilege(role, 'public.fresh_function()', 'execute') as function
      from unnest(array['anon', 'authenticated', 'service_role']) as role`)
    expect(rights).toEqual(
      ['anon', 'authenticated', 'service_role'].map((role) => ({
        ...{ role, table: false, sequence: false, function: false },
      })),
    )
  })

  it('has the statement limits of the hosted roles', async () => {
    const limits = await stack.sql<{ rolname: string; rolconfig: string[] }>(`
      select rolname, rolconfig from pg_roles
      where rolname in ('anon', 'authenticated', 'service_role') order by rolname`)
    expect(limits.map((row) => row.rolconfig)).toEqual([
      ['statement_timeout=3s'],
      ['statement_timeout=8s'],
      ['statement_timeout=8s'],
    ])
  })
})
