-- The main job, set-based: a batch of one location's PMS rows becomes customers, reservations,
-- statistics and tiers in one transaction. lib/pms/sync calls it; rows come normalised from lib/pms.

create function private.raise_tiers(p_ids uuid[]) returns bigint
language sql volatile set search_path = ''
as $$
  with best as (
    select distinct on (c.id) c.id, t.id as tier_id
    from public.customers c
    join public.loyalty_rules rule on rule.location_id = c.location_id
      and c.total_spend >= rule.min_spend and c.total_visits >= rule.min_visits
    join public.loyalty_tiers t on t.id = rule.tier_id
    left join public.loyalty_tiers held on held.id = c.loyalty_tier_id
    where c.id = any(p_ids) and (held.id is null or t.rank > held.rank)
    order by c.id, t.rank desc
  ), raised as (
    update public.customers c set loyalty_tier_id = best.tier_id from best where c.id = best.id returning 1
  )
  select count(*) from raised
$$;
comment on function private.raise_tiers(uuid[]) is
  'Gives each customer the highest tier whose rule they meet at their location, when it is above theirs. Returns how many rose.';

create function private.refresh_customers(p_ids uuid[]) returns void
language sql volatile set search_path = ''
as $$
  -- Before tiers rise: a visit earns by the tier held until then.
  select private.settle_points(p_ids);
  with own as (
    select r.customer_id, r.location_id, r.party_size, r.total_amount, l.average_spend_per_guest as average,
      (r.reservation_date + r.reservation_time) at time zone l.timezone as instant,
      r.source <> 'import' as counts,
      coalesce(r.visited, false) as visited
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = any(p_ids)
  ), statistics as (
    select customer_id, count(*) filter (where visited) as visits, max(instant) filter (where visited) as last_visit,
      sum(coalesce(total_amount, party_size * average, 0)) filter (where visited) as spend,
      bool_or(total_amount is null) filter (where visited) as estimate
    from own group by customer_id
  ), homes as (
    select distinct on (customer_id) customer_id, location_id
    from (
      select customer_id, location_id, count(*) filter (where counts) as bookings, max(instant) as latest
      from own group by customer_id, location_id
    ) as per_location
    order by customer_id, bookings desc, latest desc, location_id
  ), balances as (
    select customer_id, sum(points) as points from public.loyalty_points
    where customer_id = any(p_ids) group by customer_id
  ), next as (
    select c.id, coalesce(s.visits, 0)::integer as visits,
      least(coalesce(s.spend, 0), 9999999999.99)::numeric(12, 2) as spend, coalesce(s.estimate, false) as estimate, s.last_visit,
      coalesce(h.location_id, c.location_id) as location_id, coalesce(b.points, 0)::bigint as points
    from public.customers c
    left join statistics s on s.customer_id = c.id
    left join homes h on h.customer_id = c.id
    left join balances b on b.customer_id = c.id
    where c.id = any(p_ids)
  )
  update public.customers c
  set total_visits = n.visits, total_spend = n.spend, spend_is_estimate = n.estimate, last_visit_at = n.last_visit,
    location_id = n.location_id, points = n.points
  from next n
  where c.id = n.id and (c.total_visits, c.total_spend, c.spend_is_estimate, c.last_visit_at, c.location_id, c.points)
    is distinct from (n.visits, n.spend, n.estimate, n.last_visit, n.location_id, n.points);
  select private.raise_tiers(p_ids);
$$;
comment on function private.refresh_customers(uuid[]) is
  'Settles the customers'' points, recomputes their visits, spend, last visit, home location and balance, and raises their tier; writes only what changed.';

create function public.close_services(p_organization uuid, p_now timestamptz default now(),
  p_limit integer default 2000)
returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_closed integer;
  v_customers uuid[];
begin
  perform private.lock_identities(p_organization);
  with due as (
    select r.id, l.count_unmarked_visits as counts_unmarked
    from public.locations l
    join public.reservations r on r.location_id = l.id and not r.service_over and r.source <> 'import'
      and r.service_date < private.current_service(l.timezone, p_now)
    where l.organization_id = p_organization
    limit p_limit
  ), closed as (
    update public.reservations r set service_over = true, counts_unmarked = due.counts_unmarked
    from due where r.id = due.id
    returning r.customer_id, r.visited
  )
  select count(*), array_agg(distinct customer_id) filter (where visited and customer_id is not null)
  into v_closed, v_customers from closed;
  perform private.refresh_customers(coalesce(v_customers, '{}'));
  return v_closed >= p_limit;
