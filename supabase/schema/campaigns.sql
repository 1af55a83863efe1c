-- Campaigns: they write once to the guests of a segment. Each message of a campaign is a row of automations,
-- so that rendering, the outbox, consent, caps, the control group and results are those of automations
-- (docs/campaigns.md).

create table public.campaigns (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null check (btrim(name) <> '') check (length(name) <= 120),
  status text not null default 'draft' check (status in
    ('draft', 'waiting_approval', 'scheduled', 'sending', 'paused', 'finished', 'stopped')),
  reason text check (length(reason) <= 500),
  segment_id uuid references public.segments on delete set null,
  segment_version integer check (segment_version between 1 and 1000000000),
  location_ids uuid[] not null default '{}'
    check (cardinality(location_ids) <= 200 and array_position(location_ids, null) is null
      and coalesce(array_ndims(location_ids), 1) = 1),
  starts_local timestamp check (starts_local >= '2000-01-01' and starts_local < '2200-01-01'),
  exclude_recent_days smallint not null default 0 check (exclude_recent_days between 0 and 365),
  control_share smallint check (control_share between 0 and 50),
  test_share smallint check (test_share between 10 and 100),
  winner_by text check (winner_by in ('visits', 'clicks')),
  test_hours smallint check (test_hours between 1 and 168),
  winner text check (winner in ('a', 'b')),
  winner_reason text check (winner_reason in ('better', 'unclear', 'too_few')),
  guests integer check (guests between 0 and 1000000000),
  created_by uuid,
  created_by_name text check (length(created_by_name) <= 254),
  launched_by uuid,
  launched_by_name text check (length(launched_by_name) <= 254),
  launched_at timestamptz,
  approved_by text check (length(approved_by) <= 254),
  approved_at timestamptz,
  expires_at timestamptz,
  paused_by text check (length(paused_by) <= 254),
  stopped_by text check (length(stopped_by) <= 254),
  started_at timestamptz,
  planned_at timestamptz,
  decided_at timestamptz,
  rest_planned_at timestamptz,
  finished_at timestamptz,
  version integer not null default 1 check (version between 1 and 1000000000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  undo_until timestamptz check (undo_until >= '1900-01-01Z' and undo_until < '2200-01-01Z'),
  constraint campaigns_test_check check (num_nonnulls(test_share, winner_by, test_hours) in (0, 3)),
  constraint campaigns_instants_check check (
    least(launched_at, approved_at, expires_at, started_at, planned_at, decided_at, rest_planned_at,
      finished_at, created_at, updated_at) >= '1900-01-01Z'
    and greatest(launched_at, approved_at, expires_at, started_at, planned_at, decided_at, rest_planned_at,
      finished_at, created_at, updated_at) < '2200-01-01Z')
);
comment on table public.campaigns is
  'A campaign: its messages go once to the guests whom its segment has when it begins. Only drafts are edited.';
comment on column public.campaigns.reason is
  'Why it is paused or a draft again, or nobody when it finished without a guest; docs/campaigns.md has the words.';
comment on column public.campaigns.segment_id is 'A shared segment, or one of its launcher''s own. Null after a draft: it was deleted.';
comment on column public.campaigns.segment_version is 'The version of the segment that it was launched or resumed for.';
comment on column public.campaigns.starts_local is
  'The wall-clock time at each guest''s own location; null: as soon as it is launched and approved.';
comment on column public.campaigns.test_share is
  'The per cent of the guests who get version a or b, half each; the remainder gets the winner. Null: no test.';
comment on column public.campaigns.guests is 'To how many it would write when it was launched: what an approval is for. Of a draft: when it was last previewed as it is saved.';
comment on column public.campaigns.created_by_name is 'As the other names of staff here, it outlives the profile.';
comment on column public.campaigns.planned_at is 'Since when its first message is planned to its end (of the test, where there is one).';
comment on column public.campaigns.decided_at is 'When the winner was chosen: messages made since then are no part of the test.';
comment on column public.campaigns.rest_planned_at is 'Since when the winner''s messages to the remainder are planned to their end.';
comment on column public.campaigns.undo_until is
  'Until then a large campaign that begins at once waits, so that whoever launched or approved it can take it back.';
comment on column public.campaigns.version is 'Grows with each change of the draft: a change of an older one is refused.';

create index campaigns_recent_idx on public.campaigns (organization_id, created_at desc, id desc);
create index campaigns_segment_idx on public.campaigns (segment_id) where segment_id is not null;
create index campaigns_open_idx on public.campaigns (organization_id, status)
  where status in ('waiting_approval', 'scheduled', 'sending', 'paused');
alter table public.campaigns enable row level security;
grant select on public.campaigns to authenticated;
grant select, insert, update, delete on public.campaigns to service_role;

create policy "marketing staff read campaigns" on public.campaigns for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and ((select private.works_everywhere())
      or (location_ids <> '{}' and location_ids <@ array(select private.my_locations()))));
