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
const GIVEN_UP: string[] = [
  // Closings of a shift or a zone: a day may stand there more than once. Only save_hours writes them, which this version replaces.
  "closed_days: CHECK (((btrim(name) <> ''::text) AND (length(name) <= 200)))",
  'closed_days: UNIQUE btree (location_id, day, shift, zone) NULLS NOT DISTINCT',
  'gone: closed_days: UNIQUE btree (location_id, day)',
  // Wider than before: answers in conversations are a purpose of their own.
  `messages: CHECK (
CASE
    WHEN (purpose = ANY (ARRAY['reply'::text, 'waitlist_call'::text, 'table_offer'::text, 'table_offer_answer'::text, 'feedback_reply'::text, 'conversation_reply'::text, 'event_notification'::text, 'event_reminder'::text, 'ticket_notification'::text, 'ticket_reminder'::text, 'morning_report'::text, 'approval_limit'::text, 'password_link'::text, 'new_sign_in'::text, 'sign_in_failures'::text, 'second_factor_removed'::text])) THEN true
    ELSE ((purpose)::automation_type IS NOT NULL)
END)`,
  "messages: CHECK ((about_type = ANY (ARRAY['ticket'::text, 'calendar_event'::text, 'waitlist'::text, 'table_offer'::text, 'feedback'::text, 'conversation'::text, 'profile'::text, 'organization'::text])))",
  // Wider: an answer may be in any of ten languages.
  "feedback: CHECK ((language = ANY (ARRAY['es'::text, 'ca'::text, 'eu'::text, 'gl'::text, 'en'::text, 'fr'::text, 'pt'::text, 'it'::text, 'de'::text, 'nl'::text])))",
]

/** What a migration changes on purpose, by the release that a database has before it: tables whose rows change, as `public.tickets`, or columns that go, as `public.tickets.title`. */
const CHANGED_ROWS: Record<string, string[]> = {
  // Parties with the PMS's code 9 are walk-ins.
  '0.1.0': ['public.reservations', 'private.daily_figures'],
}

/** Tables to which a migration adds rows on purpose, and loses none, by the release. */
const ADDED_ROWS: Record<string, string[]> = {
  // A STOP by SMS or WhatsApp holds for both, with its line in the audit log.
  '0.1.0': ['public.suppressions', 'public.audit_log'],
}

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
    await query(database, STALE)
    deployment.add('migrations')
    await deployment.push(database)
  })
  afterAll(() => deployment?.remove())

  it('keeps every row, with the values that it had', async () => {
    const [kept] = await query<{ rows: number }>(
      database,
      'select count(*)::int as rows from former."public.customers"',
    )
    expect(kept?.rows).toBeGreaterThan(100)
    const meant = CHANGED_ROWS[version] ?? []
    const columns = meant.map((name) => `'${name}'`).join()
    const changed = await query<{ name: string; lost: number; more: number }>(
      database,
      `select * from former.compare(array[${columns}]::text[]) where lost > 0 or more > 0`,
    )
    const added = ADDED_ROWS[version] ?? []
    const asMeant = ({ name, lost }: { name: string; lost: number }) =>
      meant.includes(name) || (added.includes(name) && Number(lost) === 0)
    expect(changed.filter((table) => !asMeant(table))).toEqual([])
  })

  it('has no value and no row that this version would write or judge in another way', async () => {
    expect(await query(database, 'select former.stale()')).toEqual([{ stale: [] }])
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
      'asks for toys.mood',
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
      'gone: toys: FOREIGN KEY (of) REFERENCES boxes(id)',
      'gone: toys: UNIQUE btree (made)',
      'mood has sad',
      'toys: CHECK ((price > 1))',
      'toys: mood IS NOT NULL',
    ])
  })
})

const OURS = `
  select format('%s.%s', c.relnamespace::regnamespace, c.relname) as name, c.oid::regclass::text as path
    from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)`

const KEEP = `
  create schema former;
  do $$ declare t record; begin
    for t in ${OURS} loop execute format('create table former.%I as table %s', t.name, t.path); end loop;
  end $$`

