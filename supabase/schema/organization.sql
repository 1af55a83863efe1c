-- The group and its people: organizations, brands, locations, people and invitations. The policies of these
-- tables stand in access.sql, after the functions they call.

create table public.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null check (btrim(name) <> '') check (length(name) <= 120),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$') check (length(slug) <= 80),
  timezone text not null default 'Europe/Madrid' check (length(timezone) <= 64),
  horizon_days integer check (horizon_days between 1 and 365),
  show_setup boolean not null default true,
  limit_marketing_to_roles boolean not null default false,
  require_second_factor boolean not null default false,
  frequency_cap_days integer not null default 7 check (frequency_cap_days between 0 and 365),
  quiet_from time not null default '21:30' check (quiet_from < '24:00'),
  quiet_until time not null default '09:30' check (quiet_until < '24:00'),
  keep_job_runs_days integer not null default 90 check (keep_job_runs_days between 7 and 730),
  keep_automation_runs_days integer not null default 365
    check (keep_automation_runs_days between 30 and 3650),
  keep_webhook_receipts_days integer not null default 90 check (keep_webhook_receipts_days between 7 and 730),
  keep_failed_rows_days integer not null default 30 check (keep_failed_rows_days between 1 and 365),
  ai_daily_calls integer not null default 500 check (ai_daily_calls between 0 and 100000),
  ai_daily_calls_per_person integer not null default 100
    check (ai_daily_calls_per_person between 0 and 100000),
  ai_daily_tokens integer not null default 3000000 check (ai_daily_tokens between 0 and 1000000000),
  ai_daily_tokens_per_person integer not null default 600000
    check (ai_daily_tokens_per_person between 0 and 1000000000),
  approve_above integer check (approve_above between 1 and 1000000),
  campaign_approve_above integer default 5000 check (campaign_approve_above between 1 and 1000000),
  control_share smallint not null default 10 check (control_share between 0 and 50),
  offer_tables_minutes integer check (offer_tables_minutes between 5 and 60),
  sms_price numeric(6, 4) check (sms_price between 0 and 10),
  sending_stopped_at timestamptz check (sending_stopped_at between '1900-01-01Z' and '2200-01-01Z'),
  sending_stopped_by text check (length(sending_stopped_by) <= 254),
  pending jsonb not null default '{}' check (jsonb_typeof(pending) = 'object')
    check (pg_column_size(pending) <= 4096 and not jsonb_path_exists(pending, '$.**{4}'))
    check (pending - array['approve_above', 'campaign_approve_above'] = '{}'
      and not jsonb_path_exists(pending,
      '$.* ? (!(@.by_id like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" && @.by.type() == "string"
        && (@.value == null || @.value.type() == "number") && @.at like_regex "^[0-9]{4}-"
        && (@.due_at == null || @.due_at like_regex "^[0-9]{4}-")))')),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z'),
  postal_address text check (btrim(postal_address) <> '') check (length(postal_address) <= 300),
  language text not null default 'es'
    check (language in ('es', 'ca', 'eu', 'gl', 'en', 'fr', 'pt', 'it', 'de', 'nl'))
);
comment on table public.organizations is 'A restaurant group. One per deployment; every other row belongs to one.';
comment on column public.organizations.timezone is 'The time zone that a new location starts with.';
comment on column public.organizations.language is
  'In which the group writes to guests who have no language of their own (GUEST_LANGUAGES of lib/i18n/guest-languages.ts).';
comment on column public.organizations.show_setup is
  'Whether home shows the first steps of a new group to its administrators, as long as one is left.';
comment on column public.organizations.horizon_days is
  'Days ahead that the scheduled sync also asks the PMS for; null: the deployment''s PMS_HORIZON_DAYS.';
comment on column public.organizations.limit_marketing_to_roles is
  'Whether running automations and saving loyalty rules need canAccessMarketing; else any member may.';
comment on column public.organizations.require_second_factor is
  'Whether a super_admin or admin reaches anything only with a second factor.';
comment on column public.organizations.frequency_cap_days is
  'At most one marketing message a customer in so many days, across all automations; 0 is no cap.';
