import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { keyOf } from '@/supabase/release/dump'
import { nextMigration } from '@/supabase/release/migration'
import { readMigrations, unreleased } from '@/supabase/release/migrations'
import { buildFromSources, readSources } from '@/supabase/release/sources'
import {
  compareDatabases,
  compareWithSources,
  type Difference,
  makeDatabase,
} from '../support/postgres/compare'
import { type Deployment, makeDeployment, query } from './deployment'

// The database is made from supabase/schema and supabase/logic here and by the migrations in a deployment.
const isPostgres = process.env.STACK === 'postgres'

/** What differs, in words that name each object. */
const named = ({ changes, rows }: Difference) => [
  ...changes.map(({ before, after }) =>
    before && after
      ? `differs: ${keyOf(after)}`
      : after
        ? `new: ${keyOf(after)}`
        : before && `gone: ${keyOf(before)}`,
  ),
  ...[...rows.after]
    .filter(([table, lines]) => lines.join() !== rows.before.get(table)?.join())
    .map(([table]) => table),
]

let difference: Difference
beforeAll(async () => {
  if (isPostgres) difference = await compareWithSources(inject('postgres'))
})

describe.runIf(isPostgres)('the migrations', () => {
  it('make the database that the sources make', () => {
    expect(named(difference)).toEqual([])
  })

  it('have every file of the logic as it is', () => {
    expect(unreleased(readSources().logic, readMigrations()).map(({ path }) => path)).toEqual([])
  })
})

describe.runIf(isPostgres)('a release', () => {
  let deployment: Deployment
  let root: string
  beforeAll(() => {
    deployment = makeDeployment('schema', 'logic', 'migrations', 'config.toml')
    root = deployment.root
  })
  afterAll(() => deployment.remove())

  /** Edits a source as a person would. */
  function edit(file: string, change: (text: string) => string): void {
    const path = join(root, 'supabase', file)
    const before = readFileSync(path, 'utf8')
    const after = change(before)
    expect(after, `the edit of ${file}`).not.toBe(before)
    writeFileSync(path, after)
  }
  const replace = (file: string, find: string, by: string) =>
    edit(file, (text) => text.replace(find, () => by))

  it('is written from the edits of the sources, and brings a database of the release before to them', async () => {
    const cluster = inject('postgres')
    const database = await makeDatabase(cluster, async () => {})
    await deployment.push(database)
    await query(
      database,
      `insert into public.organizations (id, name, slug) values ('00000000-0000-4000-8000-000000000001', 'Kept', 'kept');
       insert into public.customers (organization_id, first_name, email)
       values ('00000000-0000-4000-8000-000000000001', 'Ana', 'ana@example.com')`,
    )

    // Functions: a word of a body, an argument more, one that went, a comment, a right that went, a trigger more.
    replace('logic/foundation/foundation.sql', "format(' and %s like", "format(' and  %s like")
    edit('logic/foundation/foundation.sql', (text) =>
      text
        .replace(
          'function private.clock(p_given timestamptz) returns',
          'function private.clock(p_given timestamptz, p_new boolean default false) returns',
        )
        .replaceAll('private.clock(timestamptz)', 'private.clock(timestamptz, boolean)'),
    )
    replace('logic/foundation/foundation.sql', 'Trigger: stamps updated_at', 'Stamps updated_at')
    edit('logic/jobs/replication.sql', () => '-- Nothing here any more.\n')
    edit('logic/jobs/installation.sql', (text) => text.replace(/^grant execute.*;\n/m, ''))
    edit('logic/customers/customers.sql', (text) =>
      text.concat(`
create or replace function private.keep_postcodes() returns trigger
language plpgsql set search_path = ''
as $$
begin
  return new;
end
$$;
create or replace trigger customers_postcodes before update on public.customers
  for each row execute function private.keep_postcodes();
`),
    )
    // Tables: a column with its rule, comment and index, another rule of a policy, a table with all that belongs to one.
    replace(
      'schema/customers.sql',
      "  constraint customers_consents_check check (consents = '{}'",
      "  postcode text check (length(postcode) <= 12),\n  constraint customers_consents_check check (consents = '{}'",
    )
    edit('schema/customers.sql', (text) =>
      text.concat(`
comment on column public.customers.postcode is 'As people write it.';
create index customers_postcode_idx on public.customers (organization_id, postcode) where postcode is not null;
`),
    )
    replace(
      'schema/customers.sql',
      'policy "staff with customer access read aliases"',
      'policy "staff with access read aliases"',
    )
    // A value of an enum, and a rule of several lines.
    replace(
      'schema/automations.sql',
      "'birthday', 'reengagement',",
      "'birthday', 'long_lunch', 'reengagement',",
    )
    replace(
      'schema/automations.sql',
      "when 'birthday' then criteria ->> 'days_before' is not null",
      "when 'birthday' then criteria ? 'days_before' and criteria ->> 'days_before' is not null",
    )
    edit('schema/erasure.sql', (text) =>
      text.concat(`
create table public.parkings (
  id uuid primary key,
  organization_id uuid not null references public.organizations on delete cascade,
  plate text not null check (length(plate) <= 20)
);
comment on table public.parkings is 'Where guests leave their car.';
create index parkings_organization_idx on public.parkings (organization_id);
alter table public.parkings enable row level security;
grant select (id, plate) on public.parkings to authenticated;
create policy "members read the parkings" on public.parkings for select to authenticated
  using (organization_id = any(array(select private.my_organizations())));
insert into private.role_permissions (role, permission) values ('admin', 'canParkCars');
`),
    )

    const forgotten = await compareWithSources(cluster, root)
    expect(named(forgotten)).toContain('new: TABLE public.parkings')
    expect(named(forgotten)).toContain('differs: FUNCTION private.search_condition(text, jsonb)')

    const sources = readSources(root)
    const draft =
      nextMigration({
        number: '20990101000000',
        ...forgotten,
        migrations: readMigrations(root),
        sources,
      }) ?? ''
    expect(draft).toContain("alter type public.automation_type add value 'long_lunch' after 'birthday';")
    // As decision 11 says: Postgres prints it with other brackets, so a person puts the source's text in its place.
    const rule = /constraint automations_criteria_complete check \(case type\n[\s\S]*?\bend\)/
    const written = rule.exec(readFileSync(join(root, 'supabase/schema/automations.sql'), 'utf8'))?.[0] ?? ''
    const text = draft.replace(
      /CONSTRAINT automations_criteria_complete CHECK[\s\S]*?;\n/,
      () => `${written};\n`,
    )
    expect(text).toContain(
      `drop constraint automations_criteria_complete;\nalter table public.automations add ${written};`,
    )
    writeFileSync(join(root, 'supabase/migrations/20990101000000_parkings.sql'), text)
    expect(await deployment.push(database)).toContain('Finished supabase db push.')

    const wanted = await makeDatabase(cluster, (run) => buildFromSources(run, sources))
    // The CLI keeps a record of the migrations it ran.
    expect(
      named(await compareDatabases(cluster, database, wanted)).filter(
        (line) => !line?.includes('supabase_migrations'),
      ),
    ).toEqual([])
    expect(await query(database, 'select first_name, postcode from public.customers')).toEqual([
      { first_name: 'Ana', postcode: null },
    ])
    expect(unreleased(sources.logic, readMigrations(root))).toEqual([])
  })

  it('has nothing to write where nothing changed', () => {
    const given = { migrations: readMigrations(), sources: readSources(), ...difference }
    expect(nextMigration({ number: '20990101000000', ...given })).toBeUndefined()
  })
})
