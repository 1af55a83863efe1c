-- Automations and their log of runs.

-- lib/automations/types.ts says what each is; TypeScript takes the list from here (npm run gen:types).
create type public.automation_type as enum (
  'birthday', 'reengagement', 'vip_reward', 'post_visit', 'no_show', 'reservation_confirmation',
  'campaign');
comment on type public.automation_type is
  'What an automation is for. A campaign is one message of public.campaigns, and no choice of people.';

create table public.automations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null check (btrim(name) <> '') check (length(name) <= 120),
  type text not null check (type::public.automation_type is not null),
  channel text not null check (channel in ('whatsapp', 'sms', 'email')),
  fallback_channel text
    check (fallback_channel in ('whatsapp', 'sms', 'email') and fallback_channel <> channel),
  status text not null default 'inactive' check (status in ('active', 'inactive')),
  subject text check (length(subject) <= 300),
  body text not null default '' check (length(body) <= 10000),
  content_sid text check (content_sid ~ '^HX[0-9a-fA-F]{32}$'),
  content_variables jsonb not null default '{}' check (jsonb_typeof(content_variables) = 'object')
    check (pg_column_size(content_variables) <= 262144
      and not jsonb_path_exists(content_variables, '$.**{2}')),
  criteria jsonb not null default '{}' check (jsonb_typeof(criteria) = 'object')
    check (pg_column_size(criteria) <= 65536 and not jsonb_path_exists(criteria, '$.**{6}')),
  location_ids uuid[] not null default '{}'
    check (cardinality(location_ids) <= 200 and array_position(location_ids, null) is null
      and coalesce(array_ndims(location_ids), 1) = 1),
  tags text[] not null default '{}'
    check (tags = '{}' or cardinality(tags) <= 50 and array_ndims(tags) = 1
      and array_position(tags, null) is null and array_to_string(tags, E'\x01') !~ '[^\x01]{61}'),
  tier_ids uuid[] not null default '{}'
    check (cardinality(tier_ids) <= 200 and array_position(tier_ids, null) is null
      and coalesce(array_ndims(tier_ids), 1) = 1),
  email_design jsonb
    check (email_design is null or coalesce(jsonb_typeof(email_design -> 'blocks') = 'array', false))
    check (pg_column_size(email_design) <= 131072 and not jsonb_path_exists(email_design, '$.**{9}')),
  control_share smallint default 0 check (control_share between 0 and 50),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  email_look jsonb check (jsonb_typeof(email_look) = 'object')
    check (pg_column_size(email_look) <= 8192 and not jsonb_path_exists(email_look, '$.**{3}')),
  -- The place of a campaign's message.
  campaign_id uuid references public.campaigns on delete cascade,
  step smallint check (step between 1 and 5),
  variant text check (variant in ('a', 'b')),
  after_days smallint check (after_days between 1 and 60),
  versions jsonb not null default '[]'
    check (jsonb_typeof(versions) = 'array' and jsonb_array_length(versions) <= 10)
    check (pg_column_size(versions) <= 1048576 and not jsonb_path_exists(versions, '$.**{11}')),
  constraint automations_instants_check check (
    least(created_at, updated_at, deleted_at) >= '1900-01-01Z'
    and greatest(created_at, updated_at, deleted_at) < '2200-01-01Z'),
  -- What is left out takes its default before it is stored (lib/automations/types.ts): SQL has none.
  constraint automations_criteria_complete check (case type
    when 'birthday' then criteria ->> 'days_before' is not null
    when 'reengagement' then num_nulls(criteria ->> 'inactive_days', criteria ->> 'min_visits') = 0
    when 'vip_reward' then num_nonnulls(criteria ->> 'min_tier', criteria ->> 'min_spend') > 0
    when 'post_visit' then num_nulls(criteria ->> 'hours_after', criteria ->> 'window_hours') = 0
    when 'no_show' then num_nulls(criteria ->> 'hours_after', criteria ->> 'window_hours') = 0
    when 'reservation_confirmation' then criteria ->> 'answers' is distinct from 'true'
      or num_nulls(criteria ->> 'question', criteria ->> 'answer_hours') = 0
    else true end),
  constraint automations_campaign_check check (
    (type = 'campaign') = (campaign_id is not null) and num_nonnulls(campaign_id, step, variant) in (0, 3)
    and (after_days is not null) = (coalesce(step, 1) > 1) and (variant = 'a' or step = 1)
    -- What is kept by campaign, such as the control group, is kept under its first message.
    and (id = campaign_id) = (step = 1 and variant = 'a'))
);
comment on table public.automations is 'A message that goes to customers by itself: to whom, when, by which channel.';
comment on column public.automations.criteria is 'The type''s own settings, complete; lib/automations/types.ts has their defaults.';
comment on column public.automations.location_ids is 'Only customers or reservations of these locations; empty: all.';
comment on column public.automations.email_design is
  'The e-mail as blocks (lib/email-design/schema.ts); null: body is the e-mail.';
