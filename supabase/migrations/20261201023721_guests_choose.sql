-- Schema 20261201023721. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- What went, or cannot be replaced

drop function private.guest_text(text, boolean, jsonb, timestamp with time zone);

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

alter type public.message_reason add value 'guest_frequency' after 'frequency_cap';
alter type public.message_reason add value 'brand_muted' after 'guest_frequency';
alter table public.customers add column city text;
alter table public.customers add column language text;
alter table public.customers add column write_frequency text;
alter table public.customers add column muted_brands uuid[] DEFAULT '{}'::uuid[] NOT NULL;
alter table public.customers add CONSTRAINT customers_city_check CHECK ((length(city) <= 120));
alter table public.customers add CONSTRAINT customers_language_check CHECK ((language = ANY (ARRAY['es'::text, 'ca'::text, 'eu'::text, 'gl'::text, 'en'::text, 'fr'::text, 'pt'::text, 'it'::text, 'de'::text, 'nl'::text])));
alter table public.customers add CONSTRAINT customers_muted_brands_check CHECK (((muted_brands = '{}'::uuid[]) OR ((cardinality(muted_brands) <= 1000) AND (array_ndims(muted_brands) = 1) AND (array_position(muted_brands, NULL::uuid) IS NULL))));
alter table public.customers add CONSTRAINT customers_write_frequency_check CHECK ((write_frequency = 'monthly'::text));
alter table public.automations add column versions jsonb DEFAULT '[]'::jsonb NOT NULL;
alter table public.automations add CONSTRAINT automations_versions_check CHECK (((jsonb_typeof(versions) = 'array'::text) AND (jsonb_array_length(versions) <= 10)));
alter table public.automations add CONSTRAINT automations_versions_check1 CHECK (((pg_column_size(versions) <= 1048576) AND (NOT jsonb_path_exists(versions, '$.**{11}'::jsonpath))));
alter table public.organizations add column language text DEFAULT 'es'::text NOT NULL;
alter table public.organizations add CONSTRAINT organizations_language_check CHECK ((language = ANY (ARRAY['es'::text, 'ca'::text, 'eu'::text, 'gl'::text, 'en'::text, 'fr'::text, 'pt'::text, 'it'::text, 'de'::text, 'nl'::text])));
alter table public.feedback drop constraint feedback_language_check;
alter table public.feedback add CONSTRAINT feedback_language_check CHECK ((language = ANY (ARRAY['es'::text, 'ca'::text, 'eu'::text, 'gl'::text, 'en'::text, 'fr'::text, 'pt'::text, 'it'::text, 'de'::text, 'nl'::text])));
CREATE INDEX customers_city_idx ON public.customers USING btree (organization_id, private.fold(city) text_pattern_ops) WHERE (city IS NOT NULL);

-- Policies, comments, rights

COMMENT ON COLUMN public.customers.language IS 'In which they are written to (BCP 47, GUEST_LANGUAGES of lib/i18n/guest-languages.ts); null: in the group''s.';
COMMENT ON COLUMN public.customers.write_frequency IS 'How often marketing may write, as the guest asked on the page of an unsubscribe link: monthly; null: no wish.';
COMMENT ON COLUMN public.customers.muted_brands IS 'Brands of which the guest wants no marketing, as they said on that page. An id may be of a brand that is gone.';
COMMENT ON COLUMN public.automations.versions IS 'The message in further languages: [{language, subject, body, email_design}]. A guest gets that of their language, else the message itself, which is in the group''s.';
COMMENT ON COLUMN public.organizations.language IS 'In which the group writes to guests who have no language of their own (GUEST_LANGUAGES of lib/i18n/guest-languages.ts).';

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
      'offer_tables_minutes', 'sms_price', 'postal_address', 'language', 'sending_stopped_at',
      'sending_stopped_by', 'ai_daily_calls',
      'ai_daily_calls_per_person', 'ai_daily_tokens', 'ai_daily_tokens_per_person', 'horizon_days',
      'keep_job_runs_days', 'keep_automation_runs_days', 'keep_webhook_receipts_days',
      'keep_failed_rows_days']
    when 'brands' then array['name', 'slug', 'postal_address']
    when 'locations'
      then array['name', 'brand_id', 'city', 'address', 'pms_id', 'timezone', 'average_spend_per_guest',
      'count_unmarked_visits', 'quiet_from', 'quiet_until', 'is_active', 'stay_minutes',
      'review_urls']
    when 'profiles' then array['email', 'full_name', 'role']
    when 'invitations' then array['email', 'full_name', 'role', 'location_ids']
    when 'automations' then array['name', 'type', 'channel', 'fallback_channel', 'status', 'subject', 'body',
      'content_sid',
      'content_variables', 'email_design', 'versions', 'criteria', 'location_ids', 'tags', 'tier_ids',
      'control_share']
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

create or replace function private.versions_mark(p_versions jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select to_jsonb(nullif(string_agg((v.value ->> 'language') || ' · ' || left(md5(v.value::text), 8), ', '
    order by v.value ->> 'language'), ''))
  from jsonb_array_elements(case jsonb_typeof(p_versions) when 'array' then p_versions else '[]' end) as v
$$;
comment on function private.versions_mark(jsonb) is
  'The further languages of a message for the log, each with a mark that changes with its text; null: none.';

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
          when 'versions' then private.versions_mark(f.value)
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

-- >> supabase/logic/automations/enqueue.sql
-- From a run to the outbox: the messages of a run are planned and queued, or held for approval; resume_run
-- lets a paused run go on.

create or replace function private.hold_large_run(p_run uuid, p_planned boolean) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_guests integer;
begin
  update public.automation_runs set guests = processed - skipped where id = p_run and expires_at is not null;
  if not found or not p_planned then
    return;
  end if;
  v_guests := (select count(distinct customer_id) from public.messages
    where run_id = p_run and status = 'queued');
  update public.automation_runs run
  set guests = v_guests,
    status = case when v_guests <= o.approve_above and run.status = 'waiting_approval' then 'running'
    else run.status end,
    expires_at = case when v_guests > coalesce(o.approve_above, 0) then run.expires_at end,
    template = case when v_guests > coalesce(o.approve_above, 0) then run.template end
  from public.organizations o where run.id = p_run and o.id = run.organization_id;
end
$$;
comment on function private.hold_large_run(uuid, boolean) is
  'Counts the customers of a run that waits for approval. Once it is planned to its end (p_planned), it starts by itself when they are no more than approve_above.';

create or replace function private.ordered_id(p_nth bigint) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_time bigint := (extract(epoch from statement_timestamp()) * 1000)::bigint + p_nth / 4096;
begin
  return (lpad(to_hex(v_time), 12, '0') || '7' || lpad(to_hex(p_nth % 4096), 3, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid;
end
$$;
comment on function private.ordered_id(bigint) is
  'A UUID of version 7: those of a statement sort by p_nth, and after those of earlier statements. Messages of a run that are sent together lie together, in the table and in its indexes.';

create or replace function private.plan_next(a public.automations, p_run uuid, p_now timestamptz,
  p_retry_after interval, p_limit integer, p_closed jsonb)
returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_after uuid := (select run.planned_to from public.automation_runs run where run.id = p_run);
  v_cap integer := (select o.frequency_cap_days from public.organizations o where o.id = a.organization_id);
  v_recent integer := (a.criteria ->> 'recent_days')::integer;
  v_uncounted uuid[] := private.uncounted_for(a, v_cap);
  v_until uuid;
  -- How many customers it looks at in one go: more where few of them match.
  v_span bigint := p_limit;
  v_left integer := p_limit;
  v_planned integer;
begin
  loop
    v_until := (
      select c.id from public.customers c
      where c.organization_id = a.organization_id
        and c.id > coalesce(v_after, '00000000-0000-0000-0000-000000000000')
      order by c.id offset v_span - 1 limit 1);
    drop table if exists pg_temp.outbox_plan;
    create temp table outbox_plan on commit drop as
    select * from private.plan_part(a, p_now, p_retry_after, p_run, v_after, v_until, v_left, p_closed);
    get diagnostics v_planned = row_count;
    if v_planned > 0 then
      analyze pg_temp.outbox_plan;
      -- Messages that are tried again: a failed row stays and gives up its key, and so does a skipped one
      -- whose reason has changed, for 30 days (kept_for). Each key is looked up by itself (offset 0): there
      -- may be far more skipped messages in the organization than keys in the plan.
      with earlier as materialized (
        select found.id, found.has_same_reason
        from pg_temp.outbox_plan p
        cross join lateral (
          select m.id, m.status = 'skipped' and m.reason = p.reason as has_same_reason
          from public.messages m
          where m.organization_id = a.organization_id and m.dedupe_key = p.dedupe_key
            and m.status in ('skipped', 'failed') offset 0
        ) as found
      ), removed as (
        delete from public.messages m using earlier e where m.id = e.id and e.has_same_reason
      )
      update public.messages m set dedupe_key = concat_ws(':', m.dedupe_key, m.status, m.id),
        superseded_at = case m.status when 'skipped' then p_now end
      from earlier e where m.id = e.id and e.has_same_reason is not true;

      insert into public.messages (id, organization_id, kind, purpose, automation_id, run_id, customer_id,
        reservation_id, location_id, channel, recipient, status, reason, detail, dedupe_key, not_before,
        created_at)
      select private.ordered_id(row_number() over (order by p.customer_id)), a.organization_id, p.kind,
        a.type, a.id, p_run, p.customer_id, p.reservation_id, p.location_id, p.channel, p.recipient,
        case when p.reason is null then 'queued' else 'skipped' end, p.reason,
        case when p.reason is null then p.held
          when p.reason in ('suppressed', 'frequency_cap', 'recently_written', 'guest_frequency')
          then private.detail_of(a.organization_id, p.customer_id, null, p.channel, p.recipient, p.reason,
            p_now - make_interval(days => case p.reason when 'recently_written' then v_recent
              when 'guest_frequency' then private.monthly_days() else v_cap end),
            false, case p.reason when 'frequency_cap' then v_uncounted
              when 'guest_frequency' then private.uncounted_for(a, private.monthly_days()) end) end,
        p.dedupe_key, p.not_before, p_now
      from pg_temp.outbox_plan p
      order by p.customer_id
      on conflict do nothing;
    end if;
    if a.step is null or a.step = 1 and v_planned > 0 then
      perform private.enrol(a, p_run, private.control_share(a), p_now);
    end if;
    v_after := case when v_planned < v_left then v_until else (
      select p.customer_id from pg_temp.outbox_plan p order by p.customer_id desc limit 1) end;
    v_left := v_left - v_planned;
    v_span := case when v_planned < v_span / 8 then v_span * 4 else v_span end;
    -- A step ends well below the limit of a statement.
    exit when v_after is null or v_left <= p_limit / 2
      or clock_timestamp() > statement_timestamp() + interval '2 seconds';
  end loop;
  update public.automation_runs set planned_to = v_after where id = p_run;
  return v_after is not null;
end
$$;
comment on function private.plan_next(public.automations, uuid, timestamptz, interval, integer, jsonb) is
  'Puts the next messages of a run (about p_limit) into the outbox and moves its checkpoint, in one transaction; whether there may be more.';

create or replace function private.end_planning(p_run uuid) returns void
language sql volatile set search_path = ''
as $$
  update public.automation_runs
  set planning = false, planned_to = null,
    status = case when status in ('running', 'waiting_approval') and processed <= sent + skipped + failed
      then 'finished' else status end,
    expires_at = case when processed = 0 then null else expires_at end,
    finished_at = case when processed = 0 then started_at
      when status in ('running', 'waiting_approval') and processed <= sent + skipped + failed
        then coalesce(finished_at, greatest(now(), started_at)) else finished_at end
  where id = p_run and planning
$$;
comment on function private.end_planning(uuid) is
  'No more messages are planned for the run; when none are open it is finished.';

create or replace function public.enqueue_run(p_organization uuid, p_automation uuid, p_triggered_by text,
  p_now timestamptz default now(), p_run uuid default null, p_limit integer default 10000,
  p_closed jsonb default '{}', p_person uuid default null)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
  o public.organizations;
  v_run uuid := p_run;
  v_more boolean;
begin
  -- One plan at a time, so that two automations do not write to one customer within the frequency cap.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('outbox:' || p_organization::text, 0));
  select * into a from public.automations
  where id = p_automation and organization_id = p_organization and deleted_at is null
    and type <> 'campaign' for update;
  if a.id is null or a.status <> 'active' then
    perform private.end_planning(p_run);
    if a.id is null then
      return jsonb_build_object('outcome', 'unknown');
    end if;
    return jsonb_build_object('outcome', 'inactive');
  end if;
  select * into o from public.organizations where id = p_organization;
  if o.sending_stopped_at is not null then
    return jsonb_build_object('outcome', 'stopped');
  end if;
  if v_run is null then
    -- Where large sends need approval, a run waits until it is planned to its end: only then is its size
    -- known.
    insert into public.automation_runs (organization_id, automation_id, automation_name, location_ids,
      triggered_by, started_at, started_by, started_by_name, status, planning, expires_at, template, event)
    values (p_organization, a.id, a.name, a.location_ids, p_triggered_by, p_now, p_person,
      (select coalesce(nullif(p.full_name, ''), p.email) from public.profiles p where p.id = p_person),
      case when o.approve_above is null then 'running' else 'waiting_approval' end, true,
      case when o.approve_above is not null then p_now + interval '24 hours' end,
      case when o.approve_above is not null then private.template_of(a)
        || jsonb_build_object('email_look', private.email_look_of(a)) end,
      jsonb_build_object('name', 'automation/run', 'data',
      jsonb_build_object('automation_id', a.id, 'triggered_by', p_triggered_by)))
    returning id into v_run;
  end if;
  -- Locked, so that it is not approved, refused or stopped before this part of its messages is there.
  perform 1 from public.automation_runs run where run.id = v_run for update;
  if exists (
    select 1 from public.automation_runs run where run.id = v_run
      and (not run.planning or run.decided_at is not null or run.status in ('refused', 'expired', 'stopped')))
        then
    -- An approval covers the messages that were there: none are added to it, nor to a run that is over.
    perform private.end_planning(v_run);
    return jsonb_build_object('outcome', 'enqueued', 'run_id', v_run, 'more', false);
  end if;

  v_more := private.plan_next(a, v_run, p_now,
    case p_triggered_by when 'schedule' then interval '1 day' else interval '0' end, p_limit, p_closed);
  perform private.hold_large_run(v_run, not v_more);
  if not v_more then
    perform private.end_planning(v_run);
  end if;
  return jsonb_build_object('outcome', 'enqueued', 'run_id', v_run, 'more', v_more);
end
$$;
comment on function public.enqueue_run(uuid, uuid, text, timestamptz, uuid, integer, jsonb, uuid) is
  'Starts a run (manual, by p_person, or schedule), or goes on with p_run from its checkpoint: writes the run and its messages. p_closed: see plan_query. outcome is enqueued (run_id; more when p_limit ended it), inactive, stopped (all sending is) or unknown.';

create or replace function public.resume_run(p_organization uuid, p_automation uuid, p_run uuid,
  p_now timestamptz default now())
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  v_status text;
begin
  -- No claim, and no stop, meanwhile: they lock messages and run in the other order.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  select status into v_status from public.automation_runs
  where id = p_run and automation_id = p_automation and organization_id = p_organization for update;
  if v_status is null then
    return 'not_found';
  elsif v_status <> 'paused' then
    return 'not_paused';
  end if;
  update public.automation_runs
  set status = case when planning or processed > sent + skipped + failed then 'running' else 'finished' end,
    reason = null, failures = 0
  where id = p_run;
  -- Messages that waited for the trouble to pass are due now; claim_messages checks the quiet hours again.
  delete from public.channel_pace p
  where p.organization_id = p_organization and p.channel in (
    select m.channel from public.messages m where m.run_id = p_run and m.status = 'queued');
  update public.messages m set not_before = p_now
  where m.run_id = p_run and m.status = 'queued' and m.not_before > p_now;
  return 'resumed';
end
$$;
comment on function public.resume_run(uuid, uuid, uuid, timestamptz) is
  'Lets a paused run go on: resumed, not_paused or not_found.';
grant execute on function private.ordered_id(bigint), private.hold_large_run(uuid, boolean),
  private.plan_next(public.automations, uuid, timestamptz, interval, integer, jsonb),
  private.end_planning(uuid), public.enqueue_run(uuid, uuid, text, timestamptz, uuid, integer, jsonb, uuid),
  public.resume_run(uuid, uuid, uuid, timestamptz) to service_role;
-- << supabase/logic/automations/enqueue.sql

-- >> supabase/logic/automations/pages.sql
-- What the pages of automations ask for: saving one, the results of a whole list at once, why messages of a
-- run were left out, and the fate of a message whose outcome was unknown.

create or replace function public.save_automation(p_organization uuid, p_id uuid, p_fields jsonb,
  p_updated_at timestamptz default null)
returns setof public.automations
language plpgsql volatile set search_path = ''
as $$
declare
  v public.automations;
begin
  if p_id is null then
    v := jsonb_populate_record(null::public.automations,
      '{"status": "inactive", "body": "", "content_variables": {}, "versions": [],
      "criteria": {}, "location_ids": [], "tags": [], "tier_ids": [], "control_share": 0}' || p_fields);
    return query insert into public.automations (id, organization_id, name, type, channel, fallback_channel,
      status, subject, body, content_sid, content_variables, email_design, versions, criteria, location_ids,
      tags, tier_ids, control_share)
    values (private.new_id(p_organization, p_fields), p_organization, v.name, v.type, v.channel,
      v.fallback_channel, v.status, v.subject, v.body, v.content_sid, v.content_variables, v.email_design,
      v.versions, v.criteria, v.location_ids, v.tags, v.tier_ids, v.control_share)
    returning *;
    return;
  end if;
  select * into v from public.automations a
  where a.id = p_id and a.organization_id = p_organization and a.deleted_at is null
    and (p_updated_at is null or a.updated_at = p_updated_at)
  for update;
  if v.id is null then
    return;
  end if;
  v := jsonb_populate_record(v, p_fields);
  return query update public.automations a set name = v.name, type = v.type, channel = v.channel,
    fallback_channel = v.fallback_channel, status = v.status, subject = v.subject, body = v.body,
    content_sid = v.content_sid, content_variables = v.content_variables, email_design = v.email_design,
    versions = v.versions, criteria = v.criteria, location_ids = v.location_ids, tags = v.tags,
    tier_ids = v.tier_ids, control_share = v.control_share, deleted_at = v.deleted_at
  where a.id = p_id returning *;
end
$$;
comment on function public.save_automation(uuid, uuid, jsonb, timestamptz) is
  'Makes an automation (null), or changes the given fields of one as it was at p_updated_at; no row when it is not there, or was changed since.';

create or replace function private.by_guest(p_guests bigint) returns boolean
language sql stable set search_path = ''
as $$
  select p_guests <= 5000 or (select c.reltuples < 0 from pg_catalog.pg_class c
    where c.oid = 'public.reservations'::regclass)
$$;
comment on function private.by_guest(bigint) is
  'Whether the reservations of this many guests are best looked up guest by guest; else by the days they concern, which needs the table''s statistics: without them the planner would read those days once for each guest.';
grant execute on function private.by_guest(bigint) to service_role;

create or replace function public.automations_overview(p_organization uuid, p_automations uuid[],
  p_from timestamptz, p_to timestamptz, p_locations uuid[] default null)
returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  -- A page has 200 at most.
  v_ids uuid[] := p_automations[1:200];
  v_sent bigint;
  v_until timestamptz;
  v_by_guest boolean;
begin
  -- Values, so that the planner sees how many messages may take credit, and how much of the year they
  -- concern.
  select count(*), max(coalesce(m.sent_at, m.created_at)) + interval '30 days' into v_sent, v_until
  from public.messages m
  where m.automation_id = any(v_ids) and m.organization_id = p_organization
    and m.created_at >= p_from and m.created_at < p_to and m.kind = 'marketing'
      and m.status in ('sent', 'delivered');
  v_by_guest := private.by_guest(v_sent);
  return (
    with in_period as materialized (
      -- Booleans, of which the planner expects a half: it expects nearly no row of several conditions on a
      -- CTE.
      select m.id, m.automation_id, m.customer_id, m.status, m.simulated,
        coalesce(m.sent_at, m.created_at) as at, m.status in ('sent', 'delivered') as is_sent,
        m.channel = 'email' and m.status in ('sent', 'delivered') as is_email,
        m.kind = 'marketing' and m.status in ('sent', 'delivered') as takes_credit
      from public.messages m
      where m.automation_id = any(v_ids) and m.organization_id = p_organization
        and m.created_at >= p_from and m.created_at < p_to and m.superseded_at is null
    ), engaged as (
      -- A person's click proves the open. Who leaves the list did not click on what the message offers.
      select g.message_id, bool_or(g.actor = 'person') as opened,
        bool_or(g.kind = 'click' and g.actor = 'person' and g.link <> 'unsubscribe') as clicked
      from in_period m join public.message_engagement g on g.message_id = m.id
      where m.is_email and g.actor <> 'machine'
      group by g.message_id
    ), counted as (
      select automation_id, jsonb_build_object('total', count(*),
        'sent', count(*) filter (where is_sent),
        'delivered', count(*) filter (where status = 'delivered'),
        'simulated', count(*) filter (where is_sent and simulated),
        'skipped', count(*) filter (where status = 'skipped'),
        'failed', count(*) filter (where status in ('failed', 'unknown')),
        'pending', count(*) filter (where status in ('queued', 'sending')),
        'emails', count(*) filter (where is_email),
        'opened', count(*) filter (where e.opened), 'maybe_opened', count(e.message_id),
        'clicked', count(*) filter (where e.clicked)) as messages
      from in_period m left join engaged e on e.message_id = m.id group by automation_id
    ), credited as (
      select m.automation_id, count(*) as reservations, coalesce(sum(r.party_size), 0) as covers,
        coalesce(sum(coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0))
          filter (where r.visited), 0)
          as revenue,
        coalesce(sum(r.party_size * l.average_spend_per_guest)
          filter (where r.visited and r.total_amount is null), 0)
          as estimated_revenue
      -- The limit takes nothing away: it says to the planner how many there are.
      from (select p.* from in_period p where p.takes_credit limit v_sent) as m
      join public.reservations r on r.customer_id = m.customer_id and r.created_at >= m.at
        and r.created_at <= m.at + interval '30 days'
        and (v_by_guest
          or r.organization_id = p_organization and r.created_at >= p_from and r.created_at <= v_until)
        and r.source <> 'import' and r.status not in ('cancelled', 'no_show')
        and (p_locations is null or r.location_id = any(p_locations))
      join public.locations l on l.id = r.location_id
      -- Both the booking and its service come after the message: a sync may bring a dinner the day after.
      cross join lateral (
        select least(r.created_at, r.service_order at time zone l.timezone) as at) as made
      -- Only the last message before it, of whichever automation, may take the credit.
      where made.at >= m.at and not exists (
          select 1 from public.messages other
          where other.customer_id = m.customer_id and other.kind = 'marketing'
            and other.status in ('sent', 'delivered')
            and coalesce(other.sent_at, other.created_at) between m.at and made.at
            and (coalesce(other.sent_at, other.created_at), other.id) > (m.at, m.id))
      group by m.automation_id
    )
    select coalesce(jsonb_agg(jsonb_build_object('automation_id', a.id,
      'messages', coalesce(n.messages,
        '{"total": 0, "sent": 0, "delivered": 0, "simulated": 0, "skipped": 0, "failed": 0, "pending": 0,
          "emails": 0, "opened": 0, "maybe_opened": 0, "clicked": 0}'),
      'reservations', coalesce(c.reservations, 0), 'covers', coalesce(c.covers, 0),
      'revenue', coalesce(c.revenue, 0), 'estimated_revenue', coalesce(c.estimated_revenue, 0),
      'last_run', (
        select jsonb_build_object('id', run.id, 'status', run.status, 'reason', run.reason,
          'started_at', run.started_at)
        from public.automation_runs run
        where run.automation_id = a.id and run.organization_id = p_organization
        order by run.started_at desc, run.id limit 1))), '[]')
    from unnest(v_ids) as a (id)
    left join counted n on n.automation_id = a.id
    left join credited c on c.automation_id = a.id);
end
$$;
comment on function public.automations_overview(uuid, uuid[], timestamptz, timestamptz, uuid[]) is
  'For each automation: its last run, and the results (as in results_of_automation) of its messages created from p_from until p_to, counting reservations of p_locations, or of all. opened: e-mails that a person certainly opened or clicked; maybe_opened: all opened ones but those that only machines opened.';

create or replace function public.results_of_automation(p_organization uuid, p_automation uuid,
  p_from timestamptz, p_to timestamptz, p_locations uuid[] default null)
returns jsonb
language sql stable set search_path = ''
as $$
  select (public.automations_overview(p_organization, array[p_automation], p_from, p_to, p_locations) -> 0)
    - array['automation_id', 'last_run'] || jsonb_build_object('links', (
      select coalesce(jsonb_agg(jsonb_build_object('link', l.link, 'clicked', l.clicked)
        order by l.clicked desc, l.link), '[]')
      from (
        select g.link, count(*) as clicked
        from public.messages m join public.message_engagement g on g.message_id = m.id
        where m.automation_id = p_automation and m.organization_id = p_organization
          and m.created_at >= p_from and m.created_at < p_to and m.status in ('sent', 'delivered')
          and g.kind = 'click' and g.actor = 'person'
        group by g.link order by count(*) desc, g.link limit 20) as l))
$$;
comment on function public.results_of_automation(uuid, uuid, timestamptz, timestamptz, uuid[]) is
  'What an automation''s messages (created from p_from until p_to) brought: counts by outcome, and reservations made within 30 days after a customer''s last marketing message, for a service after it, with covers and EUR of those that became visits. links: in how many e-mails a person clicked each, the 20 most clicked.';

create or replace function public.run_outcomes(p_organization uuid, p_runs uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(outcome), '[]') from (
    select m.run_id, m.status, m.reason, count(*) as messages from public.messages m
    where m.run_id = any(p_runs) and m.organization_id = p_organization
      and m.status in ('skipped', 'failed', 'unknown')
    group by m.run_id, m.status, m.reason order by count(*) desc, m.status, m.reason) as outcome
$$;
comment on function public.run_outcomes(uuid, uuid[]) is
  'How many messages of each run were skipped, failed or have an unknown outcome, by reason: {run_id, status, reason, messages}.';

create or replace function public.run_report(p_run uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('processed', run.processed, 'sent', run.sent, 'skipped', run.skipped,
    'failed', run.failed, 'pending', run.processed - run.sent - run.skipped - run.failed,
    'status', run.status, 'paused_by', case run.status when 'paused' then run.reason end,
    'problems', coalesce((
      select jsonb_agg(problem) from (
        select m.status, m.channel, m.reason, count(*) as messages from public.messages m
        where m.run_id = p_run and m.status in ('failed', 'unknown')
        group by m.status, m.channel, m.reason order by count(*) desc, m.reason limit 50) as problem), '[]'))
  from public.automation_runs run where run.id = p_run
$$;
comment on function public.run_report(uuid) is
  'A run''s counts, its status, why it is paused (else null), and its failures by channel and reason (at most 50): {processed, sent, skipped, failed, pending, status, paused_by, problems}.';

create or replace function public.authorize_run(p_automation uuid, p_run uuid default null) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  a public.automations;
begin
  select * into a from public.automations
  where id = p_automation and deleted_at is null and type <> 'campaign'
    and organization_id = any(array(select private.my_organizations())) and private.covers(location_ids);
  if a.id is null or p_run is not null and not exists (
    select from public.automation_runs run where run.id = p_run and run.automation_id = a.id) then
    return 'unknown';
  elsif not private.may_market(a.organization_id) then
    return 'forbidden';
  end if;
  -- More often it would say nothing new, and fill the log.
  if (a.status = 'active' or p_run is not null) and public.take_attempts(
    array[concat_ws(':', 'automation-run', a.id, p_run, (select private.caller()))], array[1], 60) = 0 then
    perform private.audit(a.organization_id,
      case when p_run is null then 'automation.run' else 'automation.resumed' end,
      a.id, jsonb_strip_nulls(jsonb_build_object('run_id', p_run)));
  end if;
  return 'allowed';
end
$$;
comment on function public.authorize_run(uuid, uuid) is
  'Whether the caller may run the automation, or let its run go on: allowed (and logged, once a minute a person), unknown (also when it reaches a location they do not work in) or forbidden (limit_marketing_to_roles).';

create or replace function public.reconcile_message(p_id uuid, p_status text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  m public.messages;
begin
  if p_status is null or p_status not in ('sent', 'failed') then
    return 'invalid';
  end if;
  select * into m from public.messages
  where id = p_id and kind <> 'notification'
    and organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and ((select private.works_everywhere())
      or location_id = any(array(select private.my_locations()))) for update;
  if m.id is null then
    return 'not_found';
  elsif m.status <> 'unknown' then
    return 'not_unknown';
  end if;
  update public.messages
  set status = p_status, reason = case p_status when 'failed' then 'reconciled' end,
    -- When it was tried is when it went.
    sent_at = case p_status when 'sent' then coalesce(sent_at, frozen_at, created_at) end,
    lease_token = null, lease_until = null
  where id = m.id;
  perform private.audit(m.organization_id, 'message.reconciled', m.id,
    jsonb_build_object('status', p_status, 'automation_id', m.automation_id));
  return 'reconciled';
end
$$;
comment on function public.reconcile_message(uuid, text) is
  'Records what a person found out about a message with an unknown outcome: sent or failed. reconciled, not_unknown, not_found or invalid.';
grant execute on function public.authorize_run(uuid, uuid) to authenticated;
grant execute on function public.reconcile_message(uuid, text) to authenticated, service_role;
grant execute on function public.save_automation(uuid, uuid, jsonb, timestamptz),
  public.automations_overview(uuid, uuid[], timestamptz, timestamptz, uuid[]),
  public.results_of_automation(uuid, uuid, timestamptz, timestamptz, uuid[]),
  public.run_outcomes(uuid, uuid[]), public.run_report(uuid) to service_role;
-- << supabase/logic/automations/pages.sql

-- >> supabase/logic/automations/plan.sql
-- Plans a run of an automation: for each customer of its audience the channel and time, or the reason why no
-- message goes.

create or replace function private.plan_query(a public.automations, p_now timestamptz, p_retry_after interval,
  p_run uuid, p_closed jsonb, p_after uuid default null, p_until uuid default null,
  p_limit integer default null, p_locations uuid[] default null)
returns text
language plpgsql stable set search_path = ''
as $$
declare
  o public.organizations;
  v_kind text := private.kind_of(a);
  v_share smallint := private.control_share(a);
  -- At most one message a customer; and each customer has an e-mail of their own.
  v_one boolean := private.writes_once(a);
  v_own boolean := v_one and a.channel = 'email' and a.fallback_channel is null;
  v_messages uuid[] := case when a.campaign_id is null then array[a.id] else array(
    select s.id from public.automations s where s.campaign_id = a.campaign_id and s.step = a.step) end;
  -- Of a campaign's step: an address gets one version of it.
  v_runs uuid[] := private.runs_of_step(a, p_run);
  -- A part looks each customer up by an index: the statistics do not know the run's messages yet.
  v_end text := case when p_limit is not null then ' offset 0' end;
  v_reachable text;
  v_tried text;
  v_recent text;
  v_muted uuid[] := case v_kind when 'marketing' then private.brands_to_mute(a) end;
  v_windows text;
  v_send_at text;
  v_held text;
  v_nowhere constant uuid := '00000000-0000-0000-0000-000000000000';
  v_parts text;
  v_late text;
begin
  select * into o from public.organizations where id = a.organization_id;
  -- A message that only lacked a provider is tried again as soon as the customer can be reached.
  v_reachable := nullif(concat_ws(' or ',
    case when private.closed_by(p_closed, a.channel, v_kind) is null
      then format('private.address_by(%L, c.email, c.phone, c.whatsapp_id) is not null', a.channel) end,
    case when a.fallback_channel is not null
      and private.closed_by(p_closed, a.fallback_channel, v_kind) is null
      then format('private.address_by(%L, c.email, c.phone, c.whatsapp_id) is not null', a.fallback_channel)
      end), '');
  -- A skipped or failed message is tried again: not by the run that skipped it, not while that run is open,
  -- and not before p_retry_after has passed.
  v_tried := format('select 1 from public.messages m%s
    where m.organization_id = %L%s
      and (m.status not in (''skipped'', ''failed'') or m.reason = ''control_group''%s or %s <> all(%L)
        or m.created_at > %L%s)',
    case when v_end is null then ' left join public.automation_runs run on run.id = m.run_id' end,
    a.organization_id,
    case when v_end is null then format(' and m.automation_id = any(%L::uuid[])', v_messages) end,
    case when p_run is not null then format(' or m.run_id = %L', p_run) end,
    case when v_end is null then 'run.status'
      else '(select run.status from public.automation_runs run where run.id = m.run_id)' end,
    -- After a refusal, a stop or an expired approval only a person may start again, not the schedule:
    -- p_retry_after = 0 means started by hand.
    array['finished']
      || case when p_retry_after = interval '0' then array['refused', 'expired', 'stopped'] end,
    p_now - p_retry_after,
    case when v_reachable is not null then format(
      ' and not (coalesce(m.reason, '''') in (''no_provider'', ''no_app_url'') and (%s))', v_reachable) end);

  select string_agg(format(', case when %sexists (
      select from private.counted_messages(%L::timestamptz, false, %L::uuid[], %L::uuid[]) as counted
      where counted.customer_id = way.customer_id%s) then %L end',
      -- Few guests asked for it: each of them is looked up (offset 0), nothing is done for the others.
      case cap.reason when 'guest_frequency' then 'way.write_frequency is not null and ' end,
      p_now - make_interval(days => cap.days),
      case when cap.reason <> 'recently_written' then private.uncounted_for(a, cap.days) end, p_locations,
      case cap.reason when 'guest_frequency' then ' offset 0' else v_end end,
      cap.reason), '' order by cap.place)
  into v_recent from (values (1, (a.criteria ->> 'recent_days')::integer, 'recently_written'),
    (2, case v_kind when 'marketing' then nullif(o.frequency_cap_days, 0) end, 'frequency_cap'),
    (3, case v_kind when 'marketing' then private.monthly_days() end, 'guest_frequency'))
      as cap (place, days, reason)
  where cap.days is not null;
  if v_muted is not null then
    v_recent := format(', case when way.muted_brands <> ''{}'' and way.muted_brands @> %L::uuid[]
      then ''brand_muted'' end', v_muted) || coalesce(v_recent, '');
  end if;

  select string_agg(
    format('select c.id as customer_id, %s as reservation_id, %s as dedupe_key, %s as service_order,
      %s as location_id, c.email, c.phone, c.whatsapp_id, c.consents, c.total_visits, c.write_frequency,
      c.muted_brands
    from %s
    where %s and not exists (%s and m.dedupe_key = %2$s%8$s)',
    case when p.reservation then 'r.id' else 'null::uuid' end, p.key,
    case when p.reservation then 'r.service_order' else 'null::timestamp' end,
    case when p.reservation then 'coalesce(r.location_id, c.location_id)' else 'c.location_id' end,
    p.source, p.condition, v_tried, v_end), ' union all ')
  into v_parts from private.audience_parts(a, p_now, p_limit is not null, p_after, p_until, p_locations) p;
  if p_limit is not null then
    -- All messages of a customer are in one part: the next one begins behind them.
    v_parts := format('select * from (%s) as found order by customer_id fetch first %s rows with ties',
      v_parts, p_limit);
  end if;
  -- offset 0: what is asked of a customer is asked once, however often its answer is used.
  v_parts := format('select way.customer_id, way.reservation_id, way.dedupe_key, way.service_order,
      way.location_id, way.channel, way.address, way.write_frequency, coalesce(way.reason%s) as reason
    from (%s) as way%s', v_recent,
    private.ways_query(v_parts, a.organization_id, v_kind, a.channel, a.fallback_channel,
      a.content_sid is null, p_closed, p_now),
    case when not v_own then ' offset 0' end);

  -- Mostly all locations have the same: then it is said once, and not looked up for each customer.
  select case when count(distinct (w.send_at, w.detail)) > 1 then string_agg(
      format('(%L::uuid, %L::timestamptz, %L::jsonb)', coalesce(w.location_id, v_nowhere), w.send_at,
        w.detail), ', ') end,
    format('%L::timestamptz', min(w.send_at)), format('%L::jsonb', (array_agg(w.detail))[1])
  into v_windows, v_send_at, v_held from private.send_windows(a.organization_id, v_kind, p_now,
    case a.type when 'campaign' then (a.criteria ->> 'starts_local')::timestamp end) as w;
  if v_windows is not null then
    v_send_at := 'windows.send_at';
    v_held := 'windows.detail';
    v_windows := format(' join (values %s) as windows (location_id, send_at, detail)
      on windows.location_id = coalesce(ranked.location_id, %L)', v_windows, v_nowhere);
  end if;

  v_late := concat(
    case when not v_one then format(' when nth_for_customer > 1%s',
      case when o.frequency_cap_days > 0 then ' then ''frequency_cap'''
        else ' and ranked.write_frequency is not null then ''guest_frequency''' end) end,
    case when not v_own then ' when nth_for_address > 1 then ''duplicate''' end,
    -- Messages of earlier parts count by the present address of their guest.
    case when v_runs <> '{}' and not v_own then format(' when ranked.channel <> ''email'' and exists (
      select 1 from public.customers c
      join public.messages m on m.run_id = any(%L::uuid[]) and m.customer_id = c.id and m.channel <> ''email''
        and (m.status <> ''skipped'' or m.reason = ''control_group'')
      where c.organization_id = %L and (c.phone = ranked.address or c.whatsapp_id = ranked.address)
        and c.id <> ranked.customer_id and private.address_of(c, m.channel) = ranked.address) then ''duplicate''',
      v_runs, a.organization_id) end,
    -- Asked last, so that the two groups differ only in the message. A guest stays in the group they began
    -- in; a new one is drawn: the hash's first 32 bits are a number below 2^32, and the automation's random
    -- id is its salt.
    case when v_share > 0 then format(' when exists (
        select 1 from private.enrolments e
        where e.automation_id = %1$L and e.customer_id = ranked.customer_id and e.held%3$s)
      or (''x'' || left(md5(%1$L || ranked.customer_id::text), 8))::bit(32)::bigint * 100 < %2$s * 4294967296
        and not exists (
          select 1 from private.enrolments e where e.automation_id = %1$L and e.customer_id = ranked.customer_id%3$s)
      then ''control_group''', coalesce(a.campaign_id, a.id), v_share, v_end) end);

  return format('select ranked.customer_id, ranked.reservation_id, ranked.dedupe_key, %L::text as kind, ranked.channel,
      ranked.address as recipient, %s as reason, %s as not_before, ranked.location_id, %s as held
    from (select *%s%s from (%s) as addressed offset 0) as ranked%s',
    v_kind, case when v_kind <> 'marketing' or v_late = '' then 'ranked.reason'
      else format('case when ranked.reason is not null then ranked.reason%s end', v_late) end,
    v_send_at, v_held,
    case when not v_one then ', row_number() over (partition by reason is null, customer_id
      order by service_order desc nulls last, dedupe_key) as nth_for_customer' end,
    case when not v_own then ', row_number() over (partition by reason is null, channel, address collate "C"
      order by customer_id, service_order desc nulls last, dedupe_key) as nth_for_address' end,
    v_parts, v_windows);
