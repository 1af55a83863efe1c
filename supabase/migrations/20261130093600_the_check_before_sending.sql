-- Schema 20261130093600. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

alter type public.message_reason add value 'empty_message' after 'batch_incomplete';
alter table public.organizations add column postal_address text;
alter table public.organizations add CONSTRAINT organizations_postal_address_check CHECK ((btrim(postal_address) <> ''::text));
alter table public.organizations add CONSTRAINT organizations_postal_address_check1 CHECK ((length(postal_address) <= 300));
alter table public.brands add column postal_address text;
alter table public.brands add CONSTRAINT brands_postal_address_check CHECK ((btrim(postal_address) <> ''::text));
alter table public.brands add CONSTRAINT brands_postal_address_check1 CHECK ((length(postal_address) <= 300));

-- Policies, comments, rights

COMMENT ON COLUMN public.organizations.postal_address IS 'The group''s address, at the end of every marketing e-mail; a brand may have its own.';
COMMENT ON COLUMN public.brands.postal_address IS 'The address in its marketing e-mails; null: the group''s.';

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
      'offer_tables_minutes', 'sms_price', 'postal_address', 'sending_stopped_at', 'sending_stopped_by',
      'ai_daily_calls',
      'ai_daily_calls_per_person', 'ai_daily_tokens', 'ai_daily_tokens_per_person', 'horizon_days',
      'keep_job_runs_days', 'keep_automation_runs_days', 'keep_webhook_receipts_days',
      'keep_failed_rows_days']
    when 'brands' then array['name', 'slug', 'postal_address']
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

-- >> supabase/logic/automations/previews.sql
-- Previews: the effect of a run of an automation, saved or not, and its message for one customer.

create or replace function private.preview_of(a public.automations, p_now timestamptz, p_closed jsonb,
  p_locations uuid[]) returns jsonb
-- The sets that every customer is compared with fit into this memory.
language plpgsql stable set search_path = '' set work_mem = '64MB' set enable_nestloop = on set jit = off
as $$
declare
  v_plan text := private.plan_query(a, p_now, interval '0', null, p_closed, p_locations => p_locations);
  v_counts record;
  v_sample record;