end
$$;
comment on function public.close_services(uuid, timestamptz, integer) is
  'Closes the services that ended by p_now, at most p_limit reservations: settles who came and recomputes the affected customers. True when there may be more.';

create function public.recount_unmarked(p_location uuid, p_days integer) returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_location public.locations;
  v_from date;
  v_customers uuid[];
begin
  select * into v_location from public.locations where id = p_location and recount_from is not null for no key update;
  if v_location.id is null then
    return false;
  end if;
  perform private.lock_identities(v_location.organization_id);
  -- The next day that has reservations: gaps cost nothing.
  select min(r.service_date) into v_from from public.reservations r
  where r.location_id = p_location and r.service_date >= v_location.recount_from;
  with recounted as (
    update public.reservations r set counts_unmarked = v_location.count_unmarked_visits
    where r.location_id = p_location and r.service_date >= v_from and r.service_date < v_from + p_days
      and r.service_over and r.status = 'confirmed' and r.counts_unmarked <> v_location.count_unmarked_visits
    returning r.customer_id
  )
  select array_agg(distinct customer_id) filter (where customer_id is not null) into v_customers from recounted;
  perform private.refresh_customers(coalesce(v_customers, '{}'));
  update public.locations set recount_from = v_from + p_days where id = p_location;
  return v_from is not null;
end
$$;
comment on function public.recount_unmarked(uuid, integer) is
  'After count_unmarked_visits changed: counts the next p_days service days of the location anew; true when there may be more.';

create function public.sync_reservations(p_location uuid, p_rows jsonb, p_now timestamptz default now()) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_organization uuid;
  v_service date;
  v_counts_unmarked boolean;
  v_created integer;
  v_updated integer;
  v_customers integer;
  v_new_customers integer;
  v_more_customers integer;
