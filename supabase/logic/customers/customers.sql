-- Who has a phone, and the names a customer had before; what all that change customers call first.

create or replace function private.phone_owners(p_organization uuid, p_phones text[])
  returns table (phone text, customer_id uuid)
language sql stable set search_path = ''
as $$
  select c.phone, c.id from public.customers c
  where c.organization_id = p_organization and c.phone = any(p_phones)
  union
  select a.phone, a.customer_id from public.customer_aliases a
  where a.organization_id = p_organization and a.phone = any(p_phones)
$$;
comment on function private.phone_owners(uuid, text[]) is 'The customers who have, or once had, each of the phones.';
grant execute on function private.phone_owners(uuid, text[]) to service_role;

create or replace function private.add_phones(p_organization uuid, p_customers uuid[], p_phones text[])
  returns void
language sql volatile set search_path = ''
as $$
  with owned as materialized (
    select o.phone from private.phone_owners(p_organization, p_phones) as o
  )
  insert into public.customer_aliases (organization_id, customer_id, phone)
  select distinct on (n.phone) p_organization, n.customer_id, n.phone
  from unnest(p_customers, p_phones) with ordinality as n (customer_id, phone, place)
  where n.customer_id is not null and n.phone not in (select phone from owned)
  order by n.phone, n.place
$$;
comment on function private.add_phones(uuid, uuid[], text[]) is
  'Gives customers further phones, pair by pair: bookings find them by these, messages do not use them. A phone that somebody has, or had, stays theirs alone. Call it under lock_identities.';
grant execute on function private.add_phones(uuid, uuid[], text[]) to service_role;

create or replace function private.lock_identities(p_organization uuid) returns void
language sql volatile set search_path = ''
as $$ select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('identity:' || p_organization::text,
  0)) $$;
comment on function private.lock_identities(uuid) is
  'One writer of an organization''s identities at a time, until the transaction ends; the sync takes the same lock.';
grant execute on function private.lock_identities(uuid) to service_role;

create or replace function private.keep_name(p_before public.customers, p_now uuid) returns void
language sql volatile set search_path = ''
as $$
  insert into public.customer_aliases (organization_id, customer_id, name)
  select c.organization_id, c.id, former.name from public.customers c
  cross join lateral (select nullif(btrim(concat_ws(' ', (p_before).first_name, (p_before).last_name)), ''))
    as former (name)
  where c.id = p_now
    and private.name_key(former.name) <> private.name_key(concat_ws(' ', c.first_name, c.last_name))
    and former.name is not null and not exists (
      select 1 from public.customer_aliases a where a.customer_id = c.id
        and private.name_key(a.name) = private.name_key(former.name))
$$;
comment on function private.keep_name(public.customers, uuid) is 'Keeps the name before a change among the customer''s former names.';
