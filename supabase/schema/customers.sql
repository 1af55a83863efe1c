create or replace function private.consent_basis(p_consents jsonb, p_visits integer, p_channel text)
  returns text
-- In plpgsql because it is called for many rows: an SQL function with a search_path of its own takes twice as
-- long.
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
  -- Limits of a name, by who gives it (lib/customers/guest-fields.ts): people 100 a part, a CSV 120 a part (a
  -- number of the contract), a PMS 200 in all, which may be one part. A former name is whole: 200 + 1 + 200.
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
  -- People type 5,000, a CSV brings 2,000 (lib/customers/guest-fields.ts); merging joins two.
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
    private.fold(coalesce(last_name, '') || ' ' || coalesce(first_name, ''))) stored,
  sort_visit timestamptz not null generated always as (
    coalesce(last_visit_at, '-infinity'::timestamptz)) stored,
  search_text text not null generated always as (
    private.fold(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' ||
      coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(company, ''))) stored,
  birth_day smallint generated always as (
    (extract(month from birth_date) * 100 + extract(day from birth_date))::smallint) stored,
  email_key text generated always as (
    case when split_part(email, '@', 2) in ('gmail.com', 'googlemail.com')
      then replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@gmail.com'
      else split_part(split_part(email, '@', 1), '+', 1) || '@' || split_part(email, '@', 2) end) stored,
  postal_code text check (length(postal_code) <= 12),
  last_visit_on date check (last_visit_on between '1899-12-31' and '2200-01-01'),
  city text check (length(city) <= 120),
  language text check (language in ('es', 'ca', 'eu', 'gl', 'en', 'fr', 'pt', 'it', 'de', 'nl')),
  write_frequency text check (write_frequency = 'monthly'),
  muted_brands uuid[] not null default '{}'
    check (muted_brands = '{}' or cardinality(muted_brands) <= 1000 and array_ndims(muted_brands) = 1
      and array_position(muted_brands, null) is null),
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
comment on column public.customers.last_visit_on is
  'The service day of their last visit, as its location counts it; last_visit_at is the moment.';
comment on column public.customers.consents is
  'What was recorded by channel: {email: {basis, source (staff, import), at, author, reason}}. private.consent_basis says which basis follows; opt-outs are in suppressions.';
comment on column public.customers.points is 'Balance of loyalty_points; below 0 when a visit is taken back whose points were spent.';
comment on column public.customers.birth_day is 'Month × 100 + day, for birthdays of any year: 229 is 29 February.';
comment on column public.customers.language is
  'In which they are written to (BCP 47, GUEST_LANGUAGES of lib/i18n/guest-languages.ts); null: in the group''s.';
comment on column public.customers.write_frequency is
  'How often marketing may write, as the guest asked on the page of an unsubscribe link: monthly; null: no wish.';
comment on column public.customers.muted_brands is
  'Brands of which the guest wants no marketing, as they said on that page. An id may be of a brand that is gone.';
comment on column public.customers.email_key is 'The mailbox behind the e-mail: without +suffix, and without dots at Gmail.';

create unique index customers_email_key on public.customers (organization_id, email);
create index customers_whatsapp_idx on public.customers (organization_id, whatsapp_id)
  where whatsapp_id is not null;
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
-- Customers without a basis come last in the list's usual order, so a page of them needs an index; those with
-- one come first. The function is called only for those with something on record: each write evaluates the
-- condition.
create index customers_no_whatsapp_idx on public.customers (organization_id, sort_visit, id)
  where consents = '{}' and total_visits = 0 or consents <> '{}'
    and private.consent_basis(consents, total_visits, 'whatsapp') = 'none';
create index customers_no_sms_idx on public.customers (organization_id, sort_visit, id)
  where consents = '{}' and total_visits = 0 or consents <> '{}'
    and private.consent_basis(consents, total_visits, 'sms') = 'none';
create index customers_no_email_idx on public.customers (organization_id, sort_visit, id)
  where consents = '{}' and total_visits = 0 or consents <> '{}'
    and private.consent_basis(consents, total_visits, 'email') = 'none';
create index customers_organization_idx on public.customers (organization_id, id);
create index customers_birth_day_idx on public.customers (organization_id, birth_day)
  where birth_day is not null;
create index customers_postal_code_idx
  on public.customers (organization_id, upper(replace(postal_code, ' ', '')) text_pattern_ops)
  where postal_code is not null;
create index customers_city_idx on public.customers (organization_id, private.fold(city) text_pattern_ops)
  where city is not null;
