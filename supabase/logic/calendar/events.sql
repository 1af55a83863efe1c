-- Calendar events: making, changing and listing them. Those that repeat are in series.sql.

-- In triggers, so that it holds whoever changes the row: the API, a merge, an erasure.
create or replace function private.restart_calendar_event() returns trigger
language plpgsql set search_path = ''
as $$
declare
  -- Of an all-day event the date is announced: by another clock it begins at another instant.
  v_moved boolean := new.event_datetime <> old.event_datetime
    and (new.starts_on is null or new.starts_on is distinct from old.starts_on);
begin
  if v_moved or new.customer_id is distinct from old.customer_id then
    new.notification_sent := false;
    new.notification_round := old.notification_round + 1;
  end if;
  if v_moved or new.assignee_id is distinct from old.assignee_id then
    new.reminder_sent := false;
    new.reminder_round := old.reminder_round + 1;
  end if;
  return new;
end
$$;
comment on function private.restart_calendar_event() is
  'Trigger: a moved event, or one with another customer or assignee, is announced again.';

create or replace trigger calendar_events_restart before update of event_datetime, customer_id, assignee_id
  on public.calendar_events for each row execute function private.restart_calendar_event();

create or replace function private.withdraw_event_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.messages m set status = 'skipped', reason = 'event_changed'
  where m.about_id = old.id
    and m.purpose = any(array[
      case when tg_op = 'DELETE' or new.notification_round <> old.notification_round
        then 'event_notification' end,
      case when tg_op = 'DELETE' or new.reminder_round <> old.reminder_round then 'event_reminder' end])
    -- One that was attempted belongs to a frozen batch: it stays as it is.
    and m.status = 'queued' and m.attempts = 0 and m.frozen_at is null;
  return null;
end
$$;
comment on function private.withdraw_event_messages() is
  'Trigger: messages that still wait in the outbox with the old time, customer or assignee are not sent.';

create or replace trigger calendar_events_withdraw after delete or update of event_datetime, customer_id,
  assignee_id
  on public.calendar_events for each row execute function private.withdraw_event_messages();

create or replace function public.list_calendar_events(
  p_filters jsonb default '{}', p_id uuid default null, p_after_key timestamptz default null,
  p_after_id uuid default null, p_limit integer default 50)
returns table (
  id uuid, title text, description text, event_datetime timestamptz, ends_at timestamptz, location_id uuid,
  customer_id uuid, assignee_id uuid, assignee_name text, notification_sent boolean, reminder_minutes integer,
  reminder_sent boolean, created_by uuid, created_at timestamptz, starts_on date, ends_on date,
  series_id uuid, repeat jsonb)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_where text := '';
