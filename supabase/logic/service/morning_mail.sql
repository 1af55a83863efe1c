-- The morning report by e-mail: subscribers get one a day at their chosen hour, as long as they may read it.

create or replace function private.person_timezone(p_profile uuid, p_organization uuid) returns text
language sql stable set search_path = ''
as $$
  select coalesce((
    select l.timezone from public.profile_locations pl join public.locations l on l.id = pl.location_id
    where pl.profile_id = p_profile order by l.created_at, l.id limit 1),
      private.zone_of(p_organization))
$$;
comment on function private.person_timezone(uuid, uuid) is
  'A person''s time zone: the one of their first location, else the organization''s.';

create or replace function public.my_morning_mail() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('hour', p.morning_mail_hour, 'timezone',
    private.person_timezone(p.id, p.organization_id))
  from public.profiles p
  where p.id = (select private.caller()) and p.role <> 'machine'
    and p.organization_id = any(array(select private.my_organizations('canReadReports')))
$$;
comment on function public.my_morning_mail() is
  'The hour (null: never) and time zone of the caller''s morning report by e-mail; null without the right to read it.';

create or replace function public.set_morning_mail(p_hour integer) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.profiles p set morning_mail_hour = p_hour
  where p.id = (select private.caller()) and p.role <> 'machine'
    and p.organization_id = any(array(select private.my_organizations('canReadReports')));
  return public.my_morning_mail();
end
$$;
comment on function public.set_morning_mail(integer) is
  'Sends the caller the morning report at that hour (null: never), and answers my_morning_mail.';

create or replace function private.due_morning_mails(p_organization uuid, p_now timestamptz)
returns table (profile_id uuid, email text, name text, timezone text, day date, sees_customers boolean)
language sql stable set search_path = ''
as $$
  select p.id, p.email, p.full_name, z.timezone, local.at::date,
    exists (select from private.role_permissions c
      where c.role = p.role and c.permission = 'canAccessClientes')
  from public.profiles p
  join private.role_permissions rp on rp.role = p.role and rp.permission = 'canReadReports'
  cross join lateral (select private.person_timezone(p.id, p.organization_id) as timezone) as z
  cross join lateral (select p_now at time zone z.timezone as at) as local
  where p.organization_id = p_organization and p.morning_mail_hour is not null and btrim(p.email) <> ''
    -- After a long pause of the jobs it is no morning any more.
    and extract(hour from local.at) between p.morning_mail_hour and p.morning_mail_hour + 5
    and not exists (
      select from public.messages m
      where m.organization_id = p_organization
        and m.dedupe_key = format('morning:%s:%s', p.id, local.at::date))
$$;
comment on function private.due_morning_mails(uuid, timestamptz) is
  'The people whose morning report is due: their hour was at most six hours ago, and today''s report is not queued yet.';

create or replace function public.morning_mails_due(p_organization uuid, p_now timestamptz) returns integer
language sql stable security definer set search_path = ''
as $$ select count(*)::integer from private.due_morning_mails(p_organization, p_now) $$;
comment on function public.morning_mails_due(uuid, timestamptz) is 'How many people have to get the morning report now.';

create or replace function public.queue_morning_mails(p_organization uuid, p_now timestamptz, p_limit integer)
  returns jsonb
language sql volatile security definer set search_path = ''
as $$
  with due as (
    select d.* from private.due_morning_mails(p_organization, p_now) d order by d.profile_id limit p_limit
  ), queued as (
    insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, recipient,
      content, dedupe_key, not_before)
    select p_organization, 'notification', 'morning_report', 'profile', d.profile_id, 'email', d.email,
      jsonb_build_object('template', 'morning_report',
        'organization', o.name, 'name', d.name, 'timezone', d.timezone, 'expires_at',
        p_now + interval '12 hours',
        -- Details of allergies, and notes, stay in the application.
        'morning', m.morning || jsonb_build_object('guests', (
          select coalesce(jsonb_agg(g.value || '{"facts": [], "notes": null}' order by g.place), '[]')
          from jsonb_array_elements(m.morning -> 'guests') with ordinality as g (value, place)))),
      format('morning:%s:%s', d.profile_id, d.day), p_now
    from due d
    join public.organizations o on o.id = p_organization
    cross join lateral (
      select private.morning_of(array(
          select l.id from public.locations l
          where l.organization_id = p_organization and l.is_active and (
            not exists (select from public.profile_locations pl where pl.profile_id = d.profile_id)
            or exists (select from public.profile_locations pl where pl.profile_id = d.profile_id
              and pl.location_id = l.id))),
        case when d.sees_customers then array[p_organization] else '{}' end, d.day, 12, p_now,
        (select array_agg(pl.location_id) from public.profile_locations pl
          where pl.profile_id = d.profile_id)) as morning) as m
    on conflict (organization_id, dedupe_key) do nothing
    returning id
  )
  select jsonb_build_object('due', (select count(*) from due), 'queued', (select count(*) from queued),
    'failed', 0,
    'ids', (select coalesce(jsonb_agg(id), '[]') from queued))
$$;
comment on function public.queue_morning_mails(uuid, timestamptz, integer) is
  'Queues the due morning reports, each about the person''s locations, once a day. Returns due, queued, failed and ids; due = p_limit: there may be more.';

create or replace function private.forget_morning_mails(p_organization uuid, p_profile uuid) returns void
language sql volatile set search_path = ''
as $$
  update public.messages m set content = '{}',
    reason = case when m.status = 'queued' then 'deleted' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  where m.organization_id = p_organization and m.about_id = p_profile and m.purpose = 'morning_report'
    and m.status <> 'sending'
$$;
comment on function private.forget_morning_mails(uuid, uuid) is
  'Empties a person''s morning reports; queued ones are skipped.';

create or replace function private.end_morning_mails() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'profiles' then
    perform private.forget_morning_mails(old.organization_id, old.id);
  else
    perform private.forget_morning_mails(p.organization_id, p.id) from public.profiles p
      where p.id = old.profile_id;
  end if;
  return null;
end
$$;
comment on function private.end_morning_mails() is
  'Trigger: a person who leaves, changes role or loses a location gets no report that was queued before.';

create or replace trigger profiles_end_morning_mails after delete on public.profiles
  for each row execute function private.end_morning_mails();
create or replace trigger profiles_change_morning_mails after update of role on public.profiles
  for each row when (old.role <> new.role) execute function private.end_morning_mails();
create or replace trigger profile_locations_end_morning_mails after delete on public.profile_locations
  for each row execute function private.end_morning_mails();
grant execute on function public.my_morning_mail(), public.set_morning_mail(integer) to authenticated;
grant execute on function public.morning_mails_due(uuid, timestamptz),
  public.queue_morning_mails(uuid, timestamptz, integer) to service_role;
