-- Bulk import of customers from CSV: the log of imports, and the function that saves a chunk of rows.
-- lib/imports calls it; rows come checked and normalised from lib/imports/parse-row.ts.

create table public.import_runs (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  profile_id uuid references public.profiles on delete set null,
  location_id uuid references public.locations on delete set null,
  file_name text not null,
  consent text not null default 'existing_customer' check (consent in ('opt_in', 'existing_customer', 'none')),
  status text not null default 'running' check (status in
    ('running', 'succeeded', 'partial', 'failed', 'cancelled')),
  total integer not null default 0 check (total >= 0),
  processed integer not null default 0,
  imported integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  repeated integer not null default 0,
  incomplete integer not null default 0,
  error_count integer not null default 0,
  errors jsonb not null default '[]' check (jsonb_typeof(errors) = 'array'),
  failed_rows jsonb check (jsonb_typeof(failed_rows) = 'object'),
  failed_row_count integer not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table public.import_runs is 'One row an imported file: who, what came of it, and what could not be imported.';
comment on column public.import_runs.total is 'Rows of the file, those past the limit included; processed are those dealt with so far.';
comment on column public.import_runs.created is 'Customers made; updated: known customers that changed.';
comment on column public.import_runs.consent is
  'On which basis the group may write to the file''s people, as it declared; the people get it as their consent.';
comment on column public.import_runs.repeated is 'Imported rows that were about the same customer as another one of the file.';
comment on column public.import_runs.incomplete is 'Rows that were, or would be, imported without a value that could not be read.';
comment on column public.import_runs.errors is 'The first error lines, without personal data.';
comment on column public.import_runs.failed_rows is
  '{columns, rows} as they were in the file, the reason last; emptied by tidy_up, for it is personal data.';

create index import_runs_recent_idx on public.import_runs (organization_id, started_at desc, id desc);
create index import_runs_running_idx on public.import_runs (organization_id, started_at) where status = 'running';
create index import_runs_kept_idx on public.import_runs (organization_id, started_at) where failed_row_count > 0;
create index reservations_import_idx on public.reservations (customer_id, location_id) where source = 'import';
create index import_runs_profile_idx on public.import_runs (profile_id);
create index import_runs_location_idx on public.import_runs (location_id);

alter table public.import_runs enable row level security;
revoke all on public.import_runs from anon, authenticated;
grant select on public.import_runs to authenticated;
grant select, insert, update, delete on public.import_runs to service_role;
create policy "settings staff read imports" on public.import_runs for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings')))
    and ((select private.works_everywhere()) or location_id = any(array(select private.my_locations()))
      or (location_id is null and profile_id = (select private.caller()))));

create function public.import_links(p_organization uuid, p_emails text[], p_phones text[]) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    with owned as (
      select c.id, c.email as address from public.customers c
      where c.organization_id = p_organization and c.email = any(p_emails)
      union
      select a.customer_id, a.email from public.customer_aliases a
      where a.organization_id = p_organization and a.email = any(p_emails)
      union
      select o.customer_id, o.phone from private.phone_owners(p_organization, p_phones) as o
    ), linked as (
      select jsonb_agg(address order by address) as addresses from owned group by id having count(*) > 1
    )
    select coalesce(jsonb_agg(addresses), '[]') from linked);
end
$$;
comment on function public.import_links(uuid, text[], text[]) is
  'Which e-mails and phones of a file are one known customer''s, former ones included: [[address, …], …]. Their rows belong in one chunk.';

create function public.import_customers(p_import uuid, p_rows jsonb) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_organization uuid;
  v_location uuid;
  v_status text;
  v_consents jsonb;
  v_rows integer;
  v_created integer;
  v_updated integer;
