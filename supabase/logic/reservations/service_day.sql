-- The service day of a moment and of a reservation: a service ends at six in the morning.

create or replace function private.current_service(p_timezone text, p_now timestamptz) returns date
language sql immutable parallel safe set search_path = ''
as $$ select ((p_now at time zone p_timezone) - interval '6 hours')::date $$;
comment on function private.current_service(text, timestamptz) is
  'The service_date under way in a time zone: a service ends at 06:00 local on the day after.';

create or replace function private.service_day(p_date date, p_time time) returns date
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case when p_time < time '06:00' then p_date - 1 else p_date end;
end
$$;
comment on function private.service_day(date, time) is
  'The service a local date and time belong to, as in the generated column service_date.';
grant execute on function private.current_service(text, timestamptz), private.service_day(date, time)
  to authenticated, service_role;
