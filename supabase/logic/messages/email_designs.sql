-- Saving looks of e-mails and deleting images; lib/email-design checks first.

create or replace function private.brand_of(a public.automations) returns uuid
language sql stable set search_path = ''
as $$
  select case when count(distinct p.brand_id) = 1 and count(p.brand_id) = count(*)
    then min(p.brand_id::text)::uuid end
  from public.locations p where p.id = any(a.location_ids)
$$;
comment on function private.brand_of(public.automations) is
  'The brand of all its locations; null: its messages are the group''s.';

create or replace function private.look_of(p_organization uuid, p_brand uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce((
    select to_jsonb(l) from public.email_looks l where l.organization_id = p_organization
      and l.brand_id is null), '{}')
  || coalesce((
    select jsonb_strip_nulls(to_jsonb(l)) from public.email_looks l
    where l.organization_id = p_organization and l.brand_id = p_brand), '{}')
$$;
comment on function private.look_of(uuid, uuid) is
  'The look of a brand over the group''s, which has what it leaves open; of the group without a brand.';

create or replace function private.email_look_of(a public.automations) returns jsonb
language sql stable set search_path = ''
as $$
  with own as (select private.brand_of(a) as brand_id)
  select jsonb_build_object('postal_address', coalesce(
    (select b.postal_address from public.brands b join own on own.brand_id = b.id),
    (select o.postal_address from public.organizations o where o.id = a.organization_id)))
  || coalesce(a.email_look, private.look_of(a.organization_id, (select own.brand_id from own)))
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
        and (position(v_path in concat(a.email_design, a.versions)) > 0 or a.email_look ->> 'logo' = v_path))
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
grant execute on function private.brand_of(public.automations), private.look_of(uuid, uuid),
  private.email_look_of(public.automations),
  public.save_email_look(uuid, uuid, jsonb), public.delete_email_image(uuid, uuid) to service_role;
