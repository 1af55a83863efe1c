-- Events that repeat. Each date of a series is a row of calendar_events, made 400 days ahead and continued by
-- tidy_up, so that every occurrence has its own messages, rights and changes. All times are local: of the
-- location, or of the group.

create or replace function private.hold_series(p_organization uuid) returns void
language sql volatile set search_path = ''
as $$
  select pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('calendar_series:' || p_organization::text, 0))
$$;
comment on function private.hold_series(uuid) is
  'Changes of an organization''s series follow one another: each of them touches many rows.';

create or replace function private.event_zone(e public.calendar_events) returns text
language sql stable set search_path = ''
as $$ select private.zone_of(e.organization_id, e.location_id) $$;
comment on function private.event_zone(public.calendar_events) is 'The time zone of an event.';

create or replace function private.keep_local_times() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.hold_series(coalesce((to_jsonb(new) ->> 'organization_id')::uuid, new.id));
  update public.calendar_events e set
    event_datetime = coalesce(e.starts_on::timestamp, e.event_datetime at time zone old.timezone)
      at time zone new.timezone,
    ends_at = coalesce((e.ends_on + 1)::timestamp, e.ends_at at time zone old.timezone)
      at time zone new.timezone
  where (e.starts_on is not null or e.series_id is not null) and case tg_table_name
    when 'locations' then e.location_id = new.id
    else e.organization_id = new.id and e.location_id is null end;
  return null;
end
$$;
comment on function private.keep_local_times() is
  'Trigger: all-day events and series keep their dates and local times when their clock becomes another.';

create or replace trigger organizations_keep_local_times after update of timezone on public.organizations
  for each row when (new.timezone <> old.timezone) execute function private.keep_local_times();
create or replace trigger locations_keep_local_times after update of timezone on public.locations
  for each row when (new.timezone <> old.timezone) execute function private.keep_local_times();

create or replace function private.repeat_of(s private.calendar_series) returns jsonb
language sql immutable set search_path = ''
as $$
  select case when s.id is not null then jsonb_build_object('frequency', s.frequency, 'every', s.every,
    'weekdays', to_jsonb(s.weekdays), 'until', s.until, 'count', s.count) end
$$;
comment on function private.repeat_of(private.calendar_series) is 'The rule as the API has it; null: none.';

create or replace function private.series_dates(s private.calendar_series, p_to date)
  returns table (place bigint, day date)
language sql immutable set search_path = ''
as $$
  select row_number() over (order by d.day), d.day
  from (
    select s.starts_on + n * s.every as day
    from generate_series(0, (p_to - s.starts_on) / s.every) as n
    where s.frequency = 'daily'
    union all
    select date_trunc('week', s.starts_on::timestamp)::date + n * 7 * s.every + w - 1
    from generate_series(0, (p_to - s.starts_on) / (7 * s.every) + 1) as n cross join unnest(s.weekdays) as w
    where s.frequency = 'weekly'
    union all
    select m.first + least(s.month_day, extract(day from m.first + interval '1 month - 1 day')::integer) - 1
    from (
      select (date_trunc('month', s.starts_on::timestamp)
        + make_interval(months => n * s.every * case s.frequency when 'yearly' then 12 else 1 end))::date
          as first
      from generate_series(0,
        (p_to - s.starts_on) / (28 * s.every * case s.frequency when 'yearly' then 12 else 1 end) + 1) as n
      where s.frequency in ('monthly', 'yearly')
    ) as m
  ) as d
  where d.day between s.starts_on and least(p_to, s.until)
  order by d.day
  limit s.count
$$;
comment on function private.series_dates(private.calendar_series, date) is
  'The dates of a rule up to p_to, numbered from 1.';

create or replace function private.occurrence_times(s private.calendar_series, p_day date, p_timezone text)
returns table (event_datetime timestamptz, ends_at timestamptz, starts_on date, ends_on date)
language sql stable set search_path = ''
as $$
  select b.at, case
      when s.begins is null then (p_day + s.lasts + interval '1 day') at time zone p_timezone
      -- In the night of a clock change an end may fall before its beginning.
      when s.lasts is not null then greatest(b.at, (p_day + s.begins + s.lasts) at time zone p_timezone) end,
    case when s.begins is null then p_day end, case when s.begins is null then (p_day + s.lasts)::date end
  from (select (p_day + coalesce(s.begins, '00:00')) at time zone p_timezone as at) as b
$$;
comment on function private.occurrence_times(private.calendar_series, date, text) is
  'When the occurrence of a date begins and ends.';