end
$$;
comment on function private.plan_query(public.automations, timestamptz, interval, uuid, jsonb, uuid, uuid, integer, uuid[]) is
  'What a run of the automation, saved or not, at p_now would put into the outbox, as SQL: {customer_id, reservation_id, dedupe_key, kind, channel, recipient, reason to skip, not_before, location_id, held (detail of one that has to wait)}. p_closed: channels by which nothing can go now, with the reason (no_provider; no_app_url is for marketing alone). p_after, p_until: only customers in this range of ids. p_limit: only the first customers by id, until there are so many messages. p_locations: for the eyes of someone bound to these, so segments and earlier messages count as far as they concern them.';
grant execute on function private.plan_query(public.automations, timestamptz, interval, uuid, jsonb, uuid,
  uuid, integer, uuid[]) to service_role;

create or replace function private.plan_part(a public.automations, p_now timestamptz, p_retry_after interval,
  p_run uuid, p_after uuid, p_until uuid, p_limit integer, p_closed jsonb default '{}')
returns table (customer_id uuid, reservation_id uuid, dedupe_key text, kind text, channel text,
  recipient text, reason text, not_before timestamptz, location_id uuid, held jsonb)
-- To compile the statement takes longer than to run it.
language plpgsql stable set search_path = '' set jit = off
as $$
begin
  return query execute private.plan_query(a, p_now, p_retry_after, p_run, p_closed, p_after, p_until,
    p_limit);
end
$$;
comment on function private.plan_part(public.automations, timestamptz, interval, uuid, uuid, uuid, integer, jsonb) is
  'A part of a plan (see plan_query): of the customers after p_after up to p_until by id, until there are p_limit messages.';
grant execute on function private.plan_part(public.automations, timestamptz, interval, uuid, uuid, uuid,
  integer, jsonb) to service_role;
-- << supabase/logic/automations/plan.sql

-- >> supabase/logic/campaigns/drafts.sql
-- Drafts of campaigns: made, changed and deleted. Only the service calls these; lib/campaigns checks the
-- caller first.

create or replace function private.person_name(p_person uuid) returns text
language sql stable set search_path = ''
as $$
  select coalesce(nullif(full_name, ''), email) from public.profiles where id = p_person
$$;
comment on function private.person_name(uuid) is 'A person''s name for rows that outlive the profile.';
grant execute on function private.person_name(uuid) to service_role;

create or replace function public.save_campaign(p_organization uuid, p_id uuid, p_fields jsonb,
  p_version integer default null, p_person uuid default null)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
begin
  if p_id is null then
    c := jsonb_populate_record(null::public.campaigns, '{"location_ids": [], "exclude_recent_days": 0}'
      || p_fields);
    insert into public.campaigns (id, organization_id, name, segment_id, location_ids, starts_local,
      exclude_recent_days, control_share, test_share, winner_by, test_hours, created_by, created_by_name)
    values (private.new_id(p_organization, p_fields), p_organization, c.name, c.segment_id, c.location_ids,
      c.starts_local, c.exclude_recent_days, c.control_share, c.test_share, c.winner_by, c.test_hours,
      p_person, private.person_name(p_person))
    returning * into c;
  else
    select * into c from public.campaigns where id = p_id and organization_id = p_organization for update;
    if c.id is null then
      return jsonb_build_object('outcome', 'not_found');
    elsif c.status <> 'draft' then
      return jsonb_build_object('outcome', 'not_draft');
    elsif c.version <> p_version then
      return jsonb_build_object('outcome', 'changed');
    end if;
    c := jsonb_populate_record(c, p_fields);
    update public.campaigns set name = c.name, segment_id = c.segment_id, location_ids = c.location_ids,
      starts_local = c.starts_local, exclude_recent_days = c.exclude_recent_days,
      control_share = c.control_share, test_share = c.test_share, winner_by = c.winner_by,
      test_hours = c.test_hours, reason = null, guests = null, version = version + 1
    where id = p_id returning * into c;
  end if;
  if p_fields ? 'messages' then
    delete from public.automations a where a.campaign_id = c.id and not exists (
      select 1 from jsonb_to_recordset(p_fields -> 'messages') as m (step integer, variant text)
      where m.step = a.step and m.variant = a.variant);
    insert into public.automations as a (id, organization_id, name, type, campaign_id, step, variant,
      after_days, channel, fallback_channel, subject, body, content_sid, content_variables, email_design,
      versions)
    select case when m.step = 1 and m.variant = 'a' then c.id else gen_random_uuid() end, p_organization,
      c.name, 'campaign',
      c.id, m.step, m.variant, m.after_days, m.channel, m.fallback_channel, m.subject, coalesce(m.body, ''),
      m.content_sid, coalesce(m.content_variables, '{}'), m.email_design, coalesce(m.versions, '[]')
    from jsonb_populate_recordset(null::public.automations, p_fields -> 'messages') as m
    on conflict (campaign_id, step, variant) do update
      set after_days = excluded.after_days, channel = excluded.channel,
      fallback_channel = excluded.fallback_channel, subject = excluded.subject, body = excluded.body,
      content_sid = excluded.content_sid, content_variables = excluded.content_variables,
      email_design = excluded.email_design, versions = excluded.versions;
  end if;
  update public.automations a
    set name = c.name, location_ids = c.location_ids, control_share = c.control_share,
    criteria = private.campaign_criteria(c, a.step, a.variant)
  where a.campaign_id = c.id;
  return jsonb_build_object('outcome', 'saved', 'id', c.id);
end
$$;
comment on function public.save_campaign(uuid, uuid, jsonb, integer, uuid) is
  'Makes a campaign by p_person (p_id null), or changes the given fields of a draft as it was at p_version; `messages` given replace the former ones. saved ({id}), not_found, not_draft or changed.';
grant execute on function public.save_campaign(uuid, uuid, jsonb, integer, uuid) to service_role;

create or replace function public.delete_campaign(p_organization uuid, p_campaign uuid) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns := private.lock_campaign(p_organization, p_campaign);
begin
  if c.id is null then
    return 'not_found';
  elsif c.status <> 'draft' then
    return 'not_draft';
  end if;
  delete from public.campaigns where id = c.id;
  return 'deleted';
end
$$;
comment on function public.delete_campaign(uuid, uuid) is 'Deletes a draft: deleted, not_draft or not_found.';
grant execute on function public.delete_campaign(uuid, uuid) to service_role;
-- << supabase/logic/campaigns/drafts.sql

-- >> supabase/logic/campaigns/list.sql
-- The campaigns as a person reads them, with the progress of each.

create or replace function public.list_campaigns(p_id uuid default null, p_status text default null,
  p_limit integer default 50, p_before timestamptz default null, p_before_id uuid default null)
returns jsonb
language sql stable set search_path = ''
as $$
  with shown as materialized (
    select c.* from public.campaigns c
    where (p_id is null or c.id = p_id) and (p_status is null or c.status = p_status)
      and (p_before is null or (c.created_at, c.id) < (p_before, p_before_id))
    order by c.created_at desc, c.id desc limit greatest(least(p_limit, 201), 0)
  )
  select coalesce(jsonb_agg(
    (to_jsonb(c) - array['organization_id', 'created_by', 'launched_by', 'test_share', 'winner_by',
    'test_hours',
      'planned_at', 'decided_at', 'rest_planned_at', 'segment_version'])
    || jsonb_build_object(
      'segment_name', (private.readable_segment(c.segment_id)).name,
      'starts_local', to_char(c.starts_local, 'YYYY-MM-DD"T"HH24:MI'),
      'ab', case when c.test_share is not null then jsonb_build_object('test_share', c.test_share,
        'winner_by', c.winner_by, 'test_hours', c.test_hours) end,
      'mine', coalesce(c.launched_by = (select private.caller()), false),
      'can_approve', c.status = 'waiting_approval'
        and private.may_approve((select private.caller()), c.launched_by),
      'progress', (
        select jsonb_build_object('processed', coalesce(sum(run.processed), 0), 'sent',
          coalesce(sum(run.sent), 0),
          'skipped', coalesce(sum(run.skipped), 0), 'failed', coalesce(sum(run.failed), 0),
          'pending', coalesce(sum(run.processed - run.sent - run.skipped - run.failed), 0),
          'simulated', coalesce(sum(run.simulated), 0))
        from public.automations a join public.automation_runs run on run.automation_id = a.id
        where a.campaign_id = c.id),
      'follow_ups', (
        select coalesce(sum(run.sent), 0)
        from public.automations a join public.automation_runs run on run.automation_id = a.id
        where a.campaign_id = c.id and a.step > 1))
    || case when p_id is null then '{}' else jsonb_build_object('messages', (
        select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'step', a.step, 'variant', a.variant,
          'after_days', a.after_days, 'channel', a.channel, 'fallback_channel', a.fallback_channel, 'subject',
          a.subject,
          'body', a.body, 'content_sid', a.content_sid, 'content_variables', a.content_variables,
          'email_design', a.email_design, 'versions', a.versions)
          order by a.step, a.variant), '[]')
        from public.automations a where a.campaign_id = c.id)) end
    order by c.created_at desc, c.id desc), '[]')
  from shown c
$$;
comment on function public.list_campaigns(uuid, text, integer, timestamptz, uuid) is
  'The campaigns the caller may read, the newest first, from behind (p_before, p_before_id); with p_id that one with its messages.';
grant execute on function public.list_campaigns(uuid, text, integer, timestamptz, uuid) to authenticated;
-- << supabase/logic/campaigns/list.sql

-- >> supabase/logic/campaigns/results.sql
-- What came of a campaign's messages: by version, by link, and guest by guest. Everything is counted from
-- what providers reported of each message; nothing is stored beside it.

create or replace function public.campaign_versions(p_organization uuid, p_campaign uuid,
  p_locations uuid[] default null)
returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan set work_mem = '64MB'
  set jit = off
as $$
declare
  v_ids uuid[] := array(select a.id from public.automations a
    where a.campaign_id = p_campaign and a.organization_id = p_organization);
begin
  return (
    with mine as materialized (
      select m.id, m.customer_id, a.step, a.variant, m.status, m.simulated, m.unsubscribed_at,
        m.complained_at, m.status in ('sent', 'delivered') as is_sent,
        m.status = 'failed' and m.reason in ('bounced', 'soft_bounce') as is_bounced
      from public.messages m join public.automations a on a.id = m.automation_id
      where m.automation_id = any(v_ids) and m.organization_id = p_organization and m.superseded_at is null
        and (p_locations is null or m.location_id = any(p_locations))
    ), firsts as (
      select f.customer_id, min(f.variant) as variant from mine f
      where f.step = 1 and f.customer_id is not null group by f.customer_id
    ), versioned as materialized (
      -- A follow-up has no version of its own: it belongs to the one that its guest got first.
      select m.*, coalesce(f.variant, m.variant) as version
      from mine m left join firsts f on f.customer_id = case when m.step > 1 then m.customer_id end
    ), acts as materialized (
      select v.id, v.version, coalesce(v.customer_id, v.id) as guest, g.link, g.times,
        g.kind = 'click' and g.link <> 'unsubscribe' as is_click
      from versioned v join public.message_engagement g on g.message_id = v.id
      where v.is_sent and g.actor <> 'machine'
    ), engaged as (
      select a.id, bool_or(a.is_click) as clicked from acts a group by a.id
    ), counted as (
      select v.version, count(*) filter (where v.is_sent) as sent,
        count(*) filter (where v.status = 'delivered') as delivered,
        -- A click proves an opening.
        count(e.id) as opened, count(e.id) filter (where e.clicked) as clicked,
        count(v.unsubscribed_at) as unsubscribed, count(v.complained_at) as complained,
        count(*) filter (where v.is_bounced) as bounced,
        count(*) filter (where v.status in ('failed', 'unknown') and v.is_bounced is not true) as failed,
        count(*) filter (where v.is_sent and v.simulated) as simulated
      from versioned v left join engaged e on e.id = v.id group by v.version
    ), links as (
      select k.version, jsonb_agg(jsonb_build_object('url', k.link, 'clicks', k.clicks, 'guests', k.guests)
        order by k.guests desc, k.link) as links
      from (
        select a.version, a.link, sum(a.times) as clicks, count(distinct a.guest) as guests,
          row_number() over (partition by a.version order by count(distinct a.guest) desc, a.link) as place
        from acts a where a.is_click group by a.version, a.link) as k
      where k.place <= 50 group by k.version
    )
    select coalesce(jsonb_agg(jsonb_build_object('variant', a.variant, 'sent', coalesce(c.sent, 0),
      'delivered', coalesce(c.delivered, 0), 'opened', coalesce(c.opened, 0),
      'clicked', coalesce(c.clicked, 0), 'unsubscribed', coalesce(c.unsubscribed, 0),
      'complained', coalesce(c.complained, 0), 'bounced', coalesce(c.bounced, 0),
      'failed', coalesce(c.failed, 0), 'simulated', coalesce(c.simulated, 0),
      'links', coalesce(l.links, '[]')) order by a.variant), '[]')
    from public.automations a
    left join counted c on c.version = a.variant
    left join links l on l.version = a.variant
    where a.id = any(v_ids) and a.step = 1);
end
$$;
comment on function public.campaign_versions(uuid, uuid, uuid[]) is
  'What came of a campaign''s messages to guests of p_locations (or all), by version, follow-ups included: {variant, sent, delivered, opened (not by machines alone), clicked, unsubscribed, complained, bounced, failed (bounced ones apart), simulated, links: [{url, clicks, guests}], the 50 most clicked}.';

create or replace function public.campaign_recipients(p_organization uuid, p_campaign uuid,
  p_outcome text default 'all', p_locations uuid[] default null, p_before timestamptz default null,
  p_before_id uuid default null, p_limit integer default 50)
returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan set jit = off
as $$
begin
  return (
    with page as materialized (
      select w.*, a.step, a.variant
      from public.automations a
      cross join lateral (
        select m.* from public.messages m
        where m.automation_id = a.id and m.organization_id = p_organization and m.superseded_at is null
          and (p_locations is null or m.location_id = any(p_locations))
          and (p_before is null or (m.created_at, m.id) < (p_before, p_before_id))
          and case p_outcome when 'all' then true
            when 'sent' then m.status in ('sent', 'delivered')
            when 'delivered' then m.status = 'delivered'
            when 'opened' then m.status in ('sent', 'delivered') and exists (
              select from public.message_engagement g where g.message_id = m.id and g.actor <> 'machine')
            when 'clicked' then m.status in ('sent', 'delivered') and exists (
              select from public.message_engagement g
              where g.message_id = m.id and g.kind = 'click' and g.actor <> 'machine'
                and g.link <> 'unsubscribe')
            when 'unsubscribed' then m.unsubscribed_at is not null
            when 'complained' then m.complained_at is not null
            when 'bounced' then m.status = 'failed' and m.reason in ('bounced', 'soft_bounce')
            when 'failed' then m.status = 'unknown' or m.status = 'failed'
              and coalesce(m.reason not in ('bounced', 'soft_bounce'), true)
            when 'skipped' then m.status = 'skipped'
            when 'pending' then m.status in ('queued', 'sending')
            when 'simulated' then m.simulated and m.status in ('sent', 'delivered') end
        order by m.created_at desc, m.id desc limit p_limit) as w
      where a.campaign_id = p_campaign and a.organization_id = p_organization
      order by w.created_at desc, w.id desc limit p_limit
    ), told as (
      select p.*, c.id as guest_id, nullif(concat_ws(' ', c.first_name, c.last_name), '') as guest_name,
        -- A follow-up belongs to the version that its guest got first.
        coalesce(case when p.step > 1 then (
          select min(f.variant) from public.messages o join public.automations f on f.id = o.automation_id
          where o.customer_id = p.customer_id and f.campaign_id = p_campaign and f.step = 1) end,
          p.variant) as version,
        p.status in ('sent', 'delivered') as is_sent, e.opened, e.clicked
      from page p
      left join public.customers c on c.id = p.customer_id
      cross join lateral (
        select count(*) > 0 as opened,
          coalesce(bool_or(g.kind = 'click' and g.link <> 'unsubscribe'), false) as clicked
        from public.message_engagement g
        where g.message_id = p.id and g.actor <> 'machine' and p.status in ('sent', 'delivered')) as e
    )
    select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'customer_id', t.guest_id,
      'customer_name', t.guest_name, 'step', t.step, 'variant', t.version, 'channel', t.channel,
      'status', t.status, 'reason', t.reason, 'created_at', t.created_at, 'sent_at', t.sent_at,
      'opened', t.opened, 'clicked', t.clicked, 'unsubscribed', t.unsubscribed_at is not null,
      'outcome', case when t.complained_at is not null then 'complained'
        when t.unsubscribed_at is not null then 'unsubscribed'
        when t.clicked then 'clicked' when t.opened then 'opened'
        when t.is_sent and t.simulated then 'simulated'
        when t.is_sent then t.status
        when t.status = 'failed' and t.reason in ('bounced', 'soft_bounce') then 'bounced'
        when t.status = 'skipped' then 'skipped'
        when t.status in ('queued', 'sending') then 'pending' else 'failed' end)
      order by t.created_at desc, t.id desc), '[]')
    from told t);
end
$$;
comment on function public.campaign_recipients(uuid, uuid, text, uuid[], timestamptz, uuid, integer) is
  'A keyset page of a campaign''s messages to guests of p_locations (or all), the newest first, from behind (p_before, p_before_id): those for which p_outcome is true, by the rules of campaign_versions; all of them with all. Each with its guest and, as its own outcome, the furthest it came.';

create or replace function public.log_recipients_export(p_campaign uuid, p_filters jsonb) returns uuid
language sql volatile security definer set search_path = ''
as $$
  select private.start_export((
      select c.organization_id from public.campaigns c
      where c.id = p_campaign
        and c.organization_id = any(array(select private.my_organizations('canAccessMarketing')))
        and c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
        and ((select private.works_everywhere())
          or (c.location_ids <> '{}' and c.location_ids <@ array(select private.my_locations())))),
    'recipients', jsonb_build_object('campaign_id', p_campaign) || p_filters)
$$;
comment on function public.log_recipients_export(uuid, jsonb) is
  'Counts and logs that the caller starts to download the recipients of a campaign that match the filters; returns the id by which end_export ends it. Null when they may not: it takes access to customers, too.';

create or replace function public.campaign_template(p_organization uuid, p_automation uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'template', private.template_of(a) || jsonb_build_object('email_look', private.email_look_of(a)),
    'organization_name', o.name, 'group_language', o.language,
    'location_name', (select l.name from public.locations l
      where l.organization_id = o.id and (a.location_ids = '{}' or l.id = any(a.location_ids))
      order by l.name limit 1),
    'tier', (select t.name from public.loyalty_tiers t where t.organization_id = o.id
      order by t.name limit 1))
  from public.automations a join public.organizations o on o.id = a.organization_id
  where a.id = p_automation and a.organization_id = p_organization
$$;
comment on function public.campaign_template(uuid, uuid) is
  'The template of a campaign''s message with the look it was launched with, and what an example guest needs: {template, organization_name, group_language, location_name, tier}.';
grant execute on function public.campaign_versions(uuid, uuid, uuid[]),
  public.campaign_recipients(uuid, uuid, text, uuid[], timestamptz, uuid, integer),
  public.campaign_template(uuid, uuid) to service_role;
grant execute on function public.log_recipients_export(uuid, jsonb) to authenticated;
-- << supabase/logic/campaigns/results.sql

-- >> supabase/logic/customers/changes.sql
-- Creating and changing customers. Tables stay read-only to people; these functions run with their owner's
-- rights and check who calls. Each leaves a line in audit_log.

-- The plan is kept, as that of consents_json is.
create or replace function private.customers_json(p_customers public.customers[]) returns setof jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select (to_jsonb(c) - array['organization_id', 'updated_at', 'sort_name', 'sort_visit', 'search_text',
    'birth_day',
      'email_key', 'loyalty_tier_id', 'consents', 'ordinality'])
    || jsonb_build_object(
      'loyalty_tier', case when t.id is not null then jsonb_build_object('id', t.id, 'name', t.name) end,
      'consent', held.consent, 'allergies', coalesce(a.codes, '[]'),
      'emails', coalesce(f.emails, '{}'), 'phones', coalesce(f.phones, '{}'))
  from unnest(p_customers) with ordinality as c
  join private.consents_json(p_customers) as held on held.customer_id = c.id
  left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
  left join private.allergy_codes(array(select one.id from unnest(p_customers) as one)) as a
    on a.customer_id = c.id
  left join private.further_contacts(p_customers) as f on f.customer_id = c.id
  order by c.ordinality;
end
$$;
comment on function private.customers_json(public.customers[]) is
  'Each of the customers as the API gives it, in their order.';

create or replace function private.customer_json(p_customer public.customers) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (select shown.customer from private.customers_json(array[p_customer]) as shown (customer));
end
$$;
comment on function private.customer_json(public.customers) is 'A customer as the API gives it.';

create or replace function private.customer_fields() returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select array['email', 'phone', 'first_name', 'last_name', 'birth_date', 'company', 'job_title', 'address',
    'postal_code', 'city', 'language', 'tags', 'notes', 'location_id']
$$;
comment on function private.customer_fields() is
  'The columns of customers that people edit, the GUEST_FIELDS of lib/customers/guest-fields.ts: what save_customer takes and an export shows. A file brings all but the location. A merge chooses from them (all but the tags) and from the WhatsApp id.';

create or replace function private.write_customer_fields(p_next public.customers[],
  p_also text[] default '{}') returns void
language plpgsql volatile set search_path = ''
as $$
begin
  execute (
    select format('update public.customers c set (%1$s) = row(%2$s) from unnest($1) as n where c.id = n.id',
      string_agg(quote_ident(f), ', '), string_agg(format('n.%I', f), ', '))
    from unnest(private.customer_fields() || p_also) as f)
  using p_next;
end
$$;
comment on function private.write_customer_fields(public.customers[], text[]) is
  'Writes the columns of customer_fields, and p_also, to the customers with these ids, and no other column.';
grant execute on function private.customer_fields(), private.write_customer_fields(public.customers[], text[])
  to service_role;

create or replace function private.checked_column(p_table text, p_constraint text) returns text
language sql stable set search_path = ''
as $$
  select a.attname::text from pg_catalog.pg_constraint k
  join pg_catalog.pg_class t on t.oid = k.conrelid
  join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  where k.connamespace = 'public'::regnamespace and t.relname = p_table and k.conname = p_constraint
$$;
comment on function private.checked_column(text, text) is
  'The column that a check of a table is about, the first where there are several: to name the field whose value was refused.';

create or replace function public.save_customer(p_fields jsonb, p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_editable constant text[] := private.customer_fields();
  v_fields jsonb := (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) as f
    where f.key = any(v_editable));
  v_wishes constant jsonb := p_fields -> 'consent';
  v_old public.customers;
  v_next public.customers;
  v_changed text[];
  v_obstacle jsonb;
  v_edited jsonb;
  v_check text;
  v_held jsonb;
  v_wanted jsonb;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  perform private.lock_identities(v_organization);
  if p_id is not null then
    select * into v_old from public.customers where id = p_id and organization_id = v_organization for update;
    if v_old.id is null then
      return jsonb_build_object('outcome', 'not_found');
    end if;
  end if;
  v_next := jsonb_populate_record(v_old, v_fields);
  v_next.tags := coalesce(v_next.tags, '{}');
  v_held := private.contacts_of(v_old);
  v_wanted := private.wanted_contacts(p_fields, v_held, v_next);
  if p_id is not null and p_fields ? 'loaded' then
    v_edited := private.edited_meanwhile(to_jsonb(jsonb_populate_record(v_old, p_fields -> 'loaded'))
        || v_held || private.lists_of(p_fields -> 'loaded'),
      to_jsonb(v_old) || v_held, to_jsonb(v_next) || v_wanted, v_fields || private.lists_of(p_fields));
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
  end if;
  select array_agg(n.key order by n.key) into v_changed from jsonb_each(to_jsonb(v_next) || v_wanted) as n
  where n.key = any(v_editable || array['emails', 'phones'])
    and n.value is distinct from (to_jsonb(v_old) || v_held) -> n.key;
  if p_id is not null and v_changed is null and v_wishes is null then
    return jsonb_build_object('outcome', 'saved', 'customer', private.customer_json(v_old));
  end if;
  if coalesce(v_next.email, v_next.phone, v_next.first_name, v_next.last_name) is null then
    return jsonb_build_object('outcome', 'nameless');
  end if;
  if v_next.location_id is distinct from v_old.location_id and v_next.location_id is not null and not exists (
    select 1 from public.locations l where l.id = v_next.location_id
      and l.id = any(array(select private.my_locations()))
  ) then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  -- Else they could make guests of other locations their own, to write to or to erase.
  if v_next.location_id is distinct from v_old.location_id
    and v_old.location_id <> all(array(select private.my_locations())) then
    return jsonb_build_object('outcome', 'foreign_location');
  end if;
  v_next.organization_id := v_organization;
  v_obstacle := coalesce(private.contact_obstacle(p_fields, v_held, v_wanted, v_old, v_next),
    private.consent_obstacle(v_next, v_wishes));
  if v_obstacle is not null then
    return v_obstacle;
  end if;
  begin
    if p_id is null then
      insert into public.customers (organization_id, source) values (v_organization, 'Manual')
        returning id into v_next.id;
    end if;
    if p_id is null or v_changed is not null then
      perform private.write_customer_fields(array[v_next]);
      perform private.suggest_for(v_next.id);
    end if;
    if v_changed && array['email', 'phone', 'emails', 'phones'] then
      -- Someone who opted out at an address stays opted out when another one takes its place.
      perform private.inherit_opt_outs(array[v_old]);
      perform private.write_contacts(v_next, v_wanted);
      perform private.keep_opt_outs(v_old, v_held, v_next, v_wanted);
    end if;
  exception
    when unique_violation then
      get stacked diagnostics v_check = constraint_name;
      return case v_check
        when 'customer_aliases_email_key'
          then jsonb_build_object('outcome', 'contact_taken', 'field', 'emails')
        else jsonb_build_object('outcome', 'duplicate_email') end;
    when check_violation then
      get stacked diagnostics v_check = constraint_name;
      return jsonb_build_object('outcome', 'malformed', 'field', coalesce(
        private.checked_column('customers', v_check),
        private.checked_column('customer_aliases', v_check) || 's'));
  end;
  if p_id is not null then
    perform private.keep_name(v_old, p_id);
  end if;
  if p_id is null or v_changed is not null then
    perform private.audit(v_organization,
      case when p_id is null then 'customer.created' else 'customer.changed' end,
      v_next.id, case when p_id is null then '{}' else jsonb_build_object('fields', to_jsonb(v_changed)) end);
  end if;
  perform private.record_consent(v_next.id, v_wishes);
  select * into v_next from public.customers where id = v_next.id;
  return jsonb_build_object('outcome', 'saved', 'customer', private.customer_json(v_next));
