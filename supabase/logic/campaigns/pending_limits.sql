-- Who raises a limit of approval, or switches it off, could send alone what others have to approve. So it
-- waits in organizations.pending until another administrator approves it; where nobody else may, for 72
-- hours, after a notice to all administrators. Lowering a limit takes effect at once. change_organization
-- asks; lib/organization/pending.ts decides.

create or replace function private.raised_limits(o public.organizations, p_changes jsonb) returns setof text
language sql stable set search_path = ''
as $$
  select l.name from jsonb_populate_record(o, p_changes) as n
  cross join lateral (values ('approve_above', o.approve_above, n.approve_above),
    ('campaign_approve_above', o.campaign_approve_above, n.campaign_approve_above)) as l (name, old, new)
  where l.old is not null and (l.new is null or l.new > l.old)
$$;
comment on function private.raised_limits(public.organizations, jsonb) is
  'The limits of approval that the changes would raise, or switch off (null).';

create or replace function private.may_decide_limit(p public.profiles, p_asker uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from private.role_permissions rp
    where rp.role = p.role and rp.permission = 'canViewSettings')
    and not exists (select from public.profile_locations pl where pl.profile_id = p.id)
    and private.may_approve(p.id, p_asker)
$$;
comment on function private.may_decide_limit(public.profiles, uuid) is
  'Whether the person may approve a raised limit that p_asker asked for: an administrator of all locations, and a second person.';

create or replace function private.pending_with(o public.organizations, p_changes jsonb) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  n public.organizations := jsonb_populate_record(o, p_changes);
  v_caller uuid := private.caller();
  v_due timestamptz;
begin
  -- As the checks of the columns: they see the values only when they take effect.
  if n.approve_above not between 1 and 1000000 or n.campaign_approve_above not between 1 and 1000000 then
    raise exception 'a limit is between 1 and 1,000,000' using errcode = '23514';
  end if;
  if not exists (select from public.profiles p where p.organization_id = o.id
    and private.may_decide_limit(p, v_caller)) then
    v_due := now() + interval '72 hours';
  end if;
  return (
    select (o.pending - coalesce(array_agg(l.name)
      filter (where l.new < l.old or l.old is null and l.new is not null), '{}'))
      || coalesce(jsonb_object_agg(l.name, case
        -- Asked again by the same person: it has waited since.
        when o.pending -> l.name ->> 'by_id' = v_caller::text
          and o.pending -> l.name -> 'value' = coalesce(to_jsonb(l.new), 'null')
        then o.pending -> l.name
          || jsonb_build_object('due_at',
          coalesce(o.pending -> l.name ->> 'due_at', v_due::text)::timestamptz)
        else jsonb_build_object('value', l.new, 'by', private.caller_name(), 'by_id', v_caller, 'at', now(),
          'due_at', v_due) end)
        filter (where l.name in (select private.raised_limits(o, p_changes))), '{}')
    from (values ('approve_above', o.approve_above, n.approve_above),
      ('campaign_approve_above', o.campaign_approve_above, n.campaign_approve_above)) as l (name, old, new));
end
$$;
comment on function private.pending_with(public.organizations, jsonb) is
  'organizations.pending after the caller''s changes: raised limits are asked for, a lowered one is no longer. due_at is set where nobody else may approve.';

create or replace function private.mail_limits(p_organization uuid, p_limits jsonb, p_done boolean)
  returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, recipient,
    content, dedupe_key)
  select o.id, 'notification', 'approval_limit', 'organization', o.id, 'email', p.email,
    jsonb_build_object('template', 'approval_limit', 'organization', o.name,
      'name', p.full_name, 'timezone', o.timezone, 'limit', l.key, 'value', l.value -> 'value', 'by',
      l.value -> 'by',
      'at', l.value -> 'at', 'due_at', l.value -> 'due_at', 'done', p_done),
    format('limit:%s:%s:%s:%s', l.key, l.value ->> 'at', p_done, p.id)
  from public.organizations o
  cross join jsonb_each(p_limits) as l
  join public.profiles p on p.organization_id = o.id and btrim(p.email) <> ''
    and p.role in (select rp.role from private.role_permissions rp where rp.permission = 'canViewSettings')
  where o.id = p_organization
  on conflict (organization_id, dedupe_key) do nothing
$$;
comment on function private.mail_limits(uuid, jsonb, boolean) is
  'Queues an e-mail to every administrator about limits that somebody asked to raise, or that were raised since nobody objected (p_done).';