comment on column public.automations.versions is
  'The message in further languages: [{language, subject, body, email_design}]. A guest gets that of their language, else the message itself, which is in the group''s.';
comment on column public.automations.control_share is
  'The per cent of its guests in the control group, who get no message; null: the organization''s share. 0 by default, so that programs that do not know of it write to every guest.';
comment on column public.automations.email_look is
  'Of a campaign that is no draft: the look of its e-mails when it was launched. What was approved is what is sent.';
comment on column public.automations.campaign_id is
  'The campaign whose message this is: also the id of its first message, under which its control group is kept.';
comment on column public.automations.after_days is 'Of a follow-up: so many days after the step before it was sent to the guest.';

create index automations_active_idx on public.automations (organization_id, name) where status = 'active';
create unique index automations_name_key on public.automations (organization_id, name)
  where deleted_at is null and type <> 'campaign';
create unique index automations_campaign_key on public.automations (campaign_id, step, variant);

create table public.automation_runs (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  automation_id uuid references public.automations on delete set null,
  automation_name text not null check (length(automation_name) <= 120),
  location_ids uuid[] not null default '{}'
    check (cardinality(location_ids) <= 500 and array_position(location_ids, null) is null
      and coalesce(array_ndims(location_ids), 1) = 1),
  guests integer check (guests between 0 and 1000000000),
  template jsonb check (pg_column_size(template) <= 262144 and not jsonb_path_exists(template, '$.**{10}')),
  triggered_by text not null check (triggered_by in ('manual', 'schedule')),
  event jsonb not null default '{}'
    check (pg_column_size(event) <= 1048576 and not jsonb_path_exists(event, '$.**{12}')),
  started_by uuid,
  started_by_name text check (length(started_by_name) <= 254),
  status text not null default 'running' check (status in
    ('running', 'paused', 'finished', 'waiting_approval', 'refused', 'expired', 'stopped')),
  reason public.reason,
  processed integer not null default 0 check (processed between 0 and 1000000000),
  sent integer not null default 0 check (sent between 0 and 1000000000),
  skipped integer not null default 0 check (skipped between 0 and 1000000000),
  failed integer not null default 0 check (failed between 0 and 1000000000),
  simulated integer not null default 0 check (simulated between 0 and 1000000000),
  failures integer not null default 0 check (failures between 0 and 1000000000),
  planning boolean not null default false,
  planned_to uuid,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz,
  decided_by text check (length(decided_by) <= 254),
  decided_at timestamptz,
  stopped_by text check (length(stopped_by) <= 254),
  stopped_at timestamptz,
  is_empty boolean not null
    generated always as (triggered_by = 'schedule' and status = 'finished' and processed = 0) stored,
  constraint automation_runs_instants_check check (
    least(started_at, finished_at, expires_at, decided_at, stopped_at) >= '1900-01-01Z'
    and greatest(started_at, finished_at, expires_at, decided_at, stopped_at) < '2200-01-01Z')
-- Room on the page for the next counts.
) with (fillfactor = 50);
comment on table public.automation_runs is 'The automation log: one row a run. A trigger on messages keeps its counts.';
comment on column public.automation_runs.location_ids is 'Those of the automation when it ran; empty: all.';
comment on column public.automation_runs.guests is 'How many it would write to, where that was counted because of approve_above.';
comment on column public.automation_runs.template is
  'The template that approval is asked for, with the look of its e-mails: messages are not sent with another one.';