end
$$;
comment on function public.save_customer(jsonb, uuid) is
  'Creates a customer, or changes the fields given; emails and phones replace their further ones: outcome saved (with customer), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), nameless, unknown_location, foreign_location (of the customer: the caller does not work in their usual one), duplicate_email, contact_taken (with the field of the further one, as emails.1, and the contact), too_many_contacts (with its field), malformed (with its field: a check of the table refuses it), forbidden, or for a consent (with its channel) no_address_for or address_refused.';
grant execute on function public.save_customer(jsonb, uuid) to authenticated;
-- << supabase/logic/customers/changes.sql

-- >> supabase/logic/customers/merge_undo_fields.sql
-- What an undone merge gives back to the customers themselves: fields, tags, consents and tier of both.

create or replace function private.undo_fields(p_now public.customers, p_before public.customers,
  p_after public.customers)
returns text[]
language sql stable set search_path = ''
as $$
  select coalesce(array_agg(f order by f) filter (where to_jsonb(p_now) -> f is distinct
    from to_jsonb(p_after) -> f), '{}')
  from unnest(array_remove(array_remove(private.customer_fields(), 'tags'), 'location_id')
    || array['whatsapp_id']) as f
  where to_jsonb(p_before) -> f is distinct from to_jsonb(p_after) -> f
$$;
comment on function private.undo_fields(public.customers, public.customers, public.customers) is
  'The fields that a merge changed and that were changed again since: they keep their current values.';

create or replace function private.undo_consents(p_now jsonb, p_before jsonb, p_after jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(c.channel, c.record) filter (where c.record is not null), '{}')
  from (
    select channel, case when p_now -> channel is not distinct
      from p_after -> channel then p_before -> channel
      else p_now -> channel end as record
    from unnest(array['whatsapp', 'sms', 'email']) as channel
  ) as c
$$;
comment on function private.undo_consents(jsonb, jsonb, jsonb) is
  'The consents before a merge, except for channels with a consent recorded since.';