begin
  if private.writes_once(a) then
    -- Of many customers; and of a run just planned the statistics of messages know nothing.
    perform pg_catalog.set_config('enable_nestloop', 'off', true);
  end if;
  execute format('with plan as materialized (%s)
    select coalesce(sum(g.n), 0) as matched, coalesce(sum(g.n) filter (where g.held), 0) as held,
      min(g.earliest) filter (where g.held) as held_until, (%s) as guests,
      coalesce(jsonb_object_agg(g.reason, g.n) filter (where g.reason is not null), ''{}'') as skipped,
      (array_agg(g.customer order by g.reason is not null, g.customer))[1] as customer
    from (
      select p.reason, p.reason is null and p.not_before > %L as held, count(*) as n,
        min(p.not_before) as earliest, min(p.customer_id::text collate "C") as customer
      from plan p group by 1, 2) as g', v_plan, private.guests_to_check_sql(), p_now) into v_counts;
  perform pg_catalog.set_config('enable_nestloop', 'on', true);
  execute format('select p.customer_id, p.reservation_id, p.channel from (%s) as p
      order by p.reason is not null, p.reservation_id limit 1',
    -- No one before this customer is written to.
    private.plan_query(a, p_now, interval '0', null, p_closed, null, v_counts.customer::uuid,
      p_locations => p_locations)) into v_sample;
  if v_sample.customer_id is null then
    -- No customer now: the one with the latest visit is the example.
    select c.id as customer_id, null::uuid as reservation_id, a.channel as channel into v_sample
      from public.customers c
    where c.organization_id = a.organization_id
      and (a.location_ids = '{}' or c.location_id = any(a.location_ids))
    order by c.sort_visit desc, c.id desc limit 1;
  end if;
  return jsonb_build_object(
    'matched', v_counts.matched, 'skipped', v_counts.skipped, 'held', v_counts.held,
    'held_until', v_counts.held_until,
    'check', private.guests_to_check(a.organization_id, v_counts.guests),
    'template', private.template_of(a) || jsonb_build_object('email_look', private.email_look_of(a)),
    'kind', private.kind_of(a),
    'channel', coalesce(v_sample.channel, a.channel), 'channels', jsonb_build_array(a.channel,
      a.fallback_channel),
    'customer_id', v_sample.customer_id,
    'facts', (
      select private.message_facts(o, c, r, l,
        (select t.name from public.loyalty_tiers t where t.id = c.loyalty_tier_id))
      from public.organizations o
      join public.customers c on c.id = v_sample.customer_id
      left join public.reservations r on r.id = v_sample.reservation_id
      left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
      where o.id = a.organization_id));
end
$$;
comment on function private.preview_of(public.automations, timestamptz, jsonb, uuid[]) is
  'The effect of a manual run of the automation, saved or not, at p_now: counts, the template, and facts about one customer. p_locations: what someone bound to these may see of it.';

create or replace function public.preview_automation(p_organization uuid, p_automation uuid,
  p_now timestamptz default now(), p_closed jsonb default '{}', p_locations uuid[] default null)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
begin
  select * into a from public.automations
  where id = p_automation and organization_id = p_organization and deleted_at is null;
  return case when a.id is not null then private.preview_of(a, p_now, p_closed, p_locations) end;
end
$$;
comment on function public.preview_automation(uuid, uuid, timestamptz, jsonb, uuid[]) is
  'The effect of a manual run at p_now, without running it: counts, the template, and facts about one customer. Null when there is no such automation. p_locations: see preview_of.';

create or replace function public.preview_draft(p_organization uuid, p_draft jsonb,
  p_automation uuid default null, p_now timestamptz default now(), p_closed jsonb default '{}',
  p_locations uuid[] default null)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
begin
  if p_automation is not null and not exists (
    select 1 from public.automations
    where id = p_automation and organization_id = p_organization and deleted_at is null) then
    return null;
  end if;
  a := jsonb_populate_record(null::public.automations, p_draft);
  -- Under its own id, so that customers it has already written to are excluded; without one, under a fixed
  -- id, because the id draws the control group and two previews must show the same.
  a.id := coalesce(p_automation, '00000000-0000-4000-8000-000000000000');
  a.organization_id := p_organization;
  return private.preview_of(a, p_now, p_closed, p_locations);
end
$$;
comment on function public.preview_draft(uuid, jsonb, uuid, timestamptz, jsonb, uuid[]) is
  'preview_automation for an unsaved automation, or for unsaved changes of p_automation. Null when there is no such automation.';
grant execute on function private.preview_of(public.automations, timestamptz, jsonb, uuid[]),
  public.preview_automation(uuid, uuid, timestamptz, jsonb, uuid[]),
  public.preview_draft(uuid, jsonb, uuid, timestamptz, jsonb, uuid[]) to service_role;
-- << supabase/logic/automations/previews.sql

-- >> supabase/logic/campaigns/preview.sql
-- What a campaign would do now, before it is launched: how many guests it would write to, why not to others,
-- and what one guest would get. Nothing is saved.

create or replace function private.drafted_message(c public.campaigns, p_messages jsonb)
  returns public.automations
language plpgsql stable set search_path = ''
as $$
declare
  a public.automations;
begin
  select * into a from jsonb_populate_recordset(null::public.automations, p_messages) m
  where m.step = 1 and m.variant = 'a';
  a.id := c.id;
  a.type := 'campaign';
  a.campaign_id := c.id;
  a.organization_id := c.organization_id;
  a.location_ids := c.location_ids;
  a.control_share := c.control_share;
  a.email_look := (select s.email_look from public.automations s
    where s.id = c.id and s.organization_id = c.organization_id);
  a.content_variables := coalesce(a.content_variables, '{}');
  a.criteria := private.campaign_criteria(c, 1, 'a')
    || jsonb_build_object('part', case when c.test_share is null then 'all' else 'not_b' end);
  return a;
end
$$;
comment on function private.drafted_message(public.campaigns, jsonb) is
  'The first message of a campaign, saved or not, as its plan needs it: version a of the messages of a draft, for all guests but those of b.';
grant execute on function private.drafted_message(public.campaigns, jsonb) to service_role;

create or replace function private.why_not_planned(c public.campaigns, p_customer uuid) returns text
language sql stable set search_path = ''
as $$
  select case
    when exists (select from public.messages m join public.automations a on a.id = m.automation_id
      where a.campaign_id = c.id and m.customer_id = p_customer) then 'already_written'
    when c.location_ids <> '{}' and exists (select from public.customers g
      where g.id = p_customer and (g.location_id is null or g.location_id <> all(c.location_ids)))
        then 'other_location'
    else 'not_in_segment' end
$$;
comment on function private.why_not_planned(public.campaigns, uuid) is
  'Why the plan of a campaign does not have a guest: already_written, other_location or not_in_segment.';
grant execute on function private.why_not_planned(public.campaigns, uuid) to service_role;

create or replace function private.previewed_guest(p_organization uuid, p_customer uuid, p_reason text,
  p_channel text, p_not_before timestamptz, p_version integer) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('customer_id', g.id, 'reason', p_reason, 'channel', p_channel,
    'goes_at', case when p_reason is null then p_not_before end,
    'group', case when p_reason = 'control_group' then 'control'
      when p_reason is not null then null
      when p_version = 0 then 'a' when p_version = 1 then 'b' else 'rest' end,
    'facts', private.message_facts(o, g, null, l,
      (select t.name from public.loyalty_tiers t where t.id = g.loyalty_tier_id)))
  from public.customers g
  join public.organizations o on o.id = g.organization_id
  left join public.locations l on l.id = g.location_id
  where g.id = p_customer and g.organization_id = p_organization
$$;
comment on function private.previewed_guest(uuid, uuid, text, text, timestamptz, integer) is
  'What the preview of a campaign shows of one guest: their group, channel, time and facts, or the reason why they get nothing.';
grant execute on function private.previewed_guest(uuid, uuid, text, text, timestamptz, integer)
  to service_role;

create or replace function public.preview_campaign(p_organization uuid, p_fields jsonb,
  p_id uuid default null, p_customer uuid default null, p_now timestamptz default now(),
  p_closed jsonb default '{}', p_locations uuid[] default null)
returns jsonb
-- As preview_of: the guests are compared with sets.
language plpgsql volatile set search_path = '' set work_mem = '64MB' set enable_nestloop = off set jit = off
as $$
declare
  c public.campaigns;
  v_a public.automations;
  v_b public.automations;
  v_plan text;
  v_groups jsonb;
  v_check jsonb;
  v_customer uuid;
  v_row record;
  v_reason text;
  v_zone constant text := private.zone_of(p_organization);
begin
  c := jsonb_populate_record(null::public.campaigns, '{"location_ids": [], "exclude_recent_days": 0}'
    || p_fields);
  -- Under a fixed id, as preview_draft.
  c.id := coalesce(p_id, '00000000-0000-4000-8000-000000000000');
  c.organization_id := p_organization;
  v_a := private.drafted_message(c, p_fields -> 'messages');
  v_plan := private.plan_query(v_a, p_now, interval '0', null, p_closed, p_locations => p_locations);
  if c.test_share is not null then
    select * into v_b from jsonb_populate_recordset(null::public.automations, p_fields -> 'messages') m
    where m.step = 1 and m.variant = 'b';
    v_a.channel := v_b.channel;
    v_a.fallback_channel := v_b.fallback_channel;
    v_a.content_sid := v_b.content_sid;
    v_a.criteria := v_a.criteria || '{"part": "b"}';
    v_plan := v_plan || ' union all ' || private.plan_query(v_a, p_now, interval '0', null, p_closed,
      p_locations => p_locations);
  end if;
  -- Grouped: a few rows, however many guests there are.
  execute format('with plan as materialized (%s)
    select (select jsonb_agg(g) from (
      select p.reason, p.channel, p.not_before, p.location_id, %s as version, p.customer_id = %L as asked,
        count(*) as guests, min(p.customer_id::text collate "C") as customer_id
      from plan p group by 1, 2, 3, 4, 5, 6) as g), (%s)', v_plan,
    coalesce(private.version_sql(c.id, c.test_share, 'p.customer_id'), '0'), p_customer,
    private.guests_to_check_sql()) into v_groups, v_check;
  select coalesce(p_customer, g.customer_id) as customer_id, g.channel, g.reason, g.not_before, g.version
    into v_row
  from jsonb_to_recordset(v_groups) as g (customer_id uuid, channel text, reason text, not_before timestamptz,
    version integer, asked boolean)
  where p_customer is null or g.asked order by g.reason is not null, g.customer_id limit 1;
  v_customer := coalesce(p_customer, v_row.customer_id);
  if v_row.customer_id is null and v_customer is not null then
    v_reason := private.why_not_planned(c, v_customer);
  end if;
  return (
    select jsonb_build_object('matched', coalesce(sum(g.guests), 0),
      'to_send', coalesce(sum(g.guests) filter (where g.reason is null), 0),
      'held', coalesce(sum(g.guests) filter (where g.reason is null and g.not_before > greatest(p_now,
        c.starts_local at time zone coalesce(l.timezone, v_zone))), 0),
      'skipped', (select coalesce(jsonb_object_agg(s.reason, s.guests), '{}') from (
        select k.reason, sum(k.guests) as guests
          from jsonb_to_recordset(v_groups) as k (reason text, guests integer)
        where k.reason is not null group by k.reason) as s),
      'variants', jsonb_build_object(
        'a', coalesce(sum(g.guests) filter (where g.reason is null and g.version = 0), 0),
        'b', coalesce(sum(g.guests) filter (where g.reason is null and g.version = 1), 0),
        'rest', coalesce(sum(g.guests) filter (where g.reason is null and g.version > 1), 0)),
      'starts_at', private.campaign_starts(c),
      'approve_above', (select o.campaign_approve_above from public.organizations o
        where o.id = p_organization),
      'email_look', private.email_look_of(v_a),
      'held_until', min(g.not_before) filter (where g.reason is null and g.not_before > greatest(p_now,
        c.starts_local at time zone coalesce(l.timezone, v_zone))),
      'check', private.guests_to_check(p_organization, v_check))
    from jsonb_to_recordset(v_groups) as g (reason text, not_before timestamptz, location_id uuid,
      version integer, guests integer)
    left join public.locations l on l.id = g.location_id
  ) || jsonb_build_object('guest', private.previewed_guest(p_organization, v_customer,
    coalesce(v_row.reason, v_reason), v_row.channel, v_row.not_before, v_row.version));
end
$$;
comment on function public.preview_campaign(uuid, jsonb, uuid, uuid, timestamptz, jsonb, uuid[]) is
  'What a campaign, saved or not, would do at p_now: counts {matched, to_send, held, skipped, variants, starts_at, approve_above, email_look, held_until, check (see guests_to_check)}, and for p_customer (else the first guest) channel, time, group, facts, or the reason why they get nothing.';
grant execute on function public.preview_campaign(uuid, jsonb, uuid, uuid, timestamptz, jsonb, uuid[])
  to service_role;
-- << supabase/logic/campaigns/preview.sql

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261130093600', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/messages/email_designs.sql
-- Saving looks of e-mails and deleting images; lib/email-design checks first.

create or replace function private.email_look_of(a public.automations) returns jsonb
language sql stable set search_path = ''
as $$
  with own as (
    -- The brand of all its locations, if there is one.
    select case when count(distinct p.brand_id) = 1 and count(p.brand_id) = count(*)
      then min(p.brand_id::text)::uuid end as brand_id
    from public.locations p where p.id = any(a.location_ids)
  )
  select jsonb_build_object('postal_address', coalesce(
    (select b.postal_address from public.brands b join own on own.brand_id = b.id),
    (select o.postal_address from public.organizations o where o.id = a.organization_id)))
  || coalesce(a.email_look, coalesce((
    select to_jsonb(l) from public.email_looks l where l.organization_id = a.organization_id
      and l.brand_id is null), '{}')
  || coalesce((
    select jsonb_strip_nulls(to_jsonb(l)) from public.email_looks l
    where l.organization_id = a.organization_id and l.brand_id = (select own.brand_id from own)), '{}'))
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
        and (position(v_path in a.email_design::text) > 0 or a.email_look ->> 'logo' = v_path))
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
grant execute on function private.email_look_of(public.automations),
  public.save_email_look(uuid, uuid, jsonb), public.delete_email_image(uuid, uuid) to service_role;
