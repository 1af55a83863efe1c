-- Schema 20261130181251. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

alter table public.locations add column review_urls text[] DEFAULT '{}'::text[] NOT NULL;
alter table public.locations add CONSTRAINT locations_review_urls_check CHECK (((review_urls = '{}'::text[]) OR ((cardinality(review_urls) <= 5) AND (array_ndims(review_urls) = 1) AND (array_position(review_urls, NULL::text) IS NULL) AND (array_to_string(review_urls, '
'::text) ~ '^(https://[^\s/?#@]+([/?#][!-~]*)?(\n|$))+$'::text) AND (array_to_string(review_urls, '
'::text) !~ '([^\n]{167}){3}'::text))));
alter table public.campaigns add column undo_until timestamp with time zone;
alter table public.campaigns add CONSTRAINT campaigns_undo_until_check CHECK (((undo_until >= '1900-01-01 00:00:00+00'::timestamp with time zone) AND (undo_until < '2200-01-01 00:00:00+00'::timestamp with time zone)));
alter table public.messages add column unsubscribed_at timestamp with time zone;
alter table public.messages add column complained_at timestamp with time zone;
alter table public.messages add CONSTRAINT messages_complained_at_check CHECK (((complained_at >= '1900-01-01 00:00:00+00'::timestamp with time zone) AND (complained_at <= '2200-01-01 00:00:00+00'::timestamp with time zone)));
alter table public.messages add CONSTRAINT messages_unsubscribed_at_check CHECK (((unsubscribed_at >= '1900-01-01 00:00:00+00'::timestamp with time zone) AND (unsubscribed_at <= '2200-01-01 00:00:00+00'::timestamp with time zone)));
alter table private.exports drop constraint exports_kind_check;
alter table private.exports add CONSTRAINT exports_kind_check CHECK ((kind = ANY (ARRAY['customers'::text, 'reservations'::text, 'recipients'::text])));
CREATE INDEX customers_postal_code_idx ON public.customers USING btree (organization_id, upper(replace(postal_code, ' '::text, ''::text)) text_pattern_ops) WHERE (postal_code IS NOT NULL);
CREATE INDEX messages_sent_idx ON public.messages USING btree (organization_id, sent_at) INCLUDE (customer_id, kind, location_id, automation_id, id) WHERE ((status = ANY (ARRAY['sent'::text, 'delivered'::text])) AND (kind <> 'notification'::text) AND (customer_id IS NOT NULL));

-- Policies, comments, rights

COMMENT ON COLUMN public.locations.review_urls IS 'Public review pages, offered to a guest who rates a visit with five stars; lib/locations/review-urls.ts says which.';
COMMENT ON COLUMN public.campaigns.segment_id IS 'A shared segment, or one of its launcher''s own. Null after a draft: it was deleted.';
COMMENT ON COLUMN public.campaigns.undo_until IS 'Until then a large campaign that begins at once waits, so that whoever launched or approved it can take it back.';
COMMENT ON COLUMN public.messages.unsubscribed_at IS 'When its guest opted out by its link, or by answering it: counts for its campaign. Taken back with the opt-out.';
COMMENT ON COLUMN public.messages.complained_at IS 'When its guest reported it as unwanted, as the provider says.';

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
      'count_unmarked_visits', 'quiet_from', 'quiet_until', 'is_active', 'stay_minutes',
      'review_urls']
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
      '{"status": "inactive", "body": "", "content_variables": {},
      "criteria": {}, "location_ids": [], "tags": [], "tier_ids": [], "control_share": 0}' || p_fields);
    return query insert into public.automations (id, organization_id, name, type, channel, fallback_channel,
      status, subject, body, content_sid, content_variables, email_design, criteria, location_ids, tags,
      tier_ids, control_share)
    values (private.new_id(p_organization, p_fields), p_organization, v.name, v.type, v.channel,
      v.fallback_channel, v.status, v.subject, v.body, v.content_sid, v.content_variables, v.email_design,
      v.criteria, v.location_ids, v.tags, v.tier_ids, v.control_share)
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
    criteria = v.criteria, location_ids = v.location_ids, tags = v.tags, tier_ids = v.tier_ids,
    control_share = v.control_share, deleted_at = v.deleted_at
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

-- >> supabase/logic/automations/previews.sql
-- Previews: the effect of a run of an automation, saved or not, and its message for one customer.

create or replace function private.id_of_seed(p_organization uuid, p_fields jsonb) returns uuid
language sql immutable set search_path = ''
as $$
  -- Of the form of version 4. Programs without a seed see the same numbers at every preview, too.
  select overlay(overlay(md5(p_organization::text || coalesce(p_fields ->> 'seed', ''))
    placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid
$$;
comment on function private.id_of_seed(uuid, jsonb) is
  'The id that a new campaign or automation gets by the `seed` of its form. The id draws the control group and the versions, so numbers before and after saving are the same.';

create or replace function private.new_id(p_organization uuid, p_fields jsonb) returns uuid
language sql volatile set search_path = ''
as $$
  select coalesce((
    select seeded.id from private.id_of_seed(p_organization, p_fields) as seeded (id)
    where p_fields ->> 'seed' is not null and not exists (
      select from public.automations a where a.id = seeded.id)), gen_random_uuid())
$$;
comment on function private.new_id(uuid, jsonb) is
  'The id of what is made from fields: that of their seed, unless it is taken; else a random one.';
grant execute on function private.id_of_seed(uuid, jsonb), private.new_id(uuid, jsonb) to service_role;

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
  -- Under its own id, so that customers it has already written to are excluded.
  a.id := coalesce(p_automation, private.id_of_seed(p_organization, p_draft));
  a.organization_id := p_organization;
  return private.preview_of(a, p_now, p_closed, p_locations);
end
$$;
comment on function public.preview_draft(uuid, jsonb, uuid, timestamptz, jsonb, uuid[]) is
  'preview_automation for an unsaved automation, or for unsaved changes of p_automation. Null when there is no such automation.';
grant execute on function private.preview_of(public.automations, timestamptz, jsonb, uuid[]),
  public.preview_automation(uuid, uuid, timestamptz, jsonb, uuid[]),
  public.preview_draft(uuid, jsonb, uuid, timestamptz, jsonb, uuid[]) to service_role;

create or replace function public.facts_of_guest(p_organization uuid, p_customer uuid,
  p_now timestamptz default now()) returns jsonb
language sql stable set search_path = ''
as $$
  select private.message_facts(o, c, r, l,
    (select t.name from public.loyalty_tiers t where t.id = c.loyalty_tier_id))::jsonb
  from public.customers c
  join public.organizations o on o.id = c.organization_id
  left join public.reservations r on r.id = (
    -- The next one, else the last one.
    select held.id from public.reservations held join public.locations there on there.id = held.location_id
    cross join lateral (select held.service_order at time zone there.timezone as at) as begins
    where held.customer_id = c.id and held.organization_id = p_organization
    order by begins.at < p_now, abs(extract(epoch from begins.at - p_now)) limit 1)
  left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
  where c.id = p_customer and c.organization_id = p_organization
$$;
comment on function public.facts_of_guest(uuid, uuid, timestamptz) is
  'The facts of a test message as a given guest would get it, about their next reservation, else their last one. Null when there is no such guest.';
grant execute on function public.facts_of_guest(uuid, uuid, timestamptz) to service_role;
-- << supabase/logic/automations/previews.sql

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
      after_days, channel, fallback_channel, subject, body, content_sid, content_variables, email_design)
    select case when m.step = 1 and m.variant = 'a' then c.id else gen_random_uuid() end, p_organization,
      c.name, 'campaign',
      c.id, m.step, m.variant, m.after_days, m.channel, m.fallback_channel, m.subject, coalesce(m.body, ''),
      m.content_sid, coalesce(m.content_variables, '{}'), m.email_design
    from jsonb_populate_recordset(null::public.automations, p_fields -> 'messages') as m
    on conflict (campaign_id, step, variant) do update
      set after_days = excluded.after_days, channel = excluded.channel,
      fallback_channel = excluded.fallback_channel, subject = excluded.subject, body = excluded.body,
      content_sid = excluded.content_sid, content_variables = excluded.content_variables,
      email_design = excluded.email_design;
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

-- >> supabase/logic/campaigns/launch.sql
-- The launch of a campaign: how many guests it writes to, and whether a second person has to approve that.
-- Only the service calls these. Locks are taken in the order of the outbox: messages, runs, campaign.

create or replace function private.lock_campaign(p_organization uuid, p_campaign uuid)
  returns public.campaigns
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
begin
  perform 1 from public.automations a join public.automation_runs run on run.automation_id = a.id
  where a.campaign_id = p_campaign order by run.id for update of run;
  select * into c from public.campaigns where id = p_campaign and organization_id = p_organization for update;
  return c;
end
$$;
comment on function private.lock_campaign(uuid, uuid) is 'The campaign, locked with its runs; null when there is none.';
grant execute on function private.lock_campaign(uuid, uuid) to service_role;

create or replace function private.campaign_guests(c public.campaigns, p_now timestamptz, p_closed jsonb,
  p_locations uuid[] default null)
returns integer
-- As preview_of: the guests are compared with sets.
language plpgsql stable set search_path = '' set work_mem = '64MB' set enable_nestloop = off set jit = off
as $$
declare
  v_guests integer := coalesce((
    select sum(run.processed - run.skipped) from public.automations a
    join public.automation_runs run on run.automation_id = a.id
    where a.campaign_id = c.id and a.step = 1), 0);
  v_more integer := 0;
begin
  -- Once it is planned to its end, no guest is added.
  if c.rest_planned_at is null then
    execute format('select count(*) from (%s) as p where p.reason is null', private.plan_query(
      private.campaign_message(c.id, 'a', 'all'), p_now, interval '0', null, p_closed,
        p_locations => p_locations)) into v_more;
  end if;
  return v_guests + v_more;
end
$$;
comment on function private.campaign_guests(public.campaigns, timestamptz, jsonb, uuid[]) is
  'To how many guests the campaign writes: those it has a first message for, and those it would have one for at p_now. p_locations: as someone bound to these sees it.';
grant execute on function private.campaign_guests(public.campaigns, timestamptz, jsonb, uuid[])
  to service_role;

create or replace function private.exceeds_approval(c public.campaigns, p_guests bigint) returns boolean
language sql stable set search_path = ''
as $$
  select coalesce(p_guests > o.campaign_approve_above
    and (c.approved_at is null or p_guests > coalesce(c.guests, 0) * 1.1), false)
  from public.organizations o where o.id = c.organization_id
$$;
comment on function private.exceeds_approval(public.campaigns, bigint) is
  'Whether so many guests are more than one person may launch for, and over a tenth more than a second person approved.';
grant execute on function private.exceeds_approval(public.campaigns, bigint) to service_role;

create or replace function private.campaign_deadline(c public.campaigns, p_now timestamptz)
  returns timestamptz
language sql stable set search_path = ''
as $$
  select least(p_now + interval '7 days', case when s.at > p_now then s.at end)
  from (select private.campaign_starts(c) as at) as s
$$;
comment on function private.campaign_deadline(public.campaigns, timestamptz) is
  'How long it waits for approval: seven days, or until its time comes.';
grant execute on function private.campaign_deadline(public.campaigns, timestamptz) to service_role;

create or replace function private.asks_again_above() returns integer
language sql immutable set search_path = ''
as $$
  select 500
$$;
comment on function private.asks_again_above() is
  'A campaign to more guests than this is confirmed a second time, and can be undone for a minute.';
grant execute on function private.asks_again_above() to service_role;

create or replace function private.undo_until(c public.campaigns, p_guests bigint, p_now timestamptz)
  returns timestamptz
language sql stable set search_path = ''
as $$
  -- One that waits for its time, or for approval, can be taken back until then.
  select p_now + interval '1 minute'
  where p_guests > private.asks_again_above()
    and coalesce(private.campaign_starts(c), p_now) < p_now + interval '1 minute'
$$;
comment on function private.undo_until(public.campaigns, bigint, timestamptz) is
  'Until when a campaign to so many guests, released at p_now, waits to be undone; null: it is small, or its time is later.';
grant execute on function private.undo_until(public.campaigns, bigint, timestamptz) to service_role;

create or replace function public.launch_campaign(p_organization uuid, p_campaign uuid, p_person uuid,
  p_guests integer, p_version integer, p_now timestamptz default now(), p_closed jsonb default '{}',
  p_locations uuid[] default null)
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns := private.lock_campaign(p_organization, p_campaign);
  -- Before the count: a change after it is noticed when the campaign is planned.
  v_segment integer := (select s.version from public.segments s where s.id = c.segment_id);
  v_guests integer;
  v_waits boolean;
begin
  if c.id is null then
    return 'not_found';
  elsif c.status <> 'draft' then
    return 'not_draft';
  elsif c.version is distinct from p_version then
    return 'changed';
  elsif private.campaign_starts(c) <= p_now then
    return 'past';
  end if;
  -- The number that this person sees. Before the first message goes, planning counts the whole group again,
  -- against the limit.
  v_guests := private.campaign_guests(c, p_now, p_closed, p_locations);
  if v_guests > p_guests * 1.1 then
    return 'changed';
  end if;
  v_waits := coalesce(v_guests > (
    select o.campaign_approve_above from public.organizations o where o.id = p_organization), false);
  update public.campaigns set status = case when v_waits then 'waiting_approval' else 'scheduled' end,
    reason = null, guests = v_guests, segment_version = v_segment, launched_by = p_person,
    launched_by_name = private.person_name(p_person), launched_at = p_now,
    approved_by = null, approved_at = null,
    expires_at = case when v_waits then private.campaign_deadline(c, p_now) end,
    undo_until = case when not v_waits then private.undo_until(c, v_guests, p_now) end
  where id = c.id;
  perform private.audit(p_organization, 'campaign.launched', c.id, jsonb_build_object('guests', v_guests));
  return 'launched';
end
$$;
comment on function public.launch_campaign(uuid, uuid, uuid, integer, integer, timestamptz, jsonb, uuid[]) is
  'Launches a draft for p_person, who saw p_guests and p_version: launched (it waits for approval, or is scheduled), changed (of another version, or it would write to over a tenth more), past (its time is), not_draft or not_found. p_locations: those that the person is bound to.';
grant execute on function public.launch_campaign(uuid, uuid, uuid, integer, integer, timestamptz, jsonb,
  uuid[]) to service_role;

create or replace function private.freeze_looks() returns trigger
language plpgsql set search_path = ''
as $$
begin
  update public.automations a
  set email_look = case when new.status <> 'draft' then private.email_look_of(a) end
  where a.campaign_id = new.id;
  return null;
end
$$;
comment on function private.freeze_looks() is
  'Trigger: a launch keeps the look of the campaign''s e-mails, with sender and footer; a draft has the present one again.';

create or replace trigger campaigns_freeze_looks after update of status on public.campaigns for each row
  when ((old.status = 'draft') <> (new.status = 'draft'))
  execute function private.freeze_looks();
-- << supabase/logic/campaigns/launch.sql

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
          'email_design', a.email_design)
          order by a.step, a.variant), '[]')
        from public.automations a where a.campaign_id = c.id)) end
    order by c.created_at desc, c.id desc), '[]')
  from shown c
