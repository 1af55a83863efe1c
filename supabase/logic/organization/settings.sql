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