create or replace function private.tell_of_limits(o public.organizations, p_pending jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_new jsonb := (select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(p_pending) as e
    where e.value -> 'at' is distinct from o.pending -> e.key -> 'at');
begin
  perform private.audit(o.id, 'organization.limit_asked', o.id, jsonb_build_object(
    'before', jsonb_build_object(e.key, to_jsonb(o) -> e.key), 'after',
      jsonb_build_object(e.key, e.value -> 'value')))
  from jsonb_each(v_new) as e;
  perform private.mail_limits(o.id, v_new, false);
end
$$;
comment on function private.tell_of_limits(public.organizations, jsonb) is
  'Logs what p_pending asks for beyond the organization as it was, and tells the administrators of it.';

create or replace function private.keep_limits() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_person public.profiles;
begin
  select p.* into v_person from public.profiles p where p.id = (select private.caller());
  if v_person.id is not null and exists (
    select from private.raised_limits(old, to_jsonb(new)) as l (name)
    where not old.pending ? l.name or old.pending -> l.name -> 'value' <> to_jsonb(new) -> l.name
      or not private.may_decide_limit(v_person, (old.pending -> l.name ->> 'by_id')::uuid)) then
    raise exception 'A raised limit of approval needs another administrator' using errcode = '42501';
  end if;
  return new;
end
$$;
comment on function private.keep_limits() is
  'Trigger: a person raises a limit of approval only by approving what another one asked for. Jobs and direct work on the database may.';

create or replace trigger organizations_keep_limits before update of approve_above, campaign_approve_above
  on public.organizations
  for each row execute function private.keep_limits();

create or replace function public.pending_limits() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_object_agg(e.key,
    e.value - 'by_id' || jsonb_build_object('mine', e.value ->> 'by_id' = me.id::text,
    'can_approve', private.may_decide_limit(me, (e.value ->> 'by_id')::uuid))), '{}')
  from public.organizations o
  join public.profiles me on me.id = (select private.caller())
  cross join jsonb_each(o.pending) as e
  where o.id = any(array(select private.my_organizations('canViewSettings'))) and private.works_everywhere()
$$;
comment on function public.pending_limits() is
  'The limits of approval that wait to be raised, by their column: {value, by, at, due_at (null: it waits for another person), mine, can_approve}. Empty for people without the settings of the whole group.';

create or replace function public.decide_limit(p_name text, p_approve boolean,
  p_since timestamptz default null) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  o public.organizations;
  v_asked jsonb;
begin
  select * into o from public.organizations
  where id = any(array(select private.my_organizations('canViewSettings'))) and private.works_everywhere()
  for no key update;
  v_asked := o.pending -> p_name;
  if o.id is null or p_approve is null then
    return 'forbidden';
  elsif v_asked is null then
    return 'not_found';
  elsif date_trunc('milliseconds', p_since) <> date_trunc('milliseconds', (v_asked ->> 'at')::timestamptz)
    then
    return 'changed';
  elsif not p_approve then
    update public.organizations set pending = pending - p_name where id = o.id;
  elsif not exists (select from public.profiles me
    where me.id = (select private.caller()) and private.may_decide_limit(me, (v_asked ->> 'by_id')::uuid))
      then
    return 'own';
  else
    update public.organizations set pending = pending - p_name,
      approve_above = case p_name when 'approve_above' then (v_asked ->> 'value')::integer
      else approve_above end,
      campaign_approve_above = case p_name when 'campaign_approve_above' then (v_asked ->> 'value')::integer
        else campaign_approve_above end
    where id = o.id;
  end if;
  perform private.audit(o.id, case when p_approve then 'organization.limit_approved'
    else 'organization.limit_withdrawn' end, o.id,
    jsonb_build_object('before', jsonb_build_object(p_name, to_jsonb(o) -> p_name),
      'after', jsonb_build_object(p_name, v_asked -> 'value')));
  return case when p_approve then 'approved' else 'withdrawn' end;
end
$$;
comment on function public.decide_limit(text, boolean, timestamptz) is
  'Raises a limit of approval as another administrator asked, or drops what was asked (also one''s own): approved, withdrawn, own (not a second person), changed (p_since: since when it waits, as the caller saw it), not_found or forbidden.';

create or replace function public.apply_due_limits(p_now timestamptz default now()) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_due jsonb;
begin
  -- Whoever came since then approves it, or does not.
  with due as (
    select o.id, e.key, e.value from public.organizations o
    cross join jsonb_each(o.pending) as e
    join public.profiles asker on asker.organization_id = o.id and asker.id::text = e.value ->> 'by_id'
    where o.pending <> '{}' and (e.value ->> 'due_at')::timestamptz <= p_now
      and exists (select from private.role_permissions rp where rp.role = asker.role
        and rp.permission = 'canViewSettings')
      and not exists (select from public.profiles p where p.organization_id = o.id
        and private.may_decide_limit(p, asker.id))
    for no key update of o
  ), by_group as (
    select id, jsonb_object_agg(key, value) as limits, array_agg(key) as names from due group by id
  ), raised as (
    update public.organizations o set pending = o.pending - g.names,
      approve_above = case when g.limits ? 'approve_above'
        then (g.limits -> 'approve_above' ->> 'value')::integer
        else o.approve_above end,
      campaign_approve_above = case when g.limits ? 'campaign_approve_above'
        then (g.limits -> 'campaign_approve_above' ->> 'value')::integer else o.campaign_approve_above end
    from by_group g where g.id = o.id
    returning o.id, g.limits
  )
  select coalesce(jsonb_object_agg(id, limits), '{}') into v_due from raised;
  perform private.mail_limits(g.key::uuid, g.value, true) from jsonb_each(v_due) as g;
  return (select count(*)::integer from jsonb_each(v_due));
end
$$;
comment on function public.apply_due_limits(timestamptz) is
  'Raises each limit of approval that has waited 72 hours at p_now, when still no second person may approve it, and tells the administrators. Returns the number of organizations.';
grant execute on function public.pending_limits(), public.decide_limit(text, boolean, timestamptz)
  to authenticated;
grant execute on function public.apply_due_limits(timestamptz) to service_role;
