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
