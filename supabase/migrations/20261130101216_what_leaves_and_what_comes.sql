-- Schema 20261130101216. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

alter type public.message_reason add value 'not_mobile' after 'no_address';
alter type public.message_reason add value 'empty_message' after 'batch_incomplete';
CREATE TABLE public.conversations (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    organization_id uuid NOT NULL,
    customer_id uuid,
    channel text NOT NULL,
    address text NOT NULL,
    sender_name text,
    last_message_at timestamp with time zone NOT NULL,
    last_inbound_at timestamp with time zone NOT NULL,
    unread integer DEFAULT 0 NOT NULL,
    ticketed_on date,
    CONSTRAINT conversations_address_check CHECK (((btrim(address) <> ''::text) AND (length(address) <= 254))),
    CONSTRAINT conversations_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text]))),
    CONSTRAINT conversations_instants_check CHECK (((LEAST(last_message_at, last_inbound_at) >= '1900-01-01 00:00:00+00'::timestamp with time zone) AND (GREATEST(last_message_at, last_inbound_at) < '2200-01-01 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT conversations_sender_name_check CHECK (((btrim(sender_name) <> ''::text) AND (length(sender_name) <= 120))),
    CONSTRAINT conversations_ticketed_on_check CHECK (((ticketed_on >= '1900-01-01'::date) AND (ticketed_on <= '2199-12-31'::date))),
    CONSTRAINT conversations_unread_check CHECK (((unread >= 0) AND (unread <= 1000000)))
);


ALTER TABLE public.conversations OWNER TO postgres;
alter table public.messages drop constraint messages_about_type_check;
alter table public.messages drop constraint messages_purpose_check;
alter table public.messages add CONSTRAINT messages_about_type_check CHECK ((about_type = ANY (ARRAY['ticket'::text, 'calendar_event'::text, 'waitlist'::text, 'table_offer'::text, 'feedback'::text, 'conversation'::text, 'profile'::text, 'organization'::text])));
alter table public.messages add CONSTRAINT messages_purpose_check CHECK (
CASE
    WHEN (purpose = ANY (ARRAY['reply'::text, 'waitlist_call'::text, 'table_offer'::text, 'table_offer_answer'::text, 'feedback_reply'::text, 'conversation_reply'::text, 'event_notification'::text, 'event_reminder'::text, 'ticket_notification'::text, 'ticket_reminder'::text, 'morning_report'::text, 'approval_limit'::text, 'password_link'::text, 'new_sign_in'::text, 'sign_in_failures'::text, 'second_factor_removed'::text])) THEN true
    ELSE ((purpose)::public.automation_type IS NOT NULL)
END);
alter table public.organizations add column postal_address text;
alter table public.organizations add CONSTRAINT organizations_postal_address_check CHECK ((btrim(postal_address) <> ''::text));
alter table public.organizations add CONSTRAINT organizations_postal_address_check1 CHECK ((length(postal_address) <= 300));
CREATE TABLE public.conversation_messages (
    id uuid DEFAULT private.new_id() NOT NULL,
    organization_id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    direction text NOT NULL,
    text text,
    media text,
    provider_id text,
    message_id uuid,
    ticket_id uuid,
    sent_by text,
    at timestamp with time zone NOT NULL,
    CONSTRAINT conversation_messages_at_check CHECK (((at >= '1900-01-01 00:00:00+00'::timestamp with time zone) AND (at < '2200-01-01 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT conversation_messages_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text]))),
    CONSTRAINT conversation_messages_media_check CHECK ((media = ANY (ARRAY['image'::text, 'audio'::text, 'video'::text, 'contact'::text, 'location'::text, 'file'::text]))),
    CONSTRAINT conversation_messages_provider_id_check CHECK ((length(provider_id) <= 300)),
    CONSTRAINT conversation_messages_sent_by_check CHECK ((length(sent_by) <= 254)),
    CONSTRAINT conversation_messages_sides_check CHECK (
CASE direction
    WHEN 'in'::text THEN ((provider_id IS NOT NULL) AND (num_nonnulls(message_id, sent_by) = 0))
    ELSE ((text IS NOT NULL) AND (num_nonnulls(media, provider_id, ticket_id) = 0))
END),
    CONSTRAINT conversation_messages_text_check CHECK (((btrim(text) <> ''::text) AND (length(text) <= 4096)))
);


ALTER TABLE public.conversation_messages OWNER TO postgres;
alter table public.brands add column postal_address text;
alter table public.brands add CONSTRAINT brands_postal_address_check CHECK ((btrim(postal_address) <> ''::text));
alter table public.brands add CONSTRAINT brands_postal_address_check1 CHECK ((length(postal_address) <= 300));
ALTER TABLE ONLY public.conversation_messages
    ADD CONSTRAINT conversation_messages_organization_id_provider_id_key UNIQUE (organization_id, provider_id);
ALTER TABLE ONLY public.conversation_messages
    ADD CONSTRAINT conversation_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_organization_id_channel_address_key UNIQUE (organization_id, channel, address);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (id);
CREATE INDEX conversation_messages_idx ON public.conversation_messages USING btree (conversation_id, at DESC, id DESC);
CREATE INDEX conversation_messages_outbox_idx ON public.conversation_messages USING btree (message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX conversation_messages_ticket_idx ON public.conversation_messages USING btree (ticket_id) WHERE (ticket_id IS NOT NULL);
CREATE INDEX conversations_customer_idx ON public.conversations USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX conversations_recent_idx ON public.conversations USING btree (organization_id, last_message_at DESC, id DESC);
CREATE INDEX conversations_unread_idx ON public.conversations USING btree (organization_id, last_message_at DESC, id DESC) WHERE (unread > 0);
ALTER TABLE ONLY public.conversation_messages
    ADD CONSTRAINT conversation_messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.conversation_messages
    ADD CONSTRAINT conversation_messages_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.conversation_messages
    ADD CONSTRAINT conversation_messages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.conversation_messages
    ADD CONSTRAINT conversation_messages_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES public.tickets(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;
ALTER TABLE public.conversation_messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.conversations ENABLE ROW LEVEL SECURITY;

-- Policies, comments, rights

COMMENT ON TABLE public.conversations IS 'Everything that people wrote to us that was neither an opt-out nor an understood answer, one row for each address of a channel.';
COMMENT ON COLUMN public.conversations.customer_id IS 'The guest of the address; null: a stranger, or several guests share it.';
COMMENT ON COLUMN public.conversations.address IS 'Phone number in E.164, or the business-scoped id of a person with a hidden number, as in messages.recipient.';
COMMENT ON COLUMN public.conversations.sender_name IS 'The name that the person gave themselves in WhatsApp.';
COMMENT ON COLUMN public.conversations.last_inbound_at IS 'When they last wrote anything. Free text may go by WhatsApp for 24 hours from then.';
COMMENT ON COLUMN public.conversations.unread IS 'How many of their texts nobody has read.';
COMMENT ON COLUMN public.conversations.ticketed_on IS 'The local day on which a text of theirs last became a ticket: one a day, also when that ticket was deleted.';
COMMENT ON COLUMN public.organizations.postal_address IS 'The group''s address, at the end of every marketing e-mail; a brand may have its own.';
COMMENT ON TABLE public.conversation_messages IS 'The texts of conversations, both ways.';
COMMENT ON COLUMN public.conversation_messages.text IS 'Null: without a text, as a picture or an empty message.';
COMMENT ON COLUMN public.conversation_messages.media IS 'What came with it. The file itself stays with the provider.';
COMMENT ON COLUMN public.conversation_messages.provider_id IS 'The provider''s id of their message: a webhook that is delivered twice writes it once.';
COMMENT ON COLUMN public.conversation_messages.message_id IS 'Our text in the outbox, with what became of it.';
COMMENT ON COLUMN public.conversation_messages.ticket_id IS 'The ticket that quotes it.';
COMMENT ON COLUMN public.conversation_messages.sent_by IS 'Who wrote back: a name that outlives the profile.';
COMMENT ON COLUMN public.brands.postal_address IS 'The address in its marketing e-mails; null: the group''s.';
CREATE POLICY "who may read customers reads conversations" ON public.conversations FOR SELECT TO authenticated USING ((organization_id = ANY (ARRAY( SELECT private.my_organizations('canAccessClientes'::text) AS my_organizations))));
CREATE POLICY "who may read customers reads texts of conversations" ON public.conversation_messages FOR SELECT TO authenticated USING ((organization_id = ANY (ARRAY( SELECT private.my_organizations('canAccessClientes'::text) AS my_organizations))));
GRANT SELECT ON TABLE public.conversations TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conversations TO service_role;
GRANT SELECT ON TABLE public.conversation_messages TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conversation_messages TO service_role;

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

-- >> supabase/logic/automations/audience.sql
-- The audience of an automation: its customers or reservations, found by an index for each type.
-- Criteria are complete when they are stored; lib/automations/types.ts has their defaults.

create or replace function private.kind_of(a public.automations) returns text
language sql immutable set search_path = ''
as $$
  select case a.type when 'reservation_confirmation' then 'transactional' else 'marketing' end
$$;
comment on function private.kind_of(public.automations) is 'The kind of its messages (public.messages.kind).';

create or replace function private.writes_once(a public.automations) returns boolean
language sql immutable set search_path = ''
as $$
  select a.type in ('reengagement', 'vip_reward', 'campaign')
$$;
comment on function private.writes_once(public.automations) is
  'Whether a run has one message for each of its customers, who may be all of them. Others are about a day or a reservation.';

create or replace function private.birthdays_within(p_organization uuid, p_days integer, p_now timestamptz)
returns table (timezone text, birth_day smallint, year integer)
language sql stable set search_path = ''
as $$
  with zones as (
    select l.timezone from public.locations l where l.organization_id = p_organization
    union
    select private.zone_of(p_organization)
  ), days as (
    select z.timezone, (p_now at time zone z.timezone)::date + d.n as day
    from zones z cross join generate_series(0, p_days) as d (n)
  )
  select timezone, (extract(month from day) * 100 + extract(day from day))::smallint,
    extract(year from day)::integer
  from days
  union all
  -- Birthdays of 29 February fall on the 28th in common years.
  select timezone, 229::smallint, extract(year from day)::integer
  from days where extract(month from day) = 2 and extract(day from day) = 28 and extract(day from day + 1) = 1
$$;
comment on function private.birthdays_within(uuid, integer, timestamptz) is
  'The birthdays (and their years) from today to p_days later, by time zone of the organization''s locations.';

create or replace function private.own_messages(a public.automations, p_each boolean) returns text
language sql immutable set search_path = ''
as $$
  select format(case when p_each then '(m.automation_id = %L) is true' else 'm.automation_id = %L' end, a.id)
$$;
comment on function private.own_messages(public.automations, boolean) is
  'The condition that a message m is the automation''s; p_each as in audience_parts.';

create or replace function private.written_by(a public.automations, p_each boolean) returns text
language sql immutable set search_path = ''
as $$
  select 'select 1 from public.messages m where ' || private.own_messages(a, p_each)
    || ' and (m.status not in (''skipped'', ''failed'') or m.reason = ''control_group'')'
$$;
comment on function private.written_by(public.automations, boolean) is
  'The query for the messages m by which the automation has written. Failed and skipped ones do not count, except those skipped for the control group.';

create or replace function private.audience_filter(a public.automations, p_alias text, p_now timestamptz,
  p_after uuid, p_until uuid, p_locations uuid[]) returns text
language sql stable set search_path = ''
as $$
  -- "is true": the segment is a set that is made once. A join might evaluate it anew for each customer.
  select concat(
    case when a.location_ids <> '{}' then
      format(' and %s.location_id = any(%L::uuid[])', p_alias, a.location_ids) end,
    case when a.tags <> '{}' then format(' and c.tags && %L::text[]', a.tags) end,
    case when a.tier_ids <> '{}' then format(' and c.loyalty_tier_id = any(%L::uuid[])', a.tier_ids) end,
    case when a.criteria ->> 'segment_id' is not null then format(
      ' and (c.id in (select private.segment_members(%L, %L, %L, %L, %L, %L))) is true', a.organization_id,
      a.criteria ->> 'segment_id', p_now, p_after, p_until, p_locations) end,
    case when p_after is not null then format(' and c.id > %L', p_after) end,
    case when p_until is not null then format(' and c.id <= %L', p_until) end)
$$;
comment on function private.audience_filter(public.automations, text, timestamptz, uuid, uuid, uuid[]) is
  'The automation''s filters as conditions; the location is that of p_alias: r, a reservation, or c, the customer.';

create or replace function private.birthday_audience(a public.automations, p_now timestamptz, p_each boolean)
  returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
begin
  p.key := format('%L || c.id || '':'' || b.year', 'birthday:' || a.id || ':');
  p.source := format('private.birthdays_within(%L, %L, %L) b
    join public.customers c on c.organization_id = %1$L and c.birth_day = b.birth_day
      and c.birth_date > private.born_after((%3$L::timestamptz at time zone b.timezone)::date)
    left join public.locations l on l.id = c.location_id',
    a.organization_id, (a.criteria ->> 'days_before')::integer, p_now);
  p.condition := format('coalesce(l.timezone, %L) = b.timezone and not exists (
    %s and m.customer_id = c.id and m.dedupe_key = %s%s)', private.zone_of(a.organization_id),
    private.written_by(a, p_each), p.key, case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.birthday_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: customers whose birthday is ahead, once a year.';

create or replace function private.standing_audience(a public.automations, p_now timestamptz, p_each boolean)
  returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
  -- Days until this automation may write to the same customer again.
  v_period integer := case a.type when 'reengagement' then 90 else 60 end;
  v_tiers uuid[];
begin
  -- The key has the number of periods since 1970: two messages v_period days apart never share it.
  p.key := format('%L || c.id || %L', format('%s:%s:', a.type, a.id),
    ':' || floor(extract(epoch from p_now) / 86400 / v_period));
  p.source := 'public.customers c';
  if a.type = 'reengagement' then
    p.condition := format('c.sort_visit < %L and c.sort_visit > ''-infinity'' and c.total_visits >= %L',
      p_now - make_interval(days => (a.criteria ->> 'inactive_days')::integer),
      (a.criteria ->> 'min_visits')::integer);
  else
    v_tiers := array(
      select t.id from public.loyalty_tiers t
      join public.loyalty_tiers lowest on lowest.organization_id = t.organization_id
        and t.rank >= lowest.rank
      where t.organization_id = a.organization_id and lowest.name = a.criteria ->> 'min_tier');
    p.condition := format(
      '(c.loyalty_tier_id = any(%L::uuid[]) or (c.organization_id = %L and c.total_spend >= %L::numeric))',
      v_tiers, a.organization_id, (a.criteria ->> 'min_spend')::numeric);
  end if;
  p.condition := format('c.organization_id = %L and %s and not exists (
    %s and m.customer_id = c.id and m.created_at > %L%s)',
    a.organization_id, p.condition, private.written_by(a, p_each),
    p_now - make_interval(days => v_period), case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.standing_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: customers who have not come for long, or who have a tier or a spend, once a period.';

create or replace function private.afterwards_audience(a public.automations, p_now timestamptz,
  p_each boolean) returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
begin
  p.key := format('%L || r.id', format('%s:%s:', a.type, a.id));
  -- service_date only bounds the index scan (after midnight it is the day before); the exact instants decide.
  p.source := format('public.locations l
    cross join lateral (select %L::timestamptz as earliest, %L::timestamptz as latest) as due
    join public.reservations r on r.location_id = l.id
      and r.service_date between (due.earliest at time zone l.timezone)::date - 1
        and (due.latest at time zone l.timezone)::date
      and r.service_order at time zone l.timezone between due.earliest and due.latest
      and %s
    join public.customers c on c.id = r.customer_id',
    p_now - make_interval(hours => (a.criteria ->> 'window_hours')::integer),
    p_now - make_interval(hours => (a.criteria ->> 'hours_after')::integer),
    case a.type when 'post_visit' then 'r.visited' else 'r.status = ''no_show'' and r.source <> ''import''
      and not private.came_back(r, r.service_order at time zone l.timezone)' end);
  p.condition := format('l.organization_id = %L and not exists (%s and m.reservation_id = r.id%s)',
    a.organization_id, private.written_by(a, p_each), case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.afterwards_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: reservations that were visits, or whose guests did not come, some hours after their time, once each.';

create or replace function private.confirmation_audience(a public.automations, p_now timestamptz,
  p_each boolean) returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
begin
  p.key := format('%L || r.id', format('reservation_confirmation:%s:', a.id));
  p.source := format('public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date >= (%1$L::timestamptz at time zone l.timezone)::date - 1
      and r.service_order at time zone l.timezone > %1$L
      and r.status = ''confirmed'' and r.source <> ''import''
    join public.customers c on c.id = r.customer_id', p_now);
  p.condition := format('l.organization_id = %L and not exists (
    select 1 from public.messages m
    where %s and m.reservation_id = r.id and m.status not in (''skipped'', ''failed'')%s)',
    a.organization_id, private.own_messages(a, p_each), case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.confirmation_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: confirmed reservations ahead, once each.';

create or replace function private.nudge_audience(a public.automations, p_now timestamptz, p_each boolean)
  returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
  v_own text := private.own_messages(a, p_each);
begin
  p.key := format('%L || r.id || %L', format('reservation_confirmation:%s:', a.id), ':nudge');
  p.source := format('public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date between (%1$L::timestamptz at time zone l.timezone)::date - 1
        and (%2$L::timestamptz at time zone l.timezone)::date
      and r.service_order at time zone l.timezone > %1$L
      and r.service_order at time zone l.timezone <= %2$L
      and r.status = ''confirmed'' and r.source <> ''import'' and r.guest_answered_at is null
    join public.customers c on c.id = r.customer_id',
    p_now, p_now + make_interval(hours => (a.criteria ->> 'nudge_hours')::integer));
  -- Asked at least four hours ago by a channel they can answer by, and not twice.
  p.condition := format('l.organization_id = %1$L
    and exists (
      select 1 from public.messages m
      where m.reservation_id = r.id and %2$s and m.channel <> ''email''
        and m.status in (''sent'', ''delivered'') and m.sent_at <= %3$L%5$s)
    and not exists (
      select 1 from public.messages m
      where m.organization_id = %1$L and m.status not in (''skipped'', ''failed'') and m.dedupe_key = %4$s%5$s)',
    a.organization_id, v_own, p_now - interval '4 hours', p.key, case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.nudge_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: the reservations of those who were asked to confirm and have not answered, shortly before, once each.';

create or replace function private.audience_parts(a public.automations, p_now timestamptz,
  p_each boolean default false, p_after uuid default null, p_until uuid default null,
  p_locations uuid[] default null)
returns setof private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
  v_reservation boolean := a.type in ('post_visit', 'no_show', 'reservation_confirmation');
  v_filter text := private.audience_filter(a, case when v_reservation then 'r' else 'c' end, p_now, p_after,
    p_until, p_locations);
begin
  case
    when a.type = 'birthday' then
      p := private.birthday_audience(a, p_now, p_each);
    when a.type in ('reengagement', 'vip_reward') then
      p := private.standing_audience(a, p_now, p_each);
    when a.type in ('post_visit', 'no_show') then
      p := private.afterwards_audience(a, p_now, p_each);
    when a.type = 'reservation_confirmation' then
      p := private.confirmation_audience(a, p_now, p_each);
    when a.type = 'campaign' then
      p := private.campaign_audience(a, p_now, p_each, p_after, p_until, p_locations);
    else
      raise exception 'no audience for automations of the type %', a.type;
  end case;
  p.reservation := v_reservation;
  p.condition := p.condition || v_filter;
  return next p;
  if a.type = 'reservation_confirmation' and (a.criteria ->> 'nudge_hours')::integer > 0
    and a.criteria ->> 'answers' = 'true' then
    p := private.nudge_audience(a, p_now, p_each);
    p.reservation := true;
    p.condition := p.condition || v_filter;
    return next p;
  end if;
end
$$;
comment on function private.audience_parts(public.automations, timestamptz, boolean, uuid, uuid, uuid[]) is
  'The customers who meet what the automation''s type asks, and its filters and segment, and to whom it has not written about this yet. Failed and skipped messages do not count, except those skipped for the control group. p_each: to look each customer up by an index, whatever the table''s statistics say. p_after, p_until: only the customers in this range of ids. p_locations: the segment as someone bound to these sees it.';

create or replace function private.came_back(p_missed public.reservations, p_starts timestamptz)
returns boolean
language sql stable set search_path = ''
as $$
  -- Only what is for later: the sync may have brought the missed booking itself, or an old one, since then.
  select exists (
    select 1 from public.reservations other
    join public.locations l on l.id = other.location_id
    where other.customer_id = p_missed.customer_id and other.id <> p_missed.id and other.source <> 'import'
      -- For the index: no clock is a day from UTC.
      and other.service_order > (p_starts at time zone 'UTC') - interval '1 day'
      and other.service_order at time zone l.timezone >= p_starts
      and (other.created_at >= p_starts or other.visited or other.status = 'seated'
        or other.arrived_at is not null))
$$;
comment on function private.came_back(public.reservations, timestamptz) is
  'Whether the guest of a reservation that started at p_starts has come since then, or has booked again, also if that was cancelled: they know of us.';

create or replace function private.overtaken(a public.automations, r public.reservations,
  p_starts timestamptz, p_now timestamptz)
returns text
-- Without a setting: so that it is part of the statement of a claim, which asks it for each message.
language sql stable
as $$
  select case
    when a.type = 'reservation_confirmation' and (r.status is distinct from 'confirmed'
      -- Who has answered is not asked.
      or r.guest_answered_at is not null or p_starts <= p_now) then 'reservation_changed'
    when a.type = 'no_show' and r.status is distinct from 'no_show' then 'reservation_changed'
    when a.type = 'no_show' and private.came_back(r, p_starts) then 'booked'
  end
$$;
comment on function private.overtaken(public.automations, public.reservations, timestamptz, timestamptz) is
  'Why a message of the automation that waits is no longer true of its reservation, which starts at p_starts: the reason to skip it; null: it is.';
grant execute on function private.kind_of(public.automations), private.writes_once(public.automations),
  private.birthdays_within(uuid, integer, timestamptz),
  private.came_back(public.reservations, timestamptz),
  private.overtaken(public.automations, public.reservations, timestamptz, timestamptz),
  private.own_messages(public.automations, boolean), private.written_by(public.automations, boolean),
  private.audience_filter(public.automations, text, timestamptz, uuid, uuid, uuid[]),
  private.birthday_audience(public.automations, timestamptz, boolean),
  private.standing_audience(public.automations, timestamptz, boolean),
  private.afterwards_audience(public.automations, timestamptz, boolean),
  private.confirmation_audience(public.automations, timestamptz, boolean),
  private.nudge_audience(public.automations, timestamptz, boolean),
  private.audience_parts(public.automations, timestamptz, boolean, uuid, uuid, uuid[])
  to service_role;
-- << supabase/logic/automations/audience.sql

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

-- >> supabase/logic/conversations/inbound.sql
-- Texts of guests and strangers: which are answers that are understood, and what becomes of all others.
-- Nothing that anybody writes is dropped.

create or replace function private.guest_of_address(p_organization uuid, p_phone text, p_whatsapp_id text)
  returns uuid
language sql stable set search_path = ''
as $$
  with known as materialized (
    select s.customer_id from private.senders(p_organization, p_phone, p_whatsapp_id) as s
  )
  select coalesce(
    (select (array_agg(k.customer_id))[1] from known k having count(*) = 1),
    (select m.customer_id from public.messages m
      where m.organization_id = p_organization and m.recipient in (p_phone, p_whatsapp_id)
        and m.channel in ('sms', 'whatsapp') and m.customer_id in (select k.customer_id from known k)
      order by m.created_at desc limit 1))
$$;
comment on function private.guest_of_address(uuid, text, text) is
  'The guest who writes from the number or WhatsApp id: the only one who has it, else the one of them to whom we last wrote there; null: a stranger, or it is not known which of a family.';

create or replace function private.conversation_of(p_organization uuid, p_text jsonb, p_opens boolean,
  p_at timestamptz)
returns public.conversations
language plpgsql volatile set search_path = ''
as $$
declare
  v_channel text := p_text ->> 'channel';
  v_whatsapp_id text := p_text ->> 'whatsapp_id';
  -- The number that the id last came with.
  v_phone text := coalesce(p_text ->> 'phone', (
    select w.address from public.whatsapp_windows w
    where v_channel = 'whatsapp' and w.organization_id = p_organization and w.whatsapp_id = v_whatsapp_id
      and w.address <> v_whatsapp_id
    order by w.last_inbound_at desc limit 1));
  v_guest uuid;
  c public.conversations;
begin
  select * into c from public.conversations k
  where k.organization_id = p_organization and k.channel = v_channel and k.address in (v_phone, v_whatsapp_id)
  order by k.address = v_phone desc nulls last limit 1 for update;
  if c.id is null and not p_opens then
    return null;
  end if;
  v_guest := private.guest_of_address(p_organization, v_phone, v_whatsapp_id);
  if c.id is null then
    insert into public.conversations (organization_id, customer_id, channel, address, last_message_at,
      last_inbound_at)
    values (p_organization, v_guest, v_channel, coalesce(v_phone, v_whatsapp_id), p_at, p_at)
    returning * into c;
    return c;
  end if;
  -- A number may have a new owner; a conversation that began by an id goes on by the number.
  update public.conversations k set address = coalesce(v_phone, k.address),
    customer_id = case when exists (
      select 1 from private.senders(p_organization, v_phone, v_whatsapp_id) as s
      where s.customer_id = k.customer_id) then k.customer_id else coalesce(v_guest, k.customer_id) end
  where k.id = c.id returning * into c;
  return c;
end
$$;
comment on function private.conversation_of(uuid, jsonb, boolean, timestamptz) is
  'The conversation with the sender of a text (see take_text), of their guest as known now; p_opens: a new one when there is none, else null.';

create or replace function private.note_text(p_organization uuid, p_text jsonb, p_opens boolean,
  p_at timestamptz)
returns public.conversation_messages
language plpgsql volatile set search_path = ''
as $$
declare
  c public.conversations;
  v_text public.conversation_messages;
begin
  -- One after another, also with merges and the sync, which take the same lock.
  perform private.lock_identities(p_organization);
  c := private.conversation_of(p_organization, p_text, p_opens, p_at);
  if c.id is null then
    return null;
  end if;
  insert into public.conversation_messages (organization_id, conversation_id, direction, text, media,
    provider_id, at)
  values (p_organization, c.id, 'in', nullif(btrim(left(p_text ->> 'full', 4096)), ''), p_text ->> 'media',
    p_text ->> 'id', p_at)
  on conflict (organization_id, provider_id) do nothing returning * into v_text;
  if v_text.id is not null then
    update public.conversations k set last_message_at = greatest(k.last_message_at, p_at),
      last_inbound_at = greatest(k.last_inbound_at, p_at),
      unread = least(k.unread + case when p_opens then 1 else 0 end, 1000000),
      sender_name = coalesce(nullif(btrim(left(p_text ->> 'name', 120)), ''), k.sender_name)
    where k.id = c.id;
  end if;
  return v_text;
end
$$;
comment on function private.note_text(uuid, jsonb, boolean, timestamptz) is
  'Writes a text (see take_text) into the conversation with its sender, once. p_opens: it opens one and is unread; else it only belongs to the history of one that is there. Null: nothing was written.';

create or replace function private.ticket_for_text(p_text public.conversation_messages, p_ticketed boolean,
  p_words jsonb)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  c public.conversations;
  v_words jsonb;
  v_day date;
  v_ticket uuid;
begin
  select * into c from public.conversations k where k.id = p_text.conversation_id;
  v_words := p_words -> case when private.in_english(c.address) then 'en' else 'es' end;
  v_day := (
    select (p_text.at at time zone o.timezone)::date from public.organizations o
    where o.id = c.organization_id);
  -- Once a day a guest, whatever the channel.
  if not p_ticketed and not exists (
    select 1 from public.conversations k
    where k.organization_id = c.organization_id and k.ticketed_on = v_day
      and (k.id = c.id or k.customer_id = c.customer_id)) then
    insert into public.tickets (organization_id, subject, description, location_id, customer_id, created_at)
    select c.organization_id, left(private.worded(v_words ->> 'subject', jsonb_build_object('name', coalesce(
        nullif(concat_ws(' ', g.first_name, g.last_name), ''), c.sender_name || ' (' || c.address || ')',
        c.address))), 200),
      private.worded(v_words ->> 'description', jsonb_build_object(
        'channel', case c.channel when 'whatsapp' then 'WhatsApp' else 'SMS' end,
        'text', coalesce(nullif(concat_ws(' ', left(p_text.text, 500), v_words -> 'media' ->> p_text.media),
          ''), v_words ->> 'no_text'))),
      g.location_id, c.customer_id, p_text.at
    from (select 1) as one left join public.customers g on g.id = c.customer_id
    returning id into v_ticket;
    update public.conversation_messages m set ticket_id = v_ticket where m.id = p_text.id;
  elsif not p_ticketed then
    return;
  end if;
  update public.conversations k set ticketed_on = v_day where k.id = c.id;
end
$$;
comment on function private.ticket_for_text(public.conversation_messages, boolean, jsonb) is
  'Opens a ticket for a text, unless another text of that guest or address became one on the same local day. p_ticketed: this one did, as an unclear answer. p_words: those of lib/tickets/guest-ticket-words.json for messages, by language.';

-- With its owner's rights, for the audit log and the tickets.
create or replace function public.take_text(p_organization uuid, p_text jsonb, p_words jsonb,
  p_at timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_done jsonb;
  v_text public.conversation_messages;
begin
  if exists (
    select 1 from public.conversation_messages m
    where m.organization_id = p_organization and m.provider_id = p_text ->> 'id') then
    return jsonb_build_object('outcome', 'repeated');
  elsif p_text ->> 'wish' is not null then
    perform private.note_text(p_organization, p_text, false, p_at);
    return jsonb_build_object('outcome', 'wish');
  end if;
  -- A "1" may be about a confirmation or a table that was offered: the last message to the guest decides.
  v_done := public.take_offer_reply(p_organization, p_text, p_words -> 'offer', p_at);
  if v_done ->> 'outcome' = 'not_asked' then
    v_done := public.take_reply(p_organization, p_text, p_words -> 'reply', p_at);
  end if;
  if v_done ->> 'outcome' in ('not_asked', 'ticket') then
    v_text := private.note_text(p_organization, p_text, true, p_at);
    if v_text.id is not null then
      perform private.ticket_for_text(v_text, v_done ->> 'outcome' = 'ticket', p_words -> 'message');
    end if;
  elsif v_done ->> 'outcome' <> 'repeated' then
    perform private.note_text(p_organization, p_text, false, p_at);
  end if;
  return v_done;
end
$$;
comment on function public.take_text(uuid, jsonb, jsonb, timestamptz) is
  'Handles a message to us, once and as a whole: an understood answer as take_offer_reply and take_reply do, with their outcomes; any other (ticket, not_asked) opens or continues the conversation with its sender and, once a day, a ticket. p_text: as for take_reply, with full (the whole text), media (its kind), name (WhatsApp''s) and wish (stop, start: outcome wish). What is understood is only noted in a conversation that is there. p_words: lib/tickets/guest-ticket-words.json.';
grant execute on function public.take_text(uuid, jsonb, jsonb, timestamptz) to service_role;
-- << supabase/logic/conversations/inbound.sql

-- >> supabase/logic/conversations/replies.sql
-- The reply inbox: lists of conversations, one with its texts, marking it read, and writing back.

create or replace function public.list_conversations(p_unread boolean default null,
  p_customer uuid default null, p_before timestamptz default null, p_before_id uuid default null,
  p_limit integer default 50)
returns table (id uuid, customer_id uuid, first_name text, last_name text, sender_name text, channel text,
  address text, last_text text, last_media text, last_direction text, last_at timestamptz, unread integer,
  last_inbound_at timestamptz)
language sql stable set search_path = ''
as $$
  select c.id, c.customer_id, g.first_name, g.last_name, c.sender_name, c.channel, c.address,
    left(last.text, 300), last.media, last.direction, c.last_message_at, c.unread, c.last_inbound_at
  from public.conversations c
  left join public.customers g on g.id = c.customer_id
  left join lateral (
    select m.text, m.media, m.direction from public.conversation_messages m
    where m.conversation_id = c.id order by m.at desc, m.id desc limit 1
  ) as last on true
  where c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and (p_unread is null or (c.unread > 0) = p_unread)
    and (p_customer is null or c.customer_id = p_customer)
    and (p_before is null or (c.last_message_at, c.id) < (p_before, p_before_id))
  order by c.last_message_at desc, c.id desc limit least(p_limit, 201)
$$;
comment on function public.list_conversations(boolean, uuid, timestamptz, uuid, integer) is
  'A keyset page of the caller''s conversations, the latest first, with the last text of each.';

create or replace function private.conversation_obstacle(c public.conversations, p_channels text[],
  p_now timestamptz)
returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_addresses text[] := array(
    select c.address
    union select unnest(array[g.phone, g.whatsapp_id]) from public.customers g where g.id = c.customer_id
    union select w.whatsapp_id from public.whatsapp_windows w
    where w.organization_id = c.organization_id and w.address = c.address);
  v_refused boolean := (
    select bool_or(s.reason <> 'bounce' or s.opt_out is not null) from public.suppressions s
    where s.organization_id = c.organization_id and s.channel = c.channel and s.address = any(v_addresses)
      -- A bounce is about one address.
      and (s.address = c.address or s.reason <> 'bounce' or s.opt_out is not null));
begin
  return case when v_refused then 'opted_out' when not v_refused then 'bounced'
    when c.channel = 'whatsapp' and c.last_inbound_at <= p_now - interval '24 hours' then 'needs_template'
    when c.channel <> all(p_channels) then 'no_provider' end;
end
$$;
comment on function private.conversation_obstacle(public.conversations, text[], timestamptz) is
  'Why nothing may be written back: opted_out (they said no, also when they wrote since), bounced, needs_template (WhatsApp, 24 hours after they last wrote), no_provider (the channel is not one of p_channels); null: it may.';

create or replace function public.conversation(p_id uuid, p_channels text[],
  p_before timestamptz default null, p_before_id uuid default null, p_limit integer default 100,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', c.id, 'customer_id', c.customer_id, 'first_name', g.first_name,
    'last_name', g.last_name, 'sender_name', c.sender_name, 'channel', c.channel, 'address', c.address,
    'last_at', c.last_message_at, 'unread', c.unread, 'last_inbound_at', c.last_inbound_at,
    'obstacle', private.conversation_obstacle(c, p_channels, (select private.clock(p_now))),
    'texts', (
      select coalesce(jsonb_agg(to_jsonb(one) order by one.at desc, one.id desc), '[]') from (
        select m.id, m.direction, m.text, m.media, m.at, m.sent_by, m.ticket_id, o.status, o.reason,
          coalesce(o.simulated, false) as simulated
        from public.conversation_messages m left join public.messages o on o.id = m.message_id
        where m.conversation_id = c.id and (p_before is null or (m.at, m.id) < (p_before, p_before_id))
        order by m.at desc, m.id desc limit least(p_limit, 201)) as one))
  from public.conversations c left join public.customers g on g.id = c.customer_id
  where c.id = p_id and c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
$$;
comment on function public.conversation(uuid, text[], timestamptz, uuid, integer, timestamptz) is
  'A conversation with a keyset page of its texts, the latest first, what became of ours, and the obstacle to a reply (private.conversation_obstacle); null: none of the caller''s. With its owner''s rights, because who may answer need not be able to read all messages.';

create or replace function public.mark_conversation_read(p_id uuid) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with found as (
    update public.conversations c set unread = 0
    where c.id = p_id and c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    returning 1
  )
  select exists (select from found)
$$;
comment on function public.mark_conversation_read(uuid) is
  'Marks the texts of a conversation as read, for everybody; whether there is one of the caller''s.';

create or replace function public.reply_to_conversation(p_id uuid, p_text text, p_channels text[],
  p_now timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  c public.conversations;
  v_obstacle text;
  v_message uuid;
  v_text uuid;
begin
  p_now := private.clock(p_now);
  select * into c from public.conversations k
  where k.id = p_id and k.organization_id = any(array(select private.my_organizations('canAccessClientes')))
  for update;
  if c.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  v_obstacle := private.conversation_obstacle(c, p_channels, p_now);
  if v_obstacle is not null then
    return jsonb_build_object('outcome', v_obstacle);
  end if;
  v_text := private.new_id();
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, customer_id, location_id,
    channel, recipient, dedupe_key, content, not_before, created_at)
  values (c.organization_id, 'transactional', 'conversation_reply', 'conversation', c.id, c.customer_id,
    (select g.location_id from public.customers g where g.id = c.customer_id), c.channel, c.address,
    'conversation:' || v_text, jsonb_build_object('body', btrim(p_text), 'expires_at',
      case c.channel when 'whatsapp' then c.last_inbound_at else p_now end + interval '24 hours'),
    p_now, p_now)
  returning id into v_message;
  insert into public.conversation_messages (id, organization_id, conversation_id, direction, text, message_id,
    sent_by, at)
  values (v_text, c.organization_id, c.id, 'out', btrim(p_text), v_message, private.caller_name(), p_now);
  update public.conversations k set last_message_at = greatest(k.last_message_at, p_now), unread = 0
  where k.id = c.id;
  perform private.audit(c.organization_id, 'conversation.replied', c.id,
    jsonb_build_object('channel', c.channel));
  return jsonb_build_object('outcome', 'queued', 'id', v_text, 'channel', c.channel, 'at', p_now);
end
$$;
comment on function public.reply_to_conversation(uuid, text, text[], timestamptz) is
  'Writes back by the channel of the conversation: {outcome: queued (id of the text, channel, at: since when it may be sent), not_found, or the obstacle (private.conversation_obstacle)}. It is not sent later than 24 hours after, or by WhatsApp than the person''s window.';
grant execute on function public.list_conversations(boolean, uuid, timestamptz, uuid, integer),
  public.conversation(uuid, text[], timestamptz, uuid, integer, timestamptz),
  public.mark_conversation_read(uuid), public.reply_to_conversation(uuid, text, text[], timestamptz)
  to authenticated;
-- << supabase/logic/conversations/replies.sql

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
  public.customer_tags(integer), public.log_customers_export(jsonb) to authenticated;
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
        and concat_ws(' ', c.name, a.subject, a.body, a.email_design) ~* p_pattern
      union
      select 'automation', a.id from public.automations a
      where a.organization_id = p_organization and a.campaign_id is null and a.deleted_at is null
        and concat_ws(' ', a.name,
        a.subject, a.body, a.content_variables, a.email_design, a.criteria, array_to_string(a.tags, ' '))
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

-- >> supabase/logic/erasure/export.sql
-- All that is held about a person, as a file for them.

create or replace function private.exported_reservations(p_customer uuid, p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'external_id', r.external_id, 'location',
    l.name,
    'customer_name', r.customer_name, 'customer_email', r.customer_email, 'customer_phone',
    r.customer_phone,
    'reservation_date', r.reservation_date, 'reservation_time', to_char(r.reservation_time, 'HH24:MI'),
    'party_size', r.party_size, 'status', r.status, 'pms_status', r.pms_status, 'visited', r.visited,
    'notes', r.notes, 'staff_marks', r.staff_marks, 'total_amount', r.total_amount,
    'source', r.source, 'zone_name', r.zone_name, 'table_name', r.table_name,
    'tables', private.table_names(r.table_name), 'created_at', r.created_at)
    order by r.service_order, r.id), '[]')
  from public.reservations r join public.locations l on l.id = r.location_id
  where r.customer_id = p_customer and r.location_id = any(p_locations)
$$;
comment on function private.exported_reservations(uuid, uuid[]) is 'A person''s reservations at these locations, for their file.';

create or replace function private.exported_messages(p_customer uuid, p_everywhere boolean,
  p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'kind', m.kind, 'automation', u.name,
    'channel', m.channel, 'recipient', m.recipient, 'status', m.status, 'reason', m.reason,
    'detail', m.detail, 'simulated', m.simulated, 'content', m.content, 'created_at', m.created_at,
    'sent_at', m.sent_at, 'delivered_at', m.delivered_at,
    'engagement', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', g.kind, 'link', nullif(g.link, ''), 'actor',
        g.actor,
        'first_at', g.first_at, 'times', g.times) order by g.first_at, g.kind, g.link, g.actor), '[]')
      from public.message_engagement g where g.message_id = m.id),
    'engagement_events', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', e.kind, 'link', nullif(e.link, ''), 'agent',
        e.agent,
        'at', e.at) order by e.at, e.receipt), '[]')
      from private.engagement_events e where e.message_id = m.id))
    order by m.created_at, m.id), '[]')
  from public.messages m left join public.automations u on u.id = m.automation_id
  where m.customer_id = p_customer and (p_everywhere or m.location_id = any(p_locations))