begin
  -- Only conditions that apply enter the query, so that each one is planned for what it is.
  if p_filters ->> 'from' is not null then
    v_where := v_where || case when (p_filters ->> 'under_way')::boolean
      then ' and (e.event_datetime >= ($2 ->> ''from'')::timestamptz or e.ends_at > ($2 ->> ''from'')::timestamptz)'
      else ' and e.event_datetime >= ($2 ->> ''from'')::timestamptz' end;
  end if;
  if p_filters ->> 'to' is not null then
    v_where := v_where || ' and e.event_datetime < ($2 ->> ''to'')::timestamptz';
  end if;
  if p_filters ->> 'location_id' is not null then
    v_where := v_where || ' and e.location_id = ($2 ->> ''location_id'')::uuid';
  end if;
  if p_filters ->> 'assignee_id' is not null then
    v_where := v_where || ' and e.assignee_id = ($2 ->> ''assignee_id'')::uuid';
  end if;
  if p_id is not null then v_where := v_where || ' and e.id = $4'; end if;
  if p_after_id is not null then v_where := v_where || ' and (e.event_datetime, e.id) > ($5, $6)'; end if;
  return query execute format(
    'select e.id, e.title, e.description, e.event_datetime, e.ends_at, e.location_id, e.customer_id, e.assignee_id,
       coalesce(nullif(p.full_name, ''''), p.email), e.notification_sent, e.reminder_minutes, e.reminder_sent,
       e.created_by, e.created_at, e.starts_on, e.ends_on, e.series_id, private.repeat_of(s)
     from public.calendar_events e left join public.profiles p on p.id = e.assignee_id
     left join private.calendar_series s on s.id = e.series_id
     where e.organization_id = $1 and (e.location_id is null or e.location_id = any($3)) %s
     order by e.event_datetime, e.id limit $7', v_where)
  using (select private.my_organizations() limit 1), p_filters, array(select private.my_locations()),
    p_id, p_after_key, p_after_id, least(p_limit, 201);
end
$$;
comment on function public.list_calendar_events(jsonb, uuid, timestamptz, uuid, integer) is
  'A keyset page of the events the caller may see, from `from` (inclusive; with `under_way` also those that end later) to
   `to` (exclusive), or the one with p_id; filters as eventsQuery in lib/calendar/filters.ts has them.';

create or replace function private.link_problem(p_organization uuid, p_locations uuid[], p_old jsonb,
  p_new jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_location uuid := p_new ->> 'location_id';
  v_customer uuid := p_new ->> 'customer_id';
  v_assignee uuid := p_new ->> 'assignee_id';
begin
  if v_location is distinct from (p_old ->> 'location_id')::uuid and v_location <> all(p_locations) then
    return 'unknown_location';
  end if;
  if v_customer is not null and v_customer is distinct from (p_old ->> 'customer_id')::uuid then
    if not exists (select 1 from private.my_organizations('canAccessClientes')) then
      return 'forbidden';
    elsif not exists (
      select 1 from public.customers c where c.id = v_customer and c.organization_id = p_organization
    ) then
      return 'unknown_customer';
    end if;
  end if;
  if v_assignee is not null and v_assignee is distinct from (p_old ->> 'assignee_id')::uuid and not exists (
    select 1 from public.profiles p where p.id = v_assignee and p.organization_id = p_organization
      and p.role <> 'machine'
  ) then
    return 'unknown_assignee';
  end if;
  return null;
end
$$;
comment on function private.link_problem(uuid, uuid[], jsonb, jsonb) is
  'Why an event or a ticket may not be given its new location, customer or assignee, as an outcome; null: it may.';

create or replace function public.save_calendar_event(p_id uuid, p_fields jsonb, p_scope text default 'one')
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select private.person_organizations() limit 1);
  v_locations uuid[] := array(select private.my_locations());
  v_old public.calendar_events;
  v_new public.calendar_events;
  v_fields jsonb := (
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(p_fields)
    where key in ('title', 'description', 'event_datetime', 'ends_at', 'starts_on', 'ends_on', 'location_id',
      'customer_id', 'assignee_id', 'reminder_minutes', 'repeat'));
  v_loaded jsonb := p_fields -> 'loaded';
  v_series private.calendar_series;
  v_rule jsonb;
  v_next_rule jsonb;
  v_changed text[];
  v_edited jsonb;
  v_problem text;
begin
  if p_scope <> 'one' or v_fields ? 'repeat' then
    perform private.hold_series(v_organization);
  end if;
  if p_id is not null then
    select * into v_old from public.calendar_events e
    where e.id = p_id and e.organization_id = v_organization
      and (e.location_id is null or e.location_id = any(v_locations))
    for update;
  else
    v_old.id := gen_random_uuid();
    v_old.organization_id := v_organization;
    v_old.reminder_minutes := 60;
    v_old.own_fields := '{}';
  end if;
  if v_organization is null or v_old.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  select * into v_series from private.calendar_series s where s.id = v_old.series_id;
  v_rule := coalesce(private.repeat_of(v_series), 'null');
  v_next_rule := coalesce(v_fields -> 'repeat', v_rule);
  v_new := private.with_days(v_old, jsonb_populate_record(v_old, v_fields), v_fields ? 'starts_on');
  if p_id is not null and p_fields ? 'loaded' then
    v_edited := private.edited_meanwhile(
      to_jsonb(jsonb_populate_record(v_old, v_loaded))
        || jsonb_build_object('repeat', coalesce(v_loaded -> 'repeat', v_rule)),
      to_jsonb(v_old) || jsonb_build_object('repeat', v_rule),
      to_jsonb(v_new) || jsonb_build_object('repeat', v_next_rule), v_fields);
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
  end if;
  v_problem := coalesce(private.link_problem(v_organization, v_locations, to_jsonb(v_old), to_jsonb(v_new)),
    case when v_new.ends_on < v_new.starts_on then 'ends_before_first_day'
      when v_new.ends_at < v_new.event_datetime then 'ends_before_start'
      else private.rule_problem(v_rule, v_next_rule, v_old, v_new, p_scope) end);
  if v_problem is not null then
    return jsonb_build_object('outcome', v_problem);
  end if;
  v_changed := private.changed_fields(v_old, v_new);
  v_new.own_fields := case when v_old.series_id is null then '{}'
    else private.own_fields(v_old, v_changed, p_scope = 'one') end;
  if p_id is null then
    insert into public.calendar_events (id, organization_id, title, description, event_datetime, ends_at,
      starts_on, ends_on, location_id, customer_id, assignee_id, reminder_minutes, created_by)
    values (v_new.id, v_organization, v_new.title, v_new.description, v_new.event_datetime, v_new.ends_at,
      v_new.starts_on, v_new.ends_on, v_new.location_id, v_new.customer_id, v_new.assignee_id,
      v_new.reminder_minutes, (select private.caller()));
  elsif v_new is distinct from v_old then
    update public.calendar_events e set title = v_new.title, description = v_new.description,
      event_datetime = v_new.event_datetime, ends_at = v_new.ends_at, starts_on = v_new.starts_on,
      ends_on = v_new.ends_on, location_id = v_new.location_id, customer_id = v_new.customer_id,
      assignee_id = v_new.assignee_id, reminder_minutes = v_new.reminder_minutes,
      own_fields = v_new.own_fields
    where e.id = p_id;
  end if;
  if v_next_rule <> v_rule then
    if v_series.id is not null then
      perform private.cut_series(v_series.id, v_old.occurs_on, v_new.id, v_locations);
    end if;
    perform private.begin_series(v_new.id, v_next_rule);
  elsif p_scope <> 'one' and v_series.id is not null and cardinality(v_changed) > 0 then
    perform private.change_series(v_series, v_old, v_new, v_changed, p_scope = 'following', v_locations);
  end if;
  return jsonb_build_object('outcome', 'saved',
    'event', (select to_jsonb(l) from public.list_calendar_events(p_id => v_new.id) as l));
end
$$;
comment on function public.save_calendar_event(uuid, jsonb, text) is
  'Creates an event (p_id null) or changes the given fields of one and, by p_scope, of its series: one, following or all. A new rule (repeat) begins with the event; with following it replaces that of a series. Returns outcome (saved, not_found, edited_meanwhile with the current values, forbidden, unknown_location, unknown_customer, unknown_assignee, ends_before_start, ends_before_first_day, repeat_scope, repeat_ends_before_start, repeat_out_of_range) and the event.';

create or replace function public.delete_calendar_event(p_id uuid, p_scope text default 'one') returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_locations uuid[] := array(select private.my_locations());
  v_event public.calendar_events;
begin
  if p_scope <> 'one' then
    perform private.hold_series((select private.person_organizations() limit 1));
  end if;
  select * into v_event from public.calendar_events e
  where e.id = p_id and e.organization_id = any(array(select private.person_organizations()))
    and (e.location_id is null or e.location_id = any(v_locations))
  for update;
  if v_event.id is null then
    return false;
  end if;
  if p_scope = 'one' or v_event.series_id is null then
    delete from public.calendar_events e where e.id = p_id;
  else
    perform private.cut_series(v_event.series_id, case when p_scope = 'following' then v_event.occurs_on
      else '1900-01-02' end,
      null, v_locations);
  end if;
  return true;
end
$$;
comment on function public.delete_calendar_event(uuid, text) is
  'Deletes an event and, by p_scope, those of its series: one, following or all. False when there is none that the caller may see.';
grant execute on function
  public.list_calendar_events(jsonb, uuid, timestamptz, uuid, integer),
  public.save_calendar_event(uuid, jsonb, text), public.delete_calendar_event(uuid, text) to authenticated;