comment on column public.organizations.quiet_from is
  'Marketing messages wait from quiet_from to quiet_until, in the local time of the reservation''s location, else of the customer''s usual one, else of the group.';
comment on column public.organizations.keep_job_runs_days is 'The log of jobs; the last run of each job stays.';
comment on column public.organizations.keep_automation_runs_days is
  'The automation log. Its messages stay: once-only keys, the frequency cap, statistics and attribution read them.';
comment on column public.organizations.keep_webhook_receipts_days is
  'How long a repeated inbound message is recognised as a repeat. Always, if it opened something: a WhatsApp window, marketing after a STOP, the link of a number to an id (webhook_receipts.opens).';
comment on column public.organizations.keep_failed_rows_days is 'Rows of imported files that failed: personal data.';
comment on column public.organizations.ai_daily_calls is 'Questions to the assistant that are answered a day, over all people.';
comment on column public.organizations.ai_daily_tokens is 'Tokens a day, over all people, as the provider counts them.';
comment on column public.organizations.approve_above is
  'A send to more customers than this waits for a second person; null: none does.';
comment on column public.organizations.campaign_approve_above is
  'A campaign to more customers than this waits for a second person; null: none does.';
comment on column public.organizations.control_share is
  'The control group, in per cent, of automations without a share of their own; 0: they write to every guest.';
comment on column public.organizations.offer_tables_minutes is
  'How long a freed table is held for a waiting party that was offered it by message; null: none is offered.';
comment on column public.organizations.sms_price is
  'EUR a segment of an SMS, for the estimate before sending; null: only segments are shown.';
comment on column public.organizations.sending_stopped_at is
  'Since when no automation sends anything; null: they do. Notices of appointments and tickets go on.';
comment on column public.organizations.sending_stopped_by is 'The name of the person who stopped it; it stays when the profile is deleted.';
comment on column public.organizations.postal_address is
  'The group''s address, at the end of every marketing e-mail; a brand may have its own.';
comment on column public.organizations.pending is
  'Limits of approval that somebody asked to raise: {campaign_approve_above: {value, by, by_id, at, due_at}}; logic/campaigns/pending_limits.sql.';

create table public.brands (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null check (btrim(name) <> '') check (length(name) <= 120),
  slug text not null check (length(slug) <= 80),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z'),
  postal_address text check (btrim(postal_address) <> '') check (length(postal_address) <= 300),
  unique (organization_id, slug)
);
comment on table public.brands is 'A restaurant brand of the group.';
comment on column public.brands.postal_address is
  'The address in its marketing e-mails; null: the group''s.';

create table public.locations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  brand_id uuid references public.brands on delete set null,
  name text not null check (btrim(name) <> '') check (length(name) <= 120),
  city text check (length(city) <= 120),
  address text check (length(address) <= 300),
  pms_id text check (length(pms_id) <= 120),
  timezone text not null default 'Europe/Madrid' check (length(timezone) <= 64),
  average_spend_per_guest numeric(12, 2) check (average_spend_per_guest >= 0)
    check (average_spend_per_guest <= 10000),
  count_unmarked_visits boolean not null default true,
  quiet_from time check (quiet_from < '24:00'),
  quiet_until time check (quiet_until < '24:00'),
  is_active boolean not null default true,
  refresh_from uuid,
  recount_from date check (recount_from between '1900-01-01' and '2300-01-01'),
  known_from date check (known_from between '1900-01-01' and '2199-12-31'),
  known_until date check (known_until between '1900-01-01' and '2199-12-31'),
  synced_at timestamptz,
  sync_failing_since timestamptz,
  sync_failure text check (length(sync_failure) <= 100),
  looked_ahead_at timestamptz,
  ahead_tried_at timestamptz,
  ahead_until date check (ahead_until between '1900-01-01' and '2199-12-31'),
  created_at timestamptz not null default now(),
  stay_minutes jsonb,
  review_urls text[] not null default '{}'
    check (review_urls = '{}' or cardinality(review_urls) <= 5 and array_ndims(review_urls) = 1
      and array_position(review_urls, null) is null
      and array_to_string(review_urls, E'\n') ~ '^(https://[^\s/?#@]+([/?#][!-~]*)?(\n|$))+$'
      and array_to_string(review_urls, E'\n') !~ '([^\n]{167}){3}'),
  unique (organization_id, name),
  constraint locations_stay_minutes_check check (
    jsonb_typeof(stay_minutes) = 'object' and stay_minutes <> '{}' and pg_column_size(stay_minutes) <= 1024
    and not jsonb_path_exists(stay_minutes,
      '$.keyvalue() ? (!(@.key like_regex "^[1-9][0-9]{0,2}$") || !(@.value.type() == "number")
        || @.value < 15 || @.value > 720 || @.value != @.value.floor())')),
  constraint locations_quiet_hours check ((quiet_from is null) = (quiet_until is null)),
  constraint locations_known_days
  check ((known_from is null) = (known_until is null) and known_from <= known_until),
  constraint locations_instants_check check (
    least(created_at, synced_at, sync_failing_since, looked_ahead_at, ahead_tried_at) >= '1900-01-01Z'
    and greatest(created_at, synced_at, sync_failing_since, looked_ahead_at, ahead_tried_at) < '2200-01-01Z')
);

