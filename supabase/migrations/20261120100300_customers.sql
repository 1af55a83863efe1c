-- Customers of the group: one row a person, across all locations.

create table public.customers (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  email text check (email = lower(btrim(email)) and email <> ''),
  phone text check (phone ~ '^\+[1-9][0-9]{5,14}$'),
  whatsapp_id text check (whatsapp_id ~ '^[A-Za-z0-9._-]{1,140}$' and whatsapp_id ~ '[A-Za-z]'),
  first_name text,
  last_name text,
  birth_date date,
  company text,
  job_title text,
  address text,
  tags text[] not null default '{}',
  source text,
  notes text,
  location_id uuid references public.locations on delete set null,
  total_visits integer not null default 0,
  total_spend numeric(12, 2) not null default 0,
  spend_is_estimate boolean not null default false,
  last_visit_at timestamptz,
  loyalty_tier_id uuid references public.loyalty_tiers on delete set null,
  consents jsonb not null default '{}',
  points bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Sort keys without nulls, so that keyset pages need one comparison.
  sort_name text not null generated always as (
    private.normalize_text(coalesce(last_name, '') || ' ' || coalesce(first_name, ''))) stored,
  sort_visit timestamptz not null generated always as (
    coalesce(last_visit_at, '-infinity'::timestamptz)) stored,
  search_text text not null generated always as (
    private.normalize_text(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' ||
      coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(company, ''))) stored,
  constraint customers_consents_check check (consents = '{}' or jsonb_typeof(consents) = 'object'
    and consents - array['whatsapp', 'sms', 'email'] = '{}'
    and coalesce(consents #>> '{whatsapp,basis}', 'none') in ('opt_in', 'existing_customer', 'none')
    and coalesce(consents #>> '{sms,basis}', 'none') in ('opt_in', 'existing_customer', 'none')
    and coalesce(consents #>> '{email,basis}', 'none') in ('opt_in', 'existing_customer', 'none'))
);
comment on table public.customers is 'A guest of the group. Statistics and tier are derived from reservations.';
comment on column public.customers.email is 'Primary match key: trimmed, lower case.';
comment on column public.customers.phone is 'Fallback match key: E.164. Families may share one.';
comment on column public.customers.whatsapp_id is
  'Business-scoped id of their WhatsApp, by which they write without showing a number. It goes with the number, which families share.';
comment on column public.customers.total_spend is 'EUR over visits.';
comment on column public.customers.spend_is_estimate is
  'Some visit has no amount, so that total_spend contains guests × average spend for it.';
comment on column public.customers.points is 'Balance of loyalty_points; below 0 when a visit is taken back whose points were spent.';
comment on column public.customers.location_id is 'Where most of their reservations are.';
comment on column public.customers.consents is
  'What was recorded by channel: {email: {basis, source (staff, import), at, author, reason}}. private.consent_basis has what follows from it; who opted out is in suppressions.';

create unique index customers_email_key on public.customers (organization_id, email);
create index customers_phone_idx on public.customers (organization_id, phone) where phone is not null;
create index customers_whatsapp_idx on public.customers (organization_id, whatsapp_id) where whatsapp_id is not null;
create index customers_by_name_idx on public.customers (organization_id, sort_name, id);
create index customers_by_visit_idx on public.customers (organization_id, sort_visit, id);
create index customers_by_spend_idx on public.customers (organization_id, total_spend, id);
create index customers_by_visits_idx on public.customers (organization_id, total_visits, id);
create index customers_location_id_idx on public.customers (location_id);
create index customers_tier_idx on public.customers (loyalty_tier_id);
create index customers_tags_idx on public.customers using gin (tags);
create index customers_search_idx on public.customers using gin (search_text extensions.gin_trgm_ops);
-- Those who opted in are few.
create index customers_opt_in_whatsapp_idx on public.customers (organization_id)
  where consents @> '{"whatsapp": {"basis": "opt_in"}}';
create index customers_opt_in_sms_idx on public.customers (organization_id)
  where consents @> '{"sms": {"basis": "opt_in"}}';
create index customers_opt_in_email_idx on public.customers (organization_id)
  where consents @> '{"email": {"basis": "opt_in"}}';

create function private.consent_basis(p_consents jsonb, p_visits integer, p_channel text) returns text
-- In plpgsql, for it is called for many rows: with a search_path of its own, SQL would take twice as long.
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case
    when p_consents #>> array[p_channel, 'basis'] in ('opt_in', 'existing_customer')
      then p_consents #>> array[p_channel, 'basis']
    -- A visit makes a customer of someone whose import declared nothing, but does not overrule the staff.
    when p_consents #>> array[p_channel, 'source'] = 'staff' then 'none'
    when p_visits > 0 then 'existing_customer'
    else 'none' end;
end
$$;
comment on function private.consent_basis(jsonb, integer, text) is
  'On which basis marketing may write by the channel (opt_in, existing_customer, none): what was recorded, else whether they ever came.';
revoke execute on function private.consent_basis(jsonb, integer, text) from public;
grant execute on function private.consent_basis(jsonb, integer, text) to service_role;
-- Guests without a basis come last in the list's usual order; those with a basis are found by walking it.
create index customers_no_whatsapp_idx on public.customers (organization_id, sort_visit, id)
  where private.consent_basis(consents, total_visits, 'whatsapp') = 'none';
create index customers_no_sms_idx on public.customers (organization_id, sort_visit, id)
  where private.consent_basis(consents, total_visits, 'sms') = 'none';
create index customers_no_email_idx on public.customers (organization_id, sort_visit, id)
  where private.consent_basis(consents, total_visits, 'email') = 'none';

create trigger customers_touch before update on public.customers
  for each row execute function private.touch_updated_at();

alter table public.customers enable row level security;
revoke all on public.customers from anon, authenticated;
grant select on public.customers to authenticated;
grant select, insert, update, delete on public.customers to service_role;

create policy "staff with customer access read customers" on public.customers for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));