$$;
comment on function private.exported_messages(uuid, boolean, uuid[]) is 'The messages to a person with what they did with each, for their file: of these locations, or all.';

create or replace function private.exported_tickets(p_customer uuid, p_everywhere boolean,
  p_locations uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('number', k.number, 'subject', k.subject, 'description',
    k.description,
    'status', k.status, 'priority', k.priority, 'created_at', k.created_at, 'resolved_at', k.resolved_at,
    'former_subjects', (
      select coalesce(jsonb_agg(h.before order by h.created_at, h.id), '[]')
      from public.ticket_changes h where h.ticket_id = k.id and h.field = 'subject'),
    'comments', (
      select coalesce(jsonb_agg(jsonb_build_object('body', m.body, 'created_at', m.created_at)
        order by m.created_at, m.id), '[]')
      from public.ticket_comments m where m.ticket_id = k.id)) order by k.number), '[]')
  from public.tickets k
  where k.customer_id = p_customer
    and (p_everywhere or k.location_id is null or k.location_id = any(p_locations))
$$;
comment on function private.exported_tickets(uuid, boolean, uuid[]) is 'The tickets about a person with their comments, for their file: of these locations and of none, or all.';

create or replace function private.exported_conversations(p_customer uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('channel', k.channel, 'address', k.address,
    'sender_name', k.sender_name, 'last_message_at', k.last_message_at,
    'texts', (
      select coalesce(jsonb_agg(jsonb_build_object('direction', m.direction, 'text', m.text, 'media', m.media,
        'sent_by', m.sent_by, 'at', m.at) order by m.at, m.id), '[]')
      from public.conversation_messages m where m.conversation_id = k.id)) order by k.last_message_at, k.id),
    '[]')
  from public.conversations k where k.customer_id = p_customer