$$;
comment on function public.list_campaigns(uuid, text, integer, timestamptz, uuid) is
  'The campaigns the caller may read, the newest first, from behind (p_before, p_before_id); with p_id that one with its messages.';
grant execute on function public.list_campaigns(uuid, text, integer, timestamptz, uuid) to authenticated;
-- << supabase/logic/campaigns/list.sql

-- >> supabase/logic/campaigns/moves.sql
-- What becomes of a launched campaign: a person approves, refuses, pauses, resumes or stops it, or one of its
-- runs pauses by itself. Only the service calls move_campaign; lib/campaigns checks the caller first.

create or replace function private.decide_campaign(c public.campaigns, p_approve boolean, p_person uuid,
  p_guests integer, p_version integer, p_now timestamptz) returns text
language plpgsql volatile set search_path = ''
as $$
begin
  if c.status <> 'waiting_approval' or c.expires_at <= p_now then
    return 'not_waiting';
  elsif p_approve and not (private.may_approve(p_person, c.launched_by) and exists (
    select from public.profiles p where p.id = p_person and p.organization_id = c.organization_id)) then
    return 'own';
  elsif p_approve and (c.guests, c.version) is distinct from (p_guests, p_version) then
    return 'changed';
  end if;
  update public.campaigns set
    status = case when p_approve then case when started_at is null then 'scheduled' else 'sending' end
      when started_at is null then 'draft' else 'paused' end,
    reason = case when not p_approve then 'refused' end, expires_at = null,
    approved_by = case when p_approve then private.person_name(p_person) end,
    approved_at = case when p_approve then p_now end,
    undo_until = case when p_approve and c.started_at is null
      then private.undo_until(c, c.guests, p_now) end
  where id = c.id;
  return null;
end
$$;
comment on function private.decide_campaign(public.campaigns, boolean, uuid, integer, integer, timestamptz) is
  'Approves or refuses a campaign that waits for it: null, or why not, as move_campaign.';
grant execute on function private.decide_campaign(public.campaigns, boolean, uuid, integer, integer,
  timestamptz) to service_role;