comment on column public.automation_runs.event is
  'What started it: {name: automation/run, data: {automation_id, triggered_by}}.';
comment on column public.automation_runs.started_by is 'Who ran it by hand; they cannot approve it.';
comment on column public.automation_runs.reason is 'Why it is paused.';
comment on column public.automation_runs.processed is
  'Messages planned, one a matching customer or reservation: sent + skipped + failed + those still open.';
comment on column public.automation_runs.failed is 'Failed, or with an unknown outcome.';
comment on column public.automation_runs.simulated is 'Of those sent, the ones that the sandbox took.';
comment on column public.automation_runs.failures is 'Messages in a row that the provider refused or lost; ten pause the run.';
comment on column public.automation_runs.planning is
  'More messages may be planned for it; a job of a later call goes on where a killed process ended.';
comment on column public.automation_runs.planned_to is
  'The checkpoint of its plan: the last customer, by id, whose messages are there.';
comment on column public.automation_runs.expires_at is
  'Set while it waits for approval (or is still being planned for it): nothing of it is sent, and after this it is over.';
comment on column public.automation_runs.decided_by is 'Who approved or refused it: a name that outlives the profile.';
comment on column public.automation_runs.stopped_by is 'Who stopped it: a name that outlives the profile.';
comment on column public.automation_runs.is_empty is 'A scheduled run that found no recipients: folded in the log, dropped after a day.';

create index automation_runs_recent_idx on public.automation_runs (organization_id, started_at desc, id);
create index automation_runs_automation_idx on public.automation_runs (automation_id, started_at desc, id);
-- Without the counts, so that an update of these touches no index.
create index automation_runs_held_idx on public.automation_runs (organization_id)
  where status in ('paused', 'waiting_approval', 'refused', 'expired', 'stopped');
create index automation_runs_planning_idx on public.automation_runs (organization_id) where planning;
create index automation_runs_empty_idx on public.automation_runs (automation_id, started_at desc)
  where is_empty;
alter table public.automations enable row level security;
alter table public.automation_runs enable row level security;
grant select on public.automations, public.automation_runs to authenticated;
grant select, insert, update, delete on public.automations, public.automation_runs to service_role;

create policy "marketing staff read automations" on public.automations for select to authenticated
  using (deleted_at is null
    and organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    -- Someone bound to locations has those that write to guests of these alone.
    and ((select private.works_everywhere())
      or (location_ids <> '{}' and location_ids <@ array(select private.my_locations()))));
create policy "marketing staff read the automation log" on public.automation_runs for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and ((select private.works_everywhere())
      or (location_ids <> '{}' and location_ids <@ array(select private.my_locations()))));

-- Control groups (docs/lift.md): which guests of an automation get no message.

create table private.enrolments (
  id uuid primary key default gen_random_uuid(),
  automation_id uuid not null references public.automations on delete cascade,
  customer_id uuid not null references public.customers on delete cascade,
  run_id uuid references public.automation_runs on delete set null,
  held boolean not null,
  share smallint not null check (share between 1 and 50),
  enrolled_at timestamptz not null check (enrolled_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table private.enrolments is
  'The group of each guest of an automation, from the first run that would have written to them. Two rows of one customer: two records that were merged.';
comment on column private.enrolments.held is 'In the control group: not written to.';
comment on column private.enrolments.share is 'The share of the control group then, in per cent.';

-- Everything that the comparison reads of an automation.
create index enrolments_guest_idx on private.enrolments (automation_id, customer_id)
  include (held, share, enrolled_at);
create index enrolments_customer_idx on private.enrolments (customer_id);
create index enrolments_run_idx on private.enrolments (run_id) where run_id is not null;
alter table private.enrolments enable row level security;
grant select, insert, update, delete on private.enrolments to service_role;

-- An audience is SQL, so that a plan, a preview and a count are one statement each, which Postgres plans as a
-- whole: it may be ten customers or a million. They take the automation itself instead of its id, so that
-- they also work for a draft.
create type private.audience_part as (source text, condition text, reservation boolean, key text);
comment on type private.audience_part is
  'A part of an audience as SQL: a FROM clause with customers c (and reservations r, when the message is about one), its condition, and the key of the message.';