$$;
comment on function private.exported_conversations(uuid) is 'The conversations with a person, for their file.';

create or replace function public.export_customer(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_customer public.customers;
  v_everywhere constant boolean := private.works_everywhere();
  v_locations constant uuid[] := array(select private.my_locations());
begin
  if not exists (
    select 1 from public.profiles p
    where p.id = (select private.caller()) and p.role in ('super_admin', 'admin', 'ceo')) then
    return null;
  end if;
  perform private.take_export('customer');
  select * into v_customer from public.customers
  where id = p_id and organization_id = any(array(select private.my_organizations('canAccessClientes')));
  if v_customer.id is null then
    return null;
  end if;
  perform private.audit(v_customer.organization_id, 'customer.exported', p_id);
  return jsonb_build_object(
    'exported_at', now(),
    'customer', private.customer_json(v_customer),
    'recorded_consents', v_customer.consents,
    'former_addresses', (
      select coalesce(jsonb_agg(coalesce(a.email, a.phone, a.whatsapp_id) order by a.created_at, a.id), '[]')
      from public.customer_aliases a where a.customer_id = p_id and a.name is null),
    'former_names', (
      select coalesce(jsonb_agg(a.name order by a.created_at, a.id), '[]')
      from public.customer_aliases a where a.customer_id = p_id and a.name is not null),
    'merges', (
      select coalesce(jsonb_agg(jsonb_build_object('merged_at', m.merged_at, 'author', m.author_name,
        'undone_at', m.undone_at, 'record',
        s.gone - array['organization_id', 'sort_name', 'sort_visit', 'search_text',
          'birth_day', 'email_key']) order by m.merged_at, m.id), '[]')
      from public.customer_merges m left join private.merged_customers s on s.merge_id = m.id
      where m.kept_id = p_id),
    'facts', (
      select coalesce(jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note,
        'recorded_by', f.recorded_by, 'recorded_at', f.recorded_at) order by f.kind, f.code), '[]')
      from public.customer_facts f where f.customer_id = p_id),
    'rhythm', (
      select jsonb_build_object('visit_days', k.visit_days, 'first_day', k.first_day, 'last_day', k.last_day,
        'usual_days', k.usual_days, 'at_risk_on', k.at_risk_on, 'lost_on', k.lost_on)
      from public.customer_rhythms k where k.customer_id = p_id),
    'reservations', private.exported_reservations(p_id, v_locations),
    'waitlist', (
      select coalesce(jsonb_agg(jsonb_build_object('location', l.name, 'name', w.name, 'phone', w.phone,
        'party_size', w.party_size, 'notes', w.notes, 'joined_at', w.joined_at, 'outcome', w.outcome)
        order by w.joined_at, w.id), '[]')
      from public.waitlist w join public.locations l on l.id = w.location_id
      where w.organization_id = v_customer.organization_id and w.phone = v_customer.phone
        and w.location_id = any(v_locations)),
    'points', (
      select coalesce(jsonb_agg(private.points_json(p) order by p.created_at, p.id), '[]')
      from public.loyalty_points p left join public.reservations r on r.id = p.reservation_id
      where p.customer_id = p_id and (p.reservation_id is null or r.location_id = any(v_locations))),
    'messages', private.exported_messages(p_id, v_everywhere, v_locations),
    'control_groups', (
      select coalesce(jsonb_agg(jsonb_build_object('automation', u.name, 'held', e.held,
        'enrolled_at', e.enrolled_at) order by e.enrolled_at, e.id), '[]')
      from private.enrolments e join public.automations u on u.id = e.automation_id
      where e.customer_id = p_id and v_everywhere),
    'feedback', (
      select coalesce(jsonb_agg(jsonb_build_object('location', l.name, 'score', f.score, 'words', f.words,
        'language', f.language, 'answered_at', f.answered_at, 'changed_at', f.changed_at,
        'reply', f.reply, 'replied_at', f.replied_at)
        order by f.answered_at, f.id), '[]')
      from public.feedback f join public.locations l on l.id = f.location_id
      where f.customer_id = p_id and f.location_id = any(v_locations)),
    'conversations', private.exported_conversations(p_id),
    'tickets', private.exported_tickets(p_id, v_everywhere, v_locations),
    'calendar_events', (
      select coalesce(jsonb_agg(jsonb_build_object('title', e.title, 'description', e.description,
        'event_datetime', e.event_datetime, 'ends_at', e.ends_at, 'location', l.name, 'created_at',
        e.created_at)
        order by e.event_datetime, e.id), '[]')
      from public.calendar_events e left join public.locations l on l.id = e.location_id
      where e.customer_id = p_id
        and (v_everywhere or e.location_id is null or e.location_id = any(v_locations))),
    'suppressions', (
      select coalesce(jsonb_agg(jsonb_build_object('channel', s.channel, 'address', s.address, 'reason',
        s.reason,
        'author', s.author, 'note', s.note, 'created_at', s.created_at) order by s.created_at, s.id), '[]')
      from public.suppressions s
      where s.organization_id = v_customer.organization_id and s.channel in ('email', 'sms', 'whatsapp')
        and (s.address in (v_customer.email, v_customer.phone, v_customer.whatsapp_id) or s.address in (
          select coalesce(a.email, a.phone, a.whatsapp_id) from public.customer_aliases a
          where a.customer_id = p_id))),
    'whatsapp_windows', (
      select coalesce(jsonb_agg(jsonb_build_object('address', w.address, 'last_inbound_at', w.last_inbound_at)
        order by w.last_inbound_at, w.address), '[]')
      from public.whatsapp_windows w
      where w.organization_id = v_customer.organization_id
        and w.address = any(private.whatsapp_addresses_of(p_id))),
    'audit', (
      select coalesce(jsonb_agg(jsonb_build_object('action', g.action, 'details', g.details,
        'created_at', g.created_at) order by g.created_at, g.id), '[]')
      from public.audit_log g where g.subject_id = p_id));