create or replace function private.resume_campaign(c public.campaigns, p_person uuid, p_now timestamptz,
  p_closed jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_limit integer := (select o.campaign_approve_above from public.organizations o
    where o.id = c.organization_id);
  v_segment integer := (select s.version from public.segments s where s.id = c.segment_id);
  v_changed boolean := coalesce(c.rest_planned_at is null and c.segment_version <> v_segment, false);
  v_guests integer;
begin
  if v_limit is not null then
    v_guests := private.campaign_guests(c, p_now, p_closed);
  end if;
  update public.campaigns set segment_version = v_segment where id = c.id;
  if v_changed and v_guests > v_limit or private.exceeds_approval(c, v_guests) then
    update public.campaigns set status = 'waiting_approval', guests = v_guests, paused_by = null,
      reason = case when v_changed then 'segment_changed' else 'audience_grew' end,
      launched_by = p_person, launched_by_name = private.person_name(p_person), approved_by = null,
      approved_at = null, expires_at = private.campaign_deadline(c, p_now)
    where id = c.id;
  else
    update public.campaigns set status = case when started_at is null then 'scheduled' else 'sending' end,
      reason = null, paused_by = null
    where id = c.id;
  end if;
  update public.automation_runs run
  set status = case when run.processed > run.sent + run.skipped + run.failed then 'running'
    else 'finished' end,
    reason = null, failures = 0
  from public.automations a where a.campaign_id = c.id and run.automation_id = a.id
    and run.status = 'paused';
  -- What waited for trouble to pass is tried at once, in its own time.
  delete from public.channel_pace p where p.organization_id = c.organization_id and p.channel in (
    select offer from public.automations a cross join unnest(array[a.channel, a.fallback_channel]) as offer
      where a.campaign_id = c.id);
end
$$;
comment on function private.resume_campaign(public.campaigns, uuid, timestamptz, jsonb) is
  'Lets a paused campaign and its runs go on; it waits for approval when its segment was changed, or it grew, beyond what was approved.';
grant execute on function private.resume_campaign(public.campaigns, uuid, timestamptz, jsonb)
  to service_role;

create or replace function public.move_campaign(p_organization uuid, p_campaign uuid, p_action text,
  p_person uuid, p_guests integer default null, p_version integer default null,
  p_now timestamptz default now(), p_closed jsonb default '{}')
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
  v_name text := private.person_name(p_person);
  v_outcome text;
begin
  -- No claim meanwhile: what this decides holds for the next batch.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  c := private.lock_campaign(p_organization, p_campaign);
  if c.id is null then
    return 'not_found';
  end if;
  if p_action in ('approve', 'refuse') then
    v_outcome := private.decide_campaign(c, p_action = 'approve', p_person, p_guests, p_version, p_now);
    if v_outcome is not null then
      return v_outcome;
    end if;
  elsif p_action = 'unschedule' then
    if c.status <> 'scheduled' or c.started_at is not null then
      return 'not_scheduled';
    end if;
    update public.campaigns set status = 'draft', reason = null, approved_by = null, approved_at = null,
      undo_until = null
    where id = c.id;
  elsif p_action = 'pause' then
    if c.status <> 'sending' then
      return 'not_running';
    end if;
    update public.campaigns set status = 'paused', reason = 'paused_by_hand', paused_by = v_name
      where id = c.id;
  elsif p_action = 'resume' then
    if c.status <> 'paused' then
      return 'not_paused';
    end if;
    perform private.resume_campaign(c, p_person, p_now, p_closed);
  elsif p_action = 'stop' then
    if c.status not in ('waiting_approval', 'scheduled', 'sending', 'paused') then
      return 'not_running';
    end if;
    update public.automation_runs run
    set status = case when run.processed > run.sent + run.skipped + run.failed then 'stopped'
      else 'finished' end,
      reason = null, stopped_by = v_name, stopped_at = p_now,
      finished_at = coalesce(run.finished_at, greatest(p_now, run.started_at))
    from public.automations a
    where a.campaign_id = c.id and run.automation_id = a.id and run.status in ('running', 'paused');
    update public.campaigns set status = 'stopped', reason = null, expires_at = null, stopped_by = v_name,
      finished_at = p_now
    where id = c.id;
  else
    raise exception 'no such action' using errcode = '22023';
  end if;
  perform private.audit(p_organization, case p_action when 'approve' then 'campaign.approved'
    when 'refuse' then 'campaign.refused'
    when 'unschedule' then 'campaign.unscheduled' when 'pause' then 'campaign.paused'
      when 'resume' then 'campaign.resumed'
    else 'campaign.stopped' end,
    c.id, jsonb_strip_nulls(
      jsonb_build_object('guests', case when p_action in ('approve', 'refuse') then c.guests end)));
  return 'done';
end
$$;
comment on function public.move_campaign(uuid, uuid, text, uuid, integer, integer, timestamptz, jsonb) is
  'What a person does with a launched campaign: approve (p_version, for p_guests), refuse, unschedule, pause, resume, stop. done, not_found, not_waiting, own (another person has to approve it), changed, not_scheduled, not_running or not_paused.';
grant execute on function public.move_campaign(uuid, uuid, text, uuid, integer, integer, timestamptz, jsonb)
  to service_role;

create or replace function private.pause_campaign() returns trigger
language plpgsql set search_path = ''
as $$
begin
  update public.campaigns c set status = 'paused', reason = new.reason
  from public.automations a where a.id = new.automation_id and c.id = a.campaign_id and c.status = 'sending';
  return null;
end
$$;
comment on function private.pause_campaign() is 'Trigger: a campaign pauses with one of its runs.';

create or replace trigger automation_runs_pause_campaign after update of status on public.automation_runs
  for each row
  when (new.status = 'paused' and old.status is distinct from new.status)
  execute function private.pause_campaign();
-- << supabase/logic/campaigns/moves.sql

-- >> supabase/logic/campaigns/planning.sql
-- The planning of a launched campaign, part by part: what is due goes into the outbox, until nothing is to
-- come and the campaign is finished. Only the service calls these.

create or replace function public.due_campaigns(p_organization uuid, p_now timestamptz default now())
  returns jsonb
language plpgsql volatile set search_path = ''
as $$
begin
  update public.campaigns c
  set status = case when c.started_at is null then 'draft' else 'paused' end, reason = 'expired',
    expires_at = null
  where c.organization_id = p_organization and c.status = 'waiting_approval' and c.expires_at <= p_now;
  return (
    select coalesce(jsonb_agg(c.id order by c.launched_at, c.id), '[]') from public.campaigns c
    where c.organization_id = p_organization
      and (c.status = 'sending' or c.status = 'scheduled'
        and greatest(private.campaign_starts(c), c.undo_until, '-infinity') <= p_now));
end
$$;
comment on function public.due_campaigns(uuid, timestamptz) is
  'The campaigns to plan at p_now, by launch. Those that waited for approval too long are drafts again.';
grant execute on function public.due_campaigns(uuid, timestamptz) to service_role;

create or replace function private.obstacle_to(c public.campaigns, p_closed jsonb, p_now timestamptz)
  returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    case when c.rest_planned_at is null and not exists (
      select from public.segments s where s.id = c.segment_id and s.organization_id = c.organization_id)
      then 'segment_gone' end,
    case when c.rest_planned_at is null and c.segment_version <> (
      select s.version from public.segments s where s.id = c.segment_id) then 'segment_changed' end,
    -- A campaign never tries a skipped guest again, so it waits for a provider. With two channels it waits
    -- for either one while guests are planned whom only that one may reach.
    (select min(coalesce(shut.channel, shut.fallback)) from public.automations a
     cross join lateral (select private.closed_by(p_closed, a.channel, 'marketing') as channel,
       private.closed_by(p_closed, a.fallback_channel, 'marketing') as fallback) as shut
     where a.campaign_id = c.id and (
       shut.channel is not null and (a.fallback_channel is null or shut.fallback is not null)
       or coalesce(shut.channel, shut.fallback) is not null and case a.step
         when 1 then c.rest_planned_at is null and (c.planned_at is null or a.variant = c.winner)
         else exists (select
           from private.plan_part(a, p_now, interval '0', null, null, null, 1, p_closed)) end)))
$$;
comment on function private.obstacle_to(public.campaigns, jsonb, timestamptz) is
  'Why a campaign cannot be planned at p_now: segment_gone, segment_changed (since it was launched), no_provider or no_app_url; null when it can.';
grant execute on function private.obstacle_to(public.campaigns, jsonb, timestamptz) to service_role;

create or replace function private.begin_campaign(c public.campaigns, p_now timestamptz) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A share of the organization that changes later would mix two control groups.
  update public.automations a set status = 'active', control_share = private.control_share(a)
    where a.campaign_id = c.id;
  insert into public.automation_runs (organization_id, automation_id, automation_name, location_ids,
    triggered_by, started_at, started_by, started_by_name, event)
  select a.organization_id, a.id, a.name, a.location_ids, 'manual', p_now, c.launched_by, c.launched_by_name,
    jsonb_build_object('name', 'campaign/run', 'data',
      jsonb_build_object('campaign_id', c.id, 'step', a.step, 'variant', a.variant))
  from public.automations a where a.campaign_id = c.id and not exists (
    select 1 from public.automation_runs run where run.automation_id = a.id)
  order by a.step, a.variant;
  update public.campaigns set status = 'sending', started_at = p_now where id = c.id;
end
$$;
comment on function private.begin_campaign(public.campaigns, timestamptz) is
  'Begins a campaign: its messages become active, each with its run.';
grant execute on function private.begin_campaign(public.campaigns, timestamptz) to service_role;

create or replace function private.campaign_message(p_campaign uuid, p_variant text, p_part text)
  returns public.automations
language sql stable set search_path = ''
as $$
  select jsonb_populate_record(a,
    jsonb_build_object('criteria', a.criteria || jsonb_build_object('part', p_part)))
  from public.automations a where a.campaign_id = p_campaign and a.step = 1 and a.variant = p_variant
$$;
comment on function private.campaign_message(uuid, text, text) is
  'A version of the first message of a campaign, for another part of the guests.';
grant execute on function private.campaign_message(uuid, text, text) to service_role;

create or replace function private.plan_campaign_part(a public.automations, p_now timestamptz,
  p_limit integer, p_closed jsonb) returns boolean
language sql volatile set search_path = ''
as $$
  select private.plan_next(a, (select run.id from public.automation_runs run where run.automation_id = a.id
    limit 1), p_now, interval '0', p_limit, p_closed)
$$;
comment on function private.plan_campaign_part(public.automations, timestamptz, integer, jsonb) is
  'Puts the next messages (see plan_next) of a campaign''s step into the outbox; whether there may be more.';
grant execute on function private.plan_campaign_part(public.automations, timestamptz, integer, jsonb)
  to service_role;

create or replace function private.follow_ups_to_come(c public.campaigns, p_now timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from public.automations a
    join public.automations previous on previous.campaign_id = a.campaign_id and previous.step = a.step - 1
    join public.messages m on m.automation_id = previous.id and m.status in ('sent', 'delivered')
    -- A follow-up is due at its time of day: within a day and an hour (when clocks change) of its days.
    where a.campaign_id = c.id and m.sent_at > p_now - make_interval(days => a.after_days + 1, hours => 2))
