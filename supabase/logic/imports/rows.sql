-- Saving a chunk of an import's rows: they are matched to customers, gathered by customer, written, and
-- linked to the import's location. lib/imports calls import_customers; rows come checked and normalised from
-- lib/imports/parse-row.ts.

create or replace function private.declared_consents(p_import uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_object_agg(channel, jsonb_build_object('basis', i.consent, 'source', 'import', 'at', now(),
    'author', coalesce(nullif(btrim(p.full_name), ''), p.email)))
  from public.import_runs i
  left join public.profiles p on p.id = i.profile_id
  cross join unnest(array['whatsapp', 'sms', 'email']) as channel
  where i.id = p_import
$$;
comment on function private.declared_consents(uuid) is 'The consent that the import declared for its customers, in the form of customers.consents.';

create or replace function private.import_read_rows(p_rows jsonb) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_rows integer;
begin
  drop table if exists pg_temp.import_batch;
  -- The columns that identify the customer, and tags, which are combined. All others are passed unchanged in
  -- details.
  create temp table import_batch on commit drop as
  select r.*,
    e.value - array['line', 'email', 'phone', 'first_name', 'last_name', 'tags', 'further_phones']
      as details,
    null::uuid as customer_id, false as is_new
  from jsonb_array_elements(p_rows) as e
  cross join jsonb_to_record(e.value) as r (
    line integer, email text, phone text, first_name text, last_name text, tags jsonb,
    further_phones text[]);
  get diagnostics v_rows = row_count;
  analyze pg_temp.import_batch;
  return v_rows;
end
$$;
comment on function private.import_read_rows(jsonb) is 'Makes pg_temp.import_batch of the rows; returns their number.';

create or replace function private.import_match_people(p_organization uuid) returns void
language sql volatile set search_path = ''
as $$
  update pg_temp.import_batch b set customer_id = m.customer_id, is_new = m.is_new
  from private.match_people(p_organization, (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('place', line, 'email', email, 'phone', phone,
      'first_name', first_name, 'last_name', last_name, 'birth_date', details -> 'birth_date',
      'address', details -> 'address', 'company', details -> 'company', 'job_title', details -> 'job_title')))
    from pg_temp.import_batch)) as m
  where b.line = m.place
$$;
comment on function private.import_match_people(uuid) is
  'Gives rows of the batch their customers: known ones, else ids for new ones (is_new).';

create or replace function private.import_gather_people() returns void
language plpgsql volatile set search_path = ''
as $$
begin
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
  ), detailed as (
    -- Of a key that comes several times, jsonb keeps the last value.
    select b.customer_id, jsonb_object_agg(d.key, d.value order by b.line) as details
    from pg_temp.import_batch b cross join jsonb_each(b.details) as d
    group by b.customer_id
  )
  select b.customer_id as id, bool_or(b.is_new) as is_new,
    max(b.own_email) as email,
    (array_agg(b.phone order by b.line desc) filter (where b.phone is not null))[1] as phone,
    (array_agg(b.first_name order by (b.email = b.own_email) is true desc, b.line desc)
      filter (where b.first_name is not null))[1] as first_name,
    (array_agg(b.last_name order by (b.email = b.own_email) is true desc, b.line desc)
      filter (where b.last_name is not null))[1] as last_name,
    coalesce(d.details, '{}') as details,
    coalesce(t.tags[1:200], '{}') as tags
  from (
    select *, first_value(email) over (partition by customer_id order by email is null, line) as own_email
    from pg_temp.import_batch
  ) as b
  left join tagged t on t.customer_id = b.customer_id
  left join detailed d on d.customer_id = b.customer_id
  group by b.customer_id, t.tags, d.details;
  analyze pg_temp.import_people;
end
$$;
comment on function private.import_gather_people() is
  'Makes pg_temp.import_people, one row a customer: the last non-empty value of the batch wins. Names come first from rows with the customer''s first e-mail, then from the others.';

create or replace function private.import_write_customers(p_organization uuid, p_location uuid,
  p_consents jsonb, out created integer, out updated integer)
language plpgsql volatile set search_path = ''
as $$
declare
  -- With outdated statistics a join pairs each person with each customer: so only with those of the batch.
  v_known uuid[] := array(select id from pg_temp.import_people where not is_new);
  v_changed public.customers[];
  v_before public.customers[];