end
$$;
comment on function public.export_customer(uuid) is
  'Everything held about a person (GDPR art. 15 and 20) in the caller''s locations, or null when the caller may not see them.';
grant execute on function public.export_customer(uuid) to authenticated;
-- << supabase/logic/erasure/export.sql

-- >> supabase/logic/erasure/traces.sql
-- How an erasure finds a customer in texts: by every address, and by the full name where they have booked.
-- Nothing else of the group may change: a guest chooses the name they book with, and "No Show" is one.

create or replace function private.folded_pattern(p_words text[]) returns text
language sql immutable set search_path = ''
as $$
  select string_agg(word.pattern, '[\s,._-]+' order by word.place)
  from (
    select w.place, string_agg(case letter
      when 'a' then '[aáàâäãåāąAÁÀÂÄÃÅĀĄ]' when 'c' then '[cçćčCÇĆČ]' when 'd' then '[dďđDĎĐ]'
        when 'e' then '[eéèêëēęěEÉÈÊËĒĘĚ]'
      when 'g' then '[gğGĞ]' when 'i' then '[iíìîïīıIÍÌÎÏĪİ]' when 'l' then '[lłLŁ]'
        when 'n' then '[nñńňNÑŃŇ]'
      when 'o' then '[oóòôöõøōőOÓÒÔÖÕØŌŐ]' when 'r' then '[rřRŘ]' when 's' then '[sśšşșSŚŠŞȘ]'
        when 't' then '[tťţțTŤŢȚ]'
      when 'u' then '[uúùûüūůűUÚÙÛÜŪŮŰ]' when 'y' then '[yýÿYÝŸ]' when 'z' then '[zźżžZŹŻŽ]'
      when 'и' then '[ийИЙ]' when 'і' then '[іїІЇ]' when 'у' then '[уўУЎ]'
      else case when letter ~ '[[:alnum:]]' then letter else '\' || letter end end
      -- Accents may be characters of their own, as in file names.
      || '[\u0300-\u036f]*', '' order by l.place) as pattern
    from unnest(p_words) with ordinality as w (word, place)
    cross join lateral regexp_split_to_table(w.word, '') with ordinality as l (letter, place)
    group by w.place
  ) as word