create or replace function private.with_times(s private.calendar_series, e public.calendar_events)
returns private.calendar_series
language plpgsql stable set search_path = ''
as $$
declare
  v_zone text := private.event_zone(e);
begin
  s.begins := case when e.starts_on is null then (e.event_datetime at time zone v_zone)::time end;
  s.lasts := case when e.starts_on is null
    then (e.ends_at at time zone v_zone) - (e.event_datetime at time zone v_zone)
    else make_interval(days => e.ends_on - e.starts_on) end;
  return s;
end
$$;
comment on function private.with_times(private.calendar_series, public.calendar_events) is
  'The series with the local times of an event.';

create or replace function private.with_days(p_old public.calendar_events, p_new public.calendar_events,
  p_given boolean)
returns public.calendar_events
language plpgsql stable set search_path = ''
as $$
declare
  v_zone text := private.event_zone(p_new);
begin
  -- A client without support for days that sets a time turns an all-day event into a timed one.
  if not p_given and (p_new.event_datetime, p_new.ends_at) is distinct
    from (p_old.event_datetime, p_old.ends_at) then
    p_new.starts_on := null;
  end if;
  p_new.ends_on := case when p_new.starts_on is not null then coalesce(p_new.ends_on, p_new.starts_on) end;
  if p_new.starts_on is not null then
    p_new.event_datetime := p_new.starts_on::timestamp at time zone v_zone;
    p_new.ends_at := (p_new.ends_on + 1)::timestamp at time zone v_zone;
  end if;
  return p_new;
end
$$;
comment on function private.with_days(public.calendar_events, public.calendar_events, boolean) is
  'An event with the midnights around its days, if it has days; p_given: the change says which.';

create or replace function private.changed_fields(p_old public.calendar_events, p_new public.calendar_events)
  returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select f from unnest(array['title', 'description', 'location_id', 'customer_id', 'assignee_id',
      'reminder_minutes']) as f
    where to_jsonb(p_new) -> f is distinct from to_jsonb(p_old) -> f
    union all
    select 'event_datetime'
    where (p_new.event_datetime, p_new.ends_at, p_new.starts_on, p_new.ends_on)
        is distinct from (p_old.event_datetime, p_old.ends_at, p_old.starts_on, p_old.ends_on)
      or private.event_zone(p_new) <> private.event_zone(p_old))
$$;
comment on function private.changed_fields(public.calendar_events, public.calendar_events) is
  'The fields in which they differ, by the names of own_fields; another clock is another time.';

create or replace function private.own_fields(p_old public.calendar_events, p_changed text[], p_alone boolean)
  returns text[]
language sql stable set search_path = ''
as $$
  select case when p_alone then array(select distinct f from unnest(p_old.own_fields || p_changed) as f
    order by f)
    else array(
      select f from unnest(p_old.own_fields) as f
      -- One that was moved to another day keeps its day.
      where f <> all(p_changed) or f = 'event_datetime' and p_old.occurs_on
        <> (p_old.event_datetime at time zone private.event_zone(p_old))::date) end
$$;
comment on function private.own_fields(public.calendar_events, text[], boolean) is
  'own_fields of an event after a change of it alone, or of its series.';

create or replace function private.rule_problem(p_rule jsonb, p_next jsonb, p_old public.calendar_events,
  p_new public.calendar_events, p_scope text) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_begins date := (p_new.event_datetime at time zone private.event_zone(p_new))::date;
begin
  return case
    when p_rule <> p_next and p_rule <> 'null' and p_scope <> 'following' then 'repeat_scope'
    when p_next = 'null' or p_rule = p_next and p_scope = 'one' then null
    when p_rule <> p_next and (p_next ->> 'until')::date < v_begins then 'repeat_ends_before_start'
    -- What the rows to be made or moved may cost, and where the years end.
    when p_rule <> p_next and v_begins < current_date - 400
      or v_begins not between '1910-01-01' and '2190-01-01'
      or p_new.ends_at > p_new.event_datetime + interval '400 days'
      or p_new.event_datetime not between p_old.event_datetime - interval '400 days'
        and p_old.event_datetime + interval '400 days' then 'repeat_out_of_range' end;
end
$$;
comment on function private.rule_problem(jsonb, jsonb, public.calendar_events, public.calendar_events, text) is
  'Why an event may not get another rule, or change with its series as from p_old to p_new, as an outcome; null: it may.';