begin
  -- With the tier of someone who has not come yet: refresh_customers would write each row again for it.
  execute (
    select format($sql$
      insert into public.customers (id, organization_id, source, consents, loyalty_tier_id, %1$s)
      select p.id, $1, 'Bulk Import', $3, (
        select rule.tier_id from private.tier_rules() as rule
        where rule.location_id = $2 and rule.organization_id = $1 and rule.min_spend <= 0
          and rule.min_visits <= 0
        order by rule.rank desc limit 1), %2$s
      from pg_temp.import_people p
      cross join jsonb_populate_record(null::public.customers, p.details || jsonb_build_object(
        'email', p.email, 'phone', p.phone, 'first_name', p.first_name, 'last_name', p.last_name,
        'tags', p.tags, 'location_id', $2)) as d
      where p.is_new$sql$, string_agg(quote_ident(f), ', '), string_agg(format('d.%I', f), ', '))
    from unnest(private.customer_fields()) as f)
  using p_organization, p_location, p_consents;
  get diagnostics created = row_count;

  -- Known customers: the details of the file replace theirs; identity, names and notes only fill blanks,
  -- names matched by phone alone only where there is none at all.
  with next as materialized (
    select c as old, jsonb_populate_record(c, p.details || jsonb_build_object(
      'email', coalesce(c.email, p.email), 'phone', coalesce(c.phone, p.phone),
      'first_name', case when fill.names then coalesce(nullif(c.first_name, ''), p.first_name, c.first_name)
        else c.first_name end,
      'last_name', case when fill.names then coalesce(nullif(c.last_name, ''), p.last_name, c.last_name)
        else c.last_name end,
      'notes', coalesce(c.notes, p.details ->> 'notes'),
      'tags', (c.tags || array(select t.tag from unnest(p.tags) with ordinality as t (tag, place)
        where t.tag <> all (c.tags) order by t.place))[1:200],
      'consents', private.add_consents(c.consents, c.total_visits, p_consents))) as new
    from pg_temp.import_people p
    join public.customers c on c.id = p.id
    cross join lateral (select p.email is not null
      or (coalesce(c.first_name, '') = '' and coalesce(c.last_name, '') = '')) as fill (names)
    where not p.is_new and c.id = any(v_known)
  )
  select coalesce(array_agg(n.new), '{}'), coalesce(array_agg(n.old) filter (
    where (n.old).email is distinct from (n.new).email or (n.old).phone is distinct from (n.new).phone), '{}')
  into v_changed, v_before from next n where n.old is distinct from n.new;
  perform private.write_customer_fields(v_changed, '{consents}');
  perform private.inherit_opt_outs(v_before);
  updated := cardinality(v_changed);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select distinct p_organization, b.customer_id, b.email
  from pg_temp.import_batch b join public.customers c on c.id = b.customer_id
  where b.email <> c.email
  on conflict (organization_id, email) where email is not null do nothing;
  perform private.add_phones(p_organization, array_agg(b.customer_id order by b.line, f.place),
    array_agg(f.phone order by b.line, f.place))
  from pg_temp.import_batch b cross join unnest(b.further_phones) with ordinality as f (phone, place)
  having count(*) > 0;
end
$$;
comment on function private.import_write_customers(uuid, uuid, jsonb) is
  'Saves the people gathered: new ones at the location, known ones with what the file adds. Returns how many were created and changed.';

create or replace function private.import_link_location(p_organization uuid, p_location uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  -- Read at once: one by one, statistics from before the import make each question read the whole table.
  v_linked uuid[] := array(
    select r.customer_id from public.reservations r
    where r.customer_id = any(array(select id from pg_temp.import_people)) and r.location_id = p_location
      and r.source = 'import');
begin
  insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
    reservation_date, reservation_time, party_size, status, source, service_over)
  select p_organization, p_location, p.id, 'import:' || p_location::text || ':' || p.id::text,
    nullif(concat_ws(' ', c.first_name, c.last_name), ''), (now() at time zone l.timezone)::date,
    time '12:00', 1,
    'completed', 'import', true
  from pg_temp.import_people p
  join public.customers c on c.id = p.id
  join public.locations l on l.id = p_location
  where not exists (select from unnest(v_linked) as linked (id) where linked.id = p.id)
  on conflict (organization_id, external_id) do nothing;

  perform private.refresh_customers(array(
    select c.id from pg_temp.import_people p join public.customers c on c.id = p.id
    where not p.is_new and c.location_id is null));
end
$$;
comment on function private.import_link_location(uuid, uuid) is
  'Links the people gathered to the location: one reservation a customer and location, of source `import`, that no list or figure counts.';

create or replace function public.import_customers(p_import uuid, p_rows jsonb) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_organization uuid;
  v_location uuid;
  v_status text;
  v_rows integer;
  v_people integer;
  v_written record;
begin
  select organization_id into v_organization from public.import_runs where id = p_import;
  -- One writer of identities at a time, the sync included; the import may be cancelled while this waits.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('identity:' || v_organization::text,
    0));
  select status, location_id into v_status, v_location from public.import_runs where id = p_import;
  if v_status is distinct from 'running' then
    return jsonb_build_object('running', false);
  end if;

  -- The steps share pg_temp.import_batch, then pg_temp.import_people.
  v_rows := private.import_read_rows(p_rows);
  perform private.import_match_people(v_organization);
  perform private.import_gather_people();
  select * into v_written
  from private.import_write_customers(v_organization, v_location, private.declared_consents(p_import));
  if v_location is not null then
    perform private.import_link_location(v_organization, v_location);
  end if;

  v_people := (select count(*) from pg_temp.import_people);
  update public.import_runs set processed = processed + v_rows, imported = imported + v_rows,
    created = created + v_written.created, updated = updated + v_written.updated,
    repeated = repeated + v_rows - v_people
  where id = p_import;
  return jsonb_build_object('running', true, 'created', v_written.created, 'updated', v_written.updated,
    'unchanged', v_people - v_written.created - v_written.updated);
end
$$;
comment on function public.import_customers(uuid, jsonb) is
  'Saves a chunk of a running import''s rows, all or none, and counts them in the run. When the import is over or cancelled it saves nothing and returns {running: false}.';
grant execute on function private.declared_consents(uuid), private.import_read_rows(jsonb),
  private.import_match_people(uuid), private.import_gather_people(),
  private.import_write_customers(uuid, uuid, jsonb), private.import_link_location(uuid, uuid),
  public.import_customers(uuid, jsonb) to service_role;
