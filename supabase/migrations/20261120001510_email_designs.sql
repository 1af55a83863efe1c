-- E-mails that look like their brand: the look of each brand, the stored images, and designs kept as templates. A
-- design itself is automations.email_design. Only the service writes here; lib/email-design checks first.

create table public.email_images (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  path text not null unique check (path ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.(png|jpg|gif|webp)$')
    check (split_part(path, '/', 1) = organization_id::text),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  bytes integer not null check (bytes between 1 and 2097152),
  width integer not null check (width between 1 and 6000),
  height integer not null check (height between 1 and 6000),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.email_images is 'Images for e-mails. The file is in the public bucket email-images, under path.';
comment on column public.email_images.path is '<organization_id>/<uuid>.<extension>';
create index email_images_recent_idx on public.email_images (organization_id, created_at desc, id desc);

create table public.email_looks (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  brand_id uuid references public.brands on delete cascade,
  logo text check (logo ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.(png|jpg|gif|webp)$')
    check (split_part(logo, '/', 1) = organization_id::text),
  color text check (color ~ '^#[0-9a-f]{6}$'),
  button_color text check (button_color ~ '^#[0-9a-f]{6}$'),
  sender_name text check (btrim(sender_name) <> '' and length(sender_name) <= 120 and sender_name !~ '[[:cntrl:]]'),
  from_email text check (length(from_email) <= 254 and from_email ~ '^[^\s@<>]+@[^\s@<>]+$'),
  reply_to text check (length(reply_to) <= 254 and reply_to ~ '^[^\s@<>]+@[^\s@<>]+$'),
  footer text check (length(footer) <= 300),
  updated_at timestamptz not null default now() check (updated_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.email_looks is 'How the e-mails of a brand look, and who sends them. Null is as in the group''s look, else the usual.';
comment on column public.email_looks.brand_id is 'Null: the group''s look, of automations that are not of one brand.';
comment on column public.email_looks.logo is 'The path of an email_images row.';
comment on column public.email_looks.from_email is 'Null: the address of the integration.';
create unique index email_looks_brand_key on public.email_looks (organization_id, brand_id) nulls not distinct;
create index email_looks_brand_id_idx on public.email_looks (brand_id);
create trigger email_looks_touch before update on public.email_looks
  for each row execute function private.touch_updated_at();

create table public.email_templates (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  design jsonb not null check (jsonb_typeof(design) = 'object' and coalesce(jsonb_typeof(design -> 'blocks') = 'array', false))
    check (pg_column_size(design) <= 131072 and not jsonb_path_exists(design, '$.**{9}')),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z'),
  updated_at timestamptz not null default now() check (updated_at between '1900-01-01Z' and '2200-01-01Z'),
  unique (organization_id, name)
);
comment on table public.email_templates is 'Designs under a name, to start an e-mail from; shared in the organization.';
create trigger email_templates_touch before update on public.email_templates
  for each row execute function private.touch_updated_at();

alter table public.email_images enable row level security;
alter table public.email_looks enable row level security;
alter table public.email_templates enable row level security;
revoke all on public.email_images, public.email_looks, public.email_templates from anon, authenticated;
grant select on public.email_images, public.email_looks, public.email_templates to authenticated;
grant select, insert, update, delete on public.email_images, public.email_looks, public.email_templates to service_role;

create policy "marketing staff read the images" on public.email_images for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing'))));
create policy "marketing staff read the looks" on public.email_looks for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing'))));
create policy "marketing staff read the e-mail templates" on public.email_templates for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing'))));

alter table public.automations
  add column email_look jsonb check (jsonb_typeof(email_look) = 'object')
    check (pg_column_size(email_look) <= 8192 and not jsonb_path_exists(email_look, '$.**{3}'));
comment on column public.automations.email_look is
  'Of a campaign that is no draft: the look of its e-mails when it was launched. What was approved is what is sent.';

create function private.email_look_of(a public.automations) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(a.email_look, coalesce((
    select to_jsonb(l) from public.email_looks l where l.organization_id = a.organization_id and l.brand_id is null), '{}')
  || coalesce((
    -- Only a look of the brand of all its locations.
    select jsonb_strip_nulls(to_jsonb(l)) from public.email_looks l
    where l.organization_id = a.organization_id and l.brand_id = (
      select case when count(distinct p.brand_id) = 1 and count(p.brand_id) = count(*) then min(p.brand_id::text)::uuid end
      from public.locations p where p.id = any(a.location_ids))), '{}'))
$$;
comment on function private.email_look_of(public.automations) is
  'The look of an automation''s e-mails: of the brand, where all its locations are of one; what that leaves open is as in the group''s. Of a campaign''s message, as it was at the launch.';

create function public.save_email_look(p_organization uuid, p_brand uuid, p_fields jsonb) returns setof public.email_looks
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
  insert into public.email_looks (organization_id, brand_id) values (p_organization, p_brand) on conflict do nothing;
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

create function public.delete_email_image(p_organization uuid, p_id uuid) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  v_path text;
begin
  select i.path into v_path from public.email_images i where i.id = p_id and i.organization_id = p_organization for update;
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

revoke execute on function private.email_look_of(public.automations) from public;
revoke execute on function public.save_email_look(uuid, uuid, jsonb), public.delete_email_image(uuid, uuid)
  from public, anon, authenticated;
grant execute on function private.email_look_of(public.automations), public.save_email_look(uuid, uuid, jsonb),
  public.delete_email_image(uuid, uuid) to service_role;

-- The bucket. Mail programs read it without a key; nobody but the service writes (storage.objects has no policy for it).
do $$
begin
  if to_regclass('storage.buckets') is not null then
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values ('email-images', 'email-images', true, 2097152, array['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
    on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;
  end if;
end
$$;