create or replace function private.make_occurrences(p_series uuid[], p_to date) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.calendar_events (organization_id, series_id, occurs_on, title, description,
    event_datetime, ends_at, starts_on, ends_on, location_id, customer_id, assignee_id, reminder_minutes,
    created_by)
  select s.organization_id, s.id, d.day, e.title, e.description, x.event_datetime, x.ends_at, x.starts_on,
    x.ends_on, e.location_id, e.customer_id, e.assignee_id, e.reminder_minutes, e.created_by
  from private.calendar_series s
  cross join lateral (
    select * from public.calendar_events o where o.series_id = s.id
    -- One that is as the whole series is.
    order by cardinality(o.own_fields), o.occurs_on desc limit 1
  ) as e
  join public.organizations o on o.id = s.organization_id
  left join public.locations l on l.id = e.location_id
  cross join lateral private.series_dates(s, p_to) as d
  cross join lateral private.occurrence_times(s, d.day, coalesce(l.timezone, o.timezone)) as x
  where s.id = any(p_series) and d.day > s.made_until
    and coalesce(x.ends_at, x.event_datetime) < '2200-01-01Z' and coalesce(x.ends_on, d.day) <= '2199-12-31';
  update private.calendar_series s set made_until = p_to where s.id = any(p_series) and s.made_until < p_to;
end
$$;
comment on function private.make_occurrences(uuid[], date) is 'Makes the rows that these series lack up to p_to.';

