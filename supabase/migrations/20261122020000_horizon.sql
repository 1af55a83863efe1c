-- What is known of each location from its PMS: the days it was asked for, and whether it answers.

alter table public.locations
  add column known_from date,
  add column known_until date,
  add column synced_at timestamptz,
  add column sync_failing_since timestamptz,
  add column sync_failure text,
  add column looked_ahead_at timestamptz,
  add column ahead_tried_at timestamptz,
  add column ahead_until date,
  add constraint locations_known_days check ((known_from is null) = (known_until is null) and known_from <= known_until);
comment on column public.locations.known_from is
  'First of the days in a row that the PMS was asked for. Null: none yet. A location without pms_id is known on every day.';
comment on column public.locations.known_until is 'Last of those days.';
comment on column public.locations.synced_at is 'When the PMS last gave the days around today in full.';
comment on column public.locations.sync_failing_since is 'When the first of the failed syncs since then was; null while it works.';
comment on column public.locations.sync_failure is 'The code of the last failure (lib/pms/errors.ts, or not_saved); null while it works.';
comment on column public.locations.looked_ahead_at is 'When the days ahead were last asked for to the end.';
comment on column public.locations.ahead_tried_at is 'When that was last tried, with or without success: one that fails waits behind the others.';
comment on column public.locations.ahead_until is 'The day an unfinished look ahead has reached; null when none is under way.';

-- What was asked under another slug says nothing about this one.
create function private.forget_sync() returns trigger
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
  return new;
end
$$;
comment on function private.forget_sync() is 'Clears what is known of a location when its PMS id changes.';
create trigger locations_forget_sync before update of pms_id on public.locations
  for each row when (old.pms_id is distinct from new.pms_id) execute function private.forget_sync();

create function private.known_days(p_from date, p_until date, p_asked daterange) returns daterange
language sql immutable set search_path = ''
as $$
  select case when p_from is null then p_asked
    when known.days && p_asked or known.days -|- p_asked then known.days + p_asked
    else p_asked end
  from (select daterange(p_from, p_until, '[]') as days) as known
$$;
comment on function private.known_days(date, date, daterange) is
  'The days known so far with those just asked for; after a gap only the latter, so that no day in between counts as known.';

create function public.record_sync(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_failure text default null) returns void
language sql volatile set search_path = ''
as $$
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1, synced_at = p_at,
    sync_failing_since = null, sync_failure = null
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_failure is null;
  update public.locations
  set sync_failing_since = coalesce(sync_failing_since, p_at), sync_failure = p_failure
  where id = p_location and p_failure is not null;
$$;
comment on function public.record_sync(uuid, timestamptz, date, date, text) is
  'Keeps that the PMS gave a location''s days from p_from to p_to, or with p_failure that it did not.';

create function public.record_look_ahead(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_outcome text) returns void
language sql volatile set search_path = ''
as $$
  update public.locations set ahead_tried_at = p_at where id = p_location;
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1,
    looked_ahead_at = case when p_outcome = 'done' then p_at else l.looked_ahead_at end,
    ahead_until = case when p_outcome = 'more' then p_to end
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_outcome in ('done', 'more')
$$;
comment on function public.record_look_ahead(uuid, timestamptz, date, date, text) is
  'Keeps what became of asking for some of a location''s days ahead: done with the last of them, more before, or failed.';

revoke execute on function private.forget_sync(), private.known_days(date, date, daterange) from public;
grant execute on function private.known_days(date, date, daterange) to service_role;
revoke execute on function public.record_sync(uuid, timestamptz, date, date, text),
  public.record_look_ahead(uuid, timestamptz, date, date, text) from public, anon, authenticated;
grant execute on function public.record_sync(uuid, timestamptz, date, date, text),
  public.record_look_ahead(uuid, timestamptz, date, date, text) to service_role;