$$;
comment on function private.folded_pattern(text[]) is
  'A regular expression for normalised words one after the other, whatever their case, accents and the punctuation between them.';

create or replace function private.phone_pattern(p_phone text) returns text
language sql immutable set search_path = ''
as $$
  select case
      -- Few digits, or those of a date, are the number only with the code of its country.
      when length(n.digits) < 8
        or n.digits ~ '^((19|20)[0-9]{2}[01][0-9][0-3][0-9]|[0-3][0-9][01][0-9](19|20)[0-9]{2})$'
      then '(?:\+|00)' || n.code || '[\s()./-]*'
      else '(?:(?:\+|00)?' || n.code || '[\s()./-]*)?' end
    || '(?:0[\s()./-]*)?'
    || (select string_agg(d.digit, '[\s()./-]*' order by d.place)
      from regexp_split_to_table(n.digits, '') with ordinality as d (digit, place))
  from (
    select left(substr(p_phone, 2), c.length) as code, substr(p_phone, 2 + c.length) as digits
    from (select case when p_phone ~ '^\+[17]' then 1
      when p_phone ~ '^\+(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])' then 2 else 3 end as length)
        as c
  ) as n
$$;
comment on function private.phone_pattern(text) is
  'A regular expression for an E.164 number with or without its country code, with any separators between the digits.';

create or replace function private.address_pattern(p_address text) returns text
language sql immutable set search_path = ''
as $$
  select case
    when p_address ~ '^\+[0-9]+$' then private.phone_pattern(p_address)
    -- Not the end or the beginning of another address, but also as the name of a file.
    when p_address like '%@%' then '(?<![._%+-])' || regexp_replace(p_address, '([^[:alnum:]])', '\\\1', 'g')
      || '(?!-|\.(?!(?:csv|tsv|txt|xlsx?)(?![[:alnum:]]))[[:alnum:]])'
    -- An id of WhatsApp is long and has digits; a word that looks like one is no address.
    when length(p_address) >= 10
      and p_address ~ '[0-9]' then regexp_replace(p_address, '([^[:alnum:]])', '\\\1', 'g') end
$$;
comment on function private.address_pattern(text) is
  'A regular expression for an e-mail, phone or WhatsApp id in a text; null for an id that may be a word.';

create or replace function private.whole_words(p_patterns text[]) returns text
language sql immutable set search_path = ''
as $$ select '(?<![[:alnum:]])(?:' || array_to_string(p_patterns, '|') || ')(?![[:alnum:]])' $$;
comment on function private.whole_words(text[]) is 'One regular expression for any of them, not within a longer word; null for null.';

create or replace function private.traces_of(p_customer uuid, p_reach uuid[]) returns private.traces
language plpgsql stable set search_path = ''
as $$
declare
  c public.customers;
  t private.traces;
  v_forms text[];
  v_words text[];
begin
  select * into c from public.customers where id = p_customer;
  t.reach := p_reach;
  t.locations := array(select distinct r.location_id from public.reservations r
    where r.customer_id = p_customer);
  t.addresses := array(
    select distinct a.address from (
      select unnest(array[c.email, c.phone, c.whatsapp_id])
      union all
      select coalesce(l.email, l.phone, l.whatsapp_id) from public.customer_aliases l
        where l.customer_id = p_customer
      union all
      select unnest(array[r.customer_email, r.customer_phone]) from public.reservations r
        where r.customer_id = p_customer
      union all
      select m.recipient from public.messages m where m.customer_id = p_customer
      union all
      select k.address from public.conversations k where k.customer_id = p_customer
    ) as a (address) where a.address is not null limit 200);
  t.own := array(
    select a from unnest(t.addresses) as a where not exists (
        select from public.customers o where o.organization_id = c.organization_id and o.id <> p_customer
          and o.email = a)
      and not exists (
        select from public.customers o where o.organization_id = c.organization_id and o.id <> p_customer
          and o.whatsapp_id = a)
      and not exists (select from public.customer_aliases l
        where l.organization_id = c.organization_id and l.customer_id <> p_customer and l.email = a)
      and not exists (select from public.customer_aliases l
        where l.organization_id = c.organization_id and l.customer_id <> p_customer and l.whatsapp_id = a)
    except
    select o.phone from private.phone_owners(c.organization_id, t.addresses) as o
      where o.customer_id <> p_customer);
  t.names := array(
    select distinct n.name from (
      select private.fold(replace(concat_ws(' ', c.first_name, c.last_name), ',', ' '))
      union all
      select private.fold(replace(l.name, ',', ' ')) from public.customer_aliases l
        where l.customer_id = p_customer
      union all
      select private.fold(replace(r.customer_name, ',', ' ')) from public.reservations r
        where r.customer_id = p_customer
    ) as n (name) where n.name <> '' limit 50);
  -- Every rotation ("García López, Ana"), and the first name with the first surname, both ways.
  v_forms := array(
    select distinct private.folded_pattern(form.words) from (
      select w.words[turn:] || w.words[:turn - 1] as words
      from (select string_to_array(name, ' ') as words from unnest(t.names) as name) as w
      cross join generate_series(1, least(cardinality(w.words), 8)) as turn
      where cardinality(w.words) > 1
      union
      select case turn when 1 then array[f.first, f.last] else array[f.last, f.first] end
      from (select split_part(private.fold(c.first_name), ' ', 1) as first,
        split_part(private.fold(c.last_name), ' ', 1) as last) as f
      cross join generate_series(1, 2) as turn
      where f.first <> '' and f.last <> ''
    ) as form);
  -- A single word counts as the person's name only in rows linked to them.
  v_words := array(
    select distinct private.folded_pattern(array[word]) from unnest(t.names) as name
    cross join lateral unnest(string_to_array(name, ' ')) as word
    where length(word) > 2
      and word not in ('del', 'los', 'las', 'van', 'von', 'der', 'den', 'san', 'dos', 'das'));
  select private.whole_words(array_agg(p.pattern)),
    private.whole_words(array_agg(p.pattern) filter (where p.kind = 'own')),
    private.whole_words(array_agg(p.pattern) filter (where p.kind in ('own', 'name')))
  into t.linked, t.address, t.named
  from (
    select private.address_pattern(a) as pattern,
      case when a = any(t.own) then 'own' else 'shared' end as kind
    from unnest(t.addresses) as a
    union all select f, 'name' from unnest(v_forms) as f
    union all select w, 'word' from unnest(v_words) as w
  ) as p
  where p.pattern is not null;
  return t;
end
$$;
comment on function private.traces_of(uuid, uuid[]) is
  'The search terms for a customer: all addresses, those nobody else has (own), names (normalised), the locations of their bookings, those the eraser may change (reach; null: all), and regular expressions (flag i): linked for rows about them, with single words of the name; address; named: address or full name.';

create or replace function private.pattern_for(t private.traces, p_location uuid) returns text
language sql immutable set search_path = ''
as $$
  select case
    when t.reach is not null and coalesce(p_location <> all(t.reach), true) then null
    when p_location = any(t.locations) then t.named
    else t.address end
$$;
comment on function private.pattern_for(private.traces, uuid) is
  'What an erasure removes from a text of that location that is of nobody: addresses, and the full name where they have booked; null: nothing, the eraser may not change it.';

create or replace function private.redacted(p_text text, p_pattern text) returns text
language sql immutable set search_path = ''
as $$ select coalesce(regexp_replace(p_text, p_pattern, '[…]', 'gi'), p_text) $$;
comment on function private.redacted(text, text) is 'The text with […] in place of matches of the pattern.';

