-- The organization's clock, and when a nightly job last fell due by it.
create function private.home_timezone(p_organization uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select l.timezone from public.locations l where l.organization_id = p_organization
    order by l.created_at, l.id limit 1), 'Europe/Madrid')
$$;
comment on function private.home_timezone(uuid) is 'The time zone of the organization: that of its first location.';
revoke execute on function private.home_timezone(uuid) from public;
grant execute on function private.home_timezone(uuid) to authenticated, service_role;

create function public.last_local_hour(p_organization uuid, p_hour integer, p_now timestamptz default now())
returns timestamptz
language sql stable set search_path = ''
as $$
  with home as (
    select private.home_timezone(p_organization) as timezone
  ), today as (
    select timezone, (p_now at time zone timezone)::date + make_interval(hours => p_hour) as local_hour from home
  )
  select case when local_hour at time zone timezone <= p_now then local_hour at time zone timezone
    else (local_hour - interval '1 day') at time zone timezone end
  from today
$$;
comment on function public.last_local_hour(uuid, integer, timestamptz) is
  'The latest instant, not after p_now, at which the organization''s clock (its first location''s) showed the hour.';
revoke execute on function public.last_local_hour(uuid, integer, timestamptz) from public, anon, authenticated;
grant execute on function public.last_local_hour(uuid, integer, timestamptz) to service_role;