$$;
comment on function private.follow_ups_to_come(public.campaigns, timestamptz) is
  'Whether a message of the campaign may still be followed by another one.';
grant execute on function private.follow_ups_to_come(public.campaigns, timestamptz) to service_role;

create or replace function private.has_outgrown(c public.campaigns, p_closed jsonb, p_now timestamptz)
  returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  -- Counted before the first part of all guests and before the first part of the remainder. Later is too
  -- late: parts are sent while the next are planned.
  if (c.status = 'scheduled' or c.winner is not null and c.rest_planned_at is null and exists (
      select from public.automations s join public.automation_runs run on run.automation_id = s.id
      where s.campaign_id = c.id and s.step = 1 and s.variant = c.winner and run.planned_to is null))
    and exists (select from public.organizations o where o.id = c.organization_id
      and o.campaign_approve_above is not null) then
    return private.exceeds_approval(c, private.campaign_guests(c, p_now, p_closed));
  end if;
  return false;
end
$$;
comment on function private.has_outgrown(public.campaigns, jsonb, timestamptz) is
  'Whether a campaign of which the first guests, or the first of the remainder, are due would write to more than were approved.';
grant execute on function private.has_outgrown(public.campaigns, jsonb, timestamptz) to service_role;

create or replace function private.plan_follow_ups(p_campaign uuid, p_now timestamptz, p_limit integer,
  p_closed jsonb) returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
  v_began boolean;
  v_more boolean := false;
begin
  for a in
    select * from public.automations s where s.campaign_id = p_campaign and s.step > 1 order by s.step
  loop
    v_began := exists (
      select from public.automation_runs run where run.automation_id = a.id and run.planned_to is not null);
    -- A part goes on where the last one ended, perhaps days ago. Guests before that place may be due by now.
    v_more := private.plan_campaign_part(a, p_now, p_limit, p_closed)
      or v_began and exists (select
        from private.plan_part(a, p_now, interval '0', null, null, null, 1, p_closed))
      or v_more;
  end loop;
  return v_more;
end
$$;
comment on function private.plan_follow_ups(uuid, timestamptz, integer, jsonb) is
  'Plans the next messages of each later step of a campaign; whether there may be more.';
grant execute on function private.plan_follow_ups(uuid, timestamptz, integer, jsonb) to service_role;

create or replace function public.plan_campaign(p_organization uuid, p_campaign uuid,
  p_now timestamptz default now(), p_limit integer default 10000, p_closed jsonb default '{}')
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
  v_more boolean := false;
  v_obstacle text;
  v_decide boolean := false;
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('outbox:' || p_organization::text, 0));
  c := private.lock_campaign(p_organization, p_campaign);
  if c.id is null or c.status not in ('scheduled', 'sending') or private.campaign_starts(c) > p_now
    or c.undo_until > p_now
    or exists (select from public.organizations o where o.id = p_organization
      and o.sending_stopped_at is not null) then
    return jsonb_build_object('status', c.status, 'more', false, 'decide', false);
  end if;
  v_obstacle := private.obstacle_to(c, p_closed, p_now);
  if v_obstacle is null and private.has_outgrown(c, p_closed, p_now) then
    v_obstacle := 'audience_grew';
  end if;
  if v_obstacle is not null then
    update public.campaigns set status = 'paused', reason = v_obstacle where id = c.id;
    return jsonb_build_object('status', 'paused', 'more', false, 'decide', false);
  end if;
  if c.status = 'scheduled' then
    perform private.begin_campaign(c, p_now);
  end if;

  if c.planned_at is null then
    v_more := private.plan_campaign_part(
      private.campaign_message(c.id, 'a', case when c.test_share is null then 'all' else 'a' end),
      p_now, p_limit, p_closed);
    if not v_more and c.test_share is not null then
      v_more := private.plan_campaign_part(private.campaign_message(c.id, 'b', 'b'), p_now, p_limit,
        p_closed);
    end if;
    if not v_more then
      update public.campaigns set planned_at = p_now,
        rest_planned_at = case when coalesce(test_share, 100) = 100 then p_now end
      where id = c.id;
    end if;
  elsif c.decided_at is null and c.test_share is not null and p_now >= private.test_ends(c) then
    -- campaign_score has the figures, choose_winner takes the answer; the next call goes on.
    v_decide := true;
  elsif c.rest_planned_at is null and c.winner is not null then
    v_more := private.plan_campaign_part(private.campaign_message(c.id, c.winner, 'all'), p_now, p_limit,
      p_closed);
    if not v_more then
      update public.campaigns set rest_planned_at = p_now where id = c.id;
    end if;
  end if;
  v_more := private.plan_follow_ups(c.id, p_now, p_limit, p_closed) or v_more;
  return private.close_campaign(c.id, p_now, v_more or v_decide)
    || jsonb_build_object('more', v_more, 'decide', v_decide);
end
$$;
comment on function public.plan_campaign(uuid, uuid, timestamptz, integer, jsonb) is
  'Plans what is due of a campaign, at most p_limit messages a step: {status, more (call again), decide (the test is over: choose a winner)}. p_closed: see plan_query. It pauses without a segment or provider, when the segment was changed, and before it would write to more guests than were approved.';
grant execute on function public.plan_campaign(uuid, uuid, timestamptz, integer, jsonb) to service_role;

create or replace function private.close_campaign(p_campaign uuid, p_now timestamptz, p_open boolean)
  returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  c public.campaigns;
  v_guests bigint;
  v_processed bigint;
  v_pending bigint;
begin
  select * into c from public.campaigns where id = p_campaign;
  select coalesce(sum(run.processed - run.skipped) filter (where a.step = 1), 0),
    coalesce(sum(run.processed), 0), coalesce(sum(run.processed - run.sent - run.skipped - run.failed), 0)
  into v_guests, v_processed, v_pending
  from public.automations a join public.automation_runs run on run.automation_id = a.id
    where a.campaign_id = c.id;
  -- It has grown since it was counted. The last part has not been sent yet: this transaction planned it.
  if private.exceeds_approval(c, v_guests) then
    update public.campaigns set status = 'paused', reason = 'audience_grew' where id = c.id;
    return jsonb_build_object('status', 'paused');
  elsif p_open or v_pending > 0 or c.planned_at is null or c.rest_planned_at is null
    or c.test_share is not null and c.decided_at is null or private.follow_ups_to_come(c, p_now) then
    return jsonb_build_object('status', c.status);
  end if;
  update public.automation_runs run
    set status = 'finished', finished_at = coalesce(run.finished_at, greatest(p_now, run.started_at))
  from public.automations a where a.campaign_id = c.id and run.automation_id = a.id
    and run.status = 'running';
  update public.automations set status = 'inactive' where campaign_id = c.id;
  update public.campaigns set status = 'finished', finished_at = p_now,
    reason = case when v_processed = 0 then 'nobody' end
  where id = c.id;
  return jsonb_build_object('status', 'finished');
end
$$;
comment on function private.close_campaign(uuid, timestamptz, boolean) is
  'After planning: pauses a campaign that grew beyond its approval, finishes one of which nothing is queued or to come.';
grant execute on function private.close_campaign(uuid, timestamptz, boolean) to service_role;
-- << supabase/logic/campaigns/planning.sql

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
  c.id := coalesce(p_id, private.id_of_seed(p_organization, p_fields));
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
      'asks_again', coalesce(sum(g.guests) filter (where g.reason is null), 0) > private.asks_again_above(),
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
  'What a campaign, saved or not, would do at p_now: counts {matched, to_send, held, skipped, variants, starts_at, asks_again, approve_above, email_look, held_until, check (see guests_to_check)}, and for p_customer (else the first guest) channel, time, group, facts, or the reason why they get nothing.';
grant execute on function public.preview_campaign(uuid, jsonb, uuid, uuid, timestamptz, jsonb, uuid[])
  to service_role;
-- << supabase/logic/campaigns/preview.sql

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
    'organization_name', o.name,
    'location_name', (select l.name from public.locations l
      where l.organization_id = o.id and (a.location_ids = '{}' or l.id = any(a.location_ids))
      order by l.name limit 1),
    'tier', (select t.name from public.loyalty_tiers t where t.organization_id = o.id
      order by t.name limit 1))
  from public.automations a join public.organizations o on o.id = a.organization_id
  where a.id = p_automation and a.organization_id = p_organization
$$;
comment on function public.campaign_template(uuid, uuid) is
  'The template of a campaign''s message with the look it was launched with, and what an example guest needs: {template, organization_name, location_name, tier}.';
grant execute on function public.campaign_versions(uuid, uuid, uuid[]),
  public.campaign_recipients(uuid, uuid, text, uuid[], timestamptz, uuid, integer),
  public.campaign_template(uuid, uuid) to service_role;
grant execute on function public.log_recipients_export(uuid, jsonb) to authenticated;
-- << supabase/logic/campaigns/results.sql

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
    consents = v_next.consents, created_at = least(v_kept.created_at, v_gone.created_at)
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
    'review_urls', case when f.score = 5 then l.review_urls else '{}' end)
  from private.surveyed_visit(p_message) as r
  join public.messages m on m.id = p_message
  join public.customers c on c.id = r.customer_id
  join public.locations l on l.id = r.location_id
  left join public.feedback f on f.reservation_id = r.id
$$;
comment on function public.feedback_survey(uuid, timestamptz) is
  'What the survey of a message shows, {first_name, location_name, score, state: see private.survey_state, review_urls: after five stars}; null: the link leads nowhere.';