create or replace function private.redacted(p_value jsonb, p_pattern text, p_is_text boolean default false)
  returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  return case jsonb_typeof(p_value)
    when 'string' then case when p_is_text then to_jsonb(private.redacted(p_value #>> '{}', p_pattern))
      else p_value end
    when 'array' then (select coalesce(jsonb_agg(private.redacted(e.value, p_pattern, p_is_text)
      order by e.place), '[]')
      from jsonb_array_elements(p_value) with ordinality as e (value, place))
    when 'object' then (select coalesce(jsonb_object_agg(e.key, private.redacted(e.value, p_pattern,
        e.key in ('subject', 'title', 'description', 'body', 'text', 'html', 'detail', 'error', 'errors'))),
          '{}')
      from jsonb_each(p_value) as e)
    else p_value end;
end
$$;
comment on function private.redacted(jsonb, text, boolean) is
  'The same in the texts of a value, which its keys tell; keys, codes and names stay. p_is_text: the value itself is text, or an array of texts.';

create or replace function private.impersonal(p_value jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  return case jsonb_typeof(p_value)
    when 'array' then (select coalesce(jsonb_agg(private.impersonal(e.value) order by e.place), '[]')
      from jsonb_array_elements(p_value) with ordinality as e (value, place))
    when 'object' then (select coalesce(jsonb_object_agg(e.key, case when e.value <> 'null' and (
        e.key = any(array_remove(private.customer_fields(), 'location_id')) or e.key in (
        'name', 'whatsapp_id', 'note', 'reason', 'customer_name', 'customer_email', 'customer_phone',
        'subject', 'title', 'description', 'body', 'text', 'words', 'reply'))
        then to_jsonb('[…]'::text) else private.impersonal(e.value) end), '{}')
      from jsonb_each(p_value) as e)
    else p_value end;
end
$$;
comment on function private.impersonal(jsonb) is
  'Details of the audit log with […] in place of a person''s values; names of fields, codes, ids and numbers stay.';

create or replace function private.unquoted(p_text text) returns text
language sql immutable set search_path = ''
as $$ select regexp_replace(p_text, '(«).*(»)|(“).*(”)', '\1\3[…]\2\4') $$;
comment on function private.unquoted(text) is 'The text with […] in place of what it quotes.';
-- << supabase/logic/erasure/traces.sql

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
    'state', private.survey_state(coalesce(m.sent_at, m.created_at), f.answered_at, p_now))
  from private.surveyed_visit(p_message) as r
  join public.messages m on m.id = p_message
  join public.customers c on c.id = r.customer_id
  join public.locations l on l.id = r.location_id
  left join public.feedback f on f.reservation_id = r.id
$$;
comment on function public.feedback_survey(uuid, timestamptz) is
  'What the survey of a message shows, {first_name, location_name, score, state: see private.survey_state}; null: the link leads nowhere.';

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
  select jsonb_build_object('version', '20261130101216', 'now', pg_catalog.clock_timestamp())
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
-- The guests whose messages are rendered to check a send before it leaves (lib/sending-check): some of each
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

-- >> supabase/logic/messages/landlines.sql
-- Written by `npm run gen:landlines` from the metadata of libphonenumber-js, which its update changes.
-- A rule and no column: phones are written by forms, imports, syncs, merges and their undoing.

create or replace function private.is_landline(p_phone text) returns boolean
-- In plpgsql, as consent_basis: the patterns would stand in each statement that asks.
language plpgsql immutable set search_path = ''
as $$
begin
  -- Most guests have a Spanish mobile.
  return case when p_phone like '+346%' then false
    when p_phone like '+1%' then p_phone ~
      '^\+1(?:2(?:685|84[78])|345[27]|4(?:41[46]|73[236-8])|6(?:58[3-9]|846)|7(?:586|67[45]|84[236])|869[23])'
    when p_phone like '+2%' then p_phone ~
      '^\+2(?:0(?:13|[2-6]|8[2468]|9[235-7])|1(?:11[89]|25[1-5]|3(?:[1-4]|96)|6(?:3(?:0(?:0[02-9]|[1-9])|1(?:'
      '[06-9]|4[1-9])|2(?:[0-35-9]|4[1-9]))|7|812)|8[2-8])|2(?:0(?:4[2-4]|5(?:5[34]|[67])|8(?:[0-28]|3[0-246-'
      '9]|9[0-8]))|13[0236]|2[2-4]5|3(?:2(?:0(?:2|7[0-8])|1[24-689])|4)|43|[568]2|72[01]|9012[0-4])|3(?:0(?:2'
      '(?:[0346-8]|1[0-8])|[46]|8[13])|12(?:[013-9]|2[1-9])|222|33|[4589]2|6[26]|72[23])|4(?:03|1(?:01|1)|[24'
      ']2|3[1-6]|544|637|76|84|91[58])|5(?:0[02]|1[1-5]|2(?:1[0-46-9]|2[0-35-79]|3[0-46-8]|4[0-7]|5|8[125])|['
      '358]2|4[24-6]|6[2-4]|7(?:22|3))|6(?:[026]2|120|3(?:[2356]|8[13-59])|46[1-7]|51[2-9]|7[2-6]|8[23]|97)|7'
      '(?:1(?:[02-8](?:[0-35-9]|4[0-8])|1)|2(?:[034]|[1278](?:[0-35-9]|4[0-8]))|3[1-69](?:[0-35-9]|4[0-8])|4['
      '0-9](?:[0-35-9]|4[0-8])|5(?:[1346-8](?:[0-35-9]|4[0-8])|2))|9(?:02(?:[0-57-9]|6[4-9])|1(?:1[124-6]|8)|'
      '75[28]|8(?:20|[34]|8[19])|9(?:[1679]|3[1-7]|8[1-9])))'
    when p_phone like '+3%' then p_phone ~
      '^\+3(?:02|1(?:1[0135-8]|[2-57])|2(?:[1-356]|4[23]|71|8(?:0[2-8]|[1-79])|9[2-4])|3[1-5]|4(?:[48]|9(?:[0'
      '-58]|6(?:[0-8]|9(?:0(?:[0-57-9]|6(?:0[0-8]|1[1-9]|[2-9]))|[1-9]))|7(?:[124-9]|3(?:[0-8]|9[1-9]))))|5(?'
      ':[0167]2|2(?:2[2-9]|[3-57]|8(?:0[2-9]|[13-9])|9(?:0[89]|[2-579]))|3(?:1(?:[0-4679]|5(?:0|1[019]|[2-8]['
      '1-9]|9[1-7])|8(?:[059][1-9]|[1-46-8]))|[24-69]|7[14])|4(?:4[1-8]|5|872)|5(?:[2-5]|8[1-9])|8(?:1[3-9]|['
      '23568][1-8]|9)|9(?:[2356]|4(?:[124-7]|3[1-6])|7(?:0[1-9]|[1-9])|8[1-6]|9[1-7]))|6(?:1|[27][2-9]|3[2-7]'
      '|4[24-9]|5[2-79]|6(?:[2369]|8(?:0[013-8]|[1-9]))|8[2-57-9]|9[2-69])|7(?:0[3-5]|16|2(?:[36]|4[3-8]|7[1-'
      '9]|88)|3(?:2|3[1-79]|5[35])|4(?:[12]|3[12]|47)|5(?:1|2[1-3])|6[78]|7(?:87|9[2-47-9])|80)|8(?:0(?:3[1-8'
      ']|4|5[1-7]|6[12459])|1[1-3]|2[2-5]|3[23]|5[1-5]|6(?:[12]|[357][2-8]|4[24-8])|7[3-5]|9[2-4])|90(?:[1-79'
      ']|8(?:[0-35689]|7[1-5])))'
    when p_phone like '+4%' then p_phone ~
      '^\+4(?:0(?:2|3[13-6])|1(?:[2-4]|5[256]|6[12]|[7-9]1)|2(?:0[2-5]|1(?:[2-5]|601|81)|3[23])|3(?:[1-4]|5(?'
      ':12|[2-6])|6(?:[12]|4(?:[135-7]|8[34])|5[468]|62)|7(?:2[1-8]|[3-79]))|4[12]|6(?:1[1-9]|2(?:[1-46-9]|5['
      '0138])|[3-58]|6(?:[0-35689]|4[02-57]|7[0-2])|9(?:0[1-9]|[125-8]|3[02-5]|4[0-3]))|7[235-7]|8(?:[19]|2[2'
      '-69]|3[02-4]|4[1-46-8]|5[24-689]|6[1-3578]|7[14-7]|8[1-79])|9(?:[2-6]|7(?:0[2-8]|[1-9])|8(?:0[2-9]|[1-'
      '9])|9(?:0[6-9]|[1-9])))'
    when p_phone like '+5%' then p_phone ~
      '^\+5(?:0(?:0[2-47]|1[2-578]|2[267]|[3-59]2|62(?:01|1(?:0[7-9]|[1-9])|[24-7])|7(?:1(?:[02-57-9]|1[0479]'
      '|6[058])|2(?:[02-9]|1[0-7])|[3-57]|8(?:09|2[89]|[34]|5[014]|8[02])|9(?:0[5-9]|[1-79]|8[235-8]))|8(?:4['
      '15-7]|51))|1(?:[14-7]|8[1-467])|220|3(?:[2-47]|8(?:0[25]|7))|4(?:[1-3]|670)|5(?:[14689][1-9][2-5]|2[12'
      '478][2-5]|3[1-578][2-5]|5[13-5][2-5]|7[13-579][2-5])|6809|7[46]|8(?:[26]|40|500)|9(?:[046](?:5|80[6-9]'
      ')|1[2-4]|2(?:2[1-35-7]|[34]|5(?:0|16)|77[1-57])|3[2-7][2-7]|5(?:2[124-9]|[34][1-9]|5[1-5]|6[1347]|7[1-'
      '8]|8[1-356])|7(?:[2-4]|5[2-578])|8(?:1|2[02-9]|4[2-7])|9(?:318[023]|41(?:6[023]|7)|7[125]|9(?:[478]|50'
      '))))'
    when p_phone like '+6%' then p_phone ~
      '^\+6(?:0[3-9]|1[2378]|2[2-79]|3(?:[2-7]|8[2-8])|4(?:24|[346]|7[2-57-9]|9[2-9])|56(?:[0-57-9]|6[0-57-9]'
      ')|6(?:1(?:[06]|[89](?:0[1-9]|[1-9]))|[2-57])|7(?:0[2-4]|2(?:1[0-3]|3[0-2])|3(?:2(?:[013-9]|2[0-7])|[34'
      ']|5[0-25-9])|44|5[3-69]|6(?:[2-4]|50|8[05])|7(?:1[4-79]|[23]|4[0-2]|5[03]|6[0-37])|8(?:[24]|3[4-8])|9('
      '?:[36]|8[58]))|8(?:0(?:[2359]|48|6(?:22|[57])|7[34]|8[257])|2[2-4]|3[47]|5[2-6]|6(?:[2458]|3[1-9]|65|7'
      '27)|7(?:[24]|3[0-5]|88)|82|94(?:0|9[4-68]))|9(?:0[2-4]|2(?:24|[56]2)))'
    when p_phone like '+7%' then p_phone ~
      '^\+7(?:[34]|7[12]|8(?:1[1-8]|[2-7]))'
    when p_phone like '+8%' then p_phone ~
      '^\+8(?:1(?:1(?:[13-9]|2[3-6])|[278][2-9]|[34]|5(?:[2-689]|7[2-8])|6[1-9]|9(?:[2-8]|9[1-9]))|2(?:[24]|3'
      '[1-3]|5[1-5]|6[1-4])|42|5(?:0(?:195|[2-8])|2(?:2|3[14-9]|58)|3[28]|5(?:2(?:3(?:[235-9]|4[2-6])|[4-6](?'
      ':[235-9]|4[56]))|3[2-6](?:[235-9]|4[56])|4[2-4](?:[235-9]|4[56])|[5-7][2-5](?:[235-9]|4[56]))|6(?:2[13'
      ']|3[14]|[4-8]))|6(?:10(?:[02-7]|[18][1-9]|9[0-57-9])|2(?:[02-57-9](?:[0-8]|9[0-57-9])|1(?:[1-7]|8[1-9]'
      '|9[0-57-9]))|3(?:[15][0-9][0-8]|35[0-8]|49[0-8]|7[0-79][0-8]|9[1-68][0-8])|4(?:1[125-9][0-8]|2[179][0-'
      '8]|[35][1-9][0-8]|6[47-9][0-8]|7[0-9][0-8]|8[23][0-8])|5(?:[1357][0-9][0-8]|2[37][0-8]|4[36][0-8]|6[1-'
      '46][0-8]|80[0-8]|9[1-9][0-8])|6(?:3[1-35][0-8]|6[0238][0-8]|9[12][0-8])|7(?:01[0-8]|[1579][0-9][0-8]|2'
      '[248][0-8]|3[014-9][0-8]|4[3-6][0-8]|6[023689][0-8])|8(?:1[236-8][0-8]|2[5-7][0-8]|[37][0-9][0-8]|5[14'
      '-9][0-8]|8[36-8][0-8]|9[1-8][0-8])|9(?:0[1-3689][0-8]|1[1-79][0-8]|[379][0-9][0-8]|4[13][0-8]|5[1-5][0'
      '-8]))|8(?:0(?:[257]|3(?:[0-6]|[78]1)|4(?:[0-35-9]|41)|6(?:[02357-9]|61)|8(?:0[124-9]|[1-7])|9[0-58])|6'
      '(?:[25][2-8]|[36]|4(?:0(?:0[1-9]|[2-48])|[1-47-9])|7[1-9]|8[2-47-9])))'
    when p_phone like '+9%' then p_phone ~
      '^\+9(?:0(?:[23]|4(?:[1-35-8]|4[26]))|1(?:1(?:[1-3579]|4[1-9]|6(?:0[2-7]|[1-9])|8(?:0[24-7]|[1-57-9]|6['
      '3-7]))|[2-5]|6(?:12[2-6]|[2-4]1[2-7]|5[17][2-7]|6[13][2-7]|7[14][2-7]|8(?:0[2-7]|3))|7(?:12[2-7]|3[134'
      '][2-6]|5[15][2-6]|61[346]|88[2-6]|9(?:[1245]|3[02-9]))|8(?:0(?:[2-4]|6[0-589]|71)|16[2-6]|2[014][2-6]|'
      '3[126][2-6]|6[136][2-6]|7[078][2-6]|8(?:3[2-6]|4[2356])|91[3-6]))|2(?:2(?:[125][2-9]|3[2358][2-9]|4[2-'
      '4][2-9]|9[2-8][2-9])|4(?:[0-246-9][2-9]|5[3479][2-9])|5(?:[1-35-7][2-9]|4[2-467][2-9]|8)|6(?:0[468][2-'
      '9]|[1-8][2-9])|7(?:[14][2-9]|2[236][2-9])|8(?:[16][2-9]|2[2-689][2-9]|3[23578][2-9]|4[3478][2-9]|5[235'
      '6][2-9])|9(?:1[2-9]|2(?:2[2-9]|[3-8])|3[27-9][2-9]|4[2-6][2-9]|6[3569][2-9]|9(?:[25-7][2-9]|8)))|3[2-6'
      ']|4(?:1[12]|[2-689])|5(?:1(?:[124-689]|3(?:[0-24-9]|3[0-24-9])|7[3-6])|[24-7]|8[1-6])|6(?:0[36]|1(?:[1'
      '24-6]|7(?:[2-57]|62|8[0-6]|9[5-9])|[89][2-9])|2(?:[2356]|87)|3(?:[1-4]|5[1-3])|4[1-6]|[58]2|61|7(?:[1-'
      '6]|7[24-6]))|7(?:0[2489]|1(?:[23]|[4679][2-8])|2(?:153|[2-489])|3(?:[17]|6(?:[159]|6(?:[0458]|3[12]|77'
      ')))|44|5(?:[2-6]|7[246]|8[2-4])|6(?:[12]|5[368]|7(?:0|128))|7(?:1(?:[0-5]|6(?:[0-57-9]|6[1-9]))|[2-8]|'
      '9(?:[1-59]|6[4-6]|73)))|8(?:[1-8]|94)|9(?:2(?:3(?:[12457]|3[12])|4(?:46|[78]))|3[1-5]|4(?:1[28]|2|3654'
      '|46)|5[34]|6(?:3(?:1(?:2[0-46-8]|[3-6])|[24-79])|6(?:09|[12]))|8(?:55|6(?:1(?:3[124]|4|5[1-3578]|64)|2'
      '[34]|5(?:3[3-7]|5[024-8])|6(?:[01568]|2[07-9]|3[0-68]|4[0-4679]|72|9[4-9])|7(?:2[015689]|3|76)|9)|7(?:'
      '[168]|2(?:3[13-57-9]|4|5[14])|3(?:2[04-689]|3[1578]|[46]|5[1-47])|4(?:2[013489]|3)|5(?:5[13-9]|6)|95[1'
      '-689]))))'
    else false end;
end
$$;
comment on function private.is_landline(text) is
  'Whether a number (E.164) is surely of a fixed line, which takes no SMS. False where it may be a mobile, and for what is no number.';
grant execute on function private.is_landline(text) to service_role;
-- << supabase/logic/messages/landlines.sql

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
      when r.outcome in ('failed', 'skipped') then
        case when m.maybe_accepted then 'unknown' else r.outcome end
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
  elsif p_reason in ('frequency_cap', 'recently_written') then
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
  end if;
end
$$;
comment on function private.segment_joins(jsonb, private.segment_scope) is
  'What segment_query must join for a condition: no_shows, undecided, rhythm, or a count or sum of visits (v_n_… or v_a_…: {locations or null, first, last}); column_name is that of the last, in v.';

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
  end;
  perform private.segment_needed(condition);
  known := p_node ->> 'field' in ('facts', 'booking') or p_node ->> 'field' = 'consent'
    and p_node ->> 'state' = 'opted_out';
end
$$;
comment on function private.segment_leaf(jsonb, private.segment_scope) is
  'One condition as SQL about customers c ($1: the organization), whether it is never null (known), and what segment_query must join (see segment_joins).';
-- << supabase/logic/segments/conditions.sql

-- >> supabase/logic/service/board.sql
-- Tonight, as the host sees it: the parties of a service day with what to know about each, and what staff tap
-- (arrived, seated, table assigned, changed, no-show, cancelled, finished, set back, walk-in, undo; what they
-- tap of the waitlist stands in waitlist.sql).
-- Telephones lose their connection, so a tap has a key: sent twice, it counts once.

create or replace function private.tapped_fields(p_reservation public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('status', p_reservation.status, 'table_name', p_reservation.table_name,
    'arrived_at', p_reservation.arrived_at, 'seated_at', p_reservation.seated_at,
    'finished_at', p_reservation.finished_at)
$$;
comment on function private.tapped_fields(public.reservations) is
  'The fields of a reservation that the steps of the service change.';

create or replace function private.all_tapped_fields(p_reservation public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$
  select private.tapped_fields(p_reservation) || jsonb_build_object('party_size', p_reservation.party_size,
    'reservation_time', to_char(p_reservation.reservation_time, 'HH24:MI'),
    'late_minutes', p_reservation.late_minutes, 'notes', p_reservation.notes,
    'joined_to', p_reservation.joined_to)
$$;
comment on function private.all_tapped_fields(public.reservations) is
  'tapped_fields, and what the taps change and join may change: party_size, reservation_time, late_minutes, notes and joined_to.';

create or replace function private.refused_tap(p_key uuid, p_reservation uuid, p_saved jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(f.key, f.value)
  from jsonb_each(jsonb_build_object('key', p_key, 'reservation_id', p_reservation,
    'outcome', coalesce(lower(p_saved ->> 'code'),
      case p_saved ->> 'outcome' when 'edited_meanwhile' then 'conflict' else p_saved ->> 'outcome' end), 'code', p_saved -> 'code',
    'questions', p_saved -> 'questions',
    'current', case when p_saved ? 'code' then p_saved -> 'current' end)) as f
  where f.value <> 'null'
$$;
comment on function private.refused_tap(uuid, uuid, jsonb) is
  'The answer to a tap that save_reservation did not save: its outcome, or what it asks first, in lower case, with all questions and the party at the table.';

create or replace function private.tables_in(p_tap jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_tap) as f
  where f.key = any('{tables,table_name}')
$$;
comment on function private.tables_in(jsonb) is
  'The tables that a tap names, as save_reservation takes them: tables, table_name, or both; empty: none.';

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
    'reservation_date', (p_at at time zone v_place.timezone)::date,
    'reservation_time', to_char(p_at at time zone v_place.timezone, 'HH24:MI'),
    -- Who has come is asked about tables only.
    'confirm', coalesce(p_tap -> 'confirm', '[]') || '["service_over", "closed", "outside_hours"]')
    || private.tables_in(p_tap), null, p_now);
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
  select case p_tap ->> 'action' when 'change' then '{}' else private.tapped_fields(p_old) end
    || case p_tap ->> 'action'
    when 'arrive' then jsonb_build_object('arrived_at', p_at,
      'status', case when p_old.status in ('pending', 'no_show', 'cancelled') then 'confirmed'
        else p_old.status end)
    when 'seat' then jsonb_build_object('arrived_at', coalesce(p_old.arrived_at, p_at), 'seated_at', p_at,
      'finished_at', null, 'status', 'seated', 'table_name',
      coalesce(p_tap ->> 'table_name', p_old.table_name))
    when 'assign' then jsonb_build_object('table_name', p_tap -> 'table_name')
    when 'change' then jsonb_strip_nulls(jsonb_build_object('party_size', p_tap -> 'party_size',
        'reservation_time', p_tap -> 'time'))
      || case when private.tables_in(p_tap) <> '{}'
        then jsonb_build_object('table_name', p_tap -> 'table_name') else '{}' end
      || case when p_tap ? 'notes' then jsonb_build_object('notes', p_tap -> 'notes') else '{}' end
      -- How late a party comes was said of its former time.
      || case when p_tap ? 'late_minutes' or p_tap ? 'time'
        then jsonb_build_object('late_minutes', p_tap -> 'late_minutes') else '{}' end
    when 'no_show' then '{"status": "no_show", "arrived_at": null, "seated_at": null}'
    when 'cancel' then '{"status": "cancelled", "arrived_at": null, "seated_at": null, "finished_at": null}'
    when 'finish' then jsonb_build_object('status', 'completed', 'finished_at', p_at)
    when 'set_back' then jsonb '{"finished_at": null}' || case p_tap ->> 'to'
      -- Since when the party sits is what it was before.
      when 'seated' then '{"status": "seated"}'
      when 'arrived' then jsonb_build_object('status', 'confirmed', 'seated_at', null,
        'arrived_at', coalesce(p_old.arrived_at, p_at))
      else '{"status": "confirmed", "arrived_at": null, "seated_at": null}' end
    end
$$;
comment on function private.fields_after(public.reservations, jsonb, timestamptz) is
  'What a reservation has of tapped_fields after a tap at p_at: arrive, seat, assign, no_show, cancel, finish, or set_back to expected, arrived or seated; for change only what it changes.';

create or replace function private.tapped_at(p_tap jsonb, p_now timestamptz) returns timestamptz
language sql stable set search_path = ''
as $$
  select greatest(least(coalesce((p_tap ->> 'at')::timestamptz, p_now), p_now), p_now - interval '1 day')
$$;
comment on function private.tapped_at(jsonb, timestamptz) is
  'When something was tapped: a telephone without a connection sends what was tapped earlier, within the day.';

create or replace function private.take_tap(p_location uuid, p_tap jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_action text := p_tap ->> 'action';
  v_id uuid := (p_tap ->> 'reservation_id')::uuid;
  v_at timestamptz := private.tapped_at(p_tap, p_now);
  v_old public.reservations;
  v_next public.reservations;
  v_undone private.service_taps;
  v_fields jsonb;
  v_tables constant jsonb := private.tables_in(p_tap);
  v_saved jsonb;
begin
  if exists (select from private.service_taps t where t.key = v_key) then
    return jsonb_build_object('key', v_key, 'outcome', 'repeated');
  end if;
  if v_action = 'walk_in' then
    return private.seat_walk_in(p_location, p_tap, v_at, p_now);
  end if;

  -- A walk-in that was tapped without a connection has no id yet: later taps name its key.
  v_id := coalesce(v_id, (
    select t.reservation_id from private.service_taps t where t.key = (p_tap ->> 'of')::uuid));
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
    elsif not private.all_tapped_fields(v_old) @> v_undone.after then
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
  if v_action = 'join' or v_undone.before ? 'joined_to' then
    return private.take_join(v_old, p_tap, v_undone, p_now);
  end if;
  v_saved := public.save_reservation((
    select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(v_fields) as f
    where f.key = any('{status,table_name,party_size,reservation_time,notes}')
      and (f.key <> 'table_name' or v_tables = '{}')) || v_tables
    || case when v_action = 'change' and p_tap ? 'was'
      then jsonb_build_object('loaded', jsonb_build_object('notes', p_tap -> 'was')) else '{}' end
    || jsonb_build_object('by_tap', true, 'confirm', p_tap -> 'confirm'), v_old.id, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, v_old.id, v_saved);
  end if;
  update public.reservations r set (arrived_at, seated_at, finished_at, late_minutes) = (
    select n.arrived_at, n.seated_at, n.finished_at, n.late_minutes
    from jsonb_populate_record(r, v_fields) as n)
  where r.id = v_old.id returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  select v_key, v_old.organization_id, v_old.id, v_action,
    jsonb_object_agg(f.key, f.value), jsonb_object_agg(f.key, private.all_tapped_fields(v_next) -> f.key),
    p_now
  from jsonb_each(private.all_tapped_fields(v_old)) as f where v_fields ? f.key;
  return jsonb_build_object('key', v_key, 'outcome', 'saved', 'reservation_id', v_old.id);
end
$$;
comment on function private.take_tap(uuid, jsonb, timestamptz) is
  'Applies one tap, once, under lock_identities: saved, repeated, conflict (the reservation has changed since the person saw it; nothing changes), not_found, or refused_tap. Its confirm answers the questions of save_reservation.';

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
  -- First this lock: a telephone that gave up waiting sends its taps again while they are being taken. And
  -- before the reservation, as save_reservation and the sync do: the other way round a tap and a sync would
  -- wait for each other, and one of them would fail.
  perform private.lock_identities(l.organization_id) from public.locations l where l.id = p_location;
  -- In the order in which they were tapped: one may build on another. A queue is short.
  for v_tap in select value from jsonb_array_elements(p_taps) limit 50 loop
    v_answers := v_answers || case when v_tap ->> 'action' like 'wait\_%'
      then private.take_waiting_tap(p_location, v_tap, p_now)
      else private.take_tap(p_location, v_tap, p_now) end;
  end loop;
  return v_answers;
end
$$;
comment on function public.take_taps(uuid, jsonb, timestamptz) is
  'Taps of the service of a location, at most 50, in order: one answer each {key, outcome, reservation_id}. Null without the right. See private.take_tap and private.take_waiting_tap.';

create or replace function public.service_list(p_location uuid, p_day date default null,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with place as materialized (
    select l.*, coalesce(p_day, private.current_service(l.timezone, (select private.clock(p_now)))) as day,
      private.vip_rank(l.organization_id) as vip_rank
    from public.locations l
    where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
  ), bound as materialized (
    select private.bound_to() as locations
  ), birthdays as materialized (
    select n as days, unnest(private.birth_days(p.day + n, 0)) as birth_day
    from place p cross join generate_series(-3, 3) as n
  ), usual as materialized (
    select u.customer_id, u.table_name
    from place p
    cross join lateral private.usual_tables(array(
      select distinct r.customer_id from public.reservations r
      where r.location_id = p.id and r.service_date = p.day and r.customer_id is not null
        and r.status in ('pending', 'confirmed') and not r.service_over and r.source <> 'import'),
      array[p.id], (select private.clock(p_now))) as u
  ), parties as (
    select r.service_order, r.id,
      jsonb_build_object('id', r.id, 'time', to_char(r.reservation_time, 'HH24:MI'),
      'shift_id', private.shift_at(r.location_id, r.service_date, r.reservation_time),
      'name', coalesce(r.customer_name, nullif(concat_ws(' ', c.first_name, c.last_name), '')),
      'phone', coalesce(r.customer_phone, c.phone), 'party_size', r.party_size, 'status', r.status,
      'table_name', r.table_name, 'tables', private.table_names(r.table_name), 'joined_to', r.joined_to,
      'zone_name', r.zone_name,
      'arrived_at', r.arrived_at, 'seated_at', r.seated_at, 'finished_at', r.finished_at,
      'late_minutes', r.late_minutes, 'walk_in', r.walk_in, 'from_pms', r.source = 'pms',
      'notes', nullif(btrim(r.notes), ''), 'customer_id', c.id, 'customer_notes', nullif(btrim(c.notes), ''),
      'tags', coalesce(to_jsonb(c.tags), '[]'), 'tier', t.name,
      'vip', coalesce(t.rank >= p.vip_rank, false),
      'birthday_in', b.days, 'first_visit', coalesce(c.total_visits = 0, false),
      'facts', coalesce((
        select jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note)
          order by f.kind, f.code)
        from public.customer_facts f where f.customer_id = c.id), '[]'),
      'allergies', coalesce(a.codes, '[]'), 'usual_table', u.table_name,
      'no_shows', coalesce((
        select count(*) from public.reservations o
        where o.customer_id = c.id and o.status = 'no_show' and o.source <> 'import' and o.id <> r.id
          and (w.locations is null or o.location_id = any(w.locations))), 0)) as party
    from place p cross join bound w
    join public.reservations r on r.location_id = p.id and r.service_date = p.day and r.source <> 'import'
    left join public.customers c on c.id = r.customer_id
      and c.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    left join birthdays b on b.birth_day = c.birth_day and c.birth_date > private.born_after(p.day)
    left join usual u on u.customer_id = c.id and r.status in ('pending', 'confirmed') and not r.service_over
    -- Also for callers without the right to cards: allergies stand wherever the booking does.
    left join private.allergy_codes(array(select o.customer_id from place q join public.reservations o
      on o.location_id = q.id and o.service_date = q.day)) as a on a.customer_id = r.customer_id
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
      select jsonb_agg(jsonb_build_object('name', d.name, 'zone', d.zone, 'capacity', d.capacity,
        'plan_x', d.plan_x, 'plan_y', d.plan_y, 'shape', d.shape, 'turned', d.turned, 'joinable', d.joinable)
        -- As people count: 2 before 10.
        order by d.zone nulls last, substring(d.name from '^\D*'),
          substring(d.name from '\d+')::numeric nulls first, d.name)
      from public.dining_tables d where d.location_id = p.id and d.is_active), '[]'),
    'waiting', public.list_waiting(p.id),
    'parties', coalesce((select jsonb_agg(x.party order by x.service_order, x.id) from parties x), '[]'))
  from place p
$$;
comment on function public.service_list(uuid, date, timestamptz) is
  'A service day of a location, by default the current one: its closings, shifts, tables, waitlist, and parties by time with facts and notes of each, and the usual table of who is expected. Null without the right.';

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

-- >> supabase/logic/service/party_lines.sql
-- What to know of one party before it sits down, for its three lines: who comes, what to avoid, what to do.

create or replace function private.visits_of_party(p_party public.reservations, p_bound uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  with bookings as materialized (
    select o.* from public.reservations o
    where o.customer_id = p_party.customer_id and o.source <> 'import'
      and (p_bound is null or o.location_id = any(p_bound))
  ), earlier as materialized (
    select b.* from bookings b
    where b.id <> p_party.id and b.service_order <= p_party.service_order
  ), missed as (
    select e.* from earlier e
    where e.status = 'no_show' and e.service_date >= p_party.service_date - interval '2 years'
  )
  select jsonb_build_object(
    -- In the whole group, also where the caller does not work: a number names no visit.
    'visits', (
      select greatest(0, c.total_visits - (
        select count(*) from public.reservations o
        where o.customer_id = c.id and o.visited
          and (o.id = p_party.id or o.service_order > p_party.service_order)))
      from public.customers c where c.id = p_party.customer_id),
    'here', (
      select count(*) from earlier e where e.visited and e.location_id = p_party.location_id),
    'last', (
      select jsonb_build_object('id', e.id, 'location_id', l.id, 'location', l.name, 'date', e.service_date)
      from earlier e join public.locations l on l.id = e.location_id
      where e.visited order by e.service_order desc, e.id desc limit 1),
    'usual', (
      select jsonb_build_object(
        'party_size', private.usual(array_agg(e.party_size::text order by e.service_order, e.id))::integer,
        'time', private.usual(array_agg(to_char(e.reservation_time, 'HH24:MI')
          order by e.service_order, e.id)),
        'table_name', (
          select u.table_name from private.usual_tables(array[p_party.customer_id],
            array[p_party.location_id], p_party.service_order at time zone 'UTC', p_party) as u))
      from earlier e where e.visited),
    -- Only who has not come yet can be asked whether they will.
    'no_shows', case when p_party.status in ('pending', 'confirmed') and p_party.arrived_at is null then (
      select jsonb_build_object('count', count(*) over (), 'id', m.id, 'location_id', m.location_id,
        'date', m.service_date)
      from missed m order by m.service_order desc, m.id desc limit 1) end)
$$;
comment on function private.visits_of_party(public.reservations, uuid[]) is
  'The visits of a party''s guest before the party: visits, all of the group; and at these locations (null: all) here, at the party''s own; the last one; the usual size and time (private.usual) and table there (private.usual_tables); and the no-shows of two years, with the latest.';

create or replace function private.complaints_of_party(p_party public.reservations, p_last uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with mine as materialized (
    select array(select private.my_locations('canAccessClientes')) as locations,
      array(select private.my_organizations('canAccessClientes')) as organizations
  ), answer as materialized (
    -- As in private.ticket_of_feedback: one or two stars open a ticket.
    select f.* from mine m join public.feedback f on f.reservation_id = p_last
    where f.score <= 2 and f.location_id = any(m.locations)
  ), named as materialized (
    select t.id from public.tickets t where t.reservation_id in (p_party.id, p_last)
    union
    select t.id from public.tickets t
    where t.customer_id = p_party.customer_id and t.reservation_id is null and t.created_at >= (
      select v.service_order at time zone l.timezone
      from public.reservations v join public.locations l on l.id = v.location_id where v.id = p_last)
    union
    select a.ticket_id from answer a
  ), open as (
    select t.id, t.number, t.subject from named n join public.tickets t on t.id = n.id cross join mine m
    where t.status in ('open', 'in_progress', 'waiting') and t.organization_id = any(m.organizations)
      and (t.location_id is null or t.location_id = any(m.locations))
    order by t.number desc limit 3
  )
  select jsonb_build_object(
    'feedback', (
      select jsonb_build_object('id', a.id, 'score', a.score, 'date', v.service_date)
      from answer a join public.reservations v on v.id = a.reservation_id),
    'tickets', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.number desc), '[]') from open o))
