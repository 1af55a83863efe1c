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
