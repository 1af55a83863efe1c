import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { SCHEMA_VERSION } from '@/lib/health/schema-version'
import { type DatabaseObject, keyOf } from '@/supabase/release/dump'
import { migrationsOf, readReleases } from '@/supabase/release/releases'
import { buildFromSources } from '@/supabase/release/sources'
import { compareSchemas, makeDatabase } from '../support/postgres/compare'
import { databaseUrl } from '../support/postgres/server'
import { loadData } from './data'
import { type Deployment, makeDeployment, query } from './deployment'
import { gapsOf, type Surface, surfaceOf } from './surface'

const isPostgres = process.env.STACK === 'postgres'
const releases = readReleases()
const versions = Object.keys(releases)

/** What the app of the last release no longer asks for, so that this version may take it away (CONTRIBUTING, "A migration"). */
const GIVEN_UP: string[] = []

/** Tables whose rows a migration changes on purpose, by the release that a database has before it. */
const CHANGED_ROWS: Record<string, string[]> = {}

describe.runIf(isPostgres).each(versions)('a database of %s with the demo’s data', (version) => {
  let deployment: Deployment
  let database: string
  let former: Surface
  beforeAll(async () => {
    const released = migrationsOf(version, releases).map((file) => join('migrations', file))
    deployment = makeDeployment('config.toml', ...released)
    database = await makeDatabase(inject('postgres'), async () => {})
    await deployment.push(database)
    loadData(version, databaseUrl(inject('postgres'), database))
    former = await surfaceOf(database)
    await query(database, KEEP)
    await query(database, COMPARE)
    deployment.add('migrations')
    await deployment.push(database)
  })
  afterAll(() => deployment?.remove())

  it('keeps every row, with the values that it had', async () => {
    const [kept] = await query<{ rows: number }>(
      database,
      'select count(*)::int as rows from former.customers',
    )
    expect(kept?.rows).toBeGreaterThan(100)
    const changed = await query<{ name: string; lost: number; more: number }>(
      database,
      'select * from former.compare() where lost > 0 or more > 0',
    )
    expect(changed.filter(({ name }) => !CHANGED_ROWS[version]?.includes(name))).toEqual([])
  })

  it('is made as this version’s sources make one', async () => {
    const wanted = await makeDatabase(inject('postgres'), buildFromSources)
    const changes = compareSchemas(inject('postgres'), database, wanted).map(({ before, after }) =>
      keyOf((before ?? after) as DatabaseObject),
    )
    // The CLI's record of migrations, and what this test put aside.
    expect(changes.filter((key) => !/ (former|supabase_migrations)\b/.test(key))).toEqual([])
    expect(await query(database, `select public.installation_state() ->> 'version' as version`)).toEqual([
      { version: SCHEMA_VERSION },
    ])
  })

  it.runIf(version === versions.at(-1))(
    'still gives the app of that release all that it asks for',
    async () => {
      expect(former.functions.length).toBeGreaterThan(100)
      const present = await surfaceOf(database)
      expect(gapsOf(former, present).filter((gap) => !GIVEN_UP.includes(gap))).toEqual([])
    },
  )
})

describe.runIf(isPostgres)('what an app of the release before would miss', () => {
  it('is named: rights, columns, types, values, functions, arguments, answers and new obligations', async () => {
    const database = await makeDatabase(inject('postgres'), async (run) => {
      await run(TOYS)
    })
    const before = await surfaceOf(database)
    await query(database, BROKEN_TOYS)
    const gaps = gapsOf(before, await surfaceOf(database))
    expect(gaps.filter((gap) => !/^(anon|service_role) /.test(gap))).toEqual([
      'asks for toys.weight',
      'authenticated may call clean(p_toy)',
      'authenticated may call lend(p_toy,p_days)',
      'authenticated may call mend(p_toy)',
      'authenticated may call play(p_toy,p_times)',
      'authenticated may call rest()',
      'authenticated may delete from toys',
      'authenticated may insert toys.made (integer)',
      'authenticated may insert toys.name (text)',
      'authenticated may select toys.made (integer)',
      'authenticated may select toys.name (text)',
      'authenticated may update toys.made (integer)',
      'authenticated may update toys.name (text)',
      'mood has sad',
    ])
  })
})

const OURS = `
  select c.relname as name, c.oid::regclass::text as path from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)`

// The names of tables are one each over both schemas.
const KEEP = `
  create schema former;
  do $$ declare t record; begin
    for t in ${OURS} loop execute format('create table former.%I as table %s', t.name, t.path); end loop;
  end $$`

// Columns that came since do not count.
const COMPARE = `
  create function former.compare() returns table (name text, lost bigint, more bigint)
  language plpgsql as $$
  declare t record; added text[];
  begin
    for t in select k.relname as name, o.path from pg_class k left join (${OURS}) as o on o.name = k.relname
      where k.relnamespace = 'former'::regnamespace and k.relkind = 'r'
    loop
      added := array(select attname::text from pg_attribute where attrelid = t.path::regclass and attnum > 0
        except select attname::text from pg_attribute where attrelid = ('former.' || quote_ident(t.name))::regclass);
      return query execute format(
        'with was as (select to_jsonb(f) as r from former.%1$I f), now as (select to_jsonb(n) - $1 as r from %2$s n)
         select %1$L, (select count(*) from (select r from was except all select r from now) as l),
           (select count(*) from (select r from now except all select r from was) as m)', t.name, t.path) using added;
    end loop;
  end $$`

const TOYS = `
  create type public.mood as enum ('fine', 'sad');
  create table public.toys (id integer primary key, name text, made integer, mood public.mood);
  create function public.play(p_toy integer, p_times integer) returns integer language sql as 'select 1';
  create function public.lend(p_toy integer, p_days integer default 1) returns integer language sql as 'select 1';
  create function public.clean(p_toy integer) returns table (toy integer, joy integer) language sql as 'select 1, 2';
  create function public.mend(p_toy integer) returns integer language sql as 'select 1';
  create function public.sell(p_toy integer) returns table (toy integer) language sql as 'select 1';
  create function public.rest() returns integer language sql as 'select 1'`

// What is sold has only more than before: an argument with a default, and a column.
const BROKEN_TOYS = `
  revoke delete on public.toys from authenticated;
  alter table public.toys drop column name, alter made type bigint, add weight integer not null, add colour text;
  alter type public.mood rename value 'sad' to 'low';
  drop function public.play, public.lend, public.clean, public.mend, public.sell, public.rest;
  create function public.play(p_toy integer) returns integer language sql as 'select 1';
  create function public.lend(p_toy integer, p_days integer) returns integer language sql as 'select 1';
  create function public.clean(p_toy integer) returns table (toy integer) language sql as 'select 1';
  create function public.mend(p_toy integer, p_more integer) returns integer language sql as 'select 1';
  create function public.sell(p_toy integer, p_more integer default 1) returns table (toy integer, joy integer)
    language sql as 'select 1, 2';`
