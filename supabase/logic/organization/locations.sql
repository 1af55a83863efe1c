-- What a change of a location or its group brings with it: a time zone must exist, and another PMS id is
-- synced anew.

create or replace function private.zone_of(p_organization uuid, p_location uuid default null) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(l.timezone, o.timezone) from public.organizations o
  left join public.locations l on l.id = p_location and l.organization_id = o.id
  where o.id = p_organization
$$;
comment on function private.zone_of(uuid, uuid) is
  'The time zone of what is at a location, else (null) of what is the group''s: its setting. Where both rows are at hand it is coalesce(l.timezone, o.timezone).';
grant execute on function private.zone_of(uuid, uuid) to authenticated, service_role;

create or replace function private.check_timezone() returns trigger
language plpgsql set search_path = ''
as $$
begin
  -- The view reads a file for every zone there is, which takes 40 ms: not for the zone that nearly all are
  -- in.
  if new.timezone is distinct from 'Europe/Madrid'
    and not exists (select 1 from pg_catalog.pg_timezone_names z where z.name = new.timezone) then
    raise exception 'unknown time zone "%"', new.timezone using errcode = '22023';
  end if;
  return new;
end
$$;

create or replace trigger organizations_check_timezone before insert
  or update of timezone on public.organizations
  for each row execute function private.check_timezone();
create or replace trigger locations_check_timezone before insert or update of timezone on public.locations
  for each row execute function private.check_timezone();

-- Days fetched under another slug are not known for this one, nor what they lacked.
create or replace function private.forget_sync() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.known_from := null;
  new.known_until := null;
  new.synced_at := null;
  new.sync_failing_since := null;
  new.sync_failure := null;
  new.looked_ahead_at := null;
  new.ahead_tried_at := null;
  new.ahead_until := null;
  delete from private.missing_bookings m where m.location_id = new.id and m.cancelled_at is null;
  return new;
end
$$;
comment on function private.forget_sync() is 'Trigger: clears the known days and sync results of a location when its PMS id changes, and which bookings its answers lacked.';

create or replace trigger locations_forget_sync before update of pms_id on public.locations
  for each row when (old.pms_id is distinct from new.pms_id) execute function private.forget_sync();
