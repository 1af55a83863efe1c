-- Calendar events with their location, customer and assignee. All members of the organization use them;
-- members bound to locations see those of their locations and of none. An event that repeats has a row for
-- each date, so that lists, messages and rights know single events only.

create table private.calendar_series (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  frequency text not null check (frequency in ('daily', 'weekly', 'monthly', 'yearly')),
  every integer not null check (every between 1 and 99),
  weekdays smallint[] check (cardinality(weekdays) between 1 and 7 and array_ndims(weekdays) = 1
    and weekdays <@ '{1,2,3,4,5,6,7}' and array_position(weekdays, null) is null),
  until date check (until between '1900-01-01' and '2199-12-31'),
  count integer check (count between 1 and 500),
  starts_on date not null check (starts_on between '1900-01-01' and '2199-12-31'),
  month_day integer not null check (month_day between 1 and 31),
  begins time,
  lasts interval,
  made_until date not null check (made_until between '1900-01-01' and '2199-12-31'),
  constraint calendar_series_end_check check (until is null or count is null),
  constraint calendar_series_weekly_check check ((weekdays is not null) = (frequency = 'weekly'))
);

create index calendar_series_organization_idx on private.calendar_series (organization_id, made_until);
comment on table private.calendar_series is
  'How an event repeats. It has no texts: a new occurrence is a copy of an existing one.';
comment on column private.calendar_series.weekdays is 'ISO weekdays of a weekly series, 1 (Monday) to 7.';
comment on column private.calendar_series.month_day is 'Monthly and yearly; in a shorter month its last day.';
comment on column private.calendar_series.begins is 'Local time, so that 10:00 stays 10:00 when the clocks change; null: all day.';
comment on column private.calendar_series.lasts is 'On the local clock; null: no end.';
comment on column private.calendar_series.made_until is
  'The occurrences up to this date have been created; a deleted one is not created again.';
alter table private.calendar_series enable row level security;
grant select, update, delete on private.calendar_series to service_role;

create table public.calendar_events (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  title text not null check (btrim(title) <> '' and length(title) <= 200),
  description text check (length(description) <= 5000),
  event_datetime timestamptz not null,
  ends_at timestamptz,
  starts_on date,
  ends_on date,
  series_id uuid references private.calendar_series on delete set null,
  occurs_on date,
  own_fields text[] not null default '{}'
    check (own_fields = '{}' or cardinality(own_fields) <= 10 and array_ndims(own_fields) = 1
      and array_position(own_fields, null) is null and array_to_string(own_fields, E'\x01') !~ '[^\x01]{61}'),
  -- Not "set null": an event without a location is open to everyone.
  location_id uuid references public.locations on delete cascade,
  customer_id uuid references public.customers on delete set null,
  assignee_id uuid references public.profiles on delete set null,
  notification_sent boolean not null default false,
  notification_round integer not null default 0 check (notification_round between -1 and 1000000000),
  reminder_minutes integer not null default 60 check (reminder_minutes between 0 and 10080),
  reminder_sent boolean not null default false,
  reminder_round integer not null default 0 check (reminder_round between -1 and 1000000000),
  created_by uuid references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint calendar_events_order_check check (isfinite(event_datetime) and ends_at >= event_datetime),
  constraint calendar_events_days_check check (
    (starts_on is null) = (ends_on is null) and ends_on >= starts_on
    and starts_on >= '1900-01-01' and ends_on <= '2199-12-31'),
  constraint calendar_events_series_check check (
    (series_id is null or occurs_on is not null) and occurs_on between '1900-01-01' and '2199-12-31'),
  constraint calendar_events_instants_check check (
    least(event_datetime, ends_at, created_at, updated_at) >= '1900-01-01Z'
    and greatest(event_datetime, ends_at, created_at, updated_at) < '2200-01-01Z')
);
comment on table public.calendar_events is
  'An appointment. Its customer is notified within 24 hours before it, its assignee reminded reminder_minutes before.';
comment on column public.calendar_events.starts_on is
  'The first day of an all-day event; event_datetime and ends_at are then the midnights around its days. Null: it has a time.';
comment on column public.calendar_events.ends_on is 'The last day of an all-day event.';
comment on column public.calendar_events.occurs_on is 'The date by the rule of its series, even when it was moved.';
comment on column public.calendar_events.own_fields is
  'The fields changed for this occurrence only (event_datetime means all its times); changes of the series keep them.';
comment on column public.calendar_events.notification_round is
  'Counts up when the event is moved or gets another customer: it is to be announced again. Part of the dedupe key.';
comment on column public.calendar_events.reminder_round is
  'Counts up when the event is moved or gets another assignee: a reminder is due again. Part of the dedupe key.';

create index calendar_events_by_time_idx on public.calendar_events (organization_id, event_datetime, id);
create index calendar_events_location_idx on public.calendar_events (location_id, event_datetime, id);
create index calendar_events_assignee_idx on public.calendar_events (assignee_id, event_datetime, id);
create index calendar_events_customer_idx on public.calendar_events (customer_id)
  where customer_id is not null;
create index calendar_events_creator_idx on public.calendar_events (created_by) where created_by is not null;
create index calendar_events_to_notify_idx on public.calendar_events (organization_id, event_datetime, id)
  where not notification_sent and customer_id is not null;
create index calendar_events_to_remind_idx on public.calendar_events (organization_id, event_datetime, id)
  where not reminder_sent and assignee_id is not null;
-- An event of several days shows on each of them.
create index calendar_events_end_idx on public.calendar_events (organization_id, ends_at)
  where ends_at is not null;
create index calendar_events_series_idx on public.calendar_events (series_id, occurs_on)
  where series_id is not null;
create index calendar_events_words_idx on public.calendar_events
  using gin ((title || ' ' || coalesce(description, '')) extensions.gin_trgm_ops);
alter table public.calendar_events enable row level security;
grant select on public.calendar_events to authenticated;
grant select, insert, update, delete on public.calendar_events to service_role;

create policy "members read events of their locations and of none" on public.calendar_events
  for select to authenticated using (
    organization_id = any(array(select private.my_organizations()))
    and (location_id is null or location_id = any(array(select private.my_locations()))));