create or replace function private.ticket_of_feedback(f public.feedback, r public.reservations,
  p_words jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  -- The organization has no language of its own. The guest's is that of the words, and of the answer.
  v_words jsonb := p_words -> f.language;
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
  'After an answer: the first bad score of a visit opens a ticket; a later change is a comment on it. Both are in the language of the answer. p_words: those of lib/tickets/guest-ticket-words.json for feedback, by language.';

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
  public.save_feedback(uuid, integer, text, text, jsonb, timestamptz) to service_role;
grant execute on function public.reply_to_feedback(uuid, text, text, text[], timestamptz) to authenticated;
grant execute on function public.feedback_trend(uuid, timestamptz),
  public.feedback_scores(timestamptz, timestamptz, uuid) to authenticated;
-- << supabase/logic/feedback/feedback.sql

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261130181251', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/messages/delivery.sql
-- Reports of providers and messages of customers: delivery reports, STOP and ALTA, bounces and
-- complaints, unsubscribing, and messages by WhatsApp. Only the service calls these functions.

create or replace function private.suppress_refused(p_messages uuid[]) returns void
language sql volatile set search_path = ''
as $$
  select public.suppress_addresses(m.organization_id, m.channel, array_agg(distinct m.recipient),
    case m.reason when 'unsubscribed' then 'stop' else 'bounce' end)
  from public.messages m
  where m.id = any(p_messages) and m.status = 'failed' and m.channel in ('sms', 'whatsapp')
    and m.recipient is not null
    -- Twilio refuses ids as bad numbers where an account cannot write to ids yet.
    and (m.reason = 'unsubscribed' or m.reason = 'invalid_number' and m.recipient like '+%')
  group by m.organization_id, m.channel, m.reason
  order by m.organization_id, m.channel, m.reason
$$;
comment on function private.suppress_refused(uuid[]) is
  'Suppresses the numbers of messages that failed because there is no such number, or its owner has opted out at the provider.';

create or replace function private.whatsapp_addresses_of(p_customer uuid) returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select distinct a.address from (
      select unnest(array[c.phone, c.whatsapp_id]) from public.customers c where c.id = p_customer
      union all
      select coalesce(l.phone, l.whatsapp_id) from public.customer_aliases l where l.customer_id = p_customer
    ) as a (address) where a.address is not null)
$$;
comment on function private.whatsapp_addresses_of(uuid) is
  'Numbers and ids of a customer''s WhatsApp, former ones included.';

create or replace function private.share_whatsapp_stop(p_organization uuid, p_addresses text[]) returns void
language sql volatile set search_path = ''
as $$
  insert into public.suppressions as s (organization_id, channel, address, reason)
  select p_organization, 'whatsapp', other.address, case said.reason when 'bounce' then said.opt_out
    else said.reason end
  from (
    -- A bounce is about one address; an opt-out or a complaint is about all of the person's.
    select x.reason, x.opt_out from public.suppressions x
    where x.organization_id = p_organization and x.channel = 'whatsapp' and x.address = any(p_addresses)
      and (x.reason <> 'bounce' or x.opt_out is not null)
    order by private.suppression_rank(x.reason) desc limit 1) as said
  cross join (select distinct unnest(p_addresses) as address) as other
  where other.address is not null
  on conflict (organization_id, channel, address) do update set reason = excluded.reason
    where private.adds_to(excluded.reason, s)
$$;
comment on function private.share_whatsapp_stop(uuid, text[]) is
  'An opt-out or a complaint by one WhatsApp address of a person counts for all of them.';

create or replace function public.link_whatsapp(p_organization uuid, p_phone text, p_whatsapp_id text)
  returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_former text[];
begin
  -- Locked in one order; no row is written without a change.
  select array_agg(c.whatsapp_id) into v_former from (
    select o.id, o.whatsapp_id from public.customers o
    where o.organization_id = p_organization and o.phone = p_phone and o.whatsapp_id is distinct
      from p_whatsapp_id
    order by o.id for update) as c;
  update public.customers set whatsapp_id = p_whatsapp_id
  where organization_id = p_organization and phone = p_phone and whatsapp_id is distinct from p_whatsapp_id;
  perform private.share_whatsapp_stop(p_organization, array[p_phone, p_whatsapp_id] || v_former);
end
$$;
comment on function public.link_whatsapp(uuid, text, text) is
  'Links a number with the id that came with it: customers of the number get the id, and a STOP from one applies to the other.';

create or replace function public.record_inbound(p_organization uuid, p_channel text,
  p_phone text default null, p_whatsapp_id text default null, p_answers text default null,
  p_wish text default null, p_receipt text default null, p_at timestamptz default now())
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  v_phone text := p_phone;
  v_addresses text[];
begin
  if p_receipt is not null then
    insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
    values (p_organization, p_receipt, p_at, p_channel = 'whatsapp' or coalesce(p_wish = 'start', false))
    on conflict do nothing;
    if not found then
      return 'repeated';
    end if;
  end if;
  if p_channel = 'whatsapp' and p_whatsapp_id is not null then
    -- The number of the message that it answers, else the number that the id last came with.
    v_phone := coalesce(v_phone, (
      select m.recipient from public.messages m
      where m.provider = any(private.providers_of('whatsapp')) and m.provider_id = p_answers
        and m.organization_id = p_organization
        and m.channel = 'whatsapp' and m.recipient like '+%'), (
      select w.address from public.whatsapp_windows w
      where w.organization_id = p_organization and w.whatsapp_id = p_whatsapp_id
        and w.address <> p_whatsapp_id
      order by w.last_inbound_at desc limit 1));
    if v_phone is not null then
      perform public.link_whatsapp(p_organization, v_phone, p_whatsapp_id);
    end if;
  end if;
  v_addresses := array_remove(array[v_phone, case p_channel when 'whatsapp' then p_whatsapp_id end], null);
  if p_channel = 'whatsapp' then
    insert into public.whatsapp_windows as w (organization_id, address, last_inbound_at, whatsapp_id)
    select p_organization, address, p_at, p_whatsapp_id from unnest(v_addresses) as address
    on conflict (organization_id, address) do update set
      last_inbound_at = greatest(excluded.last_inbound_at, w.last_inbound_at),
      whatsapp_id = coalesce(excluded.whatsapp_id, w.whatsapp_id);
  end if;
  if p_wish is not null then
    -- All numbers and ids of the person: a no by one is a no by all.
    v_addresses := array(
      select distinct address from (
        select unnest(v_addresses)
        union all
        select unnest(private.whatsapp_addresses_of(person.id)) from (
          select c.id from public.customers c where c.organization_id = p_organization and c.phone = v_phone
          union
          select c.id from public.customers c
          where c.organization_id = p_organization and c.whatsapp_id = p_whatsapp_id
          union
          select l.customer_id from public.customer_aliases l
          where l.organization_id = p_organization and l.whatsapp_id = p_whatsapp_id
          union
          select l.customer_id from public.customer_aliases l
          where l.organization_id = p_organization and l.phone = v_phone) as person
        union all
        select w.whatsapp_id from public.whatsapp_windows w
        where w.organization_id = p_organization and w.address = v_phone
      ) as known (address) where address is not null);
  end if;
  if p_wish = 'stop' then
    if public.suppress_addresses(p_organization, p_channel, v_addresses, 'stop') > 0 then
      perform private.credit_stop(p_organization, v_addresses, p_answers, p_at);
    end if;
  elsif p_wish = 'start' then
    -- What a link of one channel said ends by that channel only.
    perform private.lift_opt_outs(p_organization, its.channel,
      private.with_firsts(p_organization, its.channel, v_addresses),
      case its.channel when p_channel then array['stop', 'unsubscribe'] else array['stop'] end)
    from unnest(private.channels_of_a_no(p_channel, 'stop')) as its (channel);
  end if;
  return 'taken';
end
$$;
comment on function public.record_inbound(uuid, text, text, text, text, text, text, timestamptz) is
  'Records a message to us, from a number, a WhatsApp id or both: opens the 24-hour window and applies its wish (stop, start, null) to all numbers and ids of the person, by SMS and WhatsApp alike. p_answers is the provider''s id of the message it answers. Returns taken, or repeated for a known receipt.';

create or replace function public.record_delivery(p_organization uuid, p_provider text, p_provider_id text,
  p_message uuid, p_status text, p_reason text default null, p_at timestamptz default now())
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  m public.messages;
begin
  if p_status not in ('sent', 'delivered', 'failed') then
    return 'ignored';
  end if;
  select * into m from public.messages
  where provider = p_provider and provider_id = p_provider_id and organization_id = p_organization for update;
  if m.id is null and p_message is not null then
    -- The provider's id was never stored: its answer got lost, or is not recorded yet. Only a message with an
    -- attempt can be meant.
    select * into m from public.messages
    where id = p_message and organization_id = p_organization and provider_id is null and attempts > 0
      and coalesce(provider, p_provider) = p_provider
      and p_provider = any(private.providers_of(channel)) for update;
  end if;
  if m.id is null then
    return 'unknown';
  end if;
  if not (case m.status
      when 'queued' then true
      when 'sending' then true
      when 'unknown' then true
      when 'sent' then p_status in ('delivered', 'failed')
      else false end) then
    return 'unchanged';
  end if;
  update public.messages
  set status = p_status, reason = case p_status when 'failed' then left(p_reason, 300) end,
    provider = p_provider, provider_id = p_provider_id,
    sent_at = case when p_status = 'failed' then sent_at else coalesce(sent_at, p_at) end,
    delivered_at = case p_status when 'delivered' then p_at end,
    lease_token = null, lease_until = null
  where id = m.id;
  perform private.suppress_refused(array[m.id]);
  return 'recorded';
