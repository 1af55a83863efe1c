-- The audit log: writing and reading its lines, and their protection against changes. The triggers that write
-- the lines of administrative tables are in triggers.sql; functions of customers and reservations log by
-- private.audit.

create or replace function private.keep_audit_log() returns trigger
language plpgsql set search_path = ''
as $$
begin
  -- A role is no setting: only the owner's own functions act as the owner (erase_customer does).
  if pg_has_role(current_user, (select c.relowner from pg_catalog.pg_class c where c.oid = tg_relid),
    'member') then
    return case tg_op when 'UPDATE' then new when 'DELETE' then old end;
  end if;
  raise exception 'The audit log is append-only' using errcode = '42501';
end
$$;
comment on function private.keep_audit_log() is
  'Trigger: refuses to change or remove lines, for the service too. Functions of the table''s owner may: an erasure removes a customer''s data.';

create or replace trigger audit_log_stays before update or delete on public.audit_log
  for each row execute function private.keep_audit_log();
create or replace trigger audit_log_is_not_emptied before truncate on public.audit_log
  for each statement execute function private.keep_audit_log();

create or replace function private.acting() returns table (id uuid, name text)
language sql stable security definer set search_path = ''
as $$
  select p.id, coalesce(nullif(btrim(p.full_name), '') || ' <' || p.email || '>', p.email)
  from public.profiles p
  where p.id = coalesce((select private.caller()),
    case when current_setting('role', true) = 'service_role' then
    substring(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-acting-for'
      from '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$')::uuid end)
$$;
comment on function private.acting() is
  'The acting person: the caller; in a request of the service the person in the header x-acting-for. No row for jobs and webhooks.';

create or replace function private.actor_name() returns text
language sql stable set search_path = ''
as $$
  select coalesce((select name from private.acting()),
    case when current_setting('role', true) in ('service_role', 'authenticated', 'anon') then 'system'
      else 'database' end)
$$;
comment on function private.actor_name() is 'The acting person''s name for the log.';

create or replace function private.actor_shown(p_actor text, p_id uuid) returns text
language sql immutable set search_path = ''
as $$ select case when p_id is not null then regexp_replace(p_actor, ' <[^<]*>$', '') end $$;
comment on function private.actor_shown(text, uuid) is 'The person of a line without their e-mail, where they have a name; null for no person.';

create or replace function private.audit(p_organization uuid, p_action text, p_subject uuid,
  p_details jsonb default '{}')
returns void
language sql volatile set search_path = ''
as $$
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, details)
  values (p_organization, private.actor_name(), (select id from private.acting()), p_action,
    split_part(p_action, '.', 1), p_subject, p_details)
$$;
comment on function private.audit(uuid, text, uuid, jsonb) is
  'Logs that the caller did `customer.changed` or the like to a record.';

create or replace function private.take_export(p_kind text) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_wait integer;
begin
  -- The code of the second factor is asked at the start only: it is valid for ten minutes, a download may
  -- take longer.
  perform private.refuse_unconfirmed();
  v_wait := public.take_attempts(array[p_kind || '-export:' || (select private.caller())], array[10], 3600);
  if v_wait > 0 then
    raise exception 'Rate limit exceeded' using errcode = 'PT429', detail = v_wait::text;
  end if;
end
$$;
comment on function private.take_export(text) is
  'Counts a download of the caller''s, ten of a kind an hour: beyond that raises PT429 with the seconds to wait as its detail; SF001 without a recent second-factor code where one is enrolled.';

create or replace function private.start_export(p_organization uuid, p_kind text, p_filters jsonb)
  returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  -- What is searched for may be a person's name: in the log it would outlive their erasure.
  v_filters constant jsonb := jsonb_strip_nulls((p_filters - array['search', 'ids']) || jsonb_build_object(
    'search', case when p_filters ? 'search' then true end,
    'selected', case when p_filters ? 'ids' then jsonb_array_length(p_filters -> 'ids') end));
  v_id uuid;
begin
  if p_organization is null then
    return null;
  end if;
  perform private.take_export(p_kind);
  perform private.audit(p_organization, p_kind || '.exported', p_organization,
    jsonb_build_object('filters', v_filters));
  delete from private.exports where person_id = (select private.caller())
    and started_at < now() - interval '1 day';
  insert into private.exports (organization_id, person_id, kind, asked, filters)
  values (p_organization, (select private.caller()), p_kind, private.filters_hash(p_filters), v_filters)
  returning id into v_id;
  return v_id;
end
$$;
comment on function private.start_export(uuid, text, jsonb) is
  'Counts (take_export) and logs the start of the caller''s download of the records that match the filters, and returns its id; null without an organization.';

create or replace function private.filters_hash(p_filters jsonb) returns text
language sql immutable parallel safe set search_path = ''
as $$ select encode(sha256(convert_to(p_filters::text, 'UTF8')), 'hex') $$;
comment on function private.filters_hash(jsonb) is 'The form in which private.exports knows the filters of a download.';

create or replace function private.refuse_unknown_export(p_export uuid, p_kind text, p_filters jsonb)
  returns void