-- << supabase/logic/messages/email_designs.sql

-- >> supabase/logic/messages/guests_to_check.sql
-- The guests whose messages are rendered to check what a send would look like (lib/sending-check): some of each
-- kind, which stand for all of it. What a text lacks depends on what is known of the guest.

create or replace function private.guests_to_check_sql() returns text
language sql immutable set search_path = ''
as $$
  -- Names that nameInMessage may leave out are a kind of their own: they may look like an address.
  select $sql$with told as (
      select p.customer_id, p.reservation_id, p.channel, concat(p.channel, c.first_name is null,
        c.last_name is null, c.first_name ~ v.odd, c.last_name ~ v.odd, c.birth_date is null,
        c.last_visit_on is null, c.loyalty_tier_id is null, p.location_id is null, c.total_visits = 0) as kind
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
      n.reservation_id, 'channel', n.channel, 'guests', n.guests::numeric / least(n.guests, most.each))), '[]')
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

-- >> supabase/logic/messages/outcomes.sql
-- What becomes of claimed messages (see claim.sql): their content, their outcome, and leases that ran out.

create or replace function public.freeze_messages(p_contents jsonb, p_now timestamptz default now())
  returns jsonb
language sql volatile set search_path = ''
as $$
  with frozen as (
    update public.messages m
    set content = case when m.frozen_at is null then f.content else m.content end, updated_at = now(),
      idempotency_key = coalesce(m.idempotency_key, f.idempotency_key),
      frozen_at = coalesce(m.frozen_at, p_now)
    from jsonb_to_recordset(p_contents) as f (id uuid, lease_token uuid, content jsonb, idempotency_key text)
    where m.id = f.id and m.status = 'sending' and m.lease_token = f.lease_token and m.lease_until > p_now
    returning m.id
  )
  select coalesce(jsonb_agg(id), '[]') from frozen