end
$$;
comment on function public.record_delivery(uuid, text, text, uuid, text, text, timestamptz) is
  'Records a provider''s report about a message (sent, delivered, failed), found by its provider_id, else by our id. Statuses only move forward: sent → delivered or failed; queued after an attempt, sending and unknown → any. Returns recorded, unchanged, unknown or ignored.';
grant execute on function private.suppress_refused(uuid[]), private.whatsapp_addresses_of(uuid),
  private.share_whatsapp_stop(uuid, text[]), public.link_whatsapp(uuid, text, text),
  public.record_inbound(uuid, text, text, text, text, text, text, timestamptz),
  public.record_delivery(uuid, text, text, uuid, text, text, timestamptz) to service_role;
-- << supabase/logic/messages/delivery.sql

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
    'survey_score', 'visited_on', 'first_visit') or p_node ->> 'field' = 'consent'
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
    when 'birthday_within' then private.segment_next_birthday(p_node, p_scope)
    when 'birthday_month' then private.segment_next_birthday(p_node, p_scope) end;
end
$$;
comment on function private.segment_habit(jsonb, private.segment_scope) is
  'A condition on how or when guests come, live or celebrate, or what they said, as SQL about customers c; null for another field.';
-- << supabase/logic/segments/habits.sql

-- >> supabase/logic/segments/members.sql
-- Whom a segment matches: for lists, for automations, and for the preview of a change.

create or replace function private.segments_to_approve() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select c.segment_id from public.campaigns c
  where c.status = 'waiting_approval' and c.segment_id is not null
    and c.organization_id = any(array(select private.my_organizations('canAccessMarketing')))
    and private.covers(c.location_ids) and private.may_approve((select private.caller()), c.launched_by)
$$;
comment on function private.segments_to_approve() is
  'The segments of the campaigns that wait for an approval which the caller may give: they see whom these write to.';

create or replace function private.readable_segment(p_id uuid) returns public.segments
language sql stable security definer set search_path = ''
as $$
  select s from public.segments s
  where s.id = p_id and s.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and (s.shared or s.owner_id = (select private.caller())
      or s.id = any(array(select private.segments_to_approve())))
$$;
comment on function private.readable_segment(uuid) is
  'The segment, if the caller may read it: a shared one, their own, or that of a campaign which they may approve.';
grant execute on function private.readable_segment(uuid) to authenticated;

create or replace function private.segment_source(p_organization uuid, p_segment uuid, p_now timestamptz)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_definition jsonb := (private.readable_segment(p_segment)).definition;
begin
  return private.stored_segment_query(v_definition, private.segment_scope_of(p_organization, p_now, true));
end
$$;
comment on function private.segment_source(uuid, uuid, timestamptz) is
  'The query of the customers (id, sort_visit) of a segment that the caller may read; of another one nobody.';

create or replace function private.segment_members(p_organization uuid, p_segment uuid, p_now timestamptz,
  p_after uuid default null, p_until uuid default null, p_locations uuid[] default null) returns setof uuid
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_definition jsonb := (select s.definition from public.segments s
    where s.id = p_segment and s.organization_id = p_organization);
  v_scope private.segment_scope := private.segment_scope_of(p_organization, p_now, false);
begin
  if p_locations is not null then
    v_scope.bound := true;
    v_scope.locations := array(select l from unnest(v_scope.locations) as l where l = any(p_locations));
  end if;
  if v_definition is not null then
    return query execute format('select found.id from (%s) as found where true%s%s',
      private.stored_segment_query(v_definition, v_scope),
      case when p_after is not null then ' and found.id > $2' end,
      case when p_until is not null then ' and found.id <= $3' end)
      using p_organization, p_after, p_until;
  end if;
end
$$;
comment on function private.segment_members(uuid, uuid, timestamptz, uuid, uuid, uuid[]) is
  'The customers of a segment in the whole organization, for automations and campaigns, whose check it is that it may be used; nobody when there is none. p_after, p_until: only those in this range of ids. p_locations: as someone bound to these sees it.';
grant execute on function private.segment_members(uuid, uuid, timestamptz, uuid, uuid, uuid[])
  to service_role;

create or replace function private.segment_page(p_ids uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name',
    nullif(concat_ws(' ', c.first_name, c.last_name), ''),
    'email', c.email, 'phone', c.phone, 'tier', t.name, 'total_visits', c.total_visits, 'total_spend',
    c.total_spend,
    'last_visit_at', c.last_visit_at, 'last_visit_on', c.last_visit_on)
    order by c.sort_visit desc, c.id desc), '[]')
  from public.customers c left join public.loyalty_tiers t on t.id = c.loyalty_tier_id where c.id = any(p_ids)
$$;
comment on function private.segment_page(uuid[]) is 'What a preview shows of customers, who came last first.';

-- Counts of visits by guest fit into this memory, and are not sorted on disk. An index has visits in the
-- order of guests; a hash of a million guests would cost more, which the planner does not expect. A person
-- waits: two processes may count.
create or replace function public.preview_segment(p_definition jsonb, p_id uuid default null,
  p_limit integer default 20, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_scope private.segment_scope := private.segment_scope_of(v_organization, private.clock(p_now), true);
  v_former jsonb := (private.readable_segment(p_id)).definition;
  v_limit integer := least(greatest(p_limit, 0), 100);
  v_after record;
  v_changes record;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  elsif p_id is not null and v_former is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_former is null or v_former = p_definition then
    execute format('with found as materialized (%s) select (select count(*) from found) as n,
        array(select f.id from found f order by f.sort_visit desc, f.id desc limit $2) as ids',
      private.segment_query(p_definition, v_scope)) into v_after using v_organization, v_limit;
  else
    -- Everyone in one of the two, and in which: one statement, so that both are of the same moment.
    execute format('with was as (%s), found as (%s), each as materialized (
          select id, coalesce(f.sort_visit, w.sort_visit) as sort_visit,
            w.sort_visit is not null as was, f.sort_visit is not null as now
          from was w full join found f using (id))
        select count(*) filter (where now) as n,
          count(*) filter (where now and not was) as n_added,
          count(*) filter (where was and not now) as n_dropped,
          array(select e.id from each e where e.now
            order by e.sort_visit desc, e.id desc limit $2) as ids,
          array(select e.id from each e where e.now and not e.was
            order by e.sort_visit desc, e.id desc limit $2) as added,
          array(select e.id from each e where e.was and not e.now
            order by e.sort_visit desc, e.id desc limit $2) as dropped
        from each', private.stored_segment_query(v_former, v_scope), private.segment_query(p_definition, v_scope))
      into v_changes using v_organization, v_limit;
    return jsonb_build_object('outcome', 'found', 'customers', v_changes.n, 'first',
      private.segment_page(v_changes.ids),
      'added', jsonb_build_object('customers', v_changes.n_added, 'first',
        private.segment_page(v_changes.added)),
      'dropped', jsonb_build_object('customers', v_changes.n_dropped, 'first',
        private.segment_page(v_changes.dropped)));
  end if;
  return jsonb_build_object('outcome', 'found', 'customers', v_after.n, 'first',
    private.segment_page(v_after.ids))
    || case when p_id is null then '{}'::jsonb
      else '{"added": {"customers": 0, "first": []}, "dropped": {"customers": 0, "first": []}}' end;
end
$$;
comment on function public.preview_segment(jsonb, uuid, integer, timestamptz) is
  'How many customers of the caller a definition matches, and the first of them; with the id of a segment also whom the definition would add to it and drop. forbidden and not_found likewise as outcome.';
grant execute on function public.preview_segment(jsonb, uuid, integer, timestamptz) to authenticated;
-- << supabase/logic/segments/members.sql

-- >> supabase/logic/segments/query.sql
-- A segment's definition, a tree of and, or, not over conditions, as one query of the customers that match.
-- lib/segments/schema.ts says what a definition looks like.

create or replace function private.segment_scope_of(p_organization uuid, p_now timestamptz,
  p_for_caller boolean)
returns private.segment_scope
language plpgsql stable set search_path = ''
as $$
declare
  s private.segment_scope;
begin
  s.organization_id := p_organization;
  s.at := p_now;
  s.timezone := private.zone_of(p_organization);
  s.today := (p_now at time zone s.timezone)::date;
  s.bound := p_for_caller and not private.works_everywhere();
  s.locations := array(select l.id from public.locations l
    where l.organization_id = p_organization
      and (not s.bound or l.id = any(array(select private.my_locations()))));
  return s;
end
$$;
comment on function private.segment_scope_of(uuid, timestamptz, boolean) is
  'For the caller: someone bound to locations sees the guests and reservations of these alone. Else for the whole organization.';

create or replace function private.segment_tree(p_node jsonb, p_scope private.segment_scope, p_depth integer,
  out condition text, out joins jsonb, out size integer, out known boolean)
language plpgsql stable set search_path = ''
as $$
declare
  v_kind text := case when p_node ? 'and' then 'and' when p_node ? 'or' then 'or'
    when p_node ? 'not' then 'not' end;
  v_child jsonb;
  v_part record;
  v_parts text[] := '{}';
begin
  joins := '{}';
  size := 0;
  known := false;
  if jsonb_typeof(p_node) is distinct from 'object' or v_kind is not null and p_depth > 5 then
    raise exception 'segment: not a definition, or too deep' using errcode = '22023';
  elsif v_kind is null then
    select leaf.condition, leaf.joins, 1, leaf.known into condition, joins, size, known
    from private.segment_leaf(p_node, p_scope) as leaf;
    condition := '(' || condition || ')';
    return;
  end if;
  if v_kind <> 'not'
    and (jsonb_typeof(p_node -> v_kind) <> 'array'
    or jsonb_array_length(p_node -> v_kind) not between 1 and 50) then
    raise exception 'segment: a group has 1 to 50 parts' using errcode = '22023';
  end if;
  for v_child in
    select e.value from jsonb_array_elements(case v_kind when 'not' then jsonb_build_array(p_node -> 'not')
      else p_node -> v_kind end)
      with ordinality as e (value, place) order by e.place
  loop
    select * into v_part from private.segment_tree(v_child, p_scope, p_depth + 1);
    v_parts := v_parts || v_part.condition;
    joins := joins || v_part.joins;
    size := size + v_part.size;
    if size > 50 then
      raise exception 'segment: more than 50 conditions' using errcode = '22023';
    end if;
  end loop;
  -- A condition on what is not known (null) does not hold, and its contrary does. Postgres makes a join of
  -- "not exists".
  condition := case v_kind
    when 'not' then format(case when v_part.known then '(not %s)' else '(%s is not true)' end, v_parts[1])
    else '(' || array_to_string(v_parts, ' ' || v_kind || ' ') || ')' end;
end
$$;
comment on function private.segment_tree(jsonb, private.segment_scope, integer) is
  'A definition as SQL: the condition on customers c, its joins by alias, how many conditions it has, and whether it is one that is never null. At most 50, five groups deep.';

create or replace function private.visits_join(p_joins jsonb, p_scope private.segment_scope) returns text
language sql stable set search_path = ''
as $$
  -- offset 0: a condition within the groups would be guessed to leave few of them, and customers looked up
  -- one by one. Both groups are in the order of an index that has all they need; the join keeps to the
  -- organization's customers.
  select format(' left join (select r.customer_id%s
      from public.reservations r join public.locations l on l.id = r.location_id
      where r.location_id = any(%L::uuid[]) and r.service_date between %L::date and %L::date
        and r.visited and r.customer_id is not null
      group by r.customer_id offset 0) v on v.customer_id = c.id',
    string_agg(format(case when j.column_name like 'n%%' then ', count(*)%s as %s'
      else ', sum(coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0))%s as %s' end,
      ' filter (where ' || nullif(concat_ws(' and ',
        case when j.locations is not null then format('r.location_id = any(%L::uuid[])', j.locations) end,
        case when j.first > j.all_first then format('r.service_date >= %L::date', j.first) end,
        case when j.last < j.all_last then format('r.service_date <= %L::date', j.last) end), '') || ')',
      j.column_name), '' order by j.column_name),
    (p_scope).locations, min(j.first), max(j.last))
  from (
    select substr(v.key, 3) as column_name, v.value ->> 'locations' as locations,
      v.value ->> 'first' as first,
      v.value ->> 'last' as last, min(v.value ->> 'first') over () as all_first,
      max(v.value ->> 'last') over () as all_last
    from jsonb_each(p_joins) as v where v.key like 'v\_%') as j
  having count(*) > 0