begin
  select organization_id into v_organization from public.import_runs where id = p_import;
  -- One writer of identities at a time, the sync included; somebody may cancel while this one waits.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('identity:' || v_organization::text, 0));
  select status, location_id into v_status, v_location from public.import_runs where id = p_import;
  if v_status is distinct from 'running' then
    return jsonb_build_object('running', false);
  end if;
  v_consents := private.declared_consents(p_import);

  drop table if exists pg_temp.import_batch;
  create temp table import_batch on commit drop as
  select r.*, private.name_key(coalesce(r.first_name, '') || ' ' || coalesce(r.last_name, '')) as name_key,
    null::uuid as customer_id, false as is_new
  from jsonb_to_recordset(p_rows) as r (
    line integer, email text, phone text, first_name text, last_name text, birth_date date, company text,
    job_title text, address text, notes text, tags jsonb);
  get diagnostics v_rows = row_count;
  analyze pg_temp.import_batch;

  -- 1. By e-mail, then by a former e-mail.
  update pg_temp.import_batch b set customer_id = c.id
  from public.customers c
  where b.email is not null and c.organization_id = v_organization and c.email = b.email;
  update pg_temp.import_batch b set customer_id = a.customer_id
  from public.customer_aliases a
  where b.customer_id is null and b.email is not null and a.organization_id = v_organization and a.email = b.email;

  -- 2. A new e-mail with the phone and the name of a known customer is theirs, as in sync_reservations.
  with wanted as (
    select email, phone, name_key, min(line) as line from pg_temp.import_batch
    where customer_id is null and email is not null and phone is not null and name_key <> ''
    group by email, phone, name_key
  ), known as materialized (
    select owned.phone, c.id, c.email, c.created_at,
      private.name_key(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) as name_key
    from private.phone_owners(v_organization, array(select distinct phone from wanted)) as owned
    join public.customers c on c.id = owned.customer_id
  ), chosen as (
    select distinct on (w.email) w.email, k.id
    from wanted w join known k on k.phone = w.phone and k.name_key = w.name_key
    order by w.email, w.line, k.email is null desc, k.created_at, k.email, k.id
  )
  update pg_temp.import_batch b set customer_id = c.id
  from chosen c where b.customer_id is null and b.email = c.email;
  --    Another one takes over a known customer with that phone and no e-mail, unless the names differ.
  with wanted as (
    select distinct on (email) email, phone, name_key, line from pg_temp.import_batch
    where customer_id is null and email is not null and phone is not null
    order by email, line
  ), pairs as (
    select w.email, w.line, c.id, row_number() over (partition by w.email order by c.created_at, c.id) as choice
    from wanted w
    join private.phone_owners(v_organization, array(select distinct phone from wanted)) as owned on owned.phone = w.phone
    join public.customers c on c.id = owned.customer_id and c.email is null
    where (w.name_key = '' or coalesce(c.first_name, '') || coalesce(c.last_name, '') = '')
      and not exists (select 1 from pg_temp.import_batch t where t.customer_id = c.id)
  ), taken as (
    select distinct on (id) id, email from pairs where choice = 1 order by id, line
  )
  update pg_temp.import_batch b set customer_id = t.id
  from taken t where b.customer_id is null and b.email = t.email;

  -- 3. The other new e-mails will be new customers: one for those with the same phone and name.
  with latest as (
    select email, min(line) as line,
      (array_agg(phone order by line desc) filter (where phone is not null))[1] as phone,
      nullif(private.name_key(
        coalesce((array_agg(first_name order by line desc) filter (where first_name is not null))[1], '') || ' ' ||
        coalesce((array_agg(last_name order by line desc) filter (where last_name is not null))[1], '')), '') as name_key
    from pg_temp.import_batch where customer_id is null and email is not null
    group by email
  ), people as (
    select email, first_value(email) over (partition by coalesce(phone || ' ' || name_key, email) order by line) as own
    from latest
  ), made as materialized (
    select own, gen_random_uuid() as id from people group by own
  )
  update pg_temp.import_batch b set customer_id = m.id, is_new = true
  from people p join made m on m.own = p.own
  where b.customer_id is null and b.email = p.email;

  -- 4. Without e-mail, by phone: of several people sharing it the one of that name, else the first known.
  --    Those above count with the phone and name they are about to get, so that the same file finds the
  --    same people again.
  with own as (
    select b.customer_id as id, (array_agg(b.email order by b.line))[1] as email, bool_or(b.is_new) as is_new,
      (array_agg(b.phone order by b.line desc) filter (where b.phone is not null))[1] as phone,
      (array_agg(b.first_name order by b.line desc) filter (where b.first_name is not null))[1] as first_name,
      (array_agg(b.last_name order by b.line desc) filter (where b.last_name is not null))[1] as last_name
    from pg_temp.import_batch b where b.email is not null group by b.customer_id
  ), wanted as (
    select distinct phone, name_key from pg_temp.import_batch where customer_id is null
  ), owners as (
    select coalesce(c.phone, o.phone) as phone, o.id from own o left join public.customers c on c.id = o.id
    union
    select phone, customer_id from private.phone_owners(v_organization, array(select distinct phone from wanted))
  ), known as materialized (
    select w.phone, w.id, coalesce(o.is_new, false) as is_new, coalesce(c.email, o.email) as email,
      coalesce(c.created_at, now()) as created_at,
      private.name_key(coalesce(nullif(c.first_name, ''), o.first_name, '') || ' ' ||
        coalesce(nullif(c.last_name, ''), o.last_name, '')) as name_key
    from owners w left join own o on o.id = w.id left join public.customers c on c.id = w.id
    where w.phone in (select phone from wanted)
  ), chosen as (
    select distinct on (w.phone, w.name_key) w.phone, w.name_key, k.id, k.is_new
    from wanted w join known k on k.phone = w.phone
    order by w.phone, w.name_key, (w.name_key <> '' and k.name_key = w.name_key) desc, k.created_at, k.email, k.id
  )
  update pg_temp.import_batch b set customer_id = c.id, is_new = c.is_new
  from chosen c where b.customer_id is null and b.phone = c.phone and b.name_key = c.name_key;

  -- 5. The other phones will be new customers, one a phone.
  update pg_temp.import_batch b set customer_id = n.id, is_new = true
  from (
    select phone, gen_random_uuid() as id from pg_temp.import_batch where customer_id is null group by phone
  ) as n
  where b.customer_id is null and b.phone = n.phone;

  -- 6. One record a customer: the last non-empty value of the file wins; names rather from the rows with
  --    their first e-mail than from those with another one or none.
  drop table if exists pg_temp.import_people;
  create temp table import_people on commit drop as
  with tagged as (
    select customer_id, array_agg(tag order by first_line, place) as tags
    from (
      select b.customer_id, t.tag, min(b.line) as first_line, min(t.place) as place
      from pg_temp.import_batch b
      cross join lateral jsonb_array_elements_text(b.tags) with ordinality as t (tag, place)
      group by b.customer_id, t.tag
    ) as each_tag
    group by customer_id
  )
  select b.customer_id as id, bool_or(b.is_new) as is_new,
    max(b.own_email) as email,
    (array_agg(b.phone order by b.line desc) filter (where b.phone is not null))[1] as phone,
    (array_agg(b.first_name order by (b.email = b.own_email) is true desc, b.line desc)
      filter (where b.first_name is not null))[1] as first_name,
    (array_agg(b.last_name order by (b.email = b.own_email) is true desc, b.line desc)
      filter (where b.last_name is not null))[1] as last_name,
    (array_agg(b.birth_date order by b.line desc) filter (where b.birth_date is not null))[1] as birth_date,
    (array_agg(b.company order by b.line desc) filter (where b.company is not null))[1] as company,
    (array_agg(b.job_title order by b.line desc) filter (where b.job_title is not null))[1] as job_title,
    (array_agg(b.address order by b.line desc) filter (where b.address is not null))[1] as address,
    (array_agg(b.notes order by b.line desc) filter (where b.notes is not null))[1] as notes,
    coalesce(t.tags[1:200], '{}') as tags
  from (
    select *, first_value(email) over (partition by customer_id order by email is null, line) as own_email
    from pg_temp.import_batch
  ) as b
  left join tagged t on t.customer_id = b.customer_id
  group by b.customer_id, t.tags;
  analyze pg_temp.import_people;

  insert into public.customers (id, organization_id, source, location_id, email, phone, first_name, last_name,
    birth_date, company, job_title, address, notes, tags, consents)
  select id, v_organization, 'Bulk Import', v_location, email, phone, first_name, last_name, birth_date, company,
    job_title, address, notes, tags, v_consents
  from pg_temp.import_people where is_new;
  get diagnostics v_created = row_count;

  -- 7. Known customers: the details of the file replace theirs; identity, names and notes only fill blanks,
  --    names matched by phone alone only where there is none at all.
  with next as (
    select c.id, coalesce(c.email, p.email) as email, coalesce(c.phone, p.phone) as phone,
      case when fill.names then coalesce(nullif(c.first_name, ''), p.first_name, c.first_name)
        else c.first_name end as first_name,
      case when fill.names then coalesce(nullif(c.last_name, ''), p.last_name, c.last_name)
        else c.last_name end as last_name,
      coalesce(p.birth_date, c.birth_date) as birth_date, coalesce(p.company, c.company) as company,
      coalesce(p.job_title, c.job_title) as job_title, coalesce(p.address, c.address) as address,
      coalesce(c.notes, p.notes) as notes,
      (c.tags || array(select t.tag from unnest(p.tags) with ordinality as t (tag, place)
        where t.tag <> all (c.tags) order by t.place))[1:200] as tags,
      private.add_consents(c.consents, c.total_visits, v_consents) as consents
    from pg_temp.import_people p
    join public.customers c on c.id = p.id
    cross join lateral (select p.email is not null
      or (coalesce(c.first_name, '') = '' and coalesce(c.last_name, '') = '')) as fill (names)
    where not p.is_new
  )
  update public.customers c set email = n.email, phone = n.phone, first_name = n.first_name,
    last_name = n.last_name, birth_date = n.birth_date, company = n.company, job_title = n.job_title,
    address = n.address, notes = n.notes, tags = n.tags, consents = n.consents
  from next n
  where c.id = n.id and (c.email, c.phone, c.first_name, c.last_name, c.birth_date, c.company, c.job_title,
      c.address, c.notes, c.tags, c.consents)
    is distinct from (n.email, n.phone, n.first_name, n.last_name, n.birth_date, n.company, n.job_title,
      n.address, n.notes, n.tags, n.consents);
  get diagnostics v_updated = row_count;
  insert into public.customer_aliases (organization_id, customer_id, email)
  select distinct v_organization, b.customer_id, b.email
  from pg_temp.import_batch b join public.customers c on c.id = b.customer_id
  where b.email <> c.email
  on conflict (organization_id, email) where email is not null do nothing;

  -- 8. The link to the location: one reservation a customer and location, of source `import`, that no
  --    list or figure counts.
  if v_location is not null then
    insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
      reservation_date, reservation_time, party_size, status, source, service_over)
    select v_organization, v_location, p.id, 'import:' || v_location::text || ':' || p.id::text,
      nullif(concat_ws(' ', c.first_name, c.last_name), ''), (now() at time zone l.timezone)::date, time '12:00', 1,
      'completed', 'import', true
    from pg_temp.import_people p
    join public.customers c on c.id = p.id
    join public.locations l on l.id = v_location
    -- Looked up one by one: with statistics older than the last import, an anti-join compares all with all.
    left join lateral (
      select true as known from public.reservations r
      where r.customer_id = p.id and r.location_id = v_location and r.source = 'import' limit 1) as link on true
    where link.known is null
    on conflict (organization_id, external_id) do nothing;

    perform private.refresh_customers(array(
      select c.id from pg_temp.import_people p join public.customers c on c.id = p.id
      where p.is_new or c.location_id is null));
  end if;

  update public.import_runs set processed = processed + v_rows, imported = imported + v_rows,
    created = created + v_created, updated = updated + v_updated,
    repeated = repeated + v_rows - (select count(*) from pg_temp.import_people)
  where id = p_import;
  return jsonb_build_object('running', true, 'created', v_created, 'updated', v_updated,
    'unchanged', (select count(*) from pg_temp.import_people) - v_created - v_updated);
