-- A calendar shows an event of several days on each of them, also when it began before the first day shown.
create index calendar_events_end_idx on public.calendar_events (organization_id, ends_at) where ends_at is not null;

drop function public.list_calendar_events(uuid, timestamptz, timestamptz, uuid, uuid, timestamptz, uuid, integer);
create function public.list_calendar_events(
  p_id uuid default null, p_from timestamptz default null, p_to timestamptz default null,
  p_location uuid default null, p_assignee uuid default null,
  p_after_key timestamptz default null, p_after_id uuid default null, p_limit integer default 50,
  p_under_way boolean default false)
returns table (
  id uuid, title text, description text, event_datetime timestamptz, ends_at timestamptz, location_id uuid,
  customer_id uuid, assignee_id uuid, assignee_name text, notification_sent boolean, reminder_minutes integer,
  reminder_sent boolean, created_by uuid, created_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_where text := '';
begin
  -- Only conditions that apply enter the query, so that each one is planned for what it is.
  if p_id is not null then v_where := v_where || ' and e.id = $3'; end if;
  if p_from is not null and p_under_way then
    v_where := v_where || ' and (e.event_datetime >= $4 or e.ends_at > $4)';
  elsif p_from is not null then
    v_where := v_where || ' and e.event_datetime >= $4';
  end if;
  if p_to is not null then v_where := v_where || ' and e.event_datetime < $5'; end if;
  if p_location is not null then v_where := v_where || ' and e.location_id = $6'; end if;
  if p_assignee is not null then v_where := v_where || ' and e.assignee_id = $7'; end if;
  if p_after_id is not null then v_where := v_where || ' and (e.event_datetime, e.id) > ($8, $9)'; end if;
  return query execute format(
    'select e.id, e.title, e.description, e.event_datetime, e.ends_at, e.location_id, e.customer_id, e.assignee_id,
       coalesce(nullif(p.full_name, ''''), p.email), e.notification_sent, e.reminder_minutes, e.reminder_sent,
       e.created_by, e.created_at
     from public.calendar_events e left join public.profiles p on p.id = e.assignee_id
     where e.organization_id = $1 and (e.location_id is null or e.location_id = any($2)) %s
     order by e.event_datetime, e.id limit $10', v_where)
  using (select private.my_organizations() limit 1), array(select private.my_locations()),
    p_id, p_from, p_to, p_location, p_assignee, p_after_key, p_after_id, least(p_limit, 201);
end
$$;
comment on function public.list_calendar_events(
  uuid, timestamptz, timestamptz, uuid, uuid, timestamptz, uuid, integer, boolean) is
  'A keyset page of the events the caller may see, from p_from (inclusive; with p_under_way also those that end later) to
   p_to (exclusive), or the one with p_id.';

revoke execute on function
  public.list_calendar_events(uuid, timestamptz, timestamptz, uuid, uuid, timestamptz, uuid, integer, boolean) from public, anon;
grant execute on function
  public.list_calendar_events(uuid, timestamptz, timestamptz, uuid, uuid, timestamptz, uuid, integer, boolean) to authenticated;