create index locations_brand_id_idx on public.locations (brand_id);
comment on table public.locations is 'A restaurant. Only active ones with a pms_id are synchronised.';
comment on column public.locations.quiet_from is 'Quiet hours of its own, as organizations.quiet_from; null: the group''s.';
comment on column public.locations.stay_minutes is
  'How long parties usually stay: minutes by the largest party size they are for, as {"2": 90, "4": 120, "99": 150}, which null means.';
comment on column public.locations.review_urls is
  'Public review pages, offered to a guest who rates a visit with five stars; lib/locations/review-urls.ts says which.';
comment on column public.locations.average_spend_per_guest is 'EUR; used as a visit''s amount when the PMS sends none.';
comment on column public.locations.count_unmarked_visits is
  'Whether a reservation that was still confirmed when its service ended counts as a visit: many restaurants never mark arrivals.';
comment on column public.locations.refresh_from is
  'Its derived spend or visits changed: customers after this id are still to be recomputed. Null: none.';
comment on column public.locations.recount_from is
  'count_unmarked_visits changed: reservations from this service day on are still to be counted anew. Null: none.';
comment on column public.locations.known_from is
  'The first day of the contiguous range fetched from the PMS. Null: none yet. A location without pms_id is known on every day.';
comment on column public.locations.known_until is 'The last day of the range that starts with known_from.';
comment on column public.locations.synced_at is 'When the PMS last gave the days around today in full.';
comment on column public.locations.sync_failing_since is 'When the first of the failed syncs since then was; null while it works.';
comment on column public.locations.sync_failure is 'The code of the last failure (lib/pms/client.ts, or not_saved); null while it works.';
comment on column public.locations.looked_ahead_at is 'When the days ahead were last fetched completely.';
comment on column public.locations.ahead_tried_at is 'When that was last tried, with or without success: one that fails waits behind the others.';
comment on column public.locations.ahead_until is 'The day an unfinished look ahead has reached; null when none is under way.';

create table public.profiles (
  id uuid primary key references auth.users on delete cascade,
  organization_id uuid not null references public.organizations on delete cascade,
  -- Auth's own word, which may be blank: at least one line.
  email text not null check (length(email) <= 254 and email !~ '[[:cntrl:]]'),
  full_name text check (length(full_name) <= 120),
  role text not null check (role in
    ('super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'rrhh', 'pr_comunicacion', 'sala',
      'machine')),
  morning_mail_hour smallint check (morning_mail_hour between 6 and 12),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z')
);

create index profiles_organization_id_idx on public.profiles (organization_id);
comment on table public.profiles is 'A member of staff, created when an invitation is redeemed and the address confirmed; or the machine of an API token.';
comment on column public.profiles.morning_mail_hour is
  'At which local hour they get the morning report by e-mail; null: never.';