create or replace function private.withdrawn_since(p_restored jsonb, p_now jsonb, p_after jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select p_restored || coalesce((
    select jsonb_object_agg(w.key, w.value) from jsonb_each(p_now) as w
    where w.value ->> 'basis' = 'none' and w.value is distinct from p_after -> w.key), '{}')
$$;
comment on function private.withdrawn_since(jsonb, jsonb, jsonb) is
  'The consents of the restored customer, without those withdrawn while both were merged, because it is unknown which of the two withdrew.';

create or replace function private.insert_customer(p_customer public.customers) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Every column that is not computed, so that none is forgotten.
  execute (
    select format('insert into public.customers (%1$s) select %1$s from (select ($1).*) as c',
      string_agg(quote_ident(a.attname), ', ' order by a.attnum))
    from pg_catalog.pg_attribute a
    where a.attrelid = 'public.customers'::regclass and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '')
  using p_customer;
end
$$;
comment on function private.insert_customer(public.customers) is 'Creates a customer again, as it was.';

create or replace function private.undo_customers(p_merge uuid, p_now public.customers) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_record private.merged_customers;
  v_before public.customers;
  v_after public.customers;
  v_gone public.customers;
  v_next public.customers;
  v_stays text[];
  v_missing text[] := '{}';
begin
  select * into v_record from private.merged_customers where merge_id = p_merge;
  v_before := jsonb_populate_record(null::public.customers, v_record.kept_before);
  v_after := jsonb_populate_record(null::public.customers, v_record.kept_after);
  v_gone := jsonb_populate_record(null::public.customers, v_record.gone);

  v_stays := private.undo_fields(p_now, v_before, v_after);
  v_next := jsonb_populate_record(p_now, (
    select coalesce(jsonb_object_agg(b.key, b.value), '{}') from jsonb_each(to_jsonb(v_before)) as b
    where b.key = any(private.customer_fields() || array['whatsapp_id', 'created_at'])
      and b.key <> 'tags' and to_jsonb(p_now) -> b.key is not distinct from to_jsonb(v_after) -> b.key));
  v_next.tags := array(
    select t.tag from unnest(p_now.tags) with ordinality as t (tag, position)
    where t.tag = any(v_before.tags) or t.tag <> all(v_after.tags) order by t.position);
  v_next.consents := private.undo_consents(p_now.consents, v_before.consents, v_after.consents);
  v_gone.consents := private.withdrawn_since(v_gone.consents, p_now.consents, v_after.consents);
  -- What the guest asked for since the merge holds for both: it is unknown which of the two asked. A merge of
  -- before there were such wishes has none.
  if p_now.write_frequency is not distinct from v_after.write_frequency then
    v_next.write_frequency := v_before.write_frequency;
  else
    v_gone.write_frequency := coalesce(v_gone.write_frequency, p_now.write_frequency);
  end if;
  if p_now.muted_brands = coalesce(v_after.muted_brands, '{}') then
    v_next.muted_brands := coalesce(v_before.muted_brands, '{}');
    v_gone.muted_brands := coalesce(v_gone.muted_brands, '{}');
  else
    v_gone.muted_brands := private.all_muted(v_gone.muted_brands, p_now.muted_brands);
  end if;
  select t.id into v_next.loyalty_tier_id from (select 1) as one
    left join public.loyalty_tiers t on t.id = v_before.loyalty_tier_id;
  select t.id into v_gone.loyalty_tier_id from (select 1) as one
    left join public.loyalty_tiers t on t.id = v_gone.loyalty_tier_id;
  select l.id into v_next.location_id from (select 1) as one
    left join public.locations l on l.id = v_next.location_id;
  select l.id into v_gone.location_id from (select 1) as one
    left join public.locations l on l.id = v_gone.location_id;

  -- An e-mail belongs to one customer: another one may have got it since, as the first or a further one.
  if v_next.email is distinct from p_now.email
    and private.is_email_taken(p_now.organization_id, v_next.email, array[p_now.id]) then
    v_stays := v_stays || 'email'::text;
    -- It keeps its present e-mail, unless that is the restored customer's.
    v_next.email := nullif(p_now.email, v_gone.email);
  end if;
  if v_gone.email = v_next.email
    or private.is_email_taken(p_now.organization_id, v_gone.email, array[p_now.id]) then
    v_missing := v_missing || 'email'::text;
    v_gone.email := null;
  end if;

  perform private.write_customer_fields(array[v_next]);
  update public.customers c set whatsapp_id = v_next.whatsapp_id, loyalty_tier_id = v_next.loyalty_tier_id,
    consents = v_next.consents, write_frequency = v_next.write_frequency,
    muted_brands = v_next.muted_brands, created_at = v_next.created_at
  where c.id = v_next.id;
  perform private.insert_customer(v_gone);
  return jsonb_build_object('kept', to_jsonb(v_stays), 'restored', to_jsonb(v_missing));
end
$$;
comment on function private.undo_customers(uuid, public.customers) is
  'Restores the remaining customer''s fields, where they still have the merge''s values, and creates the other customer again: {kept, restored}, the fields that could not be restored.';
-- << supabase/logic/customers/merge_undo_fields.sql

-- >> supabase/logic/customers/merges.sql
-- Merging two customers who are one person. merge_undo.sql takes it back.

create or replace function private.merge_messages(p_merge uuid, p_from uuid, p_to uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Two messages are about one thing when their keys differ by the customer only, or one run wrote both by
  -- one channel. The message that may have been sent is kept, else the remaining customer's; the other one,
  -- if queued, is not sent, and leaves its channel to the one that is kept.
  with theirs as (
    select m.*, replace(m.dedupe_key, p_from::text, p_to::text) as next_key,
      row_number() over (order by m.status in ('skipped', 'failed'), m.status = 'queued',
        m.customer_id = p_from, m.id) as place
    from public.messages m where m.customer_id in (p_from, p_to)
  ), pairs as (
    select b.id, bool_or(b.next_key = a.next_key) as same_key, bool_or(coalesce(b.run_id = a.run_id, false)
      and (b.channel = a.channel or b.status = 'queued' and b.next_key = a.next_key)
      and b.reservation_id is not distinct from a.reservation_id) as same_run
    from theirs b join theirs a on a.place < b.place and a.customer_id <> b.customer_id
    group by b.id
  ), recorded as (
    insert into private.merged_rows (merge_id, source, role, row_id, was)
    select p_merge, 'public.messages', 'changed', m.id, jsonb_build_object('customer_id', m.customer_id,
      'dedupe_key', m.dedupe_key, 'recipient', m.recipient, 'content',
      case when p.same_run then m.content end)
    from pairs p join theirs m on m.id = p.id where p.same_key or p.same_run
  )
  update public.messages m set
    dedupe_key = case when pairs.same_key then m.dedupe_key || ':merged:' || m.id else m.dedupe_key end,
    -- One run has one message for a customer.
    customer_id = case when not pairs.same_run then m.customer_id end,
    recipient = case when not pairs.same_run then m.recipient end,
    content = case when not pairs.same_run then m.content else '{}' end,
    reason = case when m.status = 'queued' then 'merged' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  from pairs where pairs.id = m.id and (pairs.same_key or pairs.same_run);
  with renamed as (
    select m.id, m.dedupe_key from public.messages m
    where m.customer_id = p_from and m.dedupe_key <> replace(m.dedupe_key, p_from::text, p_to::text)
  ), recorded as (
    insert into private.merged_rows (merge_id, source, role, row_id, was)
    select p_merge, 'public.messages', 'changed', r.id,
      jsonb_build_object('customer_id', p_from, 'dedupe_key', r.dedupe_key)
    from renamed r where not exists (
      select 1 from private.merged_rows k
      where k.merge_id = p_merge and k.source = 'public.messages' and k.role = 'changed' and k.row_id = r.id)
  )
  update public.messages m set dedupe_key = replace(m.dedupe_key, p_from::text, p_to::text)
  from renamed r where r.id = m.id;
end
$$;
comment on function private.merge_messages(uuid, uuid, uuid) is
  'Before a merge: of two messages with the same subject only one is kept, and the keys name the remaining customer, so that no automation sends another.';

create or replace function private.merge_facts(p_merge uuid, p_from uuid, p_to uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into private.merged_rows (merge_id, source, role, was)
  select p_merge, 'public.customer_facts', 'changed',
    jsonb_build_object('gone', to_jsonb(f), 'kept', to_jsonb(k))
  from public.customer_facts f
  left join public.customer_facts k on k.customer_id = p_to and k.code = f.code
  where f.customer_id = p_from;
  with doubled as (
    delete from public.customer_facts f using public.customer_facts k
    where f.customer_id = p_from and k.customer_id = p_to and k.code = f.code
    returning f.code, f.note
  )
  update public.customer_facts k
  set note = left(concat_ws(' · ', k.note, nullif(d.note, k.note)), 200)
  from doubled d where k.customer_id = p_to and k.code = d.code and d.note is not null;
  update public.customer_facts f set customer_id = p_to where f.customer_id = p_from;
  update private.merged_rows m set was = m.was || jsonb_build_object('after', to_jsonb(k))
  from public.customer_facts k
  where m.merge_id = p_merge and m.source = 'public.customer_facts' and k.customer_id = p_to
    and k.code = m.was #>> '{gone,code}';
end
$$;
comment on function private.merge_facts(uuid, uuid, uuid) is
  'Before a merge: facts recorded for both customers are kept once, with the notes of both.';

create or replace function private.merge_pairs(p_merge uuid, p_from uuid, p_to uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  with theirs as (
    select k.*, case k.first_id when p_from then k.second_id else k.first_id end as other
    from public.customer_pairs k where p_from in (k.first_id, k.second_id)
  ), gone as (
    delete from public.customer_pairs k using theirs t
    where k.id = t.id and (t.other = p_to or exists (
      select 1 from public.customer_pairs o
      where o.first_id = least(p_to, t.other) and o.second_id = greatest(p_to, t.other)))
    returning k.*
  )
  insert into private.merged_rows (merge_id, source, role, row_id, was)
  select p_merge, 'public.customer_pairs', 'removed', g.id, to_jsonb(g) from gone g;
  -- The row stays the same, so that merges of the other one find it too.
  with moved as (
    update public.customer_pairs k set first_id = least(p_to, t.other), second_id = greatest(p_to, t.other)
    from (
      select o.id, case o.first_id when p_from then o.second_id else o.first_id end as other
      from public.customer_pairs o where p_from in (o.first_id, o.second_id)
    ) as t where k.id = t.id
    returning k.id
  )
  insert into private.merged_rows (merge_id, source, role, row_id)
  select p_merge, 'public.customer_pairs', 'moved', m.id from moved m;
end
$$;
comment on function private.merge_pairs(uuid, uuid, uuid) is
  'Before a merge: verdicts "not the same person" about the merged customer are copied to the remaining one.';

create or replace function private.links_to_customers()
  returns table (source regclass, field name, has_id boolean)
language sql stable set search_path = ''
as $$
  select f.conrelid::regclass, a.attname, exists (
    select 1 from pg_catalog.pg_attribute i
    where i.attrelid = f.conrelid and i.attname = 'id' and i.atttypid = 'uuid'::regtype)
  from pg_catalog.pg_constraint f
  join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
  where f.contype = 'f' and f.confrelid = 'public.customers'::regclass
  order by f.conrelid::regclass::text, a.attname
$$;
comment on function private.links_to_customers() is
  'Every column with a foreign key to customers, found in the catalogue. Rows without an id cannot be separated again by id.';

create or replace function private.move_references(p_merge uuid, p_from uuid, p_to uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_link record;
begin
  perform private.merge_messages(p_merge, p_from, p_to);
  perform private.merge_facts(p_merge, p_from, p_to);
  perform private.merge_pairs(p_merge, p_from, p_to);
  perform private.forget_identity(p_from);
  -- Derived data: refresh_customers computes the rhythm of both.
  delete from public.customer_rhythms k where k.customer_id = p_from;
  -- Both have entries for the same visit, which was moved between them.
  insert into private.merged_rows (merge_id, source, role, row_id)
  select p_merge, 'public.loyalty_points', 'own', p.id from public.loyalty_points p
  join public.reservations r on r.id = p.reservation_id
  where p.customer_id = p_to and r.customer_id = p_from;
  for v_link in select * from private.links_to_customers() loop
    if v_link.has_id then
      execute format('with moved as (update %1$s set %2$I = $1 where %2$I = $2 returning id)
        insert into private.merged_rows (merge_id, source, field, role, row_id)
        select $3, %3$L, %4$L, ''moved'', id from moved', v_link.source, v_link.field, v_link.source::text, v_link.field)
      using p_to, p_from, p_merge;
    else
      execute format('update %1$s set %2$I = $1 where %2$I = $2', v_link.source, v_link.field)
        using p_to, p_from;
    end if;
  end loop;
end
$$;
comment on function private.move_references(uuid, uuid, uuid) is
  'Points every reference to the one customer at the other, and records which.';

create or replace function private.keep_addresses(p_kept public.customers, p_gone public.customers,
  p_next public.customers) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.customer_aliases a where a.customer_id = p_next.id
    and (a.email = p_next.email or a.phone = p_next.phone);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select p_next.organization_id, p_next.id, lost from unnest(array[p_kept.email, p_gone.email]) as lost
  where lost <> p_next.email
  on conflict (organization_id, email) where email is not null do update
    set customer_id = excluded.customer_id;
  insert into public.customer_aliases (organization_id, customer_id, phone)
  select p_next.organization_id, p_next.id, lost from unnest(array[p_kept.phone, p_gone.phone]) as lost
  where lost <> p_next.phone and not exists (
    select 1 from public.customer_aliases a where a.customer_id = p_next.id and a.phone = lost);
  insert into public.customer_aliases (organization_id, customer_id, whatsapp_id)
  select p_next.organization_id, p_next.id, lost
    from unnest(array[p_kept.whatsapp_id, p_gone.whatsapp_id]) as lost
  where lost <> p_next.whatsapp_id and not exists (
    select 1 from public.customer_aliases a where a.customer_id = p_next.id and a.whatsapp_id = lost);
end
$$;
comment on function private.keep_addresses(public.customers, public.customers, public.customers) is
  'After a merge: the addresses of both that the remaining customer does not use become its aliases.';

create or replace function private.record_aliases(p_merge uuid, p_customer uuid, p_before jsonb) returns void
language sql volatile set search_path = ''
as $$
  insert into private.merged_rows (merge_id, source, role, row_id, was)
  select p_merge, 'public.customer_aliases', case when b.id is null then 'added' else 'removed' end,
    coalesce(b.id, n.id), b.was
  from (select (a.value ->> 'id')::uuid as id, a.value as was from jsonb_array_elements(p_before) as a) as b
  full join (select a.id from public.customer_aliases a where a.customer_id = p_customer) as n on n.id = b.id
  where b.id is null or n.id is null;
  update private.merged_rows m set was = a.value
  from jsonb_array_elements(p_before) as a (value)
  where m.merge_id = p_merge and m.source = 'public.customer_aliases' and m.role = 'moved'
    and m.row_id = (a.value ->> 'id')::uuid
$$;
comment on function private.record_aliases(uuid, uuid, jsonb) is
  'After a merge: records the former addresses and names that it added and removed, and what those that it moved were.';

create or replace function private.merge_opt_outs(p_kept public.customers, p_gone public.customers,
  p_next public.customers, p_aliases jsonb) returns void
language sql volatile set search_path = ''
as $$
  select private.carry_opt_outs(p_next.organization_id, array_agg(s.former), array_agg(k.first))
  from (values (p_kept.id, 'email', p_kept.email, p_next.email),
    (p_gone.id, 'email', p_gone.email, p_next.email), (p_kept.id, 'phone', p_kept.phone, p_next.phone),
    (p_gone.id, 'phone', p_gone.phone, p_next.phone)) as k (customer_id, kind, former, first)
  cross join lateral (
    select k.former where k.former is not null
    union
    select a.value ->> k.kind from jsonb_array_elements(p_aliases) as a
    where k.former is null and a.value ->> 'customer_id' = k.customer_id::text) as s (former)
  where k.first is not null and s.former is not null
$$;
comment on function private.merge_opt_outs(public.customers, public.customers, public.customers, jsonb) is
  'After a merge: what each of both opted out of holds for the remaining first e-mail and phone. For a side that had none, what holds for its further ones (of p_aliases, those before the merge) counts.';

create or replace function private.taken_fields(p_kept public.customers, p_gone public.customers,
  p_fields text[]) returns jsonb
language sql stable set search_path = ''
as $$
  -- Blanks are filled from the duplicate; named fields are taken from it when it has them.
  select coalesce(jsonb_object_agg(g.key, g.value), '{}') from jsonb_each(to_jsonb(p_gone)) as g
  where g.key = any(array_remove(private.customer_fields(), 'tags') || array['whatsapp_id'])
    and g.value <> 'null'
    -- Only who works at the usual location may replace it, as in save_customer.
    and (g.key <> 'location_id' or p_kept.location_id is null
      or p_kept.location_id = any(array(select private.my_locations())))
    and (g.key = any(p_fields) or to_jsonb(p_kept) -> g.key = 'null'
      -- The WhatsApp id belongs to the number.
      or g.key = 'whatsapp_id' and 'phone' = any(p_fields))
$$;
comment on function private.taken_fields(public.customers, public.customers, text[]) is
  'The fields, with their values, that the remaining customer of a merge takes from the duplicate.';

create or replace function private.all_muted(p_one uuid[], p_other uuid[]) returns uuid[]
language sql immutable set search_path = ''
as $$
  select array(select unnest(p_one) union select unnest(p_other) order by 1)
$$;
comment on function private.all_muted(uuid[], uuid[]) is 'The brands that are in either list, each once.';

create or replace function private.merged_customer(p_kept public.customers, p_gone public.customers,
  p_taken jsonb) returns public.customers
language plpgsql stable set search_path = ''
as $$
declare
  c public.customers := jsonb_populate_record(p_kept, p_taken);
begin
  -- Notes may mention an allergy, so both texts are kept.
  if not p_taken ? 'notes' and p_gone.notes <> p_kept.notes then
    c.notes := left(p_kept.notes || E'\n' || p_gone.notes, 20000);
  end if;
  c.tags := array(
    select t.tag from unnest(p_kept.tags || p_gone.tags) with ordinality as t (tag, position)
    group by t.tag order by min(t.position) limit 200);
  c.loyalty_tier_id := (select t.id from public.loyalty_tiers t
    where t.id in (p_kept.loyalty_tier_id, p_gone.loyalty_tier_id) order by t.rank desc limit 1);
  c.consents := private.merged_consents(p_kept.consents, p_gone.consents);
  -- The stricter wish of both.
  c.write_frequency := coalesce(p_kept.write_frequency, p_gone.write_frequency);
  c.muted_brands := private.all_muted(p_kept.muted_brands, p_gone.muted_brands);
  return c;
end
$$;
comment on function private.merged_customer(public.customers, public.customers, jsonb) is
  'What becomes of the remaining customer in a merge, with the fields taken from the duplicate.';

create or replace function public.merge_customers(p_id uuid, p_duplicate_id uuid,
  p_fields text[] default '{}') returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_merge uuid := gen_random_uuid();
  v_kept public.customers;
  v_gone public.customers;
  v_next public.customers;
  v_taken jsonb;
  v_aliases jsonb;
begin
  if p_id = p_duplicate_id then
    return jsonb_build_object('outcome', 'same');
  end if;
  perform private.lock_identities(v_organization);
  perform 1 from public.customers where id in (p_id, p_duplicate_id) and organization_id = v_organization
  order by id for update;
  select * into v_kept from public.customers where id = p_id and organization_id = v_organization;
  select * into v_gone from public.customers where id = p_duplicate_id and organization_id = v_organization;
  if v_kept.id is null or v_gone.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;

  v_taken := private.taken_fields(v_kept, v_gone, p_fields);
  v_next := private.merged_customer(v_kept, v_gone, v_taken);

  -- The order of merges decides which can be undone next; two merges may have the same time.
  insert into public.customer_merges (id, organization_id, kept_id, gone_id, author_id, author_name,
    merged_at)
  select v_merge, v_organization, p_id, p_duplicate_id, (select private.caller()),
    coalesce(private.my_name(), private.actor_name()),
    greatest(clock_timestamp(), max(m.merged_at) + interval '1 microsecond')
  from public.customer_merges m where m.kept_id in (p_id, p_duplicate_id);
  select coalesce(jsonb_agg(to_jsonb(a)), '[]') into v_aliases
  from public.customer_aliases a where a.customer_id in (p_id, p_duplicate_id);

  perform private.move_references(v_merge, p_duplicate_id, p_id);
  delete from public.customers where id = p_duplicate_id;
  perform private.write_customer_fields(array[v_next]);
  update public.customers c set whatsapp_id = v_next.whatsapp_id, loyalty_tier_id = v_next.loyalty_tier_id,
    consents = v_next.consents, write_frequency = v_next.write_frequency,
    muted_brands = v_next.muted_brands, created_at = least(v_kept.created_at, v_gone.created_at)
  where c.id = p_id;
  perform private.keep_addresses(v_kept, v_gone, v_next);
  perform private.keep_name(v_kept, p_id), private.keep_name(v_gone, p_id);
  perform private.record_aliases(v_merge, p_id, v_aliases);
  perform private.share_whatsapp_stop(v_organization, private.whatsapp_addresses_of(p_id));
  perform private.merge_opt_outs(v_kept, v_gone, v_next, v_aliases);

  perform private.refresh_customers(array[p_id]);
  select * into v_next from public.customers where id = p_id;
  insert into private.merged_customers (merge_id, gone, kept_before, kept_after)
  values (v_merge, to_jsonb(v_gone), to_jsonb(v_kept), to_jsonb(v_next));
  perform private.audit(v_organization, 'customer.merged', p_id,
    jsonb_build_object('duplicate_id', p_duplicate_id,
    'fields', array(select k from jsonb_object_keys(v_taken) as k order by k)));
  return jsonb_build_object('outcome', 'merged', 'customer', private.customer_json(v_next), 'merge_id',
    v_merge);
end
$$;
comment on function public.merge_customers(uuid, uuid, text[]) is
  'Makes one customer of two: outcome merged (with customer, and the merge_id by which it can be undone for 30 days), same or not_found. p_fields are taken from the duplicate.';
grant execute on function public.merge_customers(uuid, uuid, text[]) to authenticated;
-- << supabase/logic/customers/merges.sql

-- >> supabase/logic/customers/search.sql
-- Finding and reading customers: the list with its filters, and what a customer's page shows.

create or replace function private.birth_days(p_from date, p_days integer) returns smallint[]
language sql stable set search_path = ''
as $$
  select array(
    select (extract(month from p_from + n) * 100 + extract(day from p_from + n))::smallint
    from generate_series(0, p_days) as n
    union
    -- In common years a birthday on 29 February is celebrated on the 28th.
    select 229::smallint from generate_series(0, p_days) as n
    where to_char(p_from + n, 'MMDD') = '0228' and to_char(p_from + n + 1, 'MMDD') = '0301')
$$;
comment on function private.birth_days(date, integer) is
  'The values of customers.birth_day from that date on, for so many days.';

create or replace function private.born_after(p_today date) returns date
language sql immutable
as $$
  select (p_today - interval '111 years')::date
$$;
comment on function private.born_after(date) is
  'Who was born then or before would be older than 110: the birth date stands for none, as 1900-01-01 does, and has no birthdays.';
grant execute on function private.born_after(date) to service_role;

create or replace function private.guest_search(p_organization uuid, p_patterns text[]) returns text
language plpgsql stable set search_path = ''
as $$
begin
  -- A search has at most 200 characters; each pattern is a condition to plan.
  if cardinality(p_patterns) > 100 then
    raise exception 'too many patterns' using errcode = '22023';
  end if;
  -- Few guests are named by their ids, for which an index beside that of the text is enough. Of more than a
  -- count counts all would take a second to read: each guest is asked, until the page is full. Without its
  -- offset Postgres would read all nevertheless.
  return coalesce((
    select string_agg(case
      when found.ids is null then format(' and c.search_text like %L', p.pattern)
      when cardinality(found.ids) <= 500
        then format(' and (c.search_text like %L or c.id = any(%L::uuid[]))', p.pattern, found.ids)
      when cardinality(found.ids) <= 5000
        then format(' and (c.search_text like %1$L or c.id in (select a.customer_id
          from public.customer_aliases a where a.organization_id = %2$L
            and (a.email is not null or a.phone is not null)
            and private.fold(coalesce(a.email, a.phone)) like %1$L))', p.pattern, p_organization)
      else format(' and (c.search_text like %1$L or exists (select from public.customer_aliases a
        where a.customer_id = c.id and (a.email is not null or a.phone is not null)
          and private.fold(coalesce(a.email, a.phone)) like %1$L offset 0))', p.pattern) end, '')
    from unnest(p_patterns) as p (pattern)
    -- Two letters stand in most addresses, and no index serves them.
    left join lateral (
      select nullif(array(
        select a.customer_id from public.customer_aliases a
        where length(p.pattern) >= 5 and a.organization_id = p_organization
          and (a.email is not null or a.phone is not null)
          and private.fold(coalesce(a.email, a.phone)) like p.pattern limit 5001), '{}')
      ) as found (ids) on true), '');
end
$$;
comment on function private.guest_search(uuid, text[]) is
  'The condition of a query of customers c for a search: each pattern of LIKE in name, company, an e-mail or a phone, further ones included.';

create or replace function private.customers_where(p_organization uuid, p_filters jsonb, p_now timestamptz)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_inactive_since timestamptz := p_now - make_interval(days => (p_filters ->> 'inactive_days')::integer);
  v_bound uuid[] := private.bound_to();
  v_rhythm text;
  v_today date := (p_now at time zone private.zone_of(p_organization))::date;
  v_where text := '';
begin
  -- Only conditions that apply enter the query, so that each one is planned for what it is.
  if p_filters -> 'ids' is not null then
    v_where := v_where || format(' and c.id = any(%L::uuid[])',
      array(select jsonb_array_elements_text(p_filters -> 'ids')::uuid));
  end if;
  if p_filters ->> 'search' is not null then
    v_where := v_where || private.guest_search(p_organization, array(
      select jsonb_array_elements_text(p_filters -> 'search')));
  end if;
  if p_filters ->> 'tier' is not null then
    v_where := v_where || format(' and c.loyalty_tier_id = any(%L::uuid[])', array(
      select t.id from public.loyalty_tiers t
      where t.organization_id = p_organization and p_filters ->> 'tier' in (t.id::text, t.name)));
  end if;
  if p_filters ->> 'location_id' is not null then
    v_where := v_where || ' and c.location_id = ($2 ->> ''location_id'')::uuid';
  end if;
  if p_filters ->> 'tag' is not null
    then v_where := v_where || ' and c.tags @> array[$2 ->> ''tag'']'; end if;
  if p_filters ->> 'consent' is not null then
    v_where := v_where || private.consent_condition(p_filters ->> 'consent');
  end if;
  case p_filters ->> 'segment'
    when 'inactive' then
      v_inactive_since := least(v_inactive_since, p_now - interval '90 days');
    when 'new' then
      v_where := v_where || format(' and c.created_at >= %L::timestamptz', p_now - interval '30 days');
    when 'vip' then
      v_where := v_where || format(' and c.loyalty_tier_id = any(%L::uuid[])', array(
        select t.id from public.loyalty_tiers t where t.organization_id = p_organization
          and t.rank >= private.vip_rank(p_organization)));
    when 'birthday' then
      v_where := v_where || format(' and c.birth_day = any(%L::smallint[]) and c.birth_date > %L::date',
        private.birth_days(v_today, 7), private.born_after(v_today));
    when 'no_show' then
      v_where := v_where
        || format(' and exists (select 1 from public.reservations r where r.customer_id = c.id
        and r.status = ''no_show'' and r.source <> ''import''%s)', case when v_bound is not null then
        format(' and r.location_id = any(%L::uuid[])', v_bound) end);
    else
      if p_filters ->> 'segment' is not null then
        raise exception 'unknown segment "%"', p_filters ->> 'segment' using errcode = '22023';
      end if;
  end case;
  if p_filters ->> 'rhythm' is not null then
    v_rhythm := private.rhythm_state(p_filters ->> 'rhythm', 'k', v_today);
    if v_rhythm is null then
      raise exception 'unknown rhythm "%"', p_filters ->> 'rhythm' using errcode = '22023';
    end if;
    v_where := v_where || format(' and c.id in (select k.customer_id from public.customer_rhythms k
      where k.organization_id = $1 and %s)', v_rhythm);
  end if;
  if p_filters ->> 'segment_id' is not null then
    v_where := v_where || format(' and c.id in (select found.id from (%s) as found)',
      private.segment_source(p_organization, (p_filters ->> 'segment_id')::uuid, p_now));
  end if;
  if v_inactive_since is not null then
    v_where := v_where || format(' and c.sort_visit < %L::timestamptz and c.sort_visit > ''-infinity''',
      v_inactive_since);
  end if;
  return v_where;
end
$$;
comment on function private.customers_where(uuid, jsonb, timestamptz) is
  'The condition of a query of customers c: $1 is the organization, $2 the object of the filters (customerFilters in lib/customers/filters.ts), to which a selection adds its ids.';

-- The customer list as one function. Under RLS Postgres cannot use an index for LIKE (it is not leakproof),
-- so the function checks the caller's right itself, once, and reads with its owner's.
create or replace function public.list_customers(
  p_filters jsonb default '{}', p_sort text default 'recent', p_after_key text default null,
  p_after_id uuid default null, p_limit integer default 50, p_now timestamptz default now())
returns table (customer jsonb, key text)
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_column text := case p_sort when 'recent' then 'sort_visit' when 'name' then 'sort_name'
    when 'spend' then 'total_spend' when 'visits' then 'total_visits' end;
  v_type text := case p_sort when 'recent' then 'timestamptz' when 'name' then 'text'
    when 'spend' then 'numeric' when 'visits' then 'integer' end;
  v_ascending boolean := p_sort = 'name';
  v_where text;
  v_page text;
  v_ids uuid[];
  v_source text;
  v_customers public.customers[];
begin
  p_now := private.clock(p_now);
  if v_column is null then
    raise exception 'unknown sort "%"', p_sort using errcode = '22023';
  end if;
  v_where := private.customers_where(v_organization, p_filters - 'segment_id', p_now);
  if p_filters ->> 'segment_id' is not null then
    -- A segment alone has what the usual order needs; otherwise its customers are looked up.
    v_source := case when v_where = '' and p_sort = 'recent' then 'found c'
      else 'found join public.customers c on c.id = found.id and c.organization_id = $1' end;
  end if;
  if p_after_id is not null then
    v_where := v_where || format(' and (c.%I, c.id) %s ($3::%s, $4)',
      v_column, case when v_ascending then '>' else '<' end, v_type);
  end if;
  v_page := format('%s order by c.%I %3$s, c.id %3$s limit $5',
    v_where, v_column, case when v_ascending then 'asc' else 'desc' end);
  if p_filters ->> 'segment_id' is null then
    execute format('select array(select c from public.customers c where c.organization_id = $1 %s)', v_page)
    into v_customers using v_organization, p_filters, p_after_key, p_after_id, least(p_limit, 201);
  else
    -- The ids of the page first: as a statement of its own it may be counted by two processes.
    execute format('with found as materialized (%s) select array(select c.id from %s where true %s)',
      private.segment_source(v_organization, (p_filters ->> 'segment_id')::uuid, p_now), v_source, v_page)
    into v_ids using v_organization, p_filters, p_after_key, p_after_id, least(p_limit, 201);
    v_customers := array(select c from unnest(v_ids) with ordinality as page (id, place)
      join public.customers c on c.id = page.id order by page.place);
  end if;
  return query
  select shown.customer, case p_sort when 'recent' then to_jsonb(c.sort_visit) #>> '{}'
    when 'name' then c.sort_name
    when 'spend' then c.total_spend::text else c.total_visits::text end
  from private.customers_json(v_customers) with ordinality as shown (customer, place)
  join unnest(v_customers) with ordinality as c on c.ordinality = shown.place
  order by shown.place;
end
$$;
comment on function public.list_customers(jsonb, text, text, uuid, integer, timestamptz) is
  'A keyset page of the caller''s customers as the API gives them, each with its key in the order: sort recent, name, spend or visits; filters as private.customers_where has them.';

create or replace function public.count_customers(
  p_filters jsonb default '{}', p_most integer default 5000, p_now timestamptz default now()) returns integer
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_count integer;
begin
  p_now := private.clock(p_now);
  execute format(
    'select count(*)::integer from (select 1 from public.customers c where c.organization_id = $1 %s limit $3) as found',
    private.customers_where(v_organization, p_filters, p_now))
  into v_count using v_organization, p_filters, least(p_most, 5000) + 1;
  return v_count;
end
$$;
comment on function public.count_customers(jsonb, integer, timestamptz) is
  'How many customers of the caller match the filters; it stops counting at one more than p_most.';

-- Runs with the caller's rights, so each kind of event appears only to those who may read its table.
create or replace function public.customer_timeline(p_customer uuid, p_kinds text[] default null,
  p_before timestamptz default null, p_before_id uuid default null, p_limit integer default 50)
returns table (kind text, id uuid, at timestamptz, details jsonb)
language sql stable set search_path = ''
as $$
  select e.kind, e.id, e.at, e.details
  from (
    select 'reservation' as kind, r.id,
      (r.reservation_date + r.reservation_time) at time zone l.timezone as at,
      jsonb_build_object('date', r.reservation_date, 'time', to_char(r.reservation_time, 'HH24:MI'),
        'location', l.name, 'party_size', r.party_size, 'status', r.status, 'notes', r.notes,
        'zone_name', r.zone_name, 'table_name', r.table_name, 'total_amount', r.total_amount, 'visited',
        r.visited,
        'estimated_amount', case when r.visited and r.total_amount is null
          then r.party_size * l.average_spend_per_guest end) as details
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = p_customer and r.source <> 'import'
    union all
    select 'message', m.id, coalesce(m.sent_at, m.created_at),
      jsonb_build_object('channel', m.channel, 'status', m.status, 'reason', m.reason, 'kind', m.kind,
        'simulated', m.simulated, 'automation', a.name, 'subject', m.content ->> 'subject',
        'opened_at', g.opened_at, 'clicked_at', g.clicked_at, 'suppression',
        coalesce(case m.kind when 'marketing' then m.detail -> 'opt_out' end, m.detail -> 'suppression'),
        'waits_until', case m.status when 'queued' then m.detail -> 'until' end,
        'filled_by', (
          select jsonb_build_object('name', u.name, 'at', coalesce(f.sent_at, f.created_at))
          from public.messages f left join public.automations u on u.id = f.automation_id
          where f.id = (m.detail ->> 'message')::uuid))
    from public.messages m left join public.automations a on a.id = m.automation_id
    left join lateral (
      select min(e.first_at) as opened_at, min(e.first_at) filter (where e.kind = 'click') as clicked_at
      from public.message_engagement e where e.message_id = m.id and e.actor = 'person'
    ) as g on true
    where m.customer_id = p_customer and m.purpose <> 'conversation_reply'
    union all
    select 'conversation', m.id, m.at, jsonb_build_object('conversation_id', k.id, 'channel', k.channel,
      'direction', m.direction, 'text', m.text, 'media', m.media, 'sent_by', m.sent_by)
    from public.conversations k join public.conversation_messages m on m.conversation_id = k.id
    where k.customer_id = p_customer
    union all
    select 'ticket', t.id, t.created_at,
      jsonb_build_object('number', t.number, 'subject', t.subject, 'status', t.status, 'priority', t.priority)
    from public.tickets t where t.customer_id = p_customer
    union all
    select 'feedback', f.id, f.answered_at,
      jsonb_build_object('score', f.score, 'words', f.words, 'location', l.name, 'ticket_id', f.ticket_id)
    from public.feedback f join public.locations l on l.id = f.location_id
    where f.customer_id = p_customer
    union all
    select 'change', g.id, g.created_at,
      jsonb_build_object('action', g.action, 'fields', g.details -> 'fields',
        'before', g.details -> 'before', 'after', g.details -> 'after',
        'actor', private.actor_shown(g.actor, g.actor_id))
    from public.audit_log g
    where g.subject_id = p_customer and g.subject_type = 'customer'
  ) as e
  -- Without a list, the kinds that the app of the first release knows.
  where case when p_kinds is null then e.kind <> 'conversation' else e.kind = any(p_kinds) end
    and (p_before is null or (e.at, e.id) < (p_before, p_before_id))
  order by e.at desc, e.id desc
  limit least(p_limit, 201)
$$;
comment on function public.customer_timeline(uuid, text[], timestamptz, uuid, integer) is
  'A keyset page of a customer''s timeline, the latest first: the kinds reservation, message, ticket, feedback, change and, when asked for, conversation that the caller may read.';

-- With its owner's rights, because it counts what the role may not read; of the locations that the tables'
-- policies show.
create or replace function public.customer_belongings(p_ids uuid[])
returns table (customer_id uuid, reservations bigint, messages bigint, tickets bigint, calendar_events bigint)
language sql stable security definer set search_path = ''
as $$
  with bound as materialized (select private.bound_to() as locations)
  select c.id,
    (select count(*) from public.reservations r
      where r.customer_id = c.id and r.source <> 'import'
        and (b.locations is null or r.location_id = any(b.locations))),
    (select count(*) from public.messages m
      where m.customer_id = c.id and (b.locations is null or m.location_id = any(b.locations))),
    (select count(*) from public.tickets t
      where t.customer_id = c.id
        and (b.locations is null or t.location_id is null or t.location_id = any(b.locations))),
    (select count(*) from public.calendar_events e
      where e.customer_id = c.id
        and (b.locations is null or e.location_id is null or e.location_id = any(b.locations)))
  from public.customers c cross join bound b
  where c.id = any(p_ids)
    and c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
$$;
comment on function public.customer_belongings(uuid[]) is
  'How much refers to each of the customers in the caller''s locations; empty for someone without customer access.';

create or replace function public.customer_tags(p_limit integer default 200)
returns table (tag text, customers bigint)
language sql stable security definer set search_path = ''
as $$
  select k.value, k.customers
  from private.counts_of(array(select private.my_organizations('canAccessClientes')), 'tag') as k
  order by k.customers desc, k.value limit least(p_limit, 200)
$$;
comment on function public.customer_tags(integer) is
  'The tags of the caller''s customers, the most used first, and how many have each.';

create or replace function public.customer_cities(p_begins text default '', p_limit integer default 20)
returns table (city text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_begins text := private.fold(left(p_begins, 120));
begin
  -- From city to city in the index, however many guests live in each.
  return query
  with recursive each (folded, city, n) as (
    select f.* from (
      select private.fold(k.city), k.city, 1 from public.customers k
      where k.organization_id = v_organization and k.city is not null
        and private.fold(k.city) operator(pg_catalog.~>=~) coalesce(nullif(v_begins, ''), ' ')
      order by private.fold(k.city) using operator(pg_catalog.~<~) limit 1) as f (folded, city, n)
    where starts_with(f.folded, v_begins)
    union all
    select f.* from each e cross join lateral (
      select private.fold(k.city), k.city, e.n + 1 from public.customers k
      where k.organization_id = v_organization and k.city is not null
        and private.fold(k.city) operator(pg_catalog.~>~) e.folded
      order by private.fold(k.city) using operator(pg_catalog.~<~) limit 1) as f (folded, city, n)
    where e.n < least(p_limit, 200) and starts_with(f.folded, v_begins)
  )
  select e.city from each e order by e.n;
end
$$;
comment on function public.customer_cities(text, integer) is
  'The cities of the caller''s customers that begin so, in alphabetical order; accents, and capitals or not, make no difference, and each has one of its spellings.';

create or replace function public.log_customers_export(p_filters jsonb) returns uuid
language sql volatile security definer set search_path = ''
as $$
  select private.start_export((select id from private.my_organizations('canAccessClientes') as id limit 1),
    'customers', p_filters)
$$;
comment on function public.log_customers_export(jsonb) is
  'Counts and logs that the caller starts to download the customers that match the filters; returns the id by which export_customers gives them and end_export ends it. Null when they may not.';
grant execute on function
  public.list_customers(jsonb, text, text, uuid, integer, timestamptz),
  public.count_customers(jsonb, integer, timestamptz),
  public.customer_timeline(uuid, text[], timestamptz, uuid, integer), public.customer_belongings(uuid[]),
  public.customer_tags(integer), public.customer_cities(text, integer),
  public.log_customers_export(jsonb) to authenticated;
-- << supabase/logic/customers/search.sql

-- >> supabase/logic/erasure/erasure.sql
-- The erasure of a person. What refers to the person is found by its index; free text of nobody is searched
-- (traces.sql) where rows are few (tickets, events, imports, job runs), by trigrams where they may be more.
-- Rows about other guests are not: they stay whole, and so do names, definitions and lines of the audit log.

create or replace function private.lives_elsewhere(p_customer uuid, p_locations uuid[]) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from (
      select c.location_id from public.customers c where c.id = p_customer and c.location_id is not null
      union all select r.location_id from public.reservations r where r.customer_id = p_customer
      union all select m.location_id from public.messages m where m.customer_id = p_customer
      union all select r.location_id from public.loyalty_points p
        join public.reservations r on r.id = p.reservation_id
      where p.customer_id = p_customer
      union all select f.location_id from public.feedback f where f.customer_id = p_customer
      union all select k.location_id from private.tickets_of(p_customer) as k
      union all select e.location_id from public.calendar_events e where e.customer_id = p_customer
      -- Whose usual location it was before a merge.
      union all select l.id from public.customer_merges m
      join private.merged_customers k on k.merge_id = m.id
      join public.locations l on l.id::text in (k.gone ->> 'location_id', k.kept_before ->> 'location_id')
      where m.kept_id = p_customer and m.undone_at is null
    ) as record (location_id)
    where coalesce(record.location_id <> all(p_locations), true))
$$;
comment on function private.lives_elsewhere(uuid, uuid[]) is
  'Whether a customer has a record of another location than these, or of none.';

create or replace function private.definitions_with(p_organization uuid, p_pattern text) returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select found.kind || ' ' || found.id from (
      select 'segment' as kind, s.id from public.segments s
      where s.organization_id = p_organization and (s.name || ' ' || s.definition::text) ~* p_pattern
      union
      select 'campaign', c.id from public.campaigns c left join public.automations a on a.campaign_id = c.id
      where c.organization_id = p_organization
        and concat_ws(' ', c.name, a.subject, a.body, a.email_design, a.versions) ~* p_pattern
      union
      select 'automation', a.id from public.automations a
      where a.organization_id = p_organization and a.campaign_id is null and a.deleted_at is null
        and concat_ws(' ', a.name,
        a.subject, a.body, a.content_variables, a.email_design, a.versions, a.criteria,
        array_to_string(a.tags, ' '))
          ~* p_pattern
      union
      select 'email_template', e.id from public.email_templates e
      where e.organization_id = p_organization and concat_ws(' ', e.name, e.design) ~* p_pattern
      union
      select 'email_look', l.id from public.email_looks l
      where l.organization_id = p_organization
        and concat_ws(' ', l.sender_name, l.from_email, l.reply_to, l.footer) ~* p_pattern
      union
      select 'brand', b.id from public.brands b where b.organization_id = p_organization
        and b.name ~* p_pattern
      union
      select 'location', l.id from public.locations l
      where l.organization_id = p_organization and concat_ws(' ', l.name, l.address) ~* p_pattern
    ) as found order by 1)
$$;
comment on function private.definitions_with(uuid, text) is
  'The definitions and names in which the pattern is found, as "segment <id>". An erasure leaves them for a person to mend.';

create or replace function private.forget_words(p_organization uuid, p_tickets uuid[]) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Their words are between quotes of their language.
  update public.tickets k set description = private.unquoted(k.description) where k.id = any(p_tickets);
  update public.ticket_comments m set body = private.unquoted(m.body) where m.ticket_id = any(p_tickets)
    and m.author_id is null;
  -- The e-mails about the ticket repeat them.
  update public.messages m
    set content = '{}', reason = case when m.status = 'queued' then 'erased' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  from unnest(p_tickets) as told
  where m.organization_id = p_organization and m.kind = 'notification' and m.about_id = told
    and m.status <> 'sending';
end
$$;
comment on function private.forget_words(uuid, uuid[]) is
  'Removes what a guest wrote from the tickets that quote it, and from the e-mails about these.';

create or replace function private.forget_feedback(p_customer uuid, p_organization uuid) returns void
language sql volatile set search_path = ''
as $$
  select private.forget_words(p_organization, array(
    select k.id from public.feedback f join public.tickets k on k.id = f.ticket_id
    where f.customer_id = p_customer and coalesce(k.customer_id = p_customer, true)));
  -- The score stays, without a name, for the figures.
  update public.feedback set words = null, reply = null, customer_id = null where customer_id = p_customer
$$;
comment on function private.forget_feedback(uuid, uuid) is
  'Removes a customer from their feedback, and their words from its tickets and the e-mails about these.';

create or replace function private.forget_conversations(p_customer uuid, p_organization uuid,
  t private.traces) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  -- Also those from before we knew them, by an address that is nobody else's.
  v_gone uuid[] := array(
    select k.id from public.conversations k where k.customer_id = p_customer
    union
    select k.id from public.conversations k
    where k.organization_id = p_organization and k.address = any(t.own) and k.customer_id is null);
begin
  perform private.forget_words(p_organization, array(
    select k.id from public.conversation_messages m join public.tickets k on k.id = m.ticket_id
    where m.conversation_id = any(v_gone) and coalesce(k.customer_id = p_customer, true)));
  update public.messages m set recipient = null, content = '{}', customer_id = null, detail = null,
    reason = case when m.status = 'queued' then 'erased' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  where m.about_type = 'conversation' and m.about_id = any(v_gone);
  delete from public.conversations k where k.id = any(v_gone);
end
$$;
comment on function private.forget_conversations(uuid, uuid, private.traces) is
  'Removes the conversations with a customer, our texts in them, and their words from the tickets and the e-mails about these.';

create or replace function private.forget_addresses(p_organization uuid, t private.traces, p_reach uuid[])
  returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Who waits for a table is no customer yet: a telephone is all that says who it is, and the name when it is
  -- a family's. The messages outlive the waitlist, whose ended entries are deleted after 30 days.
  with gone as (
    delete from public.waitlist w
    where w.organization_id = p_organization and w.phone = any(t.addresses)
      and (w.phone = any(t.own) or private.fold(w.name) = any(t.names))
      and (p_reach is null or w.location_id = any(p_reach))
    returning w.id
  )
  delete from public.messages m
  where m.organization_id = p_organization and m.channel in ('sms', 'whatsapp')
    and m.recipient = any(t.addresses)
    and m.customer_id is null and m.purpose in ('waitlist_call', 'table_offer', 'table_offer_answer')
    and (m.recipient = any(t.own) or m.about_id in (select id from gone))
    and (p_reach is null or m.location_id = any(p_reach));
  -- When they last wrote by WhatsApp; another guest may write from the same phone.
  delete from public.whatsapp_windows w
  where w.organization_id = p_organization
    and (w.address = any(t.addresses) or w.whatsapp_id = any(t.addresses))
    and not exists (
      select 1 from public.customers c
      where c.organization_id = p_organization and (c.phone = w.address or c.whatsapp_id = w.address));
  update public.whatsapp_windows w set whatsapp_id = null
  where w.organization_id = p_organization and w.whatsapp_id = any(t.addresses) and not exists (
    select 1 from public.customers c where c.organization_id = p_organization
      and c.whatsapp_id = w.whatsapp_id);
end
$$;
comment on function private.forget_addresses(uuid, private.traces, uuid[]) is
  'Removes the entries of the waitlist by an erased customer''s telephone (in p_reach, or everywhere), with their messages, and when they last wrote by WhatsApp.';

create or replace function public.erase_customer(p_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_reach uuid[] := case when not private.works_everywhere() then array(select private.my_locations()) end;
  v_remains text[];
  t private.traces;
begin
  perform private.refuse_unconfirmed();
  perform private.lock_identities(v_organization);
  perform 1 from public.customers where id = p_id and organization_id = v_organization for update;
  if not found then
    return 'not_found';
  elsif v_reach is not null and private.lives_elsewhere(p_id, v_reach) then
    return 'foreign_location';
  end if;
  t := private.traces_of(p_id, v_reach);
  v_remains := private.definitions_with(v_organization, t.address);
  perform private.redact_desk(p_id, v_organization, t), private.redact_mornings(p_id, v_organization, t),
    private.redact_records(v_organization, t), private.redact_log(p_id, t);
  perform private.forget_feedback(p_id, v_organization);
  perform private.forget_conversations(p_id, v_organization, t);
  -- Reservations of an import contain only the link to the person.
  delete from public.reservations where customer_id = p_id and source = 'import';
  delete from private.push_notices n using public.reservations r where r.customer_id = p_id
    and n.reservation_id = r.id;
  update public.reservations set customer_id = null, customer_name = null, customer_email = null,
    customer_phone = null, notes = null, staff_marks = staff_marks - 'notes', erased_at = now()
  where customer_id = p_id;
  delete from private.engagement_events e using public.messages m where m.customer_id = p_id
    and e.message_id = m.id;
  delete from public.message_engagement g using public.messages m where m.customer_id = p_id
    and g.message_id = m.id;
  update public.messages set recipient = null, content = '{}', customer_id = null, detail = null,
    reason = case when status = 'queued' then 'erased' else reason end,
    status = case when status = 'queued' then 'skipped' else status end
  where customer_id = p_id;
  delete from public.customers where id = p_id;
  -- That the address wants no messages stays, for writing to it again would be worse; what was said about the
  -- person goes.
  update public.suppressions set author = null, note = null
  where organization_id = v_organization and address = any(t.own) and num_nonnulls(author, note) > 0;
  perform private.forget_addresses(v_organization, t, v_reach);
  perform private.audit(v_organization, 'customer.erased', p_id,
    case when v_remains = '{}' then '{}' else jsonb_build_object('to_mend', v_remains) end);
  return 'erased';
end
$$;
comment on function public.erase_customer(uuid) is
  'Erases a person (GDPR art. 17): the customer goes, reservations and messages stay without personal data. erased, not_found, or foreign_location: the caller is bound to locations and the person has records outside them. What holds an address by its name or definition stays, and the audit line names it.';
grant execute on function public.erase_customer(uuid) to authenticated;
-- << supabase/logic/erasure/erasure.sql

-- >> supabase/logic/feedback/feedback.sql
-- Feedback: saving, listing and answering it. The link is in a message about the visit; a bad score opens a
-- ticket for the location in the same transaction.

create or replace function private.move_feedback() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.feedback set customer_id = new.customer_id, location_id = new.location_id
    where reservation_id = new.id;
  return null;
end
$$;
comment on function private.move_feedback() is 'Trigger: feedback belongs to the guest and the location of its visit.';

create or replace trigger reservations_move_feedback after update of customer_id, location_id
  on public.reservations
  for each row when ((old.customer_id, old.location_id) is distinct from (new.customer_id, new.location_id))
  execute function private.move_feedback();

create or replace function private.surveyed_visit(p_message uuid) returns setof public.reservations
language sql stable set search_path = ''
as $$
  select r.* from public.messages m
  join public.reservations r on r.id = m.reservation_id and r.customer_id = m.customer_id
  where m.id = p_message and r.visited
$$;
comment on function private.surveyed_visit(uuid) is
  'The visit that a message is about; none when the guest did not come after all, or the visit or the message is no longer theirs.';

create or replace function private.survey_state(p_sent timestamptz, p_answered timestamptz, p_now timestamptz)
  returns text
language sql immutable set search_path = ''
as $$
  select case when p_answered is null then case when p_now < p_sent + interval '30 days' then 'open'
    else 'expired' end
    when p_now < p_answered + interval '1 day' then 'answered' else 'closed' end
$$;
comment on function private.survey_state(timestamptz, timestamptz, timestamptz) is
  'open, answered (may be changed), closed (answered more than a day ago), or expired: 30 days after the message.';

create or replace function public.feedback_survey(p_message uuid, p_now timestamptz default now())
  returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('first_name', c.first_name, 'location_name', l.name, 'score', f.score,
    'state', private.survey_state(coalesce(m.sent_at, m.created_at), f.answered_at, p_now),
    'review_urls', case when f.score = 5 then l.review_urls else '{}' end,
    'language', c.language, 'group_language', o.language)
  from private.surveyed_visit(p_message) as r
  join public.messages m on m.id = p_message
  join public.customers c on c.id = r.customer_id
  join public.locations l on l.id = r.location_id
  join public.organizations o on o.id = r.organization_id
  left join public.feedback f on f.reservation_id = r.id
$$;
comment on function public.feedback_survey(uuid, timestamptz) is
  'What the survey of a message shows, {first_name, location_name, score, state: see private.survey_state, review_urls: after five stars, language: the guest''s own or null, group_language}; null: the link leads nowhere.';

create or replace function private.ticket_of_feedback(f public.feedback, r public.reservations,
  p_words jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  -- In the language of the words; staff have two, so else in the group's, else in Spanish.
  v_words jsonb := coalesce(p_words -> f.language, (select p_words -> o.language
    from public.organizations o where o.id = f.organization_id), p_words -> 'es');
  v_values jsonb := jsonb_build_object('score', f.score, 'words', f.words,
    'date', to_char(r.reservation_date, v_words ->> 'date'), 'time', to_char(r.reservation_time, 'HH24:MI'));
  v_ticket uuid;
begin
  v_values := v_values || jsonb_build_object('answer', private.worded(
    v_words ->> case when f.words is null then 'score' else 'score_and_words' end, v_values));
  if f.ticket_opened_at is null and f.score <= 2 then
    insert into public.tickets (organization_id, subject, description, priority, location_id, customer_id,
      created_at)
    select f.organization_id,
      left(private.worded(v_words ->> 'subject', v_values || jsonb_build_object('name', coalesce(
        nullif(concat_ws(' ', c.first_name, c.last_name), ''), r.customer_name, v_words ->> 'nobody'))), 200),
      private.worded(v_words ->> 'description', v_values), 'high', f.location_id, f.customer_id, f.changed_at
    from public.customers c where c.id = f.customer_id
    returning id into v_ticket;
    update public.feedback set ticket_id = v_ticket, ticket_opened_at = f.changed_at where id = f.id;
  elsif f.ticket_id is not null and (select count(*) from public.ticket_comments c
    where c.ticket_id = f.ticket_id) < 50 then
    insert into public.ticket_comments (ticket_id, author_name, body, created_at)
    values (f.ticket_id, v_words ->> 'author', private.worded(v_words ->> 'comment', v_values), f.changed_at);
    update public.tickets set changes = changes + 1 where id = f.ticket_id;
  end if;
end
$$;
comment on function private.ticket_of_feedback(public.feedback, public.reservations, jsonb) is
  'After an answer: the first bad score of a visit opens a ticket; a later change is a comment on it. Both are in the language of the answer, where p_words has it. p_words: those of lib/tickets/guest-ticket-words.json for feedback, by language.';

-- With its owner's rights, for the tickets.
create or replace function public.save_feedback(p_message uuid, p_score integer, p_words text,
  p_language text, p_ticket_words jsonb, p_now timestamptz default now()) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_message public.messages;
  v_visit public.reservations;
  v_old public.feedback;
  v_new public.feedback;
  v_state text;
begin
  select * into v_message from public.messages where id = p_message;
  if v_message.id is null then
    return 'not_found';
  end if;
  -- One after another, also with merges and the sync, which take the same lock.
  perform private.lock_identities(v_message.organization_id);
  select * into v_visit from private.surveyed_visit(p_message);
  if v_visit.id is null then
    return 'not_found';
  end if;
  select * into v_old from public.feedback where reservation_id = v_visit.id;
  v_state := private.survey_state(coalesce(v_message.sent_at, v_message.created_at), v_old.answered_at,
    p_now);
  if v_state in ('closed', 'expired') then
    return v_state;
  end if;
  insert into public.feedback as f (organization_id, location_id, customer_id, reservation_id, score, words,
    language, answered_at, changed_at)
  values (v_visit.organization_id, v_visit.location_id, v_visit.customer_id, v_visit.id, p_score,
    nullif(btrim(p_words), ''), p_language, p_now, p_now)
  -- The page does not show the earlier words, so none leaves them.
  on conflict (reservation_id) do update
    set score = excluded.score, words = coalesce(excluded.words, f.words),
    language = excluded.language, changed_at = excluded.changed_at
  returning * into v_new;
  if (v_old.score, v_old.words) is distinct from (v_new.score, v_new.words) then
    perform private.ticket_of_feedback(v_new, v_visit, p_ticket_words);
  end if;
  return 'saved';
end
$$;
comment on function public.save_feedback(uuid, integer, text, text, jsonb, timestamptz) is
  'Saves or changes the answer to the survey of a message: saved, closed, expired, or not_found: the link leads nowhere.';

-- With its owner's rights, for the audit log.
create or replace function public.save_survey_language(p_message uuid, p_language text) returns void
language sql volatile security definer set search_path = ''
as $$
  with changed as (
    update public.customers c set language = p_language
    from private.surveyed_visit(p_message) as r
    join public.organizations o on o.id = r.organization_id
    -- Whoever chooses what they are written in anyway has none of their own, as on the page of preferences.
    where c.id = r.customer_id and coalesce(c.language, o.language) <> p_language
    returning c.organization_id, c.id
  )
  insert into public.audit_log (organization_id, actor, action, subject_type, subject_id, details)
  select c.organization_id, 'guest', 'customer.wishes_changed', 'customer', c.id,
    jsonb_build_object('fields', jsonb_build_array('language'))
  from changed c
$$;
comment on function public.save_survey_language(uuid, text) is
  'Makes the language that a guest chose on the survey of a message theirs, whoever set another one before; nothing when the link leads nowhere.';

create or replace function public.reply_to_feedback(p_feedback uuid, p_reply text, p_subject text,
  p_channels text[], p_now timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  f public.feedback;
  v_channel text;
  v_address text;
  v_message uuid;
begin
  p_now := private.clock(p_now);
  -- A line break in a subject would start another header.
  if p_subject ~ '[[:cntrl:]]' then
    raise exception 'a subject is one line' using errcode = '22023';
  end if;
  select * into f from public.feedback
  where id = p_feedback
    and location_id = any(array(select private.my_locations('canAccessClientes'))) for update;
  if f.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif f.replied_at is not null then
    return jsonb_build_object('outcome', 'replied');
  end if;
  select offer.channel, contact.address into v_channel, v_address
  from public.customers c
  -- An e-mail has room for an answer; free text by WhatsApp needs an open conversation.
  cross join (values (1, 'email'), (2, 'whatsapp'), (3, 'sms')) as offer (place, channel)
  cross join lateral (select case offer.channel when 'email' then c.email
    when 'whatsapp' then coalesce(c.phone, c.whatsapp_id) else c.phone end) as contact (address)
  where c.id = f.customer_id and offer.channel = any(p_channels) and contact.address is not null
    and case offer.channel
      when 'whatsapp' then public.whatsapp_open(f.organization_id, contact.address, p_now)
      when 'sms' then not private.is_landline(contact.address) else true end
    -- They may have written because of a message that they then stopped.
    and not exists (
      select 1 from public.suppressions s
      where s.organization_id = f.organization_id and s.channel = offer.channel
        and s.address in (contact.address, case offer.channel when 'whatsapp' then c.whatsapp_id end))
  order by offer.place limit 1;
  if v_channel is null then
    return jsonb_build_object('outcome', 'unreachable');
  end if;
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, customer_id,
    reservation_id, location_id, channel, recipient, dedupe_key, content, not_before, created_at)
  values (f.organization_id, 'transactional', 'feedback_reply', 'feedback', f.id, f.customer_id,
    f.reservation_id, f.location_id, v_channel, v_address,
    'feedback:' || f.id, case v_channel when 'email' then jsonb_build_object('subject', p_subject)
      else '{}' end
      || jsonb_build_object('body', btrim(p_reply)), p_now, p_now)
  returning id into v_message;
  update public.feedback
  set reply = btrim(p_reply), replied_by = private.caller_name(), replied_at = p_now,
    reply_message_id = v_message
  where id = f.id;
  perform private.audit(f.organization_id, 'feedback.replied', f.id,
    jsonb_build_object('location_id', f.location_id));
  return jsonb_build_object('outcome', 'queued', 'channel', v_channel, 'message_id', v_message, 'at', p_now);
end
$$;
comment on function public.reply_to_feedback(uuid, text, text, text[], timestamptz) is
  'Writes back to the guest who answered a survey, once, by the first of p_channels that reaches them: {outcome: queued (channel, message_id, at: since when it may be sent), replied (before), unreachable or not_found}.';

create or replace function public.feedback_trend(p_location uuid default null,
  p_now timestamptz default now())
returns table (location_id uuid, location text, week date, answers bigint, average numeric)
language sql stable set search_path = ''
as $$
  with places as (
    select l.id, l.name, l.timezone,
      date_trunc('week', (select private.clock(p_now)) at time zone l.timezone)::date as this_week
    from public.locations l where p_location is null or l.id = p_location
  ), counted as (
    select p.id, date_trunc('week', f.answered_at at time zone p.timezone)::date as week, count(*) as answers,
      avg(f.score) as average
    from places p join public.feedback f on f.location_id = p.id
    where f.answered_at > (select private.clock(p_now)) - interval '13 weeks'
      and f.answered_at <= (select private.clock(p_now))
    group by 1, 2
  )
  select p.id, p.name, p.this_week - 7 * ago, coalesce(c.answers, 0), round(c.average, 2)
  from places p
  cross join generate_series(0, 11) as ago
  left join counted c on c.id = p.id and c.week = p.this_week - 7 * ago
  order by p.name, p.id, ago desc
$$;
comment on function public.feedback_trend(uuid, timestamptz) is
  'Answers and their average for each of the caller''s locations and each of the last 12 weeks (from Monday, local), the earliest first; average is null without answers.';

create or replace function public.feedback_scores(p_from timestamptz, p_to timestamptz,
  p_location uuid default null)
returns table (location_id uuid, location text, score smallint, answers bigint, with_words bigint)
language sql stable set search_path = ''
as $$
  select l.id, l.name, f.score, count(*), count(f.words)
  from public.feedback f join public.locations l on l.id = f.location_id
  where f.answered_at >= p_from and f.answered_at < p_to
    and (p_location is null or f.location_id = p_location)
  group by l.id, l.name, f.score
  order by l.name, l.id, f.score
$$;
comment on function public.feedback_scores(timestamptz, timestamptz, uuid) is
  'How many answers of a period (p_to excluded) have each score, by the caller''s locations.';
grant execute on function private.surveyed_visit(uuid),
  private.survey_state(timestamptz, timestamptz, timestamptz)
  to service_role;
grant execute on function public.feedback_survey(uuid, timestamptz),
  public.save_feedback(uuid, integer, text, text, jsonb, timestamptz),
  public.save_survey_language(uuid, text) to service_role;
grant execute on function public.reply_to_feedback(uuid, text, text, text[], timestamptz) to authenticated;
grant execute on function public.feedback_trend(uuid, timestamptz),
  public.feedback_scores(timestamptz, timestamptz, uuid) to authenticated;
-- << supabase/logic/feedback/feedback.sql

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261201023721', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/messages/claim.sql
-- The outbox at work: claim_messages → freeze_messages → (provider) → finish_messages, and sweep_leases for
-- messages that a dead process was sending. Here what is due is chosen, judged once more, and leased;
-- outcomes.sql has the rest. Only the service calls these; lib/messaging/drain.ts is the caller.

create or replace function private.due_messages(p_organization uuid, p_channel text, p_until timestamptz,
  p_limit integer, p_run uuid, p_automation uuid, p_notices boolean, p_after timestamptz, p_after_id uuid,
  out ids uuid[], out last_at timestamptz, out last_id uuid)
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_held uuid[] := array(
    select id from public.automation_runs
    where organization_id = p_organization
      and status in ('paused', 'waiting_approval', 'refused', 'expired', 'stopped')
      and processed > sent + skipped + failed
    union all
    select run.id from public.campaigns c
    join public.automations a on a.campaign_id = c.id
    join public.automation_runs run on run.automation_id = a.id
    where c.organization_id = p_organization and c.status in ('paused', 'waiting_approval'));
  v_keys text[];
begin
  with due as (
    select m.id, m.not_before, m.idempotency_key from public.messages m
    where m.organization_id = p_organization and m.channel = p_channel and m.status = 'queued'
      and m.not_before <= p_until and (m.not_before, m.id) > (p_after, p_after_id)
      and (p_run is null or m.run_id = p_run)
      and (not p_notices or m.automation_id is null)
        and (p_automation is null or m.automation_id = p_automation)
      and (v_held = '{}' or m.run_id is null or m.run_id <> all(v_held))
    order by m.not_before, m.id limit p_limit
    for update skip locked
  )
  select coalesce(array_agg(d.id order by d.not_before, d.id), '{}'), max(d.not_before),
    array_agg(d.idempotency_key) filter (where d.idempotency_key is not null) into ids, last_at, v_keys
      from due d;
  last_id := ids[cardinality(ids)];
  if p_channel = 'email' and v_keys is not null then
    -- E-mails that may have been accepted in one request are repeated in one: they share its key.
    ids := ids || array(
      select m.id from public.messages m
      where m.status = 'queued' and m.id <> all(ids) and m.idempotency_key = any(v_keys) for update);
  end if;
end
$$;
comment on function private.due_messages(uuid, text, timestamptz, integer, uuid, uuid, boolean, timestamptz, uuid) is
  'Locks the next queued messages of a channel that are due at p_until (of one run; of one automation; only those of no automation), without those of held runs, behind the place (p_after, p_after_id) of the queue. Returns their ids and the place of the last one.';

create or replace function private.judge_messages(p_organization uuid, p_channel text, p_ids uuid[],
  p_now timestamptz, p_closed jsonb)
returns table (id uuid, channel text, address text, send_at timestamptz, maybe_accepted boolean,
  reason text, detail jsonb)
-- The joins follow keys, in a good order: to look for a better one would take longer than to run them.
language plpgsql stable rows 100 set search_path = '' set plan_cache_mode = force_custom_plan
  set join_collapse_limit = 1
as $$
#variable_conflict use_column
begin
  return query
  with windows as materialized (
    select * from private.send_windows(p_organization, 'marketing', p_now)
  ), judged as materialized (
    select m.id, m.customer_id, m.not_before, m.kind, m.maybe_accepted, m.idempotency_key as key,
      way.channel, way.address, o.frequency_cap_days as cap, its.uncounted, its.monthly,
      its.monthly_uncounted,
      coalesce(a.campaign_id, m.run_id) as among, a.step,
      case
        when m.run_id is not null and (a.id is null or a.status <> 'active') then 'automation_inactive'
        when run.template is not null and m.frozen_at is null
          and run.template - 'email_look' <> private.template_of(a)
          then 'message_changed'
        when m.automation_id is not null and c.id is null then 'customer_gone'
        -- The provider has forgotten its key: sent again, it may arrive twice.
        when m.maybe_accepted and private.retry_verdict(m, p_now) = 'too_late' then 'too_late'
        when way.reason is not null then way.reason
        when m.kind = 'marketing' and c.muted_brands <> '{}'
          and c.muted_brands @> private.brands_to_mute(a) then 'brand_muted'
        when its.overtaken is not null then its.overtaken
        when coalesce(a.step, 1) > 1 and m.frozen_at is null
          and private.booked_since(m.customer_id,
            coalesce(private.step_before(a, m.customer_id), m.created_at)) then 'booked'
        -- An event that begins right now is still announced.
        when m.frozen_at is null
          and (m.content ->> 'event_datetime')::timestamptz < p_now - interval '1 minute'
          then 'too_late'
        when m.frozen_at is null and (m.content ->> 'expires_at')::timestamptz < p_now then 'too_late'
        -- Resending a message that may have arrived does not count against the cap.
        when m.kind = 'marketing' and o.frequency_cap_days > 0 and not m.maybe_accepted and exists (
          select from private.counted_messages(p_now - make_interval(days => o.frequency_cap_days), true,
            its.uncounted) as counted
          where counted.customer_id = m.customer_id and counted.id <> m.id) then 'frequency_cap'
        when its.monthly and not m.maybe_accepted and exists (
          select from private.counted_messages(p_now - make_interval(days => private.monthly_days()), true,
            its.monthly_uncounted) as counted
          where counted.customer_id = m.customer_id and counted.id <> m.id) then 'guest_frequency'
        -- Merged with a guest of the control group since it was planned.
        when m.kind = 'marketing' and exists (
          select 1 from private.enrolments e
          where e.automation_id = coalesce(a.campaign_id, m.automation_id) and e.customer_id = m.customer_id
            and e.held)
          and private.control_share(a) > 0 then 'control_group'
        when way.channel <> m.channel then case
          -- An address that is gone takes with it the no that was said there.
          when m.kind = 'marketing' and exists (
            select from public.suppressions s
            where s.organization_id = p_organization and s.channel = m.channel and s.address = m.recipient
              and (s.reason <> 'bounce' or s.opt_out is not null)) then 'suppressed'
          else private.taken_by(m, a, way.channel, way.address) end
      end as reason,
      case m.kind when 'marketing' then windows.send_at else p_now end as send_at,
      case m.kind when 'marketing' then windows.detail end as held
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.automations a on a.id = m.automation_id
    left join public.automation_runs run on run.id = m.run_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    left join windows on windows.location_id is not distinct from l.id
    -- A frozen message keeps its channel and the address it had; another one takes the guest's way now.
    -- offset 0: each is worked out once, not wherever it is used, which also takes long to plan.
    cross join lateral (select m.automation_id is null or m.frozen_at is not null as fixed,
      case when a.step > 1 then private.uncounted_for(a, o.frequency_cap_days) end as uncounted,
      m.kind = 'marketing' and c.write_frequency is not null as monthly,
      case when a.step > 1 and c.write_frequency is not null
        then private.uncounted_for(a, private.monthly_days()) end as monthly_uncounted,
      private.overtaken(a, r, r.service_order at time zone l.timezone, p_now) as overtaken offset 0) as its
    cross join lateral (
      select case when its.fixed then m.channel else a.channel end as channel,
        case when not its.fixed then a.fallback_channel end as fallback,
        case when its.fixed then '{}' else p_closed end as closed,
        a.id is not null and a.content_sid is null as free_text, coalesce(c.consents, '{}') as consents,
        coalesce(c.total_visits, 0) as visits offset 0) as ask
    cross join lateral (
      select case when its.fixed then m.recipient
          else private.address_by(ask.channel, c.email, c.phone, c.whatsapp_id) end as own,
        private.address_by(ask.fallback, c.email, c.phone, c.whatsapp_id) as other,
        private.closed_by(ask.closed, ask.channel, m.kind) as own_closed,
        private.closed_by(ask.closed, ask.fallback, m.kind) as other_closed offset 0) as place
    -- As ways_to. offset 0: each is asked once a message, and the second one rarely.
    cross join lateral (
      select b.reason from private.blocked_by(p_organization, m.kind, ask.channel, place.own, c.whatsapp_id,
        ask.consents, ask.visits, ask.free_text, place.own_closed, p_now) as b offset 0) as first
    left join lateral (
      select b.reason from private.blocked_by(p_organization, m.kind, ask.fallback, place.other,
        c.whatsapp_id, ask.consents, ask.visits, ask.free_text, place.other_closed, p_now) as b
      where first.reason is not null offset 0) as second on true
    cross join lateral private.way_of(ask.channel, ask.fallback, place.own, place.other, place.own_closed,
      place.other_closed, first.reason, second.reason) as way
    where m.id = any(p_ids)
  ), batches as (
    select *, coalesce(bool_or(reason is not null) over batch or key is not null and count(*) over batch < (
        select count(*) from public.messages k where k.idempotency_key = judged.key), false) as broken,
      -- The customers of one batch may be in different time zones.
      max(send_at) over batch as batch_send_at
    from judged window batch as (partition by coalesce(key, id::text))
  ), verdicts as (
    select *, case
      when reason is not null then reason
      when broken then 'batch_incomplete'
      when channel <> p_channel and kind = 'marketing' and channel <> 'email' and row_number() over (
        partition by among, step, channel, address, reason is null order by id) > 1 then 'duplicate'
      when kind = 'marketing' and (cap > 0 or monthly) and send_at <= p_now and customer_id is not null
        and not maybe_accepted
        and row_number() over (partition by customer_id, kind, reason is null, send_at <= p_now
          order by maybe_accepted desc, not_before, id) > 1
        then case when cap > 0 then 'frequency_cap' else 'guest_frequency' end
      end as verdict
    from batches
  )
  select id, channel, address, batch_send_at as send_at, maybe_accepted, verdict as reason,
    case when verdict is null then held
      when verdict in ('suppressed', 'frequency_cap', 'guest_frequency')
      then private.detail_of(p_organization, customer_id, id, channel, address, verdict,
        p_now - make_interval(days => case verdict when 'guest_frequency' then private.monthly_days() else cap
          end), true, case verdict when 'guest_frequency' then monthly_uncounted else uncounted end) end
      as detail
  from verdicts;
end
$$;
comment on function private.judge_messages(uuid, text, uuid[], timestamptz, jsonb) is
  'For each message: its channel and address now, from when it may go, and the reason why it may not (null: it may), with its detail. Messages of one request are sent together or not at all. p_closed: see ways_to.';

create or replace function private.claimed_messages(p_ids uuid[], out templates json, out messages json)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  templates := (
    select coalesce(
      json_agg(private.template_of(a) || jsonb_build_object('email_look', private.email_look_of(a))), '[]')
    from public.automations a
    -- As an array: a semi-join would read all messages of an automation.
    where a.id = any(array(select distinct m.automation_id from public.messages m where m.id = any(p_ids))));
  messages := (
    select coalesce(
      json_agg(json_build_object('id', m.id, 'lease_token', m.lease_token, 'kind', m.kind,
        'run_id', m.run_id, 'email_look', run.template -> 'email_look', 'channel', m.channel, 'recipient',
        m.recipient, 'attempts', m.attempts, 'automation_id', m.automation_id,
        'content', m.content, 'frozen', m.frozen_at is not null, 'idempotency_key', m.idempotency_key,
        'visited', coalesce(r.visited, false), 'facts', private.message_facts(o, c, r, l, t.name))
        order by m.not_before, m.id), '[]')
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.automation_runs run on run.id = m.run_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    where m.id = any(p_ids));
end
$$;
comment on function private.claimed_messages(uuid[]) is
  'What is needed to render and send the messages: the templates, each once, and the messages with the facts about their customers. As json, which takes two thirds of the time of jsonb.';

create or replace function public.claim_messages(p_organization uuid, p_channel text,
  p_limit integer default 100, p_lease_seconds integer default 180, p_now timestamptz default now(),
  p_run uuid default null, p_notices boolean default false, p_pace double precision default null,
  p_integrations text[] default '{}', p_closed jsonb default '{}', p_automation uuid default null,
  p_after jsonb default null)
returns json
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_only_notices boolean;
  -- An integration that was switched off since the caller looked sends nothing.
  v_closed jsonb := p_closed || (
    select coalesce(jsonb_object_agg(i.channel, 'no_provider'), '{}')
    from unnest(p_integrations) as i (channel) where not private.is_connected(p_organization, i.channel));
  v_next timestamptz;
  v_most integer;
  v_ids uuid[];
  v_last_at timestamptz;
  v_last_id uuid;
  v_claimed uuid[];
  v_ended uuid[];
  v_moved boolean;
begin
  -- One claim at a time, so that a message is judged with all others to the same customer in view.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  v_only_notices := p_notices or (
    select o.sending_stopped_at is not null from public.organizations o where o.id = p_organization);
  if v_closed ->> p_channel = 'no_provider' then
    return '{"examined": 0, "templates": [], "messages": []}'::jsonb || case when v_only_notices then '{}'
      else private.hold_channel(p_organization, p_channel, p_now, p_run, p_automation, v_closed) end;
  end if;

  v_next := (
    select next_at from public.channel_pace where organization_id = p_organization and channel = p_channel);
  -- With a pace it takes what one second allows. While the channel still waits for the end of that second,
  -- it looks for what is due then, to tell whether to come back.
  v_most := least(p_limit, 500, case when p_pace > 0 then greatest(ceil(p_pace), 1) end);
  -- From where the caller's last claim ended: what was sent since leaves dead entries in the index, which
  -- cannot be removed while another transaction holds its snapshot.
  select d.ids, d.last_at, d.last_id into v_ids, v_last_at, v_last_id
  from private.due_messages(p_organization, p_channel, greatest(p_now, v_next), v_most, p_run, p_automation,
    v_only_notices, coalesce((p_after ->> 'not_before')::timestamptz, '-infinity'),
    coalesce((p_after ->> 'id')::uuid, '00000000-0000-0000-0000-000000000000')) d;
  if v_next > p_now or v_ids = '{}' then
    return json_build_object('examined', 0, 'wait_until', case when v_ids <> '{}' then v_next end,
      'templates', '[]'::json, 'messages', '[]'::json);
  end if;

  with judged as (
    select *, reason is null and channel <> p_channel as moves, reason is null and channel = p_channel
      and send_at <= p_now as goes
    from private.judge_messages(p_organization, p_channel, v_ids, p_now, v_closed)
  ), written as (
    update public.messages m
    set status = case when v.reason is not null and v.maybe_accepted then 'unknown'
        when v.reason is not null then 'skipped' when v.goes then 'sending' else 'queued' end,
      reason = v.reason, detail = v.detail, updated_at = now(),
      channel = case when v.moves then v.channel else m.channel end,
      recipient = case when v.reason is null or v.channel = m.channel then v.address else m.recipient end,
      not_before = greatest(m.not_before, v.send_at),
      attempts = case when v.moves then 0 when v.goes then m.attempts + 1 else m.attempts end,
      content = case when v.moves then '{}' else m.content end,
      idempotency_key = case when not v.moves then m.idempotency_key end,
      lease_token = case when v.goes then gen_random_uuid() end,
      lease_until = case when v.goes then p_now + make_interval(secs => p_lease_seconds) end
    from judged v where m.id = v.id
    returning m.id, m.status, v.moves
  )
  select coalesce(array_agg(id) filter (where status = 'sending'), '{}'),
    coalesce(array_agg(id) filter (where status in ('skipped', 'unknown')), '{}'),
    coalesce(bool_or(moves), false) into v_claimed, v_ended, v_moved
      from written;
  if p_pace > 0 and v_claimed <> '{}' then
    insert into public.channel_pace as p (organization_id, channel, next_at)
    values (p_organization, p_channel, p_now + make_interval(secs => cardinality(v_claimed) / p_pace))
    on conflict (organization_id, channel) do update set next_at = excluded.next_at, reason = null;
  end if;

  return (
    select json_build_object('examined', cardinality(v_ids), 'ended', v_ended, 'moved', v_moved,
      'last', case when v_last_id is not null
        then json_build_object('not_before', v_last_at, 'id', v_last_id) end,
      'templates', c.templates, 'messages', c.messages)
    from private.claimed_messages(v_claimed) as c);
end
$$;
comment on function public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, text[], jsonb, uuid, jsonb) is
  'Leases the next due messages of a channel (of one run; of one automation; only notices), once consent, cap, quiet hours and pace (messages a second) allow: {examined, templates, messages, wait_until, ended}. examined 0: nothing is due, or it has to wait until wait_until. p_closed: see ways_to; a channel without a provider: see hold_channel. p_integrations: channels that have a provider only while their integration is enabled. moved: some now wait to go by another channel. ended: ids of those that will not be sent. more: hold_channel has more to move. last: the place in the queue where it ended. p_after: looks only behind that place.';
grant execute on function private.due_messages(uuid, text, timestamptz, integer, uuid, uuid, boolean,
  timestamptz, uuid), private.judge_messages(uuid, text, uuid[], timestamptz, jsonb),
  private.claimed_messages(uuid[]),
  public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, text[],
  jsonb, uuid, jsonb)
  to service_role;
-- << supabase/logic/messages/claim.sql

-- >> supabase/logic/messages/consent.sql
-- Whether customers may be written to: addresses that must not be (opt-outs, bounces, complaints), and the
-- consent recorded by channel.

create or replace function private.suppression_rank(p_reason text) returns integer
language sql immutable set search_path = ''
as $$
  select case p_reason when '' then 0 when 'unsubscribe' then 1 when 'stop' then 2 when 'manual' then 3
    when 'bounce' then 4 else 5 end
$$;
comment on function private.suppression_rank(text) is
  'The order of the reasons; the strongest applies: unsubscribe < stop < manual < bounce < complaint.';

create or replace function private.adds_to(p_reason text, s public.suppressions) returns boolean
language sql immutable set search_path = ''
as $$
  select private.suppression_rank(p_reason) > private.suppression_rank(
    case when s.reason = 'bounce' and p_reason <> 'complaint' then coalesce(s.opt_out, '') else s.reason end)
    and p_reason <> s.reason
$$;
comment on function private.adds_to(text, public.suppressions) is
  'Whether another reason to suppress the address says more than what is recorded: a stronger one, or an opt-out from an address that bounced.';

create or replace function private.keep_opt_out() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.reason = 'bounce' and old.reason in ('unsubscribe', 'stop', 'manual') then
    new.opt_out := old.reason;
  elsif old.reason = 'bounce' and new.reason in ('unsubscribe', 'stop', 'manual') then
    new.opt_out := new.reason;
    new.reason := 'bounce';
  elsif new.reason <> 'bounce' then
    new.opt_out := null;
  end if;
  return new;
end
$$;
comment on function private.keep_opt_out() is
  'Trigger: an opt-out stays beside the bounce of its address, whichever came first.';

create or replace trigger suppressions_keep_opt_out before update of reason on public.suppressions
  for each row execute function private.keep_opt_out();

create or replace function private.with_firsts(p_organization uuid, p_channel text, p_addresses text[])
  returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select unnest(p_addresses)
    union
    select own.address from (
      select a.customer_id from public.customer_aliases a
      where p_channel = 'email' and a.organization_id = p_organization and a.email = any(p_addresses)
      union
      select a.customer_id from public.customer_aliases a
      where p_channel <> 'email' and a.organization_id = p_organization and a.phone = any(p_addresses)
    ) as person
    join public.customers c on c.id = person.customer_id
    cross join unnest(private.addresses_of(c, p_channel)) as own (address))
$$;
comment on function private.with_firsts(uuid, text, text[]) is
  'The addresses, and those by which the channel writes to customers who have one of them as a further one.';

create or replace function private.channels_of_a_no(p_channel text, p_reason text) returns text[]
language sql immutable set search_path = ''
as $$
  select case when p_reason = 'stop' and p_channel in ('sms', 'whatsapp') then array['sms', 'whatsapp']
    else array[p_channel] end
$$;
comment on function private.channels_of_a_no(text, text) is
  'The channels that a reason to suppress counts for: SMS and WhatsApp to a number are one address for who answers STOP.';

create or replace function public.suppress_addresses(p_organization uuid, p_channel text, p_addresses text[],
  p_reason text)
returns integer
language sql volatile set search_path = ''
as $$
  with written as (
    insert into public.suppressions as s (organization_id, channel, address, reason)
    -- A bounce is about one address. A no is the person's; a complaint is about the message that came there.
    select p_organization, said.channel, given.address,
      case when given.address = any(p_addresses) then p_reason
        else replace(p_reason, 'complaint', 'unsubscribe') end
    from unnest(private.channels_of_a_no(p_channel, p_reason)) as said (channel)
    cross join lateral (select distinct unnest(case p_reason when 'bounce' then p_addresses
      else private.with_firsts(p_organization, said.channel, p_addresses) end) as address) as given
    -- The id of a WhatsApp account is no number.
    where said.channel <> 'sms' or given.address like '+%'
    on conflict (organization_id, channel, address) do update
      set reason = excluded.reason, author = null, note = null, created_at = now()
      where private.adds_to(excluded.reason, s)
    returning 1
  )
  select count(*)::integer from written
$$;
comment on function public.suppress_addresses(uuid, text, text[], text) is
  'Stops messages to the addresses by the channel, and after STOP by SMS and WhatsApp alike; a stronger reason replaces a weaker one. All but a bounce also count for the first address of a customer who has one of these as a further one. Returns how many changed.';

create or replace function private.lift_opt_outs(p_organization uuid, p_channel text, p_addresses text[],
  p_reasons text[])
returns integer
language sql volatile set search_path = ''
as $$
  with gone as (
    delete from public.suppressions
    where organization_id = p_organization and channel = p_channel and address = any(p_addresses)
      and reason = any(p_reasons)
    returning 1
  ), behind as (
    update public.suppressions set opt_out = null
    where organization_id = p_organization and channel = p_channel and address = any(p_addresses)
      and opt_out = any(p_reasons)
    returning 1
  )
  select ((select count(*) from gone) + (select count(*) from behind))::integer
$$;
comment on function private.lift_opt_outs(uuid, text, text[], text[]) is
  'Ends the suppressions of the addresses that have one of the reasons, also those behind a bounce, which stays. How many.';

create or replace function public.unsuppress_address(p_organization uuid, p_channel text, p_address text,
  p_reasons text[])
returns boolean
language sql volatile set search_path = ''
as $$
  select private.lift_opt_outs(p_organization, p_channel,
    private.with_firsts(p_organization, p_channel, array[p_address]), p_reasons) > 0
$$;
comment on function public.unsuppress_address(uuid, text, text, text[]) is
  'Lets messages go to the address again, when it was suppressed for one of the reasons, and to the first address of a customer who has it as a further one. Whether one was.';

create or replace function public.subscription_of(p_organization uuid, p_channel text, p_address text)
  returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('organization_name', o.name, 'suppressed_by', (
    select s.reason from public.suppressions s
    where s.organization_id = o.id and s.channel = p_channel and s.address = p_address),
    'language', (select case when count(distinct c.language) = 1 then min(c.language) end
      from public.customers c
      where c.id = any(private.guests_of_link(p_organization, p_channel, array[p_address]))),
    'group_language', o.language)
  from public.organizations o where o.id = p_organization
$$;
comment on function public.subscription_of(uuid, text, text) is
  'The organization''s name, the reason why the address is suppressed (null: it is not), the language of the guests with the address (null: none, or several) and the group''s. Null when there is no such organization.';

create or replace function private.address_of(c public.customers, p_channel text) returns text
language sql immutable set search_path = ''
as $$
  select private.address_by(p_channel, (c).email, (c).phone, (c).whatsapp_id)
$$;
comment on function private.address_of(public.customers, text) is 'Where the customer is written to by the channel; null: nowhere.';

-- This and consents_json are in plpgsql, which keeps their plans: as SQL functions within customer_json they
-- were planned for each customer, which took four times as long.
create or replace function private.addresses_of(c public.customers, p_channel text) returns text[]
language plpgsql immutable set search_path = ''
as $$
begin
  return array_remove(array[private.address_of(c, p_channel),
    case p_channel when 'whatsapp' then (c).whatsapp_id end], null);
end
$$;
comment on function private.addresses_of(public.customers, text) is
  'The addresses whose opt-out applies to the customer on the channel; WhatsApp has both a number and an id.';

-- The plan is kept: planned for each customer, customer_json took twice as long.
create or replace function private.consents_json(p_customers public.customers[])
  returns table (customer_id uuid, consent jsonb)
language plpgsql stable rows 1 set search_path = '' set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select c.id, jsonb_object_agg(held.channel,
    jsonb_build_object('basis', held.basis, 'opted_out', s.id is not null) || case
    -- While there is an opt-out, source, date, author and reason describe the opt-out.
    when s.id is not null then jsonb_build_object(
      'source', case s.reason when 'manual' then 'staff' else s.reason end, 'at', s.created_at,
      'author', coalesce(s.author, case when s.reason in ('unsubscribe', 'stop', 'complaint')
        then nullif(btrim(concat_ws(' ', c.first_name, c.last_name)), '') end),
      'reason', s.note)
    when held.record ->> 'basis' = held.basis then jsonb_build_object('source', held.record -> 'source',
      'at', held.record -> 'at', 'author', held.record -> 'author', 'reason', held.record -> 'reason')
    when held.basis = 'existing_customer' then jsonb_build_object('source', 'visit',
      'at', coalesce(visits.first_at, c.last_visit_at), 'author', null, 'reason', null)
    else jsonb_build_object('source', null, 'at', null, 'author', null, 'reason', null) end)
  from unnest(p_customers) as c
  cross join lateral (
    -- Of a guest's first days only: no two time zones are two days apart.
    select min(r.service_order at time zone l.timezone) as first_at
    from public.reservations r join public.locations l on l.id = r.location_id
    where c.total_visits > 0 and r.customer_id = c.id and r.visited and r.service_order <= (
      select o.service_order from public.reservations o where o.customer_id = c.id and o.visited
      order by o.service_order limit 1) + interval '2 days'
  ) as visits
  cross join lateral (
    select w.channel, w.addresses, c.consents -> w.channel as record,
      private.consent_basis(c.consents, c.total_visits, w.channel) as basis
    from (values ('whatsapp', array[coalesce(c.phone, c.whatsapp_id), c.whatsapp_id]),
      ('sms', array[c.phone]),
      ('email', array[c.email])) as w (channel, addresses)
  ) as held
  left join lateral (
    select * from public.suppressions x
    where x.organization_id = c.organization_id and x.channel = held.channel
      and x.address = any(held.addresses)
    order by x.reason in ('bounce', 'complaint') desc, x.created_at limit 1
  ) as s on true
  group by c.id;
end
$$;
comment on function private.consents_json(public.customers[]) is
  'The consent of each of the customers as the API returns it: {whatsapp, sms, email}, each {basis, source, at, author, reason, opted_out}. All at once: a statement for each customer took twice as long for a page.';

create or replace function private.consent_condition(p_consent text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_channel text := split_part(p_consent, ':', 1);
  v_state text := split_part(p_consent, ':', 2);
  v_field text := case v_channel when 'email' then 'c.email'
    when 'whatsapp' then 'coalesce(c.phone, c.whatsapp_id)'
    else 'c.phone' end;
  v_basis text := format('private.consent_basis(c.consents, c.total_visits, %L)', v_channel);
  v_exists text := format('exists (select 1 from public.suppressions s where s.organization_id = $1
    and s.channel = %L and s.address = %%s)', v_channel);
  -- Each address by itself, so that either is a join.
  v_opted_out text := case v_channel when 'whatsapp'
    then format('(%s or %s)', format(v_exists, v_field), format(v_exists, 'c.whatsapp_id'))
      else format(v_exists, v_field) end;
begin
  if v_channel not in ('whatsapp', 'sms', 'email')
    or v_state not in ('reachable', 'opted_out', 'opt_in', 'existing_customer', 'none') then
    raise exception 'unknown consent "%"', p_consent using errcode = '22023';
  end if;
  return case v_state
    when 'opted_out' then ' and ' || v_opted_out
    when 'reachable' then format(
      -- Most have visited and have nothing on record: they need no call of the function.
      ' and %s is not null and (c.consents = ''{}'' and c.total_visits > 0 or %s <> ''none'') and not %s',
      v_field, v_basis, v_opted_out)
    -- As the partial indexes have it.
    when 'opt_in' then format(' and c.consents @> ''{"%s": {"basis": "opt_in"}}''', v_channel)
    when 'none' then format(
      ' and (c.consents = ''{}'' and c.total_visits = 0 or c.consents <> ''{}'' and %s = ''none'')', v_basis)
    else format(' and %s = %L', v_basis, v_state) end;
end
$$;
comment on function private.consent_condition(text) is
  'The condition of list_customers for `<channel>:<state>`; state: a basis, opted_out, or reachable (an address, a basis and no opt-out).';

create or replace function private.my_name() returns text
language sql stable set search_path = ''
as $$ select coalesce(nullif(btrim(p.full_name), ''), p.email) from public.profiles p
  where p.id = (select private.caller()) $$;
comment on function private.my_name() is 'The caller''s name.';

create or replace function private.consent_obstacle(c public.customers, p_wishes jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('channel', w.key, 'outcome',
    case when contact.address is null then 'no_address_for'
    else 'address_refused' end)
  from jsonb_each(p_wishes) as w
  cross join lateral (select private.address_of(c, w.key)) as contact (address)
  where (w.value ->> 'opted_out')::boolean and contact.address is null
    or not (w.value ->> 'opted_out')::boolean and exists (
      select 1 from public.suppressions s
      where s.organization_id = c.organization_id and s.channel = w.key
        and s.address = any(private.addresses_of(c, w.key))
        and s.reason in ('bounce', 'complaint'))
  order by w.key limit 1
$$;
comment on function private.consent_obstacle(public.customers, jsonb) is
  'The reason to refuse a consent that staff record ({email: {basis, opted_out, reason}}): an opt-out needs an address, and an address that bounced or complained cannot be opted in. Null: it is allowed.';

create or replace function private.record_consent(p_customer uuid, p_wishes jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_author constant text := private.my_name();
  c public.customers;
begin
  if p_wishes is null then
    return;
  end if;
  select * into c from public.customers where id = p_customer;
  with lifted as materialized (
    select w.key as channel from jsonb_each(p_wishes) as w
    where case when not (w.value ->> 'opted_out')::boolean then
      private.lift_opt_outs(c.organization_id, w.key, private.addresses_of(c, w.key),
        array['unsubscribe', 'stop', 'manual']) > 0 end
  ), decided as (
    select w.key as channel, w.value ->> 'reason' as reason,
      coalesce(w.value ->> 'basis', held.basis) as basis
    from jsonb_each(p_wishes) as w
    cross join lateral (select private.consent_basis(c.consents, c.total_visits, w.key)) as held (basis)
    -- Lifting an opt-out documents the basis that marketing rests on from then on.
    where w.value ? 'basis' or held.basis <> 'none' and w.key in (select channel from lifted)
  ), news as (
    select jsonb_object_agg(d.channel, jsonb_build_object('basis', d.basis, 'source', 'staff', 'at', now(),
      'author', v_author, 'reason', d.reason, 'former', (c.consents -> d.channel) - 'former')) as consents
    from decided d
    where (d.basis, 'staff', d.reason) is distinct from (c.consents #>> array[d.channel, 'basis'],
      c.consents #>> array[d.channel, 'source'], c.consents #>> array[d.channel, 'reason'])
  )
  update public.customers k set consents = k.consents || news.consents
  from news where k.id = p_customer and news.consents is not null;

  insert into public.suppressions as s (organization_id, channel, address, reason, author, note)
  select c.organization_id, w.key, private.address_of(c, w.key), 'manual', v_author, w.value ->> 'reason'
  from jsonb_each(p_wishes) as w where (w.value ->> 'opted_out')::boolean
  on conflict (organization_id, channel, address) do update
    set reason = excluded.reason, author = excluded.author, note = excluded.note, created_at = now()
    where private.adds_to(excluded.reason, s);
end
$$;
comment on function private.record_consent(uuid, jsonb) is
  'Records a customer''s wish for staff: {email: {basis, opted_out, reason}}. Opting out suppresses the address, opting in lifts that.';

create or replace function private.carry_opt_outs(p_organization uuid, p_from text[], p_to text[])
  returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.suppressions as s (organization_id, channel, address, reason, author, note, created_at)
  select distinct on (g.channel, n.address) p_organization, g.channel, n.address,
    -- A complaint belongs to the person; a bounce only to the old address.
    case g.reason when 'complaint' then 'unsubscribe' when 'bounce' then g.opt_out else g.reason end,
    g.author, g.note, g.created_at
  from unnest(p_from, p_to) as n (former, address)
  join public.suppressions g on g.organization_id = p_organization and g.address = n.former
  where g.channel in ('whatsapp', 'sms', 'email') and n.address <> n.former
    and (g.reason <> 'bounce' or g.opt_out is not null)
  order by g.channel, n.address, private.suppression_rank(g.reason) desc
  on conflict (organization_id, channel, address) do update
    set reason = excluded.reason, author = excluded.author, note = excluded.note,
      created_at = excluded.created_at
    where private.adds_to(excluded.reason, s);
end
$$;
comment on function private.carry_opt_outs(uuid, text[], text[]) is
  'Copies opt-outs at former addresses to current ones, pair by pair; a bounce applies only to its address.';
grant execute on function private.carry_opt_outs(uuid, text[], text[]) to service_role;

create or replace function private.carry_opt_outs(p_organization uuid, p_from text[], p_to text) returns void
language sql volatile set search_path = ''
as $$ select private.carry_opt_outs(p_organization, p_from, array_fill(p_to, array[cardinality(p_from)])) $$;
comment on function private.carry_opt_outs(uuid, text[], text) is
  'Copies a customer''s opt-outs at former addresses to the current one.';

create or replace function private.merged_consents(p_kept jsonb, p_gone jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(best.channel, best.record), '{}')
  from (
    select distinct on (r.key) r.key as channel, r.value as record
    from (select * from jsonb_each(p_kept) union all select * from jsonb_each(p_gone)) as r
    order by r.key, (r.value ->> 'source' = 'staff') desc nulls last,
      array_position(array['opt_in', 'existing_customer', 'none'],
        case when r.value ->> 'source' = 'staff' then null else r.value ->> 'basis' end),
      (r.value ->> 'at')::timestamptz desc nulls last
  ) as best
$$;
comment on function private.merged_consents(jsonb, jsonb) is
  'The better documented consent of two merged customers by channel: the one that staff recorded last, else the firmest basis.';

create or replace function private.add_consents(p_consents jsonb, p_visits integer, p_declared jsonb)
  returns jsonb
language sql immutable set search_path = ''
as $$
  select p_consents || coalesce((
    select jsonb_object_agg(d.key, d.value) from jsonb_each(p_declared) as d
    where d.value ->> 'basis' <> 'none' and private.consent_basis(p_consents, p_visits, d.key) = 'none'
      and p_consents #>> array[d.key, 'source'] is distinct from 'staff'), '{}')
$$;
comment on function private.add_consents(jsonb, integer, jsonb) is
  'The consents plus the declared ones, where there is no basis yet and staff have not recorded that.';

create or replace function private.log_consents() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, details)
  select new.organization_id, private.actor_name(), (select a.id from private.acting() a),
    'customer.consent_changed', 'customer', new.id, jsonb_build_object('fields', array['consent.' || channel],
      'before', jsonb_build_object('basis', private.consent_basis(old.consents, old.total_visits, channel)),
      'after', jsonb_build_object('basis', private.consent_basis(new.consents, new.total_visits, channel),
        'source', new.consents #> array[channel, 'source']))
  from unnest(array['whatsapp', 'sms', 'email']) as channel
  where old.consents -> channel is distinct from new.consents -> channel;
  return null;
end
$$;
comment on function private.log_consents() is 'Trigger: logs a recorded consent by channel, its basis before and after.';

create or replace trigger customers_log_consents after update of consents on public.customers
  for each row when (old.consents is distinct from new.consents) execute function private.log_consents();

create or replace function private.log_opt_outs() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_changes jsonb;
begin
  case tg_op
    when 'INSERT' then
      v_changes := (select jsonb_agg(jsonb_build_object('organization_id', n.organization_id, 'channel',
        n.channel,
        'address', n.address, 'reason', n.reason, 'at', n.created_at)) from new_rows n);
    when 'UPDATE' then
      v_changes := (select jsonb_agg(jsonb_build_object('organization_id', n.organization_id, 'channel',
        n.channel,
        'address', n.address, 'former', coalesce(o.opt_out, o.reason), 'reason',
        coalesce(n.opt_out, n.reason), 'at', now()))
        from new_rows n join old_rows o on o.id = n.id
        where coalesce(n.opt_out, n.reason) <> coalesce(o.opt_out, o.reason));
    else
      v_changes := (select jsonb_agg(jsonb_build_object('organization_id', o.organization_id, 'channel',
        o.channel,
        'address', o.address, 'former', o.reason, 'at', now())) from old_rows o);
  end case;
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, details,
    created_at)
  select o.id, (select private.actor_name()), (select a.id from private.acting() a),
    'customer.consent_changed',
    'customer', c.id, jsonb_build_object('fields', array['consent.' || w.channel],
      'before', jsonb_strip_nulls(jsonb_build_object('opted_out', w.former is not null, 'source', w.former)),
      'after', jsonb_strip_nulls(jsonb_build_object('opted_out', w.reason is not null, 'source', w.reason))),
        w.at
  from jsonb_to_recordset(v_changes) as w (organization_id uuid, channel text, address text, former text,
    reason text, at timestamptz)
  -- All rows are deleted with their organization.
  join public.organizations o on o.id = w.organization_id
  cross join lateral (
    select e.id from public.customers e
    where w.channel = 'email' and e.organization_id = w.organization_id and e.email = w.address
    union all
    select t.id from public.customers t
    where w.channel <> 'email' and t.organization_id = w.organization_id and t.phone = w.address
    union
    select i.id from public.customers i
    where w.channel = 'whatsapp' and i.organization_id = w.organization_id and i.whatsapp_id = w.address
  ) as c;
  return null;
end
$$;
comment on function private.log_opt_outs() is
  'Trigger: logs every opt-out and opt-in for the customers with the address.';

create or replace trigger suppressions_log_new after insert on public.suppressions
  referencing new table as new_rows for each statement execute function private.log_opt_outs();
create or replace trigger suppressions_log_changed after update on public.suppressions
  referencing old table as old_rows new table as new_rows for each statement
    execute function private.log_opt_outs();
create or replace trigger suppressions_log_gone after delete on public.suppressions
  referencing old table as old_rows for each statement execute function private.log_opt_outs();
grant execute on function private.suppression_rank(text), private.adds_to(text, public.suppressions),
  private.channels_of_a_no(text, text),
  private.lift_opt_outs(uuid, text, text[], text[]), private.with_firsts(uuid, text, text[]),
  private.address_of(public.customers, text), private.addresses_of(public.customers, text),
  public.suppress_addresses(uuid, text, text[], text), public.unsuppress_address(uuid, text, text, text[]),
  public.subscription_of(uuid, text, text), private.add_consents(jsonb, integer, jsonb) to service_role;
-- << supabase/logic/messages/consent.sql

-- >> supabase/logic/messages/departures.sql
-- Which message made its guest leave: opt-outs by the link of a message or in answer to it, and complaints.

create or replace function private.credit_opt_out(p_organization uuid, p_channel text, p_addresses text[],
  p_message uuid, p_at timestamptz default now())
returns void
language sql volatile set search_path = ''
as $$
  update public.messages m set unsubscribed_at = p_at
  where m.id = p_message and m.organization_id = p_organization and m.kind = 'marketing'
    and m.channel = p_channel and m.recipient = any(p_addresses) and m.unsubscribed_at is null
$$;
comment on function private.credit_opt_out(uuid, text, text[], uuid, timestamptz) is
  'Notes that a marketing message made its guest opt out; nothing when it did not go to one of these addresses.';

create or replace function public.change_subscription(p_organization uuid, p_channel text,
  p_addresses text[], p_undo boolean default false, p_message uuid default null)
returns void
language plpgsql volatile set search_path = ''
as $$
begin
  if p_undo then
    perform private.lift_together(p_organization, p_channel, p_addresses);
    perform private.lift_opt_outs(p_organization, p_channel,
      private.with_firsts(p_organization, p_channel, p_addresses), array['unsubscribe']);
    update public.messages m set unsubscribed_at = null
    where m.id = p_message and m.organization_id = p_organization and m.channel = p_channel
      and m.recipient = any(p_addresses) and m.unsubscribed_at is not null;
  -- Who had left already did not leave because of this message.
  elsif public.suppress_addresses(p_organization, p_channel, p_addresses, 'unsubscribe') > 0 then
    perform private.credit_opt_out(p_organization, p_channel, p_addresses, p_message);
  end if;
end
$$;
comment on function public.change_subscription(uuid, text, text[], boolean, uuid) is
  'Unsubscribes the addresses of a link, or undoes that; p_message, which the link names, is credited with it when it went to one of them.';

create or replace function private.credit_stop(p_organization uuid, p_addresses text[], p_answers text,
  p_at timestamptz)
returns void
language sql volatile set search_path = ''
as $$
  update public.messages m set unsubscribed_at = p_at
  where m.kind = 'marketing' and m.unsubscribed_at is null and m.id = coalesce((
      select x.id from public.messages x
      where x.provider = any(private.providers_of('whatsapp')) and x.provider_id = p_answers
        and x.organization_id = p_organization), (
      select x.id from public.messages x
      where x.organization_id = p_organization and x.recipient = any(p_addresses)
        and x.channel in ('sms', 'whatsapp') and x.status in ('sent', 'delivered')
        and x.created_at > p_at - private.engagement_window()
      order by x.created_at desc limit 1))
$$;
comment on function private.credit_stop(uuid, text[], text, timestamptz) is
  'Notes which message an opt-out in words answers: the one it names (p_answers, the provider''s id), else the latest of 30 days to one of the addresses. Only marketing takes the credit.';

create or replace function public.record_complaint(p_organization uuid, p_provider text, p_provider_id text,
  p_message uuid, p_at timestamptz default now())
returns void
language sql volatile set search_path = ''
as $$
  update public.messages m set complained_at = p_at
  where m.id = coalesce((
      select x.id from public.messages x
      where x.provider = p_provider and x.provider_id = p_provider_id
        and x.organization_id = p_organization), (
      -- As record_delivery: the provider's id may not be stored yet.
      select x.id from public.messages x
      where x.id = p_message and x.organization_id = p_organization and x.provider_id is null
        and x.attempts > 0))
    and m.complained_at is null
$$;
comment on function public.record_complaint(uuid, text, text, uuid, timestamptz) is
  'Notes that the guest of a message, found by its provider_id, else by our id, reported it as unwanted.';
grant execute on function private.credit_opt_out(uuid, text, text[], uuid, timestamptz),
  private.credit_stop(uuid, text[], text, timestamptz),
  public.change_subscription(uuid, text, text[], boolean, uuid),
  public.record_complaint(uuid, text, text, uuid, timestamptz) to service_role;
-- << supabase/logic/messages/departures.sql

-- >> supabase/logic/messages/email_designs.sql
-- Saving looks of e-mails and deleting images; lib/email-design checks first.

create or replace function private.brand_of(a public.automations) returns uuid
language sql stable set search_path = ''
as $$
  select case when count(distinct p.brand_id) = 1 and count(p.brand_id) = count(*)
    then min(p.brand_id::text)::uuid end
  from public.locations p where p.id = any(a.location_ids)
$$;
comment on function private.brand_of(public.automations) is
  'The brand of all its locations; null: its messages are the group''s.';

create or replace function private.look_of(p_organization uuid, p_brand uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce((
    select to_jsonb(l) from public.email_looks l where l.organization_id = p_organization
      and l.brand_id is null), '{}')
  || coalesce((
    select jsonb_strip_nulls(to_jsonb(l)) from public.email_looks l
    where l.organization_id = p_organization and l.brand_id = p_brand), '{}')
$$;
comment on function private.look_of(uuid, uuid) is
  'The look of a brand over the group''s, which has what it leaves open; of the group without a brand.';

create or replace function private.email_look_of(a public.automations) returns jsonb
language sql stable set search_path = ''
as $$
  with own as (select private.brand_of(a) as brand_id)
  select jsonb_build_object('postal_address', coalesce(
    (select b.postal_address from public.brands b join own on own.brand_id = b.id),
    (select o.postal_address from public.organizations o where o.id = a.organization_id)))
  || coalesce(a.email_look, private.look_of(a.organization_id, (select own.brand_id from own)))
$$;
comment on function private.email_look_of(public.automations) is
  'The look of an automation''s e-mails, with the postal address (postal_address): of the brand, where all its locations are of one; what that leaves open is as in the group''s. Of a campaign''s message, as it was at the launch.';

create or replace function public.save_email_look(p_organization uuid, p_brand uuid, p_fields jsonb)
  returns setof public.email_looks
language plpgsql volatile set search_path = ''
as $$
declare
  v public.email_looks;
begin
  if p_brand is not null then
    perform 1 from public.brands b where b.id = p_brand and b.organization_id = p_organization for key share;
    if not found then
      return;
    end if;
  end if;
  insert into public.email_looks (organization_id, brand_id) values (p_organization, p_brand)
    on conflict do nothing;
  select * into v from public.email_looks l
  where l.organization_id = p_organization and l.brand_id is not distinct from p_brand for update;
  v := jsonb_populate_record(v, p_fields);
  return query update public.email_looks l set logo = v.logo, color = v.color, button_color = v.button_color,
    sender_name = v.sender_name, from_email = v.from_email, reply_to = v.reply_to, footer = v.footer
  where l.id = v.id returning *;
end
$$;
comment on function public.save_email_look(uuid, uuid, jsonb) is
  'Changes the given fields of a brand''s look, or of the group''s (null); no row when there is no such brand.';

create or replace function public.delete_email_image(p_organization uuid, p_id uuid) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  v_path text;
begin
  select i.path into v_path from public.email_images i
    where i.id = p_id and i.organization_id = p_organization for update;
  if v_path is null then
    return 'not_found';
  end if;
  if exists (select from public.email_looks l where l.organization_id = p_organization and l.logo = v_path)
    or exists (select from public.automations a
      where a.organization_id = p_organization and a.deleted_at is null
        and (position(v_path in concat(a.email_design, a.versions)) > 0 or a.email_look ->> 'logo' = v_path))
    or exists (select from public.automation_runs r
      where r.organization_id = p_organization and r.status in ('waiting_approval', 'running', 'paused')
        and r.template -> 'email_look' ->> 'logo' = v_path)
    or exists (select from public.email_templates t
      where t.organization_id = p_organization and position(v_path in t.design::text) > 0) then
    return 'in_use';
  end if;
  delete from public.email_images where id = p_id;
  return 'deleted';
end
$$;
comment on function public.delete_email_image(uuid, uuid) is
  'Forgets an image that no design, template or look shows, nor the look that a campaign was launched with or a run''s approval was asked for: deleted, not_found or in_use. The file is the caller''s to remove.';
grant execute on function private.brand_of(public.automations), private.look_of(uuid, uuid),
  private.email_look_of(public.automations),
  public.save_email_look(uuid, uuid, jsonb), public.delete_email_image(uuid, uuid) to service_role;
-- << supabase/logic/messages/email_designs.sql

-- >> supabase/logic/messages/facts.sql
-- What a message is rendered from, and the counts of a run, which a trigger keeps as its messages change.

create or replace function private.count_run_messages() returns trigger
language plpgsql set search_path = ''
as $$
declare
  v_changes jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(change) into v_changes from (
      select run_id, count(*) as processed, count(*) filter (where status in ('sent', 'delivered')) as sent,
        count(*) filter (where status = 'skipped') as skipped,
        count(*) filter (where status in ('failed', 'unknown')) as failed,
        count(*) filter (where status in ('sent', 'delivered') and simulated) as simulated
      from new_rows where run_id is not null group by run_id) as change;
  else
    select jsonb_agg(change) into v_changes from (
      -- Added up, not joined: a join keeps the plan of the connection's first update, a nested loop after a
      -- small one.
      select c.run_id, 0 as processed,
        sum(case when c.status in ('sent', 'delivered') then c.sign else 0 end) as sent,
        sum(case when c.status = 'skipped' then c.sign else 0 end) as skipped,
        sum(case when c.status in ('failed', 'unknown') then c.sign else 0 end) as failed,
        sum(case when c.status in ('sent', 'delivered') and c.simulated then c.sign else 0 end) as simulated
      from (select 1 as sign, n.run_id, n.status, n.simulated from new_rows n
        union all select -1, o.run_id, o.status, o.simulated from old_rows o) as c
      where c.run_id is not null
      -- The tidy-up takes old messages off their run, which keeps its counts.
      group by c.run_id having sum(c.sign) = 0) as change
    -- A claim or a delivery report changes no count, and does not wait for the run's row.
    where (change.sent, change.skipped, change.failed, change.simulated) <> (0, 0, 0, 0);
  end if;
  if v_changes is null then
    return null;
  end if;
  -- Locked in one order, so that two batches with messages of the same runs do not deadlock.
  perform 1 from public.automation_runs run
  where run.id in (select c.run_id from jsonb_to_recordset(v_changes) as c (run_id uuid))
    order by run.id for update;
  update public.automation_runs run
  set processed = total.processed, sent = total.sent, skipped = total.skipped, failed = total.failed,
    simulated = total.simulated,
    status = case when run.status in ('paused', 'refused', 'expired', 'stopped') then run.status
      when total.open and run.expires_at is not null then 'waiting_approval'
      when total.open then 'running' else 'finished' end,
    finished_at = case when total.open then null
      else coalesce(run.finished_at, greatest(now(), run.started_at)) end
  from (
    select *, t.planning or t.processed > t.sent + t.skipped + t.failed as open from (
      select r.id, r.planning, r.processed + c.processed as processed, r.sent + c.sent as sent,
        r.skipped + c.skipped as skipped, r.failed + c.failed as failed,
        r.simulated + c.simulated as simulated
      from jsonb_to_recordset(v_changes) as c (run_id uuid, processed integer, sent integer, skipped integer,
        failed integer, simulated integer)
      join public.automation_runs r on r.id = c.run_id) as t
  ) as total
  where run.id = total.id;
  return null;
end
$$;
comment on function private.count_run_messages() is
  'Trigger: keeps the counts of runs in step with their messages, and finishes a run with its last message.';

create or replace trigger messages_count_new after insert on public.messages
  referencing new table as new_rows for each statement execute function private.count_run_messages();
create or replace trigger messages_count_changed after update on public.messages
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.count_run_messages();

create or replace function private.message_facts(o public.organizations, c public.customers,
  r public.reservations, l public.locations, p_tier text) returns json
-- In plpgsql because it is called for many rows: an SQL function with a search_path of its own takes several
-- times as long.
language plpgsql stable set search_path = ''
as $$
begin
  return json_build_object('organization_name', o.name, 'first_name', c.first_name, 'last_name', c.last_name,
    'birth_date', c.birth_date, 'total_visits', c.total_visits,
    'last_visit', c.last_visit_on,
    'tier', p_tier, 'location_name', l.name, 'reservation_date', r.reservation_date,
    'reservation_time', to_char(r.reservation_time, 'HH24:MI'), 'party_size', r.party_size,
    'language', c.language, 'group_language', o.language);
end
$$;
comment on function private.message_facts(public.organizations, public.customers, public.reservations, public.locations, text)
  is 'The customer''s data for a template, p_tier being the name of their tier; lib/messaging/template.ts reads it.';

create or replace function private.template_of(a public.automations) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('id', a.id, 'subject', a.subject, 'body', a.body, 'content_sid', a.content_sid,
    'content_variables', a.content_variables, 'email_design', a.email_design,
    'question', case when a.criteria ->> 'answers' = 'true' then a.criteria ->> 'question' end)
    -- Left out where there are none: runs that were approved before there were any have it so, too.
    || case when a.versions <> '[]' then jsonb_build_object('versions', a.versions) else '{}' end
$$;
comment on function private.template_of(public.automations) is
  'An automation''s template, as lib/messaging/template.ts takes it.';
grant execute on function private.message_facts(public.organizations, public.customers, public.reservations,
  public.locations, text), private.template_of(public.automations) to service_role;
-- << supabase/logic/messages/facts.sql

-- >> supabase/logic/messages/guest_texts.sql
-- Texts to guests about their table and their booking. SQL stores what they say as data;
-- lib/messaging/guest-text.ts words it when it is sent.

create or replace function private.in_english(p_phone text) returns boolean
language sql immutable set search_path = ''
as $$ select p_phone ~ '^\+(1|44|353|61|64)' $$;
comment on function private.in_english(text) is 'Whether to write to the owner of a number in English.';

create or replace function private.language_for(p_organization uuid, p_customer uuid, p_phone text,
  p_wrote text default null) returns text
language sql stable set search_path = ''
as $$
  select coalesce((
      select case when count(distinct c.language) = 1 then min(c.language) end from public.customers c
      where c.id = any(array(
        select p_customer where p_customer is not null
        union
        select s.customer_id from private.senders(p_organization, p_phone, null) as s
        where p_customer is null))),
    case when coalesce(p_wrote = 'en', private.in_english(p_phone)) then 'en' else o.language end)
  from public.organizations o where o.id = p_organization
$$;
comment on function private.language_for(uuid, uuid, text, text) is
  'The language of a text to a guest: their own; of an unknown customer that of those who have the phone. Else English for who wrote in it (p_wrote) or has a number of an English-speaking country, else the group''s.';

create or replace function private.guest_text(p_template text, p_language text, p_values jsonb,
  p_expires_at timestamptz) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('template', p_template, 'language', p_language, 'values', p_values,
    'expires_at', p_expires_at)
$$;
comment on function private.guest_text(text, text, jsonb, timestamptz) is
  'The content of a message to a guest; lib/messaging/guest-texts.json has the templates with their values.';

create or replace function private.worded(p_text text, p_values jsonb) returns text
language sql immutable set search_path = ''
as $$
  select string_agg(coalesce(p_values ->> substring(m.part[1] from '^\{(\w+)\}$'), m.part[1]), ''
    order by m.n)
  from regexp_matches(p_text, '\{\w+\}|[^{]+|\{', 'g') with ordinality as m (part, n)
$$;
comment on function private.worded(text, jsonb) is
  'A text with its {name} replaced by the values of that name. What a value contains is not looked at again.';
grant execute on function private.in_english(text), private.language_for(uuid, uuid, text, text),
  private.guest_text(text, text, jsonb, timestamptz) to service_role;
-- << supabase/logic/messages/guest_texts.sql

-- >> supabase/logic/messages/guests_to_check.sql
-- The guests whose messages are rendered to check a send before it leaves (lib/sending-check): some of each
-- kind, which stand for all of it. What a text lacks depends on what is known of the guest.

create or replace function private.guests_to_check_sql() returns text
language sql immutable set search_path = ''
as $$
  -- Names that nameInMessage may leave out are a kind of their own: they may look like an address.
  select $sql$with told as (
      select p.customer_id, p.reservation_id, p.channel, concat(p.channel, c.first_name is null,
        c.last_name is null, c.first_name ~ v.odd, c.last_name ~ v.odd, c.birth_date is null,
        c.last_visit_on is null, c.loyalty_tier_id is null, p.location_id is null, c.total_visits = 0,
        c.language) as kind
      from plan p
      join public.customers c on c.id = p.customer_id
      cross join (values ('[^[:alpha:][:space:]''-]')) as v (odd)
      where p.reason is null
    ), numbered as (
      select *, count(*) over (partition by kind) as guests,
        row_number() over (partition by kind order by customer_id, reservation_id) as place
      from told
    )
    select coalesce(jsonb_agg(jsonb_build_object('customer_id', n.customer_id, 'reservation_id',
      n.reservation_id, 'channel', n.channel,
      'guests', n.guests::numeric / least(n.guests, most.each))), '[]')
    from numbered n
    cross join (select greatest(10, 1000 / greatest(count(distinct kind), 1)) as each from told) as most
    where n.place <= most.each$sql$
$$;
comment on function private.guests_to_check_sql() is
  'A query over a plan, which has to stand as "plan" before it: of each kind of guest to whom a message would go up to 1,000 divided by the kinds, each with the number that they stand for.';

create or replace function private.guests_to_check(p_organization uuid, p_guests jsonb) returns jsonb
language sql stable set search_path = '' set enable_nestloop = on
as $$
  select coalesce(jsonb_agg(jsonb_build_object('guests', g.guests, 'channel', g.channel,
    'facts', private.message_facts(o, c, r, l, t.name))), '[]')
  from jsonb_to_recordset(p_guests) as g (customer_id uuid, reservation_id uuid, channel text, guests numeric)
  join public.customers c on c.id = g.customer_id
  join public.organizations o on o.id = p_organization
  left join public.reservations r on r.id = g.reservation_id
  left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
  left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
$$;
comment on function private.guests_to_check(uuid, jsonb) is
  'The facts for the messages of these guests, as [{guests, channel, facts}]; p_guests as guests_to_check_sql gives it.';
grant execute on function private.guests_to_check_sql(), private.guests_to_check(uuid, jsonb) to service_role;
-- << supabase/logic/messages/guests_to_check.sql

-- >> supabase/logic/messages/preferences.sql
-- What a guest chooses on the page of an unsubscribe link: channels, how often, brands, language. Closed
-- channels are suppressions by the reason unsubscribe; the rest stands on the customer. The link's token is
-- the only authority: it counts for every customer with its address.

create or replace function private.guests_of_link(p_organization uuid, p_channel text, p_addresses text[])
  returns uuid[]
language sql stable set search_path = ''
as $$
  select array(
    select c.id from public.customers c
    where p_channel = 'email' and c.organization_id = p_organization and c.email = any(p_addresses)
    union
    select a.customer_id from public.customer_aliases a
    where p_channel = 'email' and a.organization_id = p_organization and a.email = any(p_addresses)
    union
    select o.customer_id from private.phone_owners(p_organization, p_addresses) as o
    where p_channel <> 'email'
    union
    select c.id from public.customers c
    where p_channel = 'whatsapp' and c.organization_id = p_organization and c.whatsapp_id = any(p_addresses)
    union
    select a.customer_id from public.customer_aliases a
    where p_channel = 'whatsapp' and a.organization_id = p_organization and a.whatsapp_id = any(p_addresses))
$$;
comment on function private.guests_of_link(uuid, text, text[]) is
  'The customers who have one of a link''s addresses, as the first or a further one.';

create or replace function private.channels_of_link(p_organization uuid, p_channel text, p_addresses text[])
  returns table (channel text, addresses text[], state text)
language sql stable set search_path = ''
as $$
  with theirs as (
    select w.channel, private.addresses_of(c, w.channel) as addresses
    from public.customers c
    cross join unnest(array['email', 'sms', 'whatsapp']) as w (channel)
    where c.id = any(private.guests_of_link(p_organization, p_channel, p_addresses))
      and private.address_of(c, w.channel) is not null
  ), own as (
    -- SMS and WhatsApp to a number are one address; the id of a WhatsApp account is no number.
    select said.channel, p_addresses as addresses
    from unnest(private.channels_of_a_no(p_channel, 'stop')) as said (channel)
    where said.channel = 'email' or p_addresses[1] like '+%' or said.channel = 'whatsapp'
  ), targets as (
    select * from theirs
    union all
    select * from own where own.channel not in (select t.channel from theirs t)
  ), held as (
    select t.*, (
      select s.reason from public.suppressions s
      where s.organization_id = p_organization and s.channel = t.channel and s.address = any(t.addresses)
      order by private.suppression_rank(s.reason) desc limit 1) as reason
    from targets t
  )
  select h.channel, array(
      select each.address from held k cross join unnest(k.addresses) as each (address)
      where k.channel = h.channel
      union select unnest(own.addresses) from own where own.channel = h.channel),
    case when bool_or(h.reason is null) then 'on'
      -- Of several guests with the address one does not take back what another said elsewhere.
      when bool_or(h.reason = 'unsubscribe') and (h.channel in (select own.channel from own)
        or cardinality(private.guests_of_link(p_organization, p_channel, p_addresses)) = 1) then 'off'
      else 'closed' end
  from held h group by h.channel
$$;
comment on function private.channels_of_link(uuid, text, text[]) is
  'The channels by which the guests of a link can be written to, with their addresses there. state: on (to one of them at least), off (they unsubscribed), or closed, by what the link cannot undo: a STOP, the staff, a bounce, a complaint, or, where several have the address, their no by another one.';

create or replace function public.guest_preferences(p_organization uuid, p_channel text, p_addresses text[])
  returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_guests uuid[] := private.guests_of_link(p_organization, p_channel, p_addresses);
begin
  return (
    select jsonb_build_object(
      'known', v_guests <> '{}',
      'channels', (
        select coalesce(jsonb_agg(jsonb_build_object('channel', k.channel, 'state', k.state)
          order by k.channel), '[]')
        from private.channels_of_link(p_organization, p_channel, p_addresses) as k),
      'frequency', case when bool_or(c.write_frequency is not null) then 'monthly' else 'all' end,
      'brands', (
        select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name, 'wanted', not exists (
          select from public.customers m where m.id = any(v_guests) and b.id = any(m.muted_brands)))
          order by b.name, b.id), '[]')
        from public.brands b where b.organization_id = p_organization),
      'language', case when count(distinct coalesce(c.language, o.language)) = 1
        then min(coalesce(c.language, o.language)) end)
    from public.organizations o
    left join public.customers c on c.id = any(v_guests)
    where o.id = p_organization group by o.id);
end
$$;
comment on function public.guest_preferences(uuid, text, text[]) is
  'What the page of an unsubscribe link offers: {known: some customer has its address, channels: [{channel, state: see channels_of_link}], frequency: all or monthly, brands: [{id, name, wanted}], language: theirs, null when several differ}. Of several customers the strictest wish. Null when there is no such organization.';

create or replace function private.close_and_open(p_organization uuid, p_channel text, p_addresses text[],
  p_none boolean, p_channels text[], p_message uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v record;
begin
  for v in
    with offered as (
      select k.*, k.channel = 'email' as mail
      from private.channels_of_link(p_organization, p_channel, p_addresses) as k
    ), lines as (
      -- E-mail is one, and a number another: a no by SMS or by WhatsApp is a no by both.
      select o.mail, bool_or(o.state = 'on') as is_on, not p_none and coalesce(
        bool_and(o.channel = any(p_channels)) filter (where o.state <> 'closed'), false) as wanted
      from offered o group by o.mail
    )
    select o.channel, o.addresses, l.wanted, o.mail = (p_channel = 'email') as linked
    from offered o join lines l on l.mail = o.mail
    -- What stays as it was shown is left alone: of several guests one may be out already. All is closed even
    -- behind a bounce.
    where l.is_on <> l.wanted or p_none
  loop
    if v.wanted then
      perform private.lift_opt_outs(p_organization, v.channel, v.addresses, array['unsubscribe']);
      update public.messages m set unsubscribed_at = null
      where v.linked and m.id = p_message and m.organization_id = p_organization
        and m.recipient = any(p_addresses) and m.unsubscribed_at is not null;
    elsif public.suppress_addresses(p_organization, v.channel, v.addresses, 'unsubscribe') > 0
      and v.linked then
      perform private.credit_opt_out(p_organization, p_channel, p_addresses, p_message);
    end if;
  end loop;
end
$$;
comment on function private.close_and_open(uuid, text, text[], boolean, text[], uuid) is
  'Closes the channels that the guests of a link do not want, or all (p_none), and opens those that they had closed by a link and want again. p_message, which the link names, is credited.';

-- With its owner's rights, for the audit log.
create or replace function public.save_guest_preferences(p_organization uuid, p_channel text,
  p_addresses text[], p_wishes jsonb, p_message uuid default null) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_brands constant uuid[] := array(
    select b.id from public.brands b where b.organization_id = p_organization order by b.id);
  v_wanted constant uuid[] := array(
    select w.id::uuid from jsonb_array_elements_text(p_wishes -> 'brands') as w (id));
  v_frequency constant text := p_wishes ->> 'frequency';
  v_guests uuid[];
begin
  if not v_wanted <@ v_brands then
    return 'unknown_brand';
  end if;
  -- One after another, also with merges, which take the same lock.
  perform private.lock_identities(p_organization);
  v_guests := private.guests_of_link(p_organization, p_channel, p_addresses);
  if v_frequency = 'none' or p_wishes ? 'channels' then
    perform private.close_and_open(p_organization, p_channel, p_addresses,
      coalesce(v_frequency = 'none', false),
      array(select jsonb_array_elements_text(p_wishes -> 'channels')), p_message);
  end if;
  with former as (
    select c.*, o.language as usual from public.customers c
    join public.organizations o on o.id = c.organization_id
    where c.id = any(v_guests) order by c.id for update of c
  ), wished as (
    select f.*, case v_frequency when 'monthly' then 'monthly' when 'all' then null
        else f.write_frequency end as next_frequency,
      case when p_wishes ? 'brands' then array(
        select b from unnest(v_brands) as b where b <> all(v_wanted)) else f.muted_brands end as next_muted,
      -- Who leaves the group's language as it was shown has none of their own.
      coalesce(nullif(p_wishes ->> 'language', case when f.language is null then f.usual end), f.language)
        as next_language
    from former f
  ), changed as (
    update public.customers c
    set write_frequency = w.next_frequency, muted_brands = w.next_muted, language = w.next_language
    from wished w
    where c.id = w.id and (w.write_frequency, w.muted_brands, w.language)
      is distinct from (w.next_frequency, w.next_muted, w.next_language)
    returning c.id, array_remove(array[
      case when w.write_frequency is distinct from w.next_frequency then 'write_frequency' end,
      case when w.muted_brands <> w.next_muted then 'muted_brands' end,
      case when w.language is distinct from w.next_language then 'language' end], null) as fields
  )
  insert into public.audit_log (organization_id, actor, action, subject_type, subject_id, details)
  select p_organization, 'guest', 'customer.wishes_changed', 'customer', c.id,
    jsonb_build_object('fields', to_jsonb(c.fields))
  from changed c;
  return 'saved';
end
$$;
comment on function public.save_guest_preferences(uuid, text, text[], jsonb, uuid) is
  'Saves what the guests of a link chose: {channels: the wanted ones, frequency: all, monthly or none (closes every channel), brands: the ids of the wanted ones, language}; what is absent stays. saved, or unknown_brand: nothing was changed. SMS and WhatsApp of a number are wanted together or not at all. Opening a channel again lifts only what a link had closed.';

create or replace function private.lift_together(p_organization uuid, p_channel text, p_addresses text[])
  returns void
language sql volatile set search_path = ''
as $$
  delete from public.suppressions s
  using private.channels_of_link(p_organization, p_channel, p_addresses) as k
  where s.organization_id = p_organization and s.channel = k.channel and s.address = any(k.addresses)
    and s.reason = 'unsubscribe' and s.created_at in (
      select own.created_at from public.suppressions own
      where own.organization_id = p_organization and own.channel = p_channel
        and own.address = any(p_addresses) and own.reason = 'unsubscribe')
$$;
comment on function private.lift_together(uuid, text, text[]) is
  'Takes back what one tap on the page closed: the link''s address, and the guests'' other ones that were closed in the same transaction.';

create or replace function public.guest_look(p_organization uuid default null, p_message uuid default null,
  p_visit boolean default false) returns jsonb
language sql stable set search_path = ''
as $$
  with asked as (
    select o.id, o.name, m.automation_id, run.template -> 'email_look' as frozen, l.brand_id
    from public.organizations o
    left join public.messages m on m.id = p_message and m.organization_id = o.id
    left join public.automation_runs run on run.id = m.run_id and not p_visit
    left join public.reservations r on r.id = m.reservation_id and p_visit
    left join public.locations l on l.id = r.location_id
    where o.id = coalesce(p_organization, m.organization_id,
      case when (select count(*) from public.organizations) = 1 then o.id end)
  ), own as (
    select a.*, case when p_visit then a.brand_id else private.brand_of(u) end as of_brand,
      coalesce(case when not p_visit then u.email_look end, a.frozen) as launched
    from asked a left join public.automations u on u.id = a.automation_id
  )
  select jsonb_build_object('name', coalesce(b.name, own.name))
    || jsonb_build_object('logo', s.look -> 'logo', 'color', s.look -> 'color',
      'button_color', s.look -> 'button_color')
  from own
  left join public.brands b on b.id = own.of_brand
  cross join lateral (select coalesce(own.launched, private.look_of(own.id, own.of_brand)) as look) as s
$$;
comment on function public.guest_look(uuid, uuid, boolean) is
  'What a guest''s page wears, {name, logo, color, button_color}: the look of the message''s automation, or of the brand of the visit that it is about (p_visit); else the group''s. Without an organization that of the message, else of an installation that has one only; null: none.';
grant execute on function private.guests_of_link(uuid, text, text[]),
  private.channels_of_link(uuid, text, text[]), private.lift_together(uuid, text, text[]),
  private.close_and_open(uuid, text, text[], boolean, text[], uuid),
  public.guest_preferences(uuid, text, text[]),
  public.save_guest_preferences(uuid, text, text[], jsonb, uuid), public.guest_look(uuid, uuid, boolean)
  to service_role;
-- << supabase/logic/messages/preferences.sql

-- >> supabase/logic/messages/replies.sql
-- Answers of guests to confirmations. lib/replies reads the text; the functions here find the reservation
-- and decide whether the answer is certain. A certain answer marks the reservation and gets a
-- short reply; any other opens a ticket for staff.

create or replace function private.senders(p_organization uuid, p_phone text, p_whatsapp_id text)
  returns table (customer_id uuid)
language sql stable set search_path = ''
as $$
  with own as materialized (
    select c.id from public.customers c where c.organization_id = p_organization and c.phone = p_phone
    union
    select c.id from public.customers c
    where c.organization_id = p_organization and c.whatsapp_id = p_whatsapp_id
  )
  select id from own
  union
  select a.customer_id from public.customer_aliases a
  where a.organization_id = p_organization and a.phone = p_phone and not exists (select from own)
$$;
comment on function private.senders(uuid, text, text) is
  'The customers who write from the number or WhatsApp id: those whose own it is, else those who have the number as a further one.';

create or replace function private.sender_addresses(p_organization uuid, p_channel text, p_phone text,
  p_whatsapp_id text)
returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select p_phone where p_phone is not null
    union
    select known.address from (
      select p_whatsapp_id as address
      union all
      select unnest(private.whatsapp_addresses_of(person.customer_id))
      from private.senders(p_organization, p_phone, p_whatsapp_id) as person
    ) as known where p_channel = 'whatsapp' and known.address is not null
    union
    select c.phone from private.senders(p_organization, p_phone, null) as person
    join public.customers c on c.id = person.customer_id
    where p_channel = 'sms' and c.phone is not null)
$$;
comment on function private.sender_addresses(uuid, text, text, text) is
  'The addresses by which a sender may have been written to by the channel: for WhatsApp all numbers and ids of the person, for SMS also the first phone of a person who has this one as a further one.';

create or replace function private.is_senders(m public.messages, p_phone text, p_whatsapp_id text)
  returns boolean
language sql stable set search_path = ''
as $$
  select coalesce(m.recipient in (p_phone, p_whatsapp_id), false) or exists (
    select 1 from private.senders(m.organization_id, p_phone, p_whatsapp_id) as person
    join public.customers c on c.id = person.customer_id
    where c.id = m.customer_id or m.recipient in (c.phone, c.whatsapp_id))
$$;
comment on function private.is_senders(public.messages, text, text) is
  'Whether the message went to the sender: to a present address of theirs, or to one of their customers. A former number may be another guest''s now.';

create or replace function private.is_question(m public.messages) returns boolean
language sql stable set search_path = ''
as $$
  select m.reservation_id is not null and exists (
    select 1 from public.automations a
    where a.id = m.automation_id and a.type = 'reservation_confirmation'
      and a.criteria ->> 'answers' = 'true')
$$;
comment on function private.is_question(public.messages) is
  'Whether the message is a confirmation with answers on.';

create or replace function private.last_question(p_organization uuid, p_channel text, p_addresses text[],
  p_at timestamptz)
returns public.messages
language sql stable set search_path = ''
as $$
  select m.* from public.messages m
  join public.reservations r on r.id = m.reservation_id
  join public.locations l on l.id = r.location_id
  where m.organization_id = p_organization and m.recipient = any(p_addresses) and m.channel = p_channel
    and m.created_at > p_at - interval '90 days' and m.status in ('sending', 'sent', 'delivered', 'unknown')
    and private.is_question(m) and r.service_order at time zone l.timezone > p_at - interval '1 day'
  order by coalesce(m.sent_at, m.created_at) desc, m.id desc limit 1
$$;
comment on function private.last_question(uuid, text, text[], timestamptz) is
  'The last confirmation to one of the addresses about a reservation that is ahead, or ended within a day.';

create or replace function private.reply_obstacle(p_question public.messages, r public.reservations,
  p_starts timestamptz, p_reply jsonb, p_addresses text[], p_at timestamptz)
returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_intent text := p_reply ->> 'intent';
  v_answer text := case v_intent when 'confirm' then 'confirmed' when 'cancel' then 'cancelled' end;
  v_last public.messages;
begin
  if v_answer is null then
    return 'unclear';
  elsif not private.is_senders(p_question, p_reply ->> 'phone', p_reply ->> 'whatsapp_id') then
    return 'another_number';
  elsif p_starts <= p_at then
    return 'too_late';
  elsif exists (
    select 1 from public.reservations other
    join public.locations l on l.id = other.location_id
    where other.organization_id = r.organization_id and other.id <> r.id and other.source <> 'import'
      and other.status in ('pending', 'confirmed') and other.service_order at time zone l.timezone > p_at
      and other.customer_id in (
        select r.customer_id
        union
        select c.id from public.customers c
        where c.organization_id = r.organization_id and c.phone = any(p_addresses)
        union
        select c.id from public.customers c
        where c.organization_id = r.organization_id and c.whatsapp_id = any(p_addresses))) then
    return 'several';
  end if;
  -- The last message to them on this channel; our replies are part of the conversation.
  select * into v_last from public.messages m
  where m.organization_id = p_question.organization_id and m.recipient = any(p_addresses)
    and m.channel = p_question.channel and m.created_at > p_at - interval '90 days'
    and m.status in ('sending', 'sent', 'delivered', 'unknown')
  order by coalesce(m.sent_at, m.created_at) desc, m.id = p_question.id desc limit 1;
  if v_last.reservation_id is distinct from r.id
    or not (private.is_question(v_last) or v_last.purpose = 'reply')
    or p_reply ->> 'answers' is not null and not exists (
      select 1 from public.messages quoted
      where quoted.provider = any(private.providers_of(p_question.channel))
        and quoted.provider_id = p_reply ->> 'answers'
        and quoted.reservation_id = r.id
        and (private.is_question(quoted) or quoted.purpose = 'reply')) then
    return 'another_message';
  elsif r.guest_answer is null
    and coalesce(v_last.sent_at, v_last.created_at) < p_at - make_interval(hours => (
    select (a.criteria ->> 'answer_hours')::integer from public.automations a
    where a.id = p_question.automation_id)) then
    return 'old';
  elsif p_question.content -> 'about' is distinct from jsonb_build_object('date', r.reservation_date,
      'time', to_char(r.reservation_time, 'HH24:MI'), 'party_size', r.party_size)
    or not (r.status in ('pending', 'confirmed') or r.status = 'cancelled' and r.guest_answer is not distinct
      from 'cancelled') then
    return 'changed';
  -- Their table may be another party's since they cancelled; one that is only on offer is theirs again.
  elsif v_intent = 'confirm' and r.status = 'cancelled'
    and (private.is_closed_at(r.location_id, r.service_date, r.reservation_time, r.zone_name, r.table_name)
      or r.table_name is not null and not private.table_is_free(r.location_id, r.table_name, p_starts,
        r.party_size, p_at, (
          select o.id from private.table_offers o where o.reservation_id = r.id and o.outcome is null))) then
    return 'changed';
  -- Twilio sends no time of writing: the order of two contradicting messages at the same time is unknown.
  elsif r.guest_answer <> v_answer and p_at < r.guest_answered_at + interval '10 seconds' then
    return 'contradiction';
  elsif (
    select count(*) from public.messages m
    where m.reservation_id = r.id and m.purpose = 'reply' and m.created_at > p_at - interval '1 hour')
      >= 6 then
    return 'too_many';
  end if;
  return null;
end
$$;
comment on function private.reply_obstacle(public.messages, public.reservations, timestamptz, jsonb, text[], timestamptz) is
  'The reason why staff have to read a reply; null when it is certain: unclear, another_number, too_late, several, another_message, old, changed (the reservation since they were asked, or their table was given away or is closed), contradiction, too_many.';

create or replace function private.ticket_for_reply(p_question public.messages, r public.reservations,
  p_starts timestamptz, p_reply jsonb, p_reason text, p_at timestamptz, p_words jsonb)
returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_channel text := case p_question.channel when 'whatsapp' then 'WhatsApp' else 'SMS' end;
  v_text text := coalesce(nullif(btrim(left(p_reply ->> 'text', 500)), ''), p_words ->> 'no_text');
  v_due timestamptz := greatest(p_starts - interval '30 minutes', p_at + interval '5 minutes');
  v_ticket uuid;
begin
  -- One ticket per conversation: further messages are added while it is open.
  select t.id into v_ticket from public.tickets t
  where t.organization_id = r.organization_id and t.customer_id = p_question.customer_id
    and t.reservation_id is not null and t.status in ('open', 'in_progress', 'waiting')
  order by t.number desc limit 1 for update;
  if v_ticket is not null then
    if (select count(*) from public.ticket_comments c where c.ticket_id = v_ticket) < 50 then
      insert into public.ticket_comments (ticket_id, author_name, body, created_at)
        values (v_ticket, v_channel, v_text, p_at);
      update public.tickets set changes = changes + 1 where id = v_ticket;
    end if;
    return v_ticket;
  end if;
  insert into public.tickets (organization_id, subject, description, priority, location_id, customer_id,
    reservation_id, created_at)
  select r.organization_id,
    left(private.worded(p_words ->> 'subject', jsonb_build_object('name', coalesce(
      nullif(concat_ws(' ', c.first_name, c.last_name), ''), r.customer_name, p_words ->> 'nobody'),
      'date', to_char(r.reservation_date, p_words ->> 'date'),
      'time', to_char(r.reservation_time, 'HH24:MI'))), 200),
    private.worded(p_words ->> 'description', jsonb_build_object('channel', v_channel, 'text', v_text,
      'reason', p_words -> 'reasons' ->> p_reason)),
    case when p_at + private.sla_length('medium') <= v_due or p_starts <= p_at then 'medium'
      when p_at + private.sla_length('high') <= v_due then 'high' else 'urgent' end,
    r.location_id, p_question.customer_id, r.id, p_at
  from (select 1) as one left join public.customers c on c.id = p_question.customer_id
  returning id into v_ticket;
  if p_starts > p_at then
    update public.tickets set sla_due_at = least(sla_due_at, v_due) where id = v_ticket;
  end if;
  return v_ticket;
end
$$;
comment on function private.ticket_for_reply(public.messages, public.reservations, timestamptz, jsonb, text, timestamptz, jsonb) is
  'Passes a reply to staff: as a comment on the open ticket of the guest''s conversation, else as a new ticket, due before the reservation. p_words: those of lib/tickets/guest-ticket-words.json for replies, in one language.';

create or replace function private.mark_by_guest(r public.reservations, p_answer text, p_channel text,
  p_at timestamptz)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_next public.reservations := r;
begin
  v_next.status := p_answer;
  v_next.staff_marks := private.marks_of(r, v_next);
  update public.reservations set status = v_next.status, staff_marks = v_next.staff_marks,
    guest_answer = p_answer, guest_answered_at = p_at
  where id = r.id;
  perform private.refresh_customers(array_remove(array[r.customer_id], null));
  perform private.audit(r.organization_id, 'reservation.answered', r.id, jsonb_strip_nulls(jsonb_build_object(
    'answer', p_answer, 'channel', p_channel, 'status', case when r.status <> p_answer then
      jsonb_build_object('from', r.status, 'to', p_answer, 'pms', v_next.staff_marks ->> 'status') end)));
end
$$;
comment on function private.mark_by_guest(public.reservations, text, text, timestamptz) is
  'Marks a reservation as confirmed or cancelled by its guest, as staff do: the mark stays while the PMS sends the value of this moment.';

-- With its owner's rights, for the audit log.
create or replace function public.take_reply(p_organization uuid, p_reply jsonb, p_words jsonb,
  p_at timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_channel text := p_reply ->> 'channel';
  v_addresses text[] := private.sender_addresses(p_organization, v_channel, p_reply ->> 'phone',
    p_reply ->> 'whatsapp_id');
  v_answer text := case p_reply ->> 'intent' when 'confirm' then 'confirmed'
    when 'cancel' then 'cancelled' end;
  v_question public.messages := private.last_question(p_organization, v_channel, v_addresses, p_at);
  r public.reservations;
  l public.locations;
  v_starts timestamptz;
  v_obstacle text;
  v_number text := coalesce(p_reply ->> 'phone', v_question.recipient);
begin
  if v_question.id is null then
    return jsonb_build_object('outcome', 'not_asked');
  end if;
  -- Kept permanently: the provider signs no time, and a replay would override the guest's later answer.
  insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
  values (p_organization, 'reply:' || (p_reply ->> 'id'), p_at, true) on conflict do nothing;
  if not found then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  -- One after another, also with the sync, which takes the same lock.
  perform private.lock_identities(p_organization);
  select * into r from public.reservations where id = v_question.reservation_id for update;
  select * into l from public.locations where id = r.location_id;
  v_starts := r.service_order at time zone l.timezone;
  if p_reply ->> 'intent' = 'courtesy' and r.guest_answer is not null then
    return jsonb_build_object('outcome', 'nothing');
  end if;
  v_obstacle := private.reply_obstacle(v_question, r, v_starts, p_reply, v_addresses, p_at);
  if v_obstacle is not null then
    return jsonb_build_object('outcome', 'ticket', 'reason', v_obstacle,
      'ticket_id', private.ticket_for_reply(v_question, r, v_starts, p_reply, v_obstacle, p_at,
        p_words -> case when private.in_english(v_number) then 'en' else 'es' end));
  elsif r.guest_answer = v_answer and r.status = v_answer then
    return jsonb_build_object('outcome', 'nothing');
  end if;
  perform private.mark_by_guest(r, v_answer, v_channel, p_at);
  insert into public.messages (organization_id, kind, purpose, customer_id, reservation_id, location_id,
    channel, recipient, dedupe_key, content, not_before, created_at)
  values (p_organization, 'transactional', 'reply', r.customer_id, r.id, r.location_id, v_channel,
    v_number, 'reply:' || (p_reply ->> 'id'),
    private.guest_text('booking_' || v_answer,
      private.language_for(p_organization, r.customer_id, v_number, p_reply ->> 'language'),
      jsonb_build_object('location', l.name, 'date', r.reservation_date,
        'time', to_char(r.reservation_time, 'HH24:MI')),
      least(v_starts, p_at + interval '1 hour')) || jsonb_build_object('event_datetime', v_starts),
    p_at, p_at);
  return jsonb_build_object('outcome', v_answer, 'reservation_id', r.id);
end
$$;
comment on function public.take_reply(uuid, jsonb, jsonb, timestamptz) is
  'Handles a guest''s message {id: the provider''s, channel, phone, whatsapp_id, answers: the provider''s id of the message quoted, intent: confirm, cancel, courtesy or null, language, text}, once. p_words: those of lib/tickets/guest-ticket-words.json for replies, by language. Outcome: confirmed or cancelled (marked, and a reply queued), ticket (with the reason), nothing (thanks, or the same answer again), not_asked, repeated.';
grant execute on function private.senders(uuid, text, text),
  public.take_reply(uuid, jsonb, jsonb, timestamptz) to service_role;
-- << supabase/logic/messages/replies.sql

-- >> supabase/logic/messages/verdict.sql
-- Whether a message goes to a guest: by which channel, from when, and why not. Plans, previews and claims all
-- ask here; what only a claim can know (a booking since, a stopped automation) is in judge_messages.
-- closed_by, address_by, said_none, blocked_by, way_of, ways_to, counted_messages and send_windows are one
-- SELECT without settings of their own: so the planner makes them part of the statement that asks. For a
-- million guests the suppressions are then a set that is made once, for one message they are looked up.

create or replace function private.closed_by(p_closed jsonb, p_channel text, p_kind text) returns text
language sql immutable
as $$
  select nullif(p_closed ->> p_channel, case p_kind when 'marketing' then null else 'no_app_url' end)
$$;
comment on function private.closed_by(jsonb, text, text) is
  'Why no message of the kind can go by the channel: no_provider, no_app_url; null when it can.';
grant execute on function private.closed_by(jsonb, text, text) to service_role;

create or replace function private.address_by(p_channel text, p_email text, p_phone text, p_whatsapp_id text)
returns text
language sql immutable
as $$
  select case p_channel when 'email' then p_email when 'whatsapp' then coalesce(p_phone, p_whatsapp_id)
    when 'sms' then p_phone end
$$;
comment on function private.address_by(text, text, text, text) is
  'Where a guest with these is written to by the channel; null: nowhere.';

create or replace function private.said_none(p_kind text, p_channel text, p_consents jsonb) returns boolean
language sql immutable
as $$
  select p_kind = 'marketing' and p_consents #>> array[p_channel, 'source'] = 'staff'
    and p_consents #>> array[p_channel, 'basis'] = 'none'
$$;
comment on function private.said_none(text, text, jsonb) is
  'Whether staff recorded that nothing allows messages of the kind by the channel: a no, as an opt-out is.';

create or replace function private.blocked_by(p_organization uuid, p_kind text, p_channel text,
  p_address text, p_other_address text, p_consents jsonb, p_visits integer, p_free_text boolean,
  p_closed text, p_now timestamptz, p_apart boolean default true)
returns table (reason text)
language sql stable rows 1
as $$
  select case
    when p_channel is null then 'no_address'
    when p_address is null then
      case when private.said_none(p_kind, p_channel, p_consents) then 'no_consent' else 'no_address' end
    -- Two lookups, and not one of two addresses: each can become a set.
    when exists (
        select from public.suppressions s
        where s.organization_id = p_organization and s.channel = p_channel and s.address = p_address
          and (p_kind = 'marketing' or s.reason in ('bounce', 'complaint')))
      or p_channel = 'whatsapp' and exists (
        select from public.suppressions s
        where s.organization_id = p_organization and s.channel = p_channel and s.address = p_other_address
          and (p_kind = 'marketing' or s.reason in ('bounce', 'complaint')))
      then case when private.said_none(p_kind, p_channel, p_consents) then 'no_consent'
        when not p_apart or exists (
          select from public.suppressions s
          where s.organization_id = p_organization and s.channel = p_channel
            and s.address in (p_address, case p_channel when 'whatsapp' then p_other_address end)
            and (s.reason = 'complaint'
              or p_kind = 'marketing' and (s.reason <> 'bounce' or s.opt_out is not null)))
        then 'suppressed' else 'bounced' end
    -- Most guests have visited and have no consent on record, so the function call is skipped for them.
    when p_kind = 'marketing' and (p_consents <> '{}' or p_visits = 0)
      and private.consent_basis(p_consents, p_visits, p_channel) = 'none' then
      case when private.said_none(p_kind, p_channel, p_consents) then 'no_consent' else 'not_asked' end
    when p_channel = 'sms' and private.is_landline(p_address) then 'not_mobile'
    when p_closed is not null then p_closed
    when p_channel = 'whatsapp' and p_free_text and not exists (
        select from public.whatsapp_windows w
        where w.organization_id = p_organization and w.address = p_address
          and w.last_inbound_at > p_now - interval '24 hours') then 'needs_template' end
$$;
comment on function private.blocked_by(uuid, text, text, text, text, jsonb, integer, boolean, text, timestamptz, boolean) is
  'One row: why a message of the kind cannot go by the channel to p_address of a guest with these consents and visits; null: it can. p_other_address: the id of a WhatsApp account. p_free_text: it has no approved WhatsApp template. p_closed: why nothing can go by the channel. bounced: the address is suppressed, and nobody said no; without p_apart it is suppressed, too. not_asked: nothing allows it, and nobody said no.';

create or replace function private.way_of(p_channel text, p_fallback text, p_own text, p_other text,
  p_own_closed text, p_other_closed text, p_own_reason text, p_other_reason text)
returns table (channel text, address text, reason text)
language sql immutable rows 1
as $$
  select case when chosen.other then p_fallback else p_channel end,
    case when chosen.other then p_other else p_own end,
    -- replace() and not a second case, which would look everything up once more.
    replace(replace(case when chosen.other then p_other_reason else p_own_reason end,
      'bounced', 'suppressed'), 'not_asked', 'no_consent')
  -- The fallback serves guests whom the first channel cannot reach, never those who said no to it. When both
  -- channels are blocked, a reason of the guest's comes before a missing provider.
  from (
    select p_fallback is not null
      and coalesce(p_own_reason, 'suppressed') not in ('suppressed', 'no_consent')
      and (p_other_reason is null
        or (p_own is null, p_own_closed is not null) > (p_other is null, p_other_closed is not null)) is true)
    as chosen (other)
$$;
comment on function private.way_of(text, text, text, text, text, text, text, text) is
  'One row: the channel, the address and the reason (null: it goes) of a message, from the addresses of its channel and fallback, why each is closed (closed_by) and why each is blocked (blocked_by).';

create or replace function private.ways_to(p_organization uuid, p_kind text, p_channel text, p_fallback text,
  p_free_text boolean, p_closed jsonb, p_now timestamptz, p_email text, p_phone text, p_whatsapp_id text,
  p_consents jsonb, p_visits integer)
returns table (channel text, address text, reason text)
language sql stable rows 1
as $$
  select way.channel, way.address, way.reason
  from (
    select private.address_by(p_channel, p_email, p_phone, p_whatsapp_id) as own,
      private.address_by(p_fallback, p_email, p_phone, p_whatsapp_id) as other,
      private.closed_by(p_closed, p_channel, p_kind) as own_closed,
      private.closed_by(p_closed, p_fallback, p_kind) as other_closed) as place
  cross join lateral private.blocked_by(p_organization, p_kind, p_channel, place.own, p_whatsapp_id,
    p_consents, p_visits, p_free_text, place.own_closed, p_now) as first
  cross join lateral private.blocked_by(p_organization, p_kind, p_fallback, place.other, p_whatsapp_id,
    p_consents, p_visits, p_free_text, place.other_closed, p_now) as second
  cross join lateral private.way_of(p_channel, p_fallback, place.own, place.other, place.own_closed,
    place.other_closed, first.reason, second.reason) as way
$$;
comment on function private.ways_to(uuid, text, text, text, boolean, jsonb, timestamptz, text, text, text, jsonb, integer) is
  'One row: the channel by which a message of the kind goes to a guest, the address, and the reason why it does not go (null: it goes). p_closed: channels by which nothing can go now, with the reason (no_provider; no_app_url is for marketing alone). p_free_text: as blocked_by.';

create or replace function private.ways_query(p_guests text, p_organization uuid, p_kind text, p_channel text,
  p_fallback text, p_free_text boolean, p_closed jsonb, p_now timestamptz)
returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_address constant text := 'private.address_by(%L, guest.email, guest.phone, guest.whatsapp_id)';
  v_own text := format(v_address, p_channel);
  v_other text := case when p_fallback is null then 'null' else format(v_address, p_fallback) end;
  v_own_closed text := private.closed_by(p_closed, p_channel, p_kind);
  v_other_closed text := private.closed_by(p_closed, p_fallback, p_kind);
  -- offset 0: a channel is asked once a guest, however often its answer is used. Only a fallback asks whether
  -- an address bounced.
  v_ask constant text := 'select guest.*, %s as %I from (%s) as guest
    cross join lateral private.blocked_by(%L, %L, %L, %s, guest.whatsapp_id, guest.consents,
      guest.total_visits, %L, %L, %L, %L) as way offset 0';
  v_asked text := format(v_ask, 'way.reason', 'own_reason', p_guests, p_organization, p_kind, p_channel,
    v_own, p_free_text, v_own_closed, p_now, p_fallback is not null);
begin
  if p_fallback is not null then
    v_asked := format(v_ask, 'case when guest.own_reason is not null then way.reason end', 'other_reason',
      v_asked, p_organization, p_kind, p_fallback, v_other, p_free_text, v_other_closed, p_now, true);
  end if;
  return format('select guest.*, way.channel, way.address, way.reason from (%s) as guest
    cross join lateral private.way_of(%L, %L, %s, %s, %L, %L, guest.own_reason, %s) as way',
    v_asked, p_channel, p_fallback, v_own, v_other, v_own_closed, v_other_closed,
    case when p_fallback is null then 'null' else 'guest.other_reason' end);
end
$$;
comment on function private.ways_query(text, uuid, text, text, text, boolean, jsonb, timestamptz) is
  'ways_to for many guests, as SQL: the rows of the query p_guests (with email, phone, whatsapp_id, consents and total_visits), each with its channel, address and reason, too.';
grant execute on function private.address_by(text, text, text, text), private.said_none(text, text, jsonb),
  private.blocked_by(uuid, text, text, text, text, jsonb, integer, boolean, text, timestamptz, boolean),
  private.way_of(text, text, text, text, text, text, text, text),
  private.ways_to(uuid, text, text, text, boolean, jsonb, timestamptz, text, text, text, jsonb, integer),
  private.ways_query(text, uuid, text, text, text, boolean, jsonb, timestamptz) to service_role;

create or replace function private.uncounted_for(a public.automations, p_days integer) returns uuid[]
language sql stable set search_path = ''
as $$
  -- A follow-up after the cap's days is due at a time of day: that may be some hours before they are over.
  select case when a.step > 1 and a.after_days >= p_days then array(
    select s.id from public.automations s where s.campaign_id = a.campaign_id) end
$$;
comment on function private.uncounted_for(public.automations, integer) is
  'The automations whose messages do not count against a frequency cap of so many days for this one: the other messages of its campaign, when it is a follow-up after that time. Null: all count.';

create or replace function private.counted_messages(p_since timestamptz, p_claimed boolean,
  p_uncounted uuid[], p_locations uuid[] default null)
returns table (customer_id uuid, id uuid)
language sql stable
as $$
  select m.customer_id, m.id from public.messages m
  where m.kind = 'marketing' and coalesce(m.sent_at, m.created_at) > p_since
    and case when p_claimed then m.status in ('sending', 'sent', 'delivered', 'unknown') or m.maybe_accepted
      else m.status in ('queued', 'sending', 'sent', 'delivered', 'unknown') end
    and (p_uncounted is null or (m.automation_id = any(p_uncounted)) is not true)
    and (p_locations is null or m.location_id = any(p_locations))
$$;
comment on function private.counted_messages(timestamptz, boolean, uuid[], uuid[]) is
  'The marketing messages since then that count against a guest''s frequency cap: for a plan those that wait to be sent, too, for a claim (p_claimed) those that went before. p_uncounted: as uncounted_for. p_locations: as far as someone bound to these may know.';

create or replace function private.brands_to_mute(a public.automations) returns uuid[]
language sql stable set search_path = ''
as $$
  select coalesce(case when own.id is not null then array[own.id] end, (
    select array_agg(b.id) from public.brands b where b.organization_id = a.organization_id))
  from (select private.brand_of(a) as id) as own
$$;
comment on function private.brands_to_mute(public.automations) is
  'What a guest must have muted for a message of the automation not to go to them: its brand, else all of the group; null: the group has none.';

create or replace function private.monthly_days() returns integer
language sql immutable set search_path = ''
as $$ select 30 $$;
comment on function private.monthly_days() is
  'The days in which a guest who asked for one message a month at most (customers.write_frequency) gets no other one.';

create or replace function private.after_quiet_hours(p_now timestamptz, p_timezone text, p_from time,
  p_until time)
returns timestamptz
-- In plpgsql, as consent_basis: an SQL function with a search_path of its own is planned for each statement.
language plpgsql immutable set search_path = ''
as $$
declare
  v_local timestamp := p_now at time zone p_timezone;
  v_clock time := v_local;
begin
  return case
    when p_from < p_until and v_clock >= p_from and v_clock < p_until
      or p_from > p_until and v_clock < p_until then (v_local::date + p_until) at time zone p_timezone
    when p_from > p_until and v_clock >= p_from then (v_local::date + 1 + p_until) at time zone p_timezone
    else p_now end;
end
$$;
comment on function private.after_quiet_hours(timestamptz, text, time, time) is
  'p_now, or the end of the quiet hours that p_now falls into. Quiet hours may span midnight; when both times are equal there are none.';

create or replace function private.send_windows(p_organization uuid, p_kind text, p_now timestamptz,
  p_starts_local timestamp default null)
returns table (location_id uuid, send_at timestamptz, detail jsonb)
language sql stable
as $$
  select l.id, case when p_kind = 'marketing' then held.until else due.at end,
    case when p_kind = 'marketing' and held.until > due.at then jsonb_strip_nulls(jsonb_build_object(
      'until', held.until, 'location', case when l.quiet_from is not null then l.id end)) end
  from public.organizations o
  cross join lateral (
    select k.id, k.timezone, k.quiet_from, k.quiet_until from public.locations k
    where k.organization_id = o.id
    union all
    select null, o.timezone, null, null) as l
  cross join lateral (
    select greatest(p_now, p_starts_local at time zone l.timezone) as at) as due
  cross join lateral (
    select private.after_quiet_hours(due.at, l.timezone, coalesce(l.quiet_from, o.quiet_from),
      coalesce(l.quiet_until, o.quiet_until)) as until) as held
  where o.id = p_organization
$$;
comment on function private.send_windows(uuid, text, timestamptz, timestamp) is
  'For each location, and once (null) for guests without one: from when a message of the kind may go that is due at p_now, or at p_starts_local of the location''s clock if that is later. detail: {until, location (when the quiet hours are its own, and not the group''s)} of one that has to wait.';

create or replace function private.detail_of(p_organization uuid, p_customer uuid, p_message uuid,
  p_channel text, p_address text, p_reason text, p_since timestamptz, p_claimed boolean, p_uncounted uuid[])
returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  if p_reason = 'suppressed' then
    return (
      select jsonb_strip_nulls(jsonb_build_object('suppression', s.reason, 'opt_out', s.opt_out))
      from public.suppressions s
      where s.organization_id = p_organization and s.channel = p_channel
        and s.address in (p_address, case p_channel when 'whatsapp' then (
          select c.whatsapp_id from public.customers c where c.id = p_customer) end)
      order by private.suppression_rank(s.reason) desc limit 1);
  elsif p_reason in ('frequency_cap', 'recently_written', 'guest_frequency') then
    return (
      select jsonb_build_object('message', m.id)
      from private.counted_messages(p_since, p_claimed, p_uncounted) as counted
      join public.messages m on m.id = counted.id
      where counted.customer_id = p_customer and m.id is distinct from p_message
      order by coalesce(m.sent_at, m.created_at) desc, m.id desc limit 1);
  end if;
  return null;
end
$$;
comment on function private.detail_of(uuid, uuid, uuid, text, text, text, timestamptz, boolean, uuid[]) is
  'What stands behind the reason why p_message (null: a planned one) does not go: {suppression: its reason, opt_out: the one behind a bounce}, or {message: the latest of counted_messages(p_since, p_claimed, p_uncounted)}; else null.';

create or replace function private.runs_of_step(a public.automations, p_run uuid) returns uuid[]
language sql stable set search_path = ''
as $$
  select case when a.campaign_id is null then array_remove(array[p_run], null) else array(
    select run.id from public.automations s join public.automation_runs run on run.automation_id = s.id
    where s.campaign_id = a.campaign_id and s.step = a.step) end
$$;
comment on function private.runs_of_step(public.automations, uuid) is
  'The runs among which an address gets one message: p_run, or of a campaign those of all versions of the step.';

create or replace function private.taken_by(m public.messages, a public.automations, p_channel text,
  p_address text)
returns text
language plpgsql stable set search_path = ''
as $$
begin
  -- One run has one message by a channel for a customer and a reservation (messages_run_key).
  if exists (
      select from public.messages other
      where other.run_id = m.run_id and other.customer_id = m.customer_id and other.channel = p_channel
        and other.reservation_id is not distinct from m.reservation_id) then
    return 'merged';
  elsif m.kind = 'marketing' and p_channel <> 'email' and exists (
      select from public.customers c
      join public.messages other on other.run_id = any(private.runs_of_step(a, m.run_id))
        and other.customer_id = c.id and other.channel <> 'email'
        and (other.status <> 'skipped' or other.reason = 'control_group')
      where c.organization_id = m.organization_id and (c.phone = p_address or c.whatsapp_id = p_address)
        and c.id <> m.customer_id and private.address_of(c, other.channel) = p_address) then
    return 'duplicate';
  end if;
  return null;
end
$$;
comment on function private.taken_by(public.messages, public.automations, text, text) is
  'Why a waiting message of the automation cannot move to the channel: merged (the guest was, with one who has it there), duplicate (another guest with p_address has it); null: it can.';
grant execute on function private.uncounted_for(public.automations, integer),
  private.counted_messages(timestamptz, boolean, uuid[], uuid[]),
  private.brands_to_mute(public.automations), private.monthly_days(),
  private.after_quiet_hours(timestamptz, text, time, time),
  private.send_windows(uuid, text, timestamptz, timestamp),
  private.detail_of(uuid, uuid, uuid, text, text, text, timestamptz, boolean, uuid[]),
  private.runs_of_step(public.automations, uuid),
  private.taken_by(public.messages, public.automations, text, text) to service_role;
-- << supabase/logic/messages/verdict.sql

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
    offer_tables_minutes = v.offer_tables_minutes, sms_price = v.sms_price, language = v.language,
    -- Marketing e-mails need one: it can be changed, not removed.
    postal_address = coalesce(v.postal_address, v_before.postal_address), pending = v_pending
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
    return query insert into public.brands (organization_id, name, slug, postal_address)
    values (p_organization, p_fields ->> 'name', p_fields ->> 'slug', p_fields ->> 'postal_address')
    returning *;
  else
    return query update public.brands b
      set name = coalesce(p_fields ->> 'name', b.name), slug = coalesce(p_fields ->> 'slug', b.slug),
        postal_address = case when p_fields ? 'postal_address' then p_fields ->> 'postal_address'
          else b.postal_address end
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
    v_before.review_urls := '{}';
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
      stay_minutes, review_urls)
    values (v_before.organization_id, v.brand_id, v.name, v.city, v.address, v.pms_id, v.timezone,
      v.average_spend_per_guest, v.count_unmarked_visits, v.quiet_from, v.quiet_until, v.is_active,
      v.stay_minutes, v.review_urls)
    returning id into v.id;
    perform private.start_rules(array[v.id]);
  else
    update public.locations set brand_id = v.brand_id, name = v.name, city = v.city, address = v.address,
      pms_id = v.pms_id, timezone = v.timezone, average_spend_per_guest = v.average_spend_per_guest,
      count_unmarked_visits = v.count_unmarked_visits, is_active = v.is_active,
      quiet_from = v.quiet_from, quiet_until = v.quiet_until, stay_minutes = v.stay_minutes,
      review_urls = v.review_urls,
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

-- >> supabase/logic/segments/conditions.sql
-- One condition of a segment as SQL about customers c. Every value of a person is a literal of a checked
-- type.

create or replace function private.segment_reservations(p_node jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_wanted uuid[] := case when p_node ? 'locations'
    then private.segment_list(p_node, 'locations', 50)::uuid[] end;
  v_days record;
begin
  if p_node ? 'period' then
    select * into v_days from private.segment_days(p_node -> 'period', p_scope);
    perform private.segment_needed(coalesce(v_days.first, v_days.last));
  else
    select null::date as first, null::date as last into v_days;
  end if;
  -- Literals, so that the index of a location's days is planned for these days.
  return format('r.location_id = any(%L::uuid[])%s%s',
    array(select l from unnest(p_scope.locations) as l where v_wanted is null or l = any(v_wanted)),
    case when v_days.first is not null then format(' and r.service_date >= %L::date', v_days.first) end,
    case when v_days.last is not null then format(' and r.service_date <= %L::date', v_days.last) end);
end
$$;
comment on function private.segment_reservations(jsonb, private.segment_scope) is
  'The condition on reservations r that a condition''s period and locations make.';

create or replace function private.segment_birthday(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_month integer := case p_node ->> 'is' when 'this_month' then extract(month from p_scope.today)
    when 'month' then private.segment_needed(private.segment_number(p_node, 'month', 1, 12)) end;
begin
  return case p_node ->> 'is'
    when 'next_days' then format('c.birth_day = any(%L::smallint[])', private.birth_days(p_scope.today,
      private.segment_needed(private.segment_number(p_node, 'days', 0, 366))::integer))
    else format('c.birth_day between %L::smallint and %L::smallint',
      private.segment_needed(v_month) * 100 + 1, v_month * 100 + 31) end
    || format(' and c.birth_date > %L::date', private.born_after(p_scope.today));
end
$$;
comment on function private.segment_birthday(jsonb, private.segment_scope) is
  'Birthdays of the next days (over the end of the year), of a month, or of this month.';

create or replace function private.segment_rate(p_node jsonb, p_visits text) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_min numeric := private.segment_number(p_node, 'min', 0, 100);
  v_max numeric := private.segment_number(p_node, 'max', 0, 100);
  -- The few of services that are not over are taken off again: the kept counts have them.
  v_missed constant text := '(coalesce(no_shows.n, 0) - coalesce(undecided.no_shows, 0))';
  v_all constant text := format('(%s + %s - coalesce(undecided.visits, 0))', v_missed, p_visits);
begin
  perform private.segment_needed(coalesce(v_min, v_max));
  -- Without a division; most have no no-show, and are done with at once.
  return concat_ws(' and ', case when v_min > 0 then 'no_shows.n > 0' end, format('%s >= 3', v_all),
    case when v_min > 0 then format('%s * 100 >= %L::numeric * %s', v_missed, v_min, v_all) end,
    case when v_max is not null then format('%s * 100 <= %L::numeric * %s', v_missed, v_max, v_all) end);
end
$$;
comment on function private.segment_rate(jsonb, text) is
  'Whether no-shows are so many per cent of no-shows and visits of past services (p_visits: the SQL of the visits); who has fewer than three of these has no rate.';

create or replace function private.segment_booking(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_days integer := private.segment_needed(private.segment_number(p_node, 'days', 0, 365));
  v_wanted uuid[] := case when p_node ? 'locations'
    then private.segment_list(p_node, 'locations', 50)::uuid[] end;
begin
  -- A condition for each time zone, in literals: the index of a location's days is planned for these days.
  return format('exists (select from public.reservations r where r.customer_id = c.id and (%s)
      and r.status in (''pending'', ''confirmed'') and r.source <> ''import'')', coalesce((
    select string_agg(format('r.location_id = any(%L::uuid[]) and r.service_date between %L::date and %L::date
      and r.service_order > %L::timestamp', z.locations, z.today, z.today + v_days, z.local_now), ' or ')
    from (
      select array_agg(l.id order by l.id) as locations, p_scope.at at time zone l.timezone as local_now,
        private.current_service(l.timezone, p_scope.at) as today
      from public.locations l
      where l.id = any(p_scope.locations) and (v_wanted is null or l.id = any(v_wanted))
      group by l.timezone) as z), 'false'));
end
$$;
comment on function private.segment_booking(jsonb, private.segment_scope) is
  'Whether a guest has a booking that is later than now, within so many service days of its location.';

create or replace function private.segment_rfm(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_classes text[] := private.segment_list(p_node, 'classes', 6);
  m public.rhythm_models;
  v_valuable text;
  v_recent text;
  v_long_ago text;
begin
  if not v_classes <@ array['champions', 'loyal', 'slipping', 'promising', 'cooling', 'dormant'] then
    raise exception 'segment: an unknown class' using errcode = '22023';
  end if;
  select * into m from public.rhythm_models k where k.organization_id = p_scope.organization_id;
  if m.organization_id is null then
    return 'false';
  end if;
  -- A score is 1 plus the limits that the guest exceeds. Valuable: 7 or more of the 10 points of frequency
  -- and spend.
  v_valuable := format('(2 + %s) >= 7',
    (select string_agg(format('(%s > %L::numeric)::integer', f.value, f.cut), ' + ')
    from (select 'c.total_visits' as value, unnest(m.visit_cuts)::numeric as cut
      union all select 'c.total_spend', unnest(m.spend_cuts)) as f));
  v_recent := format('c.sort_visit > %L::timestamptz',
    p_scope.at - make_interval(days => m.recency_cuts[1] + 1));
  v_long_ago := format('c.sort_visit <= %L::timestamptz',
    p_scope.at - make_interval(days => m.recency_cuts[2] + 1));
  return 'c.total_visits > 0 and (' || (select string_agg(format('(%s and %s)',
    case when class in ('champions', 'promising') then v_recent when class in ('slipping', 'dormant')
      then v_long_ago
      else format('not (%s) and not (%s)', v_recent, v_long_ago) end,
    case when class in ('champions', 'loyal', 'slipping') then v_valuable
      else format('not (%s)', v_valuable) end), ' or ')
    from unnest(v_classes) as class) || ')';
end
$$;
comment on function private.segment_rfm(jsonb, private.segment_scope) is
  'Whether a guest is in one of the RFM classes: by fifths of the group, how recently they came, and how often and for how much (one score). Nobody is before the first nightly job.';

create or replace function private.segment_facts(p_node jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_codes text[] := private.segment_list(p_node, 'codes', 50);
  v_found text := format(
    'from public.customer_facts f where f.customer_id = c.id and f.code = any(%L::text[])',
    v_codes);
begin
  return case p_node ->> 'is'
    when 'any' then 'exists (select ' || v_found || ')'
    when 'all' then '(select count(*) ' || v_found || ') = '
      || (select count(distinct code) from unnest(v_codes) as code)
    when 'none' then 'not exists (select ' || v_found || ')' end;
end
$$;
comment on function private.segment_facts(jsonb) is
  'Whether any, all or none of the codes are recorded as facts of a customer; null for another word.';

create or replace function private.segment_patterns(p_text text) returns text[]
language plpgsql immutable set search_path = ''
as $$
declare
  v_text text := private.fold(left(p_text, 200));
  v_phone text := substring(v_text from
    '^(?:(?:tel|telefono|tf|tfno|tlf|mov|movil|phone|mobile)\M[.:]* ?)?([(+0-9][0-9 ()./+-]{3,})$');
  v_digits text := regexp_replace(regexp_replace(v_phone, '\( ?0 ?\)', ''), '[^0-9]', '', 'g');
begin
  return array(
    select '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%'
    from unnest(case when v_phone is not null
      then array[regexp_replace(v_digits, '^0{1,2}(?=\d{6})', '')]
      else regexp_split_to_array(regexp_replace(v_text, 'l·(?= |$)', 'l', 'g'), ' ') end) as term
    where term <> '');
end
$$;
comment on function private.segment_patterns(text) is 'The LIKE patterns of a search, as searchPatterns in lib/search.ts makes them.';

create or replace function private.segment_joins(p_node jsonb, p_scope private.segment_scope, out joins jsonb,
  out column_name text)
language plpgsql stable set search_path = ''
as $$
declare
  v_days record;
  v_locations uuid[];
begin
  joins := '{}';
  -- Counts over reservations are joined as one grouped read (segment_query): a look-up for each of a million
  -- customers takes longer, and so does a read for each condition.
  if p_node ->> 'field' in ('visits', 'spend') and (p_node ? 'period' or p_node ? 'locations') then
    select * into v_days from private.segment_days(p_node -> 'period', p_scope);
    column_name := case p_node ->> 'field' when 'visits' then 'n_' else 'a_' end
      || left(md5(private.segment_reservations(p_node, p_scope)), 12);
    v_locations := case when p_node ? 'locations'
      then private.segment_list(p_node, 'locations', 50)::uuid[] end;
    joins := jsonb_build_object('v_' || column_name, jsonb_build_object(
      'locations', case when not p_scope.locations <@ v_locations then v_locations::text end,
      'first', coalesce(v_days.first, '1900-01-01'), 'last', coalesce(v_days.last, '2199-12-31')));
  elsif p_node ->> 'field' in ('no_shows', 'no_show_rate') then
    joins := '{"no_shows": {}}';
    if p_scope.bound and p_node ->> 'field' = 'no_show_rate' then
      -- Both counts of the own locations: the kept one is the group's.
      column_name := 'n_' || left(md5(private.segment_reservations('{}', p_scope)), 12);
      joins := joins || jsonb_build_object('v_' || column_name, jsonb_build_object(
        'locations', null, 'first', '1900-01-01', 'last', '2199-12-31'));
    end if;
    if p_node ->> 'field' = 'no_show_rate' then
      joins := joins || '{"undecided": {}}';
    end if;
  elsif p_node ->> 'field' = 'rhythm' then
    joins := '{"rhythm": {}}';
  elsif p_node ->> 'field' = 'party_size' then
    joins := '{"party": {}}';
  end if;
end
$$;
comment on function private.segment_joins(jsonb, private.segment_scope) is
  'What segment_query must join for a condition: no_shows, undecided, rhythm, party, or a count or sum of visits (v_n_… or v_a_…: {locations or null, first, last}); column_name is that of the last, in v.';

-- Everything a person gives enters the query as a literal (%L) of a checked type, or chooses among texts of
-- ours.
create or replace function private.segment_leaf(p_node jsonb, p_scope private.segment_scope,
  out condition text, out joins jsonb, out known boolean)
language plpgsql stable set search_path = ''
as $$
declare
  v_is text := p_node ->> 'is';
  v_column text;
begin
  select j.joins, j.column_name into joins, v_column from private.segment_joins(p_node, p_scope) as j;
  condition := case p_node ->> 'field'
    when 'search' then nullif('true' || private.guest_search(p_scope.organization_id,
      private.segment_patterns(p_node ->> 'text')), 'true')
    when 'tags' then format(case v_is when 'any' then 'c.tags && %L::text[]'
      when 'all' then 'c.tags @> %L::text[]'
      when 'none' then 'not c.tags && %L::text[]' end, private.segment_list(p_node, 'tags', 50))
    when 'tier' then format('c.loyalty_tier_id = any(%L::uuid[])',
      private.segment_list(p_node, 'tiers', 50)::uuid[])
    when 'location' then format('c.location_id = any(%L::uuid[])',
      private.segment_list(p_node, 'locations', 50)::uuid[])
    when 'source' then format('c.source = any(%L::text[])', private.segment_list(p_node, 'sources', 50))
    when 'consent' then 'true'
      || private.consent_condition(private.segment_needed(p_node ->> 'channel') || ':' ||
      private.segment_needed(p_node ->> 'state'))
    when 'points' then private.segment_range('c.points', p_node, 9000000000000000)
    when 'visits' then private.segment_range(coalesce('v.' || v_column, 'c.total_visits'), p_node, 1000000000)
    when 'spend' then private.segment_range(coalesce('v.' || v_column, 'c.total_spend'), p_node,
      9999999999.99)
    when 'last_visit' then case when v_is = 'between' then private.segment_visit_days(p_node, p_scope)
      else private.segment_instants('c.sort_visit', p_node, p_scope) end
    when 'created' then private.segment_instants('c.created_at', p_node, p_scope)
    when 'birthday' then private.segment_birthday(p_node, p_scope)
    when 'facts' then private.segment_facts(p_node)
    when 'booking' then private.segment_booking(p_node, p_scope)
    when 'no_shows' then private.segment_range('no_shows.n', p_node, 1000000)
    when 'no_show_rate'
      then private.segment_rate(p_node, coalesce('coalesce(v.' || v_column || ', 0)', 'c.total_visits'))
    when 'rhythm' then private.rhythm_state(v_is, 'rhythm', p_scope.today)
    when 'rfm' then private.segment_rfm(p_node, p_scope)
    else coalesce(private.segment_written(p_node, p_scope), private.segment_habit(p_node, p_scope))
  end;
  perform private.segment_needed(condition);
  known := p_node ->> 'field' in ('facts', 'booking', 'received', 'opened', 'clicked', 'not_written',
    'survey_score', 'visited_on', 'first_visit', 'city', 'language') or p_node ->> 'field' = 'consent'
    and p_node ->> 'state' = 'opted_out';
end
$$;
comment on function private.segment_leaf(jsonb, private.segment_scope) is
  'One condition as SQL about customers c ($1: the organization), whether it is never null (known), and what segment_query must join (see segment_joins).';
-- << supabase/logic/segments/conditions.sql

-- >> supabase/logic/segments/habits.sql
-- Conditions of segments on how guests come: on which days, in which parties, since when, and what they said.

create or replace function private.segment_weekdays(p_node jsonb) returns integer[]
language plpgsql stable set search_path = ''
as $$
begin
  if jsonb_typeof(p_node -> 'weekdays') is distinct
    from 'array' or jsonb_array_length(p_node -> 'weekdays') not between 1 and 7
    or exists (select from jsonb_array_elements(p_node -> 'weekdays') as e
      where e.value not in ('1', '2', '3', '4', '5', '6', '7')) then
    raise exception 'segment: weekdays are numbers from 1 to 7' using errcode = '22023';
  end if;
  return array(select e.value::integer from jsonb_array_elements(p_node -> 'weekdays') as e);
end
$$;
comment on function private.segment_weekdays(jsonb) is
  'The weekdays of a condition, 1 for Monday; an exception where they are none.';

create or replace function private.segment_visited_on(p_node jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_days numeric := private.segment_number(p_node, 'days', 0, 3650);
begin
  if p_node ? 'shift' and (p_node ->> 'shift' in ('lunch', 'dinner')) is not true then
    raise exception 'segment: an unknown shift' using errcode = '22023';
  end if;
  -- The time counts from the service day: what begins after midnight is its dinner.
  return format('exists (select from public.reservations r where r.customer_id = c.id and r.visited and %s
      and extract(isodow from r.service_date) = any(%L::numeric[])%s)',
    private.segment_reservations(case when v_days is null then '{}'
      else jsonb_build_object('period', jsonb_build_object('days', v_days)) end, p_scope),
    private.segment_weekdays(p_node),
    case p_node ->> 'shift' when 'lunch' then ' and r.service_order < r.service_date + time ''17:00'''
      when 'dinner' then ' and r.service_order >= r.service_date + time ''17:00''' end);
end
$$;
comment on function private.segment_visited_on(jsonb, private.segment_scope) is
  'Whether a guest came on one of the weekdays (of the service day): for lunch, which begins before 17:00, for dinner, or for either.';

create or replace function private.segment_first_visit(p_node jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_first date := (select d.first from private.segment_days(p_node -> 'period', p_scope) as d);
  v_visits constant text := 'exists (select from public.reservations r
      where r.customer_id = c.id and r.visited and %s%s)';
begin
  perform private.segment_needed(p_node -> 'period');
  return format(v_visits, private.segment_reservations(jsonb_build_object('period', p_node -> 'period'),
      p_scope), '')
    || case when v_first is not null then ' and not ' || format(v_visits,
      private.segment_reservations('{}', p_scope), format(' and r.service_date < %L::date', v_first))
      else '' end;
end
$$;
comment on function private.segment_first_visit(jsonb, private.segment_scope) is
  'Whether a guest''s first visit was in the period: one is in it, and none before.';

create or replace function private.segment_score(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_min numeric := private.segment_number(p_node, 'min', 1, 5);
  v_max numeric := private.segment_number(p_node, 'max', 1, 5);
  v_days integer := private.segment_number(p_node, 'days', 1, 3650);
begin
  perform private.segment_needed(coalesce(v_min, v_max));
  return format('exists (select from public.feedback f where f.customer_id = c.id
      and f.location_id = any(%L::uuid[]) and f.score >= %L::numeric and f.score <= %L::numeric%s)',
    p_scope.locations, coalesce(v_min, 1), coalesce(v_max, 5),
    case when v_days is not null then format(' and f.answered_at >= %L::timestamptz',
      p_scope.at - make_interval(days => v_days)) end);
end
$$;
comment on function private.segment_score(jsonb, private.segment_scope) is
  'Whether a guest ever answered, or in the last so many days, with a score from min to max; one may be absent.';

create or replace function private.segment_party(p_node jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_min numeric := private.segment_number(p_node, 'min', 1, 999);
  v_max numeric := private.segment_number(p_node, 'max', 1, 999);
begin
  perform private.segment_needed(coalesce(v_min, v_max));
  return format('party.usual between %L::numeric and %L::numeric', coalesce(v_min, 1), coalesce(v_max, 999));
end
$$;
comment on function private.segment_party(jsonb) is
  'Whether the usual party (see party_join) has from min to max guests; who never came has none.';

create or replace function private.party_join(p_scope private.segment_scope) returns text
language sql stable set search_path = ''
as $$
  -- A party has 999 guests at most: the greatest of both numbers in one is the most frequent, and of equals
  -- the larger.
  select format(' left join (select s.customer_id, max(s.n * 1000 + s.party_size) %% 1000 as usual
      from (select r.customer_id, r.party_size, count(*) as n from public.reservations r
        where r.location_id = any(%L::uuid[]) and r.visited and r.customer_id is not null
        group by r.customer_id, r.party_size) as s
      group by s.customer_id offset 0) party on party.customer_id = c.id', p_scope.locations)
$$;
comment on function private.party_join(private.segment_scope) is
  'The join (party, by customer) of the usual party: the size that most of the guest''s visits had.';

create or replace function private.segment_postal_code(p_node jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_prefixes text[] := array(select distinct upper(replace(p, ' ', ''))
    from unnest(private.segment_list(p_node, 'prefixes', 50)) as p);
begin
  if '' = any(v_prefixes) then
    raise exception 'segment: an empty postal code' using errcode = '22023';
  end if;
  -- One by one: of a list Postgres makes no ranges of the index.
  return '(' || (select string_agg(format('upper(replace(c.postal_code, '' '', '''')) like %L',
    regexp_replace(p, '([\\%_])', '\\\1', 'g') || '%'), ' or ' order by p)
    from unnest(v_prefixes) as p) || ')';
end
$$;
comment on function private.segment_postal_code(jsonb) is
  'Whether the postal code begins with one of the prefixes; spaces, and capitals or not, make no difference.';

create or replace function private.segment_city(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_cities text[] := array(select distinct private.fold(city)
    from unnest(private.segment_list(p_node, 'any', 50)) as city);
begin
  if '' = any(v_cities) then
    raise exception 'segment: an empty city' using errcode = '22023';
  end if;
  -- By the index also beside "or" and "not", where each guest's city would be folded again.
  return format('c.id in (select k.id from public.customers k where k.organization_id = %L::uuid
      and k.city is not null and private.fold(k.city) = any(%L::text[]))', p_scope.organization_id, v_cities);
end
$$;
comment on function private.segment_city(jsonb, private.segment_scope) is
  'Whether the city is one of these; accents, and capitals or not, make no difference.';

create or replace function private.segment_language(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_languages text[] := private.segment_list(p_node, 'any', 10);
begin
  if not v_languages <@ array['es', 'ca', 'eu', 'gl', 'en', 'fr', 'pt', 'it', 'de', 'nl'] then
    raise exception 'segment: an unknown language' using errcode = '22023';
  end if;
  return format('coalesce(c.language, %L) = any(%L::text[])',
    (select o.language from public.organizations o where o.id = p_scope.organization_id), v_languages);
end
$$;
comment on function private.segment_language(jsonb, private.segment_scope) is
  'Whether a guest is written to in one of the languages: in their own, else in the group''s.';

create or replace function private.segment_next_birthday(p_node jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
begin
  return private.segment_birthday(case p_node ->> 'field'
    when 'birthday_within' then jsonb_build_object('is', 'next_days', 'days', p_node -> 'days')
    else jsonb_build_object('is', 'month', 'month', case p_node ->> 'month'
      when 'next' then to_jsonb(extract(month from p_scope.today + interval '1 month'))
      else p_node -> 'month' end) end, p_scope);
end
$$;
comment on function private.segment_next_birthday(jsonb, private.segment_scope) is
  'birthday_within (so many days) and birthday_month (a month, or the one after the group''s day) as a condition birthday.';

create or replace function private.segment_habit(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
begin
  return case p_node ->> 'field'
    when 'visited_on' then private.segment_visited_on(p_node, p_scope)
    when 'first_visit' then private.segment_first_visit(p_node, p_scope)
    when 'survey_score' then private.segment_score(p_node, p_scope)
    when 'party_size' then private.segment_party(p_node)
    when 'postal_code' then private.segment_postal_code(p_node)
    when 'city' then private.segment_city(p_node, p_scope)
    when 'language' then private.segment_language(p_node, p_scope)
    when 'birthday_within' then private.segment_next_birthday(p_node, p_scope)
    when 'birthday_month' then private.segment_next_birthday(p_node, p_scope) end;
end
$$;
comment on function private.segment_habit(jsonb, private.segment_scope) is
  'A condition on how or when guests come, live or celebrate, or what they said, as SQL about customers c; null for another field.';
-- << supabase/logic/segments/habits.sql

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
      and not private.is_closed_at(l.id, r.service_date, r.reservation_time, r.zone_name, r.table_name)
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
        and case c.channel when 'sms' then not private.is_landline(w.phone)
          else public.whatsapp_open(p_organization, w.phone, p_now) end
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
      private.guest_text('table_offer', private.language_for(p_organization, null, c.phone),
        jsonb_build_object('party_size', c.party_size, 'location', c.place,
          'time', to_char(c.starts_at at time zone c.timezone, 'HH24:MI'),
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
      then 'table_gone' else 'table_gone_not_waiting' end,
      private.language_for(p_organization, null, w.phone, p_reply ->> 'language'),
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

-- >> supabase/logic/service/waitlist.sql
-- The waitlist: parties join, are called by SMS or WhatsApp, and are seated or leave. Ended entries are kept
-- for 30 days (tidy_up).

create or replace function public.join_waitlist(p_location uuid, p_entry jsonb,
  p_now timestamptz default now()) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_id uuid := coalesce((p_entry ->> 'key')::uuid, gen_random_uuid());
begin
  if p_location is null or p_location <> all(array(select private.my_locations('canAccessOperaciones'))) then
    return null;
  end if;
  -- First this lock: a device that gave up waiting sends the party again while it is being added.
  perform private.lock_identities(l.organization_id) from public.locations l where l.id = p_location;
  if exists (select from public.waitlist w where w.id = v_id and w.location_id = p_location) then
    return v_id;
  end if;
  insert into public.waitlist (id, organization_id, location_id, name, phone, party_size, quoted_minutes,
    notes, joined_at)
  select v_id, l.organization_id, l.id, e.name, e.phone, e.party_size, e.quoted_minutes,
    nullif(btrim(e.notes), ''), private.tapped_at(p_entry, private.clock(p_now))
  from public.locations l
  cross join jsonb_to_record(p_entry) as e (name text, phone text, party_size integer,
    quoted_minutes integer, notes text)
  where l.id = p_location
    and (select count(*) from public.waitlist w where w.location_id = l.id and w.outcome is null) < 200
  -- The key of a party of another location is not taken twice.
  on conflict (id) do nothing
  returning id into v_id;
  return v_id;
end
$$;
comment on function public.join_waitlist(uuid, jsonb, timestamptz) is
  'Adds a party {name, phone, party_size, quoted_minutes, notes, key, at} to a location''s waitlist, once for each key, and returns its id, which is the key if there is one; null without the right, and when 200 already wait.';

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
        select jsonb_build_object('table_name', o.table_name,
          'tables', private.table_names(o.table_name), 'at', o.starts_at, 'expires_at', o.expires_at,
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
    when 'sms' = any(p_channels) and not private.is_landline(v_entry.phone) then 'sms' end;
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
      private.guest_text('table_ready',
        private.language_for(v_entry.organization_id, null, v_entry.phone),
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

create or replace function private.end_waiting(p_id uuid, p_outcome text, p_tap jsonb, p_now timestamptz)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_entry public.waitlist;
  v_answer jsonb;
  v_contact jsonb;
  v_reservation uuid;
begin
  -- First this lock and then the party, as take_taps does with several taps at once.
  perform private.lock_identities(w.organization_id) from public.waitlist w
  where w.id = p_id and w.location_id = any(array(select private.my_locations('canAccessOperaciones')));
  select * into v_entry from public.waitlist w
  where w.id = p_id
    and w.location_id = any(array(select private.my_locations('canAccessOperaciones'))) for update;
  if v_entry.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif (v_entry.outcome is null) = (p_outcome is null) or v_entry.outcome in ('seated', 'booked') then
    return jsonb_build_object('outcome', 'conflict');
  end if;
  if p_outcome = 'seated' then
    v_answer := private.take_tap(v_entry.location_id, p_tap || jsonb_build_object('action', 'walk_in',
      'party_size', v_entry.party_size, 'customer_name', v_entry.name), p_now);
    if v_answer ->> 'outcome' <> 'saved' then
      return v_answer;
    end if;
    v_reservation := (v_answer ->> 'reservation_id')::uuid;
    v_contact := jsonb_build_object('customer_phone', v_entry.phone, 'notes', v_entry.notes);
    -- At the door staff are not asked whose phone it is: another guest's phone is stored without that guest.
    if public.save_reservation(v_contact, v_reservation) ->> 'outcome' = 'contact_of_another' then
      perform public.save_reservation(v_contact || '{"link": "none"}', v_reservation);
    end if;
  end if;
  update public.waitlist set outcome = p_outcome, ended_at = case when p_outcome is not null then p_now end
  where id = p_id;
  return jsonb_strip_nulls(jsonb_build_object('outcome', 'saved', 'reservation_id', v_reservation));
end
$$;
comment on function private.end_waiting(uuid, text, jsonb, timestamptz) is
  'public.end_waiting by a tap {key, at, table_name, confirm}.';

create or replace function public.end_waiting(p_id uuid, p_outcome text, p_table text default null,
  p_now timestamptz default now(), p_confirm jsonb default '[]')
returns jsonb
language sql volatile security definer set search_path = ''
as $$
  select private.end_waiting(p_id, p_outcome, jsonb_build_object('key', gen_random_uuid(),
    'table_name', p_table, 'confirm', p_confirm), private.clock(p_now))
$$;
comment on function public.end_waiting(uuid, text, text, timestamptz, jsonb) is
  'A waiting party is seated (and becomes a walk-in at p_table) or left; null brings back one that left: saved, not_found, conflict, or what the tap asks (private.refused_tap) and p_confirm does not answer.';

create or replace function private.take_waiting_tap(p_location uuid, p_tap jsonb, p_now timestamptz)
  returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_action text := p_tap ->> 'action';
  v_answer jsonb := jsonb_build_object('key', v_key);
  v_outcome text := case v_action when 'wait_seat' then 'seated' when 'wait_leave' then 'left' end;
  v_entry public.waitlist;
begin
  select * into v_entry from public.waitlist w where w.location_id = p_location
    and w.id = case when v_action = 'wait_join' then v_key else (p_tap ->> 'waiting_id')::uuid end;
  if v_action = 'wait_join' then
    return v_answer || jsonb_build_object('outcome', case when v_entry.id is not null then 'repeated'
      when public.join_waitlist(p_location, p_tap, p_now) is null then 'waitlist_full' else 'saved' end);
  elsif v_entry.id is null then
    return v_answer || '{"outcome": "not_found"}';
  elsif exists (select from private.service_taps t where t.key = v_key) then
    return v_answer || '{"outcome": "repeated"}';
  end if;
  -- Who left twice has left.
  v_answer := v_answer || case when v_action <> 'wait_seat' and v_entry.outcome is not distinct from v_outcome
    then '{"outcome": "repeated"}' else private.end_waiting(v_entry.id, v_outcome, p_tap, p_now) end;
  -- The walk-in that a seated party becomes has stored the key.
  insert into private.service_taps (key, organization_id, waitlist_id, action, before, after, taken_at)
  select v_key, v_entry.organization_id, v_entry.id, v_action, '{}', '{}', p_now
  where v_action <> 'wait_seat' and v_answer ->> 'outcome' in ('saved', 'repeated');
  return v_answer;
end
$$;
comment on function private.take_waiting_tap(uuid, jsonb, timestamptz) is
  'Applies one tap of the waitlist, once, under lock_identities: wait_join (its key becomes the party''s id), or wait_seat, wait_leave or wait_return of waiting_id. Answers as take_tap; waitlist_full: 200 wait already.';
grant execute on function public.join_waitlist(uuid, jsonb, timestamptz), public.list_waiting(uuid),
  public.call_waiting(uuid, text[], timestamptz), public.end_waiting(uuid, text, text, timestamptz, jsonb)
    to authenticated;
-- << supabase/logic/service/waitlist.sql

reset check_function_bodies;