// Columns that came since do not count, nor do those that went on purpose.
const COMPARE = `
  create function former.compare(p_gone text[]) returns table (name text, lost bigint, more bigint)
  language plpgsql as $$
  declare t record; apart text[];
  begin
    for t in select k.relname::text as name, o.path, format('former.%I', k.relname) as kept from pg_class k
      left join (${OURS}) as o on o.name = k.relname where k.relnamespace = 'former'::regnamespace and k.relkind = 'r'
    loop
      if t.path is null then
        return query execute format('select %L, count(*), 0::bigint from %s', t.name, t.kept);
        continue;
      end if;
      apart := array(select attname::text from pg_attribute where attrelid = t.path::regclass and attnum > 0
          and not attisdropped
        except select attname::text from pg_attribute where attrelid = t.kept::regclass)
        || array(select attname::text from pg_attribute where attrelid = t.kept::regclass
          and format('%s.%s', t.name, attname) = any(p_gone));
      return query execute format(
        'with was as (select to_jsonb(f) - $1 as r from %1$s f), now as (select to_jsonb(n) - $1 as r from %2$s n)
         select %3$L, (select count(*) from (select r from was except all select r from now) as l),
           (select count(*) from (select r from now except all select r from was) as m)', t.kept, t.path, t.name)
        using apart;
    end loop;
  end $$`

// A function that was replaced is not asked again for what is stored.
const STALE = `
  create or replace function former.stale() returns text[] language plpgsql as $$
  declare s record; found boolean; names text[] := '{}';
  begin
    for s in
      select a.attrelid::regclass as path, format('%I is distinct from (%s)', a.attname,
          pg_get_expr(d.adbin, d.adrelid)) as wrong, format('%s.%s', a.attrelid::regclass, a.attname) as name
        from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        join (${OURS}) as o on o.path::regclass = a.attrelid
        where a.attgenerated = 's'
      union all
      select k.conrelid::regclass, format('not (%s)', pg_get_expr(k.conbin, k.conrelid)), k.conname
        from pg_constraint k join (${OURS}) as o on o.path::regclass = k.conrelid where k.contype = 'c'
    loop
      execute format('select exists (select from %s where %s)', s.path, s.wrong) into found;
      if found then names := names || s.name::text; end if;
    end loop;
    return names;
  end $$`

const TOYS = `
  create type public.mood as enum ('fine', 'sad');
  create table public.boxes (id integer primary key);
  create table public.toys (id integer primary key, name text, made integer unique, mood public.mood, price integer,
    of integer constraint toys_of_fkey references public.boxes);
  create function public.play(p_toy integer, p_times integer) returns integer language sql as 'select 1';
  create function public.lend(p_toy integer, p_days integer default 1) returns integer language sql as 'select 1';
  create function public.clean(p_toy integer) returns table (toy integer, joy integer) language sql as 'select 1, 2';
  create function public.mend(p_toy integer) returns integer language sql as 'select 1';
  create function public.sell(p_toy integer) returns table (toy integer) language sql as 'select 1';
  create function public.draw(p_toy integer) returns jsonb language sql as 'select ''{}''::jsonb';
  create function public.paint(p_toy integer) returns table (toy integer, look jsonb) language sql as 'select 1, ''{}''::jsonb';
  create function public.rest() returns integer language sql as 'select 1'`

// What is sold has only more than before: an argument with a default, and a column. What is drawn and painted reads the
// same. No former app knows colours and shelves.
const BROKEN_TOYS = `
  revoke delete on public.toys from authenticated;
  alter table public.toys drop column name, alter made type bigint, add weight integer not null, alter mood set not null,
    add colour text check (colour <> ''), drop constraint toys_made_key, add check (price > 1), drop constraint toys_of_fkey;
  create table public.shelves (id integer primary key, place text not null check (place <> ''));
  alter type public.mood rename value 'sad' to 'low';
  drop function public.play, public.lend, public.clean, public.mend, public.sell, public.rest, public.draw, public.paint;
  create function public.play(p_toy integer) returns integer language sql as 'select 1';
  create function public.lend(p_toy integer, p_days integer) returns integer language sql as 'select 1';
  create function public.clean(p_toy integer) returns table (toy integer) language sql as 'select 1';
  create function public.mend(p_toy integer, p_more integer) returns integer language sql as 'select 1';
  create function public.draw(p_toy integer) returns json language sql as 'select ''{}''::json';
  create function public.paint(p_toy integer) returns table (toy integer, look json) language sql as 'select 1, ''{}''::json';
  create function public.sell(p_toy integer, p_more integer default 1) returns table (toy integer, joy integer)
    language sql as 'select 1, 2';`