create index customers_created_idx on public.customers (organization_id, created_at);
create index customers_email_key_idx on public.customers (organization_id, email_key)
  where email_key is not null;
create index customers_same_person_idx on public.customers (organization_id, birth_date, sort_name)
  where birth_date is not null and sort_name <> '';
create index customers_phone_name_idx on public.customers (organization_id, phone, sort_name)
  where phone is not null;
-- By tier, and inactive customers by tier from the index alone. A tier belongs to one organization.
create index customers_tier_visit_idx on public.customers (loyalty_tier_id, last_visit_at)
  include (organization_id, total_spend, id);
-- By location, and tiers by location from the index alone.
create index customers_location_tier_idx on public.customers (location_id, loyalty_tier_id);

-- Further e-mails and phones of a customer. Staff add them, a merge keeps the duplicate's, and someone who
-- books with another e-mail keeps both: the next booking under any of them finds the customer.
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
  'Further addresses of customers, by staff, from merges and from bookings under another e-mail: match keys after the customers'' own e-mails and phones.';
comment on column public.customer_aliases.name is 'A former name. It matches no booking; an erasure searches texts for it.';

create unique index customer_aliases_email_key on public.customer_aliases (organization_id, email)
  where email is not null;
create index customer_aliases_phone_idx on public.customer_aliases (organization_id, phone)
  where phone is not null;
create index customer_aliases_whatsapp_idx on public.customer_aliases (organization_id, whatsapp_id)
  where whatsapp_id is not null;
create index customer_aliases_customer_idx on public.customer_aliases (customer_id);
create index customer_aliases_search_idx on public.customer_aliases
  using gin (private.fold(coalesce(email, phone)) extensions.gin_trgm_ops)
  where email is not null or phone is not null;
alter table public.customers enable row level security;
alter table public.customer_aliases enable row level security;
grant select on public.customers, public.customer_aliases to authenticated;
grant select, insert, update, delete on public.customers, public.customer_aliases to service_role;

-- A person has one organization: by `=` an index also gives the order of a page, by `= any` it could not.
create policy "staff with customer access read customers" on public.customers for select to authenticated
  using (organization_id = (select private.my_organizations('canAccessClientes')));
create policy "staff with customer access read aliases" on public.customer_aliases for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));
grant execute on function private.consent_basis(jsonb, integer, text) to service_role;

-- How many customers hold each tier and each tag.

-- A count is the sum of its rows: row 0 is what was folded, every other row the change by one statement. Rows
-- are only added, so that writers never wait for each other; fold_figures adds them to row 0. No foreign key:
-- it would lock the organization's row at every change. A deleted organization's counts become 0 and are
-- folded away.
create table private.customer_counts (
  organization_id uuid not null,
  kind text not null check (kind in ('tier', 'tag')),
  value text not null check (length(value) <= 60),
  id bigint generated by default as identity,
  customers integer not null,
  primary key (organization_id, kind, value, id)
);

create index customer_counts_changes_idx on private.customer_counts (id) where id > 0;
comment on table private.customer_counts is
  'Customers of an organization by tier and by tag: the sum of a value''s rows. Row 0 has what was folded, the others the changes since.';
comment on column private.customer_counts.value is 'The id of the tier, empty for customers without one; or the tag.';
alter table private.customer_counts enable row level security;
grant select, insert, delete on private.customer_counts to service_role;

-- Facts about customers, as codes with a word in every language.

create table public.customer_facts (
  organization_id uuid not null references public.organizations on delete cascade,
  customer_id uuid not null references public.customers on delete cascade,
  code text not null,
  kind text not null,
  note text check (btrim(note) <> '' and length(note) <= 200),
  recorded_by text not null check (length(recorded_by) <= 254),
  recorded_at timestamptz not null default now() check (recorded_at between '1900-01-01Z' and '2200-01-01Z'),
  primary key (customer_id, code),
  -- A code without a word in every language would break the pages that show it.
  constraint customer_facts_known check (code = any(case kind
    when 'allergy' then array['gluten', 'crustaceans', 'egg', 'fish', 'peanut', 'soy', 'milk', 'lactose',
      'nuts',
      'celery', 'mustard', 'sesame', 'sulphites', 'lupin', 'molluscs']
    when 'diet' then array['vegetarian', 'vegan', 'halal', 'kosher', 'no_alcohol', 'pregnant', 'diabetic']
    when 'preference' then array['window', 'terrace', 'inside', 'quiet', 'bar', 'high_chair', 'wheelchair',
      'pram',
      'dog']
    else '{}' end))
);

