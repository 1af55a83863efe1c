-- Schema 20261128160307. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- What went, or cannot be replaced

drop function public.save_reservation(jsonb, uuid);
drop function public.end_waiting(uuid, text, text, timestamp with time zone);
drop function private.stay_of(integer);

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

alter table public.locations add column stay_minutes jsonb;
alter table public.locations add CONSTRAINT locations_stay_minutes_check CHECK (((jsonb_typeof(stay_minutes) = 'object'::text) AND (stay_minutes <> '{}'::jsonb) AND (pg_column_size(stay_minutes) <= 1024) AND (NOT jsonb_path_exists(stay_minutes, '$.keyvalue()?((((!(@."key" like_regex "^[1-9][0-9]{0,2}$") || !(@."value".type() == "number")) || @."value" < 15) || @."value" > 720) || @."value" != @."value".floor())'::jsonpath))));
alter table public.closed_days drop constraint closed_days_name_check;
alter table public.closed_days add column id uuid DEFAULT gen_random_uuid() NOT NULL;
alter table public.closed_days add column shift text;
alter table public.closed_days add column zone text;
alter table public.closed_days add CONSTRAINT closed_days_name_check CHECK (((btrim(name) <> ''::text) AND (length(name) <= 200)));
alter table public.closed_days add CONSTRAINT closed_days_shift_check CHECK (((btrim(shift) <> ''::text) AND (length(shift) <= 60)));
alter table public.closed_days add CONSTRAINT closed_days_zone_check CHECK (((btrim(zone) <> ''::text) AND (length(zone) <= 100)));
ALTER TABLE ONLY public.closed_days
    ADD CONSTRAINT closed_days_location_id_day_shift_zone_key UNIQUE NULLS NOT DISTINCT (location_id, day, shift, zone);
alter table public.closed_days drop constraint closed_days_pkey;
ALTER TABLE ONLY public.closed_days
    ADD CONSTRAINT closed_days_pkey PRIMARY KEY (id);

-- Policies, comments, rights

COMMENT ON COLUMN public.locations.stay_minutes IS 'How long parties usually stay: minutes by the largest party size they are for, as {"2": 90, "4": 120, "99": 150}, which null means.';
COMMENT ON TABLE public.closed_days IS 'Service days on which a location, or a shift or zone of it, does not open, and why (name).';
COMMENT ON COLUMN public.closed_days.shift IS 'The name of the shift, which outlives a change of hours; null: the whole day.';
COMMENT ON COLUMN public.closed_days.zone IS 'The zone, as tables and reservations name it; null: all zones.';

-- >> supabase/logic/audit/triggers.sql
-- Automatic lines of the audit log: triggers on the administrative tables, so that every change leaves a
-- line.

-- Columns with decisions of people; not the bookkeeping of jobs, keys and times.
create or replace function private.audited_fields(p_table text) returns text[]
language sql immutable set search_path = ''
as $$
  select case p_table
    when 'organizations' then array['name', 'timezone', 'show_setup', 'frequency_cap_days', 'quiet_from',
      'quiet_until', 'limit_marketing_to_roles',
      'require_second_factor', 'approve_above', 'campaign_approve_above', 'control_share',
      'offer_tables_minutes', 'sms_price', 'sending_stopped_at', 'sending_stopped_by', 'ai_daily_calls',
      'ai_daily_calls_per_person', 'ai_daily_tokens', 'ai_daily_tokens_per_person', 'horizon_days',
      'keep_job_runs_days', 'keep_automation_runs_days', 'keep_webhook_receipts_days',
      'keep_failed_rows_days']
    when 'brands' then array['name', 'slug']
    when 'locations'
      then array['name', 'brand_id', 'city', 'address', 'pms_id', 'timezone', 'average_spend_per_guest',
      'count_unmarked_visits', 'quiet_from', 'quiet_until', 'is_active', 'stay_minutes']
    when 'profiles' then array['email', 'full_name', 'role']
    when 'invitations' then array['email', 'full_name', 'role', 'location_ids']
    when 'automations' then array['name', 'type', 'channel', 'fallback_channel', 'status', 'subject', 'body',
      'content_sid',
      'content_variables', 'email_design', 'criteria', 'location_ids', 'tags', 'tier_ids', 'control_share']
    when 'email_looks' then array['brand_id', 'logo', 'color', 'button_color', 'sender_name', 'from_email',
      'reply_to', 'footer']
    when 'email_images' then array['name', 'bytes']
    when 'email_templates' then array['name', 'design']
    when 'segments' then array['name', 'shared', 'version']
    when 'campaigns'
      then array['name', 'location_ids', 'starts_local', 'exclude_recent_days', 'control_share', 'test_share',
      'winner_by', 'test_hours', 'version']
    when 'loyalty_tiers' then array['name', 'rank', 'points_multiplier']
    when 'loyalty_configs' then array['tiers']
    when 'import_runs' then array['file_name', 'consent', 'location_id', 'status', 'total', 'imported',
      'created', 'updated',
      'error_count']
    when 'calendar_events' then array['title', 'event_datetime', 'location_id']
    when 'tickets' then array['number', 'subject', 'status', 'priority', 'location_id']
  end
$$;
comment on function private.audited_fields(text) is
  'The columns of a table that the log shows. A new setting of the organization belongs here (tests/security/audit.test.ts).';

create or replace function private.design_mark(p_design jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select case when jsonb_typeof(p_design) = 'object' then to_jsonb(
    jsonb_array_length(p_design -> 'blocks') || ' · ' || left(md5(p_design::text), 8)) else p_design end
$$;
comment on function private.design_mark(jsonb) is 'A design for the log: how many blocks, and a mark that changes with it.';

create or replace function private.audited(p_table text, p_row jsonb, p_before jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select case when p_table = 'integration_configs' then
      jsonb_build_object('is_enabled', p_row -> 'is_enabled') || (p_row -> 'config') || (
        select coalesce(jsonb_object_agg(s.key,
          case when s.value <> p_before -> 'secrets' -> s.key then 'replaced' else 'set' end), '{}')
        from jsonb_each(p_row -> 'secrets') as s)
    else (
      select coalesce(jsonb_object_agg(case f.key when 'brand_id' then 'brand'
        when 'location_id' then 'location'
          when 'location_ids' then 'locations' when 'tier_ids' then 'tiers' else f.key end,
        case f.key
          when 'brand_id' then (select to_jsonb(b.name) from public.brands b
            where b.id::text = f.value #>> '{}')
          when 'location_id' then (select to_jsonb(l.name) from public.locations l
            where l.id::text = f.value #>> '{}')
          when 'location_ids' then (select coalesce(jsonb_agg(l.name order by l.name), '[]')
            from public.locations l where f.value ? l.id::text
              and l.organization_id::text = p_row ->> 'organization_id')
          when 'tier_ids' then (select coalesce(jsonb_agg(t.name order by t.rank), '[]')
            from public.loyalty_tiers t where f.value ? t.id::text
              and t.organization_id::text = p_row ->> 'organization_id')
          -- A design is long: its number of blocks, and a mark that changes with it.
          when 'email_design' then private.design_mark(f.value)
          when 'design' then private.design_mark(f.value)
          else f.value end), '{}')
      from jsonb_each(p_row) as f
      where f.key = any(private.audited_fields(p_table))
        -- Readers of the log must not see the names of personal records.
        and not (p_table = 'segments' and f.key = 'name' and p_row ->> 'shared' = 'false')
        and not (p_table in ('tickets', 'calendar_events') and f.key in ('subject', 'title')
          and p_row ->> 'customer_id' is not null))
    end
$$;
comment on function private.audited(text, jsonb, jsonb) is
  'A row for the log: names instead of ids; a secret only as set or replaced.';

-- Planned once: a plan for the values of each call took half of its time, and was the same.
create or replace function private.write_lines(p_table text, p_changes jsonb) returns void
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
begin
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject,
    location_id, details)
  select o.id, coalesce(who.name,
    case when l.action in ('member.joined', 'invitation.redeemed') then c.r ->> 'email' end, sys.name),
    coalesce(who.id, case p_table when 'import_runs' then importer.id end),
    l.action, l.kind, coalesce(c.r ->> 'id', c.r ->> 'organization_id')::uuid,
    left(case p_table
      when 'profiles' then coalesce(nullif(btrim(c.r ->> 'full_name'), '') || ' <' || (c.r ->> 'email')
        || '>', c.r ->> 'email')
      when 'invitations' then c.r ->> 'email' when 'integration_configs' then c.r ->> 'integration_type'
      when 'import_runs' then c.r ->> 'file_name'
      -- Texts about a customer are not logged.
      when 'calendar_events' then case when c.r ->> 'customer_id' is null then c.r ->> 'title' end
      when 'tickets' then '#' || (c.r ->> 'number')
        || case when c.r ->> 'customer_id' is null then ' ' || (c.r ->> 'subject') else '' end
      when 'segments' then case when c.r ->> 'shared' = 'true' then c.r ->> 'name' end
      when 'email_looks' then (select b.name from public.brands b where b.id::text = c.r ->> 'brand_id')
      else c.r ->> 'name' end, 300),
    (case p_table when 'locations' then c.r ->> 'id' else c.r ->> 'location_id' end)::uuid,
    jsonb_strip_nulls(jsonb_build_object('fields', d.fields))
      || jsonb_build_object('before', d.before, 'after', d.after)
  from (
    select coalesce(given -> 'after', given -> 'before') as r, given -> 'before' as old,
      given -> 'after' as new
    from jsonb_array_elements(p_changes) as given
  ) as c
  -- All rows are deleted with their organization.
  join public.organizations o on o.id = coalesce(c.r ->> 'organization_id', c.r ->> 'id')::uuid
  cross join lateral (
    select jsonb_object_agg(f.key, f.old) filter (where c.old is not null) as before,
      jsonb_object_agg(f.key, f.new) filter (where c.new is not null) as after,
      jsonb_agg(f.key order by f.key) filter (where c.old is not null and c.new is not null) as fields
    from (
      select key, b.value as old, a.value as new
      from jsonb_each(private.audited(p_table, c.old, null)) as b
      full join jsonb_each(private.audited(p_table, c.new, c.old)) as a using (key)
      where a.value is distinct from b.value
        and (c.old is not null and c.new is not null
          or coalesce(a.value, b.value) not in ('null', '[]', '{}'))
    ) as f
  ) as d
  cross join lateral (
    select n.kind, case
      when c.old is null then n.kind || case n.kind when 'member' then '.joined'
        when 'invitation' then '.made'
        when 'import' then '.started' else '.created' end
      when c.new is null then case when n.kind = 'invitation' and c.old -> 'accepted_at' <> 'null' then null
        else n.kind || case n.kind when 'member' then '.removed' when 'invitation' then '.withdrawn'
          else '.deleted' end end
      when n.kind = 'invitation' then case
        when c.new -> 'accepted_at' <> c.old -> 'accepted_at' then 'invitation.redeemed'
        when c.new -> 'token_hash' <> 'null' and c.new -> 'token_hash' <> c.old -> 'token_hash'
          then 'invitation.renewed' end
      when n.kind = 'import' then case when c.new -> 'status' <> c.old -> 'status'
        then case c.new ->> 'status' when 'cancelled' then 'import.cancelled' else 'import.finished' end end
      when n.kind = 'automation' and c.new -> 'deleted_at' <> 'null' and c.old -> 'deleted_at' = 'null'
        then 'automation.deleted'
      when d.after is null then null
      when n.kind = 'automation' and d.after - 'status' = '{}'
        then case c.new ->> 'status' when 'active' then 'automation.enabled' else 'automation.disabled' end
      else n.kind || '.changed' end as action
    from (select case p_table when 'organizations' then 'organization' when 'brands' then 'brand'
      when 'locations' then 'location'
      when 'profiles' then 'member' when 'invitations' then 'invitation' when 'integration_configs'
        then 'integration'
      when 'automations' then 'automation' when 'segments' then 'segment' when 'campaigns' then 'campaign'
        when 'email_looks' then 'email_look' when 'email_images' then 'email_image'
        when 'email_templates' then 'email_template' when 'loyalty_tiers' then 'loyalty_tier'
          when 'loyalty_configs' then 'loyalty_config'
      when 'import_runs' then 'import' when 'calendar_events' then 'calendar_event'
        when 'tickets' then 'ticket' end) as n (kind)
  ) as l
  left join public.profiles importer on p_table = 'import_runs' and c.old is null
    and importer.id = (c.r ->> 'profile_id')::uuid
  left join private.acting() as acting on true
  cross join lateral (select coalesce(acting.name,
    coalesce(nullif(btrim(importer.full_name), '') || ' <' || importer.email || '>', importer.email)),
      acting.id) as who (name, id)
  cross join (select private.actor_name()) as sys (name)
  -- A campaign's messages change with its version.
  where l.action is not null and not (p_table = 'automations' and c.r ->> 'type' = 'campaign');
end
$$;
comment on function private.write_lines(text, jsonb) is
  'Logs changes of an administrative table, [{before, after}] with the rows; without a visible difference there is no line.';

create or replace function private.log_rows() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_changes jsonb;
begin
  case tg_op
    when 'INSERT' then
      v_changes := (select jsonb_agg(jsonb_build_object('after', to_jsonb(n))) from new_rows n);
    when 'DELETE' then
      -- A series is one line, with its first event.
      v_changes := (select jsonb_agg(jsonb_build_object('before', g.r)) from (
        select distinct on (coalesce(o.r ->> 'series_id', o.r::text)) o.r
        from (select to_jsonb(t) as r from old_rows t) as o
        order by coalesce(o.r ->> 'series_id', o.r::text), o.r ->> 'occurs_on') as g);
    else
      v_changes := (select jsonb_agg(jsonb_build_object('before', o.r, 'after', n.r))
        from (select to_jsonb(t) as r from old_rows t) as o
        join (select to_jsonb(t) as r from new_rows t) as n
          on coalesce(n.r ->> 'id', n.r ->> 'organization_id') = coalesce(o.r ->> 'id',
            o.r ->> 'organization_id')
        where n.r <> o.r);
  end case;
  if v_changes is not null then
    perform private.write_lines(tg_table_name, v_changes);
  end if;
  return null;
end
$$;
comment on function private.log_rows() is 'Trigger: logs the changes of a statement to an administrative table.';

do $$
declare
  v_table text;
begin
  foreach v_table in array array['organizations', 'brands', 'locations', 'profiles', 'invitations',
    'integration_configs',
    'automations', 'segments', 'campaigns', 'email_looks', 'email_images', 'email_templates', 'loyalty_tiers',
    'loyalty_configs', 'calendar_events', 'tickets']
  loop
    if v_table not in ('calendar_events', 'tickets') then
      execute format('create or replace trigger %I after insert on public.%I referencing new table as new_rows
        for each statement execute function private.log_rows()', v_table || '_log_new', v_table);
      execute format('create or replace trigger %I after update on public.%I referencing old table as old_rows new table as new_rows
        for each statement execute function private.log_rows()', v_table || '_log_changed', v_table);
    end if;
    execute format('create or replace trigger %I after delete on public.%I referencing old table as old_rows
      for each statement execute function private.log_rows()', v_table || '_log_gone', v_table);
  end loop;
end
$$;

-- Not with each chunk: its row carries the failed rows of the file.
create or replace function private.log_import() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.write_lines('import_runs', jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
    'before', case when tg_op = 'UPDATE' then to_jsonb(old) - array['failed_rows', 'errors'] end,
    'after', to_jsonb(new) - array['failed_rows', 'errors']))));
  return null;
end
$$;
comment on function private.log_import() is 'Trigger: logs the start and the end of an import.';

create or replace trigger import_runs_log_new after insert on public.import_runs for each row
  execute function private.log_import();
create or replace trigger import_runs_log_end after update of status on public.import_runs
  for each row when (old.status <> new.status) execute function private.log_import();

-- One line a location, its rules by tier.
create or replace function private.log_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_rules jsonb;
begin
  case tg_op
    when 'INSERT' then
      v_rules := (select jsonb_agg(jsonb_build_object('location_id', n.location_id, 'tier_id', n.tier_id,
        'after', jsonb_build_object('min_spend', n.min_spend, 'min_visits', n.min_visits))) from new_rows n);
    when 'DELETE' then
      v_rules := (select jsonb_agg(jsonb_build_object('location_id', o.location_id, 'tier_id', o.tier_id,
        'before', jsonb_build_object('min_spend', o.min_spend, 'min_visits', o.min_visits))) from old_rows o);
    else
      v_rules := (select jsonb_agg(jsonb_build_object('location_id', n.location_id, 'tier_id', n.tier_id,
        'before', jsonb_build_object('min_spend', o.min_spend, 'min_visits', o.min_visits),
        'after', jsonb_build_object('min_spend', n.min_spend, 'min_visits', n.min_visits)))
        from new_rows n join old_rows o using (location_id, tier_id)
        where (n.min_spend, n.min_visits) is distinct from (o.min_spend, o.min_visits));
  end case;
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject,
    location_id, details)
  select l.organization_id, private.actor_name(), (select a.id from private.acting() a),
    'loyalty_rules.changed', 'loyalty_rules',
    l.id, l.name, l.id, jsonb_build_object(
      'before', jsonb_object_agg(coalesce(t.name, r.tier_id::text), r.before)
        filter (where r.before is not null),
      'after', jsonb_object_agg(coalesce(t.name, r.tier_id::text), r.after)
      filter (where r.after is not null))
  from jsonb_to_recordset(v_rules) as r (location_id uuid, tier_id uuid, before jsonb, after jsonb)
  join public.locations l on l.id = r.location_id
  join public.organizations o on o.id = l.organization_id
  left join public.loyalty_tiers t on t.id = r.tier_id
  group by l.id;
  return null;
end
$$;
comment on function private.log_rules() is 'Trigger: logs changed loyalty rules.';

create or replace trigger loyalty_rules_log_new after insert on public.loyalty_rules
  referencing new table as new_rows for each statement execute function private.log_rules();
create or replace trigger loyalty_rules_log_changed after update on public.loyalty_rules
  referencing old table as old_rows new table as new_rows for each statement
    execute function private.log_rules();
create or replace trigger loyalty_rules_log_gone after delete on public.loyalty_rules
  referencing old table as old_rows for each statement execute function private.log_rules();

create or replace function private.log_assignments() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_rows jsonb;
begin
  if tg_op = 'INSERT' then
    v_rows := (select jsonb_agg(to_jsonb(n)) from new_rows n);
  else
    v_rows := (select jsonb_agg(to_jsonb(o)) from old_rows o);
  end if;
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject,
    details)
  select l.organization_id, private.actor_name(), (select a.id from private.acting() a),
    case tg_op when 'INSERT' then 'member.locations_added' else 'member.locations_removed' end, 'member',
    r.profile_id, min(coalesce(nullif(btrim(p.full_name), '') || ' <' || p.email || '>', p.email)),
    jsonb_build_object(case tg_op when 'INSERT' then 'after' else 'before' end,
      jsonb_build_object('locations', jsonb_agg(l.name order by l.name)))
  from jsonb_to_recordset(v_rows) as r (profile_id uuid, location_id uuid)
  join public.locations l on l.id = r.location_id
  join public.organizations o on o.id = l.organization_id
  left join public.profiles p on p.id = r.profile_id
  group by l.organization_id, r.profile_id;
  return null;
end
$$;
comment on function private.log_assignments() is 'Trigger: logs which locations a person got, or lost.';

create or replace trigger profile_locations_log_new after insert on public.profile_locations
  referencing new table as new_rows for each statement execute function private.log_assignments();
create or replace trigger profile_locations_log_gone after delete on public.profile_locations
  referencing old table as old_rows for each statement execute function private.log_assignments();

create or replace function private.log_pause() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject,
    details)
  select new.organization_id, private.actor_name(), (select a.id from private.acting() a),
    case when c.id is null then 'automation.paused' else 'campaign.paused' end,
    case when c.id is null then 'automation' else 'campaign' end,
    coalesce(c.id, new.automation_id, new.id), new.automation_name,
    jsonb_build_object('run_id', new.id, 'reason', new.reason)
  from (select 1) as once left join public.automations a on a.id = new.automation_id left
    join public.campaigns c on c.id = a.campaign_id;
  return null;