$$;
comment on function public.freeze_messages(jsonb, timestamptz) is
  'Stores what is about to be sent ({id, lease_token, content, idempotency_key}). Only the ids it returns may go to the provider: the others'' lease is lost.';
grant execute on function public.freeze_messages(jsonb, timestamptz) to service_role;

create or replace function private.retry_verdict(m public.messages, p_now timestamptz) returns text
language sql stable set search_path = ''
as $$
  -- A provider keeps an e-mail's idempotency key for 24 hours; after 23 nothing is sent under it again.
  select case when m.channel = 'email' and m.frozen_at <= p_now - interval '23 hours' then 'too_late'
    when (m.content ->> 'expires_at')::timestamptz < p_now then 'too_late'
    when m.attempts >= 8 then 'too_often' else 'retry' end
$$;

create or replace function public.finish_messages(p_results jsonb, p_now timestamptz default now())
  returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_written uuid[];
  v_runs uuid[];
  v_trouble boolean;
  v_failed boolean;
begin
  with results as (
    select distinct on (f.id) f.*
    from jsonb_to_recordset(p_results) as f (id uuid, lease_token uuid, outcome text, reason text,
      provider text, provider_id text, retry_seconds integer)
    where f.outcome in ('sent', 'failed', 'unknown', 'retry', 'skipped')
    order by f.id
  ), judged as (
    select r.*, t.next_at, case
      when r.outcome = 'sent' then 'sent'
      when r.outcome in ('failed', 'skipped') then case when m.maybe_accepted then 'unknown' else r.outcome end
      -- SMS and WhatsApp have no idempotency key: what may have been accepted is never sent again.
      when r.outcome = 'unknown' and (m.channel <> 'email' or m.idempotency_key is null) then 'unknown'
      when private.retry_verdict(m, t.next_at) = 'retry' then 'queued'
      when r.outcome = 'unknown' or m.maybe_accepted then 'unknown' else 'failed' end as status
    from results r
    join public.messages m on m.id = r.id and m.lease_token = r.lease_token
    cross join lateral (select p_now + make_interval(secs => least(greatest(
      coalesce(r.retry_seconds, 30 * (2 ^ least(m.attempts, 10))::integer), 1), 21600))) as t (next_at)
    -- An unknown message whose lease was swept is not sent again, so its true outcome is still recorded.
    where m.status = 'sending' or (m.status = 'unknown' and r.outcome in ('sent', 'failed'))
  ), written as (
    update public.messages m
    set status = j.status, reason = case when j.status = 'sent' then null else left(j.reason, 300) end,
      updated_at = now(), maybe_accepted = m.maybe_accepted
      or (j.status = 'queued' and j.outcome = 'unknown'),
      -- The HTML of millions of e-mails would fill the disk; the plain text stays.
      content = case when j.status in ('sent', 'failed') and m.content ? 'html' then m.content - 'html'
      else m.content end, provider = coalesce(j.provider, m.provider),
      provider_id = coalesce(j.provider_id, m.provider_id),
      sent_at = case when j.status = 'sent' then p_now else m.sent_at end,
      not_before = case when j.status = 'queued' then j.next_at else m.not_before end,
      -- A message that was not tried has used up no attempt.
      attempts = m.attempts - case when j.status = 'queued' and j.reason = 'held_back' then 1 else 0 end,
      -- An e-mail is repeated unchanged; SMS and WhatsApp were surely not accepted, so they are rendered
      -- anew.
      frozen_at = case when j.status = 'queued' and m.channel <> 'email' then null else m.frozen_at end,
      -- Nothing was accepted under the key: next time it may go with others.
      idempotency_key = case when j.status <> 'queued' or m.maybe_accepted or j.outcome = 'unknown'
        then m.idempotency_key end,
      lease_token = case when j.status = 'unknown' then m.lease_token end, lease_until = null
    from judged j where m.id = j.id
    returning m.id, m.run_id, m.status, j.outcome
  )
  select coalesce(array_agg(id), '{}'), array_agg(distinct run_id), bool_or(outcome <> 'sent'),
    bool_or(status = 'failed')
  into v_written, v_runs, v_trouble, v_failed from written;
  -- Most batches are accepted as they are, and their runs have no failures to forget.
  if v_trouble or exists (
      select 1 from public.automation_runs run where run.id = any(v_runs)
        and (run.failures > 0 or run.status = 'paused')) then
    perform private.note_trouble(p_results, v_written, p_now);
  end if;
  if v_failed then
    perform private.suppress_refused(v_written);
  end if;
  return cardinality(v_written);
