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