-- Not read from the audit log: its lines are for people. A row outlives the profile: else removing the person
-- between two others would unlink these.
create table private.role_grants (
  profile_id uuid not null references auth.users on delete cascade,
  granted_by uuid not null,
  granted_at timestamptz not null default now() check (granted_at between '1900-01-01Z' and '2200-01-01Z'),
  primary key (profile_id, granted_by)
);
comment on table private.role_grants is
  'Who invited a person, set their role or made a link to their new password, and when last: within 30 days the two do not approve for each other (private.are_linked).';
alter table private.role_grants enable row level security;

create table public.profile_locations (
  profile_id uuid not null references public.profiles on delete cascade,
  -- Not cascading: losing the last assignment would open every location to that person.
  location_id uuid not null references public.locations deferrable initially deferred,
  primary key (profile_id, location_id)
);

create index profile_locations_location_id_idx on public.profile_locations (location_id);
comment on table public.profile_locations is 'User-to-location assignments; someone without any works in every location, floor staff (sala) in none.';

create table public.invitations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  email text not null check (email = lower(btrim(email)) and email like '%_@_%')
    check (length(email) <= 254 and email ~ '^[^\s@]+@[^\s@]+$'),
  full_name text check (length(full_name) <= 120),
  role text not null check (role in
    ('super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'rrhh', 'pr_comunicacion', 'sala')),
  location_ids uuid[] not null default '{}'
    check (cardinality(location_ids) <= 500 and array_position(location_ids, null) is null
      and coalesce(array_ndims(location_ids), 1) = 1),
  token_hash text unique check (token_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null default now() + interval '7 days',
  mail text check (mail in ('sent', 'simulated', 'failed', 'unknown', 'no_provider', 'no_app_url')),
  claimed_by uuid,
  invited_by uuid[] not null default '{}' check (cardinality(invited_by) <= 500
    and array_position(invited_by, null) is null and coalesce(array_ndims(invited_by), 1) = 1),
  accepted_at timestamptz,
  created_at timestamptz not null default now(),
  constraint invitations_bound_check check (role <> 'sala' or cardinality(location_ids) > 0),
  constraint invitations_redeemed_once check (accepted_at is null or token_hash is null),
  constraint invitations_instants_check check (
    least(created_at, accepted_at, expires_at) >= '1900-01-01Z'
    and greatest(created_at, accepted_at, expires_at) < '2200-01-01Z')
);
comment on table public.invitations is 'Invitations to sign up, with role and locations. One open invitation per e-mail.';
comment on column public.invitations.token_hash is
  'SHA-256, in hexadecimal, of the one-time token that redeems it until expires_at; null once redeemed.';
comment on column public.invitations.mail is
  'The outcome of the mail with the current link; null while it is being sent, and for links made by hand.';
comment on column public.invitations.claimed_by is
  'The account that redeemed the token while its address is not confirmed: the profile waits for that.';
comment on column public.invitations.invited_by is 'Who made it, and who made a new link for it.';

create unique index invitations_open_email_key on public.invitations (email) where accepted_at is null;
create index invitations_organization_id_idx on public.invitations (organization_id);
create index invitations_claimed_by_idx on public.invitations (claimed_by) where claimed_by is not null;
create index invitations_open_recent_idx on public.invitations (organization_id, created_at, id)
  where accepted_at is null;
alter table public.organizations enable row level security;
alter table public.brands enable row level security;
alter table public.locations enable row level security;
alter table public.profiles enable row level security;
alter table public.profile_locations enable row level security;
alter table public.invitations enable row level security;
grant select on public.organizations, public.brands, public.locations, public.profiles,
  public.profile_locations
  to authenticated;

-- Not token_hash, claimed_by and invited_by.
grant select (id, organization_id, email, full_name, role, location_ids, expires_at, mail, accepted_at,
  created_at)
  on public.invitations to authenticated;
grant select, insert, update, delete on public.organizations, public.brands, public.locations,
  public.profiles, public.profile_locations, public.invitations to service_role;