language plpgsql stable set search_path = ''
as $$
begin
  if not exists (
    select from private.exports e
    where e.id = p_export and e.person_id = (select private.caller()) and e.kind = p_kind
      and e.ended_at is null
      and e.started_at > now() - interval '1 hour' and e.asked = private.filters_hash(p_filters)) then
    raise exception 'no export of these rows is under way' using errcode = '42501';
  end if;
end
$$;
comment on function private.refuse_unknown_export(uuid, text, jsonb) is
  'Raises 42501 unless the caller started this download with these filters within the hour. A replica that does not know it yet refuses, and the primary is asked.';

create or replace function public.end_export(p_export uuid, p_rows integer) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_export private.exports;
begin
  update private.exports set ended_at = now()
  where id = p_export and person_id = (select private.caller()) and ended_at is null
  returning * into v_export;
  if v_export.id is null then
    return false;
  end if;
  perform private.audit(v_export.organization_id, v_export.kind || '.export_ended', v_export.organization_id,
    jsonb_build_object('filters', v_export.filters, 'rows', p_rows));
  return true;
end
$$;
comment on function public.end_export(uuid, integer) is
  'Logs, once, that the caller''s download has ended, and how many rows were sent. False for a download that is not theirs or has ended.';

create or replace function private.log_sign_in(p_email text, p_action text, p_failures integer) returns void
language sql volatile set search_path = ''
as $$
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject,
    details)
  select p.organization_id, case p_action when 'session.refused' then 'system' else named.label end,
    case when p_action <> 'session.refused' then p.id end, p_action, 'session', p.id, named.label,
    case when p_failures > 0 then jsonb_build_object('failures', p_failures) else '{}' end
  from public.profiles p
  cross join lateral (
    select coalesce(nullif(btrim(p.full_name), '') || ' <' || p.email || '>', p.email)) as named (label)
  where lower(p.email) = p_email
$$;
comment on function private.log_sign_in(text, text, integer) is
  'Logs a sign-in, failures to sign in (how many within a day) or a password reset of an account of the team.';

create or replace function public.log_action(p_action text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := case p_action
    when 'job.sync_started' then (select id from private.person_organizations() as id limit 1)
    when 'loyalty.recalculated' then (select id from private.my_organizations('canAccessMarketing') as id
      limit 1)
    when 'audit_log.exported' then (select id from private.my_organizations('canViewSettings') as id
      limit 1) end;
begin
  if v_organization is null then
    return false;
  elsif p_action = 'audit_log.exported' then
    perform private.refuse_unconfirmed();
  end if;
  -- More often it would say nothing new, and fill the log.
  if public.take_attempts(array[p_action || ':' || (select private.caller())], array[1], 60) = 0 then
    perform private.audit(v_organization, p_action, v_organization);
  end if;
  return true;
end
$$;
comment on function public.log_action(text) is
  'Logs actions of the caller that change no row: job.sync_started, loyalty.recalculated, audit_log.exported, each once a minute a person. False when their role may not do it, or for another word.';

-- With the caller's rights; the organization by its id, so that the index gives the order.
create or replace function public.list_audit_log(
  p_filters jsonb default '{}', p_before timestamptz default null, p_before_id uuid default null,
  p_limit integer default 50)
returns table (id uuid, at timestamptz, actor text, action text, subject_type text, subject_id uuid,
  subject text, before jsonb, after jsonb)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_from timestamptz := p_filters ->> 'from';
  v_to timestamptz := p_filters ->> 'to';
  v_kind text := p_filters ->> 'kind';
  v_actor text := private.fold(left(p_filters ->> 'actor', 300));
  v_search text := private.fold(left(p_filters ->> 'search', 300));
begin
  return query
  select g.id, g.created_at, g.actor, g.action, g.subject_type, g.subject_id, g.subject,
    nullif(g.details -> 'before', 'null'),
    case when g.details ? 'before' or g.details ? 'after' then nullif(g.details -> 'after', 'null')
      else nullif(g.details, '{}') end
  from public.audit_log g
  where g.organization_id = (select o from private.my_organizations('canViewSettings') as o limit 1)
    and (v_from is null or g.created_at >= v_from) and (v_to is null or g.created_at < v_to)
    and (v_kind is null or g.subject_type = v_kind)
    and (p_filters ->> 'actor' is null or position(v_actor in private.fold(g.actor)) > 0)
    and (p_filters ->> 'search' is null or g.subject_id::text = lower(btrim(p_filters ->> 'search'))
      or position(v_search in private.fold(g.subject)) > 0)
    and (p_before is null or (g.created_at, g.id) < (p_before, p_before_id))
  order by g.created_at desc, g.id desc
  limit least(p_limit, 1001);
end
$$;
comment on function public.list_audit_log(jsonb, timestamptz, uuid, integer) is
  'A keyset page of the audit log that the caller may read, the latest first; filters as auditFilters in lib/audit/filters.ts has them: period, part of the actor''s name, kind of subject, and part of the subject''s name or its id.';
grant execute on function private.actor_shown(text, uuid), public.log_action(text),
  public.end_export(uuid, integer), public.list_audit_log(jsonb, timestamptz, uuid, integer) to authenticated;
grant execute on function private.acting(), private.actor_name(), private.log_sign_in(text, text, integer)
  to service_role;
grant execute on function private.audit(uuid, text, uuid, jsonb) to service_role;