$$;
comment on function private.visits_join(jsonb, private.segment_scope) is
  'The join (v, by customer) of the counts and sums of visits among the joins of a definition, as one grouped read; null without any.';

create or replace function private.segment_query(p_definition jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_tree record;
begin
  if length(p_definition::text) > 100000 then
    raise exception 'segment: too long' using errcode = '22023';
  end if;
  select * into v_tree from private.segment_tree(p_definition, p_scope, 1);
  return format('select c.id, c.sort_visit from public.customers c%s%s%s%s%s where c.organization_id = $1%s and %s',
    private.visits_join(v_tree.joins, p_scope),
    case when v_tree.joins ? 'no_shows'
      then ' left join (select r.customer_id, count(*) as n from public.reservations r
      where r.status = ''no_show'' and r.source <> ''import'' and r.customer_id is not null'
      || case when p_scope.bound then format(' and r.location_id = any(%L::uuid[])', p_scope.locations)
        else '' end || '
      group by r.customer_id offset 0) no_shows on no_shows.customer_id = c.id' end,
    case when v_tree.joins ? 'undecided'
      then format(' left join (select r.customer_id, count(*) filter (where r.visited) as visits,
        count(*) filter (where r.status = ''no_show'') as no_shows
      from public.reservations r
      where r.location_id = any(%L::uuid[]) and not r.service_over and r.source <> ''import''
        and (r.visited or r.status = ''no_show'') and r.customer_id is not null
      group by r.customer_id offset 0) undecided on undecided.customer_id = c.id', p_scope.locations) end,
    case when v_tree.joins ? 'rhythm'
      then ' left join public.customer_rhythms rhythm on rhythm.customer_id = c.id' end,
    case when v_tree.joins ? 'party' then private.party_join(p_scope) end,
    case when p_scope.bound then format(' and c.location_id = any(%L::uuid[])', p_scope.locations) end,
    v_tree.condition);
end
$$;
comment on function private.segment_query(jsonb, private.segment_scope) is
  'The query of the customers (id, sort_visit) whom a definition matches; $1 is the organization.';

create or replace function private.stored_segment_query(p_definition jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
begin
  return private.segment_query(p_definition, p_scope);
exception when data_exception then
  return 'select c.id, c.sort_visit from public.customers c where false';
end
$$;
comment on function private.stored_segment_query(jsonb, private.segment_scope) is
  'segment_query of a stored definition: nobody when it is null or cannot be read any more, so that no list fails for it.';
-- << supabase/logic/segments/query.sql

-- >> supabase/logic/segments/saving.sql
-- Segments under their names: who may read, change and delete them, and what keeps one in place.

create or replace function private.may_change_segment(s public.segments) returns boolean
language sql stable set search_path = ''
as $$
  select s.owner_id = (select private.caller())
    or s.shared and (select private.works_everywhere())
      and s.organization_id = any(array(select private.my_organizations('canAccessMarketing')))
$$;
comment on function private.may_change_segment(public.segments) is
  'Its owner; of a shared one also who manages marketing everywhere.';

create or replace function private.segment_campaigns(p_organization uuid) returns setof public.campaigns
language sql stable set search_path = ''
as $$
  select c from public.campaigns c
  where c.organization_id = p_organization and c.segment_id is not null and c.rest_planned_at is null
    and c.status in ('draft', 'waiting_approval', 'scheduled', 'sending', 'paused')
$$;
comment on function private.segment_campaigns(uuid) is
  'The campaigns that still take guests from a segment, or will: drafts, and launched ones whose guests are not all planned.';

create or replace function private.segment_automations(s public.segments) returns setof public.automations
language sql stable set search_path = ''
as $$
  select a from public.automations a
  where a.organization_id = s.organization_id and a.deleted_at is null
    and a.criteria ->> 'segment_id' = s.id::text
$$;
comment on function private.segment_automations(public.segments) is 'The automations whose criteria name the segment.';

create or replace function private.segment_serves_others(s public.segments) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    -- Launched, and not all of its guests are planned yet.
    select from public.campaigns c
    where c.segment_id = s.id and c.status in ('waiting_approval', 'scheduled', 'sending', 'paused')
      and c.rest_planned_at is null
      and not (private.covers(c.location_ids)
        and exists (select from private.my_organizations('canAccessMarketing'))))
$$;
comment on function private.segment_serves_others(public.segments) is
  'Whether a launched campaign takes guests from the segment that the caller could not change.';

create or replace function private.segment_uses(p_organization uuid, p_segment uuid default null)
  returns table (segment_id text, used_by jsonb)
language sql stable set search_path = ''
as $$
  select u.segment_id, jsonb_build_object('total', count(*),
    'campaigns', coalesce(jsonb_agg(u.named order by u.place) filter (where u.shown and u.place <= 20
      and u.kind = 'campaign'), '[]'),
    'automations', coalesce(jsonb_agg(u.named order by u.place) filter (where u.shown and u.place <= 20
      and u.kind = 'automation'), '[]'))
  from (
    select n.segment_id, n.kind, n.shown, jsonb_build_object('id', n.id, 'name', n.name) as named,
      row_number() over (partition by n.segment_id, n.kind, n.shown order by n.name, n.id) as place
    from (
      select f.segment_id, f.kind, f.id, f.name, private.covers(f.location_ids)
        and exists (select from private.my_organizations('canAccessMarketing')) as shown
      from (
        select c.segment_id::text, 'campaign' as kind, c.id, c.name, c.location_ids
        from private.segment_campaigns(p_organization) c
        union all
        select a.criteria ->> 'segment_id', 'automation', a.id, a.name, a.location_ids
        from public.automations a
        where a.organization_id = p_organization and a.deleted_at is null and a.criteria ? 'segment_id'
      ) as f
      where p_segment is null or f.segment_id = p_segment::text) as n) as u
  group by u.segment_id
$$;
comment on function private.segment_uses(uuid, uuid) is
  'By how many campaigns and automations each segment (or the one) is used, and those that the caller may see: {total, campaigns, automations}, by name, 20 at most of each.';