begin
  select organization_id, private.current_service(timezone, p_now), count_unmarked_visits
  into v_organization, v_service, v_counts_unmarked
  from public.locations where id = p_location;
  if v_organization is null then
    raise exception 'unknown location' using errcode = '22023';
  end if;
  -- One writer of identities at a time: two batches never create the same person twice.
  perform private.lock_identities(v_organization);

  drop table if exists pg_temp.sync_batch;
  create temp table sync_batch on commit drop as
  with given as (
    select distinct on (r.external_id) r.*
    from rows from (jsonb_to_recordset(p_rows) as (
      external_id text, email text, phone text, first_name text, last_name text, customer_name text,
      reservation_date date, reservation_time time, party_size integer, status text, pms_status text,
      notes text, zone_name text, table_name text
    )) with ordinality as r (external_id, email, phone, first_name, last_name, customer_name,
      reservation_date, reservation_time, party_size, status, pms_status, notes, zone_name, table_name, position)
    order by r.external_id, r.position desc
  ), incoming as (
    select b.external_id, b.position, b.reservation_date, b.reservation_time, b.party_size, b.pms_status, b.zone_name,
      case when marked.status then e.status else b.status end as status,
      case when marked.table_name then e.table_name else b.table_name end as table_name,
      personal.email, personal.phone, personal.first_name, personal.last_name, personal.customer_name,
      case when marked.notes then e.notes else personal.notes end as notes,
      coalesce(e.staff_marks, '{}') - array_remove(array[case when not marked.status then 'status' end,
        case when not marked.table_name then 'table_name' end, case when not marked.notes then 'notes' end], null)
        as staff_marks
    from given b
    left join public.reservations e on e.organization_id = v_organization and e.external_id = b.external_id
    -- A booking of someone erased takes nothing of a person from the PMS again.
    left join lateral (
      select b.email, b.phone, b.first_name, b.last_name, b.customer_name, b.notes where e.erased_at is null
    ) as personal on true
    -- What staff marked stays while the PMS goes on sending what it sent then; a status we do not know is no news.
    cross join lateral (select
      coalesce(e.staff_marks ? 'status' and coalesce(b.status = e.staff_marks ->> 'status', true), false) as status,
      coalesce(e.staff_marks ? 'table_name', false)
        and b.table_name is not distinct from e.staff_marks ->> 'table_name' as table_name,
      coalesce(e.staff_marks ? 'notes', false)
        and personal.notes is not distinct from e.staff_marks ->> 'notes' as notes
    ) as marked
  )
  select i.*, coalesce(i.status, e.status, 'pending') as next_status,
    case when e.id is null or (i.customer_name, i.email, i.phone)
        is distinct from (e.customer_name, e.customer_email, e.customer_phone)
      then private.name_key(coalesce(i.first_name, '') || ' ' || coalesce(i.last_name, '')) end as name_key,
    row_number() over (order by i.reservation_date, i.reservation_time, i.position) as recency,
    e.id as reservation_id, e.customer_id as previous_customer_id, e.customer_id,
    e.id is null or (i.email, i.phone) is distinct from (e.customer_email, e.customer_phone) as contact_changed,
    e.id is null or i.customer_name is distinct from e.customer_name
      or (i.email, i.phone) is distinct from (e.customer_email, e.customer_phone) as person_changed,
    e.id is null or (p_location, i.customer_name, i.email, i.phone, i.reservation_date, i.reservation_time,
        i.party_size, coalesce(i.status, e.status), i.pms_status, i.notes, i.zone_name, i.table_name, i.staff_marks)
      is distinct from (e.location_id, e.customer_name, e.customer_email, e.customer_phone, e.reservation_date,
        e.reservation_time, e.party_size, e.status, e.pms_status, e.notes, e.zone_name, e.table_name, e.staff_marks)
      as changed,
    private.service_day(i.reservation_date, i.reservation_time) < v_service as service_over
  from incoming i
  left join public.reservations e on e.organization_id = v_organization and e.external_id = i.external_id;
  -- A known reservation keeps its customer while its contact data stays the same.
  update pg_temp.sync_batch set customer_id = null where contact_changed and customer_id is not null;
  analyze pg_temp.sync_batch;

  -- 1. By e-mail, then by a former e-mail.
  update pg_temp.sync_batch b set customer_id = c.id
  from public.customers c
  where b.contact_changed and b.email is not null and c.organization_id = v_organization and c.email = b.email;
  update pg_temp.sync_batch b set customer_id = a.customer_id
  from public.customer_aliases a
  where b.contact_changed and b.customer_id is null and b.email is not null
    and a.organization_id = v_organization and a.email = b.email;

  -- 2. A new e-mail with the phone and the name of a known customer is theirs; step 6 makes it their own
  --    or, when they have one, an alias. Names are compared once a person, however many share the phone.
  with wanted as (
    select email, phone, name_key, min(position) as position from pg_temp.sync_batch
    where contact_changed and customer_id is null and email is not null and phone is not null and name_key <> ''
    group by email, phone, name_key
  ), known as materialized (
    select owned.phone, c.id, c.email, c.created_at,
      private.name_key(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) as name_key
    from private.phone_owners(v_organization, array(select distinct phone from wanted)) as owned
    join public.customers c on c.id = owned.customer_id
  ), chosen as (
    select distinct on (w.email) w.email, k.id
    from wanted w join known k on k.phone = w.phone and k.name_key = w.name_key
    order by w.email, w.position, k.email is null desc, k.created_at, k.email, k.id
  )
  update pg_temp.sync_batch b set customer_id = c.id
  from chosen c where b.contact_changed and b.customer_id is null and b.email = c.email;
  --    Another one takes over a known customer with that phone and no e-mail.
  with wanted as (
    select distinct on (email) email, phone, position from pg_temp.sync_batch
    where contact_changed and customer_id is null and email is not null and phone is not null
    order by email, position
  ), pairs as (
    select w.email, w.position, c.id, row_number() over (partition by w.email order by c.created_at, c.id) as choice
    from wanted w
    join private.phone_owners(v_organization, array(select distinct phone from wanted)) as owned on owned.phone = w.phone
    join public.customers c on c.id = owned.customer_id and c.email is null
    where not exists (select 1 from pg_temp.sync_batch t where t.customer_id = c.id and t.email is not null)
  ), taken as (
    select distinct on (id) id, email from pairs where choice = 1 order by id, position
  )
  update pg_temp.sync_batch b set customer_id = t.id
  from taken t where b.contact_changed and b.customer_id is null and b.email = t.email;

  -- 3. The other new e-mails are new customers: one for those with the same phone and name, under the first e-mail.
  with latest as (
    select email, min(position) as position,
      (array_agg(phone order by recency desc) filter (where phone is not null))[1] as phone,
      (array_agg(first_name order by recency desc) filter (where name_key <> ''))[1] as first_name,
      (array_agg(last_name order by recency desc) filter (where name_key <> ''))[1] as last_name,
      (array_agg(name_key order by recency desc) filter (where name_key <> ''))[1] as name_key
    from pg_temp.sync_batch where contact_changed and customer_id is null and email is not null
    group by email
  ), people as (
    select *, first_value(email) over (partition by coalesce(phone || ' ' || name_key, email) order by position) as own
    from latest
  ), created as (
    insert into public.customers (organization_id, source, email, phone, first_name, last_name)
    select v_organization, 'PMS', email, phone, first_name, last_name from people where email = own
    returning id, email
  ), linked as (
    update pg_temp.sync_batch b set customer_id = c.id
    from people p join created c on c.email = p.own
    where b.contact_changed and b.customer_id is null and b.email = p.email
  )
  select count(*) into v_new_customers from created;

  -- 4. Without e-mail, by phone: of several people sharing it the one of that name, else the first known.
  with wanted as (
    select distinct phone, name_key from pg_temp.sync_batch
    where contact_changed and customer_id is null and email is null and phone is not null
  ), known as materialized (
    select owned.phone, c.id, c.email, c.created_at,
      private.name_key(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) as name_key
    from private.phone_owners(v_organization, array(select distinct phone from wanted)) as owned
    join public.customers c on c.id = owned.customer_id
  ), chosen as (
    select distinct on (w.phone, w.name_key) w.phone, w.name_key, k.id
    from wanted w join known k on k.phone = w.phone
    order by w.phone, w.name_key, k.name_key = w.name_key desc, k.created_at, k.email, k.id
  )
  update pg_temp.sync_batch b set customer_id = c.id
  from chosen c
  where b.contact_changed and b.customer_id is null and b.email is null
    and b.phone = c.phone and b.name_key = c.name_key;

  -- 5. The other phones are new customers, one a phone.
  with created as (
    insert into public.customers (organization_id, source, phone, first_name, last_name)
    select v_organization, 'PMS', phone,
      (array_agg(first_name order by recency desc) filter (where name_key <> ''))[1],
      (array_agg(last_name order by recency desc) filter (where name_key <> ''))[1]
    from pg_temp.sync_batch
    where contact_changed and customer_id is null and email is null and phone is not null
    group by phone
    returning id, phone
  ), linked as (
    update pg_temp.sync_batch b set customer_id = c.id
    from created c where b.contact_changed and b.customer_id is null and b.email is null and b.phone = c.phone
  )
  select count(*) into v_more_customers from created;

  -- 6. Profiles take the latest data of new or changed bookings. A booking under the customer's own
  --    e-mail replaces name and phone (the same name in other letters is no news); one matched by phone
  --    or alias only fills blanks. An e-mail that is not theirs by then becomes an alias.
  with news as (
    select b.customer_id,
      bool_or(b.email = c.email and b.name_key <> '') is true as own_name,
      (array_agg(b.first_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as first_name,
      (array_agg(b.last_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as last_name,
      (array_agg(b.name_key order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as name_key,
      (array_agg(b.phone order by b.recency desc) filter (where b.email = c.email and b.phone is not null))[1] as phone,
      (array_agg(b.email order by b.position) filter (where b.email is not null))[1] as email
    from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
    where b.person_changed
    group by b.customer_id
  ), profile as (
    select c.id, coalesce(c.email, n.email) as email, coalesce(n.phone, c.phone) as phone,
      case when takes.name then n.first_name else c.first_name end as first_name,
      case when takes.name then n.last_name else c.last_name end as last_name
    from news n
    join public.customers c on c.id = n.customer_id
    cross join lateral private.name_key(
      coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) as known (name_key)
    cross join lateral (select n.name_key <> known.name_key and (n.own_name or known.name_key = '')) as takes (name)
  )
  update public.customers c
  set email = p.email, phone = p.phone, first_name = p.first_name, last_name = p.last_name
  from profile p
  where c.id = p.id and (c.email, c.phone, c.first_name, c.last_name)
    is distinct from (p.email, p.phone, p.first_name, p.last_name);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select distinct v_organization, b.customer_id, b.email
  from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
  where b.contact_changed and b.email <> c.email
  on conflict (organization_id, email) where email is not null do nothing;

  -- 7. Reservations: new ones in, changed ones rewritten, the others not touched.
  insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
    customer_email, customer_phone, reservation_date, reservation_time, party_size, status, pms_status, notes,
    source, zone_name, table_name, service_over, counts_unmarked)
  select v_organization, p_location, customer_id, external_id, customer_name, email, phone, reservation_date,
    reservation_time, party_size, next_status, pms_status, notes, 'pms', zone_name, table_name, service_over,
    v_counts_unmarked
  from pg_temp.sync_batch where reservation_id is null
  order by reservation_date, reservation_time;
  get diagnostics v_created = row_count;

  -- What staff had marked and the PMS replaces stays on record.
  insert into public.audit_log (organization_id, action, subject_type, subject_id, details)
  select v_organization, 'reservation.overruled', 'reservation', e.id, jsonb_strip_nulls(jsonb_build_object(
    'fields', replaced.fields, 'status', case when 'status' = any(replaced.fields) then
      jsonb_build_object('from', e.status, 'to', b.next_status) end))
  from pg_temp.sync_batch b
  join public.reservations e on e.id = b.reservation_id
  cross join lateral (
    select array_agg(mark.field order by mark.field) as fields
    from (values ('status', e.status, b.next_status), ('table_name', e.table_name, b.table_name),
      ('notes', e.notes, b.notes)) as mark (field, ours, theirs)
    where e.staff_marks ? mark.field and mark.ours is distinct from mark.theirs
  ) as replaced
  where b.changed and e.staff_marks <> b.staff_marks and replaced.fields is not null;

  update public.reservations r set location_id = p_location, customer_id = b.customer_id,
    customer_name = b.customer_name, customer_email = b.email, customer_phone = b.phone,
    reservation_date = b.reservation_date, reservation_time = b.reservation_time, party_size = b.party_size,
    status = b.next_status, pms_status = b.pms_status, notes = b.notes,
    zone_name = b.zone_name, table_name = b.table_name, staff_marks = b.staff_marks,
    service_over = b.service_over, counts_unmarked = v_counts_unmarked
  from pg_temp.sync_batch b where r.id = b.reservation_id and b.changed;
  get diagnostics v_updated = row_count;

  -- 8. Statistics and tiers of everyone a new or changed reservation belongs or belonged to.
  perform private.refresh_customers(array(
    select customer_id from pg_temp.sync_batch where changed and customer_id is not null
    union
    select previous_customer_id from pg_temp.sync_batch where changed and previous_customer_id is not null));

  select count(distinct customer_id) into v_customers from pg_temp.sync_batch;
  return jsonb_build_object('created', v_created, 'updated', v_updated, 'customers', v_customers,
    'customers_created', v_new_customers + v_more_customers);
end
$$;
comment on function public.sync_reservations(uuid, jsonb, timestamptz) is
  'Saves one location''s normalised PMS rows (external_id, email, phone, names, date, time, party size, status, …). Returns counts.';

revoke execute on function private.raise_tiers(uuid[]), private.refresh_customers(uuid[]) from public;
grant execute on function private.raise_tiers(uuid[]), private.refresh_customers(uuid[]) to service_role;
revoke execute on function public.close_services(uuid, timestamptz, integer),
  public.recount_unmarked(uuid, integer),
  public.sync_reservations(uuid, jsonb, timestamptz) from public, anon, authenticated;
grant execute on function public.close_services(uuid, timestamptz, integer),
  public.recount_unmarked(uuid, integer), public.sync_reservations(uuid, jsonb, timestamptz) to service_role;
