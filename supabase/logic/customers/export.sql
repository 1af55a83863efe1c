-- The customers' list as a file: pages of the list with what the file shows of each customer, and nothing
-- that costs a look at their visits.

create or replace function public.export_customers(
  p_export uuid, p_filters jsonb default '{}', p_sort text default 'recent', p_after_key text default null,
  p_after_id uuid default null,
  p_limit integer default 2000, p_now timestamptz default now())
returns json
-- To compile the query of a page takes longer than to run it.
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set jit = off
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_column text := case p_sort when 'recent' then 'sort_visit' when 'name' then 'sort_name'
    when 'spend' then 'total_spend' when 'visits' then 'total_visits' end;
  v_type text := case p_sort when 'recent' then 'timestamptz' when 'name' then 'text'
    when 'spend' then 'numeric' when 'visits' then 'integer' end;
  v_zone text := private.zone_of(v_organization);
  v_where text;
  v_names json;
  v_values text;
  v_page json;
begin
  p_now := private.clock(p_now);
  perform private.refuse_unknown_export(p_export, 'customers', p_filters);
  if v_column is null then
    raise exception 'unknown sort "%"', p_sort using errcode = '22023';
  end if;
  v_where := private.customers_where(v_organization, p_filters, p_now);
  if p_after_id is not null then
    v_where := v_where || format(' and (c.%I, c.id) %s ($3::%s, $4)',
      v_column, case when p_sort = 'name' then '>' else '<' end, v_type);
  end if;
  -- A page names its columns once: with every value, the names would be most of the page.
  select json_agg(c.name order by c.place), string_agg(c.value, ', ' order by c.place) into v_names, v_values
  from (
    select f.name, format('c.%I', f.name) as value, f.place
    from unnest(private.customer_fields()) with ordinality as f (name, place)
    union all
    select d.name, d.value, 100 + d.place from (values
      (1, 'tier', '(select t.name from public.loyalty_tiers t where t.id = c.loyalty_tier_id)'),
      (2, 'visits', 'c.total_visits'), (3, 'spend', 'c.total_spend'),
      (4, 'spend_is_estimate', 'c.spend_is_estimate'), (5, 'points', 'c.points'),
      (6, 'last_visit', 'c.last_visit_on'), (7, 'source', 'c.source'),
      (8, 'created', format('(c.created_at at time zone %L)::date', v_zone))) as d (place, name, value)
    union all
    -- Most have visited and have nothing on record: they need no call of the function.
    select 'consent_' || w.channel,
      format($sql$case when exists (select 1 from public.suppressions s where s.organization_id = $1
          and s.channel = %1$L and s.address in (%2$s)) then 'opted_out'
        when c.consents = '{}' and c.total_visits > 0 then 'existing_customer'
        else private.consent_basis(c.consents, c.total_visits, %1$L) end$sql$, w.channel, w.addresses),
      200 + w.place
    from (values (1, 'email', 'c.email'), (2, 'sms', 'c.phone'),
      (3, 'whatsapp', 'coalesce(c.phone, c.whatsapp_id), c.whatsapp_id')) as w (place, channel, addresses)
    union all
    -- As private.further_contacts, which cannot be asked for each row.
    select w.kind || 's', format($sql$array(select a.%1$I from public.customer_aliases a
      where a.customer_id = c.id and a.%1$I <> coalesce(c.%1$I, '') group by a.%1$I
      order by min(a.created_at), a.%1$I)$sql$, w.kind), 300 + w.place
    from (values (1, 'email'), (2, 'phone')) as w (place, kind)
  ) as c;
  -- The rows come in the order of the page, so that their lists need no sorting.
  execute format($sql$
    select json_build_object('columns', $6, 'rows', coalesce(json_agg(json_build_array(%4$s)), '[]'),
      'next', case when count(*) = $5 then json_build_object(
        'key', (array_agg(c.%1$I))[$5]::text, 'id', (array_agg(c.id))[$5]) end)
    from (select * from public.customers c where c.organization_id = $1 %3$s
      order by c.%1$I %2$s, c.id %2$s limit $5) as c$sql$,
    v_column, case when p_sort = 'name' then 'asc' else 'desc' end, v_where, v_values)
  into v_page using v_organization, p_filters, p_after_key, p_after_id, greatest(least(p_limit, 5000), 1),
    v_names;
  return v_page;
end
$$;
comment on function public.export_customers(uuid, jsonb, text, text, uuid, integer, timestamptz) is
  'A keyset page of the caller''s customers for the file of a download that log_customers_export started with the same filters: {columns, rows, next: {key, id} or null}. columns names the values of each row: those of private.customer_fields, tier, visits, spend, spend_is_estimate, points, last_visit, source, created, consent_email, consent_sms, consent_whatsapp (a basis or opted_out), emails, phones. Sort and filters as list_customers.';
grant execute on function public.export_customers(uuid, jsonb, text, text, uuid, integer, timestamptz)
  to authenticated;