create or replace function public.list_segments(p_id uuid default null) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'shared', s.shared,
    'owner_name', coalesce(nullif(btrim(p.full_name), ''), p.email), 'mine',
    coalesce(s.owner_id = (select private.caller()), false),
    'can_change', coalesce(private.may_change_segment(s), false), 'definition', s.definition, 'version',
    s.version, 'used_by',
    coalesce(u.used_by, '{"total": 0, "campaigns": [], "automations": []}'),
    'created_at', s.created_at, 'updated_at', s.updated_at) order by private.fold(s.name), s.id),
      '[]')
  from public.segments s left join public.profiles p on p.id = s.owner_id
  left join private.segment_uses((select id from private.my_organizations('canAccessClientes') as id limit 1),
    p_id) u on u.segment_id = s.id::text
  where s.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and (s.shared or s.owner_id = (select private.caller())
      or s.id = any(array(select private.segments_to_approve())))
    and (p_id is null or s.id = p_id)
$$;
comment on function public.list_segments(uuid) is
  'The segments the caller may read (or the one), by name, with who made each and what uses it.';
grant execute on function public.list_segments(uuid) to authenticated;

create or replace function private.segment_refusal(p_old public.segments, p_next public.segments)
  returns text
language plpgsql stable set search_path = ''
as $$
begin
  -- An automation that nobody can see the reason of would be left, and others' messages are not theirs to
  -- redirect.
  if not p_next.shared and exists (select from private.segment_automations(p_old)) then
    return 'in_use';
  elsif p_next.definition <> p_old.definition and exists (
    select from private.segment_automations(p_old) a
    where not private.covers(a.location_ids)
      or not exists (select from private.my_organizations('canAccessMarketing'))) then
    return 'forbidden';
  elsif (p_next.definition <> p_old.definition or p_old.shared and not p_next.shared)
    and private.segment_serves_others(p_old) then
    return 'forbidden';
  elsif p_old.shared and not p_next.shared and exists (
    select from private.segment_campaigns(p_old.organization_id) c
    where c.segment_id = p_old.id and c.created_by is distinct from p_old.owner_id) then
    return 'in_use';
  end if;
  return null;
end
$$;
comment on function private.segment_refusal(public.segments, public.segments) is
  'Why a segment that the caller may change cannot become the other, for those who use it: in_use or forbidden; null when it can.';

create or replace function public.save_segment(p_fields jsonb, p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_editable constant text[] := array['name', 'shared', 'definition'];
  v_fields jsonb := (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) as f
    where f.key = any(v_editable));
  v_old public.segments;
  v_next public.segments;
  v_edited jsonb;
  v_refusal text;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  if p_id is null then
    v_next := jsonb_populate_record(null::public.segments, '{"shared": false}' || v_fields);
  else
    select * into v_old from public.segments s
      where s.id = p_id and s.id = (private.readable_segment(p_id)).id for update;
    if v_old.id is null then
      return jsonb_build_object('outcome', 'not_found');
    elsif v_fields = '{}' then
      return jsonb_build_object('outcome', 'saved', 'segment', public.list_segments(p_id) -> 0);
    elsif not coalesce(private.may_change_segment(v_old), false) then
      return jsonb_build_object('outcome', 'forbidden');
    end if;
    v_next := jsonb_populate_record(v_old, v_fields);
    v_edited := private.edited_meanwhile(
      to_jsonb(jsonb_populate_record(v_old, coalesce(p_fields -> 'loaded', to_jsonb(v_old)))),
      to_jsonb(v_old), to_jsonb(v_next), v_fields);
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
    v_refusal := private.segment_refusal(v_old, v_next);
    if v_refusal is not null then
      return jsonb_build_object('outcome', v_refusal);
    end if;
  end if;
  if p_id is null or v_next.shared and not v_old.shared then
    -- One at a time, or two could pass the limit together. Of those that they see: nobody else could delete
    -- the others.
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('segments:' || v_organization::text,
      0));
    if (select count(*) from public.segments s where s.organization_id = v_organization
        and (s.shared or s.owner_id = (select private.caller())) and s.id is distinct from p_id) >= 200 then
      return jsonb_build_object('outcome', 'too_many');
    end if;
  end if;
  -- What cannot be evaluated is not saved. A definition that is broken already does not keep anyone from
  -- renaming it.
  if p_id is null or v_next.definition <> v_old.definition then
    perform private.segment_query(v_next.definition, private.segment_scope_of(v_organization, now(), false));
  end if;
  if p_id is null then
    insert into public.segments (organization_id, name, shared, owner_id, definition)
    values (v_organization, v_next.name, v_next.shared, (select private.caller()), v_next.definition)
      returning id into p_id;
  elsif (v_next.name, v_next.shared, v_next.definition) is distinct
    from (v_old.name, v_old.shared, v_old.definition) then
    update public.segments set name = v_next.name, shared = v_next.shared, definition = v_next.definition,
      version = version + (v_next.definition <> v_old.definition)::integer
    where id = p_id;
  end if;
  return jsonb_build_object('outcome', 'saved', 'segment', public.list_segments(p_id) -> 0);
end
$$;
comment on function public.save_segment(jsonb, uuid) is
  'Makes a segment, or changes one: saved ({segment}), too_many (200 that the caller reads), forbidden, not_found, edited_meanwhile ({current}) or in_use (one that automations, or campaigns of others, use stays shared).';
grant execute on function public.save_segment(jsonb, uuid) to authenticated;

create or replace function public.delete_segment(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  s public.segments;
  v_used jsonb;
begin
  select * into s from public.segments k
    where k.id = p_id and k.organization_id = any(array(select private.my_organizations('canAccessClientes')))
      and k.id = (private.readable_segment(p_id)).id for update;
  if s.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif not coalesce(private.may_change_segment(s), false) or private.segment_serves_others(s) then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  v_used := (select u.used_by from private.segment_uses(s.organization_id, s.id) u);
  if v_used is not null then
    return jsonb_build_object('outcome', 'in_use', 'in_use', v_used);
  end if;
  delete from public.segments where id = s.id;
  return jsonb_build_object('outcome', 'deleted');
end
$$;
comment on function public.delete_segment(uuid) is
  'Deletes a segment: deleted, not_found, forbidden, or in_use ({in_use}: what uses it, as segment_uses has it).';
grant execute on function public.delete_segment(uuid) to authenticated;

create or replace function private.forget_own_segments() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.segments s where s.owner_id = old.id and not s.shared;
  return old;
end
$$;
comment on function private.forget_own_segments() is 'Trigger: what a person did not share goes with them.';

-- Before: afterwards the foreign key has taken the owner away.
create or replace trigger profiles_forget_own_segments before delete on public.profiles
  for each row execute function private.forget_own_segments();
-- << supabase/logic/segments/saving.sql

-- >> supabase/logic/segments/written.sql
-- Conditions of segments on what was written to guests: messages that they got, opened or clicked.

create or replace function private.segment_messages(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
begin
  -- Literals, so that the planner knows how few of all messages these are.
  return concat(
    case when p_scope.bound then format(' and m.location_id = any(%L::uuid[])', p_scope.locations) end,
    case when p_node ? 'campaign_id' then format(' and m.automation_id = any(%L::uuid[])', array(
      select a.id from public.automations a where a.organization_id = p_scope.organization_id
        and a.campaign_id = private.segment_needed(p_node ->> 'campaign_id')::uuid)) end,
    case when p_node ? 'automation_id' then format(' and m.automation_id = %L::uuid',
      private.segment_needed(p_node ->> 'automation_id')::uuid) end);
end
$$;
comment on function private.segment_messages(jsonb, private.segment_scope) is
  'The condition on messages m that a condition''s campaign and automation make; for people bound to locations also these.';

create or replace function private.segment_written(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_field text := p_node ->> 'field';
  v_since timestamptz;
  -- As messages_sent_idx has it: sent, and not come back. A bounce makes the message one that failed.
  v_sent constant text := 'from public.messages m%s where m.customer_id = c.id and m.customer_id is not null
      and m.organization_id = $1 and m.status in (''sent'', ''delivered'') and m.kind <> ''notification''';
begin
  if (v_field in ('received', 'opened', 'clicked', 'not_written')) is not true then
    return null;
  end if;
  v_since := p_scope.at - make_interval(days => private.segment_number(p_node, 'days', 1, 3650)::integer);
  if v_field = 'not_written' then
    return 'not exists (select ' || format(v_sent, '') || format(
      ' and m.kind = ''marketing'' and m.sent_at >= %L::timestamptz', private.segment_needed(v_since))
      || private.segment_messages('{}', p_scope) || ')';
  elsif v_field = 'received' then
    return 'exists (select ' || format(v_sent, '') || private.segment_messages(p_node, p_scope)
      || case when v_since is not null then format(' and m.sent_at >= %L::timestamptz', v_since) else '' end
      || ')';
  end if;
  -- As campaign_versions counts them: not by machines alone, and a click proves the opening. Who leaves the
  -- list did not click on what the message offers.
  return 'exists (select ' || format(v_sent, ' join public.message_engagement g on g.message_id = m.id')
    || private.segment_messages(p_node, p_scope) || ' and g.actor <> ''machine'''
    || case v_field when 'clicked' then ' and g.kind = ''click'' and g.link <> ''unsubscribe''' else '' end
    -- The second is for the index: opens and clicks are taken for so long after sending.
    || case when v_since is not null
      then format(' and g.first_at >= %L::timestamptz and m.sent_at >= %L::timestamptz', v_since,
        v_since - private.engagement_window() - interval '1 day') else '' end || ')';
end
$$;
comment on function private.segment_written(jsonb, private.segment_scope) is
  'Whether a guest received, opened or clicked a message, or was sent no marketing for so many days; null for another field.';
-- << supabase/logic/segments/written.sql

reset check_function_bodies;