end
$$;
comment on function private.log_pause() is 'Trigger: logs that a run was paused, and why.';

create or replace trigger automation_runs_log_pause after update of status on public.automation_runs
  for each row when (new.status = 'paused' and old.status <> 'paused') execute function private.log_pause();

create or replace function private.log_end_of_sessions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject)
  select p.organization_id, private.actor_name(), (select a.id from private.acting() a), 'session.all_ended',
    'session', p.id,
    coalesce(nullif(btrim(p.full_name), '') || ' <' || p.email || '>', p.email)
  from public.profiles p where p.id = new.user_id;
  return null;
end
$$;
comment on function private.log_end_of_sessions() is 'Trigger: logs that every session of a person was ended.';

create or replace trigger session_floors_log after insert or update on private.session_floors
  for each row execute function private.log_end_of_sessions();
-- << supabase/logic/audit/triggers.sql

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261128160307', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/organization/settings.sql
-- Changes by admins: the organization's settings, brands and locations. Each function checks its caller
-- itself and returns the outcome as one word.

create or replace function public.change_organization(p_changes jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_before public.organizations;
  v public.organizations;
  v_pending jsonb;
  v_fields jsonb;
begin
  select * into v_before from public.organizations
  where id = any(array(select private.my_organizations('canViewSettings'))) and private.works_everywhere()
  for no key update;
  if v_before.id is null then
    return 'forbidden';
  end if;
  v_pending := private.pending_with(v_before, p_changes);
  v_fields := p_changes - array(select private.raised_limits(v_before, p_changes));
  v := jsonb_populate_record(v_before, v_fields);
  if v.require_second_factor <> v_before.require_second_factor then
    if not exists (select from public.profiles p where p.id = (select private.caller())
      and p.role = 'super_admin') then
      return 'forbidden';
    end if;
    -- Else the caller would be locked out.
    if v.require_second_factor and not private.has_second_factor((select private.caller())) then
      return 'no_second_factor';
    end if;
    perform private.refuse_unconfirmed();
  end if;
  update public.organizations o
  set name = v.name, timezone = v.timezone, show_setup = v.show_setup,
    frequency_cap_days = v.frequency_cap_days, quiet_from = v.quiet_from, quiet_until = v.quiet_until,
    limit_marketing_to_roles = v.limit_marketing_to_roles, require_second_factor = v.require_second_factor,
    horizon_days = v.horizon_days, keep_job_runs_days = v.keep_job_runs_days,
    keep_automation_runs_days = v.keep_automation_runs_days,
    keep_webhook_receipts_days = v.keep_webhook_receipts_days,
    keep_failed_rows_days = v.keep_failed_rows_days, ai_daily_calls = v.ai_daily_calls,
    ai_daily_calls_per_person = v.ai_daily_calls_per_person, ai_daily_tokens = v.ai_daily_tokens,
    ai_daily_tokens_per_person = v.ai_daily_tokens_per_person, approve_above = v.approve_above,
    campaign_approve_above = v.campaign_approve_above, control_share = v.control_share,
    offer_tables_minutes = v.offer_tables_minutes, sms_price = v.sms_price, pending = v_pending
  where o.id = v_before.id;
  if v_fields = p_changes then
    return 'saved';
  end if;
  perform private.tell_of_limits(v_before, v_pending);
  return 'pending';
exception when invalid_parameter_value then
  return 'unknown_timezone';
end
$$;
comment on function public.change_organization(jsonb) is
  'Changes the given settings of the caller''s organization: saved, pending (limits of approval that it would raise wait for another person, the rest is saved), forbidden, no_second_factor or unknown_timezone.';

create or replace function private.setup_step(p_done boolean, p_trace jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('done', coalesce(p_done, false)) || case when p_done
    then jsonb_build_object('at', p_trace -> 'at', 'by', p_trace -> 'by') else '{"at": null, "by": null}' end
$$;
comment on function private.setup_step(boolean, jsonb) is
  'A step of the set-up list: {done, at, by}. When and by whom are of p_trace, and null until it is done.';

create or replace function private.first_line(p_organization uuid, p_action text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('at', a.created_at, 'by', private.actor_shown(a.actor, a.actor_id))
  from public.audit_log a
  where a.organization_id = p_organization and a.subject_type = split_part(p_action, '.', 1)
    and a.action = p_action
    and a.actor_id is not null
  order by a.created_at, a.id limit 1
$$;
comment on function private.first_line(uuid, text) is
  'When a person of the organization first did this, and who: {at, by}; null when it is not in the audit log.';

create or replace function public.setup_progress(p_on_home boolean default false) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'shown', o.show_setup,
    'without_hours', places.without_hours,
    'synced_locations', places.synced,
    'steps', jsonb_build_object(
      'locations', private.setup_step(places.active > 0, first.location),
      'hours', private.setup_step(places.active > 0 and places.without_hours is null, null),
      -- Without its identifier there a location gets no bookings.
      'pms', private.setup_step(works.pms and places.synced > 0, tests.found -> 'pms'),
      'email', private.setup_step(works.mail and works.mail_failed_later is not true,
        tests.found -> 'mail'),
      'team', private.setup_step(exists (select from public.profiles p
          where p.organization_id = o.id and p.role <> 'machine' and p.id <> (select private.caller()))
        or exists (select from public.invitations i
          where i.organization_id = o.id and i.accepted_at is null), first.invitation),
      'data', private.setup_step(exists (select from public.customers c where c.organization_id = o.id),
        first.import),
      'channels', private.setup_step(works.messages, tests.found -> works.messenger),
      'webhooks', private.setup_step(works.heard and schedule.at > now() - interval '2 hours', null)),
    'skipped', skips.found,
    'tests', tests.found,
    'schedule', schedule.at)
  from public.organizations o
  cross join lateral (
    select count(*) as active, count(*) filter (where l.pms_id is not null) as synced,
      (array_agg(l.id order by l.name) filter (where not exists (
        select from public.shifts s where s.location_id = l.id)))[1] as without_hours
    from public.locations l where l.organization_id = o.id and l.is_active
  ) as places
  cross join lateral (
    select coalesce(jsonb_object_agg(t.kind, jsonb_build_object(
      'at', t.tested_at, 'by', coalesce(nullif(btrim(p.full_name), ''), p.email), 'reason', t.reason)), '{}')
        as found
    from public.integration_tests t left join public.profiles p on p.id = t.tested_by
    where t.organization_id = o.id
  ) as tests
  cross join lateral (
    select coalesce(jsonb_object_agg(k.step, jsonb_build_object(
      'at', k.skipped_at, 'by', coalesce(nullif(btrim(p.full_name), ''), p.email))), '{}') as found
    from public.setup_skips k left join public.profiles p on p.id = k.skipped_by
    where k.organization_id = o.id
  ) as skips
  cross join lateral (
    -- A person may start a sync: the other jobs run by the schedule alone.
    select max(run.started_at) as at
    from unnest(array['calendar-notifications', 'calendar-reminders', 'ticket-notifications',
      'ticket-reminders',
      'automations']) as job
    cross join lateral (select r.started_at from public.job_runs r
      where r.organization_id = o.id and r.job = job order by r.started_at desc limit 1) as run
  ) as schedule
  cross join lateral (
    select bool_or(c.integration_type = 'pms' and t.passed) as pms,
      bool_or(carried.by_phone and t.passed) as messages,
      (array_agg(c.integration_type::text order by t.passed desc nulls last, c.integration_type)
        filter (where carried.by_phone))[1] as messenger,
      bool_or(carried.by_mail and m.passed) as mail,
      bool_or(carried.by_mail and not t.passed and t.tested_at > m.tested_at) as mail_failed_later,
      -- Anybody can send a call with a wrong signature: it counts once no right one has come for a day.
      bool_and(w.heard_at is not null and coalesce(w.refused_at < w.heard_at + interval '1 day', true))
        filter (where carried.by_mail or carried.by_phone) as heard
    from public.integration_configs c
    cross join lateral (
      select bool_or(p.channel = 'email') as by_mail, bool_or(p.channel <> 'email') as by_phone
      from private.channel_providers() as p where p.provider = c.integration_type) as carried
    left join lateral (select k.tested_at, k.reason is null as passed from public.integration_tests k
      where k.organization_id = o.id and k.kind = c.integration_type::text) as t on true
    left join lateral (select k.tested_at, k.reason is null as passed from public.integration_tests k
      where k.organization_id = o.id and k.kind = 'mail') as m on true
    left join public.webhook_calls w on w.organization_id = o.id and w.provider = c.integration_type
    where c.organization_id = o.id and c.is_enabled
  ) as works
  cross join lateral (
    select private.first_line(o.id, 'location.created') as location,
      private.first_line(o.id, 'invitation.made') as invitation,
      private.first_line(o.id, 'import.started') as import
  ) as first
  where o.id = any(array(select private.my_organizations('canViewSettings'))) and private.works_everywhere()
    and (o.show_setup or p_on_home is not true)
$$;
comment on function public.setup_progress(boolean) is
  'The set-up list of the caller''s group: each step with whether it is done, when and by whom; the last tests, skipped steps and the schedule''s last run; null when the caller cannot do the steps, and on home where the group hid it.';

create or replace function public.save_brand(p_organization uuid, p_id uuid, p_fields jsonb)
  returns setof public.brands
language plpgsql volatile set search_path = ''
as $$
begin
  if p_id is null then
    return query insert into public.brands (organization_id, name, slug)
    values (p_organization, p_fields ->> 'name', p_fields ->> 'slug') returning *;
  else
    return query update public.brands b
      set name = coalesce(p_fields ->> 'name', b.name), slug = coalesce(p_fields ->> 'slug', b.slug)
    where b.id = p_id and b.organization_id = p_organization returning *;
  end if;
end
$$;
comment on function public.save_brand(uuid, uuid, jsonb) is
  'Makes a brand of the organization (null), or changes the given fields of one; no row when it is not there.';

create or replace function public.delete_brand(p_brand uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The lock keeps out locations that are being linked to it.
  perform 1 from public.brands
  where id = p_brand and organization_id = any(array(select private.my_organizations('canViewSettings')))
    and private.works_everywhere() for update;
  if not found then
    return 'not_found';
  end if;
  if exists (select 1 from public.locations where brand_id = p_brand) then
    return 'in_use';
  end if;
  delete from public.brands where id = p_brand;
  return 'deleted';
end
$$;
comment on function public.delete_brand(uuid) is 'Deletes a brand without locations: deleted, not_found or in_use.';

create or replace function public.save_location(p_location uuid, p_values jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_before public.locations;
  v public.locations;
begin
  if p_location is null then
    v_before.organization_id := (select private.my_organizations('canViewSettings'));
    -- Someone bound to locations would not even see the new one.
    if v_before.organization_id is null
      or not private.works_everywhere() then
      return jsonb_build_object('outcome', 'forbidden');
    end if;
    v_before.timezone := (select o.timezone from public.organizations o
      where o.id = v_before.organization_id);
    v_before.count_unmarked_visits := true;
    v_before.is_active := true;
  else
    select * into v_before from public.locations
    where id = p_location
      and id = any(array(select private.my_locations('canViewSettings'))) for no key update;
    if v_before.id is null then
      return jsonb_build_object('outcome', 'not_found');
    end if;
  end if;
  v := jsonb_populate_record(v_before, p_values);
  if v.brand_id is not null then
    perform 1 from public.brands
      where id = v.brand_id and organization_id = v_before.organization_id for key share;
    if not found then
      return jsonb_build_object('outcome', 'unknown_brand');
    end if;
  end if;
  if p_location is null then
    insert into public.locations (organization_id, brand_id, name, city, address, pms_id, timezone,
      average_spend_per_guest, count_unmarked_visits, quiet_from, quiet_until, is_active,
      stay_minutes)
    values (v_before.organization_id, v.brand_id, v.name, v.city, v.address, v.pms_id, v.timezone,
      v.average_spend_per_guest, v.count_unmarked_visits, v.quiet_from, v.quiet_until, v.is_active,
      v.stay_minutes)
    returning id into v.id;
    perform private.start_rules(array[v.id]);
  else
    update public.locations set brand_id = v.brand_id, name = v.name, city = v.city, address = v.address,
      pms_id = v.pms_id, timezone = v.timezone, average_spend_per_guest = v.average_spend_per_guest,
      count_unmarked_visits = v.count_unmarked_visits, is_active = v.is_active,
      quiet_from = v.quiet_from, quiet_until = v.quiet_until, stay_minutes = v.stay_minutes,
      recount_from = case when v.count_unmarked_visits <> v_before.count_unmarked_visits
        then date '1900-01-01'
        else v_before.recount_from end,
      refresh_from = case
        when (v.average_spend_per_guest, v.timezone)
          is distinct from (v_before.average_spend_per_guest, v_before.timezone)
        then '00000000-0000-0000-0000-000000000000' else v_before.refresh_from end
    where id = p_location;
    v.id := p_location;
  end if;
  return jsonb_build_object('outcome', 'saved', 'id', v.id);
exception
  when unique_violation then return jsonb_build_object('outcome', 'name_taken');
  when invalid_parameter_value then return jsonb_build_object('outcome', 'unknown_timezone');
end
$$;
comment on function public.save_location(uuid, jsonb) is
  'Changes the given fields of a location, or makes one with its first loyalty rules (null): saved with its id, forbidden, not_found, unknown_brand, name_taken or unknown_timezone.';

create or replace function public.delete_location(p_location uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The lock keeps out reservations and assignments that are being made.
  perform 1 from public.locations
  where id = p_location and id = any(array(select private.my_locations('canViewSettings'))) for update;
  if not found then
    return 'not_found';
  end if;
  if exists (select 1 from public.reservations where location_id = p_location)
    or exists (select 1 from public.profile_locations where location_id = p_location)
    or exists (select 1 from public.invitations where p_location = any(location_ids) and accepted_at is null)
      then
    return 'in_use';
  end if;
  delete from public.locations where id = p_location;
  return 'deleted';
exception when foreign_key_violation then
  return 'in_use';
end
$$;
comment on function public.delete_location(uuid) is
  'Deletes a location without reservations and people: deleted, not_found or in_use.';
grant execute on function public.change_organization(jsonb), public.setup_progress(boolean),
  public.delete_brand(uuid), public.save_location(uuid, jsonb), public.delete_location(uuid) to authenticated;
grant execute on function public.save_brand(uuid, uuid, jsonb) to service_role;
-- << supabase/logic/organization/settings.sql

-- >> supabase/logic/reservations/changes.sql
-- Creating and changing reservations by hand, in the caller's own locations.

create or replace function private.reservation_json(p_reservation public.reservations) returns jsonb
language sql stable set search_path = ''
as $$
  select to_jsonb(p_reservation) - array['organization_id', 'customer_email', 'customer_phone', 'created_at',
      'updated_at', 'service_date', 'service_order', 'service_over', 'counts_unmarked', 'staff_marks',
      'search_name', 'erased_at', 'walk_in', 'arrived_at', 'seated_at', 'finished_at', 'guest_answer',
      'guest_answered_at', 'email_unread']
$$;
comment on function private.reservation_json(public.reservations) is 'A reservation as the API gives it.';

create or replace function private.marks_of(p_old public.reservations, p_next public.reservations)
  returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(mark.field, mark.pms), '{}')
  from (
    select field, case when p_old.staff_marks ? field then p_old.staff_marks -> field
      else to_jsonb(p_old) -> field end as pms
    from unnest(array['status', 'table_name', 'notes']) as field
  ) as mark
  where p_old.source = 'pms' and mark.pms <> to_jsonb(p_next) -> mark.field
$$;
comment on function private.marks_of(public.reservations, public.reservations) is
  'The marks of staff on a PMS reservation: each field that differs from the PMS''s value, with that value.';

create or replace function private.write_reservation(p_next public.reservations, p_counts_unmarked boolean)
  returns public.reservations
language plpgsql volatile set search_path = ''
as $$
declare
  v_saved public.reservations;
begin
  if p_next.id is null then
    insert into public.reservations (organization_id, location_id, customer_id, customer_name, customer_email,
      customer_phone, reservation_date, reservation_time, party_size, status, notes, total_amount, source,
      zone_name, table_name, service_over, counts_unmarked)
    values (p_next.organization_id, p_next.location_id, p_next.customer_id, p_next.customer_name,
      p_next.customer_email, p_next.customer_phone, p_next.reservation_date, p_next.reservation_time,
      p_next.party_size, p_next.status, p_next.notes, p_next.total_amount, 'manual', p_next.zone_name,
      p_next.table_name, p_next.service_over, p_counts_unmarked)
    returning * into v_saved;
  else
    update public.reservations r set location_id = p_next.location_id, customer_id = p_next.customer_id,
      customer_name = p_next.customer_name, customer_email = p_next.customer_email,
      customer_phone = p_next.customer_phone, reservation_date = p_next.reservation_date,
      reservation_time = p_next.reservation_time, party_size = p_next.party_size, status = p_next.status,
      notes = p_next.notes, total_amount = p_next.total_amount, zone_name = p_next.zone_name,
      table_name = p_next.table_name, staff_marks = p_next.staff_marks, service_over = p_next.service_over,
      counts_unmarked = p_counts_unmarked
    where r.id = p_next.id
    returning * into v_saved;
  end if;
  return v_saved;
end
$$;
comment on function private.write_reservation(public.reservations, boolean) is
  'Inserts a reservation made by hand (id null), or changes one; returns it as saved.';

create or replace function private.logged_changes(p_old public.reservations, p_next public.reservations,
  p_changed text[]) returns jsonb
language sql stable set search_path = ''
as $$
  select case when p_old.id is null then '{}' else jsonb_strip_nulls(jsonb_build_object(
    'fields', to_jsonb(p_changed), 'status', case when p_old.status <> p_next.status then jsonb_build_object(
      'from', p_old.status, 'to', p_next.status, 'pms', p_next.staff_marks ->> 'status') end)) end
    -- A party without an amount spends the location's average each: its size buys a tier as an amount does.
    || (select case when count(*) > 0 then jsonb_build_object('before', jsonb_object_agg(f.name, f.old),
        'after', jsonb_object_agg(f.name, f.new)) else '{}' end
      from (values ('total_amount', to_jsonb(p_old.total_amount), to_jsonb(p_next.total_amount)),
        ('party_size', to_jsonb(p_old.party_size), to_jsonb(p_next.party_size))) as f (name, old, new)
      where f.old is distinct from f.new and (p_old.id is not null or f.name = 'total_amount'))
$$;
comment on function private.logged_changes(public.reservations, public.reservations, text[]) is
  'What the audit log keeps of a saved reservation (p_old null: a new one): fields (the names of those that changed), status (from, to, and the PMS''s own), and before and after of total_amount and party_size.';

create or replace function public.save_reservation(p_fields jsonb, p_id uuid default null,
  p_now timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessOperaciones') as id limit 1);
  v_locations uuid[] := array(select private.my_locations('canAccessOperaciones'));
  v_editable constant text[] := array['location_id', 'customer_id', 'customer_name', 'customer_email',
    'customer_phone', 'reservation_date', 'reservation_time', 'party_size', 'status', 'notes', 'total_amount',
    'zone_name', 'table_name'];
  v_fields jsonb := (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) as f
    where f.key = any(v_editable));
  v_old public.reservations;
  v_next public.reservations;
  v_changed text[];
  v_location public.locations;
  v_table text;
  v_edited jsonb;
  v_link constant text := p_fields ->> 'link';
  v_chosen uuid;
  v_is_floor constant boolean := exists (
    select from public.profiles p where p.id = (select private.caller()) and p.role = 'sala');
  v_refusal jsonb;
  v_check text;
  v_asked jsonb;
begin
  p_now := private.clock(p_now);
  if v_organization is null or v_is_floor and v_link <> 'none' then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  if v_link = 'existing' then
    v_chosen := (p_fields ->> 'customer_id')::uuid;
    v_fields := v_fields - 'customer_id';
  end if;
  -- Needed even when no contact changes: of two simultaneous changes of one customer's bookings, the second
  -- must see the first.
  perform private.lock_identities(v_organization);
  if p_id is not null then
    select * into v_old from public.reservations
    where id = p_id and location_id = any(v_locations) and source <> 'import' for update;
    if v_old.id is null then
      return jsonb_build_object('outcome', 'not_found');
    end if;
  end if;
  v_next := jsonb_populate_record(v_old, v_fields);
  v_next.status := coalesce(v_next.status, 'pending');
  if v_next.table_name is distinct from v_old.table_name then
    v_next.table_name := private.tables_as_written(v_next.location_id, v_next.table_name);
  end if;
  -- A time alone keeps the night: after midnight it is on the next date.
  if v_fields ? 'reservation_time' and not v_fields ? 'reservation_date' then
    v_next.reservation_date := v_old.service_date
      + case when v_next.reservation_time < time '06:00' then 1 else 0 end;
  end if;
  if p_id is not null and p_fields ? 'loaded' then
    v_edited := private.edited_meanwhile(to_jsonb(jsonb_populate_record(v_old, p_fields -> 'loaded')),
      to_jsonb(v_old), to_jsonb(v_next), v_fields);
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
  end if;
  select array_agg(n.key order by n.key) into v_changed from jsonb_each(to_jsonb(v_next)) as n
  where n.key = any(v_editable) and n.value is distinct from coalesce(to_jsonb(v_old) -> n.key, 'null');
  if p_id is not null and v_changed is null then
    return jsonb_build_object('outcome', 'saved', 'reservation', private.reservation_json(v_old));
  end if;
  -- The next sync would overwrite any other field.
  if v_old.source = 'pms' and not v_changed <@ array['status', 'total_amount', 'table_name', 'notes'] then
    return jsonb_build_object('outcome', 'managed');
  end if;
  if v_next.location_id is null or v_next.location_id <> all(v_locations) then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  select * into v_location from public.locations where id = v_next.location_id;
  if v_is_floor and 'total_amount' = any(v_changed) then
    return jsonb_build_object('outcome', 'forbidden');
  elsif v_changed && array['location_id', 'reservation_date', 'reservation_time']
    and private.is_skipped(v_next.reservation_date + v_next.reservation_time, v_location.timezone) then
    return jsonb_build_object('outcome', 'skipped_time');
  end if;
  v_next.staff_marks := private.marks_of(v_old, v_next);
  -- A service that was closed stays closed, unless the reservation moves to another one.
  if p_id is null or v_changed && array['location_id', 'reservation_date', 'reservation_time'] then
    v_next.service_over := private.service_day(v_next.reservation_date, v_next.reservation_time)
      < private.current_service(v_location.timezone, p_now);
  end if;

  if 'customer_id' = any(v_changed) then
    v_next.customer_email := null;
    v_next.customer_phone := null;
    if v_next.customer_id is not null then
      -- Linking reveals the customer's name, so it needs the right to read customers.
      select coalesce(case when v_fields ? 'customer_name' then v_next.customer_name end,
        nullif(concat_ws(' ', c.first_name, c.last_name), '')) into v_next.customer_name
      from public.customers c
      where c.id = v_next.customer_id and c.organization_id = v_organization
        and c.organization_id = any(array(select private.my_organizations('canAccessClientes')));
      if not found then
        return jsonb_build_object('outcome', 'unknown_customer');
      end if;
    end if;
  end if;
  v_asked := private.reservation_questions(v_old, v_next, v_location, p_fields -> 'confirm', p_now);
  if v_asked ->> 'code' is not null then
    return v_asked || '{"outcome": "asks"}';
  end if;
  begin
    v_next.organization_id := v_organization;
    if v_changed && array['customer_email', 'customer_phone'] and not 'customer_id' = any(v_changed) then
      select k.customer_id, k.refusal into v_next.customer_id, v_refusal
      from private.customer_of_contact(v_old, v_next, v_changed, v_link, v_chosen, v_is_floor) as k;
      if v_refusal is not null then
        return v_refusal;
      end if;
    end if;
    v_next := private.write_reservation(v_next, v_location.count_unmarked_visits);
  exception
    when check_violation then
      get stacked diagnostics v_table = table_name, v_check = constraint_name;
      return jsonb_build_object('outcome', 'malformed', 'field', case
        when v_table <> 'customers' then private.checked_column(v_table, v_check)
        -- A new customer takes these from the reservation.
        when private.checked_column(v_table, v_check) = 'email' then 'customer_email'
        when private.checked_column(v_table, v_check) = 'phone' then 'customer_phone'
        else 'customer_name' end);
  end;

  perform private.refresh_customers(array_remove(array[v_old.customer_id, v_next.customer_id], null));
  perform private.audit(v_organization,
    case when p_id is null then 'reservation.created' else 'reservation.changed' end, v_next.id,
    private.logged_changes(v_old, v_next, v_changed));
  return jsonb_build_object('outcome', 'saved', 'reservation', private.reservation_json(v_next));
end
$$;
comment on function public.save_reservation(jsonb, uuid, timestamptz) is
  'Creates a manual reservation, or changes the fields given (of a PMS reservation status, total_amount, table_name and notes, as staff marks). p_fields may also have link (existing with customer_id, new, none), confirm and loaded. Outcome saved (with reservation), contact_of_another (with candidates), asks (as reservation_questions), skipped_time (the clocks skip it), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), managed, unknown_location, unknown_customer, malformed (with its field) or forbidden.';

create or replace function public.reservation_activity(p_reservation uuid)
returns table (id uuid, at timestamptz, action text, actor text, fields jsonb, status jsonb, answer jsonb)
language sql stable security definer set search_path = ''
as $$
  select g.id, g.created_at, g.action, private.actor_shown(g.actor, g.actor_id),
    coalesce(g.details -> 'fields', '[]'),
    g.details -> 'status',
    case g.action when 'reservation.answered' then jsonb_build_object('answer', g.details -> 'answer',
      'channel', g.details -> 'channel') end
  from public.reservations r
  join public.audit_log g on g.subject_id = r.id and g.subject_type = 'reservation'
  where r.id = p_reservation and r.source <> 'import'
    and r.location_id = any(array(select private.my_locations('canAccessOperaciones')))
  order by g.created_at desc, g.id desc limit 100
$$;
comment on function public.reservation_activity(uuid) is
  'The last 100 changes of a reservation in the caller''s locations, the latest first; overruled: the PMS replaced a staff mark; answered: the guest''s answer with its channel. status has from, to and the PMS''s own value.';

create or replace function public.log_reservations_export(p_filters jsonb) returns uuid
language sql volatile security definer set search_path = ''
as $$
  select private.start_export((select id from private.my_organizations('canReadReports') as id limit 1),
    'reservations',
    p_filters)
$$;
comment on function public.log_reservations_export(jsonb) is
  'Counts and logs that the caller starts to download the reservations that match the filters; returns the id by which end_export ends it. Null when they may not.';
grant execute on function public.save_reservation(jsonb, uuid, timestamptz),
  public.reservation_activity(uuid), public.log_reservations_export(jsonb) to authenticated;
-- << supabase/logic/reservations/changes.sql

-- >> supabase/logic/reservations/guest_of_booking.sql
-- Whose a booking is, by the contact that staff typed.

create or replace function private.match_customer(p_organization uuid, p_email text, p_phone text,
  p_name text) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_first text := nullif(split_part(p_name, ' ', 1), '');
  v_last text := nullif(btrim(substr(p_name, length(split_part(p_name, ' ', 1)) + 2)), '');
  v_id uuid;
  v_is_new boolean;
begin
  select m.customer_id, m.is_new into v_id, v_is_new
  from private.match_people(p_organization, jsonb_build_array(jsonb_build_object('place', 1,
    'email', p_email, 'phone', p_phone, 'first_name', v_first, 'last_name', v_last))) as m;
  if v_is_new then
    insert into public.customers (id, organization_id, source, email, phone, first_name, last_name)
    values (v_id, p_organization, 'Manual', p_email, p_phone, v_first, v_last);
    perform private.suggest_for(v_id);
    perform private.audit(p_organization, 'customer.created', v_id);
    return v_id;
  end if;
  -- Contact data of one booking fills blanks, but replaces no value.
  update public.customers c set email = coalesce(c.email, p_email), phone = coalesce(c.phone, p_phone),
    first_name = case when coalesce(c.first_name, c.last_name) is null then v_first else c.first_name end,
    last_name = case when coalesce(c.first_name, c.last_name) is null then v_last else c.last_name end
  where c.id = v_id
    and ((c.email is null and p_email is not null) or (c.phone is null and p_phone is not null)
    or (coalesce(c.first_name, c.last_name) is null and v_first is not null));
  insert into public.customer_aliases (organization_id, customer_id, email)
  select p_organization, v_id, p_email from public.customers c where c.id = v_id and c.email <> p_email
  on conflict (organization_id, email) where email is not null do nothing;
  return v_id;
end
$$;
comment on function private.match_customer(uuid, text, text, text) is
  'The customer behind an e-mail (first) or phone, created when there is none; fills blanks and keeps a new e-mail as an alias. Call it under lock_identities.';

create or replace function private.contact_owners(p_organization uuid, p_email text, p_phone text,
  p_name text)
returns table (id uuid, name text, by_phone boolean, agrees boolean, is_same boolean)
language sql stable set search_path = ''
as $$
  with owned as (
    select c.id, false as by_phone from public.customers c where c.organization_id = p_organization
      and c.email = p_email
    union select a.customer_id, false from public.customer_aliases a
    where a.organization_id = p_organization and a.email = p_email
    union select o.customer_id, true from private.phone_owners(p_organization, array[p_phone]) as o
  )
  select c.id, nullif(concat_ws(' ', c.first_name, c.last_name), ''), o.by_phone,
    private.names_agree(named.typed, named.theirs),
    named.typed <> '' and named.typed = named.theirs
  from owned o join public.customers c on c.id = o.id
  cross join lateral (select private.name_key(p_name),
    private.name_key(concat_ws(' ', c.first_name, c.last_name)))
    as named (typed, theirs)
$$;
comment on function private.contact_owners(uuid, text, text, text) is
  'The customers whom an e-mail or a phone belongs to. agrees: not of a different name (one name has all words of the other, or one is missing); is_same: of the same name.';

create or replace function private.owners_of_another_name(p_organization uuid, p_email text, p_phone text,
  p_name text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
  from (
    select distinct o.id, o.name
    from (
      select k.*, bool_or(k.agrees) over (partition by k.by_phone) as is_known
      from private.contact_owners(p_organization, p_email, p_phone, p_name) as k) as o
    where not o.is_known limit 20) as x
$$;
comment on function private.owners_of_another_name(uuid, text, text, text) is
  'The customers [{id, name}], at most 20, to whom the e-mail or the phone belongs when none of its owners has the name; else null.';

create or replace function private.own_customer(p_organization uuid, p_email text, p_phone text, p_name text)
  returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_first text := nullif(split_part(p_name, ' ', 1), '');
  v_last text := nullif(btrim(substr(p_name, length(split_part(p_name, ' ', 1)) + 2)), '');
  v_taken constant boolean[] := (
    select array[coalesce(bool_or(not o.by_phone), false), coalesce(bool_or(o.by_phone), false)]
    from private.contact_owners(p_organization, p_email, p_phone, p_name) as o);
  v_id uuid;
begin
  insert into public.customers (organization_id, source, email, phone, first_name, last_name)
  values (p_organization, 'Manual', case when not v_taken[1] then p_email end,
    case when not v_taken[2] then p_phone end, v_first, v_last)
  returning id into v_id;
  insert into public.customer_aliases (organization_id, customer_id, phone)
  select p_organization, v_id, p_phone where v_taken[2];
  perform private.suggest_for(v_id);
  perform private.audit(p_organization, 'customer.created', v_id);
  return v_id;
end
$$;
comment on function private.own_customer(uuid, text, text, text) is
  'A new customer of that name. A shared phone becomes a further phone of theirs; a shared e-mail stays with its owner.';

create or replace function private.take_contact(p_customer uuid, p_email text, p_phone text) returns void
language sql volatile set search_path = ''
as $$
  update public.customers c
    set phone = coalesce(c.phone, p_phone), email = coalesce(c.email, case when not exists (
    select from private.contact_owners(c.organization_id, p_email, null, null)) then p_email end)
  where c.id = p_customer
    and (c.phone is null and p_phone is not null or c.email is null and p_email is not null)
$$;
comment on function private.take_contact(uuid, text, text) is 'Fills a customer''s blanks with the contact data of a booking; takes no other''s e-mail.';

create or replace function private.customer_of_contact(p_old public.reservations, p_next public.reservations,
  p_changed text[], p_link text, p_chosen uuid, p_is_floor boolean, out customer_id uuid, out refusal jsonb)
language plpgsql volatile set search_path = ''
as $$
declare
  -- A contact that was there before has been decided on.
  v_email constant text := case when 'customer_email' = any(p_changed) then p_next.customer_email end;
  v_phone constant text := case when 'customer_phone' = any(p_changed) then p_next.customer_phone end;
  v_owners jsonb;
begin
  if p_is_floor then
    -- Floor staff do not learn whether others have the contact: a guest of the typed name and contact, or
    -- none.
    customer_id := p_next.customer_id;
    if p_link = 'none' or p_old.customer_id is null or 'customer_name' = any(p_changed) then
      customer_id := (
        select o.id
        from private.contact_owners(p_next.organization_id, v_email, v_phone, p_next.customer_name) as o
        where p_link is null and o.is_same order by o.by_phone, o.id limit 1);
    end if;
    return;
  elsif p_link = 'none' or coalesce(p_next.customer_email, p_next.customer_phone) is null then
    return;
  elsif p_link = 'new' then
    customer_id := private.own_customer(p_next.organization_id, p_next.customer_email, p_next.customer_phone,
      p_next.customer_name);
    return;
  end if;
  v_owners := private.owners_of_another_name(p_next.organization_id, v_email, v_phone, p_next.customer_name);
  customer_id := p_chosen;
  if customer_id is not null and not exists (
    select from private.contact_owners(p_next.organization_id, p_next.customer_email, p_next.customer_phone,
      null) as o
    where o.id = customer_id) then
    refusal := jsonb_build_object('outcome', 'unknown_customer');
    return;
  elsif p_link = 'existing' and jsonb_array_length(v_owners) = 1 then
    customer_id := (v_owners #>> '{0,id}')::uuid;
  end if;
  if v_owners is not null and customer_id is null then
    refusal := jsonb_build_object('outcome', 'contact_of_another', 'candidates', case
      when exists (select from private.my_organizations('canAccessClientes')) then v_owners else '[]' end);
  elsif customer_id is not null then
    perform private.take_contact(customer_id, p_next.customer_email, p_next.customer_phone);
  else
    customer_id := private.match_customer(p_next.organization_id, p_next.customer_email,
      p_next.customer_phone, p_next.customer_name);
  end if;
end
$$;
comment on function private.customer_of_contact(public.reservations, public.reservations, text[], text, uuid, boolean) is
  'Whose a reservation is after its contact was changed by hand: customer_id, null for nobody. Creates a customer when p_link is new, or when nobody has the contact. p_link: as link of save_reservation; p_chosen: the customer_id that came with existing; p_is_floor: whether the caller is floor staff. refusal, in place of a customer: the answer of save_reservation (unknown_customer, contact_of_another). Call it under lock_identities.';
-- << supabase/logic/reservations/guest_of_booking.sql

-- >> supabase/logic/reservations/questions.sql
-- What a reservation asks before it is saved: an answer of yes goes along with the request as `confirm`.

create or replace function private.closes(p_closing public.closed_days, p_shift uuid, p_zone text,
  p_table text) returns boolean
language sql stable set search_path = ''
as $$
  select (p_closing.shift is null or exists (
      select from public.shifts s
      where s.id = p_shift and private.fold(s.name) = private.fold(p_closing.shift)))
    and (p_closing.zone is null or private.fold(p_zone) = private.fold(p_closing.zone) or exists (
      select from public.dining_tables d
      where d.location_id = p_closing.location_id and d.name = any(private.table_names(p_table))
        and private.fold(d.zone) = private.fold(p_closing.zone)))
$$;
comment on function private.closes(public.closed_days, uuid, text, text) is
  'Whether a closing of its day concerns a reservation of that shift, in that zone or at those tables.';

create or replace function private.is_closed_at(p_location uuid, p_day date, p_time time, p_zone text,
  p_table text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.closed_days c where c.location_id = p_location and c.day = p_day
      and private.closes(c, private.shift_at(p_location, p_day, p_time), p_zone, p_table))
$$;
comment on function private.is_closed_at(uuid, date, time, text, text) is
  'Whether a closing of a service day of a location concerns a reservation of that local time, in that zone or at those tables.';

create or replace function private.is_open_at(p_location uuid, p_day date, p_time time) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (select from public.shifts s where s.location_id = p_location) or exists (
    select from public.shifts s
    cross join lateral (
      select (extract(hour from p_time)::integer + 18) % 24 * 60 + extract(minute from p_time)::integer)
        as clock (minute)
    where s.location_id = p_location and extract(isodow from p_day)::smallint = any(s.weekdays)
      and clock.minute >= s.opens_at and clock.minute < s.closes_at)
$$;
comment on function private.is_open_at(uuid, date, time) is
  'Whether a shift of that service day takes guests at a local time, its end excluded. A location without shifts has no hours: always.';

create or replace function private.is_skipped(p_local timestamp, p_timezone text) returns boolean
language sql stable set search_path = ''
as $$ select (p_local at time zone p_timezone) at time zone p_timezone <> p_local $$;
comment on function private.is_skipped(timestamp, text) is
  'Whether the clocks of a time zone go past this local time: it does not exist.';

create or replace function private.reservation_questions(p_old public.reservations,
  p_next public.reservations, p_location public.locations, p_confirmed jsonb, p_now timestamptz) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_today constant date := private.current_service(p_location.timezone, p_now);
  v_day constant date := private.service_day(p_next.reservation_date, p_next.reservation_time);
  v_is_new constant boolean := p_old.id is null;
  v_is_moved constant boolean := v_is_new or p_old.location_id <> p_next.location_id
    or (p_old.reservation_date, p_old.reservation_time) <> (p_next.reservation_date, p_next.reservation_time);
  v_changes_day constant boolean := v_is_new or p_old.location_id <> p_next.location_id
    or p_old.service_date <> v_day;
  v_comes constant boolean := p_next.status in ('pending', 'confirmed', 'seated') and v_day >= v_today;
  -- Whose table is asked: who gets one, sits down, comes again, or comes at another time or with more people.
  v_takes_table constant boolean := v_comes and p_next.table_name is not null and (v_is_moved
    or p_old.table_name is distinct from p_next.table_name or p_old.party_size < p_next.party_size
    or p_old.status <> 'seated' and p_next.status = 'seated'
    or p_old.status not in ('pending', 'confirmed', 'seated'));
  -- Whose table was asked before only hears of who still sits there.
  v_is_own constant boolean := not v_is_moved and p_old.table_name is not distinct from p_next.table_name
    and p_old.party_size >= p_next.party_size and p_old.status in ('pending', 'confirmed');
  v_tables constant text[] := private.table_names(p_next.table_name);
  v_questions text[] := '{}';
  v_taken_by jsonb;
  v_seats record;
begin
  if v_changes_day and least(v_day, p_old.service_date) < v_today
    or p_old.party_size <> p_next.party_size and v_day < v_today then
    v_questions := v_questions || 'SERVICE_OVER'::text;
  end if;
  if v_takes_table then
    select jsonb_build_object('reservation_id', k.id, 'customer_name', k.name,
      'from', to_char(k.starts_at at time zone p_location.timezone, 'HH24:MI'),
      'until', to_char(k.ends_at at time zone p_location.timezone, 'HH24:MI')) into v_taken_by
    from private.parties_at(p_next.location_id, v_tables,
      case when p_next.status = 'seated' and v_day = v_today then p_now
        else (p_next.reservation_date + p_next.reservation_time) at time zone p_location.timezone end,
      p_next.party_size, p_now) as k
    where k.id is distinct from p_old.id and (k.status = 'seated' or not v_is_own)
    order by k.starts_at, k.id limit 1;
    if v_taken_by is not null then
      v_questions := v_questions || 'TABLE_TAKEN'::text;
    end if;
    select count(*) as tables, count(d.capacity) as known, sum(d.capacity) as seats into v_seats
    from public.dining_tables d where d.location_id = p_next.location_id and d.name = any(v_tables);
    if v_seats.known = cardinality(v_tables) and v_seats.seats < p_next.party_size then
      v_questions := v_questions || 'TABLE_TOO_SMALL'::text;
    end if;
  end if;
  -- Who cancelled or did not come may find it closed meanwhile; who sits there is there.
  if v_comes and (v_is_moved or p_old.zone_name is distinct from p_next.zone_name
      or p_old.table_name is distinct from p_next.table_name
      or p_old.status in ('cancelled', 'no_show') and p_next.status <> 'seated')
    and private.is_closed_at(p_next.location_id, v_day, p_next.reservation_time, p_next.zone_name,
      p_next.table_name) then
    v_questions := v_questions || 'CLOSED'::text;
  end if;
  if v_comes and v_is_moved
    and not private.is_open_at(p_next.location_id, v_day, p_next.reservation_time) then
    v_questions := v_questions || 'OUTSIDE_HOURS'::text;
  end if;
  if p_next.total_amount is distinct from p_old.total_amount and p_next.total_amount > greatest(1000,
    10 * p_next.party_size * coalesce(p_location.average_spend_per_guest, 0)) then
    v_questions := v_questions || 'UNUSUAL_AMOUNT'::text;
  end if;
  return jsonb_build_object('questions', to_jsonb(v_questions), 'code', (
    select q.code from unnest(v_questions) with ordinality as q (code, place)
    where not coalesce(p_confirmed ? lower(q.code), false) order by q.place limit 1),
    'current', v_taken_by);
end
$$;
comment on function private.reservation_questions(public.reservations, public.reservations, public.locations, jsonb, timestamptz) is
  'What saving a reservation asks (p_old null: a new one): questions, the codes in order (SERVICE_OVER, TABLE_TAKEN, TABLE_TOO_SMALL, CLOSED, OUTSIDE_HOURS, UNUSUAL_AMOUNT); code, the first that p_confirmed, a list of codes in lower case, does not answer with yes; and current, the first party at its table {reservation_id, customer_name, from, until; HH:mm, local}. Call it under lock_identities: then no other writer gives the table away in between.';
-- << supabase/logic/reservations/questions.sql

-- >> supabase/logic/service/board.sql
-- Tonight, as the host sees it: the parties of a service day with what to know about each, and what staff tap
-- (arrived, seated, table assigned, no-show, finished, walk-in, undo). Telephones lose their connection, so a
-- tap has a key: sent twice, it counts once.

create or replace function private.tapped_fields(p_reservation public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('status', p_reservation.status, 'table_name', p_reservation.table_name,
    'arrived_at', p_reservation.arrived_at, 'seated_at', p_reservation.seated_at,
    'finished_at', p_reservation.finished_at)
$$;
comment on function private.tapped_fields(public.reservations) is 'The fields of a reservation that taps change.';

create or replace function private.refused_tap(p_key uuid, p_reservation uuid, p_saved jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(f.key, f.value)
  from jsonb_each(jsonb_build_object('key', p_key, 'reservation_id', p_reservation,
    'outcome', coalesce(lower(p_saved ->> 'code'), p_saved ->> 'outcome'), 'code', p_saved -> 'code',
    'questions', p_saved -> 'questions', 'current', p_saved -> 'current')) as f
  where f.value <> 'null'
$$;
comment on function private.refused_tap(uuid, uuid, jsonb) is
  'The answer to a tap that save_reservation did not save: its outcome, or what it asks first, in lower case, with all questions and the party at the table.';

create or replace function private.seat_walk_in(p_location uuid, p_tap jsonb, p_at timestamptz,
  p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_place public.locations;
  v_next public.reservations;
  v_saved jsonb;
begin
  select * into v_place from public.locations where id = p_location;
  v_saved := public.save_reservation(jsonb_build_object('location_id', p_location,
    'customer_name', p_tap -> 'customer_name', 'party_size', p_tap -> 'party_size', 'status', 'seated',
    'table_name', p_tap -> 'table_name', 'reservation_date', (p_at at time zone v_place.timezone)::date,
    'reservation_time', to_char(p_at at time zone v_place.timezone, 'HH24:MI'),
    -- Who has come is asked about tables only.
    'confirm', coalesce(p_tap -> 'confirm', '[]') || '["service_over", "closed", "outside_hours"]'),
    null, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, null, v_saved || case when v_saved ? 'questions'
      then jsonb_build_object('questions',
        (v_saved -> 'questions') - '{SERVICE_OVER,CLOSED,OUTSIDE_HOURS}'::text[])
      else '{}' end);
  end if;
  update public.reservations set walk_in = true, arrived_at = p_at, seated_at = p_at
  where id = (v_saved #>> '{reservation,id}')::uuid returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  values (v_key, v_next.organization_id, v_next.id, 'walk_in', '{}', private.tapped_fields(v_next), p_now);
  return jsonb_build_object('key', v_key, 'outcome', 'saved', 'reservation_id', v_next.id);
end
$$;
comment on function private.seat_walk_in(uuid, jsonb, timestamptz, timestamptz) is
  'Books and seats at p_at the party of a tap that came without a booking: as take_tap.';

create or replace function private.fields_after(p_old public.reservations, p_tap jsonb, p_at timestamptz)
  returns jsonb
language sql stable set search_path = ''
as $$
  select private.tapped_fields(p_old) || case p_tap ->> 'action'
    when 'arrive' then jsonb_build_object('arrived_at', p_at,
      'status', case when p_old.status in ('pending', 'no_show', 'cancelled') then 'confirmed'
        else p_old.status end)
    when 'seat' then jsonb_build_object('arrived_at', coalesce(p_old.arrived_at, p_at), 'seated_at', p_at,
      'finished_at', null, 'status', 'seated', 'table_name',
      coalesce(p_tap ->> 'table_name', p_old.table_name))
    when 'assign' then jsonb_build_object('table_name', p_tap -> 'table_name')
    when 'no_show' then '{"status": "no_show", "arrived_at": null, "seated_at": null}'
    when 'finish' then jsonb_build_object('status', 'completed', 'finished_at', p_at) end
$$;
comment on function private.fields_after(public.reservations, jsonb, timestamptz) is
  'What a reservation has of tapped_fields after a tap at p_at: arrive, seat, assign, no_show or finish.';

create or replace function private.take_tap(p_location uuid, p_tap jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_action text := p_tap ->> 'action';
  -- A walk-in that was tapped without a connection has no id yet: later taps name its key.
  v_id uuid := coalesce((p_tap ->> 'reservation_id')::uuid, (
    select t.reservation_id from private.service_taps t where t.key = (p_tap ->> 'of')::uuid));
  -- A telephone without a connection sends what was tapped earlier, within the day.
  v_at timestamptz := greatest(least(coalesce((p_tap ->> 'at')::timestamptz, p_now), p_now),
    p_now - interval '1 day');
  v_old public.reservations;
  v_next public.reservations;
  v_undone private.service_taps;
  v_fields jsonb;
  v_saved jsonb;
begin
  if exists (select from private.service_taps t where t.key = v_key) then
    return jsonb_build_object('key', v_key, 'outcome', 'repeated');
  end if;
  if v_action = 'walk_in' then
    return private.seat_walk_in(p_location, p_tap, v_at, p_now);
  end if;

  select * into v_old from public.reservations r
  where r.id = v_id and r.location_id = p_location and r.source <> 'import' for update;
  if v_old.id is null then
    return jsonb_build_object('key', v_key, 'outcome', 'not_found');
  end if;
  if v_action = 'undo' then
    select * into v_undone from private.service_taps t
    where t.key = (p_tap ->> 'undoes')::uuid and t.reservation_id = v_old.id;
    if v_undone.key is null then
      return jsonb_build_object('key', v_key, 'outcome', 'not_found');
    elsif private.tapped_fields(v_old) <> v_undone.after then
      return jsonb_build_object('key', v_key, 'outcome', 'conflict', 'reservation_id', v_old.id);
    end if;
    -- An undone walk-in never came.
    v_fields := case v_undone.action when 'walk_in'
      then private.tapped_fields(v_old) || '{"status": "cancelled", "seated_at": null, "arrived_at": null}'
      else v_undone.before end;
  else
    -- Another person or the PMS was faster: the state that this person saw is outdated.
    if v_old.status <> coalesce(p_tap ->> 'seen', v_old.status) then
      return jsonb_build_object('key', v_key, 'outcome', 'conflict', 'reservation_id', v_old.id);
    end if;
    v_fields := private.fields_after(v_old, p_tap, v_at);
  end if;
  v_saved := public.save_reservation(jsonb_build_object('status', v_fields -> 'status',
    'table_name', v_fields -> 'table_name', 'confirm', p_tap -> 'confirm'), v_old.id, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, v_old.id, v_saved);
  end if;
  update public.reservations r set arrived_at = (v_fields ->> 'arrived_at')::timestamptz,
    seated_at = (v_fields ->> 'seated_at')::timestamptz,
    finished_at = (v_fields ->> 'finished_at')::timestamptz
  where r.id = v_old.id returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  values (v_key, v_old.organization_id, v_old.id, v_action, private.tapped_fields(v_old),
    private.tapped_fields(v_next), p_now);
  return jsonb_build_object('key', v_key, 'outcome', 'saved', 'reservation_id', v_old.id);
end
$$;
comment on function private.take_tap(uuid, jsonb, timestamptz) is
  'Applies one tap, once: saved, repeated, conflict (the reservation has changed since the person saw it; nothing changes), not_found, or refused_tap. Its confirm answers the questions of save_reservation.';

create or replace function public.take_taps(p_location uuid, p_taps jsonb, p_now timestamptz default now())
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_tap jsonb;
  v_answers jsonb := '[]';
begin
  p_now := private.clock(p_now);
  if p_location is null or p_location <> all(array(select private.my_locations('canAccessOperaciones'))) then
    return null;
  end if;
  -- In the order in which they were tapped: one may build on another. A queue is short.
  for v_tap in select value from jsonb_array_elements(p_taps) limit 50 loop
    v_answers := v_answers || private.take_tap(p_location, v_tap, p_now);
  end loop;
  return v_answers;
end
$$;
comment on function public.take_taps(uuid, jsonb, timestamptz) is
  'Taps of the service of a location, at most 50, in order: one answer each {key, outcome, reservation_id}. Null without the right. See private.take_tap.';

create or replace function public.service_list(p_location uuid, p_day date default null,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with place as materialized (
    select l.*, coalesce(p_day, private.current_service(l.timezone, (select private.clock(p_now)))) as day
    from public.locations l
    where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
  ), bound as materialized (
    select private.bound_to() as locations
  ), birthdays as materialized (
    select n as days, unnest(private.birth_days(p.day + n, 0)) as birth_day
    from place p cross join generate_series(-3, 3) as n
  ), parties as (
    select r.service_order, r.id,
      jsonb_build_object('id', r.id, 'time', to_char(r.reservation_time, 'HH24:MI'),
      'shift_id', private.shift_at(r.location_id, r.service_date, r.reservation_time),
      'name', coalesce(r.customer_name, nullif(concat_ws(' ', c.first_name, c.last_name), '')),
      'phone', coalesce(r.customer_phone, c.phone), 'party_size', r.party_size, 'status', r.status,
      'table_name', r.table_name, 'zone_name', r.zone_name,
      'arrived_at', r.arrived_at, 'seated_at', r.seated_at, 'finished_at', r.finished_at, 'walk_in',
      r.walk_in,
      'notes', nullif(btrim(r.notes), ''), 'customer_id', c.id, 'customer_notes', nullif(btrim(c.notes), ''),
      'tags', coalesce(to_jsonb(c.tags), '[]'), 'tier', t.name,
      'vip', coalesce(t.rank >= (
        select coalesce(min(o.rank) filter (where o.name = 'Oro'), 3) from public.loyalty_tiers o
        where o.organization_id = c.organization_id), false),
      'birthday_in', b.days, 'first_visit', coalesce(c.total_visits = 0, false),
      'facts', coalesce((
        select jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note)
          order by f.kind, f.code)
        from public.customer_facts f where f.customer_id = c.id), '[]'),
      'no_shows', coalesce((
        select count(*) from public.reservations o
        where o.customer_id = c.id and o.status = 'no_show' and o.source <> 'import' and o.id <> r.id
          and (w.locations is null or o.location_id = any(w.locations))), 0)) as party
    from place p cross join bound w
    join public.reservations r on r.location_id = p.id and r.service_date = p.day and r.source <> 'import'
    left join public.customers c on c.id = r.customer_id
      and c.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    left join birthdays b on b.birth_day = c.birth_day
  )
  select jsonb_build_object('location',
    jsonb_build_object('id', p.id, 'name', p.name, 'timezone', p.timezone, 'stay_minutes', p.stay_minutes),
    'day', p.day, 'at', (select private.clock(p_now)), 'closed', (
      select jsonb_build_object('name', d.name) from public.closed_days d where d.location_id = p.id
        and d.day = p.day and num_nonnulls(d.shift, d.zone) = 0),
    'closings', coalesce((
      select jsonb_agg(private.closing_json(d) order by d.shift nulls first, d.zone nulls first, d.id)
      from public.closed_days d where d.location_id = p.id and d.day = p.day), '[]'),
    'shifts', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'opens', to_char(s.opens, 'HH24:MI'),
        'closes', to_char(s.closes, 'HH24:MI'), 'capacity', s.capacity) order by s.opens_at)
      from public.shifts s
      where s.location_id = p.id and extract(isodow from p.day)::smallint = any(s.weekdays)), '[]'),
    'tables', coalesce((
      select jsonb_agg(jsonb_build_object('name', d.name, 'zone', d.zone, 'capacity', d.capacity)
        -- As people count: 2 before 10.
        order by d.zone nulls last, substring(d.name from '^\D*'),
          substring(d.name from '\d+')::numeric nulls first, d.name)
      from public.dining_tables d where d.location_id = p.id and d.is_active), '[]'),
    'waiting', public.list_waiting(p.id),
    'parties', coalesce((select jsonb_agg(x.party order by x.service_order, x.id) from parties x), '[]'))
  from place p
$$;
comment on function public.service_list(uuid, date, timestamptz) is
  'A service day of a location, by default the current one: its closings, shifts, tables, waitlist, and parties by time with facts and notes of each. Null without the right.';

create or replace function public.services(p_day date, p_location uuid default null,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(public.service_list(l.id, p_day, (select private.clock(p_now)))
    order by l.name, l.id), '[]')
  from public.locations l
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and case when p_location is null then l.is_active else l.id = p_location end
$$;
comment on function public.services(date, uuid, timestamptz) is
  'A day''s services of the caller''s active locations, or of one: see service_list.';

-- Figures without names, as in service_summary: everyone's, each in their locations.
create or replace function public.shift_occupancy(p_location uuid default null, p_date date default null,
  p_now timestamptz default now())
returns table (location_id uuid, shift_id uuid, name text, capacity integer, covers bigint)
language sql stable security definer set search_path = ''
as $$
  with places as materialized (
    select l.id, d.day from public.locations l
    cross join lateral (
      select coalesce(p_date, private.current_service(l.timezone, (select private.clock(p_now)))) as day) as d
    where l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
      and exists (select from public.shifts s where s.location_id = l.id and s.capacity is not null)
      and not exists (select from public.closed_days c where c.location_id = l.id and c.day = d.day
        and num_nonnulls(c.shift, c.zone) = 0)
  ), taken as materialized (
    -- A shift is looked up for each time, not for each reservation.
    select private.shift_at(t.id, t.day, t.reservation_time) as shift_id, sum(t.covers)::bigint as covers
    from (
      select p.id, p.day, r.reservation_time, sum(r.party_size) as covers
      from places p join public.reservations r on r.location_id = p.id and r.service_date = p.day
        and r.source <> 'import' and r.status not in ('cancelled', 'no_show')
      group by p.id, p.day, r.reservation_time) as t
    group by 1
  )
  select s.location_id, s.id, s.name, s.capacity, coalesce(t.covers, 0)
  from places p
  join public.shifts s on s.location_id = p.id and extract(isodow from p.day)::smallint = any(s.weekdays)
  left join taken t on t.shift_id = s.id
  where s.capacity is not null
  order by s.location_id, s.opens_at
$$;
comment on function public.shift_occupancy(uuid, date, timestamptz) is
  'The covers and capacity of a date''s shifts, else of the current service''s; without shifts of unknown capacity and closed days.';
grant execute on function public.take_taps(uuid, jsonb, timestamptz),
  public.service_list(uuid, date, timestamptz), public.services(date, uuid, timestamptz),
  public.shift_occupancy(uuid, date, timestamptz) to authenticated;
-- << supabase/logic/service/board.sql

-- >> supabase/logic/service/closings.sql
-- Closings of a location: a day, a shift or a zone of it, with the reason. Who serves there closes it at
-- short notice; the hours of a location have the days that are closed as a whole.

create or replace function private.closing_json(p_closing public.closed_days) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('id', p_closing.id, 'day', p_closing.day, 'shift', p_closing.shift,
    'zone', p_closing.zone, 'reason', p_closing.name)
$$;
comment on function private.closing_json(public.closed_days) is 'A closing as the API and the audit log show it.';

create or replace function public.list_closings(p_location uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce((
      select jsonb_agg(private.closing_json(c) order by c.day, c.shift nulls first, c.zone nulls first, c.id)
      from public.closed_days c where c.location_id = l.id), '[]')
  from public.locations l where l.id = p_location and l.id = any(array(select private.my_locations()))
$$;
comment on function public.list_closings(uuid) is
  'The closings of a location by day [{id, day, shift, zone, reason}]. Null for who does not work there.';

create or replace function public.add_closing(p_location uuid, p_closing jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v public.closed_days;
begin
  select * into v_location from public.locations
  where id = p_location and id = any(array(select private.my_locations('canReadReports'))) for no key update;
  if v_location.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  -- As the location writes them.
  v.shift := (select s.name from public.shifts s where s.location_id = p_location
    and private.fold(s.name) = private.fold(p_closing ->> 'shift') limit 1);
  v.zone := (select d.zone from public.dining_tables d where d.location_id = p_location
    and private.fold(d.zone) = private.fold(p_closing ->> 'zone') order by d.zone limit 1);
  if v.shift is null and p_closing ->> 'shift' is not null then
    return jsonb_build_object('outcome', 'unknown_shift');
  elsif v.zone is null and p_closing ->> 'zone' is not null then
    return jsonb_build_object('outcome', 'unknown_zone');
  elsif (select count(*) from public.closed_days c where c.location_id = p_location) >= 2000 then
    return jsonb_build_object('outcome', 'full');
  end if;
  insert into public.closed_days (organization_id, location_id, day, name, shift, zone)
  values (v_location.organization_id, p_location, (p_closing ->> 'day')::date, p_closing ->> 'reason',
    v.shift, v.zone)
  on conflict (location_id, day, shift, zone) do nothing
  returning * into v;
  if v.id is null then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  perform private.audit_setup(v_location, 'location.closed', '{}', private.closing_json(v) - 'id');
  return jsonb_build_object('outcome', 'saved', 'closing', private.closing_json(v), 'reservations', coalesce((
    select jsonb_agg(private.reservation_json(r) order by r.service_order, r.id)
    from public.reservations r
    where r.location_id = p_location and r.service_date = v.day and r.source <> 'import'
      and r.status in ('pending', 'confirmed', 'seated')
      and private.closes(v, private.shift_at(p_location, v.day, r.reservation_time), r.zone_name,
        r.table_name)), '[]'));
end
$$;
comment on function public.add_closing(uuid, jsonb) is
  'Closes a day of a location, or a shift or zone of it {day, shift, zone, reason}: saved (with closing, and the reservations it concerns in order of time), not_found, repeated, full (2,000), unknown_shift or unknown_zone.';

create or replace function public.remove_closing(p_location uuid, p_closing uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v public.closed_days;
begin
  select * into v_location from public.locations
  where id = p_location and id = any(array(select private.my_locations('canReadReports'))) for no key update;
  delete from public.closed_days where id = p_closing and location_id = v_location.id returning * into v;
  if v.id is null then
    return 'not_found';
  end if;
  perform private.audit_setup(v_location, 'location.reopened', private.closing_json(v) - 'id', '{}');
  return 'deleted';
end
$$;
comment on function public.remove_closing(uuid, uuid) is 'Opens again what a closing closed: deleted or not_found.';
grant execute on function public.list_closings(uuid), public.add_closing(uuid, jsonb),
  public.remove_closing(uuid, uuid) to authenticated;
-- << supabase/logic/service/closings.sql

-- >> supabase/logic/service/morning.sql
-- The morning report for operations managers: yesterday compared with the same weekday of the weeks
-- before, how full the coming days are, today's guests of note, and the shift notes of the evening.

create or replace function private.shift_note_json(p_note public.shift_notes) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('id', p_note.id, 'location_id', p_note.location_id, 'day', p_note.day, 'body',
    p_note.body,
    'author', p_note.author_name, 'mine', coalesce(p_note.author_id = (select private.caller()), false),
    'created_at', p_note.created_at, 'edited_at', p_note.edited_at)
$$;
comment on function private.shift_note_json(public.shift_notes) is 'A shift note, as the API shows it.';

create or replace function private.log_shift_note(p_note public.shift_notes, p_action text) returns void
language sql volatile set search_path = ''
as $$
  -- Without the text: it may name customers.
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject,
    location_id, details)
  select p_note.organization_id, private.actor_name(), (select id from private.acting()), p_action,
    'shift_note', p_note.id,
    l.name, l.id, jsonb_build_object('after', jsonb_build_object('day', p_note.day))
  from public.locations l where l.id = p_note.location_id
$$;
comment on function private.log_shift_note(public.shift_notes, text) is 'Logs the caller''s action on a shift note.';

create or replace function public.add_shift_note(p_location uuid, p_body text, p_day date default null,
  p_now timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v_today date;
  v_day date;
  v_note public.shift_notes;
begin
  p_now := private.clock(p_now);
  select * into v_location from public.locations l
  where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')));
  if v_location.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  v_today := private.current_service(v_location.timezone, p_now);
  v_day := coalesce(p_day, v_today);
  if v_day not between v_today - 7 and v_today then
    return jsonb_build_object('outcome', 'bad_day');
  elsif (select count(*) from public.shift_notes n where n.location_id = p_location and n.day = v_day) >= 10
    then
    return jsonb_build_object('outcome', 'full');
  end if;
  insert into public.shift_notes (organization_id, location_id, day, body, author_id, author_name, created_at)
  values (v_location.organization_id, p_location, v_day, btrim(p_body), private.caller(),
    private.caller_name(), p_now)
  returning * into v_note;
  perform private.log_shift_note(v_note, 'shift_note.written');
  return jsonb_build_object('outcome', 'saved', 'note', private.shift_note_json(v_note));
end
$$;
comment on function public.add_shift_note(uuid, text, date, timestamptz) is
  'The caller''s note about a service day of a location, by default the current one: saved (with the note), not_found, bad_day (in the future, or over a week ago) or full (ten that day).';

create or replace function public.change_shift_note(p_id uuid, p_body text default null,
  p_now timestamptz default now())
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_note public.shift_notes;
begin
  p_now := private.clock(p_now);
  select * into v_note from public.shift_notes n
  where n.id = p_id
    and n.location_id = any(array(select private.my_locations('canAccessOperaciones'))) for update;
  if v_note.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_note.author_id is distinct from private.caller() then
    return jsonb_build_object('outcome', 'not_author');
  elsif p_body is null then
    delete from public.shift_notes where id = p_id;
    perform private.log_shift_note(v_note, 'shift_note.removed');
    return jsonb_build_object('outcome', 'saved');
  end if;
  if v_note.body <> btrim(p_body) then
    update public.shift_notes set body = btrim(p_body), edited_at = p_now where id = p_id
      returning * into v_note;
    perform private.log_shift_note(v_note, 'shift_note.changed');
  end if;
  return jsonb_build_object('outcome', 'saved', 'note', private.shift_note_json(v_note));
end
$$;
comment on function public.change_shift_note(uuid, text, timestamptz) is
  'Changes a shift note of the caller''s, without a text removes it: saved (with the note that stays), not_found or not_author.';

create or replace function public.list_shift_notes(p_location uuid, p_day date default null,
  p_now timestamptz default now())
returns jsonb
language sql stable security definer set search_path = ''
as $$
  select (
    select coalesce(jsonb_agg(private.shift_note_json(n) order by n.created_at, n.id), '[]')
    from public.shift_notes n
    where n.location_id = l.id
      and n.day = coalesce(p_day, private.current_service(l.timezone, (select private.clock(p_now)))))
  from public.locations l
  where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
$$;
comment on function public.list_shift_notes(uuid, date, timestamptz) is
  'The shift notes of a location''s service day, by default the current one, in order of writing; null without the right.';

create or replace function private.morning_of(p_locations uuid[], p_organizations uuid[], p_date date,
  p_people integer, p_now timestamptz, p_bound uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  with places as materialized (
    select l.* from public.locations l where l.id = any(p_locations)
  ), kept as materialized (
    select f.*, coalesce(f.unknown_covers * p.average_spend_per_guest, 0) as estimated
    from private.figures_of(p_locations, p_date - 29, p_date + 7) as f join places p on p.id = f.location_id
  ), figures as (
    select p.id as location_id, c.day, d.location_id is not null as closed, coalesce(k.booked, 0) as booked,
      coalesce(k.reservations, 0) as reservations, coalesce(k.covers, 0) as covers,
      coalesce(k.no_shows, 0) as no_shows, coalesce(k.cancelled, 0) as cancelled,
      coalesce(k.walk_ins, 0) as walk_ins, coalesce(k.known_revenue + k.estimated, 0) as revenue,
      coalesce(k.estimated, 0) as estimated_revenue
    from places p
    cross join lateral (select p_date - 1 - 7 * n as day from generate_series(0, 4) as n) as c
    left join public.closed_days d on d.location_id = p.id and d.day = c.day
      and num_nonnulls(d.shift, d.zone) = 0
    left join kept k on k.location_id = p.id and k.service_date = c.day
  ), seats as (
    -- A table without a capacity makes the sum unknown.
    select t.location_id, case when count(*) = count(t.capacity) then sum(t.capacity) end as seats
    from public.dining_tables t where t.location_id = any(p_locations) and t.is_active group by t.location_id
  ), ahead as (
    select p.id as location_id, c.day, d.location_id is not null as closed, coalesce(k.booked, 0) as booked,
      coalesce(k.reservations, 0) as reservations, coalesce(k.covers, 0) as covers,
      s.capacity, exists (select from public.shifts h where h.location_id = p.id) as has_hours, s.shifts
    from places p
    cross join lateral (select p_date + n as day from generate_series(0, 7) as n) as c
    left join public.closed_days d on d.location_id = p.id and d.day = c.day
      and num_nonnulls(d.shift, d.zone) = 0
    left join kept k on k.location_id = p.id and k.service_date = c.day
    cross join lateral (
      select count(*) as shifts, case when count(*) = count(coalesce(h.capacity, z.seats))
        then sum(coalesce(h.capacity, z.seats)) end as capacity
      from public.shifts h left join seats z on z.location_id = h.location_id
      where h.location_id = p.id and extract(isodow from c.day)::smallint = any(h.weekdays)
    ) as s
  )
  select jsonb_build_object('date', p_date,
    'locations', (select coalesce(
      jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'timezone', p.timezone,
        'is_active', p.is_active, 'pms_id', p.pms_id, 'known_from', p.known_from, 'known_until',
        p.known_until)
        order by p.name, p.id), '[]') from places p),
    'figures', (
      select coalesce(jsonb_agg(to_jsonb(f) order by f.location_id, f.day), '[]') from figures f),
    'ahead', (
      select coalesce(jsonb_agg(to_jsonb(a) order by a.location_id, a.day), '[]') from ahead a),
    'closings', (select coalesce(jsonb_agg(private.closing_json(d)
        || jsonb_build_object('location_id', p.id, 'location', p.name)
        order by d.day, p.name, p.id, d.shift nulls first, d.zone nulls first, d.id), '[]')
      from places p join public.closed_days d on d.location_id = p.id
        and d.day between p_date and p_date + 7),
    'notes', (select coalesce(jsonb_agg(private.shift_note_json(n) || jsonb_build_object('location', p.name)
        order by p.name, n.day, n.created_at, n.id), '[]')
      from places p join public.shift_notes n on n.location_id = p.id and n.day in (p_date - 1, p_date)),
    'guests', (select coalesce(jsonb_agg(to_jsonb(k)
      order by k.reservation_time < '06:00', k.reservation_time, k.reservation_id), '[]')
      from private.guests_to_know(p_locations, p_organizations, p_date, p_people, p_now, p_bound) as k))
$$;
comment on function private.morning_of(uuid[], uuid[], date, integer, timestamptz, uuid[]) is
  'The morning report of a date for some locations: figures of the day before and of the same weekday of four weeks, the eight days from it with booked covers and capacity, what is closed on them, shift notes, and at most p_people guests of note (of these organizations; p_bound: see guests_to_know).';

create or replace function public.morning(p_date date default null, p_location uuid default null,
  p_people integer default 8, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_locations uuid[] := array(
    select l.id from public.locations l
    where l.id = any(array(select private.my_locations('canReadReports')))
      and case when p_location is null then l.is_active else l.id = p_location end);
begin
  p_now := private.clock(p_now);
  if p_location is not null and cardinality(v_locations) = 0 then
    return null;
  end if;
  return private.morning_of(v_locations, array(select private.my_organizations('canAccessClientes')),
    coalesce(p_date, (
      select max(private.current_service(l.timezone, p_now)) from public.locations l
      where l.id = any(v_locations)), p_now::date), p_people, p_now, private.bound_to());
end
$$;
comment on function public.morning(date, uuid, integer, timestamptz) is
  'private.morning_of for the caller: in one location they work in (null for another), or in all that are active; by default of the current service day.';
grant execute on function public.add_shift_note(uuid, text, date, timestamptz),
  public.change_shift_note(uuid, text, timestamptz), public.list_shift_notes(uuid, date, timestamptz),
  public.morning(date, uuid, integer, timestamptz) to authenticated;
-- << supabase/logic/service/morning.sql

-- >> supabase/logic/service/setup.sql
-- Settings of a location's service, written by staff; the sync adds the tables that the PMS names
-- (sync_learn_tables).

create or replace function private.audit_setup(p_location public.locations, p_action text, p_before jsonb,
  p_after jsonb)
returns void
language sql volatile set search_path = ''
as $$
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject,
    location_id, details)
  select p_location.organization_id, private.actor_name(), (select id from private.acting()), p_action,
    'location',
    p_location.id, p_location.name, p_location.id, jsonb_build_object('before', p_before, 'after', p_after)
  where p_before is distinct from p_after
$$;
comment on function private.audit_setup(public.locations, text, jsonb, jsonb) is
  'Logs that the caller changed the hours or tables of a location; without a difference there is no line.';

create or replace function private.hours_json(p_location uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('shifts', coalesce((
      select jsonb_agg(jsonb_build_object('name', s.name, 'weekdays', s.weekdays, 'opens',
        to_char(s.opens, 'HH24:MI'),
        'closes', to_char(s.closes, 'HH24:MI'), 'capacity', s.capacity) order by s.opens_at, s.name)
      from public.shifts s where s.location_id = p_location), '[]'),
    'closed_days', coalesce((
      select jsonb_agg(jsonb_build_object('day', d.day, 'name', d.name) order by d.day)
      from public.closed_days d
      where d.location_id = p_location and num_nonnulls(d.shift, d.zone) = 0), '[]'))
$$;
comment on function private.hours_json(uuid) is 'The shifts and closed days of a location, as the API and the audit log show them.';

create or replace function private.tables_json(p_location uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('tables', coalesce(jsonb_agg(jsonb_build_object('zone', t.zone, 'name', t.name,
    'capacity', t.capacity, 'is_active', t.is_active)
    -- As people count: 2 before 10.
    order by t.zone nulls last, substring(t.name from '^\D*'),
      substring(t.name from '\d+')::numeric nulls first, t.name), '[]'))
  from public.dining_tables t where t.location_id = p_location
$$;
comment on function private.tables_json(uuid) is 'The tables of a location, as the audit log shows them.';

create or replace function public.save_hours(p_location uuid, p_shifts jsonb, p_closed_days jsonb)
  returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v_before jsonb;
begin
  select * into v_location from public.locations
  where id = p_location and id = any(array(select private.my_locations('canViewSettings'))) for no key update;
  if v_location.id is null then
    return 'not_found';
  end if;
  v_before := private.hours_json(p_location);
  delete from public.shifts where location_id = p_location;
  insert into public.shifts (organization_id, location_id, name, weekdays, opens, closes, capacity)
  select v_location.organization_id, p_location, s.name, s.weekdays, s.opens, s.closes, s.capacity
  from jsonb_to_recordset(p_shifts) as s (name text, weekdays smallint[], opens time, closes time,
    capacity integer);
  if exists (
    select from public.shifts a join public.shifts b on b.location_id = a.location_id and a.id < b.id
    where a.location_id = p_location and a.weekdays && b.weekdays
      and a.opens_at < b.closes_at and b.opens_at < a.closes_at) then
    raise exception 'shifts overlap' using errcode = 'SH001';
  end if;
  -- A closing of one shift or zone is none of the hours; one that stays keeps its id.
  delete from public.closed_days c
  where c.location_id = p_location and num_nonnulls(c.shift, c.zone) = 0
    and not exists (
      select from jsonb_to_recordset(p_closed_days) as d (day date) where d.day = c.day);
  insert into public.closed_days (organization_id, location_id, day, name)
  select v_location.organization_id, p_location, d.day, d.name
  from jsonb_to_recordset(p_closed_days) as d (day date, name text)
  on conflict (location_id, day, shift, zone) do update set name = excluded.name;
  perform private.audit_setup(v_location, 'location.hours_changed', v_before, private.hours_json(p_location));
  return 'saved';
exception
  when sqlstate 'SH001' then return 'overlap';
  when unique_violation or cardinality_violation then return 'repeated';
end
$$;
comment on function public.save_hours(uuid, jsonb, jsonb) is
  'Replaces the shifts [{name, weekdays, opens, closes, capacity}] and closed days [{day, name}] of a location: saved, not_found, overlap or repeated (a name or a day twice).';

create or replace function public.save_tables(p_location uuid, p_tables jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v_before jsonb;
begin
  select * into v_location from public.locations
  where id = p_location and id = any(array(select private.my_locations('canViewSettings'))) for no key update;
  if v_location.id is null then
    return 'not_found';
  end if;
  v_before := private.tables_json(p_location);
  delete from public.dining_tables where location_id = p_location;
  insert into public.dining_tables (organization_id, location_id, zone, name, capacity, is_active)
  select v_location.organization_id, p_location, t.zone, t.name, t.capacity, coalesce(t.is_active, true)
  from jsonb_to_recordset(p_tables) as t (zone text, name text, capacity integer, is_active boolean);
  perform private.audit_setup(v_location, 'location.tables_changed', v_before,
    private.tables_json(p_location));
  return 'saved';
exception
  when unique_violation then return 'repeated';
end
$$;
comment on function public.save_tables(uuid, jsonb) is
  'Replaces the tables [{zone, name, capacity, is_active}] of a location: saved, not_found or repeated (a name twice).';

create or replace function private.shift_at(p_location uuid, p_day date, p_time time) returns uuid
language sql stable set search_path = ''
as $$
  select s.id from public.shifts s
  cross join lateral (
    select (extract(hour from p_time)::integer + 18) % 24 * 60 + extract(minute from p_time)::integer as at)
      as clock
  where s.location_id = p_location and extract(isodow from p_day)::smallint = any(s.weekdays)
  -- An early party belongs to the shift that opens within the hour.
  order by s.opens_at - 60 <= clock.at desc,
    case when s.opens_at - 60 <= clock.at then -s.opens_at else s.opens_at end
  limit 1
$$;
comment on function private.shift_at(uuid, date, time) is
  'The shift of a service day that a local time belongs to: the last that has opened, or opens within the hour; else the first. Null without shifts that day.';
grant execute on function public.save_hours(uuid, jsonb, jsonb), public.save_tables(uuid, jsonb)
  to authenticated;
grant execute on function private.shift_at(uuid, date, time) to service_role;
-- << supabase/logic/service/setup.sql

-- >> supabase/logic/service/table_offers.sql
-- A table that was given back is offered to the waitlist by SMS or WhatsApp, one party after the other, where
-- the organization wants it (offer_tables_minutes). A clear yes books it. All that takes a table holds
-- lock_identities, as do staff's changes and the sync, so a table is never given to two.

create or replace function private.close_offers(p_organization uuid, p_now timestamptz) returns void
language sql volatile set search_path = ''
as $$
  update private.table_offers o set ended_at = p_now,
    outcome = case when o.expires_at <= p_now then 'expired' else 'gone' end
  from public.waitlist w, public.reservations r
  where o.organization_id = p_organization and o.outcome is null and w.id = o.waitlist_id
    and r.id = o.reservation_id
    and (o.expires_at <= p_now or w.outcome is not null or w.called_at is not null
      or r.status not in ('cancelled', 'no_show'))
$$;
comment on function private.close_offers(uuid, timestamptz) is
  'Ends offers whose time is over, whose party no longer waits, or whose reservation is on again.';

create or replace function public.offer_freed_tables(p_organization uuid, p_channels text[],
  p_now timestamptz default now())
returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  o public.organizations;
  v_channels text[];
begin
  select * into o from public.organizations where id = p_organization;
  if o.offer_tables_minutes is null then
    return '{}';
  end if;
  perform private.lock_identities(p_organization);
  perform private.close_offers(p_organization, p_now);
  with slots as (
    select r.id, r.location_id, r.table_name, l.name as place, l.timezone,
      greatest(r.service_order at time zone l.timezone, p_now) as starts_at, coalesce((
        select sum(coalesce(d.capacity, r.party_size)) from public.dining_tables d
        where d.location_id = r.location_id and d.is_active
        and d.name = any(private.table_names(r.table_name))), r.party_size) as seats
    from public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date = private.current_service(l.timezone, p_now)
    where l.organization_id = p_organization and l.is_active and r.source <> 'import'
      and r.status in ('cancelled', 'no_show') and not r.walk_in and r.table_name is not null
      and r.service_order at time zone l.timezone > p_now - interval '60 minutes'
      and r.service_order at time zone l.timezone <= p_now + interval '2 hours'
      and not exists (
        select 1 from private.table_offers f
        where f.reservation_id = r.id and (f.outcome is null or f.outcome = 'accepted'))
  ), pairs as (
    select s.*, w.id as waitlist_id, w.phone, w.party_size, w.joined_at, by.channel
    from slots s
    join public.waitlist w on w.location_id = s.location_id and w.outcome is null and w.called_at is null
      and w.phone is not null and w.party_size <= s.seats
    cross join lateral (
      -- WhatsApp allows free text only within 24 hours of the person's last message.
      select c.channel from unnest(array['whatsapp', 'sms']) with ordinality as c (channel, place)
      where c.channel = any(p_channels)
        and (c.channel = 'sms' or public.whatsapp_open(p_organization, w.phone, p_now))
        and not exists (
          select 1 from public.suppressions x
          where x.organization_id = p_organization and x.channel = c.channel and x.address = w.phone)
      order by c.place limit 1) as by
    where not exists (
        select 1 from private.table_offers f
        where f.waitlist_id = w.id and (f.outcome is null or f.reservation_id = s.id))
      and private.table_is_free(s.location_id, s.table_name, s.starts_at, w.party_size, p_now)
  -- The first who came for each table, one table for each party; of two reservations of one table, one.
  ), first_come as (
    select distinct on (p.id) p.* from pairs p order by p.id, p.joined_at, p.waitlist_id
  ), one_each as (
    select distinct on (f.waitlist_id) f.* from first_come f order by f.waitlist_id, f.starts_at, f.id
  ), chosen as (
    select e.*, gen_random_uuid() as offer_id, gen_random_uuid() as message_id,
      p_now + make_interval(mins => o.offer_tables_minutes) as expires_at
    from one_each e
    where not exists (
      select 1 from one_each other
      where other.location_id = e.location_id and other.id <> e.id
        and (other.starts_at, other.id) < (e.starts_at, e.id)
        and private.table_names(other.table_name) && private.table_names(e.table_name))
  ), told as (
    insert into public.messages (id, organization_id, kind, purpose, about_type, about_id, location_id,
      channel, recipient, dedupe_key, content, not_before, created_at)
    select c.message_id, p_organization, 'transactional', 'table_offer', 'table_offer', c.offer_id,
      c.location_id, c.channel, c.phone, 'offer:' || c.offer_id,
      private.guest_text('table_offer', private.in_english(c.phone), jsonb_build_object('party_size',
        c.party_size, 'location', c.place, 'time', to_char(c.starts_at at time zone c.timezone, 'HH24:MI'),
        'until', to_char(c.expires_at at time zone c.timezone, 'HH24:MI')), c.expires_at), p_now, p_now
    from chosen c
  ), offered as (
    insert into private.table_offers (id, organization_id, location_id, waitlist_id, reservation_id,
      table_name, starts_at, message_id, offered_at, expires_at)
    select c.offer_id, p_organization, c.location_id, c.waitlist_id, c.id, c.table_name, c.starts_at,
      c.message_id, p_now, c.expires_at
    from chosen c
  )
  select array_agg(distinct c.channel order by c.channel) into v_channels from chosen c;
  return coalesce(v_channels, '{}');
end
$$;
comment on function public.offer_freed_tables(uuid, text[], timestamptz) is
  'Ends old offers. Then offers each table that a cancellation or a no-show of the current services has freed to the first waiting party that fits, by the connected channels; no party is offered the same table twice. Returns the channels of the messages it queued. Call it again until there are none.';

create or replace function private.book_offer(o private.table_offers, w public.waitlist, l public.locations)
  returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v public.reservations;
begin
  v.organization_id := o.organization_id;
  v.location_id := o.location_id;
  v.customer_name := w.name;
  v.customer_phone := w.phone;
  -- A phone of a guest with another name makes no guest of them: floor staff typed both.
  if private.owners_of_another_name(o.organization_id, null, w.phone, w.name) is null then
    v.customer_id := private.match_customer(o.organization_id, null, w.phone, w.name);
  end if;
  v.reservation_date := (o.starts_at at time zone l.timezone)::date;
  v.reservation_time := date_trunc('minute', o.starts_at at time zone l.timezone)::time;
  v.party_size := w.party_size;
  v.status := 'confirmed';
  v.notes := w.notes;
  v.table_name := o.table_name;
  v.service_over := false;
  v := private.write_reservation(v, l.count_unmarked_visits);
  perform private.refresh_customers(array_remove(array[v.customer_id], null));
  perform private.audit(o.organization_id, 'reservation.created', v.id, '{}');
  return v.id;
end
$$;
comment on function private.book_offer(private.table_offers, public.waitlist, public.locations) is
  'Books an offered table for the waiting party, like a reservation by staff; returns its id.';

create or replace function private.ticket_for_offer(o private.table_offers, w public.waitlist, p_channel text,
  p_reason text, p_text text, p_at timestamptz, p_words jsonb)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_channel text := case p_channel when 'whatsapp' then 'WhatsApp' else 'SMS' end;
  v_values jsonb := jsonb_build_object('name', w.name, 'table', o.table_name, 'channel', v_channel,
    'reason', p_words -> 'reasons' ->> p_reason,
    'text', coalesce(nullif(btrim(left(p_text, 500)), ''), p_words ->> 'no_text'));
  v_ticket uuid;
begin
  -- One ticket per offer: further messages are added while it is open.
  select t.id into v_ticket from public.tickets t
  where t.id = o.ticket_id and t.status in ('open', 'in_progress', 'waiting') for update;
  if v_ticket is not null then
    if (select count(*) from public.ticket_comments c where c.ticket_id = v_ticket) < 50 then
      insert into public.ticket_comments (ticket_id, author_name, body, created_at)
      values (v_ticket, v_channel, private.worded(p_words ->> 'comment', v_values), p_at);
      update public.tickets set changes = changes + 1 where id = v_ticket;
    end if;
    return;
  end if;
  insert into public.tickets (organization_id, subject, description, priority, location_id, customer_id,
    created_at)
  values (o.organization_id, left(private.worded(p_words ->> 'subject', v_values), 200),
    private.worded(p_words ->> 'description', v_values), 'urgent', o.location_id, (
      select (array_agg(c.id))[1] from public.customers c
      where c.organization_id = o.organization_id and c.phone = w.phone having count(*) = 1), p_at)
  returning id into v_ticket;
  update private.table_offers set ticket_id = v_ticket where id = o.id;
end
$$;
comment on function private.ticket_for_offer(private.table_offers, public.waitlist, text, text, text, timestamptz, jsonb) is
  'Passes a message about an offer to staff: as a comment on the offer''s open ticket, else as a new one, of the guest who alone has the phone. p_words: those of lib/tickets/guest-ticket-words.json for offers, in one language.';

create or replace function public.take_offer_reply(p_organization uuid, p_reply jsonb, p_words jsonb,
  p_at timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_channel text := p_reply ->> 'channel';
  v_intent text := p_reply ->> 'intent';
  v_addresses text[] := private.sender_addresses(p_organization, v_channel, p_reply ->> 'phone',
    p_reply ->> 'whatsapp_id');
  v_last public.messages;
  o private.table_offers;
  w public.waitlist;
  l public.locations;
  v_booking uuid;
  v_english boolean;
  v_answered boolean;
  v_theirs boolean;
begin
  -- A reply of "1" can only mean our last message to the guest.
  select * into v_last from public.messages m
  where m.organization_id = p_organization and m.recipient = any(v_addresses) and m.channel = v_channel
    and m.created_at > p_at - interval '1 day' and m.status in ('sending', 'sent', 'delivered', 'unknown')
  order by coalesce(m.sent_at, m.created_at) desc, m.id desc limit 1;
  v_answered := coalesce(v_last.purpose = 'table_offer_answer', false);
  select * into o from private.table_offers f
  where f.organization_id = p_organization and case when v_answered
    then f.id = v_last.about_id else f.message_id = v_last.id end;
  if o.id is null or p_reply ->> 'answers' is not null and v_last.provider_id is distinct
    from p_reply ->> 'answers' then
    return jsonb_build_object('outcome', 'not_asked');
  end if;
  insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
  values (p_organization, 'reply:' || (p_reply ->> 'id'), p_at, true) on conflict do nothing;
  if not found then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  perform private.lock_identities(p_organization);
  perform private.close_offers(p_organization, p_at);
  select * into o from private.table_offers f where f.id = o.id for update;
  select * into w from public.waitlist e where e.id = o.waitlist_id for update;
  select * into l from public.locations p where p.id = o.location_id;
  v_theirs := private.is_senders(v_last, p_reply ->> 'phone', p_reply ->> 'whatsapp_id');
  v_english := coalesce(p_reply ->> 'language' = 'en', private.in_english(w.phone));
  if v_intent = 'courtesy' or v_intent = 'confirm' and (v_answered or o.outcome = 'accepted') then
    return jsonb_build_object('outcome', 'nothing');
  elsif v_intent = 'cancel' and o.outcome is null and v_theirs then
    update private.table_offers set outcome = 'declined', ended_at = p_at where id = o.id;
    return jsonb_build_object('outcome', 'declined');
  elsif v_intent = 'confirm' and o.outcome is null and v_theirs
    and private.table_is_free(o.location_id, o.table_name, o.starts_at, w.party_size, p_at, o.id) then
    v_booking := private.book_offer(o, w, l);
    update private.table_offers set outcome = 'accepted', ended_at = p_at, booking_id = v_booking
      where id = o.id;
    update public.waitlist set outcome = 'booked', ended_at = p_at where id = w.id;
  else
    perform private.ticket_for_offer(o, w, v_channel, case
      when not v_theirs then 'another_number'
      when v_intent = 'confirm' and w.outcome is null then 'too_late'
      when v_intent = 'confirm' then 'not_waiting'
      when o.outcome = 'accepted' then 'booked'
      else 'unclear' end, p_reply ->> 'text', p_at,
      p_words -> case when private.in_english(w.phone) then 'en' else 'es' end);
    if v_intent is distinct from 'confirm' or not v_theirs then
      return jsonb_build_object('outcome', 'ticket');
    end if;
    update private.table_offers set outcome = 'gone', ended_at = p_at where id = o.id and outcome is null;
  end if;
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, reservation_id,
    location_id, channel, recipient, dedupe_key, content, not_before, created_at)
  select p_organization, 'transactional', 'table_offer_answer', 'table_offer', o.id, v_booking, o.location_id,
    v_channel, v_last.recipient, 'offer-answer:' || o.id || ':' || (p_reply ->> 'id'),
    private.guest_text(case when v_booking is not null then 'table_taken' when w.outcome is null
      then 'table_gone' else 'table_gone_not_waiting' end, v_english,
      jsonb_build_object('location', l.name, 'time', to_char(o.starts_at at time zone l.timezone, 'HH24:MI')),
      p_at + interval '1 hour'), p_at, p_at;
  return jsonb_build_object('outcome', case when v_booking is null then 'gone' else 'accepted' end,
    'reservation_id', v_booking);
end
$$;
comment on function public.take_offer_reply(uuid, jsonb, jsonb, timestamptz) is
  'Handles a guest''s reply to an offer of a freed table, or to our answer about that offer, when that was our last message to the guest. p_reply: as for take_reply. p_words: the texts for offers in lib/tickets/guest-ticket-words.json, by language. Returns {outcome, reservation_id (only when booked)}. Outcomes: accepted (booked, and the guest is told), declined, gone (a yes that came too late: the guest is told, and staff get a ticket), ticket (staff must read it: unclear, from another number, or the offer has ended), nothing (thanks, or a second yes), not_asked (our last message was no offer, or the reply quotes another message), repeated (the provider delivered this reply before; nothing changes).';
grant execute on function   private.close_offers(uuid, timestamptz) to service_role;
grant execute on function public.offer_freed_tables(uuid, text[], timestamptz),
  public.take_offer_reply(uuid, jsonb, jsonb, timestamptz) to service_role;
-- << supabase/logic/service/table_offers.sql

-- >> supabase/logic/service/tables.sql
-- Which tables a party has, for how long, and who is in the way.

create or replace function private.stay_of(p_party_size integer, p_stays jsonb default null) returns interval
language sql immutable set search_path = ''
as $$
  select make_interval(mins => s.minutes::integer)
  from jsonb_each_text(coalesce(p_stays, '{"2": 90, "4": 120, "99": 150}')) as s (up_to, minutes)
  -- Who is more than the largest size stays as long as that one.
  order by s.up_to::integer < p_party_size,
    case when s.up_to::integer < p_party_size then -s.up_to::integer else s.up_to::integer end
  limit 1
$$;
comment on function private.stay_of(integer, jsonb) is
  'How long a party of that size usually stays: by locations.stay_minutes, minutes by the largest party size they are for. components/service/table-model.ts has the same.';

create or replace function private.table_names(p_table text) returns text[]
language sql immutable set search_path = ''
as $$ select array(select btrim(name) from unnest(string_to_array(p_table, '+')) as name
  where btrim(name) <> '') $$;
comment on function private.table_names(text) is 'The tables of a reservation: 4+5 are two joined ones.';

create or replace function private.tables_as_written(p_location uuid, p_table text) returns text
language sql stable set search_path = ''
as $$
  select string_agg(coalesce((
      select d.name from public.dining_tables d
      where d.location_id = p_location and private.fold(d.name) = private.fold(n.name)
      order by d.name <> n.name, d.name limit 1), n.name), '+' order by n.place)
  from unnest(private.table_names(p_table)) with ordinality as n (name, place)
$$;
comment on function private.tables_as_written(uuid, text) is
  'The tables of a reservation as the location writes their names: s4 + S5 is S4+S5. Null without any.';

create or replace function private.parties_at(p_location uuid, p_tables text[], p_from timestamptz,
  p_party_size integer, p_now timestamptz)
returns table (id uuid, name text, status text, starts_at timestamptz, ends_at timestamptz)
language sql stable set search_path = ''
as $$
  select r.id, r.customer_name, r.status, b.starts_at, b.ends_at
  from public.locations l
  join public.reservations r on r.location_id = l.id
  cross join lateral (
    select r.service_order at time zone l.timezone as booked, private.stay_of(r.party_size, l.stay_minutes)
      as stay) as s
  cross join lateral (
    select case r.status when 'seated' then least(coalesce(r.seated_at, s.booked), p_now) else s.booked end,
      case when r.status = 'seated'
        then greatest(coalesce(r.seated_at, s.booked) + s.stay, p_now + interval '15 minutes')
      when p_now - s.booked between interval '0' and interval '60 minutes' then p_now + s.stay
      else s.booked + s.stay end) as b (starts_at, ends_at)
  where l.id = p_location
    and r.service_date between (p_from at time zone l.timezone)::date - 1
      and (p_from at time zone l.timezone)::date + 1
    and r.source <> 'import' and r.status in ('pending', 'confirmed', 'seated')
    -- Whoever was never marked as gone went when the service ended.
    and (r.status <> 'seated' or r.service_date >= private.current_service(l.timezone, p_now))
    and private.table_names(r.table_name) && p_tables
    and tstzrange(b.starts_at, b.ends_at)
      && tstzrange(p_from, p_from + private.stay_of(p_party_size, l.stay_minutes))
$$;
comment on function private.parties_at(uuid, text[], timestamptz, integer, timestamptz) is
  'The parties that come to or sit at one of these tables during a usual stay from p_from, each with its own time there. One that is late is waited for an hour, one that sits longer than usual is taken to leave in 15 minutes.';

create or replace function private.table_is_free(p_location uuid, p_table text, p_from timestamptz,
  p_party_size integer, p_now timestamptz, p_except uuid default null)
returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
      select from private.parties_at(p_location, private.table_names(p_table), p_from, p_party_size, p_now))
    and not exists (
      select from private.table_offers o
      where o.location_id = p_location and o.outcome is null and o.expires_at > p_now and o.id is distinct
        from p_except
        and private.table_names(o.table_name) && private.table_names(p_table))
    and not exists (
      select from public.locations l
      cross join lateral (select p_from at time zone l.timezone as local) as f
      where l.id = p_location and private.is_closed_at(l.id, private.service_day(f.local::date,
        f.local::time), f.local::time, null, p_table))
$$;
comment on function private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) is
  'Whether no party has one of these tables during a usual stay from p_from, none is offered it (but by the offer p_except), and it is not closed then.';
grant execute on function private.stay_of(integer, jsonb), private.table_names(text),
  private.is_closed_at(uuid, date, time, text, text), private.closes(public.closed_days, uuid, text, text),
  private.parties_at(uuid, text[], timestamptz, integer, timestamptz),
  private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) to service_role;
-- << supabase/logic/service/tables.sql

-- >> supabase/logic/service/waitlist.sql
-- The waitlist: parties join, are called by SMS or WhatsApp, and are seated or leave. Ended entries are kept
-- for 30 days (tidy_up).

create or replace function public.join_waitlist(p_location uuid, p_entry jsonb,
  p_now timestamptz default now()) returns uuid
language sql volatile security definer set search_path = ''
as $$
  insert into public.waitlist (organization_id, location_id, name, phone, party_size, quoted_minutes, notes,
    joined_at)
  select l.organization_id, l.id, e.name, e.phone, e.party_size, e.quoted_minutes, nullif(btrim(e.notes), ''),
    private.clock(p_now)
  from public.locations l
  cross join jsonb_to_record(p_entry) as e (name text, phone text, party_size integer, quoted_minutes integer,
    notes text)
  where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and (select count(*) from public.waitlist w where w.location_id = l.id and w.outcome is null) < 200
  returning id
$$;
comment on function public.join_waitlist(uuid, jsonb, timestamptz) is
  'Adds a party {name, phone, party_size, quoted_minutes, notes} to a location''s waitlist, and returns its id; null without the right, and when 200 already wait.';

create or replace function public.list_waiting(p_location uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  -- The host, who otherwise reads no messages, sees whether this message was sent.
  select (
    select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'phone', w.phone, 'party_size',
      w.party_size,
      'quoted_minutes', w.quoted_minutes, 'notes', w.notes, 'joined_at', w.joined_at, 'called_at',
      w.called_at,
      'message', case when m.id is not null then jsonb_build_object('channel', m.channel, 'status', m.status,
        'reason', m.reason, 'simulated', m.simulated) end, 'offer', (
        select jsonb_build_object('table_name', o.table_name, 'at', o.starts_at, 'expires_at', o.expires_at,
          'outcome', o.outcome)
        from private.table_offers o where o.waitlist_id = w.id order by o.offered_at desc limit 1))
          order by w.joined_at, w.id), '[]')
    from public.waitlist w left join public.messages m on m.id = w.message_id
    where w.location_id = l.id and w.outcome is null)
  from public.locations l
  where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
$$;
comment on function public.list_waiting(uuid) is
  'The waiting parties of a location in order of arrival, each with the message that called them; null without the right.';

-- By the database's own clock: the service may choose p_now.
create or replace function private.call_limit(p_entry public.waitlist) returns text
language plpgsql volatile set search_path = ''
as $$
begin
  -- Two calls of a number at once: the second sees the message of the first.
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('call:' || p_entry.organization_id || p_entry.phone, 0));
  if exists (
    select 1 from public.messages m
    where m.organization_id = p_entry.organization_id and m.channel in ('sms', 'whatsapp')
      and m.recipient = p_entry.phone
      and m.purpose = 'waitlist_call' and m.created_at > now() - interval '2 minutes') then
    return 'called_just_now';
  elsif public.take_rate_limit('call:' || (select private.caller()), 60, 3600) > 0
    or public.take_rate_limit('call:' || p_entry.location_id, 60, 3600) > 0 then
    return 'too_many_calls';
  end if;
  return null;
end
$$;
comment on function private.call_limit(public.waitlist) is
  'Counts a message that calls a party. called_just_now: its phone got one within 2 minutes; too_many_calls: 60 within an hour, by the caller or at the location; null: it may go.';

create or replace function public.call_waiting(p_id uuid, p_channels text[], p_now timestamptz default now())
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_entry public.waitlist;
  v_channel text;
  v_refusal text;
  v_message uuid;
begin
  p_now := private.clock(p_now);
  select * into v_entry from public.waitlist w
  where w.id = p_id
    and w.location_id = any(array(select private.my_locations('canAccessOperaciones'))) for update;
  if v_entry.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_entry.outcome is not null or v_entry.called_at is not null then
    return jsonb_build_object('outcome', 'conflict');
  end if;
  -- WhatsApp allows free text only within 24 hours of the person's last message.
  v_channel := case when v_entry.phone is null then null
    when 'whatsapp' = any(p_channels) and public.whatsapp_open(v_entry.organization_id, v_entry.phone, p_now)
      then 'whatsapp'
    when 'sms' = any(p_channels) then 'sms' end;
  if v_channel is not null then
    v_refusal := private.call_limit(v_entry);
    if v_refusal is not null then
      return jsonb_build_object('outcome', v_refusal);
    end if;
    insert into public.messages (organization_id, kind, purpose, about_type, about_id, location_id, channel,
      recipient, dedupe_key, content, not_before)
    select v_entry.organization_id, 'transactional', 'waitlist_call', 'waitlist', v_entry.id,
      v_entry.location_id, v_channel, v_entry.phone,
      'waitlist:' || v_entry.id,
      private.guest_text('table_ready', private.in_english(v_entry.phone),
        jsonb_build_object('location', l.name), p_now + interval '15 minutes'), p_now
    from public.locations l where l.id = v_entry.location_id
    returning id into v_message;
  end if;
  update public.waitlist set called_at = p_now, message_id = v_message where id = p_id;
  return jsonb_build_object('outcome', 'saved', 'channel', v_channel, 'message_id', v_message, 'at', p_now);
end
$$;
comment on function public.call_waiting(uuid, text[], timestamptz) is
  'Marks a waiting party as called and queues the message to it by one of the connected channels (null: staff call by voice): saved (at: since when it may be sent), not_found, conflict (called before, or no longer waiting), or called_just_now or too_many_calls (see private.call_limit).';

create or replace function public.end_waiting(p_id uuid, p_outcome text, p_table text default null,
  p_now timestamptz default now(), p_confirm jsonb default '[]')
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_entry public.waitlist;
  v_answer jsonb;
  v_contact jsonb;
  v_reservation uuid;
begin
  p_now := private.clock(p_now);
  select * into v_entry from public.waitlist w
  where w.id = p_id
    and w.location_id = any(array(select private.my_locations('canAccessOperaciones'))) for update;
  if v_entry.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif (v_entry.outcome is null) = (p_outcome is null) or v_entry.outcome in ('seated', 'booked') then
    return jsonb_build_object('outcome', 'conflict');
  end if;
  if p_outcome = 'seated' then
    v_answer := private.take_tap(v_entry.location_id,
      jsonb_build_object('key', gen_random_uuid(), 'action', 'walk_in',
      'party_size', v_entry.party_size, 'customer_name', v_entry.name, 'table_name', p_table,
      'confirm', p_confirm), p_now);
    if v_answer ->> 'outcome' <> 'saved' then
      return v_answer;
    end if;
    v_reservation := (v_answer ->> 'reservation_id')::uuid;
    v_contact := jsonb_build_object('customer_phone', v_entry.phone, 'notes', v_entry.notes);
    -- Nobody is asked whose phone it is: that of another guest is kept without the guest.
    if public.save_reservation(v_contact, v_reservation) ->> 'outcome' = 'contact_of_another' then
      perform public.save_reservation(v_contact || '{"link": "none"}', v_reservation);
    end if;
  end if;
  update public.waitlist set outcome = p_outcome, ended_at = case when p_outcome is not null then p_now end
  where id = p_id;
  return jsonb_build_object('outcome', 'saved', 'reservation_id', v_reservation);
end
$$;
comment on function public.end_waiting(uuid, text, text, timestamptz, jsonb) is
  'A waiting party is seated (and becomes a walk-in at p_table) or left; null brings back one that left: saved, not_found, conflict, or what the tap asks (private.refused_tap) and p_confirm does not answer.';
grant execute on function public.join_waitlist(uuid, jsonb, timestamptz), public.list_waiting(uuid),
  public.call_waiting(uuid, text[], timestamptz), public.end_waiting(uuid, text, text, timestamptz, jsonb)
    to authenticated;
-- << supabase/logic/service/waitlist.sql

-- >> supabase/logic/statistics/statistics.sql
-- Figures of the home page and the host's page, by service and location.

-- Figures without names are for everyone in the organization (home needs no permission), within their
-- locations; hence definer rights over private.my_locations().
create or replace function public.service_summary(p_location uuid default null, p_date date default null,
  p_now timestamptz default now(), p_source text default null, p_search text[] default null)
returns table (location_id uuid, service_date date, status text, hour integer, reservations bigint,
  covers bigint)
language sql stable security definer set search_path = ''
as $$
  select l.id, r.service_date, r.status, extract(hour from r.reservation_time)::integer,
    count(*), sum(r.party_size)
  from public.locations l
  join public.reservations r on r.location_id = l.id
    and r.service_date = coalesce(p_date, private.current_service(l.timezone, (select private.clock(p_now))))
    and r.source <> 'import' and (p_source is null or r.source = p_source)
    and (p_search is null or r.search_name ilike all (p_search))
  where (p_search is null or l.id = any(array(select private.my_locations('canAccessOperaciones')))) and
     l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
  group by l.id, r.service_date, r.status, extract(hour from r.reservation_time)
$$;
comment on function public.service_summary(uuid, date, timestamptz, text, text[]) is
  'Reservations and covers of a date''s service, else of the current one (it ends at 06:00 local), by location, status and hour 0–23. p_search (LIKE patterns of the name) is for those who may read reservations.';

-- Definer rights as well: under RLS the time zone arithmetic would keep Postgres from using the index of the
-- day.
create or replace function public.next_arrivals(p_location uuid default null, p_limit integer default 8,
  p_now timestamptz default now())
returns setof public.reservations
language sql stable security definer set search_path = ''
as $$
  select r.*
  from public.locations l
  join public.reservations r on r.location_id = l.id
    and r.service_date = private.current_service(l.timezone, (select private.clock(p_now)))
    and r.service_order >= (select private.clock(p_now)) at time zone l.timezone
    and r.status in ('pending', 'confirmed')
    and r.source <> 'import'
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and (p_location is null or l.id = p_location)
  order by r.service_order at time zone l.timezone, r.id
  limit least(p_limit, 50)
$$;
comment on function public.next_arrivals(uuid, integer, timestamptz) is
  'The next expected parties of the current service in the caller''s locations.';

-- Figures without names, as in service_summary: everyone's, each in their locations.
create or replace function public.daily_summary(p_from date, p_to date, p_location uuid default null,
  p_source text default null, p_search text[] default null)
returns table (location_id uuid, service_date date, reservations bigint, covers bigint, no_shows bigint,
  cancelled bigint)
language sql stable security definer set search_path = ''
as $$
  with places as materialized (
    select l.id from public.locations l
    where (p_search is null or l.id = any(array(select private.my_locations('canAccessOperaciones')))) and
      l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
  )
  select f.location_id, f.service_date, f.reservations, f.covers, f.no_shows, f.cancelled
  from private.figures_of(array(select p.id from places p), p_from, least(p_to, p_from + 61)) as f
  where p_source is null and p_search is null
  union all
  -- A source or a name is counted reservation by reservation.
  select r.location_id, r.service_date,
    count(*) filter (where r.status not in ('cancelled', 'no_show')),
    coalesce(sum(r.party_size) filter (where r.status not in ('cancelled', 'no_show')), 0),
    count(*) filter (where r.status = 'no_show'),
    count(*) filter (where r.status = 'cancelled')
  from places p
  join public.reservations r on r.location_id = p.id
    and r.service_date between p_from and least(p_to, p_from + 61) and r.source <> 'import'
    and (p_source is null or r.source = p_source)
    and (p_search is null or r.search_name ilike all (p_search))
  where p_source is not null or p_search is not null
  group by r.location_id, r.service_date
$$;
comment on function public.daily_summary(date, date, uuid, text, text[]) is
  'Reservations and covers of those who come, no-shows and cancellations, by location and service day (62 at most); p_search as in service_summary.';

create or replace function private.names_allergy(p_text text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return private.fold(p_text)
    ~ '(alerg|allerg|intoleran|celiac|coeliac|anafila|anaphyla|gluten|lactos)';
end
$$;
comment on function private.names_allergy(text) is 'Whether notes or tags seem to name an allergy or intolerance.';

-- Visits are the customer's in the whole group, no-shows those of the reader's locations, as on their page.
create or replace function private.guests_to_know(p_locations uuid[], p_organizations uuid[], p_date date,
  p_limit integer, p_now timestamptz, p_bound uuid[])
returns table (reservation_id uuid, location_id uuid, location_name text, customer_id uuid,
  customer_name text, reservation_time time, party_size integer, status text, tier text, vip boolean,
  birthday_in integer, allergy boolean, facts jsonb, notes text, first_visit boolean,
  last_visit_at timestamptz, away boolean, no_shows integer, found integer)
language sql stable set search_path = ''
as $$
  with places as materialized (
    select l.id, l.name, l.timezone, coalesce(p_date, private.current_service(l.timezone, p_now)) as day
    from public.locations l where l.id = any(p_locations)
  ), birthdays as materialized (
    select d.day, n as days, unnest(private.birth_days(d.day + n, 0)) as birth_day
    from (select distinct day from places) as d cross join generate_series(-3, 3) as n
  ), tiers as materialized (
    select t.id, t.name, t.rank >= coalesce(
      min(t.rank) filter (where t.name = 'Oro') over (partition by t.organization_id), 3) as vip
    from public.loyalty_tiers t where t.organization_id = any(p_organizations)
  ), booked as materialized (
    select r.id, r.service_order at time zone p.timezone as instant, r.reservation_time, r.party_size,
      r.status, p.id as place, p.name as place_name, p.day, r.customer_name, r.notes, c.id as customer,
      c.first_name, c.last_name, c.notes as own_notes, c.tags, c.birth_day, c.total_visits, c.last_visit_at,
      c.loyalty_tier_id
    from places p
    join public.reservations r on r.location_id = p.id and r.service_date = p.day
      and r.status in ('pending', 'confirmed', 'seated') and r.source <> 'import'
    join public.customers c on c.id = r.customer_id
      and c.organization_id = any(p_organizations)
  ), tagged as materialized (
    -- Many guests have the same tags, which are judged once (offset 0); no word of an allergy has a space.
    select d.tags from (select distinct b.tags from booked b where b.tags <> '{}' offset 0) as d
    where private.names_allergy(array_to_string(d.tags, ' '))
  ), allergic as materialized (
    select distinct k.customer_id from public.customer_facts k
    where k.kind = 'allergy' and k.customer_id = any(array(select b.customer from booked b))
  ), missed as materialized (
    select o.customer_id, count(*)::integer as no_shows from public.reservations o
    where o.customer_id = any(array(select b.customer from booked b))
      and o.status = 'no_show' and o.source <> 'import' and (p_bound is null or o.location_id = any(p_bound))
    group by o.customer_id
  ), expected as materialized (
    select b.*, coalesce(b.customer_name, nullif(concat_ws(' ', b.first_name, b.last_name), '')) as name,
      t.name as tier, coalesce(t.vip, false) as vip, d.days as birthday_in, b.total_visits = 0 as first_visit,
      coalesce(b.total_visits > 0 and b.last_visit_at < p_now - interval '180 days', false) as away,
      coalesce(m.no_shows, 0) as no_shows,
      nullif(concat_ws(' · ', nullif(btrim(b.notes), ''), nullif(btrim(b.own_notes), '')), '') as all_notes,
      g.tags is not null or a.customer_id is not null or case when coalesce(b.notes, b.own_notes) is not null
        then private.names_allergy(concat_ws(' ', b.notes, b.own_notes)) else false end as allergy
    from booked b
    left join tiers t on t.id = b.loyalty_tier_id
    left join birthdays d on d.day = b.day and d.birth_day = b.birth_day
    left join tagged g on g.tags = b.tags
    left join allergic a on a.customer_id = b.customer
    left join missed m on m.customer_id = b.customer
  ), known as (
    select e.*, count(*) over ()::integer as found,
      case when e.allergy then 32 else 0 end + case when e.birthday_in = 0 then 20
        when e.birthday_in is not null
        then 12 else 0 end + case when e.vip then 16 else 0 end + case when e.no_shows > 0 then 8 else 0 end
        + case when e.away then 8 else 0 end + case when e.first_visit then 4 else 0 end
        + case when e.all_notes is not null then 2 else 0 end as weight
    from expected e
    where e.allergy or e.vip or e.away or e.first_visit or e.birthday_in is not null or e.no_shows > 0
      or e.all_notes is not null
    order by weight desc, e.instant, e.id
    limit least(p_limit, 50)
  )
  select k.id, k.place, k.place_name, k.customer, k.name, k.reservation_time, k.party_size, k.status, k.tier,
    k.vip, k.birthday_in, k.allergy, f.facts, k.all_notes, k.first_visit, k.last_visit_at, k.away, k.no_shows,
    k.found
  from known k
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('code', o.code, 'kind', o.kind, 'note', o.note)
      order by o.kind, o.code), '[]') as facts
    from public.customer_facts o where o.customer_id = k.customer) as f
  order by k.instant, k.id
$$;
comment on function private.guests_to_know(uuid[], uuid[], date, integer, timestamptz, uuid[]) is
  'Of a day''s expected and seated guests (of the current service without a date) the most noteworthy, by time: allergy, birthday within 3 days, VIP tier, away for 180 days, first visit, no-shows, notes. found counts them all. p_bound: the reader''s locations (null: all), whose no-shows count.';

-- Definer rights as in next_arrivals, for the index of the day; names and notes only to who may read both
-- reservations and customers.
create or replace function public.customers_to_know(p_location uuid default null, p_limit integer default 8,
  p_now timestamptz default now())
returns table (reservation_id uuid, location_id uuid, location_name text, customer_id uuid,
  customer_name text, reservation_time time, party_size integer, status text, tier text, vip boolean,
  birthday_in integer, allergy boolean, facts jsonb, notes text, first_visit boolean,
  last_visit_at timestamptz, away boolean, no_shows integer, found integer)
language sql stable security definer set search_path = ''
as $$
  select k.* from private.guests_to_know(
    array(select l.id from public.locations l
      where l.id = any(array(select private.my_locations('canAccessOperaciones')))
        and (p_location is null or l.id = p_location)),
    array(select private.my_organizations('canAccessClientes')), null, p_limit, (select private.clock(p_now)),
    private.bound_to()) as k
$$;
comment on function public.customers_to_know(uuid, integer, timestamptz) is
  'Of the current service''s guests those that staff should know, in the caller''s locations; see private.guests_to_know.';

-- Invoker rights: RLS keeps to the caller's locations. A customer has few reservations, found by their index.
create or replace function public.customer_habits(p_customer uuid, p_now timestamptz default now())
returns table (next_reservation uuid, next_location text, next_date date, next_time time,
  next_service_date date, next_location_id uuid, next_party_size integer, usual_location text,
  usual_table text, usual_table_location text, usual_weekday integer, first_date date, past integer,
  no_shows integer, usual_days real, rhythm text, return_probability double precision)
language sql stable set search_path = ''
as $$
  with mine as materialized (
    select r.id, r.location_id, l.name as location, r.reservation_date, r.reservation_time, r.service_date,
      r.service_order, r.party_size, r.status, r.visited, nullif(btrim(r.table_name), '') as table_name,
      r.service_order < (select private.clock(p_now)) at time zone l.timezone as is_past
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = p_customer and r.source <> 'import'
  ), upcoming as (
    select m.* from mine m where not m.is_past and m.status in ('pending', 'confirmed')
    order by m.service_order, m.id limit 1
  ), place as (
    select m.location from mine m where m.visited
    group by m.location_id, m.location having count(*) >= 2
    order by count(*) desc, max(m.service_order) desc, m.location_id limit 1
  ), seat as (
    select m.table_name, m.location from mine m where m.visited and m.table_name is not null
    group by m.location_id, m.location, m.table_name having count(*) >= 2
    order by count(*) desc, max(m.service_order) desc, m.location_id, m.table_name limit 1
  ), weekday as (
    select extract(isodow from m.service_date)::integer as day from mine m where m.visited
    group by 1 having count(*) >= 2
    order by count(*) desc, max(m.service_order) desc limit 1
  ), kept as (
    select count(*) filter (where m.is_past)::integer as past,
      count(*) filter (where m.is_past and m.status = 'no_show')::integer as no_shows
    from mine m where m.status <> 'cancelled'
  ), rhythm as (
    select g.usual_days,
      case when g.usual_days is null then 'unknown' when g.lost_on <= day.today then 'lost'
        when g.at_risk_on <= day.today then 'at_risk' else 'on_time' end as state,
      case when g.usual_days is not null
        then private.return_probability(p.r, p.alpha, p.a, p.b, g.visit_days - 1, g.last_day - g.first_day,
        day.today - g.first_day) end as probability
    from public.customer_rhythms g join public.organizations o on o.id = g.organization_id
    cross join lateral (select ((select private.clock(p_now)) at time zone o.timezone)::date) as day (today)
    cross join lateral private.rhythm_parameters(array[g.organization_id]) as p
    where g.customer_id = p_customer
  )
  select u.id, u.location, u.reservation_date, u.reservation_time, u.service_date, u.location_id,
    u.party_size, p.location, s.table_name, s.location, w.day,
    (select m.reservation_date from mine m order by m.service_order limit 1), k.past, k.no_shows,
    g.usual_days, g.state, g.probability
  from kept k left join upcoming u on true left join place p on true left join seat s on true
    left join weekday w on true left join rhythm g on true
$$;
comment on function public.customer_habits(uuid, timestamptz) is
  'A customer in the caller''s locations: the next booking; where, at which table and on which weekday (1 is Monday) they came at least twice; the date of the first booking; past bookings that were not cancelled, and no-shows among them. And their rhythm, over all locations.';

-- With spend: the office's, each in their locations.
create or replace function public.stats_overview(p_from date default null, p_to date default null,
  p_location uuid default null, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_locations uuid[] := array(
    select mine from private.my_locations('canWorkInOffice') as mine
      where p_location is null or mine = p_location);
  v_to date;
  v_from date;
begin
  p_now := private.clock(p_now);
  if p_location is not null and cardinality(v_locations) = 0 then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  v_to := coalesce(p_to, (
    select max(private.current_service(l.timezone, p_now))
    from public.locations l where l.id = any(v_locations)), p_now::date);
  v_from := coalesce(p_from, v_to - 6);
  if v_to - v_from not between 0 and 365 then
    return jsonb_build_object('outcome', 'bad_period');
  end if;
  return (
    with daily as materialized (
      select f.location_id, f.service_date as day, f.service_date >= v_from as recent,
        f.booked as reservations, f.covers, f.completed, f.visits, f.cancelled, f.no_shows,
        f.known_revenue as known, f.unknown_covers * coalesce(l.average_spend_per_guest, 0) as estimated
      from private.figures_of(v_locations, v_from - (v_to - v_from + 1), v_to) as f
      join public.locations l on l.id = f.location_id
    ), figures as (
      select recent, day, location_id, sum(reservations) as reservations, sum(covers) as covers,
        sum(completed) as completed, sum(visits) as visits, sum(cancelled) as cancelled,
        sum(no_shows) as no_shows, sum(known + estimated) as revenue, sum(estimated) as estimated_revenue
      from daily group by grouping sets ((recent), (recent, day), (recent, location_id))
    ), held as (
      select value as tier, customers
      from private.counts_of(array(select private.my_organizations('canWorkInOffice')), 'tier')
    )
    select jsonb_build_object('outcome', 'ok', 'from', v_from, 'to', v_to,
      'figures', (
        select coalesce(jsonb_agg(to_jsonb(f) order by f.recent, f.day, f.location_id), '[]') from figures f
        where f.recent or (f.day is null and f.location_id is null)),
      'locations', (select coalesce(
        jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'is_active', l.is_active,
          'pms_id', l.pms_id, 'known_from', l.known_from, 'known_until', l.known_until)
            order by l.name, l.id), '[]')
        from public.locations l where l.id = any(v_locations)),
      'customers', (select coalesce(sum(customers), 0) from held),
      'by_tier', (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name,
          'customers', coalesce(h.customers, 0)) order by t.rank), '[]')
        from public.loyalty_tiers t left join held h on h.tier = t.id::text
        where t.organization_id = any(array(select private.my_organizations('canWorkInOffice'))))));
end
$$;
comment on function public.stats_overview(date, date, uuid, timestamptz) is
  'Figures of a period (default: the last 7 service days) and totals of the one before: ok, unknown_location or bad_period (over 366 days).';
grant execute on function public.service_summary(uuid, date, timestamptz, text, text[]),
  public.next_arrivals(uuid, integer, timestamptz), public.daily_summary(date, date, uuid, text, text[]),
  public.customers_to_know(uuid, integer, timestamptz), public.customer_habits(uuid, timestamptz),
  public.stats_overview(date, date, uuid, timestamptz)
  to authenticated;
-- << supabase/logic/statistics/statistics.sql

reset check_function_bodies;