$$;
comment on function private.complaints_of_party(public.reservations, uuid) is
  'For who may read customers, each in their locations: the bad answer of a party''s guest about their last visit, and at most three open tickets about it, since it, or about the party. The others get none.';

create or replace function public.party_lines(p_reservation uuid, p_now timestamptz default now())
  returns jsonb
language sql stable security definer set search_path = ''
as $$
  with found as materialized (
    select r as party, l.timezone from public.reservations r join public.locations l on l.id = r.location_id
    where r.id = p_reservation and r.source <> 'import'
      and r.location_id = any(array(select private.my_locations('canAccessOperaciones')))
  ), guest as materialized (
    select c.*, t.name as tier, coalesce(t.rank >= private.vip_rank(c.organization_id), false) as vip,
      private.visits_of_party(f.party, private.bound_to()) as visits
    from found f join public.customers c on c.id = (f.party).customer_id
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    where c.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
  )
  select jsonb_build_object('id', (f.party).id, 'location_id', (f.party).location_id,
    'day', (f.party).service_date, 'notes', nullif(btrim((f.party).notes), ''),
    'today', private.current_service(f.timezone, (select private.clock(p_now))),
    'withheld', g.id is null and (f.party).customer_id is not null,
    'guest', case when g.id is not null then jsonb_build_object('id', g.id,
      'tier', g.tier, 'vip', g.vip, 'notes', nullif(btrim(g.notes), ''), 'tags', to_jsonb(g.tags),
      'birthday_in', (
        select n from generate_series(-3, 3) as n
        where g.birth_day = any(private.birth_days((f.party).service_date + n, 0))
          and g.birth_date > private.born_after((f.party).service_date) limit 1))
      || g.visits end,
    -- Allergies stand wherever the booking does; the rest, and what a note says of them, is on the card.
    'facts', (
      select coalesce(jsonb_agg(jsonb_build_object('code', k.code, 'kind', k.kind,
        'note', case when g.id is not null then k.note end) order by k.kind, k.code), '[]')
      from public.customer_facts k
      where k.customer_id = (f.party).customer_id and (g.id is not null or k.kind = 'allergy')))
    || private.complaints_of_party(f.party, (g.visits #>> '{last,id}')::uuid)
  from found f left join guest g on true
$$;
comment on function public.party_lines(uuid, timestamptz) is
  'What to know of a party of the caller''s locations: its note, its guest with visits, habits, tier, birthday and facts as on the card, and complaints (see private.complaints_of_party). Without canUseGuestCards only what the list shows, and withheld says that there is a guest. Null without the right.';
grant execute on function public.party_lines(uuid, timestamptz) to authenticated;
-- << supabase/logic/service/party_lines.sql

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
      c.first_name, c.last_name, c.notes as own_notes, c.tags,
      case when c.birth_date > private.born_after(p.day) then c.birth_day end as birth_day,
      c.total_visits, c.last_visit_at, c.loyalty_tier_id
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
create or replace function private.usual(p_values text[]) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select v.value from unnest(p_values) with ordinality as v (value, place)
  where v.value is not null
  group by v.value having count(*) >= 2
  order by count(*) desc, max(v.place) desc limit 1
$$;
comment on function private.usual(text[]) is
  'What is usual: the value that occurs most often, at least twice; of equals the one that occurs latest in the list. Null: none.';
-- For customer_habits, which reads with its caller's rights.
grant execute on function private.usual(text[]) to authenticated;

create or replace function public.customer_habits(p_customer uuid, p_now timestamptz default now())
returns table (next_reservation uuid, next_location text, next_date date, next_time time,
  next_service_date date, next_location_id uuid, next_party_size integer, usual_location text,
  usual_table text, usual_table_location text, usual_weekday integer, first_date date, past integer,
  no_shows integer, usual_days real, rhythm text, return_probability double precision)
language sql stable set search_path = ''
as $$
  with mine as materialized (
    select r.id, r.location_id, l.name as location, r.reservation_date, r.reservation_time, r.service_date,
      r.service_order, r.party_size, r.status, r.service_over, r.visited,
      r.service_order < (select private.clock(p_now)) at time zone l.timezone as is_past
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = p_customer and r.source <> 'import'
  ), upcoming as (
    select m.* from mine m where not m.is_past and m.status in ('pending', 'confirmed')
    order by m.service_order, m.id limit 1
  ), usual as (
    select private.usual(array_agg(jsonb_build_array(m.location_id, m.location)::text
        order by m.service_order, m.id))::jsonb as place,
      private.usual(array_agg(extract(isodow from m.service_date)::text
        order by m.service_order, m.id))::integer as day
    from mine m where m.visited
  ), seat as (
    select u.table_name, l.name as location
    from private.usual_tables(array[p_customer], null, (select private.clock(p_now))) as u
    join public.locations l on l.id = u.location_id
    order by u.visits desc, u.latest desc, u.location_id limit 1
  ), kept as (
    select count(*)::integer as past, count(*) filter (where m.status = 'no_show')::integer as no_shows
    from mine m where m.service_over and (m.visited or m.status = 'no_show')
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
    u.party_size, w.place ->> 1, s.table_name, s.location, w.day,
    (select m.service_date from mine m order by m.service_order limit 1), k.past, k.no_shows,
    g.usual_days, g.state, g.probability
  from kept k cross join usual w left join upcoming u on true left join seat s on true
    left join rhythm g on true
$$;
comment on function public.customer_habits(uuid, timestamptz) is
  'A customer in the caller''s locations: the next booking; where and on which weekday (1 is Monday) they came at least twice, and their usual table (private.usual_tables); the service day of the first booking; no-shows and visits of past services, and the no-shows among them. And their rhythm, over all locations.';

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
        f.booked, f.reservations, f.covers, f.completed, f.visits, f.cancelled, f.no_shows,
        f.known_revenue as known, f.unknown_covers * coalesce(l.average_spend_per_guest, 0) as estimated
      from private.figures_of(v_locations, v_from - (v_to - v_from + 1), v_to) as f
      join public.locations l on l.id = f.location_id
    ), figures as (
      select recent, day, location_id, sum(booked) as booked, sum(reservations) as reservations,
        sum(covers) as covers,
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
