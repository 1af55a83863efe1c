-- How many customers hold each tier and each tag, kept as customers change, so that no page reads a million
-- of them.

create or replace function private.signed_rows(p_operation text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select case p_operation
    when 'INSERT' then 'select 1 as sign, n.* from new_rows n'
    when 'DELETE' then 'select -1 as sign, o.* from old_rows o'
    else 'select 1 as sign, n.* from new_rows n union all select -1, o.* from old_rows o' end
$$;
comment on function private.signed_rows(text) is
  'The query of what a trigger''s statement added (sign 1) and took away (-1), from its transition tables.';

create or replace function private.customer_count_sums(p_rows text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  -- Grouped twice: rows whose tier and tags stayed the same cancel out before tags are taken apart.
  select format('
    with moved as materialized (
      select r.organization_id, r.loyalty_tier_id, r.tags, sum(r.sign)::integer as customers from (%s) as r
      group by r.organization_id, r.loyalty_tier_id, r.tags having sum(r.sign) <> 0
    )
    select m.organization_id, v.kind, v.value, sum(m.customers)::integer as customers
    from moved m cross join lateral (
      select ''tier'' as kind, coalesce(m.loyalty_tier_id::text, '''') as value
      union all select ''tag'', t.tag from unnest(m.tags) as t (tag)) as v
    group by m.organization_id, v.kind, v.value having sum(m.customers) <> 0', p_rows)
$$;
comment on function private.customer_count_sums(text) is
  'The query of the counts {organization_id, kind, value, customers} of a query''s customers, each with its sign.';

create or replace function private.count_customer_changes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from private.customer_counts;
  else
    execute 'insert into private.customer_counts (organization_id, kind, value, customers) '
      || private.customer_count_sums(private.signed_rows(tg_op));
  end if;
  return null;
end
$$;
comment on function private.count_customer_changes() is 'Trigger: notes how a statement changed the counts of customers.';

create or replace trigger customers_count_new after insert on public.customers
  referencing new table as new_rows for each statement execute function private.count_customer_changes();
create or replace trigger customers_count_changed after update on public.customers
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.count_customer_changes();
create or replace trigger customers_count_gone after delete on public.customers
  referencing old table as old_rows for each statement execute function private.count_customer_changes();
create or replace trigger customers_count_none after truncate on public.customers
  for each statement execute function private.count_customer_changes();

create or replace function private.counts_of(p_organizations uuid[], p_kind text)
  returns table (value text, customers bigint)
language sql stable set search_path = ''
as $$
  select c.value, sum(c.customers) from private.customer_counts c
  where c.organization_id = any(p_organizations) and c.kind = p_kind
  group by c.value having sum(c.customers) <> 0
$$;
comment on function private.counts_of(uuid[], text) is 'The customers of organizations by tier (of none: an empty value) or by tag.';
grant execute on function private.counts_of(uuid[], text), private.customer_count_sums(text) to service_role;