create index customer_facts_organization_idx on public.customer_facts (organization_id, code);
comment on table public.customer_facts is
  'Allergies, diets and preferences of a customer, as staff recorded them.';
comment on column public.customer_facts.code is 'The code of the fact, for example nuts, vegan or window.';
comment on column public.customer_facts.recorded_by is 'The name of the person who recorded it; it stays when the profile is deleted.';
alter table public.customer_facts enable row level security;
grant select on public.customer_facts to authenticated;
grant select, insert, update, delete on public.customer_facts to service_role;

create policy "who may read customers reads their facts" on public.customer_facts
  for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));

-- What the merge of two customers keeps for 30 days, to undo it: the merged customer, the former values of
-- both, and the rows that moved or changed.

create table public.customer_merges (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  kept_id uuid not null references public.customers on delete cascade,
  gone_id uuid not null,
  author_id uuid references public.profiles on delete set null,
  author_name text not null check (length(author_name) <= 254),
  merged_at timestamptz not null check (merged_at between '1900-01-01Z' and '2200-01-01Z'),
  undone_at timestamptz check (undone_at between '1900-01-01Z' and '2200-01-01Z'),
  undone_by text check (length(undone_by) <= 254),
  constraint customer_merges_undone_check check ((undone_at is null) = (undone_by is null))
);

create index customer_merges_kept_idx on public.customer_merges (kept_id, merged_at desc);
create index customer_merges_gone_idx on public.customer_merges (gone_id);
create index customer_merges_recent_idx on public.customer_merges (organization_id, merged_at desc, id desc);
create index customer_merges_author_idx on public.customer_merges (author_id) where author_id is not null;
comment on table public.customer_merges is
  'Merges of a customer into another, with author and time; kept for 30 days (tidy_up). Erasing the remaining customer deletes the row.';
comment on column public.customer_merges.kept_id is
  'The remaining customer. After a further merge, that merge''s remaining customer: merges and undos move this reference like any other.';
comment on column public.customer_merges.gone_id is 'The id of the merged customer; an undo restores it.';
comment on column public.customer_merges.author_name is 'The author''s name at the time; it stays when the author leaves. undone_by likewise.';
alter table public.customer_merges enable row level security;
grant select on public.customer_merges to authenticated;
grant select, insert, update, delete on public.customer_merges to service_role;

create policy "staff with customer access read merges" on public.customer_merges for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));

create table private.merged_customers (
  merge_id uuid primary key references public.customer_merges on delete cascade,
  gone jsonb not null check (pg_column_size(gone) <= 200000),
  kept_before jsonb not null check (pg_column_size(kept_before) <= 200000),
  kept_after jsonb not null check (pg_column_size(kept_after) <= 200000)
);
comment on table private.merged_customers is
  'The rows of both customers before a merge, and the remaining one''s after it; gone with the undo.';

create table private.merged_rows (
  merge_id uuid not null references public.customer_merges on delete cascade,
  source text not null check (length(source) <= 130),
  field text check (length(field) <= 63),
  role text not null check (role in ('moved', 'changed', 'added', 'removed', 'own')),
  row_id uuid,
  was jsonb check (pg_column_size(was) <= 1100000)
);

create index merged_rows_merge_idx on private.merged_rows (merge_id, source, role, row_id);
comment on table private.merged_rows is
  'The changes of a merge to rows of other tables; the undo deletes them. moved: row_id now refers to the remaining customer in field; changed and removed: the former row; added: row_id; own: a row that already belonged to the remaining customer.';
alter table private.merged_customers enable row level security;
alter table private.merged_rows enable row level security;

-- What a change of a tag did, to undo it.

create table private.tag_changes (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  author_id uuid not null references public.profiles on delete cascade,
  tag text not null check (btrim(tag) <> '' and length(tag) <= 60),
  added boolean not null,
  customer_ids uuid[] not null check (cardinality(customer_ids) between 1 and 5000),
  changed_at timestamptz not null default now() check (changed_at between '1900-01-01Z' and '2200-01-01Z')
);

create index tag_changes_organization_idx on private.tag_changes (organization_id, changed_at);
create index tag_changes_author_idx on private.tag_changes (author_id);
comment on table private.tag_changes is
  'Bulk changes of a tag with their customers, so that they can be undone; kept for a day (tidy_up).';
comment on column private.tag_changes.customer_ids is
  'The customers with changed tags; the others already had the tag, or did not have it.';
alter table private.tag_changes enable row level security;
grant select, delete on private.tag_changes to service_role;