end
$$;
comment on function public.finish_messages(jsonb, timestamptz) is
  'Records what became of claimed messages: {id, lease_token, outcome sent|failed|skipped|unknown|retry, reason, provider, provider_id, retry_seconds}. Returns how many; a lost lease does not count.';
grant execute on function public.finish_messages(jsonb, timestamptz) to service_role;

create or replace function public.sweep_leases(p_now timestamptz default now()) returns jsonb
language sql volatile set search_path = ''
as $$
  with lost as (
    select m.id, case
      -- Never frozen: it had not gone to the provider.
      when m.frozen_at is null then 'queued'
      when m.channel = 'email' and m.idempotency_key is not null and private.retry_verdict(m, p_now) = 'retry'
        then 'queued'
      else 'unknown' end as status
    from public.messages m
    where m.status = 'sending' and m.lease_until <= p_now
    for update skip locked
  ), swept as (
    update public.messages m
    set status = lost.status, reason = case when lost.status = 'unknown' then 'lease_expired' end,
      maybe_accepted = m.maybe_accepted or (lost.status = 'queued' and m.frozen_at is not null),
      not_before = greatest(m.not_before, p_now),
      lease_token = case when lost.status = 'unknown' then m.lease_token end, lease_until = null
    from lost where m.id = lost.id
    returning m.status
  )
  select jsonb_build_object('requeued', count(*) filter (where status = 'queued'),
    'unknown', count(*) filter (where status = 'unknown')) from swept
$$;
comment on function public.sweep_leases(timestamptz) is
  'Takes back the messages that dead processes were sending: queued again when that cannot send them twice, else unknown. Returns {requeued, unknown}.';
grant execute on function public.sweep_leases(timestamptz) to service_role;

create or replace function public.tally_messages(p_ids uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(told), '[]') from (
    select m.automation_id, m.run_id, count(*) filter (where m.status in ('sent', 'delivered')) as sent,
      count(*) filter (where m.status = 'skipped') as skipped,
      count(*) filter (where m.status in ('failed', 'unknown')) as failed
    from public.messages m where m.id = any(p_ids) and m.automation_id is not null
    group by m.automation_id, m.run_id) as told
$$;
comment on function public.tally_messages(uuid[]) is
  'How many of the automations'' messages among these were sent, skipped and failed (or have an unknown outcome): {automation_id, run_id, sent, skipped, failed}.';
grant execute on function public.tally_messages(uuid[]) to service_role;
grant execute on function private.retry_verdict(public.messages, timestamptz) to service_role;
-- << supabase/logic/messages/outcomes.sql

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
    offer_tables_minutes = v.offer_tables_minutes, sms_price = v.sms_price,
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

reset check_function_bodies;