create or replace function private.begin_series(p_event uuid, p_rule jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  e public.calendar_events;
  s private.calendar_series;
begin
  if p_rule = 'null' then
    update public.calendar_events set series_id = null, occurs_on = null, own_fields = '{}'
      where id = p_event;
    return;
  end if;
  select * into e from public.calendar_events where id = p_event;
  s := private.with_times(jsonb_populate_record(null::private.calendar_series, p_rule), e);
  s.id := gen_random_uuid();
  s.organization_id := e.organization_id;
  s.starts_on := (e.event_datetime at time zone private.event_zone(e))::date;
  s.month_day := extract(day from s.starts_on);
  s.made_until := s.starts_on;
  -- The day of the event itself is always one of them.
  s.weekdays := case when s.frequency = 'weekly' then array(
    select w from unnest(s.weekdays || extract(isodow from s.starts_on)::smallint) as w group by w
      order by w) end;
  insert into private.calendar_series select s.*;
  update public.calendar_events set series_id = s.id, occurs_on = s.starts_on, own_fields = '{}'
    where id = p_event;
  perform private.make_occurrences(array[s.id],
    least(greatest(s.starts_on, current_date) + 400, '2199-12-31'));
end
$$;
comment on function private.begin_series(uuid, jsonb) is 'From now on an event repeats by a rule, or (null) no longer.';

create or replace function private.cut_series(p_series uuid, p_from date, p_but uuid, p_locations uuid[])
  returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.calendar_events e
  where e.series_id = p_series and e.occurs_on >= p_from and e.id is distinct from p_but
    and (e.location_id is null or e.location_id = any(p_locations));
  update private.calendar_series s set until = greatest(p_from, s.starts_on) - 1, count = null
    where s.id = p_series;
end
$$;
comment on function private.cut_series(uuid, date, uuid, uuid[]) is
  'Ends a series before a date: deletes its occurrences from then on, except one, in the caller''s locations and in none.';

create or replace function private.moved_series(s private.calendar_series, p_old public.calendar_events,
  p_new public.calendar_events)
returns private.calendar_series
language plpgsql stable set search_path = ''
as $$
declare
  v_days integer := (p_new.event_datetime at time zone private.event_zone(p_new))::date
    - (p_old.event_datetime at time zone private.event_zone(p_old))::date;
  v_day date := p_old.occurs_on + v_days;
  v_months integer := (extract(year from v_day) - extract(year from p_old.occurs_on)) * 12
    + extract(month from v_day) - extract(month from p_old.occurs_on);
begin
  s := private.with_times(s, p_new);
  if v_days <> 0 then
    s.weekdays := case when s.weekdays is not null then array(
      select distinct ((w - 1 + v_days) % 7 + 7) % 7 + 1 as day from unnest(s.weekdays) as w
        order by day) end;
    if s.frequency in ('monthly', 'yearly') then
      s.month_day := extract(day from v_day);
      s.starts_on := date_trunc('month', s.starts_on::timestamp) + make_interval(months => v_months);
    else
      s.starts_on := s.starts_on + v_days;
    end if;
    s.until := case when s.until is not null then least(s.until + v_days, '2199-12-31') end;
    s.made_until := s.made_until + v_days;
  end if;
  return s;
end
$$;
comment on function private.moved_series(private.calendar_series, public.calendar_events, public.calendar_events) is
  'A series when one of its events, moved as from p_old to p_new, moves them all.';

create or replace function private.change_series(s private.calendar_series, p_old public.calendar_events,
  p_new public.calendar_events, p_changed text[], p_following boolean, p_locations uuid[]) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  n private.calendar_series := s;
begin
  if p_following and exists (
    select 1 from public.calendar_events e where e.series_id = s.id and e.occurs_on < p_old.occurs_on
  ) then
    n.id := gen_random_uuid();
    n.starts_on := p_old.occurs_on;
    n.count := greatest(1, s.count - (select count(*) from private.series_dates(s, p_old.occurs_on - 1)));
    n.count := case when s.count is not null then n.count end;
    insert into private.calendar_series select n.*;
    update public.calendar_events e set series_id = n.id
    where e.series_id = s.id and e.occurs_on >= p_old.occurs_on
      and (e.location_id is null or e.location_id = any(p_locations));
    update private.calendar_series o set until = p_old.occurs_on - 1, count = null where o.id = s.id;
    s := n;
  end if;
  if 'event_datetime' = any(p_changed) then
    n := private.moved_series(s, p_old, p_new);
  end if;
  with dates as (
    select o.day as was, m.day
    from private.series_dates(s, s.made_until) as o
    join private.series_dates(n, least(n.made_until + 31, '2199-12-31')) as m using (place)
  ), next as (
    select e.id, e.own_fields as own, d.day, x.*,
      'event_datetime' = any(p_changed) and e.id <> p_new.id
        and 'event_datetime' <> all(e.own_fields) as moves,
      array(select f from unnest(p_changed) as f where f <> all(e.own_fields)) as takes
    from public.calendar_events e
    left join dates w on w.was = e.occurs_on
    cross join lateral (select coalesce(w.day, e.occurs_on + (n.starts_on - s.starts_on)) as day) as d
    cross join lateral private.occurrence_times(n, d.day, private.zone_of(e.organization_id,
      case when 'location_id' = any(p_changed) and 'location_id' <> all(e.own_fields) then p_new.location_id
        else e.location_id end)) as x
    where e.series_id = n.id and (e.location_id is null or e.location_id = any(p_locations))
    for update of e
  ), made as (
    update private.calendar_series o set starts_on = n.starts_on, month_day = n.month_day,
      weekdays = n.weekdays, begins = n.begins, lasts = n.lasts, until = n.until,
      made_until = greatest(n.made_until, (select max(dates.day) from dates))
    where o.id = n.id
  )
  update public.calendar_events e set occurs_on = t.day,
    title = case when 'title' = any(t.takes) then p_new.title else e.title end,
    description = case when 'description' = any(t.takes) then p_new.description else e.description end,
    location_id = case when 'location_id' = any(t.takes) then p_new.location_id else e.location_id end,
    customer_id = case when 'customer_id' = any(t.takes) then p_new.customer_id else e.customer_id end,
    assignee_id = case when 'assignee_id' = any(t.takes) then p_new.assignee_id else e.assignee_id end,
    reminder_minutes = case when 'reminder_minutes' = any(t.takes) then p_new.reminder_minutes
    else e.reminder_minutes end, event_datetime = case when t.moves then t.event_datetime
    else e.event_datetime end, ends_at = case when t.moves then t.ends_at else e.ends_at end,
    starts_on = case when t.moves then t.starts_on else e.starts_on end,
    ends_on = case when t.moves then t.ends_on else e.ends_on end
  from next t where e.id = t.id;
end
$$;
comment on function private.change_series(
  private.calendar_series, public.calendar_events, public.calendar_events, text[], boolean, uuid[]) is
  'Applies the changes of one event to its series, or to the following events, which then become a series of their own; fields changed for one occurrence stay.';

create or replace function private.extend_series(p_organization uuid, p_now timestamptz, p_limit integer)
  returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_due uuid[];
begin
  perform private.hold_series(p_organization);
  delete from private.calendar_series s
  where s.organization_id = p_organization
    and not exists (select 1 from public.calendar_events e where e.series_id = s.id);
  -- A month at a time, not a day every night.
  v_due := array(
    select s.id from private.calendar_series s
    where s.organization_id = p_organization and s.made_until < p_now::date + 370
      and (s.until is null or s.until > s.made_until)
    order by s.made_until, s.id limit p_limit);
  perform private.make_occurrences(v_due, p_now::date + 400);
  return cardinality(v_due);
end
$$;
comment on function private.extend_series(uuid, timestamptz, integer) is
  'Makes the occurrences of the next 400 days of at most p_limit series, and drops series without events. Returns how many were due.';
grant execute on function private.extend_series(uuid, timestamptz, integer) to service_role;
