-- Customers of the group: one row a person across all locations, and the other addresses by which they are known.

create function private.consent_basis(p_consents jsonb, p_visits integer, p_channel text) returns text
-- In plpgsql because it is called for many rows: an SQL function with a search_path of its own takes twice as long.
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
  'The basis on which marketing may write by the channel: what was recorded (opt_in, existing_customer), else existing_customer for someone who has visited, else none.';

create table public.customers (
  id uuid primary key default private.new_id(),
  organization_id uuid not null references public.organizations on delete cascade,
  email text check (email = lower(btrim(email)) and email <> '')
    check (length(email) <= 254 and email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  phone text check (phone ~ '^\+[1-9][0-9]{5,14}$'),
  whatsapp_id text check (whatsapp_id ~ '^[A-Za-z0-9._-]{1,140}$' and whatsapp_id ~ '[A-Za-z]'),
  -- Limits of a name, by who gives it: people 100 a part (lib/customers/field-names.ts), a CSV 120 a part (a number of the
  -- contract, lib/imports/parse-row.ts), a PMS 200 in all, which may be one part. A former name is whole: 200 + 1 + 200.
  first_name text check (length(first_name) <= 200),
  last_name text check (length(last_name) <= 200),
  birth_date date check (birth_date between '1900-01-01' and '2100-12-31'),
  company text check (length(company) <= 200),
  job_title text check (length(job_title) <= 200),
  address text check (length(address) <= 500),
  -- The API takes 50 at a time; imports and merges add to those a customer has.
  tags text[] not null default '{}'
    check (tags = '{}' or cardinality(tags) <= 200 and array_ndims(tags) = 1
      and array_position(tags, null) is null and array_to_string(tags, E'\x01') !~ '[^\x01]{61}'),
  source text check (length(source) <= 60),
  -- People type 5,000 (lib/customers/field-names.ts), a CSV brings 2,000 (lib/imports/parse-row.ts); merging joins two.
  notes text check (length(notes) <= 20000),
  location_id uuid references public.locations on delete set null,
  total_visits integer not null default 0 check (total_visits between 0 and 1000000000),
  total_spend numeric(12, 2) not null default 0 check (total_spend between 0 and 9999999999.99),
  spend_is_estimate boolean not null default false,
  last_visit_at timestamptz,
  loyalty_tier_id uuid references public.loyalty_tiers on delete set null,
  consents jsonb not null default '{}',
  points bigint not null default 0 check (points between -9000000000000000 and 9000000000000000),
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
  birth_day smallint generated always as (
    (extract(month from birth_date) * 100 + extract(day from birth_date))::smallint) stored,
  email_key text generated always as (
    case when split_part(email, '@', 2) in ('gmail.com', 'googlemail.com')
      then replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@gmail.com'
      else split_part(split_part(email, '@', 1), '+', 1) || '@' || split_part(email, '@', 2) end) stored,
  constraint customers_consents_check check (consents = '{}' or jsonb_typeof(consents) = 'object'
    and consents - array['whatsapp', 'sms', 'email'] = '{}'
    and coalesce(consents #>> '{whatsapp,basis}', 'none') in ('opt_in', 'existing_customer', 'none')
    and coalesce(consents #>> '{sms,basis}', 'none') in ('opt_in', 'existing_customer', 'none')
    and coalesce(consents #>> '{email,basis}', 'none') in ('opt_in', 'existing_customer', 'none')),
  constraint customers_consents_bound check (
    consents = '{}' or pg_column_size(consents) <= 40000 and not jsonb_path_exists(consents, '$.**{6}')),
  constraint customers_instants_check check (
    least(created_at, updated_at, last_visit_at) >= '1900-01-01Z'
    and greatest(created_at, updated_at, last_visit_at) < '2201-01-01Z')
);
comment on table public.customers is 'A customer of the group. Statistics and tier are derived from reservations.';
comment on column public.customers.email is 'Primary match key: trimmed, lower case.';
comment on column public.customers.phone is 'Fallback match key: E.164. Families may share one.';
comment on column public.customers.whatsapp_id is
  'Business-scoped id of their WhatsApp account, for messages that show no number. Like the number, a family may share it.';
comment on column public.customers.location_id is 'Their usual location: where most of their reservations are.';
comment on column public.customers.total_spend is 'EUR, the sum over their visits.';
comment on column public.customers.spend_is_estimate is
  'At least one visit has no amount: total_spend counts guests × average spend for it.';
comment on column public.customers.consents is
  'What was recorded by channel: {email: {basis, source (staff, import), at, author, reason}}. private.consent_basis says which basis follows; opt-outs are in suppressions.';
comment on column public.customers.points is 'Balance of loyalty_points; below 0 when a visit is taken back whose points were spent.';
comment on column public.customers.birth_day is 'Month × 100 + day, for birthdays of any year: 229 is 29 February.';
comment on column public.customers.email_key is 'The mailbox behind the e-mail: without +suffix, and without dots at Gmail.';

create unique index customers_email_key on public.customers (organization_id, email);
create index customers_whatsapp_idx on public.customers (organization_id, whatsapp_id) where whatsapp_id is not null;
create index customers_by_name_idx on public.customers (organization_id, sort_name, id);
create index customers_by_visit_idx on public.customers (organization_id, sort_visit, id);
create index customers_by_spend_idx on public.customers (organization_id, total_spend, id);
create index customers_by_visits_idx on public.customers (organization_id, total_visits, id);
create index customers_tags_idx on public.customers using gin (tags);
create index customers_search_idx on public.customers using gin (search_text extensions.gin_trgm_ops);
-- Few customers opted in, so these indexes are small.
create index customers_opt_in_whatsapp_idx on public.customers (organization_id)
  where consents @> '{"whatsapp": {"basis": "opt_in"}}';
create index customers_opt_in_sms_idx on public.customers (organization_id)
  where consents @> '{"sms": {"basis": "opt_in"}}';
create index customers_opt_in_email_idx on public.customers (organization_id)
  where consents @> '{"email": {"basis": "opt_in"}}';
-- Customers without a basis come last in the list's usual order, so a page of them needs an index; those with one come
-- first. The function is called only for those with something on record: each write evaluates the condition.
create index customers_no_whatsapp_idx on public.customers (organization_id, sort_visit, id)
  where consents = '{}' and total_visits = 0 or consents <> '{}' and private.consent_basis(consents, total_visits, 'whatsapp') = 'none';
create index customers_no_sms_idx on public.customers (organization_id, sort_visit, id)
  where consents = '{}' and total_visits = 0 or consents <> '{}' and private.consent_basis(consents, total_visits, 'sms') = 'none';
create index customers_no_email_idx on public.customers (organization_id, sort_visit, id)
  where consents = '{}' and total_visits = 0 or consents <> '{}' and private.consent_basis(consents, total_visits, 'email') = 'none';
create index customers_organization_idx on public.customers (organization_id, id);
create index customers_birth_day_idx on public.customers (organization_id, birth_day) where birth_day is not null;
create index customers_created_idx on public.customers (organization_id, created_at);
create index customers_email_key_idx on public.customers (organization_id, email_key) where email_key is not null;
create index customers_same_person_idx on public.customers (organization_id, birth_date, sort_name)
  where birth_date is not null and sort_name <> '';
create index customers_phone_name_idx on public.customers (organization_id, phone, sort_name) where phone is not null;
-- By tier, and inactive customers by tier from the index alone. A tier belongs to one organization.
create index customers_tier_visit_idx on public.customers (loyalty_tier_id, last_visit_at)
  include (organization_id, total_spend, id);
-- By location, and tiers by location from the index alone.
create index customers_location_tier_idx on public.customers (location_id, loyalty_tier_id);

create trigger customers_touch before update on public.customers
  for each row execute function private.touch_updated_at();

-- After a merge the customer keeps the duplicate's addresses here, and someone who books with another e-mail keeps both:
-- the next booking under any of them finds the customer.
create table public.customer_aliases (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  customer_id uuid not null references public.customers on delete cascade,
  email text check (email = lower(btrim(email)) and email <> '')
    check (length(email) <= 254 and email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  phone text check (phone ~ '^\+[1-9][0-9]{5,14}$'),
  whatsapp_id text check (whatsapp_id ~ '^[A-Za-z0-9._-]{1,140}$'),
  name text check (btrim(name) <> '' and length(name) <= 401),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z'),
  check (num_nonnulls(email, phone, whatsapp_id, name) = 1)
);
comment on table public.customer_aliases is
  'Other addresses of customers, from merges and from bookings under another e-mail: match keys after the customers'' own e-mails and phones.';
comment on column public.customer_aliases.name is 'A former name. It matches no booking; an erasure searches texts for it.';

create unique index customer_aliases_email_key on public.customer_aliases (organization_id, email) where email is not null;
create index customer_aliases_phone_idx on public.customer_aliases (organization_id, phone) where phone is not null;
create index customer_aliases_whatsapp_idx on public.customer_aliases (organization_id, whatsapp_id)
  where whatsapp_id is not null;
create index customer_aliases_customer_idx on public.customer_aliases (customer_id);

alter table public.customers enable row level security;
alter table public.customer_aliases enable row level security;
revoke all on public.customers, public.customer_aliases from anon, authenticated;
grant select on public.customers, public.customer_aliases to authenticated;
grant select, insert, update, delete on public.customers, public.customer_aliases to service_role;

-- A person has one organization: by `=` an index also gives the order of a page, by `= any` it could not.
create policy "staff with customer access read customers" on public.customers for select to authenticated
  using (organization_id = (select private.my_organizations('canAccessClientes')));
create policy "staff with customer access read aliases" on public.customer_aliases for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));

create function private.phone_owners(p_organization uuid, p_phones text[]) returns table (phone text, customer_id uuid)
language sql stable set search_path = ''
as $$
  select c.phone, c.id from public.customers c
  where c.organization_id = p_organization and c.phone = any(p_phones)
  union
  select a.phone, a.customer_id from public.customer_aliases a
  where a.organization_id = p_organization and a.phone = any(p_phones)
$$;
comment on function private.phone_owners(uuid, text[]) is 'The customers who have, or once had, each of the phones.';

create function private.lock_identities(p_organization uuid) returns void
language sql volatile set search_path = ''
as $$ select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('identity:' || p_organization::text, 0)) $$;
comment on function private.lock_identities(uuid) is
  'One writer of an organization''s identities at a time, until the transaction ends; the sync takes the same lock.';

create function private.keep_name(p_before public.customers, p_now uuid) returns void
language sql volatile set search_path = ''
as $$
  insert into public.customer_aliases (organization_id, customer_id, name)
  select c.organization_id, c.id, former.name from public.customers c
  cross join lateral (select nullif(btrim(concat_ws(' ', (p_before).first_name, (p_before).last_name)), '')) as former (name)
  where c.id = p_now and private.name_key(former.name) <> private.name_key(concat_ws(' ', c.first_name, c.last_name))
    and former.name is not null and not exists (
      select 1 from public.customer_aliases a where a.customer_id = c.id and private.name_key(a.name) = private.name_key(former.name))
$$;
comment on function private.keep_name(public.customers, uuid) is 'Keeps the name before a change among the customer''s former names.';

revoke execute on function private.consent_basis(jsonb, integer, text), private.phone_owners(uuid, text[]),
  private.lock_identities(uuid), private.keep_name(public.customers, uuid) from public;
grant execute on function private.consent_basis(jsonb, integer, text), private.phone_owners(uuid, text[]),
  private.lock_identities(uuid) to service_role;