end
$$;
comment on function public.import_customers(uuid, jsonb) is
  'Saves a chunk of a running import''s rows, all or none, and counts them in the run. {running: false} and nothing saved when it is over or cancelled.';

-- People cancel imports themselves, hence the check of their right in the function.
create function public.cancel_import(p_import uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_status text;
begin
  select status into v_status from public.import_runs
  where id = p_import and organization_id = any(array(select private.my_organizations('canViewSettings')))
    and ((select private.works_everywhere()) or location_id = any(array(select private.my_locations()))
      or (location_id is null and profile_id = (select private.caller())))
  for update;
  if v_status is null then
    return 'unknown';
  elsif v_status <> 'running' then
    return 'over';
  end if;
  update public.import_runs set status = 'cancelled', finished_at = now() where id = p_import;
  return 'cancelled';
end
$$;
comment on function public.cancel_import(uuid) is
  'Cancels a running import of the caller''s organization: cancelled, over or unknown. What is saved stays.';

revoke execute on function public.import_links(uuid, text[], text[]), public.import_customers(uuid, jsonb),
  public.cancel_import(uuid) from public, anon, authenticated;
grant execute on function public.import_links(uuid, text[], text[]), public.import_customers(uuid, jsonb)
  to service_role;
grant execute on function public.cancel_import(uuid) to authenticated;
