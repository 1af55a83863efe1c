-- Schema 20261130022357. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

alter table public.dining_tables
  add column plan_x smallint check (plan_x between 0 and 39),
  add column plan_y smallint check (plan_y between 0 and 29),
  add column shape text not null default 'square' check (shape in ('round', 'square', 'rectangle')),
  add column turned boolean not null default false,
  add column joinable boolean not null default true,
  add constraint dining_tables_plan_check check ((plan_x is null) = (plan_y is null));
create index customer_aliases_search_idx on public.customer_aliases
  using gin (private.fold(coalesce(email, phone)) extensions.gin_trgm_ops)
  where email is not null or phone is not null;

-- Policies, comments, rights

comment on table public.customer_aliases is
  'Further addresses of customers, by staff, from merges and from bookings under another e-mail: match keys after the customers'' own e-mails and phones.';
comment on column public.dining_tables.plan_x is
  'The column of its top left cell on the plan of its zone, from 0; null as plan_y: not placed. Its size follows from shape and capacity (components/tables/plan-geometry.ts).';
comment on column public.dining_tables.plan_y is
  'The row of its top left cell on the plan of its zone, from 0.';
comment on column public.dining_tables.turned is
  'A rectangle that stands upright on the plan.';
comment on column public.dining_tables.joinable is
  'Whether it is proposed together with other tables. Staff may join any.';

-- >> supabase/logic/customers/changes.sql
-- Creating and changing customers. Tables stay read-only to people; these functions run with their owner's
-- rights and check who calls. Each leaves a line in audit_log.

-- The plan is kept, as that of consents_json is.
create or replace function private.customers_json(p_customers public.customers[]) returns setof jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select (to_jsonb(c) - array['organization_id', 'updated_at', 'sort_name', 'sort_visit', 'search_text',
    'birth_day',
      'email_key', 'loyalty_tier_id', 'consents', 'ordinality'])
    || jsonb_build_object(
      'loyalty_tier', case when t.id is not null then jsonb_build_object('id', t.id, 'name', t.name) end,
      'consent', held.consent, 'allergies', coalesce(a.codes, '[]'),
      'emails', coalesce(f.emails, '{}'), 'phones', coalesce(f.phones, '{}'))
  from unnest(p_customers) with ordinality as c
  join private.consents_json(p_customers) as held on held.customer_id = c.id
  left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
  left join private.allergy_codes(array(select one.id from unnest(p_customers) as one)) as a
    on a.customer_id = c.id
  left join private.further_contacts(p_customers) as f on f.customer_id = c.id
  order by c.ordinality;
end
$$;
comment on function private.customers_json(public.customers[]) is
  'Each of the customers as the API gives it, in their order.';

create or replace function private.customer_json(p_customer public.customers) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (select shown.customer from private.customers_json(array[p_customer]) as shown (customer));
end
$$;
comment on function private.customer_json(public.customers) is 'A customer as the API gives it.';

create or replace function private.customer_fields() returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select array['email', 'phone', 'first_name', 'last_name', 'birth_date', 'company', 'job_title', 'address',
    'postal_code', 'tags', 'notes', 'location_id']
$$;
comment on function private.customer_fields() is
  'The columns of customers that people edit, the GUEST_FIELDS of lib/customers/guest-fields.ts: what save_customer takes and an export shows. A file brings all but the location. A merge chooses from them (all but the tags) and from the WhatsApp id.';

create or replace function private.write_customer_fields(p_next public.customers[],
  p_also text[] default '{}') returns void
language plpgsql volatile set search_path = ''
as $$
begin
  execute (
    select format('update public.customers c set (%1$s) = row(%2$s) from unnest($1) as n where c.id = n.id',
      string_agg(quote_ident(f), ', '), string_agg(format('n.%I', f), ', '))
    from unnest(private.customer_fields() || p_also) as f)
  using p_next;
end
$$;
comment on function private.write_customer_fields(public.customers[], text[]) is
  'Writes the columns of customer_fields, and p_also, to the customers with these ids, and no other column.';
grant execute on function private.customer_fields(), private.write_customer_fields(public.customers[], text[])
  to service_role;

create or replace function private.checked_column(p_table text, p_constraint text) returns text
language sql stable set search_path = ''
as $$
  select a.attname::text from pg_catalog.pg_constraint k
  join pg_catalog.pg_class t on t.oid = k.conrelid
  join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  where k.connamespace = 'public'::regnamespace and t.relname = p_table and k.conname = p_constraint
$$;
comment on function private.checked_column(text, text) is
  'The column that a check of a table is about, the first where there are several: to name the field whose value was refused.';

create or replace function public.save_customer(p_fields jsonb, p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_editable constant text[] := private.customer_fields();
  v_fields jsonb := (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) as f
    where f.key = any(v_editable));
  v_wishes constant jsonb := p_fields -> 'consent';
  v_old public.customers;
  v_next public.customers;
  v_changed text[];
  v_obstacle jsonb;
  v_edited jsonb;
  v_check text;
  v_held jsonb;
  v_wanted jsonb;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  perform private.lock_identities(v_organization);
  if p_id is not null then
    select * into v_old from public.customers where id = p_id and organization_id = v_organization for update;
    if v_old.id is null then
      return jsonb_build_object('outcome', 'not_found');
    end if;
  end if;
  v_next := jsonb_populate_record(v_old, v_fields);
  v_next.tags := coalesce(v_next.tags, '{}');
  v_held := private.contacts_of(v_old);
  v_wanted := private.wanted_contacts(p_fields, v_held, v_next);
  if p_id is not null and p_fields ? 'loaded' then
    v_edited := private.edited_meanwhile(to_jsonb(jsonb_populate_record(v_old, p_fields -> 'loaded'))
        || v_held || private.lists_of(p_fields -> 'loaded'),
      to_jsonb(v_old) || v_held, to_jsonb(v_next) || v_wanted, v_fields || private.lists_of(p_fields));
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
  end if;
  select array_agg(n.key order by n.key) into v_changed from jsonb_each(to_jsonb(v_next) || v_wanted) as n
  where n.key = any(v_editable || array['emails', 'phones'])
    and n.value is distinct from (to_jsonb(v_old) || v_held) -> n.key;
  if p_id is not null and v_changed is null and v_wishes is null then
    return jsonb_build_object('outcome', 'saved', 'customer', private.customer_json(v_old));
  end if;
  if coalesce(v_next.email, v_next.phone, v_next.first_name, v_next.last_name) is null then
    return jsonb_build_object('outcome', 'nameless');
  end if;
  if v_next.location_id is distinct from v_old.location_id and v_next.location_id is not null and not exists (
    select 1 from public.locations l where l.id = v_next.location_id
      and l.id = any(array(select private.my_locations()))
  ) then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  -- Else they could make guests of other locations their own, to write to or to erase.
  if v_next.location_id is distinct from v_old.location_id
    and v_old.location_id <> all(array(select private.my_locations())) then
    return jsonb_build_object('outcome', 'foreign_location');
  end if;
  v_next.organization_id := v_organization;
  v_obstacle := coalesce(private.contact_obstacle(p_fields, v_held, v_wanted, v_old, v_next),
    private.consent_obstacle(v_next, v_wishes));
  if v_obstacle is not null then
    return v_obstacle;
  end if;
  begin
    if p_id is null then
      insert into public.customers (organization_id, source) values (v_organization, 'Manual')
        returning id into v_next.id;
    end if;
    if p_id is null or v_changed is not null then
      perform private.write_customer_fields(array[v_next]);
      perform private.suggest_for(v_next.id);
    end if;
    if v_changed && array['email', 'phone', 'emails', 'phones'] then
      -- Someone who opted out at an address stays opted out when another one takes its place.
      perform private.inherit_opt_outs(array[v_old]);
      perform private.write_contacts(v_next, v_wanted);
      perform private.keep_opt_outs(v_old, v_held, v_next, v_wanted);
    end if;
  exception
    when unique_violation then
      get stacked diagnostics v_check = constraint_name;
      return case v_check
        when 'customer_aliases_email_key'
          then jsonb_build_object('outcome', 'contact_taken', 'field', 'emails')
        else jsonb_build_object('outcome', 'duplicate_email') end;
    when check_violation then
      get stacked diagnostics v_check = constraint_name;
      return jsonb_build_object('outcome', 'malformed', 'field', coalesce(
        private.checked_column('customers', v_check),
        private.checked_column('customer_aliases', v_check) || 's'));
  end;
  if p_id is not null then
    perform private.keep_name(v_old, p_id);
  end if;
  if p_id is null or v_changed is not null then
    perform private.audit(v_organization,
      case when p_id is null then 'customer.created' else 'customer.changed' end,
      v_next.id, case when p_id is null then '{}' else jsonb_build_object('fields', to_jsonb(v_changed)) end);
  end if;
  perform private.record_consent(v_next.id, v_wishes);
  select * into v_next from public.customers where id = v_next.id;
  return jsonb_build_object('outcome', 'saved', 'customer', private.customer_json(v_next));
end
$$;
comment on function public.save_customer(jsonb, uuid) is
  'Creates a customer, or changes the fields given; emails and phones replace their further ones: outcome saved (with customer), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), nameless, unknown_location, foreign_location (of the customer: the caller does not work in their usual one), duplicate_email, contact_taken (with the field of the further one, as emails.1, and the contact), too_many_contacts (with its field), malformed (with its field: a check of the table refuses it), forbidden, or for a consent (with its channel) no_address_for or address_refused.';
grant execute on function public.save_customer(jsonb, uuid) to authenticated;
-- << supabase/logic/customers/changes.sql

-- >> supabase/logic/customers/export.sql
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
-- << supabase/logic/customers/export.sql

-- >> supabase/logic/customers/further.sql
-- Further e-mails and phones of guests, from their aliases: what staff see and change of them. Bookings find
-- the guest by all of them; messages go to the customer's own e-mail and phone.

-- The plan is kept, as that of consents_json is.
create or replace function private.further_contacts(p_customers public.customers[])
  returns table (customer_id uuid, emails text[], phones text[])
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select f.id,
    coalesce(array_agg(f.email order by f.since, f.email) filter (where f.email is not null), '{}'),
    coalesce(array_agg(f.phone order by f.since, f.phone) filter (where f.phone is not null), '{}')
  from (
    -- A merge leaves a phone twice that both had.
    select c.id, a.email, a.phone, min(a.created_at) as since
    from unnest(p_customers) as c
    join public.customer_aliases a on a.customer_id = c.id
      and (a.email is distinct from c.email and a.email is not null
        or a.phone is distinct from c.phone and a.phone is not null)
    group by c.id, a.email, a.phone) as f
  group by f.id;
end
$$;
comment on function private.further_contacts(public.customers[]) is
  'The further e-mails and phones of those of the customers that have any, without the first ones, in the order in which they were added.';

create or replace function private.contacts_of(p_customer public.customers) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return jsonb_build_object('emails', '[]'::jsonb, 'phones', '[]'::jsonb) || coalesce((
    select jsonb_build_object('emails', to_jsonb(f.emails), 'phones', to_jsonb(f.phones))
    from private.further_contacts(array[p_customer]) as f), '{}');
end
$$;
comment on function private.contacts_of(public.customers) is
  'The further contacts of one customer: {emails, phones}; of null both are empty.';

create or replace function private.wanted_contacts(p_fields jsonb, p_held jsonb, p_next public.customers)
  returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(k.kind, coalesce(wanted.list, '[]'))
  from (values ('emails', p_next.email), ('phones', p_next.phone)) as k (kind, first)
  cross join lateral (
    select jsonb_agg(one.value order by one.held, one.place) as list
    from (
      select e.value, min(e.place) as place, min(h.place) as held
      from jsonb_array_elements_text(coalesce(p_fields -> k.kind, p_held -> k.kind)) with ordinality
        as e (value, place)
      left join jsonb_array_elements_text(p_held -> k.kind) with ordinality as h (value, place)
        on h.value = e.value
      where e.value <> coalesce(k.first, '')
      group by e.value) as one
  ) as wanted
$$;
comment on function private.wanted_contacts(jsonb, jsonb, public.customers) is
  'The further contacts {emails, phones} after a change: the lists given, else those held, without the first and without doubles. What was held comes first, in its order.';

create or replace function private.is_email_taken(p_organization uuid, p_email text, p_by uuid[])
  returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from public.customers c where c.organization_id = p_organization
      and c.email = p_email and c.id <> all(p_by))
    or exists (select from public.customer_aliases a where a.organization_id = p_organization
      and a.email = p_email and a.customer_id <> all(p_by))
$$;
comment on function private.is_email_taken(uuid, text, uuid[]) is
  'Whether a customer other than these has the e-mail, as the first or a further one.';

create or replace function private.contact_obstacle(p_fields jsonb, p_held jsonb, p_wanted jsonb,
  p_old public.customers, p_next public.customers) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_own constant uuid[] := array_remove(array[p_old.id], null);
  v_taken jsonb;
begin
  if p_next.email is distinct from p_old.email
    and private.is_email_taken(p_next.organization_id, p_next.email, v_own) then
    return jsonb_build_object('outcome', 'duplicate_email');
  end if;
  -- What the customer has stays theirs, though another may share it or the list be longer.
  with added as materialized (
    select k.kind, w.value
    from (values ('emails', p_old.email), ('phones', p_old.phone)) as k (kind, first)
    cross join lateral jsonb_array_elements_text(p_wanted -> k.kind) as w (value)
    where w.value <> coalesce(k.first, '') and not p_held -> k.kind ? w.value
  ), found as (
    select a.kind, a.value, true as is_taken from added a
    where case a.kind
      when 'emails' then private.is_email_taken(p_next.organization_id, a.value, v_own)
      else exists (select from private.phone_owners(p_next.organization_id, array[a.value]) as o
        where o.customer_id <> all(v_own)) end
    union all
    select distinct a.kind, null, false from added a where jsonb_array_length(p_wanted -> a.kind) > 20
  )
  select case when f.is_taken
    then jsonb_build_object('outcome', 'contact_taken', 'field', f.kind || '.' || (e.place - 1),
      'contact', f.value)
    else jsonb_build_object('outcome', 'too_many_contacts', 'field', f.kind) end
  into v_taken
  from found f
  left join lateral jsonb_array_elements_text(p_fields -> f.kind) with ordinality as e (value, place)
    on e.value = f.value
  order by f.is_taken, f.kind, e.place limit 1;
  return v_taken;
end
$$;
comment on function private.contact_obstacle(jsonb, jsonb, jsonb, public.customers, public.customers) is
  'Why the contacts of a customer (p_old null: a new one) cannot become p_next and p_wanted: {outcome: duplicate_email}, contact_taken (with the field, as emails.1, and the contact) or too_many_contacts (with its field); else null. Call it under lock_identities.';

create or replace function private.write_contacts(p_customer public.customers, p_wanted jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Former names and WhatsApp ids stay, and a phone that both of a merge had stays twice, for its undo.
  delete from public.customer_aliases a where a.customer_id = p_customer.id
    and (a.email is not null and not p_wanted -> 'emails' ? a.email
      or a.phone is not null and not p_wanted -> 'phones' ? a.phone);
  -- One microsecond apart, so that they keep their order.
  insert into public.customer_aliases (organization_id, customer_id, email, phone, created_at)
  select p_customer.organization_id, p_customer.id, case k.kind when 'emails' then w.value end,
    case k.kind when 'phones' then w.value end, now() + w.place * interval '1 microsecond'
  from (values ('emails'), ('phones')) as k (kind)
  cross join lateral jsonb_array_elements_text(p_wanted -> k.kind) with ordinality as w (value, place)
  where not exists (select from public.customer_aliases a
    where a.customer_id = p_customer.id and w.value in (a.email, a.phone));
end
$$;
comment on function private.write_contacts(public.customers, jsonb) is
  'Makes these the customer''s further contacts {emails, phones}; names and WhatsApp ids among the aliases stay.';

create or replace function private.inherit_opt_outs(p_before public.customers[]) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_from text[];
  v_to text[];
begin
  if p_before = '{}' then
    return;
  end if;
  select array_agg(s.former), array_agg(s.first) into v_from, v_to
  from unnest(p_before) as b
  join public.customers c on c.id = b.id
  cross join lateral (values (b.email, c.email, true), (b.phone, c.phone, false))
    as k (former, first, is_mail)
  cross join lateral (
    select k.former, k.first where k.former is not null
    union
    select coalesce(a.email, a.phone), k.first from public.customer_aliases a
    where k.former is null and a.customer_id = c.id and case when k.is_mail then a.email else a.phone end
      is not null) as s
  where k.first is not null and k.first is distinct from k.former;
  perform private.carry_opt_outs(b.organization_id, v_from, v_to) from unnest(p_before[:1]) as b;
end
$$;
comment on function private.inherit_opt_outs(public.customers[]) is
  'After the e-mail or phone of customers changed from these rows: what the person opted out of holds for the new one. Where there was none before, what holds for their further ones counts. All of one organization.';
grant execute on function private.inherit_opt_outs(public.customers[]) to service_role;

create or replace function private.keep_opt_outs(p_old public.customers, p_held jsonb,
  p_next public.customers, p_wanted jsonb) returns void
language sql volatile set search_path = ''
as $$
  select private.carry_opt_outs(p_next.organization_id, array_agg(s.former), array_agg(t.further))
  from (values ('emails', p_old.email, p_next.email), ('phones', p_old.phone, p_next.phone))
    as k (kind, former, first)
  cross join lateral (
    select k.former where k.former is not null
    union select jsonb_array_elements_text(p_held -> k.kind) where k.former is null) as s (former)
  cross join lateral jsonb_array_elements_text(p_wanted -> k.kind) as t (further)
  where k.first is null
$$;
comment on function private.keep_opt_outs(public.customers, jsonb, public.customers, jsonb) is
  'After a change that leaves a customer without a first e-mail or phone: what they opted out of holds for the further ones, so that the next first one inherits it.';

create or replace function private.lists_of(p_fields jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) as f
  where f.key in ('emails', 'phones')
$$;
comment on function private.lists_of(jsonb) is 'The further contacts among the fields of a change.';
-- << supabase/logic/customers/further.sql

-- >> supabase/logic/customers/merge_undo.sql
-- Undoing a merge: the merged customer is restored under the former id, with its records. Later changes stay
-- with the remaining customer: new reservations, and every field, tag or fact that was changed since.

create or replace function private.undo_messages(p_merge uuid, p_kept uuid, p_gone uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_owner uuid;
begin
  -- The restored customer's first: they have the keys and the places in runs that the others get back.
  foreach v_owner in array array[p_gone, p_kept] loop
    update public.messages m set dedupe_key = r.was ->> 'dedupe_key',
      customer_id = case when m.customer_id is null or m.customer_id = p_kept then v_owner
      else m.customer_id end, recipient = coalesce(m.recipient, r.was ->> 'recipient'),
      content = case when m.content = '{}' then coalesce(nullif(r.was -> 'content', 'null'), '{}')
        else m.content end
    from private.merged_rows r
    where r.merge_id = p_merge and r.source = 'public.messages' and r.role = 'changed' and m.id = r.row_id
      and (r.was ->> 'customer_id')::uuid = v_owner;
    if v_owner = p_gone then
      update public.messages m set customer_id = p_gone
      from private.merged_rows r
      where r.merge_id = p_merge and r.source = 'public.messages' and r.role = 'moved' and m.id = r.row_id
        and m.customer_id = p_kept;
    end if;
  end loop;
end
$$;
comment on function private.undo_messages(uuid, uuid, uuid) is
  'Gives both customers their messages back, with their keys. A message that the merge took out of the queue is not sent any more.';

create or replace function private.undo_facts(p_merge uuid, p_kept uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.customer_facts k using private.merged_rows m
  where m.merge_id = p_merge and m.source = 'public.customer_facts' and m.was -> 'kept' = 'null'
    and k.customer_id = p_kept and k.code = m.was #>> '{gone,code}'
    and k.recorded_at = (m.was #>> '{after,recorded_at}')::timestamptz;
  update public.customer_facts k set note = m.was #>> '{kept,note}'
  from private.merged_rows m
  where m.merge_id = p_merge and m.source = 'public.customer_facts' and m.was -> 'kept' <> 'null'
    and k.customer_id = p_kept and k.code = m.was #>> '{gone,code}'
    and k.recorded_at = (m.was #>> '{after,recorded_at}')::timestamptz;
  insert into public.customer_facts
  select f.* from private.merged_rows m
  cross join lateral jsonb_populate_record(null::public.customer_facts, m.was -> 'gone') as f
  where m.merge_id = p_merge and m.source = 'public.customer_facts';
end
$$;
comment on function private.undo_facts(uuid, uuid) is
  'Gives the restored customer their facts back. Facts recorded since stay with the remaining one too: an allergy is better recorded twice.';

create or replace function private.undo_points(p_merge uuid, p_kept uuid, p_gone uuid) returns void
language sql volatile set search_path = ''
as $$
  with visits as (
    select r.row_id as id, exists (
      select 1 from public.reservations v where v.id = r.row_id and v.customer_id = p_gone) as back
    from private.merged_rows r
    where r.merge_id = p_merge and r.source = 'public.reservations' and r.role = 'moved'
  )
  -- Entries of a visit move with the visit, also later ones; other entries move if the merge moved them.
  update public.loyalty_points p set customer_id = p_gone
  where p.customer_id = p_kept and case when p.reservation_id in (select v.id from visits v)
    then p.reservation_id in (select v.id from visits v where v.back) and not exists (
      select 1 from private.merged_rows r
      where r.merge_id = p_merge and r.source = 'public.loyalty_points' and r.role = 'own'
        and r.row_id = p.id)
    else exists (
      select 1 from private.merged_rows r
      where r.merge_id = p_merge and r.source = 'public.loyalty_points' and r.role = 'moved'
        and r.row_id = p.id) end
$$;
comment on function private.undo_points(uuid, uuid, uuid) is
  'Gives the restored customer their points back, after their reservations.';

create or replace function private.undo_pairs(p_merge uuid, p_kept uuid, p_gone uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  update public.customer_pairs k set first_id = least(p_gone, t.other), second_id = greatest(p_gone, t.other)
  from (
    select o.id, case o.first_id when p_kept then o.second_id else o.first_id end as other
    from private.merged_rows r join public.customer_pairs o on o.id = r.row_id
    where r.merge_id = p_merge and r.source = 'public.customer_pairs' and r.role = 'moved'
      and p_kept in (o.first_id, o.second_id)
  ) as t where k.id = t.id;
  -- Who was in such a pair may have been merged since: then it is about that customer, until that is undone
  -- too.
  with recursive other as (
    select r.row_id as pair, r.was, case r.was ->> 'first_id' when p_gone::text then r.was ->> 'second_id'
      else r.was ->> 'first_id' end::uuid as id, null::uuid as merge_id
    from private.merged_rows r
    where r.merge_id = p_merge and r.source = 'public.customer_pairs' and r.role = 'removed'
    union all
    select o.pair, o.was, m.kept_id, m.id from other o
    join public.customer_merges m on m.gone_id = o.id and m.undone_at is null
  ), back as (
    insert into public.customer_pairs (id, organization_id, first_id, second_id, verdict, author_id,
      author_name, decided_at)
    select o.pair, c.organization_id, least(p_gone, c.id), greatest(p_gone, c.id), o.was ->> 'verdict', p.id,
      o.was ->> 'author_name', (o.was ->> 'decided_at')::timestamptz
    from other o join public.customers c on c.id = o.id
    left join public.profiles p on p.id = (o.was ->> 'author_id')::uuid
    where c.id <> p_gone
    on conflict do nothing
    returning id
  )
  insert into private.merged_rows (merge_id, source, role, row_id, was)
  select o.merge_id, 'public.customer_pairs', case when b.id is null then 'removed' else 'moved' end, o.pair,
    case when b.id is null then o.was end
  from other o left join back b on b.id = o.pair
  -- Where another pair says so of the two already, it waits in the first of those merges.
  where o.merge_id is not null and (b.id is not null or exists (
    select 1 from public.customer_merges m
      where m.id = o.merge_id and m.gone_id::text in (o.was ->> 'first_id', o.was ->> 'second_id')));
  insert into public.customer_pairs (organization_id, first_id, second_id, verdict, author_id, author_name)
  select m.organization_id, least(p_kept, p_gone), greatest(p_kept, p_gone), 'different',
    (select private.caller()), coalesce(private.my_name(), private.actor_name())
  from public.customer_merges m where m.id = p_merge
  on conflict (first_id, second_id) do nothing;
end
$$;
comment on function private.undo_pairs(uuid, uuid, uuid) is
  'Restores the verdicts "not the same person" of the restored customer, and marks the two as different people, so that they are not suggested again.';

create or replace function private.undo_aliases(p_merge uuid, p_kept uuid, p_gone uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.customer_aliases a using private.merged_rows r
  where r.merge_id = p_merge and r.source = 'public.customer_aliases' and r.role = 'added' and a.id = r.row_id
    and a.customer_id = p_kept;
  insert into public.customer_aliases (id, organization_id, customer_id, email, phone, whatsapp_id, name,
    created_at)
  select f.id, c.organization_id, c.id, f.email, f.phone, f.whatsapp_id, f.name, f.created_at
  from private.merged_rows r
  cross join lateral jsonb_populate_record(null::public.customer_aliases, r.was) as f
  join public.customers c on c.id = f.customer_id
  where r.merge_id = p_merge and r.source = 'public.customer_aliases' and r.role = 'removed'
  on conflict do nothing;
  -- The e-mail of a customer must not be an alias of another.
  delete from public.customer_aliases a using public.customers c
  where c.id in (p_kept, p_gone) and a.organization_id = c.organization_id and a.email = c.email;
  delete from public.customer_aliases a using private.merged_rows r, public.customers c
  where r.merge_id = p_merge and r.source = 'public.customer_aliases' and r.role = 'removed'
    and a.id = r.row_id
    and c.organization_id = a.organization_id and c.email = a.email;
  -- Staff may have kept the restored customer's first phone as a further one of the remaining.
  delete from public.customer_aliases a using public.customers c, private.merged_customers r,
    public.customer_merges m
  where c.id = p_gone and a.customer_id = p_kept and a.phone = c.phone and r.merge_id = p_merge
    and r.kept_before ->> 'phone' is distinct from a.phone and m.id = p_merge and a.created_at > m.merged_at;
  -- What staff took from the list since is theirs again, unless another has it by now.
  insert into public.customer_aliases (id, organization_id, customer_id, email, phone, created_at)
  select f.id, c.organization_id, c.id, f.email, f.phone, f.created_at
  from private.merged_rows r
  cross join lateral jsonb_populate_record(null::public.customer_aliases, r.was) as f
  join public.customers c on c.id = p_gone
  where r.merge_id = p_merge and r.source = 'public.customer_aliases' and r.role = 'moved'
    and (f.email is not null and not private.is_email_taken(c.organization_id, f.email, '{}')
      or f.phone is not null and not exists (
        select from private.phone_owners(c.organization_id, array[f.phone])))
  on conflict do nothing;
end
$$;
comment on function private.undo_aliases(uuid, uuid, uuid) is
  'Removes the former addresses and names that the merge added to the remaining customer, so that a booking matches the right one, and gives the restored customer their further ones back, as far as nobody has them.';

create or replace function private.lost_contacts(p_merge uuid, p_kept uuid, p_gone uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'kept', coalesce(jsonb_agg(distinct lost.list) filter (where lost.owner = p_kept), '[]'),
    'restored', coalesce(jsonb_agg(distinct lost.list) filter (where lost.owner = p_gone), '[]'))
  from (
    select case when f.email is not null then 'emails' else 'phones' end as list, c.id as owner
    from private.merged_rows r
    cross join lateral jsonb_populate_record(null::public.customer_aliases, r.was) as f
    join public.customers c on c.id = case r.role when 'moved' then p_gone else f.customer_id end
    where r.merge_id = p_merge and r.source = 'public.customer_aliases' and r.role in ('moved', 'removed')
      and coalesce(f.email, f.phone) is not null
      and coalesce(f.email = c.email, f.phone = c.phone) is not true
      and not exists (select from public.customer_aliases a
        where a.customer_id = c.id and (a.email = f.email or a.phone = f.phone))) as lost
$$;
comment on function private.lost_contacts(uuid, uuid, uuid) is
  'After the undo of a merge: {kept, restored}, of each of both emails and phones when one of their further ones did not come back.';

create or replace function private.undo_references(p_merge uuid, p_kept uuid, p_gone uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_link record;
begin
  perform private.undo_messages(p_merge, p_kept, p_gone);
  for v_link in
    select * from private.links_to_customers() as l
    where l.has_id and l.source::text not in ('public.messages', 'public.customer_pairs',
      'public.loyalty_points')
  loop
    execute format('update %1$s t set %2$I = $1 from private.merged_rows r
      where r.merge_id = $2 and r.source = %3$L and r.field = %4$L and r.role = ''moved'' and t.id = r.row_id
        and t.%2$I = $3', v_link.source, v_link.field, v_link.source::text, v_link.field)
    using p_gone, p_merge, p_kept;
  end loop;
  perform private.undo_points(p_merge, p_kept, p_gone);
  perform private.undo_facts(p_merge, p_kept);
  perform private.undo_pairs(p_merge, p_kept, p_gone);
  perform private.undo_aliases(p_merge, p_kept, p_gone);
end
$$;
comment on function private.undo_references(uuid, uuid, uuid) is
  'Moves the rows that the merge moved back to the restored customer, where they still refer to the remaining one.';

create or replace function private.share_opt_outs(p_organization uuid, p_since timestamptz, p_from text[],
  p_customers uuid[]) returns void
language sql volatile set search_path = ''
as $$
  insert into public.suppressions as s (organization_id, channel, address, reason, author, note, created_at)
  select distinct on (g.channel, theirs.address) p_organization, g.channel, theirs.address,
    case g.reason when 'complaint' then 'unsubscribe' when 'bounce' then g.opt_out else g.reason end,
    g.author, g.note, g.created_at
  from public.suppressions g
  join (
    select w.channel, own.address from public.customers c
    cross join unnest(array['whatsapp', 'sms', 'email']) as w (channel)
    cross join lateral (
      select unnest(private.addresses_of(c, w.channel))
      union
      -- The next first one inherits it from them.
      select case w.channel when 'email' then a.email else a.phone end from public.customer_aliases a
      where a.customer_id = c.id and case w.channel when 'email' then c.email else c.phone end is null
    ) as own (address)
    where c.id = any(p_customers)
  ) as theirs on theirs.channel = g.channel and theirs.address <> g.address
  where g.organization_id = p_organization and g.address = any(p_from)
    and (g.reason <> 'bounce' or g.opt_out is not null) and g.created_at > p_since
  order by g.channel, theirs.address, private.suppression_rank(g.reason) desc, g.created_at
  on conflict (organization_id, channel, address) do update
    set reason = excluded.reason, author = excluded.author, note = excluded.note,
      created_at = excluded.created_at
    where private.adds_to(excluded.reason, s)
$$;
comment on function private.share_opt_outs(uuid, timestamptz, text[], uuid[]) is
  'Applies opt-outs since the merge at any of the addresses to both customers, at their current addresses: the first ones, or the further ones of a customer without. A bounce applies only to its address.';

create or replace function private.undo_obstacle(p_merge public.customer_merges) returns jsonb
language sql stable set search_path = ''
as $$
  select case
    when (p_merge).undone_at is not null then '{"outcome": "already_undone"}'::jsonb
    when (p_merge).merged_at <= now() - interval '30 days' then '{"outcome": "too_old"}'
    else (
      -- A later merge of the same customer has to be undone first.
      select jsonb_build_object('outcome', 'merged_since', 'later_id', m.id) from public.customer_merges m
      where m.kept_id = (p_merge).kept_id and m.undone_at is null and m.merged_at > (p_merge).merged_at
      order by m.merged_at desc limit 1) end
$$;
comment on function private.undo_obstacle(public.customer_merges) is
  'The reason why a merge cannot be undone now: outcome already_undone, too_old, or merged_since (with later_id, which comes first). Null: it can.';

create or replace function public.undo_merge(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_merge public.customer_merges;
  v_now public.customers;
  v_obstacle jsonb;
  v_addresses text[];
  v_lost jsonb;
begin
  perform private.lock_identities(v_organization);
  select * into v_merge from public.customer_merges
    where id = p_id and organization_id = v_organization for update;
  if v_merge.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  v_obstacle := private.undo_obstacle(v_merge);
  if v_obstacle is not null then
    return v_obstacle;
  end if;
  select * into v_now from public.customers where id = v_merge.kept_id for update;
  select array_remove(array[v_now.email, v_now.phone, v_now.whatsapp_id, r.gone ->> 'email',
    r.gone ->> 'phone',
      r.gone ->> 'whatsapp_id', r.kept_before ->> 'email', r.kept_before ->> 'phone',
      r.kept_before ->> 'whatsapp_id']
    || array(select coalesce(a.email, a.phone, a.whatsapp_id) from public.customer_aliases a
    where a.customer_id = v_now.id), null)
  into v_addresses from private.merged_customers r where r.merge_id = p_id;

  v_lost := private.undo_customers(p_id, v_now);
  perform private.undo_references(p_id, v_merge.kept_id, v_merge.gone_id);
  select jsonb_object_agg(k.key, k.value || (v_lost -> k.key)) into v_lost
  from jsonb_each(private.lost_contacts(p_id, v_merge.kept_id, v_merge.gone_id)) as k;
  perform private.share_opt_outs(v_organization, v_merge.merged_at, v_addresses,
    array[v_merge.kept_id, v_merge.gone_id]);
  perform private.refresh_customers(array[v_merge.kept_id, v_merge.gone_id]);

  delete from private.merged_customers where merge_id = p_id;
  delete from private.merged_rows where merge_id = p_id;
  update public.customer_merges set undone_at = greatest(now(), merged_at),
    undone_by = coalesce(private.my_name(), private.actor_name())
  where id = p_id;
  perform private.audit(v_organization, 'customer.merge_undone', v_merge.kept_id,
    jsonb_build_object('other_id', v_merge.gone_id)),
    private.audit(v_organization, 'customer.merge_undone', v_merge.gone_id,
    jsonb_build_object('other_id', v_merge.kept_id));
  return jsonb_build_object('outcome', 'undone', 'not_restored', v_lost,
    'kept', (select private.customer_json(c) from public.customers c where c.id = v_merge.kept_id),
    'restored', (select private.customer_json(c) from public.customers c where c.id = v_merge.gone_id));
end
$$;
comment on function public.undo_merge(uuid) is
  'Undoes a merge: outcome undone (with kept, restored and not_restored: the fields of each that could not be put back, emails and phones for further ones), not_found, already_undone, too_old or merged_since (with later_id).';

create or replace function public.list_merges(p_customer uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'merged_at', m.merged_at, 'author_name',
    m.author_name,
    'undone_at', m.undone_at, 'undone_by', m.undone_by, 'obstacle', o.why ->> 'outcome', 'later_id',
    o.why ->> 'later_id',
    'customer', jsonb_build_object('id', m.gone_id, 'name',
      coalesce(nullif(btrim(concat_ws(' ', g.first_name, g.last_name)), ''),
      g.email, g.phone)),
    'moved', (
      select jsonb_build_object('reservations', count(*) filter (where r.source = 'public.reservations'),
        'messages', count(*) filter (where r.source = 'public.messages'),
        'tickets', count(*) filter (where r.source = 'public.tickets'),
        'calendar_events', count(*) filter (where r.source = 'public.calendar_events'))
      from private.merged_rows r where r.merge_id = m.id and r.role = 'moved'))
        order by m.merged_at desc, m.id), '[]')
  from (
    select * from public.customer_merges h
    where h.kept_id = p_customer
      and h.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    order by h.merged_at desc limit 100
  ) as m
  cross join lateral (select private.undo_obstacle(m)) as o (why)
  left join private.merged_customers s on s.merge_id = m.id
  left join public.customers c on c.id = m.gone_id
  cross join lateral jsonb_populate_record(null::public.customers, coalesce(s.gone, to_jsonb(c))) as g
$$;
comment on function public.list_merges(uuid) is
  'The merges of the last 30 days into a customer, the latest 100 first, [{id, merged_at, author_name, undone_at, undone_by, obstacle, later_id, customer, moved}].';
grant execute on function public.undo_merge(uuid), public.list_merges(uuid) to authenticated;
-- << supabase/logic/customers/merge_undo.sql

-- >> supabase/logic/customers/merge_undo_fields.sql
-- What an undone merge gives back to the customers themselves: fields, tags, consents and tier of both.

create or replace function private.undo_fields(p_now public.customers, p_before public.customers,
  p_after public.customers)
returns text[]
language sql stable set search_path = ''
as $$
  select coalesce(array_agg(f order by f) filter (where to_jsonb(p_now) -> f is distinct
    from to_jsonb(p_after) -> f), '{}')
  from unnest(array_remove(array_remove(private.customer_fields(), 'tags'), 'location_id')
    || array['whatsapp_id']) as f
  where to_jsonb(p_before) -> f is distinct from to_jsonb(p_after) -> f
$$;
comment on function private.undo_fields(public.customers, public.customers, public.customers) is
  'The fields that a merge changed and that were changed again since: they keep their current values.';

create or replace function private.undo_consents(p_now jsonb, p_before jsonb, p_after jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(c.channel, c.record) filter (where c.record is not null), '{}')
  from (
    select channel, case when p_now -> channel is not distinct
      from p_after -> channel then p_before -> channel
      else p_now -> channel end as record
    from unnest(array['whatsapp', 'sms', 'email']) as channel
  ) as c
$$;
comment on function private.undo_consents(jsonb, jsonb, jsonb) is
  'The consents before a merge, except for channels with a consent recorded since.';

create or replace function private.withdrawn_since(p_restored jsonb, p_now jsonb, p_after jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select p_restored || coalesce((
    select jsonb_object_agg(w.key, w.value) from jsonb_each(p_now) as w
    where w.value ->> 'basis' = 'none' and w.value is distinct from p_after -> w.key), '{}')
$$;
comment on function private.withdrawn_since(jsonb, jsonb, jsonb) is
  'The consents of the restored customer, without those withdrawn while both were merged, because it is unknown which of the two withdrew.';

create or replace function private.insert_customer(p_customer public.customers) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Every column that is not computed, so that none is forgotten.
  execute (
    select format('insert into public.customers (%1$s) select %1$s from (select ($1).*) as c',
      string_agg(quote_ident(a.attname), ', ' order by a.attnum))
    from pg_catalog.pg_attribute a
    where a.attrelid = 'public.customers'::regclass and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '')
  using p_customer;
end
$$;
comment on function private.insert_customer(public.customers) is 'Creates a customer again, as it was.';

create or replace function private.undo_customers(p_merge uuid, p_now public.customers) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_record private.merged_customers;
  v_before public.customers;
  v_after public.customers;
  v_gone public.customers;
  v_next public.customers;
  v_stays text[];
  v_missing text[] := '{}';
begin
  select * into v_record from private.merged_customers where merge_id = p_merge;
  v_before := jsonb_populate_record(null::public.customers, v_record.kept_before);
  v_after := jsonb_populate_record(null::public.customers, v_record.kept_after);
  v_gone := jsonb_populate_record(null::public.customers, v_record.gone);

  v_stays := private.undo_fields(p_now, v_before, v_after);
  v_next := jsonb_populate_record(p_now, (
    select coalesce(jsonb_object_agg(b.key, b.value), '{}') from jsonb_each(to_jsonb(v_before)) as b
    where b.key = any(private.customer_fields() || array['whatsapp_id', 'created_at'])
      and b.key <> 'tags' and to_jsonb(p_now) -> b.key is not distinct from to_jsonb(v_after) -> b.key));
  v_next.tags := array(
    select t.tag from unnest(p_now.tags) with ordinality as t (tag, position)
    where t.tag = any(v_before.tags) or t.tag <> all(v_after.tags) order by t.position);
  v_next.consents := private.undo_consents(p_now.consents, v_before.consents, v_after.consents);
  v_gone.consents := private.withdrawn_since(v_gone.consents, p_now.consents, v_after.consents);
  select t.id into v_next.loyalty_tier_id from (select 1) as one
    left join public.loyalty_tiers t on t.id = v_before.loyalty_tier_id;
  select t.id into v_gone.loyalty_tier_id from (select 1) as one
    left join public.loyalty_tiers t on t.id = v_gone.loyalty_tier_id;
  select l.id into v_next.location_id from (select 1) as one
    left join public.locations l on l.id = v_next.location_id;
  select l.id into v_gone.location_id from (select 1) as one
    left join public.locations l on l.id = v_gone.location_id;

  -- An e-mail belongs to one customer: another one may have got it since, as the first or a further one.
  if v_next.email is distinct from p_now.email
    and private.is_email_taken(p_now.organization_id, v_next.email, array[p_now.id]) then
    v_stays := v_stays || 'email'::text;
    -- It keeps its present e-mail, unless that is the restored customer's.
    v_next.email := nullif(p_now.email, v_gone.email);
  end if;
  if v_gone.email = v_next.email
    or private.is_email_taken(p_now.organization_id, v_gone.email, array[p_now.id]) then
    v_missing := v_missing || 'email'::text;
    v_gone.email := null;
  end if;

  perform private.write_customer_fields(array[v_next]);
  update public.customers c set whatsapp_id = v_next.whatsapp_id, loyalty_tier_id = v_next.loyalty_tier_id,
    consents = v_next.consents, created_at = v_next.created_at
  where c.id = v_next.id;
  perform private.insert_customer(v_gone);
  return jsonb_build_object('kept', to_jsonb(v_stays), 'restored', to_jsonb(v_missing));
end
$$;
comment on function private.undo_customers(uuid, public.customers) is
  'Restores the remaining customer''s fields, where they still have the merge''s values, and creates the other customer again: {kept, restored}, the fields that could not be restored.';
-- << supabase/logic/customers/merge_undo_fields.sql

-- >> supabase/logic/customers/merges.sql
-- Merging two customers who are one person. merge_undo.sql takes it back.

create or replace function private.merge_messages(p_merge uuid, p_from uuid, p_to uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Two messages are about one thing when their keys differ by the customer only, or one run wrote both by
  -- one channel. The message that may have been sent is kept, else the remaining customer's; the other one,
  -- if queued, is not sent.
  with theirs as (
    select m.*, replace(m.dedupe_key, p_from::text, p_to::text) as next_key,
      row_number() over (order by m.status in ('skipped', 'failed'), m.status = 'queued',
        m.customer_id = p_from, m.id) as place
    from public.messages m where m.customer_id in (p_from, p_to)
  ), pairs as (
    select b.id, bool_or(b.next_key = a.next_key) as same_key, bool_or(coalesce(b.run_id = a.run_id, false)
      and b.channel = a.channel and b.reservation_id is not distinct from a.reservation_id) as same_run
    from theirs b join theirs a on a.place < b.place and a.customer_id <> b.customer_id
    group by b.id
  ), recorded as (
    insert into private.merged_rows (merge_id, source, role, row_id, was)
    select p_merge, 'public.messages', 'changed', m.id, jsonb_build_object('customer_id', m.customer_id,
      'dedupe_key', m.dedupe_key, 'recipient', m.recipient, 'content',
      case when p.same_run then m.content end)
    from pairs p join theirs m on m.id = p.id where p.same_key or p.same_run
  )
  update public.messages m set
    dedupe_key = case when pairs.same_key then m.dedupe_key || ':merged:' || m.id else m.dedupe_key end,
    -- One run has one message for a customer.
    customer_id = case when not pairs.same_run then m.customer_id end,
    recipient = case when not pairs.same_run then m.recipient end,
    content = case when not pairs.same_run then m.content else '{}' end,
    reason = case when m.status = 'queued' then 'merged' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  from pairs where pairs.id = m.id and (pairs.same_key or pairs.same_run);
  with renamed as (
    select m.id, m.dedupe_key from public.messages m
    where m.customer_id = p_from and m.dedupe_key <> replace(m.dedupe_key, p_from::text, p_to::text)
  ), recorded as (
    insert into private.merged_rows (merge_id, source, role, row_id, was)
    select p_merge, 'public.messages', 'changed', r.id,
      jsonb_build_object('customer_id', p_from, 'dedupe_key', r.dedupe_key)
    from renamed r where not exists (
      select 1 from private.merged_rows k
      where k.merge_id = p_merge and k.source = 'public.messages' and k.role = 'changed' and k.row_id = r.id)
  )
  update public.messages m set dedupe_key = replace(m.dedupe_key, p_from::text, p_to::text)
  from renamed r where r.id = m.id;
end
$$;
comment on function private.merge_messages(uuid, uuid, uuid) is
  'Before a merge: of two messages with the same subject only one is kept, and the keys name the remaining customer, so that no automation sends another.';

create or replace function private.merge_facts(p_merge uuid, p_from uuid, p_to uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into private.merged_rows (merge_id, source, role, was)
  select p_merge, 'public.customer_facts', 'changed',
    jsonb_build_object('gone', to_jsonb(f), 'kept', to_jsonb(k))
  from public.customer_facts f
  left join public.customer_facts k on k.customer_id = p_to and k.code = f.code
  where f.customer_id = p_from;
  with doubled as (
    delete from public.customer_facts f using public.customer_facts k
    where f.customer_id = p_from and k.customer_id = p_to and k.code = f.code
    returning f.code, f.note
  )
  update public.customer_facts k
  set note = left(concat_ws(' · ', k.note, nullif(d.note, k.note)), 200)
  from doubled d where k.customer_id = p_to and k.code = d.code and d.note is not null;
  update public.customer_facts f set customer_id = p_to where f.customer_id = p_from;
  update private.merged_rows m set was = m.was || jsonb_build_object('after', to_jsonb(k))
  from public.customer_facts k
  where m.merge_id = p_merge and m.source = 'public.customer_facts' and k.customer_id = p_to
    and k.code = m.was #>> '{gone,code}';
end
$$;
comment on function private.merge_facts(uuid, uuid, uuid) is
  'Before a merge: facts recorded for both customers are kept once, with the notes of both.';

create or replace function private.merge_pairs(p_merge uuid, p_from uuid, p_to uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  with theirs as (
    select k.*, case k.first_id when p_from then k.second_id else k.first_id end as other
    from public.customer_pairs k where p_from in (k.first_id, k.second_id)
  ), gone as (
    delete from public.customer_pairs k using theirs t
    where k.id = t.id and (t.other = p_to or exists (
      select 1 from public.customer_pairs o
      where o.first_id = least(p_to, t.other) and o.second_id = greatest(p_to, t.other)))
    returning k.*
  )
  insert into private.merged_rows (merge_id, source, role, row_id, was)
  select p_merge, 'public.customer_pairs', 'removed', g.id, to_jsonb(g) from gone g;
  -- The row stays the same, so that merges of the other one find it too.
  with moved as (
    update public.customer_pairs k set first_id = least(p_to, t.other), second_id = greatest(p_to, t.other)
    from (
      select o.id, case o.first_id when p_from then o.second_id else o.first_id end as other
      from public.customer_pairs o where p_from in (o.first_id, o.second_id)
    ) as t where k.id = t.id
    returning k.id
  )
  insert into private.merged_rows (merge_id, source, role, row_id)
  select p_merge, 'public.customer_pairs', 'moved', m.id from moved m;
end
$$;
comment on function private.merge_pairs(uuid, uuid, uuid) is
  'Before a merge: verdicts "not the same person" about the merged customer are copied to the remaining one.';

create or replace function private.links_to_customers()
  returns table (source regclass, field name, has_id boolean)
language sql stable set search_path = ''
as $$
  select f.conrelid::regclass, a.attname, exists (
    select 1 from pg_catalog.pg_attribute i
    where i.attrelid = f.conrelid and i.attname = 'id' and i.atttypid = 'uuid'::regtype)
  from pg_catalog.pg_constraint f
  join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
  where f.contype = 'f' and f.confrelid = 'public.customers'::regclass
  order by f.conrelid::regclass::text, a.attname
$$;
comment on function private.links_to_customers() is
  'Every column with a foreign key to customers, found in the catalogue. Rows without an id cannot be separated again by id.';

create or replace function private.move_references(p_merge uuid, p_from uuid, p_to uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_link record;
begin
  perform private.merge_messages(p_merge, p_from, p_to);
  perform private.merge_facts(p_merge, p_from, p_to);
  perform private.merge_pairs(p_merge, p_from, p_to);
  perform private.forget_identity(p_from);
  -- Derived data: refresh_customers computes the rhythm of both.
  delete from public.customer_rhythms k where k.customer_id = p_from;
  -- Both have entries for the same visit, which was moved between them.
  insert into private.merged_rows (merge_id, source, role, row_id)
  select p_merge, 'public.loyalty_points', 'own', p.id from public.loyalty_points p
  join public.reservations r on r.id = p.reservation_id
  where p.customer_id = p_to and r.customer_id = p_from;
  for v_link in select * from private.links_to_customers() loop
    if v_link.has_id then
      execute format('with moved as (update %1$s set %2$I = $1 where %2$I = $2 returning id)
        insert into private.merged_rows (merge_id, source, field, role, row_id)
        select $3, %3$L, %4$L, ''moved'', id from moved', v_link.source, v_link.field, v_link.source::text, v_link.field)
      using p_to, p_from, p_merge;
    else
      execute format('update %1$s set %2$I = $1 where %2$I = $2', v_link.source, v_link.field)
        using p_to, p_from;
    end if;
  end loop;
end
$$;
comment on function private.move_references(uuid, uuid, uuid) is
  'Points every reference to the one customer at the other, and records which.';

create or replace function private.keep_addresses(p_kept public.customers, p_gone public.customers,
  p_next public.customers) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.customer_aliases a where a.customer_id = p_next.id
    and (a.email = p_next.email or a.phone = p_next.phone);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select p_next.organization_id, p_next.id, lost from unnest(array[p_kept.email, p_gone.email]) as lost
  where lost <> p_next.email
  on conflict (organization_id, email) where email is not null do update
    set customer_id = excluded.customer_id;
  insert into public.customer_aliases (organization_id, customer_id, phone)
  select p_next.organization_id, p_next.id, lost from unnest(array[p_kept.phone, p_gone.phone]) as lost
  where lost <> p_next.phone and not exists (
    select 1 from public.customer_aliases a where a.customer_id = p_next.id and a.phone = lost);
  insert into public.customer_aliases (organization_id, customer_id, whatsapp_id)
  select p_next.organization_id, p_next.id, lost
    from unnest(array[p_kept.whatsapp_id, p_gone.whatsapp_id]) as lost
  where lost <> p_next.whatsapp_id and not exists (
    select 1 from public.customer_aliases a where a.customer_id = p_next.id and a.whatsapp_id = lost);
end
$$;
comment on function private.keep_addresses(public.customers, public.customers, public.customers) is
  'After a merge: the addresses of both that the remaining customer does not use become its aliases.';

create or replace function private.record_aliases(p_merge uuid, p_customer uuid, p_before jsonb) returns void
language sql volatile set search_path = ''
as $$
  insert into private.merged_rows (merge_id, source, role, row_id, was)
  select p_merge, 'public.customer_aliases', case when b.id is null then 'added' else 'removed' end,
    coalesce(b.id, n.id), b.was
  from (select (a.value ->> 'id')::uuid as id, a.value as was from jsonb_array_elements(p_before) as a) as b
  full join (select a.id from public.customer_aliases a where a.customer_id = p_customer) as n on n.id = b.id
  where b.id is null or n.id is null;
  update private.merged_rows m set was = a.value
  from jsonb_array_elements(p_before) as a (value)
  where m.merge_id = p_merge and m.source = 'public.customer_aliases' and m.role = 'moved'
    and m.row_id = (a.value ->> 'id')::uuid
$$;
comment on function private.record_aliases(uuid, uuid, jsonb) is
  'After a merge: records the former addresses and names that it added and removed, and what those that it moved were.';

create or replace function private.merge_opt_outs(p_kept public.customers, p_gone public.customers,
  p_next public.customers, p_aliases jsonb) returns void
language sql volatile set search_path = ''
as $$
  select private.carry_opt_outs(p_next.organization_id, array_agg(s.former), array_agg(k.first))
  from (values (p_kept.id, 'email', p_kept.email, p_next.email),
    (p_gone.id, 'email', p_gone.email, p_next.email), (p_kept.id, 'phone', p_kept.phone, p_next.phone),
    (p_gone.id, 'phone', p_gone.phone, p_next.phone)) as k (customer_id, kind, former, first)
  cross join lateral (
    select k.former where k.former is not null
    union
    select a.value ->> k.kind from jsonb_array_elements(p_aliases) as a
    where k.former is null and a.value ->> 'customer_id' = k.customer_id::text) as s (former)
  where k.first is not null and s.former is not null
$$;
comment on function private.merge_opt_outs(public.customers, public.customers, public.customers, jsonb) is
  'After a merge: what each of both opted out of holds for the remaining first e-mail and phone. For a side that had none, what holds for its further ones (of p_aliases, those before the merge) counts.';

create or replace function private.taken_fields(p_kept public.customers, p_gone public.customers,
  p_fields text[]) returns jsonb
language sql stable set search_path = ''
as $$
  -- Blanks are filled from the duplicate; named fields are taken from it when it has them.
  select coalesce(jsonb_object_agg(g.key, g.value), '{}') from jsonb_each(to_jsonb(p_gone)) as g
  where g.key = any(array_remove(private.customer_fields(), 'tags') || array['whatsapp_id'])
    and g.value <> 'null'
    -- Only who works at the usual location may replace it, as in save_customer.
    and (g.key <> 'location_id' or p_kept.location_id is null
      or p_kept.location_id = any(array(select private.my_locations())))
    and (g.key = any(p_fields) or to_jsonb(p_kept) -> g.key = 'null'
      -- The WhatsApp id belongs to the number.
      or g.key = 'whatsapp_id' and 'phone' = any(p_fields))
$$;
comment on function private.taken_fields(public.customers, public.customers, text[]) is
  'The fields, with their values, that the remaining customer of a merge takes from the duplicate.';

create or replace function private.merged_customer(p_kept public.customers, p_gone public.customers,
  p_taken jsonb) returns public.customers
language plpgsql stable set search_path = ''
as $$
declare
  c public.customers := jsonb_populate_record(p_kept, p_taken);
begin
  -- Notes may mention an allergy, so both texts are kept.
  if not p_taken ? 'notes' and p_gone.notes <> p_kept.notes then
    c.notes := left(p_kept.notes || E'\n' || p_gone.notes, 20000);
  end if;
  c.tags := array(
    select t.tag from unnest(p_kept.tags || p_gone.tags) with ordinality as t (tag, position)
    group by t.tag order by min(t.position) limit 200);
  c.loyalty_tier_id := (select t.id from public.loyalty_tiers t
    where t.id in (p_kept.loyalty_tier_id, p_gone.loyalty_tier_id) order by t.rank desc limit 1);
  c.consents := private.merged_consents(p_kept.consents, p_gone.consents);
  return c;
end
$$;
comment on function private.merged_customer(public.customers, public.customers, jsonb) is
  'What becomes of the remaining customer in a merge, with the fields taken from the duplicate.';

create or replace function public.merge_customers(p_id uuid, p_duplicate_id uuid,
  p_fields text[] default '{}') returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_merge uuid := gen_random_uuid();
  v_kept public.customers;
  v_gone public.customers;
  v_next public.customers;
  v_taken jsonb;
  v_aliases jsonb;
begin
  if p_id = p_duplicate_id then
    return jsonb_build_object('outcome', 'same');
  end if;
  perform private.lock_identities(v_organization);
  perform 1 from public.customers where id in (p_id, p_duplicate_id) and organization_id = v_organization
  order by id for update;
  select * into v_kept from public.customers where id = p_id and organization_id = v_organization;
  select * into v_gone from public.customers where id = p_duplicate_id and organization_id = v_organization;
  if v_kept.id is null or v_gone.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;

  v_taken := private.taken_fields(v_kept, v_gone, p_fields);
  v_next := private.merged_customer(v_kept, v_gone, v_taken);

  -- The order of merges decides which can be undone next; two merges may have the same time.
  insert into public.customer_merges (id, organization_id, kept_id, gone_id, author_id, author_name,
    merged_at)
  select v_merge, v_organization, p_id, p_duplicate_id, (select private.caller()),
    coalesce(private.my_name(), private.actor_name()),
    greatest(clock_timestamp(), max(m.merged_at) + interval '1 microsecond')
  from public.customer_merges m where m.kept_id in (p_id, p_duplicate_id);
  select coalesce(jsonb_agg(to_jsonb(a)), '[]') into v_aliases
  from public.customer_aliases a where a.customer_id in (p_id, p_duplicate_id);

  perform private.move_references(v_merge, p_duplicate_id, p_id);
  delete from public.customers where id = p_duplicate_id;
  perform private.write_customer_fields(array[v_next]);
  update public.customers c set whatsapp_id = v_next.whatsapp_id, loyalty_tier_id = v_next.loyalty_tier_id,
    consents = v_next.consents, created_at = least(v_kept.created_at, v_gone.created_at)
  where c.id = p_id;
  perform private.keep_addresses(v_kept, v_gone, v_next);
  perform private.keep_name(v_kept, p_id), private.keep_name(v_gone, p_id);
  perform private.record_aliases(v_merge, p_id, v_aliases);
  perform private.share_whatsapp_stop(v_organization, private.whatsapp_addresses_of(p_id));
  perform private.merge_opt_outs(v_kept, v_gone, v_next, v_aliases);

  perform private.refresh_customers(array[p_id]);
  select * into v_next from public.customers where id = p_id;
  insert into private.merged_customers (merge_id, gone, kept_before, kept_after)
  values (v_merge, to_jsonb(v_gone), to_jsonb(v_kept), to_jsonb(v_next));
  perform private.audit(v_organization, 'customer.merged', p_id,
    jsonb_build_object('duplicate_id', p_duplicate_id,
    'fields', array(select k from jsonb_object_keys(v_taken) as k order by k)));
  return jsonb_build_object('outcome', 'merged', 'customer', private.customer_json(v_next), 'merge_id',
    v_merge);
end
$$;
comment on function public.merge_customers(uuid, uuid, text[]) is
  'Makes one customer of two: outcome merged (with customer, and the merge_id by which it can be undone for 30 days), same or not_found. p_fields are taken from the duplicate.';
grant execute on function public.merge_customers(uuid, uuid, text[]) to authenticated;
-- << supabase/logic/customers/merges.sql

-- >> supabase/logic/customers/search.sql
-- Finding and reading customers: the list with its filters, and what a customer's page shows.

create or replace function private.birth_days(p_from date, p_days integer) returns smallint[]
language sql stable set search_path = ''
as $$
  select array(
    select (extract(month from p_from + n) * 100 + extract(day from p_from + n))::smallint
    from generate_series(0, p_days) as n
    union
    -- In common years a birthday on 29 February is celebrated on the 28th.
    select 229::smallint from generate_series(0, p_days) as n
    where to_char(p_from + n, 'MMDD') = '0228' and to_char(p_from + n + 1, 'MMDD') = '0301')
$$;
comment on function private.birth_days(date, integer) is
  'The values of customers.birth_day from that date on, for so many days.';

create or replace function private.guest_search(p_organization uuid, p_patterns text[]) returns text
language plpgsql stable set search_path = ''
as $$
begin
  -- A search has at most 200 characters; each pattern is a condition to plan.
  if cardinality(p_patterns) > 100 then
    raise exception 'too many patterns' using errcode = '22023';
  end if;
  -- Few guests are named by their ids, for which an index beside that of the text is enough. Of more than a
  -- count counts all would take a second to read: each guest is asked, until the page is full. Without its
  -- offset Postgres would read all nevertheless.
  return coalesce((
    select string_agg(case
      when found.ids is null then format(' and c.search_text like %L', p.pattern)
      when cardinality(found.ids) <= 500
        then format(' and (c.search_text like %L or c.id = any(%L::uuid[]))', p.pattern, found.ids)
      when cardinality(found.ids) <= 5000
        then format(' and (c.search_text like %1$L or c.id in (select a.customer_id
          from public.customer_aliases a where a.organization_id = %2$L
            and (a.email is not null or a.phone is not null)
            and private.fold(coalesce(a.email, a.phone)) like %1$L))', p.pattern, p_organization)
      else format(' and (c.search_text like %1$L or exists (select from public.customer_aliases a
        where a.customer_id = c.id and (a.email is not null or a.phone is not null)
          and private.fold(coalesce(a.email, a.phone)) like %1$L offset 0))', p.pattern) end, '')
    from unnest(p_patterns) as p (pattern)
    -- Two letters stand in most addresses, and no index serves them.
    left join lateral (
      select nullif(array(
        select a.customer_id from public.customer_aliases a
        where length(p.pattern) >= 5 and a.organization_id = p_organization
          and (a.email is not null or a.phone is not null)
          and private.fold(coalesce(a.email, a.phone)) like p.pattern limit 5001), '{}')
      ) as found (ids) on true), '');
end
$$;
comment on function private.guest_search(uuid, text[]) is
  'The condition of a query of customers c for a search: each pattern of LIKE in name, company, an e-mail or a phone, further ones included.';

create or replace function private.customers_where(p_organization uuid, p_filters jsonb, p_now timestamptz)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_inactive_since timestamptz := p_now - make_interval(days => (p_filters ->> 'inactive_days')::integer);
  v_bound uuid[] := private.bound_to();
  v_rhythm text;
  v_where text := '';
begin
  -- Only conditions that apply enter the query, so that each one is planned for what it is.
  if p_filters -> 'ids' is not null then
    v_where := v_where || format(' and c.id = any(%L::uuid[])',
      array(select jsonb_array_elements_text(p_filters -> 'ids')::uuid));
  end if;
  if p_filters ->> 'search' is not null then
    v_where := v_where || private.guest_search(p_organization, array(
      select jsonb_array_elements_text(p_filters -> 'search')));
  end if;
  if p_filters ->> 'tier' is not null then
    v_where := v_where || format(' and c.loyalty_tier_id = any(%L::uuid[])', array(
      select t.id from public.loyalty_tiers t
      where t.organization_id = p_organization and p_filters ->> 'tier' in (t.id::text, t.name)));
  end if;
  if p_filters ->> 'location_id' is not null then
    v_where := v_where || ' and c.location_id = ($2 ->> ''location_id'')::uuid';
  end if;
  if p_filters ->> 'tag' is not null
    then v_where := v_where || ' and c.tags @> array[$2 ->> ''tag'']'; end if;
  if p_filters ->> 'consent' is not null then
    v_where := v_where || private.consent_condition(p_filters ->> 'consent');
  end if;
  case p_filters ->> 'segment'
    when 'inactive' then
      v_inactive_since := least(v_inactive_since, p_now - interval '90 days');
    when 'new' then
      v_where := v_where || format(' and c.created_at >= %L::timestamptz', p_now - interval '30 days');
    when 'vip' then
      v_where := v_where || format(' and c.loyalty_tier_id = any(%L::uuid[])', array(
        select t.id from public.loyalty_tiers t where t.organization_id = p_organization
          and t.rank >= private.vip_rank(p_organization)));
    when 'birthday' then
      v_where := v_where || format(' and c.birth_day = any(%L::smallint[])', private.birth_days(
        (p_now at time zone private.zone_of(p_organization))::date, 7));
    when 'no_show' then
      v_where := v_where
        || format(' and exists (select 1 from public.reservations r where r.customer_id = c.id
        and r.status = ''no_show'' and r.source <> ''import''%s)', case when v_bound is not null then
        format(' and r.location_id = any(%L::uuid[])', v_bound) end);
    else
      if p_filters ->> 'segment' is not null then
        raise exception 'unknown segment "%"', p_filters ->> 'segment' using errcode = '22023';
      end if;
  end case;
  if p_filters ->> 'rhythm' is not null then
    v_rhythm := private.rhythm_state(p_filters ->> 'rhythm', 'k',
      (p_now at time zone private.zone_of(p_organization))::date);
    if v_rhythm is null then
      raise exception 'unknown rhythm "%"', p_filters ->> 'rhythm' using errcode = '22023';
    end if;
    v_where := v_where || format(' and c.id in (select k.customer_id from public.customer_rhythms k
      where k.organization_id = $1 and %s)', v_rhythm);
  end if;
  if p_filters ->> 'segment_id' is not null then
    v_where := v_where || format(' and c.id in (select found.id from (%s) as found)',
      private.segment_source(p_organization, (p_filters ->> 'segment_id')::uuid, p_now));
  end if;
  if v_inactive_since is not null then
    v_where := v_where || format(' and c.sort_visit < %L::timestamptz and c.sort_visit > ''-infinity''',
      v_inactive_since);
  end if;
  return v_where;
end
$$;
comment on function private.customers_where(uuid, jsonb, timestamptz) is
  'The condition of a query of customers c: $1 is the organization, $2 the object of the filters (customerFilters in lib/customers/filters.ts), to which a selection adds its ids.';

-- The customer list as one function. Under RLS Postgres cannot use an index for LIKE (it is not leakproof),
-- so the function checks the caller's right itself, once, and reads with its owner's.
create or replace function public.list_customers(
  p_filters jsonb default '{}', p_sort text default 'recent', p_after_key text default null,
  p_after_id uuid default null, p_limit integer default 50, p_now timestamptz default now())
returns table (customer jsonb, key text)
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_column text := case p_sort when 'recent' then 'sort_visit' when 'name' then 'sort_name'
    when 'spend' then 'total_spend' when 'visits' then 'total_visits' end;
  v_type text := case p_sort when 'recent' then 'timestamptz' when 'name' then 'text'
    when 'spend' then 'numeric' when 'visits' then 'integer' end;
  v_ascending boolean := p_sort = 'name';
  v_where text;
  v_page text;
  v_ids uuid[];
  v_source text;
  v_customers public.customers[];
begin
  p_now := private.clock(p_now);
  if v_column is null then
    raise exception 'unknown sort "%"', p_sort using errcode = '22023';
  end if;
  v_where := private.customers_where(v_organization, p_filters - 'segment_id', p_now);
  if p_filters ->> 'segment_id' is not null then
    -- A segment alone has what the usual order needs; otherwise its customers are looked up.
    v_source := case when v_where = '' and p_sort = 'recent' then 'found c'
      else 'found join public.customers c on c.id = found.id and c.organization_id = $1' end;
  end if;
  if p_after_id is not null then
    v_where := v_where || format(' and (c.%I, c.id) %s ($3::%s, $4)',
      v_column, case when v_ascending then '>' else '<' end, v_type);
  end if;
  v_page := format('%s order by c.%I %3$s, c.id %3$s limit $5',
    v_where, v_column, case when v_ascending then 'asc' else 'desc' end);
  if p_filters ->> 'segment_id' is null then
    execute format('select array(select c from public.customers c where c.organization_id = $1 %s)', v_page)
    into v_customers using v_organization, p_filters, p_after_key, p_after_id, least(p_limit, 201);
  else
    -- The ids of the page first: as a statement of its own it may be counted by two processes.
    execute format('with found as materialized (%s) select array(select c.id from %s where true %s)',
      private.segment_source(v_organization, (p_filters ->> 'segment_id')::uuid, p_now), v_source, v_page)
    into v_ids using v_organization, p_filters, p_after_key, p_after_id, least(p_limit, 201);
    v_customers := array(select c from unnest(v_ids) with ordinality as page (id, place)
      join public.customers c on c.id = page.id order by page.place);
  end if;
  return query
  select shown.customer, case p_sort when 'recent' then to_jsonb(c.sort_visit) #>> '{}'
    when 'name' then c.sort_name
    when 'spend' then c.total_spend::text else c.total_visits::text end
  from private.customers_json(v_customers) with ordinality as shown (customer, place)
  join unnest(v_customers) with ordinality as c on c.ordinality = shown.place
  order by shown.place;
end
$$;
comment on function public.list_customers(jsonb, text, text, uuid, integer, timestamptz) is
  'A keyset page of the caller''s customers as the API gives them, each with its key in the order: sort recent, name, spend or visits; filters as private.customers_where has them.';

create or replace function public.count_customers(
  p_filters jsonb default '{}', p_most integer default 5000, p_now timestamptz default now()) returns integer
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set enable_hashagg = off
  set jit = off
  set parallel_setup_cost = 100 set parallel_tuple_cost = 0.01
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_count integer;
begin
  p_now := private.clock(p_now);
  execute format(
    'select count(*)::integer from (select 1 from public.customers c where c.organization_id = $1 %s limit $3) as found',
    private.customers_where(v_organization, p_filters, p_now))
  into v_count using v_organization, p_filters, least(p_most, 5000) + 1;
  return v_count;
end
$$;
comment on function public.count_customers(jsonb, integer, timestamptz) is
  'How many customers of the caller match the filters; it stops counting at one more than p_most.';

-- Runs with the caller's rights, so each kind of event appears only to those who may read its table.
create or replace function public.customer_timeline(p_customer uuid, p_kinds text[] default null,
  p_before timestamptz default null, p_before_id uuid default null, p_limit integer default 50)
returns table (kind text, id uuid, at timestamptz, details jsonb)
language sql stable set search_path = ''
as $$
  select e.kind, e.id, e.at, e.details
  from (
    select 'reservation' as kind, r.id,
      (r.reservation_date + r.reservation_time) at time zone l.timezone as at,
      jsonb_build_object('date', r.reservation_date, 'time', to_char(r.reservation_time, 'HH24:MI'),
        'location', l.name, 'party_size', r.party_size, 'status', r.status, 'notes', r.notes,
        'zone_name', r.zone_name, 'table_name', r.table_name, 'total_amount', r.total_amount, 'visited',
        r.visited,
        'estimated_amount', case when r.visited and r.total_amount is null
          then r.party_size * l.average_spend_per_guest end) as details
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = p_customer and r.source <> 'import'
    union all
    select 'message', m.id, coalesce(m.sent_at, m.created_at),
      jsonb_build_object('channel', m.channel, 'status', m.status, 'reason', m.reason, 'kind', m.kind,
        'simulated', m.simulated, 'automation', a.name, 'subject', m.content ->> 'subject',
        'opened_at', g.opened_at, 'clicked_at', g.clicked_at, 'suppression',
        coalesce(case m.kind when 'marketing' then m.detail -> 'opt_out' end, m.detail -> 'suppression'),
        'waits_until', case m.status when 'queued' then m.detail -> 'until' end,
        'filled_by', (
          select jsonb_build_object('name', u.name, 'at', coalesce(f.sent_at, f.created_at))
          from public.messages f left join public.automations u on u.id = f.automation_id
          where f.id = (m.detail ->> 'message')::uuid))
    from public.messages m left join public.automations a on a.id = m.automation_id
    left join lateral (
      select min(e.first_at) as opened_at, min(e.first_at) filter (where e.kind = 'click') as clicked_at
      from public.message_engagement e where e.message_id = m.id and e.actor = 'person'
    ) as g on true
    where m.customer_id = p_customer
    union all
    select 'ticket', t.id, t.created_at,
      jsonb_build_object('number', t.number, 'subject', t.subject, 'status', t.status, 'priority', t.priority)
    from public.tickets t where t.customer_id = p_customer
    union all
    select 'feedback', f.id, f.answered_at,
      jsonb_build_object('score', f.score, 'words', f.words, 'location', l.name, 'ticket_id', f.ticket_id)
    from public.feedback f join public.locations l on l.id = f.location_id
    where f.customer_id = p_customer
    union all
    select 'change', g.id, g.created_at,
      jsonb_build_object('action', g.action, 'fields', g.details -> 'fields',
        'before', g.details -> 'before', 'after', g.details -> 'after',
        'actor', private.actor_shown(g.actor, g.actor_id))
    from public.audit_log g
    where g.subject_id = p_customer and g.subject_type = 'customer'
  ) as e
  where (p_kinds is null or e.kind = any(p_kinds))
    and (p_before is null or (e.at, e.id) < (p_before, p_before_id))
  order by e.at desc, e.id desc
  limit least(p_limit, 201)
$$;
comment on function public.customer_timeline(uuid, text[], timestamptz, uuid, integer) is
  'A keyset page of a customer''s timeline, the latest first: the kinds reservation, message, ticket, feedback and change that the caller may read.';

-- With its owner's rights, because it counts what the role may not read; of the locations that the tables'
-- policies show.
create or replace function public.customer_belongings(p_ids uuid[])
returns table (customer_id uuid, reservations bigint, messages bigint, tickets bigint, calendar_events bigint)
language sql stable security definer set search_path = ''
as $$
  with bound as materialized (select private.bound_to() as locations)
  select c.id,
    (select count(*) from public.reservations r
      where r.customer_id = c.id and r.source <> 'import'
        and (b.locations is null or r.location_id = any(b.locations))),
    (select count(*) from public.messages m
      where m.customer_id = c.id and (b.locations is null or m.location_id = any(b.locations))),
    (select count(*) from public.tickets t
      where t.customer_id = c.id
        and (b.locations is null or t.location_id is null or t.location_id = any(b.locations))),
    (select count(*) from public.calendar_events e
      where e.customer_id = c.id
        and (b.locations is null or e.location_id is null or e.location_id = any(b.locations)))
  from public.customers c cross join bound b
  where c.id = any(p_ids)
    and c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
$$;
comment on function public.customer_belongings(uuid[]) is
  'How much refers to each of the customers in the caller''s locations; empty for someone without customer access.';

create or replace function public.customer_tags(p_limit integer default 200)
returns table (tag text, customers bigint)
language sql stable security definer set search_path = ''
as $$
  select k.value, k.customers
  from private.counts_of(array(select private.my_organizations('canAccessClientes')), 'tag') as k
  order by k.customers desc, k.value limit least(p_limit, 200)
$$;
comment on function public.customer_tags(integer) is
  'The tags of the caller''s customers, the most used first, and how many have each.';

create or replace function public.log_customers_export(p_filters jsonb) returns uuid
language sql volatile security definer set search_path = ''
as $$
  select private.start_export((select id from private.my_organizations('canAccessClientes') as id limit 1),
    'customers', p_filters)
$$;
comment on function public.log_customers_export(jsonb) is
  'Counts and logs that the caller starts to download the customers that match the filters; returns the id by which export_customers gives them and end_export ends it. Null when they may not.';
grant execute on function
  public.list_customers(jsonb, text, text, uuid, integer, timestamptz),
  public.count_customers(jsonb, integer, timestamptz),
  public.customer_timeline(uuid, text[], timestamptz, uuid, integer), public.customer_belongings(uuid[]),
  public.customer_tags(integer), public.log_customers_export(jsonb) to authenticated;
-- << supabase/logic/customers/search.sql

-- >> supabase/logic/imports/rows.sql
-- Saving a chunk of an import's rows: they are matched to customers, gathered by customer, written, and
-- linked to the import's location. lib/imports calls import_customers; rows come checked and normalised from
-- lib/imports/parse-row.ts.

create or replace function private.declared_consents(p_import uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_object_agg(channel, jsonb_build_object('basis', i.consent, 'source', 'import', 'at', now(),
    'author', coalesce(nullif(btrim(p.full_name), ''), p.email)))
  from public.import_runs i
  left join public.profiles p on p.id = i.profile_id
  cross join unnest(array['whatsapp', 'sms', 'email']) as channel
  where i.id = p_import
$$;
comment on function private.declared_consents(uuid) is 'The consent that the import declared for its customers, in the form of customers.consents.';

create or replace function private.import_read_rows(p_rows jsonb) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_rows integer;
begin
  drop table if exists pg_temp.import_batch;
  -- The columns that identify the customer, and tags, which are combined. All others are passed unchanged in
  -- details.
  create temp table import_batch on commit drop as
  select r.*,
    e.value - array['line', 'email', 'phone', 'first_name', 'last_name', 'tags', 'further_phones']
      as details,
    null::uuid as customer_id, false as is_new
  from jsonb_array_elements(p_rows) as e
  cross join jsonb_to_record(e.value) as r (
    line integer, email text, phone text, first_name text, last_name text, tags jsonb,
    further_phones text[]);
  get diagnostics v_rows = row_count;
  analyze pg_temp.import_batch;
  return v_rows;
end
$$;
comment on function private.import_read_rows(jsonb) is 'Makes pg_temp.import_batch of the rows; returns their number.';

create or replace function private.import_match_people(p_organization uuid) returns void
language sql volatile set search_path = ''
as $$
  update pg_temp.import_batch b set customer_id = m.customer_id, is_new = m.is_new
  from private.match_people(p_organization, (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('place', line, 'email', email, 'phone', phone,
      'first_name', first_name, 'last_name', last_name, 'birth_date', details -> 'birth_date',
      'address', details -> 'address', 'company', details -> 'company', 'job_title', details -> 'job_title')))
    from pg_temp.import_batch)) as m
  where b.line = m.place
$$;
comment on function private.import_match_people(uuid) is
  'Gives rows of the batch their customers: known ones, else ids for new ones (is_new).';

create or replace function private.import_gather_people() returns void
language plpgsql volatile set search_path = ''
as $$
begin
  drop table if exists pg_temp.import_people;
  create temp table import_people on commit drop as
  with tagged as (
    select customer_id, array_agg(tag order by first_line, place) as tags
    from (
      select b.customer_id, t.tag, min(b.line) as first_line, min(t.place) as place
      from pg_temp.import_batch b
      cross join lateral jsonb_array_elements_text(b.tags) with ordinality as t (tag, place)
      group by b.customer_id, t.tag
    ) as each_tag
    group by customer_id
  ), detailed as (
    -- Of a key that comes several times, jsonb keeps the last value.
    select b.customer_id, jsonb_object_agg(d.key, d.value order by b.line) as details
    from pg_temp.import_batch b cross join jsonb_each(b.details) as d
    group by b.customer_id
  )
  select b.customer_id as id, bool_or(b.is_new) as is_new,
    max(b.own_email) as email,
    (array_agg(b.phone order by b.line desc) filter (where b.phone is not null))[1] as phone,
    (array_agg(b.first_name order by (b.email = b.own_email) is true desc, b.line desc)
      filter (where b.first_name is not null))[1] as first_name,
    (array_agg(b.last_name order by (b.email = b.own_email) is true desc, b.line desc)
      filter (where b.last_name is not null))[1] as last_name,
    coalesce(d.details, '{}') as details,
    coalesce(t.tags[1:200], '{}') as tags
  from (
    select *, first_value(email) over (partition by customer_id order by email is null, line) as own_email
    from pg_temp.import_batch
  ) as b
  left join tagged t on t.customer_id = b.customer_id
  left join detailed d on d.customer_id = b.customer_id
  group by b.customer_id, t.tags, d.details;
  analyze pg_temp.import_people;
end
$$;
comment on function private.import_gather_people() is
  'Makes pg_temp.import_people, one row a customer: the last non-empty value of the batch wins. Names come first from rows with the customer''s first e-mail, then from the others.';

create or replace function private.import_write_customers(p_organization uuid, p_location uuid,
  p_consents jsonb, out created integer, out updated integer)
language plpgsql volatile set search_path = ''
as $$
declare
  -- With outdated statistics a join pairs each person with each customer: so only with those of the batch.
  v_known uuid[] := array(select id from pg_temp.import_people where not is_new);
  v_changed public.customers[];
  v_before public.customers[];
begin
  -- With the tier of someone who has not come yet: refresh_customers would write each row again for it.
  execute (
    select format($sql$
      insert into public.customers (id, organization_id, source, consents, loyalty_tier_id, %1$s)
      select p.id, $1, 'Bulk Import', $3, (
        select rule.tier_id from private.tier_rules() as rule
        where rule.location_id = $2 and rule.organization_id = $1 and rule.min_spend <= 0
          and rule.min_visits <= 0
        order by rule.rank desc limit 1), %2$s
      from pg_temp.import_people p
      cross join jsonb_populate_record(null::public.customers, p.details || jsonb_build_object(
        'email', p.email, 'phone', p.phone, 'first_name', p.first_name, 'last_name', p.last_name,
        'tags', p.tags, 'location_id', $2)) as d
      where p.is_new$sql$, string_agg(quote_ident(f), ', '), string_agg(format('d.%I', f), ', '))
    from unnest(private.customer_fields()) as f)
  using p_organization, p_location, p_consents;
  get diagnostics created = row_count;

  -- Known customers: the details of the file replace theirs; identity, names and notes only fill blanks,
  -- names matched by phone alone only where there is none at all.
  with next as materialized (
    select c as old, jsonb_populate_record(c, p.details || jsonb_build_object(
      'email', coalesce(c.email, p.email), 'phone', coalesce(c.phone, p.phone),
      'first_name', case when fill.names then coalesce(nullif(c.first_name, ''), p.first_name, c.first_name)
        else c.first_name end,
      'last_name', case when fill.names then coalesce(nullif(c.last_name, ''), p.last_name, c.last_name)
        else c.last_name end,
      'notes', coalesce(c.notes, p.details ->> 'notes'),
      'tags', (c.tags || array(select t.tag from unnest(p.tags) with ordinality as t (tag, place)
        where t.tag <> all (c.tags) order by t.place))[1:200],
      'consents', private.add_consents(c.consents, c.total_visits, p_consents))) as new
    from pg_temp.import_people p
    join public.customers c on c.id = p.id
    cross join lateral (select p.email is not null
      or (coalesce(c.first_name, '') = '' and coalesce(c.last_name, '') = '')) as fill (names)
    where not p.is_new and c.id = any(v_known)
  )
  select coalesce(array_agg(n.new), '{}'), coalesce(array_agg(n.old) filter (
    where (n.old).email is distinct from (n.new).email or (n.old).phone is distinct from (n.new).phone), '{}')
  into v_changed, v_before from next n where n.old is distinct from n.new;
  perform private.write_customer_fields(v_changed, '{consents}');
  perform private.inherit_opt_outs(v_before);
  updated := cardinality(v_changed);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select distinct p_organization, b.customer_id, b.email
  from pg_temp.import_batch b join public.customers c on c.id = b.customer_id
  where b.email <> c.email
  on conflict (organization_id, email) where email is not null do nothing;
  perform private.add_phones(p_organization, array_agg(b.customer_id order by b.line, f.place),
    array_agg(f.phone order by b.line, f.place))
  from pg_temp.import_batch b cross join unnest(b.further_phones) with ordinality as f (phone, place)
  having count(*) > 0;
end
$$;
comment on function private.import_write_customers(uuid, uuid, jsonb) is
  'Saves the people gathered: new ones at the location, known ones with what the file adds. Returns how many were created and changed.';

create or replace function private.import_link_location(p_organization uuid, p_location uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  -- Read at once: one by one, statistics from before the import make each question read the whole table.
  v_linked uuid[] := array(
    select r.customer_id from public.reservations r
    where r.customer_id = any(array(select id from pg_temp.import_people)) and r.location_id = p_location
      and r.source = 'import');
begin
  insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
    reservation_date, reservation_time, party_size, status, source, service_over)
  select p_organization, p_location, p.id, 'import:' || p_location::text || ':' || p.id::text,
    nullif(concat_ws(' ', c.first_name, c.last_name), ''), (now() at time zone l.timezone)::date,
    time '12:00', 1,
    'completed', 'import', true
  from pg_temp.import_people p
  join public.customers c on c.id = p.id
  join public.locations l on l.id = p_location
  where not exists (select from unnest(v_linked) as linked (id) where linked.id = p.id)
  on conflict (organization_id, external_id) do nothing;

  perform private.refresh_customers(array(
    select c.id from pg_temp.import_people p join public.customers c on c.id = p.id
    where not p.is_new and c.location_id is null));
end
$$;
comment on function private.import_link_location(uuid, uuid) is
  'Links the people gathered to the location: one reservation a customer and location, of source `import`, that no list or figure counts.';

create or replace function public.import_customers(p_import uuid, p_rows jsonb) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_organization uuid;
  v_location uuid;
  v_status text;
  v_rows integer;
  v_people integer;
  v_written record;
begin
  select organization_id into v_organization from public.import_runs where id = p_import;
  -- One writer of identities at a time, the sync included; the import may be cancelled while this waits.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('identity:' || v_organization::text,
    0));
  select status, location_id into v_status, v_location from public.import_runs where id = p_import;
  if v_status is distinct from 'running' then
    return jsonb_build_object('running', false);
  end if;

  -- The steps share pg_temp.import_batch, then pg_temp.import_people.
  v_rows := private.import_read_rows(p_rows);
  perform private.import_match_people(v_organization);
  perform private.import_gather_people();
  select * into v_written
  from private.import_write_customers(v_organization, v_location, private.declared_consents(p_import));
  if v_location is not null then
    perform private.import_link_location(v_organization, v_location);
  end if;

  v_people := (select count(*) from pg_temp.import_people);
  update public.import_runs set processed = processed + v_rows, imported = imported + v_rows,
    created = created + v_written.created, updated = updated + v_written.updated,
    repeated = repeated + v_rows - v_people
  where id = p_import;
  return jsonb_build_object('running', true, 'created', v_written.created, 'updated', v_written.updated,
    'unchanged', v_people - v_written.created - v_written.updated);
end
$$;
comment on function public.import_customers(uuid, jsonb) is
  'Saves a chunk of a running import''s rows, all or none, and counts them in the run. When the import is over or cancelled it saves nothing and returns {running: false}.';
grant execute on function private.declared_consents(uuid), private.import_read_rows(jsonb),
  private.import_match_people(uuid), private.import_gather_people(),
  private.import_write_customers(uuid, uuid, jsonb), private.import_link_location(uuid, uuid),
  public.import_customers(uuid, jsonb) to service_role;
-- << supabase/logic/imports/rows.sql

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261130022357', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/loyalty/standing.sql
-- What customers hold of the loyalty programme: points for visits, and their tier.

create or replace function private.vip_rank(p_organization uuid) returns integer
language sql stable set search_path = ''
as $$
  select coalesce(min(t.rank) filter (where t.name = 'Oro'), 3) from public.loyalty_tiers t
  where t.organization_id = p_organization
$$;
comment on function private.vip_rank(uuid) is
  'The rank of the tier from which a guest is a VIP: that of Oro, else 3.';

create or replace function private.settle_points(p_customers uuid[]) returns void
language sql volatile set search_path = ''
as $$
  with owed as (
    select r.customer_id, r.id as reservation_id,
      coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0) as amount,
      r.total_amount is null as estimate,
      (r.reservation_date + r.reservation_time) at time zone l.timezone as visited_at
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = any(p_customers) and r.visited
  ), entered as (
    select p.customer_id, p.reservation_id, sum(p.points) as points,
      (array_agg(p.multiplier order by p.created_at desc, p.id desc) filter (where p.kind = 'earned'))[1]
        as multiplier
    from public.loyalty_points p
    where p.customer_id = any(p_customers) and p.reservation_id is not null
    group by p.customer_id, p.reservation_id
  ), compared as materialized (
    select customer_id, reservation_id, o.amount, o.estimate, o.visited_at, coalesce(e.points, 0) as points,
      e.multiplier
    from owed o full join entered e using (customer_id, reservation_id)
  ), guests as materialized (
    -- Read once for all of them: while statistics say that the table is empty, a join would read all of it
    -- for each one.
    select g.id, g.organization_id, g.loyalty_tier_id from public.customers g where g.id = any(p_customers)
  ), due as (
    select c.organization_id, p.customer_id, p.reservation_id, p.amount, p.estimate, p.visited_at, p.points,
      rate.multiplier, least(floor(coalesce(p.amount, 0) * rate.multiplier), 1000000000) as target
    from compared p
    join guests c on c.id = p.customer_id
    left join public.loyalty_tiers held on held.id = c.loyalty_tier_id
    cross join lateral (select coalesce(p.multiplier, held.points_multiplier, 1)) as rate (multiplier)
  )
  insert into public.loyalty_points (organization_id, customer_id, reservation_id, kind, points, multiplier,
    amount, amount_is_estimate, created_at)
  select organization_id, customer_id, reservation_id,
    case when amount is null then 'taken_back' when points = 0 then 'earned' else 'corrected' end,
    (target - points)::integer, multiplier, amount,
    coalesce(estimate, false),
    -- Visits that became known together stay in their order.
    now() + row_number() over (order by visited_at, reservation_id) * interval '1 microsecond'
  from due where target <> points
$$;
comment on function private.settle_points(uuid[]) is
  'Brings the points of each of the customers'' visits to floor(EUR × multiplier): earns, corrects or takes back the difference. Under lock_identities.';

create or replace function private.points_json(p_entry public.loyalty_points) returns jsonb
language sql stable set search_path = ''
as $$ select (to_jsonb(p_entry) - array['organization_id', 'customer_id', 'author', 'author_name'])
  || jsonb_build_object('author', (p_entry).author_name, 'reservation_date', null) $$;
comment on function private.points_json(public.loyalty_points) is 'An entry of the points ledger as the API gives it.';

create or replace function public.save_points(p_customer uuid, p_kind text, p_points integer, p_reason text)
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_balance bigint;
  v_points bigint := case p_kind when 'redeemed' then -p_points::bigint when 'adjusted' then p_points end;
  v_entry public.loyalty_points;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  -- The sync writes balances too: without the lock it would put back the one it read before this entry.
  perform private.lock_identities(v_organization);
  select points into v_balance from public.customers
  where id = p_customer and organization_id = v_organization for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_points is null or v_points not between -1000000 and 1000000 or v_points = 0
    or (p_kind = 'redeemed' and v_points > 0) then
    return jsonb_build_object('outcome', 'malformed');
  end if;
  if v_points < 0 and v_balance + v_points < 0 then
    return jsonb_build_object('outcome', 'overdrawn');
  end if;
  begin
    insert into public.loyalty_points (organization_id, customer_id, kind, points, reason, author,
      author_name)
    select v_organization, p_customer, p_kind, v_points, p_reason, p.id,
      coalesce(nullif(p.full_name, ''), p.email)
    from public.profiles p where p.id = (select private.caller())
    returning * into v_entry;
  exception
    when check_violation then return jsonb_build_object('outcome', 'malformed');
  end;
  update public.customers set points = points + v_points where id = p_customer
    returning points into v_balance;
  perform private.audit(v_organization, 'customer.points_' || p_kind, p_customer,
    jsonb_build_object('points', v_points));
  return jsonb_build_object('outcome', 'saved', 'entry', private.points_json(v_entry), 'balance', v_balance);
end
$$;
comment on function public.save_points(uuid, text, integer, text) is
  'Adjusts (signed) or redeems (positive) a customer''s points, with a reason: outcome saved (with entry and balance), overdrawn, malformed, not_found or forbidden.';

-- The one reading of the rules, for what recalculates, what refreshes customers and what previews.
create or replace function private.tier_rules(p_changes jsonb default '[]')
returns table (location_id uuid, organization_id uuid, tier_id uuid, rank integer, min_spend numeric,
  min_visits integer)
language sql stable set search_path = ''
as $$
  with change as (
    select * from jsonb_to_recordset(p_changes) as (
      location_id uuid, tier_id uuid, min_spend numeric, min_visits integer)
  ), rule as (
    select r.location_id, r.tier_id, r.min_spend, r.min_visits from public.loyalty_rules r
    where not exists (select 1 from change n where n.location_id = r.location_id and n.tier_id = r.tier_id)
    union all
    select n.location_id, n.tier_id, n.min_spend, n.min_visits from change n where n.min_visits is not null
  )
  select rule.location_id, t.organization_id, t.id, t.rank, rule.min_spend, rule.min_visits
  from rule join public.loyalty_tiers t on t.id = rule.tier_id
$$;
comment on function private.tier_rules(jsonb) is
  'The rules of all locations with their tiers; with changes of rules ([{location_id, tier_id, min_spend, min_visits}], nulls: none) as if saved.';

create or replace function private.evaluate_tiers(p_organization uuid, p_after uuid, p_limit integer,
  p_locations uuid[], p_changes jsonb default '[]')
returns table (customer_id uuid, location_id uuid, tier_id uuid)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  with batch as materialized (
    select c.id, c.location_id, c.total_spend, c.total_visits, c.loyalty_tier_id
    from public.customers c
    where c.organization_id = p_organization and (p_after is null or c.id > p_after)
      and (p_locations is null or c.location_id = any(p_locations))
    order by c.id limit p_limit
  ), earned as (
    select distinct on (b.id) b.id, rule.tier_id
    from batch b
    join private.tier_rules(p_changes) as rule on rule.location_id = b.location_id
      and rule.organization_id = p_organization
      and b.total_spend >= rule.min_spend and b.total_visits >= rule.min_visits
    left join public.loyalty_tiers held on held.id = b.loyalty_tier_id
    where held.id is null or rule.rank > held.rank
    order by b.id, rule.rank desc
  )
  select b.id, b.location_id, e.tier_id from batch b left join earned e on e.id = b.id;
end
$$;
comment on function private.evaluate_tiers(uuid, uuid, integer, uuid[], jsonb) is
  'The next customers by id (of p_locations, or of all), each with the highest tier whose rule they meet at their location, where it is above theirs, else null; with changes of rules as if saved.';

create or replace function public.raise_loyalty_tiers(p_organization uuid, p_after uuid, p_limit integer,
  p_locations uuid[] default null) returns jsonb
language sql volatile set search_path = ''
as $$
  with batch as materialized (
    select * from private.evaluate_tiers(p_organization, p_after, p_limit, p_locations)
  ), raised as (
    update public.customers c set loyalty_tier_id = b.tier_id
    from batch b where c.id = b.customer_id and b.tier_id is not null returning 1
  )
  select jsonb_build_object('evaluated', (select count(*) from batch), 'upgraded',
    (select count(*) from raised),
    'last_id', (select b.customer_id from batch b order by b.customer_id desc limit 1))
$$;
comment on function public.raise_loyalty_tiers(uuid, uuid, integer, uuid[]) is
  'Raises the tiers of the next customers by id, of p_locations or of all; last_id is where the following batch begins.';

create or replace function public.preview_loyalty_tiers(p_organization uuid, p_changes jsonb, p_after uuid,
  p_limit integer, p_locations uuid[] default null)
returns jsonb
language sql stable set search_path = ''
as $$
  with batch as materialized (
    select * from private.evaluate_tiers(p_organization, p_after, p_limit, p_locations, p_changes)
  )
  select jsonb_build_object('evaluated', (select count(*) from batch),
    'last_id', (select b.customer_id from batch b order by b.customer_id desc limit 1), 'rises', (
    select coalesce(jsonb_agg(to_jsonb(rise)), '[]') from (
      select b.location_id, b.tier_id, count(*) as customers
      from batch b where b.tier_id is not null group by b.location_id, b.tier_id) as rise))
$$;
comment on function public.preview_loyalty_tiers(uuid, jsonb, uuid, integer, uuid[]) is
  'How many of the next customers by id (of p_locations, or of all) would rise to which tier, by location, if the rules were changed so. Writes nothing.';

create or replace function public.loyalty_distribution()
returns table (location_id uuid, tier_id uuid, customers bigint)
language sql stable security definer set search_path = ''
as $$
  select c.location_id, c.loyalty_tier_id, count(*) from public.customers c
  where c.location_id = any(array(select private.my_locations('canAccessMarketing')))
  group by c.location_id, c.loyalty_tier_id
$$;
comment on function public.loyalty_distribution() is
  'How many customers of each of the caller''s locations hold which tier (null: none).';
grant execute on function public.save_points(uuid, text, integer, text), public.loyalty_distribution()
  to authenticated;
grant execute on function private.settle_points(uuid[]), private.tier_rules(jsonb),
  private.evaluate_tiers(uuid, uuid, integer, uuid[], jsonb),
  public.raise_loyalty_tiers(uuid, uuid, integer, uuid[]),
  public.preview_loyalty_tiers(uuid, jsonb, uuid, integer, uuid[]) to service_role;
-- << supabase/logic/loyalty/standing.sql

-- >> supabase/logic/messages/consent.sql
-- Whether customers may be written to: addresses that must not be (opt-outs, bounces, complaints), and the
-- consent recorded by channel.

create or replace function private.suppression_rank(p_reason text) returns integer
language sql immutable set search_path = ''
as $$
  select case p_reason when '' then 0 when 'unsubscribe' then 1 when 'stop' then 2 when 'manual' then 3
    when 'bounce' then 4 else 5 end
$$;
comment on function private.suppression_rank(text) is
  'The order of the reasons; the strongest applies: unsubscribe < stop < manual < bounce < complaint.';

create or replace function private.adds_to(p_reason text, s public.suppressions) returns boolean
language sql immutable set search_path = ''
as $$
  select private.suppression_rank(p_reason) > private.suppression_rank(
    case when s.reason = 'bounce' and p_reason <> 'complaint' then coalesce(s.opt_out, '') else s.reason end)
    and p_reason <> s.reason
$$;
comment on function private.adds_to(text, public.suppressions) is
  'Whether another reason to suppress the address says more than what is recorded: a stronger one, or an opt-out from an address that bounced.';

create or replace function private.keep_opt_out() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.reason = 'bounce' and old.reason in ('unsubscribe', 'stop', 'manual') then
    new.opt_out := old.reason;
  elsif old.reason = 'bounce' and new.reason in ('unsubscribe', 'stop', 'manual') then
    new.opt_out := new.reason;
    new.reason := 'bounce';
  elsif new.reason <> 'bounce' then
    new.opt_out := null;
  end if;
  return new;
end
$$;
comment on function private.keep_opt_out() is
  'Trigger: an opt-out stays beside the bounce of its address, whichever came first.';

create or replace trigger suppressions_keep_opt_out before update of reason on public.suppressions
  for each row execute function private.keep_opt_out();

create or replace function private.with_firsts(p_organization uuid, p_channel text, p_addresses text[])
  returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select unnest(p_addresses)
    union
    select own.address from (
      select a.customer_id from public.customer_aliases a
      where p_channel = 'email' and a.organization_id = p_organization and a.email = any(p_addresses)
      union
      select a.customer_id from public.customer_aliases a
      where p_channel <> 'email' and a.organization_id = p_organization and a.phone = any(p_addresses)
    ) as person
    join public.customers c on c.id = person.customer_id
    cross join unnest(private.addresses_of(c, p_channel)) as own (address))
$$;
comment on function private.with_firsts(uuid, text, text[]) is
  'The addresses, and those by which the channel writes to customers who have one of them as a further one.';

create or replace function public.suppress_addresses(p_organization uuid, p_channel text, p_addresses text[],
  p_reason text)
returns integer
language sql volatile set search_path = ''
as $$
  with written as (
    insert into public.suppressions as s (organization_id, channel, address, reason)
    -- A bounce is about one address. A no is the person's; a complaint is about the message that came there.
    select p_organization, p_channel, address, case when address = any(p_addresses) then p_reason
      else replace(p_reason, 'complaint', 'unsubscribe') end
    from (select distinct unnest(case p_reason when 'bounce' then p_addresses
      else private.with_firsts(p_organization, p_channel, p_addresses) end) as address) as given
    on conflict (organization_id, channel, address) do update
      set reason = excluded.reason, author = null, note = null, created_at = now()
      where private.adds_to(excluded.reason, s)
    returning 1
  )
  select count(*)::integer from written
$$;
comment on function public.suppress_addresses(uuid, text, text[], text) is
  'Stops messages to the addresses by the channel; a stronger reason replaces a weaker one. All but a bounce also count for the first address of a customer who has one of these as a further one. Returns how many changed.';

create or replace function private.lift_opt_outs(p_organization uuid, p_channel text, p_addresses text[],
  p_reasons text[])
returns integer
language sql volatile set search_path = ''
as $$
  with gone as (
    delete from public.suppressions
    where organization_id = p_organization and channel = p_channel and address = any(p_addresses)
      and reason = any(p_reasons)
    returning 1
  ), behind as (
    update public.suppressions set opt_out = null
    where organization_id = p_organization and channel = p_channel and address = any(p_addresses)
      and opt_out = any(p_reasons)
    returning 1
  )
  select ((select count(*) from gone) + (select count(*) from behind))::integer
$$;
comment on function private.lift_opt_outs(uuid, text, text[], text[]) is
  'Ends the suppressions of the addresses that have one of the reasons, also those behind a bounce, which stays. How many.';

create or replace function public.unsuppress_address(p_organization uuid, p_channel text, p_address text,
  p_reasons text[])
returns boolean
language sql volatile set search_path = ''
as $$
  select private.lift_opt_outs(p_organization, p_channel,
    private.with_firsts(p_organization, p_channel, array[p_address]), p_reasons) > 0
$$;
comment on function public.unsuppress_address(uuid, text, text, text[]) is
  'Lets messages go to the address again, when it was suppressed for one of the reasons, and to the first address of a customer who has it as a further one. Whether one was.';

create or replace function public.subscription_of(p_organization uuid, p_channel text, p_address text)
  returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('organization_name', o.name, 'suppressed_by', (
    select s.reason from public.suppressions s
    where s.organization_id = o.id and s.channel = p_channel and s.address = p_address))
  from public.organizations o where o.id = p_organization
$$;
comment on function public.subscription_of(uuid, text, text) is
  'The organization''s name, and the reason why the address is suppressed (null: it is not). Null when there is no such organization.';

create or replace function private.address_of(c public.customers, p_channel text) returns text
language sql immutable set search_path = ''
as $$
  select private.address_by(p_channel, (c).email, (c).phone, (c).whatsapp_id)
$$;
comment on function private.address_of(public.customers, text) is 'Where the customer is written to by the channel; null: nowhere.';

-- This and consents_json are in plpgsql, which keeps their plans: as SQL functions within customer_json they
-- were planned for each customer, which took four times as long.
create or replace function private.addresses_of(c public.customers, p_channel text) returns text[]
language plpgsql immutable set search_path = ''
as $$
begin
  return array_remove(array[private.address_of(c, p_channel),
    case p_channel when 'whatsapp' then (c).whatsapp_id end], null);
end
$$;
comment on function private.addresses_of(public.customers, text) is
  'The addresses whose opt-out applies to the customer on the channel; WhatsApp has both a number and an id.';

-- The plan is kept: planned for each customer, customer_json took twice as long.
create or replace function private.consents_json(p_customers public.customers[])
  returns table (customer_id uuid, consent jsonb)
language plpgsql stable rows 1 set search_path = '' set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select c.id, jsonb_object_agg(held.channel,
    jsonb_build_object('basis', held.basis, 'opted_out', s.id is not null) || case
    -- While there is an opt-out, source, date, author and reason describe the opt-out.
    when s.id is not null then jsonb_build_object(
      'source', case s.reason when 'manual' then 'staff' else s.reason end, 'at', s.created_at,
      'author', coalesce(s.author, case when s.reason in ('unsubscribe', 'stop', 'complaint')
        then nullif(btrim(concat_ws(' ', c.first_name, c.last_name)), '') end),
      'reason', s.note)
    when held.record ->> 'basis' = held.basis then jsonb_build_object('source', held.record -> 'source',
      'at', held.record -> 'at', 'author', held.record -> 'author', 'reason', held.record -> 'reason')
    when held.basis = 'existing_customer' then jsonb_build_object('source', 'visit',
      'at', coalesce(visits.first_at, c.last_visit_at), 'author', null, 'reason', null)
    else jsonb_build_object('source', null, 'at', null, 'author', null, 'reason', null) end)
  from unnest(p_customers) as c
  cross join lateral (
    -- Of a guest's first days only: no two time zones are two days apart.
    select min(r.service_order at time zone l.timezone) as first_at
    from public.reservations r join public.locations l on l.id = r.location_id
    where c.total_visits > 0 and r.customer_id = c.id and r.visited and r.service_order <= (
      select o.service_order from public.reservations o where o.customer_id = c.id and o.visited
      order by o.service_order limit 1) + interval '2 days'
  ) as visits
  cross join lateral (
    select w.channel, w.addresses, c.consents -> w.channel as record,
      private.consent_basis(c.consents, c.total_visits, w.channel) as basis
    from (values ('whatsapp', array[coalesce(c.phone, c.whatsapp_id), c.whatsapp_id]),
      ('sms', array[c.phone]),
      ('email', array[c.email])) as w (channel, addresses)
  ) as held
  left join lateral (
    select * from public.suppressions x
    where x.organization_id = c.organization_id and x.channel = held.channel
      and x.address = any(held.addresses)
    order by x.reason in ('bounce', 'complaint') desc, x.created_at limit 1
  ) as s on true
  group by c.id;
end
$$;
comment on function private.consents_json(public.customers[]) is
  'The consent of each of the customers as the API returns it: {whatsapp, sms, email}, each {basis, source, at, author, reason, opted_out}. All at once: a statement for each customer took twice as long for a page.';

create or replace function private.consent_condition(p_consent text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_channel text := split_part(p_consent, ':', 1);
  v_state text := split_part(p_consent, ':', 2);
  v_field text := case v_channel when 'email' then 'c.email'
    when 'whatsapp' then 'coalesce(c.phone, c.whatsapp_id)'
    else 'c.phone' end;
  v_basis text := format('private.consent_basis(c.consents, c.total_visits, %L)', v_channel);
  v_exists text := format('exists (select 1 from public.suppressions s where s.organization_id = $1
    and s.channel = %L and s.address = %%s)', v_channel);
  -- Each address by itself, so that either is a join.
  v_opted_out text := case v_channel when 'whatsapp'
    then format('(%s or %s)', format(v_exists, v_field), format(v_exists, 'c.whatsapp_id'))
      else format(v_exists, v_field) end;
begin
  if v_channel not in ('whatsapp', 'sms', 'email')
    or v_state not in ('reachable', 'opted_out', 'opt_in', 'existing_customer', 'none') then
    raise exception 'unknown consent "%"', p_consent using errcode = '22023';
  end if;
  return case v_state
    when 'opted_out' then ' and ' || v_opted_out
    when 'reachable' then format(
      -- Most have visited and have nothing on record: they need no call of the function.
      ' and %s is not null and (c.consents = ''{}'' and c.total_visits > 0 or %s <> ''none'') and not %s',
      v_field, v_basis, v_opted_out)
    -- As the partial indexes have it.
    when 'opt_in' then format(' and c.consents @> ''{"%s": {"basis": "opt_in"}}''', v_channel)
    when 'none' then format(
      ' and (c.consents = ''{}'' and c.total_visits = 0 or c.consents <> ''{}'' and %s = ''none'')', v_basis)
    else format(' and %s = %L', v_basis, v_state) end;
end
$$;
comment on function private.consent_condition(text) is
  'The condition of list_customers for `<channel>:<state>`; state: a basis, opted_out, or reachable (an address, a basis and no opt-out).';

create or replace function private.my_name() returns text
language sql stable set search_path = ''
as $$ select coalesce(nullif(btrim(p.full_name), ''), p.email) from public.profiles p
  where p.id = (select private.caller()) $$;
comment on function private.my_name() is 'The caller''s name.';

create or replace function private.consent_obstacle(c public.customers, p_wishes jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('channel', w.key, 'outcome',
    case when contact.address is null then 'no_address_for'
    else 'address_refused' end)
  from jsonb_each(p_wishes) as w
  cross join lateral (select private.address_of(c, w.key)) as contact (address)
  where (w.value ->> 'opted_out')::boolean and contact.address is null
    or not (w.value ->> 'opted_out')::boolean and exists (
      select 1 from public.suppressions s
      where s.organization_id = c.organization_id and s.channel = w.key
        and s.address = any(private.addresses_of(c, w.key))
        and s.reason in ('bounce', 'complaint'))
  order by w.key limit 1
$$;
comment on function private.consent_obstacle(public.customers, jsonb) is
  'The reason to refuse a consent that staff record ({email: {basis, opted_out, reason}}): an opt-out needs an address, and an address that bounced or complained cannot be opted in. Null: it is allowed.';

create or replace function private.record_consent(p_customer uuid, p_wishes jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_author constant text := private.my_name();
  c public.customers;
begin
  if p_wishes is null then
    return;
  end if;
  select * into c from public.customers where id = p_customer;
  with lifted as materialized (
    select w.key as channel from jsonb_each(p_wishes) as w
    where case when not (w.value ->> 'opted_out')::boolean then
      private.lift_opt_outs(c.organization_id, w.key, private.addresses_of(c, w.key),
        array['unsubscribe', 'stop', 'manual']) > 0 end
  ), decided as (
    select w.key as channel, w.value ->> 'reason' as reason,
      coalesce(w.value ->> 'basis', held.basis) as basis
    from jsonb_each(p_wishes) as w
    cross join lateral (select private.consent_basis(c.consents, c.total_visits, w.key)) as held (basis)
    -- Lifting an opt-out documents the basis that marketing rests on from then on.
    where w.value ? 'basis' or held.basis <> 'none' and w.key in (select channel from lifted)
  ), news as (
    select jsonb_object_agg(d.channel, jsonb_build_object('basis', d.basis, 'source', 'staff', 'at', now(),
      'author', v_author, 'reason', d.reason, 'former', (c.consents -> d.channel) - 'former')) as consents
    from decided d
    where (d.basis, 'staff', d.reason) is distinct from (c.consents #>> array[d.channel, 'basis'],
      c.consents #>> array[d.channel, 'source'], c.consents #>> array[d.channel, 'reason'])
  )
  update public.customers k set consents = k.consents || news.consents
  from news where k.id = p_customer and news.consents is not null;

  insert into public.suppressions as s (organization_id, channel, address, reason, author, note)
  select c.organization_id, w.key, private.address_of(c, w.key), 'manual', v_author, w.value ->> 'reason'
  from jsonb_each(p_wishes) as w where (w.value ->> 'opted_out')::boolean
  on conflict (organization_id, channel, address) do update
    set reason = excluded.reason, author = excluded.author, note = excluded.note, created_at = now()
    where private.adds_to(excluded.reason, s);
end
$$;
comment on function private.record_consent(uuid, jsonb) is
  'Records a customer''s wish for staff: {email: {basis, opted_out, reason}}. Opting out suppresses the address, opting in lifts that.';

create or replace function private.carry_opt_outs(p_organization uuid, p_from text[], p_to text[])
  returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.suppressions as s (organization_id, channel, address, reason, author, note, created_at)
  select distinct on (g.channel, n.address) p_organization, g.channel, n.address,
    -- A complaint belongs to the person; a bounce only to the old address.
    case g.reason when 'complaint' then 'unsubscribe' when 'bounce' then g.opt_out else g.reason end,
    g.author, g.note, g.created_at
  from unnest(p_from, p_to) as n (former, address)
  join public.suppressions g on g.organization_id = p_organization and g.address = n.former
  where g.channel in ('whatsapp', 'sms', 'email') and n.address <> n.former
    and (g.reason <> 'bounce' or g.opt_out is not null)
  order by g.channel, n.address, private.suppression_rank(g.reason) desc
  on conflict (organization_id, channel, address) do update
    set reason = excluded.reason, author = excluded.author, note = excluded.note,
      created_at = excluded.created_at
    where private.adds_to(excluded.reason, s);
end
$$;
comment on function private.carry_opt_outs(uuid, text[], text[]) is
  'Copies opt-outs at former addresses to current ones, pair by pair; a bounce applies only to its address.';
grant execute on function private.carry_opt_outs(uuid, text[], text[]) to service_role;

create or replace function private.carry_opt_outs(p_organization uuid, p_from text[], p_to text) returns void
language sql volatile set search_path = ''
as $$ select private.carry_opt_outs(p_organization, p_from, array_fill(p_to, array[cardinality(p_from)])) $$;
comment on function private.carry_opt_outs(uuid, text[], text) is
  'Copies a customer''s opt-outs at former addresses to the current one.';

create or replace function private.merged_consents(p_kept jsonb, p_gone jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(best.channel, best.record), '{}')
  from (
    select distinct on (r.key) r.key as channel, r.value as record
    from (select * from jsonb_each(p_kept) union all select * from jsonb_each(p_gone)) as r
    order by r.key, (r.value ->> 'source' = 'staff') desc nulls last,
      array_position(array['opt_in', 'existing_customer', 'none'],
        case when r.value ->> 'source' = 'staff' then null else r.value ->> 'basis' end),
      (r.value ->> 'at')::timestamptz desc nulls last
  ) as best
$$;
comment on function private.merged_consents(jsonb, jsonb) is
  'The better documented consent of two merged customers by channel: the one that staff recorded last, else the firmest basis.';

create or replace function private.add_consents(p_consents jsonb, p_visits integer, p_declared jsonb)
  returns jsonb
language sql immutable set search_path = ''
as $$
  select p_consents || coalesce((
    select jsonb_object_agg(d.key, d.value) from jsonb_each(p_declared) as d
    where d.value ->> 'basis' <> 'none' and private.consent_basis(p_consents, p_visits, d.key) = 'none'
      and p_consents #>> array[d.key, 'source'] is distinct from 'staff'), '{}')
$$;
comment on function private.add_consents(jsonb, integer, jsonb) is
  'The consents plus the declared ones, where there is no basis yet and staff have not recorded that.';

create or replace function private.log_consents() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, details)
  select new.organization_id, private.actor_name(), (select a.id from private.acting() a),
    'customer.consent_changed', 'customer', new.id, jsonb_build_object('fields', array['consent.' || channel],
      'before', jsonb_build_object('basis', private.consent_basis(old.consents, old.total_visits, channel)),
      'after', jsonb_build_object('basis', private.consent_basis(new.consents, new.total_visits, channel),
        'source', new.consents #> array[channel, 'source']))
  from unnest(array['whatsapp', 'sms', 'email']) as channel
  where old.consents -> channel is distinct from new.consents -> channel;
  return null;
end
$$;
comment on function private.log_consents() is 'Trigger: logs a recorded consent by channel, its basis before and after.';

create or replace trigger customers_log_consents after update of consents on public.customers
  for each row when (old.consents is distinct from new.consents) execute function private.log_consents();

create or replace function private.log_opt_outs() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_changes jsonb;
begin
  case tg_op
    when 'INSERT' then
      v_changes := (select jsonb_agg(jsonb_build_object('organization_id', n.organization_id, 'channel',
        n.channel,
        'address', n.address, 'reason', n.reason, 'at', n.created_at)) from new_rows n);
    when 'UPDATE' then
      v_changes := (select jsonb_agg(jsonb_build_object('organization_id', n.organization_id, 'channel',
        n.channel,
        'address', n.address, 'former', coalesce(o.opt_out, o.reason), 'reason',
        coalesce(n.opt_out, n.reason), 'at', now()))
        from new_rows n join old_rows o on o.id = n.id
        where coalesce(n.opt_out, n.reason) <> coalesce(o.opt_out, o.reason));
    else
      v_changes := (select jsonb_agg(jsonb_build_object('organization_id', o.organization_id, 'channel',
        o.channel,
        'address', o.address, 'former', o.reason, 'at', now())) from old_rows o);
  end case;
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, details,
    created_at)
  select o.id, (select private.actor_name()), (select a.id from private.acting() a),
    'customer.consent_changed',
    'customer', c.id, jsonb_build_object('fields', array['consent.' || w.channel],
      'before', jsonb_strip_nulls(jsonb_build_object('opted_out', w.former is not null, 'source', w.former)),
      'after', jsonb_strip_nulls(jsonb_build_object('opted_out', w.reason is not null, 'source', w.reason))),
        w.at
  from jsonb_to_recordset(v_changes) as w (organization_id uuid, channel text, address text, former text,
    reason text, at timestamptz)
  -- All rows are deleted with their organization.
  join public.organizations o on o.id = w.organization_id
  cross join lateral (
    select e.id from public.customers e
    where w.channel = 'email' and e.organization_id = w.organization_id and e.email = w.address
    union all
    select t.id from public.customers t
    where w.channel <> 'email' and t.organization_id = w.organization_id and t.phone = w.address
    union
    select i.id from public.customers i
    where w.channel = 'whatsapp' and i.organization_id = w.organization_id and i.whatsapp_id = w.address
  ) as c;
  return null;
end
$$;
comment on function private.log_opt_outs() is
  'Trigger: logs every opt-out and opt-in for the customers with the address.';

create or replace trigger suppressions_log_new after insert on public.suppressions
  referencing new table as new_rows for each statement execute function private.log_opt_outs();
create or replace trigger suppressions_log_changed after update on public.suppressions
  referencing old table as old_rows new table as new_rows for each statement
    execute function private.log_opt_outs();
create or replace trigger suppressions_log_gone after delete on public.suppressions
  referencing old table as old_rows for each statement execute function private.log_opt_outs();
grant execute on function private.suppression_rank(text), private.adds_to(text, public.suppressions),
  private.lift_opt_outs(uuid, text, text[], text[]), private.with_firsts(uuid, text, text[]),
  private.address_of(public.customers, text), private.addresses_of(public.customers, text),
  public.suppress_addresses(uuid, text, text[], text), public.unsuppress_address(uuid, text, text, text[]),
  public.subscription_of(uuid, text, text), private.add_consents(jsonb, integer, jsonb) to service_role;
-- << supabase/logic/messages/consent.sql

-- >> supabase/logic/messages/delivery.sql
-- Reports of providers and messages of customers: delivery reports, STOP and ALTA, bounces and
-- complaints, unsubscribing, and messages by WhatsApp. Only the service calls these functions.

create or replace function private.suppress_refused(p_messages uuid[]) returns void
language sql volatile set search_path = ''
as $$
  select public.suppress_addresses(m.organization_id, m.channel, array_agg(distinct m.recipient),
    case m.reason when 'unsubscribed' then 'stop' else 'bounce' end)
  from public.messages m
  where m.id = any(p_messages) and m.status = 'failed' and m.channel in ('sms', 'whatsapp')
    and m.recipient is not null
    -- Twilio refuses ids as bad numbers where an account cannot write to ids yet.
    and (m.reason = 'unsubscribed' or m.reason = 'invalid_number' and m.recipient like '+%')
  group by m.organization_id, m.channel, m.reason
  order by m.organization_id, m.channel, m.reason
$$;
comment on function private.suppress_refused(uuid[]) is
  'Suppresses the numbers of messages that failed because there is no such number, or its owner has opted out at the provider.';

create or replace function private.whatsapp_addresses_of(p_customer uuid) returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select distinct a.address from (
      select unnest(array[c.phone, c.whatsapp_id]) from public.customers c where c.id = p_customer
      union all
      select coalesce(l.phone, l.whatsapp_id) from public.customer_aliases l where l.customer_id = p_customer
    ) as a (address) where a.address is not null)
$$;
comment on function private.whatsapp_addresses_of(uuid) is
  'Numbers and ids of a customer''s WhatsApp, former ones included.';

create or replace function private.share_whatsapp_stop(p_organization uuid, p_addresses text[]) returns void
language sql volatile set search_path = ''
as $$
  insert into public.suppressions as s (organization_id, channel, address, reason)
  select p_organization, 'whatsapp', other.address, case said.reason when 'bounce' then said.opt_out
    else said.reason end
  from (
    -- A bounce is about one address; an opt-out or a complaint is about all of the person's.
    select x.reason, x.opt_out from public.suppressions x
    where x.organization_id = p_organization and x.channel = 'whatsapp' and x.address = any(p_addresses)
      and (x.reason <> 'bounce' or x.opt_out is not null)
    order by private.suppression_rank(x.reason) desc limit 1) as said
  cross join (select distinct unnest(p_addresses) as address) as other
  where other.address is not null
  on conflict (organization_id, channel, address) do update set reason = excluded.reason
    where private.adds_to(excluded.reason, s)
$$;
comment on function private.share_whatsapp_stop(uuid, text[]) is
  'An opt-out or a complaint by one WhatsApp address of a person counts for all of them.';

create or replace function public.link_whatsapp(p_organization uuid, p_phone text, p_whatsapp_id text)
  returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_former text[];
begin
  -- Locked in one order; no row is written without a change.
  select array_agg(c.whatsapp_id) into v_former from (
    select o.id, o.whatsapp_id from public.customers o
    where o.organization_id = p_organization and o.phone = p_phone and o.whatsapp_id is distinct
      from p_whatsapp_id
    order by o.id for update) as c;
  update public.customers set whatsapp_id = p_whatsapp_id
  where organization_id = p_organization and phone = p_phone and whatsapp_id is distinct from p_whatsapp_id;
  perform private.share_whatsapp_stop(p_organization, array[p_phone, p_whatsapp_id] || v_former);
end
$$;
comment on function public.link_whatsapp(uuid, text, text) is
  'Links a number with the id that came with it: customers of the number get the id, and a STOP from one applies to the other.';

create or replace function public.record_inbound(p_organization uuid, p_channel text,
  p_phone text default null, p_whatsapp_id text default null, p_answers text default null,
  p_wish text default null, p_receipt text default null, p_at timestamptz default now())
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  v_phone text := p_phone;
  v_addresses text[];
begin
  if p_receipt is not null then
    insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
    values (p_organization, p_receipt, p_at, p_channel = 'whatsapp' or coalesce(p_wish = 'start', false))
    on conflict do nothing;
    if not found then
      return 'repeated';
    end if;
  end if;
  if p_channel = 'whatsapp' and p_whatsapp_id is not null then
    -- The number of the message that it answers, else the number that the id last came with.
    v_phone := coalesce(v_phone, (
      select m.recipient from public.messages m
      where m.provider = any(private.providers_of('whatsapp')) and m.provider_id = p_answers
        and m.organization_id = p_organization
        and m.channel = 'whatsapp' and m.recipient like '+%'), (
      select w.address from public.whatsapp_windows w
      where w.organization_id = p_organization and w.whatsapp_id = p_whatsapp_id
        and w.address <> p_whatsapp_id
      order by w.last_inbound_at desc limit 1));
    if v_phone is not null then
      perform public.link_whatsapp(p_organization, v_phone, p_whatsapp_id);
    end if;
  end if;
  v_addresses := array_remove(array[v_phone, case p_channel when 'whatsapp' then p_whatsapp_id end], null);
  if p_channel = 'whatsapp' then
    insert into public.whatsapp_windows as w (organization_id, address, last_inbound_at, whatsapp_id)
    select p_organization, address, p_at, p_whatsapp_id from unnest(v_addresses) as address
    on conflict (organization_id, address) do update set
      last_inbound_at = greatest(excluded.last_inbound_at, w.last_inbound_at),
      whatsapp_id = coalesce(excluded.whatsapp_id, w.whatsapp_id);
    -- All numbers and ids of the person.
    v_addresses := array(
      select distinct address from (
        select unnest(v_addresses)
        union all
        select unnest(private.whatsapp_addresses_of(person.id)) from (
          select c.id from public.customers c where c.organization_id = p_organization and c.phone = v_phone
          union
          select c.id from public.customers c
          where c.organization_id = p_organization and c.whatsapp_id = p_whatsapp_id
          union
          select l.customer_id from public.customer_aliases l
          where l.organization_id = p_organization and l.whatsapp_id = p_whatsapp_id
          union
          select l.customer_id from public.customer_aliases l
          where l.organization_id = p_organization and l.phone = v_phone) as person
        union all
        select w.whatsapp_id from public.whatsapp_windows w
        where w.organization_id = p_organization and w.address = v_phone
      ) as known (address) where address is not null);
  end if;
  if p_wish = 'stop' then
    perform public.suppress_addresses(p_organization, p_channel, v_addresses, 'stop');
  elsif p_wish = 'start' then
    perform private.lift_opt_outs(p_organization, p_channel,
      private.with_firsts(p_organization, p_channel, v_addresses), array['stop', 'unsubscribe']);
  end if;
  return 'taken';
end
$$;
comment on function public.record_inbound(uuid, text, text, text, text, text, text, timestamptz) is
  'Records a message to us, from a number, a WhatsApp id or both: opens the 24-hour window and applies its wish (stop, start, null) to all addresses of the person. p_answers is the provider''s id of the message it answers. Returns taken, or repeated for a known receipt.';

create or replace function public.record_delivery(p_organization uuid, p_provider text, p_provider_id text,
  p_message uuid, p_status text, p_reason text default null, p_at timestamptz default now())
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  m public.messages;
begin
  if p_status not in ('sent', 'delivered', 'failed') then
    return 'ignored';
  end if;
  select * into m from public.messages
  where provider = p_provider and provider_id = p_provider_id and organization_id = p_organization for update;
  if m.id is null and p_message is not null then
    -- The provider's id was never stored: its answer got lost, or is not recorded yet. Only a message with an
    -- attempt can be meant.
    select * into m from public.messages
    where id = p_message and organization_id = p_organization and provider_id is null and attempts > 0
      and coalesce(provider, p_provider) = p_provider
      and p_provider = any(private.providers_of(channel)) for update;
  end if;
  if m.id is null then
    return 'unknown';
  end if;
  if not (case m.status
      when 'queued' then true
      when 'sending' then true
      when 'unknown' then true
      when 'sent' then p_status in ('delivered', 'failed')
      else false end) then
    return 'unchanged';
  end if;
  update public.messages
  set status = p_status, reason = case p_status when 'failed' then left(p_reason, 300) end,
    provider = p_provider, provider_id = p_provider_id,
    sent_at = case when p_status = 'failed' then sent_at else coalesce(sent_at, p_at) end,
    delivered_at = case p_status when 'delivered' then p_at end,
    lease_token = null, lease_until = null
  where id = m.id;
  perform private.suppress_refused(array[m.id]);
  return 'recorded';
end
$$;
comment on function public.record_delivery(uuid, text, text, uuid, text, text, timestamptz) is
  'Records a provider''s report about a message (sent, delivered, failed), found by its provider_id, else by our id. Statuses only move forward: sent → delivered or failed; queued after an attempt, sending and unknown → any. Returns recorded, unchanged, unknown or ignored.';
grant execute on function private.suppress_refused(uuid[]), private.whatsapp_addresses_of(uuid),
  private.share_whatsapp_stop(uuid, text[]), public.link_whatsapp(uuid, text, text),
  public.record_inbound(uuid, text, text, text, text, text, text, timestamptz),
  public.record_delivery(uuid, text, text, uuid, text, text, timestamptz) to service_role;
-- << supabase/logic/messages/delivery.sql

-- >> supabase/logic/messages/replies.sql
-- Answers of guests to confirmations. lib/replies reads the text; the functions here find the reservation
-- and decide whether the answer is certain. A certain answer marks the reservation and gets a
-- short reply; any other opens a ticket for staff.

create or replace function private.senders(p_organization uuid, p_phone text, p_whatsapp_id text)
  returns table (customer_id uuid)
language sql stable set search_path = ''
as $$
  with own as materialized (
    select c.id from public.customers c where c.organization_id = p_organization and c.phone = p_phone
    union
    select c.id from public.customers c
    where c.organization_id = p_organization and c.whatsapp_id = p_whatsapp_id
  )
  select id from own
  union
  select a.customer_id from public.customer_aliases a
  where a.organization_id = p_organization and a.phone = p_phone and not exists (select from own)
$$;
comment on function private.senders(uuid, text, text) is
  'The customers who write from the number or WhatsApp id: those whose own it is, else those who have the number as a further one.';

create or replace function private.sender_addresses(p_organization uuid, p_channel text, p_phone text,
  p_whatsapp_id text)
returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select p_phone where p_phone is not null
    union
    select known.address from (
      select p_whatsapp_id as address
      union all
      select unnest(private.whatsapp_addresses_of(person.customer_id))
      from private.senders(p_organization, p_phone, p_whatsapp_id) as person
    ) as known where p_channel = 'whatsapp' and known.address is not null
    union
    select c.phone from private.senders(p_organization, p_phone, null) as person
    join public.customers c on c.id = person.customer_id
    where p_channel = 'sms' and c.phone is not null)
$$;
comment on function private.sender_addresses(uuid, text, text, text) is
  'The addresses by which a sender may have been written to by the channel: for WhatsApp all numbers and ids of the person, for SMS also the first phone of a person who has this one as a further one.';

create or replace function private.is_senders(m public.messages, p_phone text, p_whatsapp_id text)
  returns boolean
language sql stable set search_path = ''
as $$
  select coalesce(m.recipient in (p_phone, p_whatsapp_id), false) or exists (
    select 1 from private.senders(m.organization_id, p_phone, p_whatsapp_id) as person
    join public.customers c on c.id = person.customer_id
    where c.id = m.customer_id or m.recipient in (c.phone, c.whatsapp_id))
$$;
comment on function private.is_senders(public.messages, text, text) is
  'Whether the message went to the sender: to a present address of theirs, or to one of their customers. A former number may be another guest''s now.';

create or replace function private.is_question(m public.messages) returns boolean
language sql stable set search_path = ''
as $$
  select m.reservation_id is not null and exists (
    select 1 from public.automations a
    where a.id = m.automation_id and a.type = 'reservation_confirmation'
      and a.criteria ->> 'answers' = 'true')
$$;
comment on function private.is_question(public.messages) is
  'Whether the message is a confirmation with answers on.';

create or replace function private.last_question(p_organization uuid, p_channel text, p_addresses text[],
  p_at timestamptz)
returns public.messages
language sql stable set search_path = ''
as $$
  select m.* from public.messages m
  join public.reservations r on r.id = m.reservation_id
  join public.locations l on l.id = r.location_id
  where m.organization_id = p_organization and m.recipient = any(p_addresses) and m.channel = p_channel
    and m.created_at > p_at - interval '90 days' and m.status in ('sending', 'sent', 'delivered', 'unknown')
    and private.is_question(m) and r.service_order at time zone l.timezone > p_at - interval '1 day'
  order by coalesce(m.sent_at, m.created_at) desc, m.id desc limit 1
$$;
comment on function private.last_question(uuid, text, text[], timestamptz) is
  'The last confirmation to one of the addresses about a reservation that is ahead, or ended within a day.';

create or replace function private.reply_obstacle(p_question public.messages, r public.reservations,
  p_starts timestamptz, p_reply jsonb, p_addresses text[], p_at timestamptz)
returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_intent text := p_reply ->> 'intent';
  v_answer text := case v_intent when 'confirm' then 'confirmed' when 'cancel' then 'cancelled' end;
  v_last public.messages;
begin
  if v_answer is null then
    return 'unclear';
  elsif not private.is_senders(p_question, p_reply ->> 'phone', p_reply ->> 'whatsapp_id') then
    return 'another_number';
  elsif p_starts <= p_at then
    return 'too_late';
  elsif exists (
    select 1 from public.reservations other
    join public.locations l on l.id = other.location_id
    where other.organization_id = r.organization_id and other.id <> r.id and other.source <> 'import'
      and other.status in ('pending', 'confirmed') and other.service_order at time zone l.timezone > p_at
      and other.customer_id in (
        select r.customer_id
        union
        select c.id from public.customers c
        where c.organization_id = r.organization_id and c.phone = any(p_addresses)
        union
        select c.id from public.customers c
        where c.organization_id = r.organization_id and c.whatsapp_id = any(p_addresses))) then
    return 'several';
  end if;
  -- The last message to them on this channel; our replies are part of the conversation.
  select * into v_last from public.messages m
  where m.organization_id = p_question.organization_id and m.recipient = any(p_addresses)
    and m.channel = p_question.channel and m.created_at > p_at - interval '90 days'
    and m.status in ('sending', 'sent', 'delivered', 'unknown')
  order by coalesce(m.sent_at, m.created_at) desc, m.id = p_question.id desc limit 1;
  if v_last.reservation_id is distinct from r.id
    or not (private.is_question(v_last) or v_last.purpose = 'reply')
    or p_reply ->> 'answers' is not null and not exists (
      select 1 from public.messages quoted
      where quoted.provider = any(private.providers_of(p_question.channel))
        and quoted.provider_id = p_reply ->> 'answers'
        and quoted.reservation_id = r.id
        and (private.is_question(quoted) or quoted.purpose = 'reply')) then
    return 'another_message';
  elsif r.guest_answer is null
    and coalesce(v_last.sent_at, v_last.created_at) < p_at - make_interval(hours => (
    select (a.criteria ->> 'answer_hours')::integer from public.automations a
    where a.id = p_question.automation_id)) then
    return 'old';
  elsif p_question.content -> 'about' is distinct from jsonb_build_object('date', r.reservation_date,
      'time', to_char(r.reservation_time, 'HH24:MI'), 'party_size', r.party_size)
    or not (r.status in ('pending', 'confirmed') or r.status = 'cancelled' and r.guest_answer is not distinct
      from 'cancelled') then
    return 'changed';
  -- Their table may be another party's since they cancelled; one that is only on offer is theirs again.
  elsif v_intent = 'confirm' and r.status = 'cancelled'
    and (private.is_closed_at(r.location_id, r.service_date, r.reservation_time, r.zone_name, r.table_name)
      or r.table_name is not null and not private.table_is_free(r.location_id, r.table_name, p_starts,
        r.party_size, p_at, (
          select o.id from private.table_offers o where o.reservation_id = r.id and o.outcome is null))) then
    return 'changed';
  -- Twilio sends no time of writing: the order of two contradicting messages at the same time is unknown.
  elsif r.guest_answer <> v_answer and p_at < r.guest_answered_at + interval '10 seconds' then
    return 'contradiction';
  elsif (
    select count(*) from public.messages m
    where m.reservation_id = r.id and m.purpose = 'reply' and m.created_at > p_at - interval '1 hour')
      >= 6 then
    return 'too_many';
  end if;
  return null;
end
$$;
comment on function private.reply_obstacle(public.messages, public.reservations, timestamptz, jsonb, text[], timestamptz) is
  'The reason why staff have to read a reply; null when it is certain: unclear, another_number, too_late, several, another_message, old, changed (the reservation since they were asked, or their table was given away or is closed), contradiction, too_many.';

create or replace function private.ticket_for_reply(p_question public.messages, r public.reservations,
  p_starts timestamptz, p_reply jsonb, p_reason text, p_at timestamptz, p_words jsonb)
returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_channel text := case p_question.channel when 'whatsapp' then 'WhatsApp' else 'SMS' end;
  v_text text := coalesce(nullif(btrim(left(p_reply ->> 'text', 500)), ''), p_words ->> 'no_text');
  v_due timestamptz := greatest(p_starts - interval '30 minutes', p_at + interval '5 minutes');
  v_ticket uuid;
begin
  -- One ticket per conversation: further messages are added while it is open.
  select t.id into v_ticket from public.tickets t
  where t.organization_id = r.organization_id and t.customer_id = p_question.customer_id
    and t.reservation_id is not null and t.status in ('open', 'in_progress', 'waiting')
  order by t.number desc limit 1 for update;
  if v_ticket is not null then
    if (select count(*) from public.ticket_comments c where c.ticket_id = v_ticket) < 50 then
      insert into public.ticket_comments (ticket_id, author_name, body, created_at)
        values (v_ticket, v_channel, v_text, p_at);
      update public.tickets set changes = changes + 1 where id = v_ticket;
    end if;
    return v_ticket;
  end if;
  insert into public.tickets (organization_id, subject, description, priority, location_id, customer_id,
    reservation_id, created_at)
  select r.organization_id,
    left(private.worded(p_words ->> 'subject', jsonb_build_object('name', coalesce(
      nullif(concat_ws(' ', c.first_name, c.last_name), ''), r.customer_name, p_words ->> 'nobody'),
      'date', to_char(r.reservation_date, p_words ->> 'date'),
      'time', to_char(r.reservation_time, 'HH24:MI'))), 200),
    private.worded(p_words ->> 'description', jsonb_build_object('channel', v_channel, 'text', v_text,
      'reason', p_words -> 'reasons' ->> p_reason)),
    case when p_at + private.sla_length('medium') <= v_due or p_starts <= p_at then 'medium'
      when p_at + private.sla_length('high') <= v_due then 'high' else 'urgent' end,
    r.location_id, p_question.customer_id, r.id, p_at
  from (select 1) as one left join public.customers c on c.id = p_question.customer_id
  returning id into v_ticket;
  if p_starts > p_at then
    update public.tickets set sla_due_at = least(sla_due_at, v_due) where id = v_ticket;
  end if;
  return v_ticket;
end
$$;
comment on function private.ticket_for_reply(public.messages, public.reservations, timestamptz, jsonb, text, timestamptz, jsonb) is
  'Passes a reply to staff: as a comment on the open ticket of the guest''s conversation, else as a new ticket, due before the reservation. p_words: those of lib/tickets/guest-ticket-words.json for replies, in one language.';

create or replace function private.mark_by_guest(r public.reservations, p_answer text, p_channel text,
  p_at timestamptz)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_next public.reservations := r;
begin
  v_next.status := p_answer;
  v_next.staff_marks := private.marks_of(r, v_next);
  update public.reservations set status = v_next.status, staff_marks = v_next.staff_marks,
    guest_answer = p_answer, guest_answered_at = p_at
  where id = r.id;
  perform private.refresh_customers(array_remove(array[r.customer_id], null));
  perform private.audit(r.organization_id, 'reservation.answered', r.id, jsonb_strip_nulls(jsonb_build_object(
    'answer', p_answer, 'channel', p_channel, 'status', case when r.status <> p_answer then
      jsonb_build_object('from', r.status, 'to', p_answer, 'pms', v_next.staff_marks ->> 'status') end)));
end
$$;
comment on function private.mark_by_guest(public.reservations, text, text, timestamptz) is
  'Marks a reservation as confirmed or cancelled by its guest, as staff do: the mark stays while the PMS sends the value of this moment.';

-- With its owner's rights, for the audit log.
create or replace function public.take_reply(p_organization uuid, p_reply jsonb, p_words jsonb,
  p_at timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_channel text := p_reply ->> 'channel';
  v_addresses text[] := private.sender_addresses(p_organization, v_channel, p_reply ->> 'phone',
    p_reply ->> 'whatsapp_id');
  v_answer text := case p_reply ->> 'intent' when 'confirm' then 'confirmed'
    when 'cancel' then 'cancelled' end;
  v_question public.messages := private.last_question(p_organization, v_channel, v_addresses, p_at);
  r public.reservations;
  l public.locations;
  v_starts timestamptz;
  v_obstacle text;
  v_number text := coalesce(p_reply ->> 'phone', v_question.recipient);
begin
  if v_question.id is null then
    return jsonb_build_object('outcome', 'not_asked');
  end if;
  -- Kept permanently: the provider signs no time, and a replay would override the guest's later answer.
  insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
  values (p_organization, 'reply:' || (p_reply ->> 'id'), p_at, true) on conflict do nothing;
  if not found then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  -- One after another, also with the sync, which takes the same lock.
  perform private.lock_identities(p_organization);
  select * into r from public.reservations where id = v_question.reservation_id for update;
  select * into l from public.locations where id = r.location_id;
  v_starts := r.service_order at time zone l.timezone;
  if p_reply ->> 'intent' = 'courtesy' and r.guest_answer is not null then
    return jsonb_build_object('outcome', 'nothing');
  end if;
  v_obstacle := private.reply_obstacle(v_question, r, v_starts, p_reply, v_addresses, p_at);
  if v_obstacle is not null then
    return jsonb_build_object('outcome', 'ticket', 'reason', v_obstacle,
      'ticket_id', private.ticket_for_reply(v_question, r, v_starts, p_reply, v_obstacle, p_at,
        p_words -> case when private.in_english(v_number) then 'en' else 'es' end));
  elsif r.guest_answer = v_answer and r.status = v_answer then
    return jsonb_build_object('outcome', 'nothing');
  end if;
  perform private.mark_by_guest(r, v_answer, v_channel, p_at);
  insert into public.messages (organization_id, kind, purpose, customer_id, reservation_id, location_id,
    channel, recipient, dedupe_key, content, not_before, created_at)
  values (p_organization, 'transactional', 'reply', r.customer_id, r.id, r.location_id, v_channel,
    v_number, 'reply:' || (p_reply ->> 'id'),
    private.guest_text('booking_' || v_answer,
      coalesce(p_reply ->> 'language' = 'en', private.in_english(v_number)),
      jsonb_build_object('location', l.name, 'date', r.reservation_date,
        'time', to_char(r.reservation_time, 'HH24:MI')),
      least(v_starts, p_at + interval '1 hour')) || jsonb_build_object('event_datetime', v_starts),
    p_at, p_at);
  return jsonb_build_object('outcome', v_answer, 'reservation_id', r.id);
end
$$;
comment on function public.take_reply(uuid, jsonb, jsonb, timestamptz) is
  'Handles a guest''s message {id: the provider''s, channel, phone, whatsapp_id, answers: the provider''s id of the message quoted, intent: confirm, cancel, courtesy or null, language, text}, once. p_words: those of lib/tickets/guest-ticket-words.json for replies, by language. Outcome: confirmed or cancelled (marked, and a reply queued), ticket (with the reason), nothing (thanks, or the same answer again), not_asked, repeated.';
grant execute on function public.take_reply(uuid, jsonb, jsonb, timestamptz) to service_role;
-- << supabase/logic/messages/replies.sql

-- >> supabase/logic/notices/push.sql
-- Push notices (Web Push). A notice is written in the transaction of its event, once for each device;
-- lib/push sends it.

create or replace function private.gets_push(p_profile uuid, p_locations uuid[]) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.profiles p
    join private.role_permissions rp on rp.role = p.role and rp.permission = 'canAccessOperaciones'
    where p.id = p_profile and p.role <> 'machine' and (
      p_locations = '{}'
      or p.role <> 'sala' and not exists (select from public.profile_locations pl where pl.profile_id = p.id)
      or exists (
        select from public.profile_locations pl where pl.profile_id = p.id
          and pl.location_id = any(p_locations))))
$$;
comment on function private.gets_push(uuid, uuid[]) is
  'Whether the person may get notices about these locations: they must work in one of them; an empty list means all.';

create or replace function private.is_live_session(p_session uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select coalesce(private.session_end(p_session) > now(), false) $$;
comment on function private.is_live_session(uuid) is 'Whether the session exists, was not ended and has not run out.';

create or replace function private.note_reservation_news() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Not to the person who did it.
  v_session uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
begin
  if not exists (select from public.push_subscriptions) then
    return null;
  end if;
  insert into private.push_notices (organization_id, subscription_id, reservation_id, kind, content,
    location_ids, dedupe_key, expires_at)
  select e.organization_id, s.id, e.id, e.kind, e.content, array[e.location_id], e.kind || ':' || e.id,
    now() + e.fresh
  from (
    select n.id, n.organization_id, n.location_id, news.kind, news.fresh,
      jsonb_strip_nulls(jsonb_build_object(
      -- A lock screen is read by others: the first name and an initial.
      'name', left(split_part(who.first, ' ', 1), 40) || coalesce(' ' || left(who.last, 1) || '.', ''),
      'party_size', n.party_size, 'date', n.reservation_date, 'time', to_char(n.reservation_time, 'HH24:MI'),
      'table', n.table_name, 'location', l.name)) as content
    from new_rows n
    join old_rows o on o.id = n.id
    join public.locations l on l.id = n.location_id
    left join public.customers c on c.id = n.customer_id
    cross join lateral (
      select coalesce(nullif(btrim(c.first_name), ''), nullif(btrim(n.customer_name), '')) as first,
        coalesce(case when btrim(c.first_name) <> '' then nullif(btrim(c.last_name), '') end,
          -- The PMS has a name in one piece.
          nullif(split_part(btrim(coalesce(nullif(btrim(c.first_name), ''), n.customer_name)), ' ', 2), ''))
            as last
    ) as who
    cross join lateral (
      select 'vip_arrived' as kind, interval '1 hour' as fresh
      from public.loyalty_tiers t
      where t.id = c.loyalty_tier_id
        and (o.arrived_at is null and n.arrived_at is not null
          -- The PMS reports seated parties, but not arrivals.
          or n.status = 'seated' and o.status not in ('seated', 'completed')
            and coalesce(o.arrived_at, n.arrived_at) is null)
        and n.service_date = private.current_service(l.timezone, now())
        and t.rank >= private.vip_rank(n.organization_id)
      union all
      select 'large_cancellation', interval '12 hours'
      where n.status = 'cancelled' and o.status in ('pending', 'confirmed') and o.party_size >= 8
        and n.service_date >= private.current_service(l.timezone, now())
    ) as news
    -- Few rows of a sync are news. Without these conditions a kept plan may join all of them in a nested
    -- loop.
    where n.source <> 'import' and (n.status in ('seated', 'cancelled') or n.arrived_at is not null)
      and n.service_date >= now()::date - 2
  ) as e
  join public.push_subscriptions s on s.organization_id = e.organization_id and e.kind = any(s.kinds)
  where s.session_id is distinct from v_session and private.gets_push(s.profile_id, array[e.location_id])
    and private.is_live_session(s.session_id)
  on conflict (subscription_id, dedupe_key) do nothing;
  return null;
end
$$;
comment on function private.note_reservation_news() is
  'Trigger: writes the notices about arrived VIPs, and about cancelled parties of eight or more.';

create or replace trigger reservations_note_news after update on public.reservations
  referencing old table as old_rows new table as new_rows for each statement
  execute function private.note_reservation_news();

create or replace function private.failed_locations(p_result jsonb) returns uuid[]
language sql immutable set search_path = ''
as $$
  select array(
    select (l.value ->> 'id')::uuid
    from jsonb_array_elements(case jsonb_typeof(p_result -> 'locations')
      when 'array' then p_result -> 'locations' else '[]' end) as l
    where l.value -> 'failed' = 'true')
$$;
comment on function private.failed_locations(jsonb) is 'The locations that failed in the result of a sync.';

create or replace function private.note_failed_sync() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_before public.job_runs;
  v_failed uuid[] := private.failed_locations(new.result);
  v_whole boolean := new.status = 'failed' and v_failed = '{}';
begin
  select * into v_before from public.job_runs r
  where r.organization_id = new.organization_id and r.job = 'sync' and r.status <> 'running'
    and r.id <> new.id
  order by r.started_at desc limit 1;
  -- A lasting failure of the PMS is reported once, not every fifteen minutes.
  if v_whole then
    if v_before.status = 'failed' then
      return null;
    end if;
  else
    v_failed := array(
      select unnest(v_failed) except
        select unnest(coalesce(private.failed_locations(v_before.result), '{}')));
    if v_failed = '{}' then
      return null;
    end if;
  end if;
  insert into private.push_notices (organization_id, subscription_id, kind, location_ids, dedupe_key,
    expires_at)
  select new.organization_id, s.id, 'failed_sync', v_failed, 'failed_sync:' || new.id,
    now() + interval '12 hours'
  from public.push_subscriptions s
  where s.organization_id = new.organization_id and 'failed_sync' = any(s.kinds)
    and private.gets_push(s.profile_id, v_failed) and private.is_live_session(s.session_id)
  on conflict (subscription_id, dedupe_key) do nothing;
  return null;
end
$$;
comment on function private.note_failed_sync() is
  'Trigger: writes the notices about a sync that failed, or a location of it, unless the one before had failed too.';

create or replace trigger job_runs_note_failed_sync after update of status on public.job_runs
  for each row when (new.job = 'sync' and old.status = 'running' and new.status in ('failed', 'partial'))
  execute function private.note_failed_sync();

create or replace function private.end_push() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.push_subscriptions s
  where s.profile_id = new.user_id and not private.is_live_session(s.session_id);
  return null;
end
$$;
comment on function private.end_push() is 'Trigger: the end of a session deletes its device.';

create or replace trigger ended_sessions_end_push after insert on private.ended_sessions
  for each row execute function private.end_push();
create or replace trigger session_floors_end_push after insert or update on private.session_floors
  for each row execute function private.end_push();

create or replace function public.my_push_devices() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id,
      'current', s.session_id = nullif(auth.jwt() ->> 'session_id', '')::uuid, 'kinds', s.kinds, 'language',
      s.language,
      'browser', s.browser, 'system', s.system, 'created_at', s.created_at, 'last_success_at',
      s.last_success_at)
    order by s.session_id = nullif(auth.jwt() ->> 'session_id', '')::uuid desc, s.created_at desc, s.id),
      '[]')
  from public.push_subscriptions s
  where s.profile_id = (select private.caller()) and private.is_live_session(s.session_id)
$$;
comment on function public.my_push_devices() is
  'The caller''s devices that get push notices, the one of this session first.';

create or replace function public.save_push_device(p_endpoint text, p_p256dh text, p_auth text,
  p_kinds text[], p_language text, p_browser text default null, p_system text default null)
returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_session uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
  v_person public.profiles;
begin
  -- Locked: the same person may save twice at once.
  select * into v_person from public.profiles p
  where p.id = (select private.caller()) and p.role <> 'machine'
    and p.organization_id = any(array(select private.my_organizations('canAccessOperaciones')))
  for no key update;
  if v_person.id is null then
    return 'forbidden';
  end if;
  -- A browser keeps its address when another person signs in; the device then belongs to this person. Only
  -- the browser has the keys.
  if exists (
    select from public.push_subscriptions s
    where s.endpoint = p_endpoint and s.profile_id <> v_person.id and (s.p256dh, s.auth) <> (p_p256dh, p_auth)
  ) then
    return 'taken';
  end if;
  delete from public.push_subscriptions s
  where (s.session_id = v_session or s.endpoint = p_endpoint)
    and (s.session_id, s.endpoint) <> (v_session, p_endpoint);
  insert into public.push_subscriptions as s (organization_id, profile_id, session_id, endpoint, p256dh, auth,
    kinds, language, browser, system)
  values (v_person.organization_id, v_person.id, v_session, p_endpoint, p_p256dh, p_auth, p_kinds, p_language,
    left(p_browser, 60), left(p_system, 60))
  on conflict (endpoint) do update set p256dh = excluded.p256dh, auth = excluded.auth, kinds = excluded.kinds,
    language = excluded.language, browser = excluded.browser, system = excluded.system
    where s.session_id = excluded.session_id;
  delete from public.push_subscriptions s using (
    select id from public.push_subscriptions where profile_id = v_person.id
      order by created_at desc, id offset 20) as extra
  where s.id = extra.id;
  return 'saved';
end
$$;
comment on function public.save_push_device(text, text, text, text[], text, text, text) is
  'Sends notices of these kinds to the device of the caller''s session from now on: saved, forbidden, or taken (the address is another person''s, with other keys). A person has 20 devices at most.';

create or replace function public.remove_push_device(p_id uuid) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with gone as (
    delete from public.push_subscriptions s where s.id = p_id and s.profile_id = (select private.caller())
      returning 1)
  select exists (select from gone)
$$;
comment on function public.remove_push_device(uuid) is 'Deletes one of the caller''s devices; false when there is none.';

create or replace function public.queue_test_push(p_id uuid) returns uuid
language sql volatile security definer set search_path = ''
as $$
  insert into private.push_notices (organization_id, subscription_id, kind, dedupe_key, expires_at)
  select s.organization_id, s.id, 'test', 'test:' || gen_random_uuid(), now() + interval '1 minute'
  from public.push_subscriptions s
  where s.id = p_id and s.profile_id = (select private.caller()) and private.is_live_session(s.session_id)
  returning id
$$;
comment on function public.queue_test_push(uuid) is
  'Writes a test notice for one of the caller''s devices, and returns its id; null when there is no such device.';

create or replace function public.claim_push_notices(p_limit integer default 50,
  p_now timestamptz default now(), p_only uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_claimed jsonb;
begin
  delete from public.push_subscriptions s
  where s.id in (select n.subscription_id from private.push_notices n where n.done_at is null)
    and not private.is_live_session(s.session_id);
  -- Expired, or the person lost the right or switched the kind off.
  update private.push_notices n set done_at = p_now, outcome = 'expired', content = '{}'
  from public.push_subscriptions s
  where s.id = n.subscription_id and n.done_at is null and coalesce(n.leased_until <= p_now, true) and (
    n.expires_at <= p_now
    or n.kind <> 'test' and (n.kind <> all(s.kinds) or not private.gets_push(s.profile_id, n.location_ids)));
  with due as (
    select n.id from private.push_notices n
    where n.done_at is null and n.next_at <= p_now and coalesce(n.leased_until <= p_now, true)
      and (p_only is null or n.id = p_only)
    order by n.next_at, n.id limit p_limit for update skip locked
  ), leased as (
    -- A push service is waited for ten seconds at most.
    update private.push_notices n set leased_until = p_now + interval '1 minute', attempts = n.attempts + 1
    from due where n.id = due.id returning n.*
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'kind', n.kind, 'content', n.content,
    'tag', n.dedupe_key, 'seconds', greatest(1, extract(epoch from n.expires_at - p_now)::integer),
    'endpoint', s.endpoint,
    'p256dh', s.p256dh, 'auth', s.auth, 'language', s.language)), '[]') into v_claimed
  from leased n join public.push_subscriptions s on s.id = n.subscription_id;
  return v_claimed;
end
$$;
comment on function public.claim_push_notices(integer, timestamptz, uuid) is
  'Leases the notices that are due (or one of them) for a minute, with the device of each. Expired notices, and notices without a recipient, are done.';

create or replace function public.finish_push_notices(p_results jsonb, p_now timestamptz default now())
  returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.push_subscriptions s set last_success_at = p_now
  from jsonb_to_recordset(p_results) as r (id uuid, outcome text) join private.push_notices n on n.id = r.id
  where s.id = n.subscription_id and r.outcome = 'sent';
  update private.push_notices n set leased_until = null,
    done_at = case when over.it then p_now end, content = case when over.it then '{}' else n.content end,
    outcome = case when over.it then case r.outcome when 'retry' then 'failed' else r.outcome end end,
    next_at = p_now + make_interval(secs => greatest(r.seconds, 15 * 2 ^ least(n.attempts, 10)))
  from jsonb_to_recordset(p_results) as r (id uuid, outcome text, seconds integer)
  cross join lateral (select r.outcome <> 'retry' as it) as over
  where n.id = r.id and n.done_at is null and r.outcome <> 'gone';
  delete from public.push_subscriptions s
  using jsonb_to_recordset(p_results) as r (id uuid, outcome text), private.push_notices n
  where r.outcome = 'gone' and n.id = r.id and s.id = n.subscription_id;
end
$$;
comment on function public.finish_push_notices(jsonb, timestamptz) is
  'Records the outcomes of leased notices, [{id, outcome, seconds}]: sent, refused, gone (the device goes too) or retry (again after so many seconds at least, longer each time, until it expires).';

create or replace function private.tidy_push(p_organization uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.push_subscriptions s
  where s.organization_id = p_organization and not private.is_live_session(s.session_id)
$$;
comment on function private.tidy_push(uuid) is 'Removes the devices of sessions that are over.';
grant execute on function public.my_push_devices(),
  public.save_push_device(text, text, text, text[], text, text, text), public.remove_push_device(uuid),
  public.queue_test_push(uuid) to authenticated;
grant execute on function public.claim_push_notices(integer, timestamptz, uuid),
  public.finish_push_notices(jsonb, timestamptz), private.tidy_push(uuid)
    to service_role;
-- << supabase/logic/notices/push.sql

-- >> supabase/logic/reservations/find.sql
-- Searches the reservations of every day, for staff at the door or on the telephone.

create or replace function private.reservations_found(p_search jsonb, p_organization uuid,
  p_locations uuid[], p_since date, p_knows_guests boolean, p_uses_cards boolean) returns uuid[]
-- With its values each time: whether an index helps to find a guest depends on the words.
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_names text[] := array(select jsonb_array_elements_text(p_search -> 'names'));
  v_starts text[] := array(select jsonb_array_elements_text(p_search -> 'starts'));
  v_table text := nullif(replace(p_search ->> 'text', ' ', ''), '');
  v_phone text := nullif(p_search ->> 'phone', '');
  v_is_whole boolean := length(v_phone) >= 9;
  v_word text;
  v_named uuid[];
  v_called uuid[];
begin
  -- What takes Postgres long: repetition and references.
  if v_phone !~ '^[0-9]{4,20}$' or exists (
    select from unnest(v_names || v_starts) as t
    where regexp_replace(t, '\\(?:[^[:alnum:]]|W)', '', 'g') ~ '[\\*+{[]') then
    raise exception 'unknown pattern' using errcode = '22023';
  end if;
  v_word := (select t from unnest(v_names) as t order by length(t) desc limit 1);
  v_named := array(
    select c.id from public.customers c
    where c.organization_id = p_organization and p_uses_cards and v_phone is null
      and c.search_text ~ v_word and c.sort_name ~ all(v_names)
    order by c.sort_visit desc, c.id desc limit 200);
  -- Who may not see a guest's phone must type the whole of it: digit by digit it could be read.
  v_called := array(
    select c.id from public.customers c
    where c.organization_id = p_organization and c.search_text ~ v_phone
      and (v_is_whole and c.phone like '%' || v_phone
        or p_knows_guests and c.phone like '%' || v_phone || '%')
    order by c.sort_visit desc, c.id desc limit 200)
    || array(
      select a.customer_id from public.customer_aliases a
      where a.organization_id = p_organization and a.phone is not null
        and private.fold(coalesce(a.email, a.phone)) like '%' || v_phone || '%'
        and (v_is_whole and a.phone like '%' || v_phone
          or p_knows_guests and a.phone like '%' || v_phone || '%') limit 200);
  return array(
    select r.id from public.reservations r
    where r.location_id = any(p_locations) and r.service_date >= p_since
      and (v_names <> '{}' and r.search_name ~ all(v_names)
        or v_starts <> '{}' and r.notes is not null
          and r.search_name || ' ' || private.fold(r.notes) ~ all(v_starts)
        or regexp_replace(r.customer_phone, '\D', '', 'g') like '%' || v_phone || '%'
        or replace(private.fold(r.table_name), ' ', '') = v_table
        or v_table = any(string_to_array(replace(private.fold(r.table_name), ' ', ''), '+')))
    union
    select r.id from public.reservations r
    where r.location_id = any(p_locations) and (r.customer_id = any(v_called)
      -- A booking under another name would tell whose guest it is.
      or r.customer_id = any(v_named)
        and (p_knows_guests or r.search_name = '' or r.search_name ~ all(v_names)))
    union
    select r.id from public.reservations r
    where r.organization_id = p_organization and r.location_id = any(p_locations)
      and r.external_id in (p_search ->> 'code', lower(p_search ->> 'code'), upper(p_search ->> 'code')));
end
$$;
comment on function private.reservations_found(jsonb, uuid, uuid[], date, boolean, boolean) is
  'The reservations in these locations that a search finds (PartySearch in lib/reservations/party-search.ts): from that day on by all they say, before it by guest or booking code. Guests are found by name for who uses their cards; by a part of their phone, and under another name, for who knows the guests.';

create or replace function public.find_reservations(p_search jsonb, p_location uuid default null,
  p_limit integer default 20, p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with mine as materialized (
    select array(select private.my_locations('canAccessOperaciones')) as locations,
      array(select private.my_organizations('canUseGuestCards')) as cards
  ), places as materialized (
    select l.*, private.current_service(l.timezone, (select private.clock(p_now))) as today
    from public.locations l
    where l.id = any((select locations from mine)::uuid[]) and (p_location is null or l.id = p_location)
  ), found as materialized (
    -- A week back: a guest who asks for what they left behind.
    select unnest(private.reservations_found(p_search, p.organization_id, array_agg(p.id), min(p.today) - 7,
      p.organization_id = any(array(select private.my_organizations('canAccessClientes'))),
      p.organization_id = any((select cards from mine)::uuid[]))) as id
    from places p group by p.organization_id
  ), page as materialized (
    select r.*, p.name as place, r.service_date - p.today as days
    from found f join public.reservations r on r.id = f.id join places p on p.id = r.location_id
    where r.source <> 'import'
    order by r.service_date < p.today, case when r.service_date >= p.today then r.service_order end,
      r.service_order desc, r.id
    limit least(p_limit, 50)
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'location_id', r.location_id,
    'location_name', r.place, 'service_date', r.service_date, 'days', r.days,
    'time', to_char(r.reservation_time, 'HH24:MI'),
    'name', coalesce(r.customer_name, nullif(concat_ws(' ', c.first_name, c.last_name), '')),
    'party_size', r.party_size, 'status', r.status, 'table_name', r.table_name,
    'tables', private.table_names(r.table_name), 'allergies', coalesce(a.codes, '[]'))
    order by r.days < 0, case when r.days >= 0 then r.service_order end, r.service_order desc, r.id), '[]')
  from page r
  left join public.customers c on c.id = r.customer_id
    and c.organization_id = any((select cards from mine)::uuid[])
  left join private.allergy_codes(array(select customer_id from page)) as a on a.customer_id = r.customer_id
$$;
comment on function public.find_reservations(jsonb, uuid, integer, timestamptz) is
  'The caller''s reservations that a search finds (private.reservations_found), at most 50: today''s service by time, the days after it, then the past, the latest first. Without contacts.';
grant execute on function public.find_reservations(jsonb, uuid, integer, timestamptz) to authenticated;
-- << supabase/logic/reservations/find.sql

-- >> supabase/logic/reservations/guest_of_booking.sql
-- Whose a booking is, by the contact that staff typed.

create or replace function private.match_customer(p_organization uuid, p_email text, p_phone text,
  p_name text) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_first text := nullif(split_part(p_name, ' ', 1), '');
  v_last text := nullif(btrim(substr(p_name, length(split_part(p_name, ' ', 1)) + 2)), '');
  v_id uuid;
  v_is_new boolean;
  v_before public.customers;
begin
  select m.customer_id, m.is_new into v_id, v_is_new
  from private.match_people(p_organization, jsonb_build_array(jsonb_build_object('place', 1,
    'email', p_email, 'phone', p_phone, 'first_name', v_first, 'last_name', v_last))) as m;
  if v_is_new then
    insert into public.customers (id, organization_id, source, email, phone, first_name, last_name)
    values (v_id, p_organization, 'Manual', p_email, p_phone, v_first, v_last);
    perform private.suggest_for(v_id);
    perform private.audit(p_organization, 'customer.created', v_id);
    return v_id;
  end if;
  select * into v_before from public.customers c where c.id = v_id;
  -- Contact data of one booking fills blanks, but replaces no value.
  update public.customers c set email = coalesce(c.email, p_email), phone = coalesce(c.phone, p_phone),
    first_name = case when coalesce(c.first_name, c.last_name) is null then v_first else c.first_name end,
    last_name = case when coalesce(c.first_name, c.last_name) is null then v_last else c.last_name end
  where c.id = v_id
    and ((c.email is null and p_email is not null) or (c.phone is null and p_phone is not null)
    or (coalesce(c.first_name, c.last_name) is null and v_first is not null));
  if found then
    perform private.inherit_opt_outs(array[v_before]);
  end if;
  insert into public.customer_aliases (organization_id, customer_id, email)
  select p_organization, v_id, p_email from public.customers c where c.id = v_id and c.email <> p_email
  on conflict (organization_id, email) where email is not null do nothing;
  return v_id;
end
$$;
comment on function private.match_customer(uuid, text, text, text) is
  'The customer behind an e-mail (first) or phone, created when there is none; fills blanks and keeps a new e-mail as an alias. Call it under lock_identities.';

create or replace function private.contact_owners(p_organization uuid, p_email text, p_phone text,
  p_name text)
returns table (id uuid, name text, by_phone boolean, agrees boolean, is_same boolean)
language sql stable set search_path = ''
as $$
  with owned as (
    select c.id, false as by_phone from public.customers c where c.organization_id = p_organization
      and c.email = p_email
    union select a.customer_id, false from public.customer_aliases a
    where a.organization_id = p_organization and a.email = p_email
    union select o.customer_id, true from private.phone_owners(p_organization, array[p_phone]) as o
  )
  select c.id, nullif(concat_ws(' ', c.first_name, c.last_name), ''), o.by_phone,
    private.names_agree(named.typed, named.theirs),
    named.typed <> '' and named.typed = named.theirs
  from owned o join public.customers c on c.id = o.id
  cross join lateral (select private.name_key(p_name),
    private.name_key(concat_ws(' ', c.first_name, c.last_name)))
    as named (typed, theirs)
$$;
comment on function private.contact_owners(uuid, text, text, text) is
  'The customers whom an e-mail or a phone belongs to. agrees: not of a different name (one name has all words of the other, or one is missing); is_same: of the same name.';

create or replace function private.owners_of_another_name(p_organization uuid, p_email text, p_phone text,
  p_name text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
  from (
    select distinct o.id, o.name
    from (
      select k.*, bool_or(k.agrees) over (partition by k.by_phone) as is_known
      from private.contact_owners(p_organization, p_email, p_phone, p_name) as k) as o
    where not o.is_known limit 20) as x
$$;
comment on function private.owners_of_another_name(uuid, text, text, text) is
  'The customers [{id, name}], at most 20, to whom the e-mail or the phone belongs when none of its owners has the name; else null.';

create or replace function private.own_customer(p_organization uuid, p_email text, p_phone text, p_name text)
  returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_first text := nullif(split_part(p_name, ' ', 1), '');
  v_last text := nullif(btrim(substr(p_name, length(split_part(p_name, ' ', 1)) + 2)), '');
  v_taken constant boolean[] := (
    select array[coalesce(bool_or(not o.by_phone), false), coalesce(bool_or(o.by_phone), false)]
    from private.contact_owners(p_organization, p_email, p_phone, p_name) as o);
  v_id uuid;
begin
  insert into public.customers (organization_id, source, email, phone, first_name, last_name)
  values (p_organization, 'Manual', case when not v_taken[1] then p_email end,
    case when not v_taken[2] then p_phone end, v_first, v_last)
  returning id into v_id;
  insert into public.customer_aliases (organization_id, customer_id, phone)
  select p_organization, v_id, p_phone where v_taken[2];
  perform private.suggest_for(v_id);
  perform private.audit(p_organization, 'customer.created', v_id);
  return v_id;
end
$$;
comment on function private.own_customer(uuid, text, text, text) is
  'A new customer of that name. A shared phone becomes a further phone of theirs; a shared e-mail stays with its owner.';

create or replace function private.take_contact(p_customer uuid, p_email text, p_phone text) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_before constant public.customers[] := array(select c from public.customers c where c.id = p_customer);
begin
  update public.customers c
    set phone = coalesce(c.phone, p_phone), email = coalesce(c.email, case when not exists (
    select from private.contact_owners(c.organization_id, p_email, null, null)) then p_email end)
  where c.id = p_customer
    and (c.phone is null and p_phone is not null or c.email is null and p_email is not null);
  if found then
    perform private.inherit_opt_outs(v_before);
  end if;
end
$$;
comment on function private.take_contact(uuid, text, text) is 'Fills a customer''s blanks with the contact data of a booking; takes no other''s e-mail.';

create or replace function private.customer_of_contact(p_old public.reservations, p_next public.reservations,
  p_changed text[], p_link text, p_chosen uuid, p_is_floor boolean, out customer_id uuid, out refusal jsonb)
language plpgsql volatile set search_path = ''
as $$
declare
  -- A contact that was there before has been decided on.
  v_email constant text := case when 'customer_email' = any(p_changed) then p_next.customer_email end;
  v_phone constant text := case when 'customer_phone' = any(p_changed) then p_next.customer_phone end;
  v_owners jsonb;
begin
  if p_is_floor then
    -- Floor staff do not learn whether others have the contact: a guest of the typed name and contact, or
    -- none.
    customer_id := p_next.customer_id;
    if p_link = 'none' or p_old.customer_id is null or 'customer_name' = any(p_changed) then
      customer_id := (
        select o.id
        from private.contact_owners(p_next.organization_id, v_email, v_phone, p_next.customer_name) as o
        where p_link is null and o.is_same order by o.by_phone, o.id limit 1);
    end if;
    return;
  elsif p_link = 'none' or coalesce(p_next.customer_email, p_next.customer_phone) is null then
    return;
  elsif p_link = 'new' then
    customer_id := private.own_customer(p_next.organization_id, p_next.customer_email, p_next.customer_phone,
      p_next.customer_name);
    return;
  end if;
  v_owners := private.owners_of_another_name(p_next.organization_id, v_email, v_phone, p_next.customer_name);
  customer_id := p_chosen;
  if customer_id is not null and not exists (
    select from private.contact_owners(p_next.organization_id, p_next.customer_email, p_next.customer_phone,
      null) as o
    where o.id = customer_id) then
    refusal := jsonb_build_object('outcome', 'unknown_customer');
    return;
  elsif p_link = 'existing' and jsonb_array_length(v_owners) = 1 then
    customer_id := (v_owners #>> '{0,id}')::uuid;
  end if;
  if v_owners is not null and customer_id is null then
    refusal := jsonb_build_object('outcome', 'contact_of_another', 'candidates', case
      when exists (select from private.my_organizations('canAccessClientes')) then v_owners else '[]' end);
  elsif customer_id is not null then
    perform private.take_contact(customer_id, p_next.customer_email, p_next.customer_phone);
  else
    customer_id := private.match_customer(p_next.organization_id, p_next.customer_email,
      p_next.customer_phone, p_next.customer_name);
  end if;
end
$$;
comment on function private.customer_of_contact(public.reservations, public.reservations, text[], text, uuid, boolean) is
  'Whose a reservation is after its contact was changed by hand: customer_id, null for nobody. Creates a customer when p_link is new, or when nobody has the contact. p_link: as link of save_reservation; p_chosen: the customer_id that came with existing; p_is_floor: whether the caller is floor staff. refusal, in place of a customer: the answer of save_reservation (unknown_customer, contact_of_another). Call it under lock_identities.';
-- << supabase/logic/reservations/guest_of_booking.sql

-- >> supabase/logic/reservations/questions.sql
-- What a reservation asks before it is saved: an answer of yes goes along with the request as `confirm`.

create or replace function private.closes(p_closing public.closed_days, p_shift uuid, p_zone text,
  p_table text) returns boolean
language sql stable set search_path = ''
as $$
  select (p_closing.shift is null or exists (
      select from public.shifts s
      where s.id = p_shift and private.fold(s.name) = private.fold(p_closing.shift)))
    and (p_closing.zone is null or coalesce((
      -- Who holds a table sits in its zone, whatever zone was booked. Without one it says nothing (null).
      select bool_or(private.fold(d.zone) = private.fold(p_closing.zone))
      from public.dining_tables d
      where d.location_id = p_closing.location_id and d.name = any(private.table_names(p_table))),
      private.fold(p_zone) = private.fold(p_closing.zone), false))
$$;
comment on function private.closes(public.closed_days, uuid, text, text) is
  'Whether a closing of its day concerns a reservation of that shift: in the zone of its tables, else in the zone it booked.';

create or replace function private.is_closed_at(p_location uuid, p_day date, p_time time, p_zone text,
  p_table text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.closed_days c where c.location_id = p_location and c.day = p_day
      and private.closes(c, private.shift_at(p_location, p_day, p_time), p_zone, p_table))
$$;
comment on function private.is_closed_at(uuid, date, time, text, text) is
  'Whether a closing of a service day of a location concerns a reservation of that local time: in the zone of its tables, else in the zone it booked.';

create or replace function private.is_open_at(p_location uuid, p_day date, p_time time) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (select from public.shifts s where s.location_id = p_location) or exists (
    select from public.shifts s
    cross join lateral (
      select (extract(hour from p_time)::integer + 18) % 24 * 60 + extract(minute from p_time)::integer)
        as clock (minute)
    where s.location_id = p_location and extract(isodow from p_day)::smallint = any(s.weekdays)
      and clock.minute >= s.opens_at and clock.minute < s.closes_at)
$$;
comment on function private.is_open_at(uuid, date, time) is
  'Whether a shift of that service day takes guests at a local time, its end excluded. A location without shifts has no hours: always.';

create or replace function private.is_skipped(p_local timestamp, p_timezone text) returns boolean
language sql stable set search_path = ''
as $$ select (p_local at time zone p_timezone) at time zone p_timezone <> p_local $$;
comment on function private.is_skipped(timestamp, text) is
  'Whether the clocks of a time zone go past this local time: it does not exist.';

create or replace function private.reservation_questions(p_old public.reservations,
  p_next public.reservations, p_location public.locations, p_confirmed jsonb, p_now timestamptz) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_today constant date := private.current_service(p_location.timezone, p_now);
  v_day constant date := private.service_day(p_next.reservation_date, p_next.reservation_time);
  v_is_new constant boolean := p_old.id is null;
  v_is_moved constant boolean := v_is_new or p_old.location_id <> p_next.location_id
    or (p_old.reservation_date, p_old.reservation_time) <> (p_next.reservation_date, p_next.reservation_time);
  v_changes_day constant boolean := v_is_new or p_old.location_id <> p_next.location_id
    or p_old.service_date <> v_day;
  v_comes constant boolean := p_next.status in ('pending', 'confirmed', 'seated') and v_day >= v_today;
  -- Whose table is asked: who gets one, sits down, comes again, or comes at another time or with more people.
  v_takes_table constant boolean := v_comes and p_next.table_name is not null and (v_is_moved
    or p_old.table_name is distinct from p_next.table_name or p_old.party_size < p_next.party_size
    or p_old.status <> 'seated' and p_next.status = 'seated'
    or p_old.status not in ('pending', 'confirmed', 'seated'));
  -- Whose table was asked before only hears of who still sits there.
  v_is_own constant boolean := not v_is_moved and p_old.table_name is not distinct from p_next.table_name
    and p_old.party_size >= p_next.party_size and p_old.status in ('pending', 'confirmed');
  v_tables constant text[] := private.table_names(p_next.table_name);
  v_together constant uuid[] := private.sits_with(p_next);
  v_questions text[] := '{}';
  v_taken_by jsonb;
  v_seats record;
begin
  if v_changes_day and least(v_day, p_old.service_date) < v_today
    or p_old.party_size <> p_next.party_size and v_day < v_today then
    v_questions := v_questions || 'SERVICE_OVER'::text;
  end if;
  if v_takes_table then
    select jsonb_build_object('reservation_id', k.id, 'customer_name', k.name,
      'from', to_char(k.starts_at at time zone p_location.timezone, 'HH24:MI'),
      'until', to_char(k.ends_at at time zone p_location.timezone, 'HH24:MI')) into v_taken_by
    from (values
      -- Who sits down does so now, also before the day of the booking. A time given with it is asked, too.
      (p_now, p_next.status = 'seated'),
      ((p_next.reservation_date + p_next.reservation_time) at time zone p_location.timezone,
        p_next.status <> 'seated' or v_is_moved and v_day > v_today)) as t (starts_at, is_asked)
    cross join lateral private.parties_at(p_next.location_id, v_tables, t.starts_at, p_next.party_size,
      p_now) as k
    where t.is_asked and k.id is distinct from p_old.id and k.id <> all(v_together)
      and (k.status = 'seated' or not v_is_own)
    order by k.starts_at, k.id limit 1;
    if v_taken_by is not null then
      v_questions := v_questions || 'TABLE_TAKEN'::text;
    end if;
    select s.covers, cardinality(s.tables) as tables, count(d.capacity) as known, sum(d.capacity) as seats
      into v_seats
    from private.seating(p_next) as s
    left join public.dining_tables d on d.location_id = p_next.location_id and d.name = any(s.tables)
    group by s.covers, s.tables;
    if v_seats.known = v_seats.tables and v_seats.seats < v_seats.covers then
      v_questions := v_questions || 'TABLE_TOO_SMALL'::text;
    end if;
  end if;
  -- Who cancelled or did not come may find it closed meanwhile; who sits there is there.
  if v_comes and (v_is_moved or p_old.zone_name is distinct from p_next.zone_name
      -- Who only gives its table back goes nowhere.
      or p_old.table_name is distinct from p_next.table_name and p_next.table_name is not null
      or p_old.status in ('cancelled', 'no_show') and p_next.status <> 'seated')
    and private.is_closed_at(p_next.location_id, v_day, p_next.reservation_time, p_next.zone_name,
      p_next.table_name) then
    v_questions := v_questions || 'CLOSED'::text;
  end if;
  if v_comes and v_is_moved
    and not private.is_open_at(p_next.location_id, v_day, p_next.reservation_time) then
    v_questions := v_questions || 'OUTSIDE_HOURS'::text;
  end if;
  if p_next.total_amount is distinct from p_old.total_amount and p_next.total_amount > greatest(1000,
    10 * p_next.party_size * coalesce(p_location.average_spend_per_guest, 0)) then
    v_questions := v_questions || 'UNUSUAL_AMOUNT'::text;
  end if;
  return jsonb_build_object('questions', to_jsonb(v_questions), 'code', (
    select q.code from unnest(v_questions) with ordinality as q (code, place)
    where not coalesce(p_confirmed ? lower(q.code), false) order by q.place limit 1),
    'current', v_taken_by);
end
$$;
comment on function private.reservation_questions(public.reservations, public.reservations, public.locations, jsonb, timestamptz) is
  'What saving a reservation asks (p_old null: a new one): questions, the codes in order (SERVICE_OVER, TABLE_TAKEN, TABLE_TOO_SMALL, CLOSED, OUTSIDE_HOURS, UNUSUAL_AMOUNT); code, the first that p_confirmed, a list of codes in lower case, does not answer with yes; and current, the first party at its table {reservation_id, customer_name, from, until; HH:mm, local}. Call it under lock_identities: then no other writer gives the table away in between.';
-- << supabase/logic/reservations/questions.sql

-- >> supabase/logic/reservations/sync.sql
-- The sync. sync_reservations turns a batch of one location's PMS rows into customers, reservations,
-- statistics and tiers, in one transaction. record_sync and record_look_ahead keep which days of a location
-- the PMS has delivered. lib/pms calls them, with normalised rows, and then what takes out the bookings that
-- left the PMS (missing.sql).

create or replace function private.sync_read_rows(p_organization uuid, p_location uuid, p_rows jsonb,
  p_service date) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  drop table if exists pg_temp.sync_batch;
  create temp table sync_batch on commit drop as
  with given as (
    select distinct on (r.external_id) r.*
    from rows from (jsonb_to_recordset(p_rows) as (
      external_id text, email text, phone text, first_name text, last_name text, customer_name text,
      reservation_date date, reservation_time time, party_size integer, status text, pms_status text,
      notes text, zone_name text, table_name text, bad_email boolean, further_phones text[],
      phone_words text
    )) with ordinality as r (external_id, email, phone, first_name, last_name, customer_name,
      reservation_date, reservation_time, party_size, status, pms_status, notes, zone_name, table_name,
      bad_email, further_phones, phone_words, position)
    order by r.external_id, r.position desc
  ), incoming as (
    select b.external_id, b.position, b.pms_status, b.zone_name,
      case when marked.moment then e.reservation_date else b.reservation_date end as reservation_date,
      case when marked.moment then e.reservation_time else b.reservation_time end as reservation_time,
      case when marked.party_size then e.party_size else b.party_size end as party_size,
      case when marked.status then e.status else b.status end as status,
      case when marked.table_name then e.table_name else b.table_name end as table_name,
      personal.email, personal.phone, personal.first_name, personal.last_name, personal.customer_name,
      personal.bad_email, personal.further_phones,
      case when marked.notes then e.notes else personal.all_notes end as notes,
      coalesce(e.staff_marks, '{}') - array_remove(array[case when not marked.status then 'status' end,
        case when not marked.table_name then 'table_name' end, case when not marked.notes then 'notes' end,
        case when not marked.party_size then 'party_size' end,
        case when not marked.moment then 'reservation_date' end,
        case when not marked.moment then 'reservation_time' end], null) as staff_marks
    from given b
    left join public.reservations e on e.organization_id = p_organization and e.external_id = b.external_id
    -- A booking whose customer was erased takes no personal data from the PMS again.
    left join lateral (
      select b.email, b.phone, b.first_name, b.last_name, b.customer_name, b.notes, b.bad_email,
        b.further_phones, nullif(left(concat_ws(E'\n', b.notes, b.phone_words), 5000), '') as all_notes
      where e.erased_at is null
    ) as personal on true
    -- A value set by staff stays until the PMS sends something other than what it sent when staff set it. A
    -- status we do not know counts as no change.
    cross join lateral (select
      coalesce(e.staff_marks ? 'status' and coalesce(b.status = e.staff_marks ->> 'status', true), false)
      as status, coalesce(e.staff_marks ? 'table_name', false)
        and e.location_id = p_location
        and b.table_name is not distinct from e.staff_marks ->> 'table_name' as table_name,
      coalesce(e.staff_marks ? 'notes', false)
        and (e.location_id = p_location
          or (b.email, b.phone) is not distinct from (e.customer_email, e.customer_phone))
        and (personal.notes is not distinct from e.staff_marks ->> 'notes'
          or personal.all_notes is not distinct from e.staff_marks ->> 'notes') as notes,
      coalesce(e.staff_marks ? 'party_size' and e.location_id = p_location
        and b.party_size = (e.staff_marks ->> 'party_size')::integer, false) as party_size,
      -- A time after midnight is on another date: both are one mark.
      coalesce(e.staff_marks ?| array['reservation_date', 'reservation_time'] and e.location_id = p_location
        and b.reservation_date
          = coalesce((e.staff_marks ->> 'reservation_date')::date, e.reservation_date)
        and b.reservation_time
          = coalesce((e.staff_marks ->> 'reservation_time')::time, e.reservation_time), false) as moment
    ) as marked
  )
  select i.*, next.status as next_status, holder.id is not null as is_held,
    case when e.id is null or (i.customer_name, i.email, i.phone)
        is distinct from (e.customer_name, e.customer_email, e.customer_phone)
      then private.name_key(coalesce(i.first_name, '') || ' ' || coalesce(i.last_name, '')) end as name_key,
    row_number() over (order by i.reservation_date, i.reservation_time, i.position) as recency,
    e.id as reservation_id, e.customer_id as previous_customer_id, e.customer_id,
    -- An invalid e-mail is no change of contact: the reservation keeps its customer.
    e.id is null or (case when i.bad_email then e.customer_email else i.email end, i.phone) is distinct
    from (e.customer_email, e.customer_phone) as contact_changed, e.id is null or i.customer_name is distinct
    from e.customer_name
      or (i.email, i.phone) is distinct from (e.customer_email, e.customer_phone) as person_changed,
    e.id is null or (p_location, i.customer_name, i.email, i.phone, i.reservation_date, i.reservation_time,
        i.party_size, next.status, i.pms_status, i.notes, i.zone_name, i.table_name,
        i.staff_marks, coalesce(i.bad_email, false))
      is distinct from (e.location_id, e.customer_name, e.customer_email, e.customer_phone,
        e.reservation_date, e.reservation_time, e.party_size, e.status, e.pms_status, e.notes, e.zone_name,
        e.table_name, e.staff_marks, e.email_unread)
      as changed,
    -- Another location uses the id anew, for another party.
    coalesce(e.location_id <> p_location
      and (i.email, i.phone) is distinct from (e.customer_email, e.customer_phone), false) as is_another,
    private.service_day(i.reservation_date, i.reservation_time) < p_service as service_over,
    coalesce(i.bad_email, false) and e.email_unread is not true as email_broke,
    false as is_new
  from incoming i
  left join public.reservations e on e.organization_id = p_organization and e.external_id = i.external_id
  left join private.missing_bookings m on m.reservation_id = e.id
  cross join lateral (
    select coalesce(e.status = 'cancelled' and e.pms_status = 'missing', false) as is_gone
  ) as was
  -- A booking stays with the location that has it, as long as the sync asks that one and it is not cancelled
  -- as missing. Of too many missing at once another may have the very same one: two PMS ids were swapped.
  left join public.locations holder on holder.id = e.location_id and holder.id <> p_location
    and holder.is_active and holder.pms_id is not null and not was.is_gone
    and (m.held_at is null or (i.reservation_date, i.reservation_time, i.email, i.phone)
      is distinct from (e.reservation_date, e.reservation_time, e.customer_email, e.customer_phone))
  -- One that comes again with a status that we do not know is pending, as a new one is.
  cross join lateral (
    select coalesce(i.status, case when not was.is_gone then e.status end, 'pending') as status
  ) as next;
  -- A known reservation keeps its customer while its contact data stays the same.
  update pg_temp.sync_batch set customer_id = null where contact_changed and customer_id is not null;
  analyze pg_temp.sync_batch;
end
$$;
comment on function private.sync_read_rows(uuid, uuid, jsonb, date) is
  'Makes pg_temp.sync_batch, one row a reservation: the incoming values, the stored ones, which changed, and which another location holds. Services before p_service are over.';

create or replace function private.sync_set_aside(p_location uuid, p_now timestamptz, p_reader text)
  returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  v_held text[];
begin
  with held as (delete from pg_temp.sync_batch b where b.is_held returning b.external_id)
  select coalesce(array_agg(held.external_id), '{}') into v_held from held;
  -- What comes again has not left the PMS.
  delete from private.missing_bookings m using pg_temp.sync_batch b where m.reservation_id = b.reservation_id;
  return private.tell_once(p_location, 'held_elsewhere', v_held, p_now, p_reader);
end
$$;
comment on function private.sync_set_aside(uuid, timestamptz, text) is
  'Takes the rows that another location holds out of the batch; returns the ids of those that this reader was not told on this day yet. The others are no longer missing.';

create or replace function private.sync_match_people(p_organization uuid) returns bigint
language plpgsql volatile set search_path = ''
as $$
declare
  v_created bigint;
begin
  if not exists (select from pg_temp.sync_batch where contact_changed and coalesce(email, phone) is not null)
  then
    return 0;
  end if;
  update pg_temp.sync_batch b set customer_id = m.customer_id, is_new = m.is_new
  from private.match_people(p_organization, (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('place', position, 'recency', recency,
      'email', email, 'phone', phone, 'first_name', first_name, 'last_name', last_name,
      'customer_id', customer_id)))
    from pg_temp.sync_batch where contact_changed or customer_id is not null)) as m
  where b.position = m.place;

  insert into public.customers (id, organization_id, source, email, phone, first_name, last_name)
  select b.customer_id, p_organization, 'PMS', b.own_email,
    (array_agg(b.phone order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.phone is not null))[1],
    (array_agg(b.first_name order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.name_key <> ''))[1],
    (array_agg(b.last_name order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.name_key <> ''))[1]
  from (
    select *, first_value(email) over (partition by customer_id order by email is null, position) as own_email
    from pg_temp.sync_batch where is_new
  ) as b
  group by b.customer_id, b.own_email;
  get diagnostics v_created = row_count;
  return v_created;
end
$$;
comment on function private.sync_match_people(uuid) is
  'Gives rows of the batch with a new contact their customers, and creates those who are new: under their first e-mail, with the latest phone and name. Returns how many are new.';

create or replace function private.sync_update_profiles(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_before public.customers[];
begin
  -- A booking under the customer's own e-mail replaces name and phone, but not by a further phone of theirs;
  -- a name that differs only in case or accents is kept. A booking matched by phone or alias only fills a
  -- blank name or e-mail. A booking's e-mail that differs becomes an alias. Materialized: while the planner
  -- still thinks the table is empty, it would recompute this query for every customer.
  with news as materialized (
    select c as known,
      bool_or(b.email = c.email and b.name_key <> '') is true as own_name,
      (array_agg(b.first_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as first_name,
      (array_agg(b.last_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as last_name,
      (array_agg(b.name_key order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as name_key,
      (array_agg(b.phone order by b.recency desc) filter (where b.email = c.email and b.phone is not null
        and not exists (select from public.customer_aliases a
          where a.customer_id = c.id and a.phone = b.phone and c.phone is not null)))[1] as phone,
      (array_agg(b.email order by b.position) filter (where b.email is not null))[1] as email
    from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
    where b.person_changed
    group by c.id
  ), profile as materialized (
    select (n.known).id, coalesce((n.known).email, n.email) as email,
      coalesce(n.phone, (n.known).phone) as phone,
      case when takes.name then n.first_name else (n.known).first_name end as first_name,
      case when takes.name then n.last_name else (n.known).last_name end as last_name
    from news n
    cross join lateral private.name_key(coalesce((n.known).first_name, '') || ' ' ||
      coalesce((n.known).last_name, '')) as held (name_key)
    cross join lateral (select n.name_key <> held.name_key and (n.own_name or held.name_key = ''))
      as takes (name)
  ), changed as (
    update public.customers c
    set email = p.email, phone = p.phone, first_name = p.first_name, last_name = p.last_name
    from profile p
    where c.id = p.id and (c.email, c.phone, c.first_name, c.last_name)
      is distinct from (p.email, p.phone, p.first_name, p.last_name)
    returning c.id, c.email, c.phone
  )
  -- A phone that is another guest's first one as well takes no opt-out along: it would silence them.
  select coalesce(array_agg(case when not shared.phone then n.known
    else jsonb_populate_record(n.known, jsonb_build_object('phone', u.phone)) end), '{}') into v_before
  from changed u join news n on (n.known).id = u.id
  cross join lateral (
    select exists (select from public.customers o
      where o.organization_id = p_organization and o.phone = u.phone and o.id <> u.id)) as shared (phone)
  where (u.email, u.phone) is distinct from ((n.known).email, (n.known).phone);
  perform private.inherit_opt_outs(v_before);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select distinct p_organization, b.customer_id, b.email
  from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
  where b.contact_changed and b.email <> c.email
  on conflict (organization_id, email) where email is not null do nothing;
  perform private.add_phones(p_organization, array_agg(b.customer_id order by b.position, f.place),
    array_agg(f.phone order by b.position, f.place))
  from pg_temp.sync_batch b cross join unnest(b.further_phones) with ordinality as f (phone, place)
  having count(*) > 0;
end
$$;
comment on function private.sync_update_profiles(uuid) is
  'Customers take the latest name and phone of the batch''s new or changed bookings under their own e-mail; other bookings only fill a blank name or e-mail. No e-mail is replaced. Further phones are kept as such.';

create or replace function private.is_pms_walk_in(p_status text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$ select p_status is not distinct from '9' $$;
comment on function private.is_pms_walk_in(text) is
  'Whether the PMS says by its status that a party came without a booking: code 9.';

create or replace function private.sync_write_reservations(p_organization uuid, p_location uuid,
  p_counts_unmarked boolean, out created integer, out updated integer)
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
    customer_email, customer_phone, reservation_date, reservation_time, party_size, status, pms_status, notes,
    source, zone_name, table_name, service_over, counts_unmarked, email_unread, walk_in)
  select p_organization, p_location, customer_id, external_id, customer_name, email, phone, reservation_date,
    reservation_time, party_size, next_status, pms_status, notes, 'pms', zone_name, table_name, service_over,
    p_counts_unmarked, coalesce(bad_email, false), private.is_pms_walk_in(pms_status)
  from pg_temp.sync_batch where reservation_id is null
  order by reservation_date, reservation_time;
  get diagnostics created = row_count;

  -- The audit log records a mark that the PMS replaces.
  insert into public.audit_log (organization_id, action, subject_type, subject_id, details)
  select p_organization, 'reservation.overruled', 'reservation', e.id, jsonb_strip_nulls(jsonb_build_object(
    'fields', replaced.fields, 'status', case when 'status' = any(replaced.fields) then
      jsonb_build_object('from', e.status, 'to', b.next_status) end))
  from pg_temp.sync_batch b
  join public.reservations e on e.id = b.reservation_id
  cross join lateral (
    select array_agg(mark.field order by mark.field) as fields
    from (values ('status', e.status, b.next_status), ('table_name', e.table_name, b.table_name),
      ('notes', e.notes, b.notes), ('party_size', e.party_size::text, b.party_size::text),
      ('reservation_date', e.reservation_date::text, b.reservation_date::text),
      ('reservation_time', e.reservation_time::text, b.reservation_time::text)) as mark (field, ours, theirs)
    where e.staff_marks ? mark.field and mark.ours is distinct from mark.theirs
  ) as replaced
  where b.changed and e.staff_marks <> b.staff_marks and replaced.fields is not null;

  update public.reservations r set location_id = p_location, customer_id = b.customer_id,
    customer_name = b.customer_name, customer_email = b.email, customer_phone = b.phone,
    reservation_date = b.reservation_date, reservation_time = b.reservation_time, party_size = b.party_size,
    status = b.next_status, pms_status = b.pms_status, notes = b.notes,
    zone_name = b.zone_name, table_name = b.table_name, staff_marks = b.staff_marks,
    service_over = b.service_over, counts_unmarked = p_counts_unmarked,
    email_unread = coalesce(b.bad_email, false),
    -- Once it has come, another code of coming or going leaves it a walk-in; a corrected one no longer is.
    walk_in = private.is_pms_walk_in(b.pms_status) or r.walk_in and not b.is_another
      and (b.pms_status is not distinct from r.pms_status or b.next_status in ('seated', 'completed')),
    total_amount = case when not b.is_another then r.total_amount end,
    late_minutes = case when not b.is_another and r.service_order = b.reservation_date + b.reservation_time
      then r.late_minutes end,
    guest_answer = case when not b.is_another then r.guest_answer end,
    guest_answered_at = case when not b.is_another then r.guest_answered_at end
  from pg_temp.sync_batch b where r.id = b.reservation_id and b.changed;
  get diagnostics updated = row_count;
end
$$;
comment on function private.sync_write_reservations(uuid, uuid, boolean) is
  'Inserts the new reservations of the batch and updates the changed ones; does not touch the others. Returns how many were inserted and updated.';

create or replace function private.sync_learn_tables(p_organization uuid, p_location uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A party at "4+5" sits at two tables joined. A name with control characters could not be saved again by
  -- staff, nor more tables than the API accepts.
  insert into public.dining_tables (organization_id, location_id, zone, name, capacity)
  select p_organization, p_location,
    (array_agg(b.zone order by b.recency desc) filter (where b.zone <> ''))[1],
    b.name, max(b.party_size)
  from (
    select left(t.name, 100) as name, recency,
      nullif(least(ceil(party_size::numeric / array_length(names, 1)), 999), 0)::integer as party_size,
      left(btrim(regexp_replace(zone_name, '[\u0001-\u001f\u007f-\u009f]+', ' ', 'g')), 100) as zone
    from pg_temp.sync_batch
    cross join lateral private.table_names(table_name) as names
    cross join lateral unnest(names) as t (name)
    where changed and table_name !~ '[\u0001-\u001f\u007f-\u009f]'
  ) as b
  where not exists (select from public.dining_tables t where t.location_id = p_location and t.name = b.name)
  group by b.name
  order by b.name
  limit greatest(0, 1000 - (select count(*) from public.dining_tables t where t.location_id = p_location))
  on conflict (location_id, name) do nothing;
end
$$;
comment on function private.sync_learn_tables(uuid, uuid) is
  'Adds the tables that the batch names and the location does not have yet, up to 1000 in all; the largest party seen is their first capacity.';

create or replace function public.sync_reservations(p_location uuid, p_rows jsonb,
  p_now timestamptz default now(), p_reader text default 'requests') returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_organization uuid;
  v_service date;
  v_counts_unmarked boolean;
  v_new_customers bigint;
  v_held text[];
  v_written record;
begin
  select organization_id, private.current_service(timezone, p_now), count_unmarked_visits
  into v_organization, v_service, v_counts_unmarked
  from public.locations where id = p_location;
  if v_organization is null then
    raise exception 'unknown location' using errcode = '22023';
  end if;
  -- One writer of identities at a time: two batches never create the same person twice.
  perform private.lock_identities(v_organization);

  -- Each step reads and completes pg_temp.sync_batch.
  perform private.sync_read_rows(v_organization, p_location, p_rows, v_service);
  v_held := private.sync_set_aside(p_location, p_now, p_reader);
  v_new_customers := private.sync_match_people(v_organization);
  perform private.sync_update_profiles(v_organization);
  select * into v_written from private.sync_write_reservations(v_organization, p_location, v_counts_unmarked);
  perform private.sync_learn_tables(v_organization, p_location);
  -- Recounts the customers, present and former, of every new or changed reservation.
  perform private.refresh_customers(array(
    select customer_id from pg_temp.sync_batch where changed and customer_id is not null
    union
    select previous_customer_id from pg_temp.sync_batch where changed and previous_customer_id is not null));

  return jsonb_build_object('created', v_written.created, 'updated', v_written.updated,
    'customers', (select count(distinct customer_id) from pg_temp.sync_batch), 'customers_created',
    v_new_customers, 'bad_emails', (
      select coalesce(jsonb_agg(external_id order by external_id), '[]') from pg_temp.sync_batch
      where email_broke), 'held_elsewhere', to_jsonb(v_held));
end
$$;
comment on function public.sync_reservations(uuid, jsonb, timestamptz, text) is
  'Saves one location''s normalised PMS rows (external_id, email, phone, names, date, time, party size, status, …). Returns counts, and bad_emails: the ids of bookings that come with an e-mail that is none and did not before; held_elsewhere: the ids of rows that change nothing because another location holds them, each once a day to each p_reader.';

create or replace function private.known_days(p_from date, p_until date, p_asked daterange) returns daterange
language sql immutable set search_path = ''
as $$
  select case when p_from is null then p_asked
    when known.days && p_asked or known.days -|- p_asked then known.days + p_asked
    else p_asked end
  from (select daterange(p_from, p_until, '[]') as days) as known
$$;
comment on function private.known_days(date, date, daterange) is
  'Joins the known days with those just fetched. If there is a gap between them, only the days just fetched stay known: one range cannot have a gap.';

create or replace function public.record_sync(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_failure text default null) returns void
language sql volatile set search_path = ''
as $$
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1, synced_at = p_at,
    sync_failing_since = null, sync_failure = null
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_failure is null;
  update public.locations
  set sync_failing_since = coalesce(sync_failing_since, p_at), sync_failure = p_failure
  where id = p_location and p_failure is not null;
$$;
comment on function public.record_sync(uuid, timestamptz, date, date, text) is
  'Records that the PMS delivered a location''s days from p_from to p_to, or with p_failure why it did not.';

create or replace function public.record_look_ahead(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_outcome text) returns void
language sql volatile set search_path = ''
as $$
  update public.locations set ahead_tried_at = p_at where id = p_location;
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1,
    looked_ahead_at = case when p_outcome = 'done' then p_at else l.looked_ahead_at end,
    ahead_until = case when p_outcome = 'more' then p_to end
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_outcome in ('done', 'more')
$$;
comment on function public.record_look_ahead(uuid, timestamptz, date, date, text) is
  'Records a request for some of a location''s days ahead: done (the last part), more (parts are left) or failed.';
grant execute on function private.sync_read_rows(uuid, uuid, jsonb, date),
  private.sync_set_aside(uuid, timestamptz, text),
  private.sync_match_people(uuid), private.sync_update_profiles(uuid),
  private.is_pms_walk_in(text), private.sync_write_reservations(uuid, uuid, boolean),
  private.sync_learn_tables(uuid, uuid),
  public.sync_reservations(uuid, jsonb, timestamptz, text),
  private.known_days(date, date, daterange), public.record_sync(uuid, timestamptz, date, date, text),
  public.record_look_ahead(uuid, timestamptz, date, date, text) to service_role;
-- << supabase/logic/reservations/sync.sql

-- >> supabase/logic/segments/conditions.sql
-- One condition of a segment as SQL about customers c. Every value of a person is a literal of a checked
-- type.

create or replace function private.segment_reservations(p_node jsonb, p_scope private.segment_scope)
  returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_wanted uuid[] := case when p_node ? 'locations'
    then private.segment_list(p_node, 'locations', 50)::uuid[] end;
  v_days record;
begin
  if p_node ? 'period' then
    select * into v_days from private.segment_days(p_node -> 'period', p_scope);
    perform private.segment_needed(coalesce(v_days.first, v_days.last));
  else
    select null::date as first, null::date as last into v_days;
  end if;
  -- Literals, so that the index of a location's days is planned for these days.
  return format('r.location_id = any(%L::uuid[])%s%s',
    array(select l from unnest(p_scope.locations) as l where v_wanted is null or l = any(v_wanted)),
    case when v_days.first is not null then format(' and r.service_date >= %L::date', v_days.first) end,
    case when v_days.last is not null then format(' and r.service_date <= %L::date', v_days.last) end);
end
$$;
comment on function private.segment_reservations(jsonb, private.segment_scope) is
  'The condition on reservations r that a condition''s period and locations make.';

create or replace function private.segment_birthday(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_month integer := case p_node ->> 'is' when 'this_month' then extract(month from p_scope.today)
    when 'month' then private.segment_needed(private.segment_number(p_node, 'month', 1, 12)) end;
begin
  return case p_node ->> 'is'
    when 'next_days' then format('c.birth_day = any(%L::smallint[])', private.birth_days(p_scope.today,
      private.segment_needed(private.segment_number(p_node, 'days', 0, 366))::integer))
    else format('c.birth_day between %L::smallint and %L::smallint',
      private.segment_needed(v_month) * 100 + 1, v_month * 100 + 31) end;
end
$$;
comment on function private.segment_birthday(jsonb, private.segment_scope) is
  'Birthdays of the next days (over the end of the year), of a month, or of this month.';

create or replace function private.segment_rate(p_node jsonb, p_visits text) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_min numeric := private.segment_number(p_node, 'min', 0, 100);
  v_max numeric := private.segment_number(p_node, 'max', 0, 100);
  -- The few of services that are not over are taken off again: the kept counts have them.
  v_missed constant text := '(coalesce(no_shows.n, 0) - coalesce(undecided.no_shows, 0))';
  v_all constant text := format('(%s + %s - coalesce(undecided.visits, 0))', v_missed, p_visits);
begin
  perform private.segment_needed(coalesce(v_min, v_max));
  -- Without a division; most have no no-show, and are done with at once.
  return concat_ws(' and ', case when v_min > 0 then 'no_shows.n > 0' end, format('%s >= 3', v_all),
    case when v_min > 0 then format('%s * 100 >= %L::numeric * %s', v_missed, v_min, v_all) end,
    case when v_max is not null then format('%s * 100 <= %L::numeric * %s', v_missed, v_max, v_all) end);
end
$$;
comment on function private.segment_rate(jsonb, text) is
  'Whether no-shows are so many per cent of no-shows and visits of past services (p_visits: the SQL of the visits); who has fewer than three of these has no rate.';

create or replace function private.segment_booking(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_days integer := private.segment_needed(private.segment_number(p_node, 'days', 0, 365));
  v_wanted uuid[] := case when p_node ? 'locations'
    then private.segment_list(p_node, 'locations', 50)::uuid[] end;
begin
  -- A condition for each time zone, in literals: the index of a location's days is planned for these days.
  return format('exists (select from public.reservations r where r.customer_id = c.id and (%s)
      and r.status in (''pending'', ''confirmed'') and r.source <> ''import'')', coalesce((
    select string_agg(format('r.location_id = any(%L::uuid[]) and r.service_date between %L::date and %L::date
      and r.service_order > %L::timestamp', z.locations, z.today, z.today + v_days, z.local_now), ' or ')
    from (
      select array_agg(l.id order by l.id) as locations, p_scope.at at time zone l.timezone as local_now,
        private.current_service(l.timezone, p_scope.at) as today
      from public.locations l
      where l.id = any(p_scope.locations) and (v_wanted is null or l.id = any(v_wanted))
      group by l.timezone) as z), 'false'));
end
$$;
comment on function private.segment_booking(jsonb, private.segment_scope) is
  'Whether a guest has a booking that is later than now, within so many service days of its location.';

create or replace function private.segment_rfm(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_classes text[] := private.segment_list(p_node, 'classes', 6);
  m public.rhythm_models;
  v_valuable text;
  v_recent text;
  v_long_ago text;
begin
  if not v_classes <@ array['champions', 'loyal', 'slipping', 'promising', 'cooling', 'dormant'] then
    raise exception 'segment: an unknown class' using errcode = '22023';
  end if;
  select * into m from public.rhythm_models k where k.organization_id = p_scope.organization_id;
  if m.organization_id is null then
    return 'false';
  end if;
  -- A score is 1 plus the limits that the guest exceeds. Valuable: 7 or more of the 10 points of frequency
  -- and spend.
  v_valuable := format('(2 + %s) >= 7',
    (select string_agg(format('(%s > %L::numeric)::integer', f.value, f.cut), ' + ')
    from (select 'c.total_visits' as value, unnest(m.visit_cuts)::numeric as cut
      union all select 'c.total_spend', unnest(m.spend_cuts)) as f));
  v_recent := format('c.sort_visit > %L::timestamptz',
    p_scope.at - make_interval(days => m.recency_cuts[1] + 1));
  v_long_ago := format('c.sort_visit <= %L::timestamptz',
    p_scope.at - make_interval(days => m.recency_cuts[2] + 1));
  return 'c.total_visits > 0 and (' || (select string_agg(format('(%s and %s)',
    case when class in ('champions', 'promising') then v_recent when class in ('slipping', 'dormant')
      then v_long_ago
      else format('not (%s) and not (%s)', v_recent, v_long_ago) end,
    case when class in ('champions', 'loyal', 'slipping') then v_valuable
      else format('not (%s)', v_valuable) end), ' or ')
    from unnest(v_classes) as class) || ')';
end
$$;
comment on function private.segment_rfm(jsonb, private.segment_scope) is
  'Whether a guest is in one of the RFM classes: by fifths of the group, how recently they came, and how often and for how much (one score). Nobody is before the first nightly job.';

create or replace function private.segment_facts(p_node jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_codes text[] := private.segment_list(p_node, 'codes', 50);
  v_found text := format(
    'from public.customer_facts f where f.customer_id = c.id and f.code = any(%L::text[])',
    v_codes);
begin
  return case p_node ->> 'is'
    when 'any' then 'exists (select ' || v_found || ')'
    when 'all' then '(select count(*) ' || v_found || ') = '
      || (select count(distinct code) from unnest(v_codes) as code)
    when 'none' then 'not exists (select ' || v_found || ')' end;
end
$$;
comment on function private.segment_facts(jsonb) is
  'Whether any, all or none of the codes are recorded as facts of a customer; null for another word.';

create or replace function private.segment_patterns(p_text text) returns text[]
language plpgsql immutable set search_path = ''
as $$
declare
  v_text text := private.fold(left(p_text, 200));
  v_phone text := substring(v_text from
    '^(?:(?:tel|telefono|tf|tfno|tlf|mov|movil|phone|mobile)\M[.:]* ?)?([(+0-9][0-9 ()./+-]{3,})$');
  v_digits text := regexp_replace(regexp_replace(v_phone, '\( ?0 ?\)', ''), '[^0-9]', '', 'g');
begin
  return array(
    select '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%'
    from unnest(case when v_phone is not null
      then array[regexp_replace(v_digits, '^0{1,2}(?=\d{6})', '')]
      else regexp_split_to_array(regexp_replace(v_text, 'l·(?= |$)', 'l', 'g'), ' ') end) as term
    where term <> '');
end
$$;
comment on function private.segment_patterns(text) is 'The LIKE patterns of a search, as searchPatterns in lib/search.ts makes them.';

create or replace function private.segment_joins(p_node jsonb, p_scope private.segment_scope, out joins jsonb,
  out column_name text)
language plpgsql stable set search_path = ''
as $$
declare
  v_days record;
  v_locations uuid[];
begin
  joins := '{}';
  -- Counts over reservations are joined as one grouped read (segment_query): a look-up for each of a million
  -- customers takes longer, and so does a read for each condition.
  if p_node ->> 'field' in ('visits', 'spend') and (p_node ? 'period' or p_node ? 'locations') then
    select * into v_days from private.segment_days(p_node -> 'period', p_scope);
    column_name := case p_node ->> 'field' when 'visits' then 'n_' else 'a_' end
      || left(md5(private.segment_reservations(p_node, p_scope)), 12);
    v_locations := case when p_node ? 'locations'
      then private.segment_list(p_node, 'locations', 50)::uuid[] end;
    joins := jsonb_build_object('v_' || column_name, jsonb_build_object(
      'locations', case when not p_scope.locations <@ v_locations then v_locations::text end,
      'first', coalesce(v_days.first, '1900-01-01'), 'last', coalesce(v_days.last, '2199-12-31')));
  elsif p_node ->> 'field' in ('no_shows', 'no_show_rate') then
    joins := '{"no_shows": {}}';
    if p_scope.bound and p_node ->> 'field' = 'no_show_rate' then
      -- Both counts of the own locations: the kept one is the group's.
      column_name := 'n_' || left(md5(private.segment_reservations('{}', p_scope)), 12);
      joins := joins || jsonb_build_object('v_' || column_name, jsonb_build_object(
        'locations', null, 'first', '1900-01-01', 'last', '2199-12-31'));
    end if;
    if p_node ->> 'field' = 'no_show_rate' then
      joins := joins || '{"undecided": {}}';
    end if;
  elsif p_node ->> 'field' = 'rhythm' then
    joins := '{"rhythm": {}}';
  end if;
end
$$;
comment on function private.segment_joins(jsonb, private.segment_scope) is
  'What segment_query must join for a condition: no_shows, undecided, rhythm, or a count or sum of visits (v_n_… or v_a_…: {locations or null, first, last}); column_name is that of the last, in v.';

-- Everything a person gives enters the query as a literal (%L) of a checked type, or chooses among texts of
-- ours.
create or replace function private.segment_leaf(p_node jsonb, p_scope private.segment_scope,
  out condition text, out joins jsonb, out known boolean)
language plpgsql stable set search_path = ''
as $$
declare
  v_is text := p_node ->> 'is';
  v_column text;
begin
  select j.joins, j.column_name into joins, v_column from private.segment_joins(p_node, p_scope) as j;
  condition := case p_node ->> 'field'
    when 'search' then nullif('true' || private.guest_search(p_scope.organization_id,
      private.segment_patterns(p_node ->> 'text')), 'true')
    when 'tags' then format(case v_is when 'any' then 'c.tags && %L::text[]'
      when 'all' then 'c.tags @> %L::text[]'
      when 'none' then 'not c.tags && %L::text[]' end, private.segment_list(p_node, 'tags', 50))
    when 'tier' then format('c.loyalty_tier_id = any(%L::uuid[])',
      private.segment_list(p_node, 'tiers', 50)::uuid[])
    when 'location' then format('c.location_id = any(%L::uuid[])',
      private.segment_list(p_node, 'locations', 50)::uuid[])
    when 'source' then format('c.source = any(%L::text[])', private.segment_list(p_node, 'sources', 50))
    when 'consent' then 'true'
      || private.consent_condition(private.segment_needed(p_node ->> 'channel') || ':' ||
      private.segment_needed(p_node ->> 'state'))
    when 'points' then private.segment_range('c.points', p_node, 9000000000000000)
    when 'visits' then private.segment_range(coalesce('v.' || v_column, 'c.total_visits'), p_node, 1000000000)
    when 'spend' then private.segment_range(coalesce('v.' || v_column, 'c.total_spend'), p_node,
      9999999999.99)
    when 'last_visit' then case when v_is = 'between' then private.segment_visit_days(p_node, p_scope)
      else private.segment_instants('c.sort_visit', p_node, p_scope) end
    when 'created' then private.segment_instants('c.created_at', p_node, p_scope)
    when 'birthday' then private.segment_birthday(p_node, p_scope)
    when 'facts' then private.segment_facts(p_node)
    when 'booking' then private.segment_booking(p_node, p_scope)
    when 'no_shows' then private.segment_range('no_shows.n', p_node, 1000000)
    when 'no_show_rate'
      then private.segment_rate(p_node, coalesce('coalesce(v.' || v_column || ', 0)', 'c.total_visits'))
    when 'rhythm' then private.rhythm_state(v_is, 'rhythm', p_scope.today)
    when 'rfm' then private.segment_rfm(p_node, p_scope)
  end;
  perform private.segment_needed(condition);
  known := p_node ->> 'field' in ('facts', 'booking') or p_node ->> 'field' = 'consent'
    and p_node ->> 'state' = 'opted_out';
end
$$;
comment on function private.segment_leaf(jsonb, private.segment_scope) is
  'One condition as SQL about customers c ($1: the organization), whether it is never null (known), and what segment_query must join (see segment_joins).';
-- << supabase/logic/segments/conditions.sql

-- >> supabase/logic/service/board.sql
-- Tonight, as the host sees it: the parties of a service day with what to know about each, and what staff tap
-- (arrived, seated, table assigned, changed, no-show, cancelled, finished, set back, walk-in, undo; what they
-- tap of the waitlist stands in waitlist.sql).
-- Telephones lose their connection, so a tap has a key: sent twice, it counts once.

create or replace function private.tapped_fields(p_reservation public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('status', p_reservation.status, 'table_name', p_reservation.table_name,
    'arrived_at', p_reservation.arrived_at, 'seated_at', p_reservation.seated_at,
    'finished_at', p_reservation.finished_at)
$$;
comment on function private.tapped_fields(public.reservations) is
  'The fields of a reservation that the steps of the service change.';

create or replace function private.all_tapped_fields(p_reservation public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$
  select private.tapped_fields(p_reservation) || jsonb_build_object('party_size', p_reservation.party_size,
    'reservation_time', to_char(p_reservation.reservation_time, 'HH24:MI'),
    'late_minutes', p_reservation.late_minutes, 'notes', p_reservation.notes,
    'joined_to', p_reservation.joined_to)
$$;
comment on function private.all_tapped_fields(public.reservations) is
  'tapped_fields, and what the taps change and join may change: party_size, reservation_time, late_minutes, notes and joined_to.';

create or replace function private.refused_tap(p_key uuid, p_reservation uuid, p_saved jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(f.key, f.value)
  from jsonb_each(jsonb_build_object('key', p_key, 'reservation_id', p_reservation,
    'outcome', coalesce(lower(p_saved ->> 'code'),
      case p_saved ->> 'outcome' when 'edited_meanwhile' then 'conflict' else p_saved ->> 'outcome' end), 'code', p_saved -> 'code',
    'questions', p_saved -> 'questions',
    'current', case when p_saved ? 'code' then p_saved -> 'current' end)) as f
  where f.value <> 'null'
$$;
comment on function private.refused_tap(uuid, uuid, jsonb) is
  'The answer to a tap that save_reservation did not save: its outcome, or what it asks first, in lower case, with all questions and the party at the table.';

create or replace function private.tables_in(p_tap jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_tap) as f
  where f.key = any('{tables,table_name}')
$$;
comment on function private.tables_in(jsonb) is
  'The tables that a tap names, as save_reservation takes them: tables, table_name, or both; empty: none.';

create or replace function private.seat_walk_in(p_location uuid, p_tap jsonb, p_at timestamptz,
  p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_place public.locations;
  v_next public.reservations;
  v_saved jsonb;
begin
  select * into v_place from public.locations where id = p_location;
  v_saved := public.save_reservation(jsonb_build_object('location_id', p_location,
    'customer_name', p_tap -> 'customer_name', 'party_size', p_tap -> 'party_size', 'status', 'seated',
    'reservation_date', (p_at at time zone v_place.timezone)::date,
    'reservation_time', to_char(p_at at time zone v_place.timezone, 'HH24:MI'),
    -- Who has come is asked about tables only.
    'confirm', coalesce(p_tap -> 'confirm', '[]') || '["service_over", "closed", "outside_hours"]')
    || private.tables_in(p_tap), null, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, null, v_saved || case when v_saved ? 'questions'
      then jsonb_build_object('questions',
        (v_saved -> 'questions') - '{SERVICE_OVER,CLOSED,OUTSIDE_HOURS}'::text[])
      else '{}' end);
  end if;
  update public.reservations set walk_in = true, arrived_at = p_at, seated_at = p_at
  where id = (v_saved #>> '{reservation,id}')::uuid returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  values (v_key, v_next.organization_id, v_next.id, 'walk_in', '{}', private.tapped_fields(v_next), p_now);
  return jsonb_build_object('key', v_key, 'outcome', 'saved', 'reservation_id', v_next.id);
end
$$;
comment on function private.seat_walk_in(uuid, jsonb, timestamptz, timestamptz) is
  'Books and seats at p_at the party of a tap that came without a booking: as take_tap.';

create or replace function private.fields_after(p_old public.reservations, p_tap jsonb, p_at timestamptz)
  returns jsonb
language sql stable set search_path = ''
as $$
  select case p_tap ->> 'action' when 'change' then '{}' else private.tapped_fields(p_old) end
    || case p_tap ->> 'action'
    when 'arrive' then jsonb_build_object('arrived_at', p_at,
      'status', case when p_old.status in ('pending', 'no_show', 'cancelled') then 'confirmed'
        else p_old.status end)
    when 'seat' then jsonb_build_object('arrived_at', coalesce(p_old.arrived_at, p_at), 'seated_at', p_at,
      'finished_at', null, 'status', 'seated', 'table_name',
      coalesce(p_tap ->> 'table_name', p_old.table_name))
    when 'assign' then jsonb_build_object('table_name', p_tap -> 'table_name')
    when 'change' then jsonb_strip_nulls(jsonb_build_object('party_size', p_tap -> 'party_size',
        'reservation_time', p_tap -> 'time'))
      || case when private.tables_in(p_tap) <> '{}'
        then jsonb_build_object('table_name', p_tap -> 'table_name') else '{}' end
      || case when p_tap ? 'notes' then jsonb_build_object('notes', p_tap -> 'notes') else '{}' end
      -- How late a party comes was said of its former time.
      || case when p_tap ? 'late_minutes' or p_tap ? 'time'
        then jsonb_build_object('late_minutes', p_tap -> 'late_minutes') else '{}' end
    when 'no_show' then '{"status": "no_show", "arrived_at": null, "seated_at": null}'
    when 'cancel' then '{"status": "cancelled", "arrived_at": null, "seated_at": null, "finished_at": null}'
    when 'finish' then jsonb_build_object('status', 'completed', 'finished_at', p_at)
    when 'set_back' then jsonb '{"finished_at": null}' || case p_tap ->> 'to'
      -- Since when the party sits is what it was before.
      when 'seated' then '{"status": "seated"}'
      when 'arrived' then jsonb_build_object('status', 'confirmed', 'seated_at', null,
        'arrived_at', coalesce(p_old.arrived_at, p_at))
      else '{"status": "confirmed", "arrived_at": null, "seated_at": null}' end
    end
$$;
comment on function private.fields_after(public.reservations, jsonb, timestamptz) is
  'What a reservation has of tapped_fields after a tap at p_at: arrive, seat, assign, no_show, cancel, finish, or set_back to expected, arrived or seated; for change only what it changes.';

create or replace function private.tapped_at(p_tap jsonb, p_now timestamptz) returns timestamptz
language sql stable set search_path = ''
as $$
  select greatest(least(coalesce((p_tap ->> 'at')::timestamptz, p_now), p_now), p_now - interval '1 day')
$$;
comment on function private.tapped_at(jsonb, timestamptz) is
  'When something was tapped: a telephone without a connection sends what was tapped earlier, within the day.';

create or replace function private.take_tap(p_location uuid, p_tap jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_key uuid := (p_tap ->> 'key')::uuid;
  v_action text := p_tap ->> 'action';
  v_id uuid := (p_tap ->> 'reservation_id')::uuid;
  v_at timestamptz := private.tapped_at(p_tap, p_now);
  v_old public.reservations;
  v_next public.reservations;
  v_undone private.service_taps;
  v_fields jsonb;
  v_tables constant jsonb := private.tables_in(p_tap);
  v_saved jsonb;
begin
  if exists (select from private.service_taps t where t.key = v_key) then
    return jsonb_build_object('key', v_key, 'outcome', 'repeated');
  end if;
  if v_action = 'walk_in' then
    return private.seat_walk_in(p_location, p_tap, v_at, p_now);
  end if;

  -- A walk-in that was tapped without a connection has no id yet: later taps name its key.
  v_id := coalesce(v_id, (
    select t.reservation_id from private.service_taps t where t.key = (p_tap ->> 'of')::uuid));
  select * into v_old from public.reservations r
  where r.id = v_id and r.location_id = p_location and r.source <> 'import' for update;
  if v_old.id is null then
    return jsonb_build_object('key', v_key, 'outcome', 'not_found');
  end if;
  if v_action = 'undo' then
    select * into v_undone from private.service_taps t
    where t.key = (p_tap ->> 'undoes')::uuid and t.reservation_id = v_old.id;
    if v_undone.key is null then
      return jsonb_build_object('key', v_key, 'outcome', 'not_found');
    elsif not private.all_tapped_fields(v_old) @> v_undone.after then
      return jsonb_build_object('key', v_key, 'outcome', 'conflict', 'reservation_id', v_old.id);
    end if;
    -- An undone walk-in never came.
    v_fields := case v_undone.action when 'walk_in'
      then private.tapped_fields(v_old) || '{"status": "cancelled", "seated_at": null, "arrived_at": null}'
      else v_undone.before end;
  else
    -- Another person or the PMS was faster: the state that this person saw is outdated.
    if v_old.status <> coalesce(p_tap ->> 'seen', v_old.status) then
      return jsonb_build_object('key', v_key, 'outcome', 'conflict', 'reservation_id', v_old.id);
    end if;
    v_fields := private.fields_after(v_old, p_tap, v_at);
  end if;
  if v_action = 'join' or v_undone.before ? 'joined_to' then
    return private.take_join(v_old, p_tap, v_undone, p_now);
  end if;
  v_saved := public.save_reservation((
    select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(v_fields) as f
    where f.key = any('{status,table_name,party_size,reservation_time,notes}')
      and (f.key <> 'table_name' or v_tables = '{}')) || v_tables
    || case when v_action = 'change' and p_tap ? 'was'
      then jsonb_build_object('loaded', jsonb_build_object('notes', p_tap -> 'was')) else '{}' end
    || jsonb_build_object('by_tap', true, 'confirm', p_tap -> 'confirm'), v_old.id, p_now);
  if v_saved ->> 'outcome' <> 'saved' then
    return private.refused_tap(v_key, v_old.id, v_saved);
  end if;
  update public.reservations r set (arrived_at, seated_at, finished_at, late_minutes) = (
    select n.arrived_at, n.seated_at, n.finished_at, n.late_minutes
    from jsonb_populate_record(r, v_fields) as n)
  where r.id = v_old.id returning * into v_next;
  insert into private.service_taps (key, organization_id, reservation_id, action, before, after, taken_at)
  select v_key, v_old.organization_id, v_old.id, v_action,
    jsonb_object_agg(f.key, f.value), jsonb_object_agg(f.key, private.all_tapped_fields(v_next) -> f.key),
    p_now
  from jsonb_each(private.all_tapped_fields(v_old)) as f where v_fields ? f.key;
  return jsonb_build_object('key', v_key, 'outcome', 'saved', 'reservation_id', v_old.id);
end
$$;
comment on function private.take_tap(uuid, jsonb, timestamptz) is
  'Applies one tap, once, under lock_identities: saved, repeated, conflict (the reservation has changed since the person saw it; nothing changes), not_found, or refused_tap. Its confirm answers the questions of save_reservation.';

create or replace function public.take_taps(p_location uuid, p_taps jsonb, p_now timestamptz default now())
  returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_tap jsonb;
  v_answers jsonb := '[]';
begin
  p_now := private.clock(p_now);
  if p_location is null or p_location <> all(array(select private.my_locations('canAccessOperaciones'))) then
    return null;
  end if;
  -- First this lock: a telephone that gave up waiting sends its taps again while they are being taken. And
  -- before the reservation, as save_reservation and the sync do: the other way round a tap and a sync would
  -- wait for each other, and one of them would fail.
  perform private.lock_identities(l.organization_id) from public.locations l where l.id = p_location;
  -- In the order in which they were tapped: one may build on another. A queue is short.
  for v_tap in select value from jsonb_array_elements(p_taps) limit 50 loop
    v_answers := v_answers || case when v_tap ->> 'action' like 'wait\_%'
      then private.take_waiting_tap(p_location, v_tap, p_now)
      else private.take_tap(p_location, v_tap, p_now) end;
  end loop;
  return v_answers;
end
$$;
comment on function public.take_taps(uuid, jsonb, timestamptz) is
  'Taps of the service of a location, at most 50, in order: one answer each {key, outcome, reservation_id}. Null without the right. See private.take_tap and private.take_waiting_tap.';

create or replace function public.service_list(p_location uuid, p_day date default null,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with place as materialized (
    select l.*, coalesce(p_day, private.current_service(l.timezone, (select private.clock(p_now)))) as day,
      private.vip_rank(l.organization_id) as vip_rank
    from public.locations l
    where l.id = p_location and l.id = any(array(select private.my_locations('canAccessOperaciones')))
  ), bound as materialized (
    select private.bound_to() as locations
  ), birthdays as materialized (
    select n as days, unnest(private.birth_days(p.day + n, 0)) as birth_day
    from place p cross join generate_series(-3, 3) as n
  ), usual as materialized (
    select u.customer_id, u.table_name
    from place p
    cross join lateral private.usual_tables(array(
      select distinct r.customer_id from public.reservations r
      where r.location_id = p.id and r.service_date = p.day and r.customer_id is not null
        and r.status in ('pending', 'confirmed') and not r.service_over and r.source <> 'import'),
      array[p.id], (select private.clock(p_now))) as u
  ), parties as (
    select r.service_order, r.id,
      jsonb_build_object('id', r.id, 'time', to_char(r.reservation_time, 'HH24:MI'),
      'shift_id', private.shift_at(r.location_id, r.service_date, r.reservation_time),
      'name', coalesce(r.customer_name, nullif(concat_ws(' ', c.first_name, c.last_name), '')),
      'phone', coalesce(r.customer_phone, c.phone), 'party_size', r.party_size, 'status', r.status,
      'table_name', r.table_name, 'tables', private.table_names(r.table_name), 'joined_to', r.joined_to,
      'zone_name', r.zone_name,
      'arrived_at', r.arrived_at, 'seated_at', r.seated_at, 'finished_at', r.finished_at,
      'late_minutes', r.late_minutes, 'walk_in', r.walk_in, 'from_pms', r.source = 'pms',
      'notes', nullif(btrim(r.notes), ''), 'customer_id', c.id, 'customer_notes', nullif(btrim(c.notes), ''),
      'tags', coalesce(to_jsonb(c.tags), '[]'), 'tier', t.name,
      'vip', coalesce(t.rank >= p.vip_rank, false),
      'birthday_in', b.days, 'first_visit', coalesce(c.total_visits = 0, false),
      'facts', coalesce((
        select jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note)
          order by f.kind, f.code)
        from public.customer_facts f where f.customer_id = c.id), '[]'),
      'allergies', coalesce(a.codes, '[]'), 'usual_table', u.table_name,
      'no_shows', coalesce((
        select count(*) from public.reservations o
        where o.customer_id = c.id and o.status = 'no_show' and o.source <> 'import' and o.id <> r.id
          and (w.locations is null or o.location_id = any(w.locations))), 0)) as party
    from place p cross join bound w
    join public.reservations r on r.location_id = p.id and r.service_date = p.day and r.source <> 'import'
    left join public.customers c on c.id = r.customer_id
      and c.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    left join birthdays b on b.birth_day = c.birth_day
    left join usual u on u.customer_id = c.id and r.status in ('pending', 'confirmed') and not r.service_over
    -- Also for callers without the right to cards: allergies stand wherever the booking does.
    left join private.allergy_codes(array(select o.customer_id from place q join public.reservations o
      on o.location_id = q.id and o.service_date = q.day)) as a on a.customer_id = r.customer_id
  )
  select jsonb_build_object('location',
    jsonb_build_object('id', p.id, 'name', p.name, 'timezone', p.timezone, 'stay_minutes', p.stay_minutes),
    'day', p.day, 'at', (select private.clock(p_now)), 'closed', (
      select jsonb_build_object('name', d.name) from public.closed_days d where d.location_id = p.id
        and d.day = p.day and num_nonnulls(d.shift, d.zone) = 0),
    'closings', coalesce((
      select jsonb_agg(private.closing_json(d) order by d.shift nulls first, d.zone nulls first, d.id)
      from public.closed_days d where d.location_id = p.id and d.day = p.day), '[]'),
    'shifts', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'opens', to_char(s.opens, 'HH24:MI'),
        'closes', to_char(s.closes, 'HH24:MI'), 'capacity', s.capacity) order by s.opens_at)
      from public.shifts s
      where s.location_id = p.id and extract(isodow from p.day)::smallint = any(s.weekdays)), '[]'),
    'tables', coalesce((
      select jsonb_agg(jsonb_build_object('name', d.name, 'zone', d.zone, 'capacity', d.capacity,
        'plan_x', d.plan_x, 'plan_y', d.plan_y, 'shape', d.shape, 'turned', d.turned, 'joinable', d.joinable)
        -- As people count: 2 before 10.
        order by d.zone nulls last, substring(d.name from '^\D*'),
          substring(d.name from '\d+')::numeric nulls first, d.name)
      from public.dining_tables d where d.location_id = p.id and d.is_active), '[]'),
    'waiting', public.list_waiting(p.id),
    'parties', coalesce((select jsonb_agg(x.party order by x.service_order, x.id) from parties x), '[]'))
  from place p
$$;
comment on function public.service_list(uuid, date, timestamptz) is
  'A service day of a location, by default the current one: its closings, shifts, tables, waitlist, and parties by time with facts and notes of each, and the usual table of who is expected. Null without the right.';

create or replace function public.services(p_day date, p_location uuid default null,
  p_now timestamptz default now()) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(public.service_list(l.id, p_day, (select private.clock(p_now)))
    order by l.name, l.id), '[]')
  from public.locations l
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and case when p_location is null then l.is_active else l.id = p_location end
$$;
comment on function public.services(date, uuid, timestamptz) is
  'A day''s services of the caller''s active locations, or of one: see service_list.';

-- Figures without names, as in service_summary: everyone's, each in their locations.
create or replace function public.shift_occupancy(p_location uuid default null, p_date date default null,
  p_now timestamptz default now())
returns table (location_id uuid, shift_id uuid, name text, capacity integer, covers bigint)
language sql stable security definer set search_path = ''
as $$
  with places as materialized (
    select l.id, d.day from public.locations l
    cross join lateral (
      select coalesce(p_date, private.current_service(l.timezone, (select private.clock(p_now)))) as day) as d
    where l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
      and exists (select from public.shifts s where s.location_id = l.id and s.capacity is not null)
      and not exists (select from public.closed_days c where c.location_id = l.id and c.day = d.day
        and num_nonnulls(c.shift, c.zone) = 0)
  ), taken as materialized (
    -- A shift is looked up for each time, not for each reservation.
    select private.shift_at(t.id, t.day, t.reservation_time) as shift_id, sum(t.covers)::bigint as covers
    from (
      select p.id, p.day, r.reservation_time, sum(r.party_size) as covers
      from places p join public.reservations r on r.location_id = p.id and r.service_date = p.day
        and r.source <> 'import' and r.status not in ('cancelled', 'no_show')
      group by p.id, p.day, r.reservation_time) as t
    group by 1
  )
  select s.location_id, s.id, s.name, s.capacity, coalesce(t.covers, 0)
  from places p
  join public.shifts s on s.location_id = p.id and extract(isodow from p.day)::smallint = any(s.weekdays)
  left join taken t on t.shift_id = s.id
  where s.capacity is not null
  order by s.location_id, s.opens_at
$$;
comment on function public.shift_occupancy(uuid, date, timestamptz) is
  'The covers and capacity of a date''s shifts, else of the current service''s; without shifts of unknown capacity and closed days.';
grant execute on function public.take_taps(uuid, jsonb, timestamptz),
  public.service_list(uuid, date, timestamptz), public.services(date, uuid, timestamptz),
  public.shift_occupancy(uuid, date, timestamptz) to authenticated;
-- << supabase/logic/service/board.sql

-- >> supabase/logic/service/party_lines.sql
-- What to know of one party before it sits down, for its three lines: who comes, what to avoid, what to do.

create or replace function private.visits_of_party(p_party public.reservations, p_bound uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  with bookings as materialized (
    select o.* from public.reservations o
    where o.customer_id = p_party.customer_id and o.source <> 'import'
      and (p_bound is null or o.location_id = any(p_bound))
  ), earlier as materialized (
    select b.* from bookings b
    where b.id <> p_party.id and b.service_order <= p_party.service_order
  ), missed as (
    select e.* from earlier e
    where e.status = 'no_show' and e.service_date >= p_party.service_date - interval '2 years'
  )
  select jsonb_build_object(
    -- In the whole group, also where the caller does not work: a number names no visit.
    'visits', (
      select greatest(0, c.total_visits - (
        select count(*) from public.reservations o
        where o.customer_id = c.id and o.visited
          and (o.id = p_party.id or o.service_order > p_party.service_order)))
      from public.customers c where c.id = p_party.customer_id),
    'here', (
      select count(*) from earlier e where e.visited and e.location_id = p_party.location_id),
    'last', (
      select jsonb_build_object('id', e.id, 'location_id', l.id, 'location', l.name, 'date', e.service_date)
      from earlier e join public.locations l on l.id = e.location_id
      where e.visited order by e.service_order desc, e.id desc limit 1),
    'usual', (
      select jsonb_build_object(
        'party_size', private.usual(array_agg(e.party_size::text order by e.service_order, e.id))::integer,
        'time', private.usual(array_agg(to_char(e.reservation_time, 'HH24:MI')
          order by e.service_order, e.id)),
        'table_name', (
          select u.table_name from private.usual_tables(array[p_party.customer_id],
            array[p_party.location_id], p_party.service_order at time zone 'UTC', p_party) as u))
      from earlier e where e.visited),
    -- Only who has not come yet can be asked whether they will.
    'no_shows', case when p_party.status in ('pending', 'confirmed') and p_party.arrived_at is null then (
      select jsonb_build_object('count', count(*) over (), 'id', m.id, 'location_id', m.location_id,
        'date', m.service_date)
      from missed m order by m.service_order desc, m.id desc limit 1) end)
$$;
comment on function private.visits_of_party(public.reservations, uuid[]) is
  'The visits of a party''s guest before the party: visits, all of the group; and at these locations (null: all) here, at the party''s own; the last one; the usual size and time (private.usual) and table there (private.usual_tables); and the no-shows of two years, with the latest.';

create or replace function private.complaints_of_party(p_party public.reservations, p_last uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with mine as materialized (
    select array(select private.my_locations('canAccessClientes')) as locations,
      array(select private.my_organizations('canAccessClientes')) as organizations
  ), answer as materialized (
    -- As in private.ticket_of_feedback: one or two stars open a ticket.
    select f.* from mine m join public.feedback f on f.reservation_id = p_last
    where f.score <= 2 and f.location_id = any(m.locations)
  ), named as materialized (
    select t.id from public.tickets t where t.reservation_id in (p_party.id, p_last)
    union
    select t.id from public.tickets t
    where t.customer_id = p_party.customer_id and t.reservation_id is null and t.created_at >= (
      select v.service_order at time zone l.timezone
      from public.reservations v join public.locations l on l.id = v.location_id where v.id = p_last)
    union
    select a.ticket_id from answer a
  ), open as (
    select t.id, t.number, t.subject from named n join public.tickets t on t.id = n.id cross join mine m
    where t.status in ('open', 'in_progress', 'waiting') and t.organization_id = any(m.organizations)
      and (t.location_id is null or t.location_id = any(m.locations))
    order by t.number desc limit 3
  )
  select jsonb_build_object(
    'feedback', (
      select jsonb_build_object('id', a.id, 'score', a.score, 'date', v.service_date)
      from answer a join public.reservations v on v.id = a.reservation_id),
    'tickets', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.number desc), '[]') from open o))
$$;
comment on function private.complaints_of_party(public.reservations, uuid) is
  'For who may read customers, each in their locations: the bad answer of a party''s guest about their last visit, and at most three open tickets about it, since it, or about the party. The others get none.';

create or replace function public.party_lines(p_reservation uuid, p_now timestamptz default now())
  returns jsonb
language sql stable security definer set search_path = ''
as $$
  with found as materialized (
    select r as party, l.timezone from public.reservations r join public.locations l on l.id = r.location_id
    where r.id = p_reservation and r.source <> 'import'
      and r.location_id = any(array(select private.my_locations('canAccessOperaciones')))
  ), guest as materialized (
    select c.*, t.name as tier, coalesce(t.rank >= private.vip_rank(c.organization_id), false) as vip,
      private.visits_of_party(f.party, private.bound_to()) as visits
    from found f join public.customers c on c.id = (f.party).customer_id
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    where c.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
  )
  select jsonb_build_object('id', (f.party).id, 'location_id', (f.party).location_id,
    'day', (f.party).service_date, 'notes', nullif(btrim((f.party).notes), ''),
    'today', private.current_service(f.timezone, (select private.clock(p_now))),
    'withheld', g.id is null and (f.party).customer_id is not null,
    'guest', case when g.id is not null then jsonb_build_object('id', g.id,
      'tier', g.tier, 'vip', g.vip, 'notes', nullif(btrim(g.notes), ''), 'tags', to_jsonb(g.tags),
      'birthday_in', (
        select n from generate_series(-3, 3) as n
        where g.birth_day = any(private.birth_days((f.party).service_date + n, 0)) limit 1))
      || g.visits end,
    -- Allergies stand wherever the booking does; the rest, and what a note says of them, is on the card.
    'facts', (
      select coalesce(jsonb_agg(jsonb_build_object('code', k.code, 'kind', k.kind,
        'note', case when g.id is not null then k.note end) order by k.kind, k.code), '[]')
      from public.customer_facts k
      where k.customer_id = (f.party).customer_id and (g.id is not null or k.kind = 'allergy')))
    || private.complaints_of_party(f.party, (g.visits #>> '{last,id}')::uuid)
  from found f left join guest g on true
$$;
comment on function public.party_lines(uuid, timestamptz) is
  'What to know of a party of the caller''s locations: its note, its guest with visits, habits, tier, birthday and facts as on the card, and complaints (see private.complaints_of_party). Without canUseGuestCards only what the list shows, and withheld says that there is a guest. Null without the right.';
grant execute on function public.party_lines(uuid, timestamptz) to authenticated;
-- << supabase/logic/service/party_lines.sql

-- >> supabase/logic/service/setup.sql
-- Settings of a location's service, written by staff; the sync adds the tables that the PMS names
-- (sync_learn_tables).

create or replace function private.audit_setup(p_location public.locations, p_action text, p_before jsonb,
  p_after jsonb)
returns void
language sql volatile set search_path = ''
as $$
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, subject,
    location_id, details)
  select p_location.organization_id, private.actor_name(), (select id from private.acting()), p_action,
    'location',
    p_location.id, p_location.name, p_location.id, jsonb_build_object('before', p_before, 'after', p_after)
  where p_before is distinct from p_after
$$;
comment on function private.audit_setup(public.locations, text, jsonb, jsonb) is
  'Logs that the caller changed the hours or tables of a location; without a difference there is no line.';

create or replace function private.hours_json(p_location uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('shifts', coalesce((
      select jsonb_agg(jsonb_build_object('name', s.name, 'weekdays', s.weekdays, 'opens',
        to_char(s.opens, 'HH24:MI'),
        'closes', to_char(s.closes, 'HH24:MI'), 'capacity', s.capacity) order by s.opens_at, s.name)
      from public.shifts s where s.location_id = p_location), '[]'),
    'closed_days', coalesce((
      select jsonb_agg(jsonb_build_object('day', d.day, 'name', d.name) order by d.day)
      from public.closed_days d
      where d.location_id = p_location and num_nonnulls(d.shift, d.zone) = 0), '[]'))
$$;
comment on function private.hours_json(uuid) is 'The shifts and closed days of a location, as the API and the audit log show them.';

create or replace function private.tables_json(p_location uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('zone', t.zone, 'name', t.name, 'capacity', t.capacity,
    'is_active', t.is_active, 'plan_column', t.plan_x + 1, 'plan_row', t.plan_y + 1, 'shape', t.shape,
    'turned', t.turned, 'joinable', t.joinable)
    -- As people count: 2 before 10.
    order by t.zone nulls last, substring(t.name from '^\D*'),
      substring(t.name from '\d+')::numeric nulls first, t.name), '[]')
  from public.dining_tables t where t.location_id = p_location
$$;
comment on function private.tables_json(uuid) is
  'The tables of a location, as the audit log shows them: columns and rows of the plan count from 1.';

create or replace function private.changed_tables(p_tables jsonb, p_others jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('tables', coalesce(jsonb_agg(d.fields order by t.place), '[]'))
  from jsonb_array_elements(p_tables) with ordinality as t (value, place)
  left join jsonb_array_elements(p_others) as o (value) on o.value ->> 'name' = t.value ->> 'name'
  cross join lateral (
    select jsonb_object_agg(f.key, f.value) as fields from jsonb_each(t.value) as f
    where f.key = 'name' or f.value is distinct from o.value -> f.key) as d
  where t.value is distinct from o.value
$$;
comment on function private.changed_tables(jsonb, jsonb) is
  'Of tables_json the tables that differ from those of another one, each with its name and what differs; all of a table that the other one does not have.';

create or replace function public.save_hours(p_location uuid, p_shifts jsonb, p_closed_days jsonb,
  p_loaded date[] default null) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v_before jsonb;
begin
  select * into v_location from public.locations
  where id = p_location and id = any(array(select private.my_locations('canViewSettings'))) for no key update;
  if v_location.id is null then
    return 'not_found';
  end if;
  v_before := private.hours_json(p_location);
  delete from public.shifts where location_id = p_location;
  insert into public.shifts (organization_id, location_id, name, weekdays, opens, closes, capacity)
  select v_location.organization_id, p_location, s.name, s.weekdays, s.opens, s.closes, s.capacity
  from jsonb_to_recordset(p_shifts) as s (name text, weekdays smallint[], opens time, closes time,
    capacity integer);
  if exists (
    select from public.shifts a join public.shifts b on b.location_id = a.location_id and a.id < b.id
    where a.location_id = p_location and a.weekdays && b.weekdays
      and a.opens_at < b.closes_at and b.opens_at < a.closes_at) then
    raise exception 'shifts overlap' using errcode = 'SH001';
  end if;
  -- A closing of one shift or zone is none of the hours; one that stays keeps its id.
  delete from public.closed_days c
  where c.location_id = p_location and num_nonnulls(c.shift, c.zone) = 0
    and (p_loaded is null or c.day = any(p_loaded))
    and not exists (
      select from jsonb_to_recordset(p_closed_days) as d (day date) where d.day = c.day);
  insert into public.closed_days (organization_id, location_id, day, name)
  select v_location.organization_id, p_location, d.day, d.name
  from jsonb_to_recordset(p_closed_days) as d (day date, name text)
  where p_loaded is null or d.day <> all(p_loaded) or exists (
    select from public.closed_days c
    where c.location_id = p_location and c.day = d.day and num_nonnulls(c.shift, c.zone) = 0)
  on conflict (location_id, day, shift, zone) do update set name = excluded.name;
  perform private.audit_setup(v_location, 'location.hours_changed', v_before, private.hours_json(p_location));
  return 'saved';
exception
  when sqlstate 'SH001' then return 'overlap';
  when unique_violation or cardinality_violation then return 'repeated';
end
$$;
comment on function public.save_hours(uuid, jsonb, jsonb, date[]) is
  'Replaces the shifts [{name, weekdays, opens, closes, capacity}] and closed days [{day, name}] of a location; with p_loaded (the days that the caller had read) a day closed or opened since stays so: saved, not_found, overlap or repeated (a name or a day twice).';

create or replace function public.save_tables(p_location uuid, p_tables jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_location public.locations;
  v_was public.dining_tables[];
  v_before jsonb;
  v_after jsonb;
begin
  select * into v_location from public.locations
  where id = p_location and id = any(array(select private.my_locations('canViewSettings'))) for no key update;
  if v_location.id is null then
    return 'not_found';
  end if;
  v_before := private.tables_json(p_location);
  v_was := array(select t from public.dining_tables t where t.location_id = p_location);
  delete from public.dining_tables where location_id = p_location;
  insert into public.dining_tables (organization_id, location_id, zone, name, capacity, is_active,
    plan_x, plan_y, shape, turned, joinable)
  select v_location.organization_id, p_location, t.zone, t.name, t.capacity, coalesce(t.is_active, true),
    t.plan_x, t.plan_y, coalesce(t.shape, 'square'), coalesce(t.turned, false), coalesce(t.joinable, true)
  from jsonb_array_elements(p_tables) as given (fields)
  left join unnest(v_was) as was on was.name = given.fields ->> 'name'
  -- A client that does not know the plan sends none of it, and changes none.
  cross join lateral jsonb_populate_record(was, given.fields) as t;
  v_after := private.tables_json(p_location);
  perform private.audit_setup(v_location, 'location.tables_changed',
    private.changed_tables(v_before, v_after), private.changed_tables(v_after, v_before));
  return 'saved';
exception
  when unique_violation then return 'repeated';
end
$$;
comment on function public.save_tables(uuid, jsonb) is
  'Replaces the tables [{zone, name, capacity, is_active, plan_x, plan_y, shape, turned, joinable}] of a location; what is not given of a table stays as it was by that name: saved, not_found or repeated (a name twice).';

create or replace function private.shift_at(p_location uuid, p_day date, p_time time) returns uuid
language sql stable set search_path = ''
as $$
  select s.id from public.shifts s
  cross join lateral (
    select (extract(hour from p_time)::integer + 18) % 24 * 60 + extract(minute from p_time)::integer as at)
      as clock
  where s.location_id = p_location and extract(isodow from p_day)::smallint = any(s.weekdays)
  -- An early party belongs to the shift that opens within the hour.
  order by s.opens_at - 60 <= clock.at desc,
    case when s.opens_at - 60 <= clock.at then -s.opens_at else s.opens_at end
  limit 1
$$;
comment on function private.shift_at(uuid, date, time) is
  'The shift of a service day that a local time belongs to: the last that has opened, or opens within the hour; else the first. Null without shifts that day.';
grant execute on function public.save_hours(uuid, jsonb, jsonb, date[]), public.save_tables(uuid, jsonb)
  to authenticated;
grant execute on function private.shift_at(uuid, date, time) to service_role;
-- << supabase/logic/service/setup.sql

-- >> supabase/logic/service/tables.sql
-- Which tables a party has, for how long, and who is in the way.

create or replace function private.stay_of(p_party_size integer, p_stays jsonb default null) returns interval
language sql immutable set search_path = ''
as $$
  select make_interval(mins => s.minutes::integer)
  from jsonb_each_text(coalesce(p_stays, '{"2": 90, "4": 120, "99": 150}')) as s (up_to, minutes)
  -- Who is more than the largest size stays as long as that one.
  order by s.up_to::integer < p_party_size,
    case when s.up_to::integer < p_party_size then -s.up_to::integer else s.up_to::integer end
  limit 1
$$;
comment on function private.stay_of(integer, jsonb) is
  'How long a party of that size usually stays: by locations.stay_minutes, minutes by the largest party size they are for. components/service/table-model.ts has the same.';

create or replace function private.table_names(p_table text) returns text[]
language sql immutable parallel safe set search_path = ''
as $$ select array(select btrim(name)
  from unnest(string_to_array(p_table, '+')) with ordinality as t (name, place)
  where btrim(name) <> '' group by btrim(name) order by min(place)) $$;
comment on function private.table_names(text) is
  'The tables of a reservation by its table_name, each once: 4+5 are two joined ones. lib/reservations/table-names.ts has the same.';

create or replace function private.tables_as_written(p_location uuid, p_table text) returns text
language sql stable set search_path = ''
as $$
  select string_agg(coalesce((
      select d.name from public.dining_tables d
      where d.location_id = p_location and private.fold(d.name) = private.fold(n.name)
      order by d.name <> n.name, d.name limit 1), n.name), '+' order by n.place)
  from unnest(private.table_names(p_table)) with ordinality as n (name, place)
$$;
comment on function private.tables_as_written(uuid, text) is
  'The tables of a reservation as the location writes their names: s4 + S5 is S4+S5. Null without any.';

create or replace function private.tables_as_spelled(p_old public.reservations, p_location uuid,
  p_table text) returns text
language sql stable set search_path = ''
as $$
  select coalesce((
    select s.spelling from unnest(array[p_old.table_name, p_old.staff_marks ->> 'table_name']) with ordinality
      as s (spelling, place)
    where p_old.location_id = p_location and private.tables_as_written(p_location, s.spelling) = w.tables
    order by s.place limit 1), w.tables)
  from private.tables_as_written(p_location, p_table) as w (tables)
$$;
comment on function private.tables_as_spelled(public.reservations, uuid, text) is
  'The tables that a reservation gets, as it or the PMS spells the same ones (then nothing changes, and no mark is left), else as tables_as_written.';

create or replace function private.tables_chosen(p_old public.reservations, p_location uuid,
  p_fields jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  with chosen as (
    select count(*) as asked, count(distinct t.name) as found,
      string_agg(t.name, '+' order by n.place) as joined
    from jsonb_path_query(p_fields, 'strict $.tables[*]') with ordinality as n (name, place)
    cross join lateral (select private.tables_as_written(p_location, n.name #>> '{}') as name) as w
    left join public.dining_tables t on t.location_id = p_location and t.name = w.name
      and (t.is_active or t.name = any(private.table_names(p_old.table_name)))
  )
  select case when c.found = c.asked and cardinality(private.table_names(c.joined)) = c.asked
      and (not p_fields ? 'table_name' or private.table_names(c.joined) @> names
        and names @> private.table_names(c.joined))
    then jsonb_build_object('table_name', c.joined) end
  from chosen c
  cross join private.tables_as_written(p_location, p_fields ->> 'table_name') as written
  cross join private.table_names(written) as names
$$;
comment on function private.tables_chosen(public.reservations, uuid, jsonb) is
  'The table_name of a reservation that gets the tables of p_fields {tables, table_name?}. Null unless all are tables of the location, none twice, and table_name (if given) has the same ones.';

create or replace function private.parties_at(p_location uuid, p_tables text[], p_from timestamptz,
  p_party_size integer, p_now timestamptz)
returns table (id uuid, name text, status text, starts_at timestamptz, ends_at timestamptz)
language sql stable set search_path = ''
as $$
  select r.id, r.customer_name, r.status, b.starts_at, b.ends_at
  from public.locations l
  join public.reservations r on r.location_id = l.id
  cross join lateral (
    select r.service_order at time zone l.timezone as booked, private.stay_of(r.party_size, l.stay_minutes)
      as stay) as s
  cross join lateral (
    select case r.status when 'seated' then least(coalesce(r.seated_at, s.booked), p_now) else s.booked end,
      case when r.status = 'seated'
        then greatest(coalesce(r.seated_at, s.booked) + s.stay, p_now + interval '15 minutes')
      when p_now - s.booked between interval '0'
        and make_interval(mins => greatest(60, r.late_minutes)) then p_now + s.stay
      else s.booked + s.stay end) as b (starts_at, ends_at)
  where l.id = p_location
    and (r.service_date between (p_from at time zone l.timezone)::date - 1
        and (p_from at time zone l.timezone)::date + 1
      -- Who sits there may have booked for a later day.
      or r.status = 'seated' and not r.service_over
        and r.service_date > (p_from at time zone l.timezone)::date + 1)
    and r.source <> 'import' and r.status in ('pending', 'confirmed', 'seated')
    -- A party that staff did not mark as gone left when the service ended.
    and (r.status <> 'seated' or r.service_date >= private.current_service(l.timezone, p_now))
    and private.table_names(r.table_name) && p_tables
    and tstzrange(b.starts_at, b.ends_at)
      && tstzrange(p_from, p_from + private.stay_of(p_party_size, l.stay_minutes))
$$;
comment on function private.parties_at(uuid, text[], timestamptz, integer, timestamptz) is
  'The parties that come to or sit at one of these tables during a usual stay from p_from, each with its own time there. One that is late is waited for an hour, or as long as it said, one that sits longer than usual is taken to leave in 15 minutes.';

create or replace function private.table_is_free(p_location uuid, p_table text, p_from timestamptz,
  p_party_size integer, p_now timestamptz, p_except uuid default null)
returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
      select from private.parties_at(p_location, private.table_names(p_table), p_from, p_party_size, p_now))
    and not exists (
      select from private.table_offers o
      where o.location_id = p_location and o.outcome is null and o.expires_at > p_now and o.id is distinct
        from p_except
        and private.table_names(o.table_name) && private.table_names(p_table))
    and not exists (
      select from public.locations l
      cross join lateral (select p_from at time zone l.timezone as local) as f
      where l.id = p_location and private.is_closed_at(l.id, private.service_day(f.local::date,
        f.local::time), f.local::time, null, p_table))
$$;
comment on function private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) is
  'Whether no party has one of these tables during a usual stay from p_from, none is offered it (but by the offer p_except), and it is not closed then.';

-- By the index of a guest's bookings: twenty visits of each of 150 guests are three thousand rows.
create or replace function private.usual_tables(p_customers uuid[], p_locations uuid[], p_now timestamptz,
  p_party public.reservations default null)
returns table (customer_id uuid, location_id uuid, table_name text, visits bigint, latest timestamp)
language sql stable set search_path = ''
as $$
  select distinct on (t.customer_id, t.location_id) t.customer_id, t.location_id, t.name, t.visits, t.latest
  from (
    select r.customer_id, r.location_id, btrim(r.table_name) as name, count(*) as visits,
      max(r.service_order) as latest,
      sum(count(*)) over (partition by r.customer_id, r.location_id) as all_visits
    from public.reservations r
    where r.customer_id = any(p_customers) and r.visited and btrim(r.table_name) <> ''
      and r.service_order >= (p_now at time zone 'UTC') - interval '2 years'
      and (p_locations is null or r.location_id = any(p_locations))
      and (p_party.id is null or r.id <> p_party.id and r.service_order <= p_party.service_order)
    group by r.customer_id, r.location_id, btrim(r.table_name)
  ) as t
  where t.visits >= 2 and 4 * t.visits >= t.all_visits
  order by t.customer_id, t.location_id, t.visits desc, t.latest desc, t.name
$$;
comment on function private.usual_tables(uuid[], uuid[], timestamptz, public.reservations) is
  'The usual table of guests at each location (p_locations null: at all): where they sat most in the visits of two years, at least twice and in a quarter of those with a table, of several the latest. With how many visits, and the last of them. With p_party only of the visits before it.';
grant execute on function private.usual_tables(uuid[], uuid[], timestamptz, public.reservations)
  to authenticated, service_role;
grant execute on function private.stay_of(integer, jsonb), private.table_names(text),
  private.is_closed_at(uuid, date, time, text, text), private.closes(public.closed_days, uuid, text, text),
  private.parties_at(uuid, text[], timestamptz, integer, timestamptz),
  private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) to service_role;
-- << supabase/logic/service/tables.sql

-- >> supabase/logic/statistics/statistics.sql
-- Figures of the home page and the host's page, by service and location.

-- Figures without names are for everyone in the organization (home needs no permission), within their
-- locations; hence definer rights over private.my_locations().
create or replace function public.service_summary(p_location uuid default null, p_date date default null,
  p_now timestamptz default now(), p_source text default null, p_search text[] default null)
returns table (location_id uuid, service_date date, status text, hour integer, reservations bigint,
  covers bigint)
language sql stable security definer set search_path = ''
as $$
  select l.id, r.service_date, r.status, extract(hour from r.reservation_time)::integer,
    count(*), sum(r.party_size)
  from public.locations l
  join public.reservations r on r.location_id = l.id
    and r.service_date = coalesce(p_date, private.current_service(l.timezone, (select private.clock(p_now))))
    and r.source <> 'import' and (p_source is null or r.source = p_source)
    and (p_search is null or r.search_name ilike all (p_search))
  where (p_search is null or l.id = any(array(select private.my_locations('canAccessOperaciones')))) and
     l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
  group by l.id, r.service_date, r.status, extract(hour from r.reservation_time)
$$;
comment on function public.service_summary(uuid, date, timestamptz, text, text[]) is
  'Reservations and covers of a date''s service, else of the current one (it ends at 06:00 local), by location, status and hour 0–23. p_search (LIKE patterns of the name) is for those who may read reservations.';

-- Definer rights as well: under RLS the time zone arithmetic would keep Postgres from using the index of the
-- day.
create or replace function public.next_arrivals(p_location uuid default null, p_limit integer default 8,
  p_now timestamptz default now())
returns setof public.reservations
language sql stable security definer set search_path = ''
as $$
  select r.*
  from public.locations l
  join public.reservations r on r.location_id = l.id
    and r.service_date = private.current_service(l.timezone, (select private.clock(p_now)))
    and r.service_order >= (select private.clock(p_now)) at time zone l.timezone
    and r.status in ('pending', 'confirmed')
    and r.source <> 'import'
  where l.id = any(array(select private.my_locations('canAccessOperaciones')))
    and (p_location is null or l.id = p_location)
  order by r.service_order at time zone l.timezone, r.id
  limit least(p_limit, 50)
$$;
comment on function public.next_arrivals(uuid, integer, timestamptz) is
  'The next expected parties of the current service in the caller''s locations.';

-- Figures without names, as in service_summary: everyone's, each in their locations.
create or replace function public.daily_summary(p_from date, p_to date, p_location uuid default null,
  p_source text default null, p_search text[] default null)
returns table (location_id uuid, service_date date, reservations bigint, covers bigint, no_shows bigint,
  cancelled bigint)
language sql stable security definer set search_path = ''
as $$
  with places as materialized (
    select l.id from public.locations l
    where (p_search is null or l.id = any(array(select private.my_locations('canAccessOperaciones')))) and
      l.id = any(array(select private.my_locations())) and (p_location is null or l.id = p_location)
  )
  select f.location_id, f.service_date, f.reservations, f.covers, f.no_shows, f.cancelled
  from private.figures_of(array(select p.id from places p), p_from, least(p_to, p_from + 61)) as f
  where p_source is null and p_search is null
  union all
  -- A source or a name is counted reservation by reservation.
  select r.location_id, r.service_date,
    count(*) filter (where r.status not in ('cancelled', 'no_show')),
    coalesce(sum(r.party_size) filter (where r.status not in ('cancelled', 'no_show')), 0),
    count(*) filter (where r.status = 'no_show'),
    count(*) filter (where r.status = 'cancelled')
  from places p
  join public.reservations r on r.location_id = p.id
    and r.service_date between p_from and least(p_to, p_from + 61) and r.source <> 'import'
    and (p_source is null or r.source = p_source)
    and (p_search is null or r.search_name ilike all (p_search))
  where p_source is not null or p_search is not null
  group by r.location_id, r.service_date
$$;
comment on function public.daily_summary(date, date, uuid, text, text[]) is
  'Reservations and covers of those who come, no-shows and cancellations, by location and service day (62 at most); p_search as in service_summary.';

create or replace function private.names_allergy(p_text text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return private.fold(p_text)
    ~ '(alerg|allerg|intoleran|celiac|coeliac|anafila|anaphyla|gluten|lactos)';
end
$$;
comment on function private.names_allergy(text) is 'Whether notes or tags seem to name an allergy or intolerance.';

-- Visits are the customer's in the whole group, no-shows those of the reader's locations, as on their page.
create or replace function private.guests_to_know(p_locations uuid[], p_organizations uuid[], p_date date,
  p_limit integer, p_now timestamptz, p_bound uuid[])
returns table (reservation_id uuid, location_id uuid, location_name text, customer_id uuid,
  customer_name text, reservation_time time, party_size integer, status text, tier text, vip boolean,
  birthday_in integer, allergy boolean, facts jsonb, notes text, first_visit boolean,
  last_visit_at timestamptz, away boolean, no_shows integer, found integer)
language sql stable set search_path = ''
as $$
  with places as materialized (
    select l.id, l.name, l.timezone, coalesce(p_date, private.current_service(l.timezone, p_now)) as day
    from public.locations l where l.id = any(p_locations)
  ), birthdays as materialized (
    select d.day, n as days, unnest(private.birth_days(d.day + n, 0)) as birth_day
    from (select distinct day from places) as d cross join generate_series(-3, 3) as n
  ), tiers as materialized (
    select t.id, t.name, t.rank >= coalesce(
      min(t.rank) filter (where t.name = 'Oro') over (partition by t.organization_id), 3) as vip
    from public.loyalty_tiers t where t.organization_id = any(p_organizations)
  ), booked as materialized (
    select r.id, r.service_order at time zone p.timezone as instant, r.reservation_time, r.party_size,
      r.status, p.id as place, p.name as place_name, p.day, r.customer_name, r.notes, c.id as customer,
      c.first_name, c.last_name, c.notes as own_notes, c.tags, c.birth_day, c.total_visits, c.last_visit_at,
      c.loyalty_tier_id
    from places p
    join public.reservations r on r.location_id = p.id and r.service_date = p.day
      and r.status in ('pending', 'confirmed', 'seated') and r.source <> 'import'
    join public.customers c on c.id = r.customer_id
      and c.organization_id = any(p_organizations)
  ), tagged as materialized (
    -- Many guests have the same tags, which are judged once (offset 0); no word of an allergy has a space.
    select d.tags from (select distinct b.tags from booked b where b.tags <> '{}' offset 0) as d
    where private.names_allergy(array_to_string(d.tags, ' '))
  ), allergic as materialized (
    select distinct k.customer_id from public.customer_facts k
    where k.kind = 'allergy' and k.customer_id = any(array(select b.customer from booked b))
  ), missed as materialized (
    select o.customer_id, count(*)::integer as no_shows from public.reservations o
    where o.customer_id = any(array(select b.customer from booked b))
      and o.status = 'no_show' and o.source <> 'import' and (p_bound is null or o.location_id = any(p_bound))
    group by o.customer_id
  ), expected as materialized (
    select b.*, coalesce(b.customer_name, nullif(concat_ws(' ', b.first_name, b.last_name), '')) as name,
      t.name as tier, coalesce(t.vip, false) as vip, d.days as birthday_in, b.total_visits = 0 as first_visit,
      coalesce(b.total_visits > 0 and b.last_visit_at < p_now - interval '180 days', false) as away,
      coalesce(m.no_shows, 0) as no_shows,
      nullif(concat_ws(' · ', nullif(btrim(b.notes), ''), nullif(btrim(b.own_notes), '')), '') as all_notes,
      g.tags is not null or a.customer_id is not null or case when coalesce(b.notes, b.own_notes) is not null
        then private.names_allergy(concat_ws(' ', b.notes, b.own_notes)) else false end as allergy
    from booked b
    left join tiers t on t.id = b.loyalty_tier_id
    left join birthdays d on d.day = b.day and d.birth_day = b.birth_day
    left join tagged g on g.tags = b.tags
    left join allergic a on a.customer_id = b.customer
    left join missed m on m.customer_id = b.customer
  ), known as (
    select e.*, count(*) over ()::integer as found,
      case when e.allergy then 32 else 0 end + case when e.birthday_in = 0 then 20
        when e.birthday_in is not null
        then 12 else 0 end + case when e.vip then 16 else 0 end + case when e.no_shows > 0 then 8 else 0 end
        + case when e.away then 8 else 0 end + case when e.first_visit then 4 else 0 end
        + case when e.all_notes is not null then 2 else 0 end as weight
    from expected e
    where e.allergy or e.vip or e.away or e.first_visit or e.birthday_in is not null or e.no_shows > 0
      or e.all_notes is not null
    order by weight desc, e.instant, e.id
    limit least(p_limit, 50)
  )
  select k.id, k.place, k.place_name, k.customer, k.name, k.reservation_time, k.party_size, k.status, k.tier,
    k.vip, k.birthday_in, k.allergy, f.facts, k.all_notes, k.first_visit, k.last_visit_at, k.away, k.no_shows,
    k.found
  from known k
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('code', o.code, 'kind', o.kind, 'note', o.note)
      order by o.kind, o.code), '[]') as facts
    from public.customer_facts o where o.customer_id = k.customer) as f
  order by k.instant, k.id
$$;
comment on function private.guests_to_know(uuid[], uuid[], date, integer, timestamptz, uuid[]) is
  'Of a day''s expected and seated guests (of the current service without a date) the most noteworthy, by time: allergy, birthday within 3 days, VIP tier, away for 180 days, first visit, no-shows, notes. found counts them all. p_bound: the reader''s locations (null: all), whose no-shows count.';

-- Definer rights as in next_arrivals, for the index of the day; names and notes only to who may read both
-- reservations and customers.
create or replace function public.customers_to_know(p_location uuid default null, p_limit integer default 8,
  p_now timestamptz default now())
returns table (reservation_id uuid, location_id uuid, location_name text, customer_id uuid,
  customer_name text, reservation_time time, party_size integer, status text, tier text, vip boolean,
  birthday_in integer, allergy boolean, facts jsonb, notes text, first_visit boolean,
  last_visit_at timestamptz, away boolean, no_shows integer, found integer)
language sql stable security definer set search_path = ''
as $$
  select k.* from private.guests_to_know(
    array(select l.id from public.locations l
      where l.id = any(array(select private.my_locations('canAccessOperaciones')))
        and (p_location is null or l.id = p_location)),
    array(select private.my_organizations('canAccessClientes')), null, p_limit, (select private.clock(p_now)),
    private.bound_to()) as k
$$;
comment on function public.customers_to_know(uuid, integer, timestamptz) is
  'Of the current service''s guests those that staff should know, in the caller''s locations; see private.guests_to_know.';

-- Invoker rights: RLS keeps to the caller's locations. A customer has few reservations, found by their index.
create or replace function private.usual(p_values text[]) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select v.value from unnest(p_values) with ordinality as v (value, place)
  where v.value is not null
  group by v.value having count(*) >= 2
  order by count(*) desc, max(v.place) desc limit 1
$$;
comment on function private.usual(text[]) is
  'What is usual: the value that occurs most often, at least twice; of equals the one that occurs latest in the list. Null: none.';
-- For customer_habits, which reads with its caller's rights.
grant execute on function private.usual(text[]) to authenticated;

create or replace function public.customer_habits(p_customer uuid, p_now timestamptz default now())
returns table (next_reservation uuid, next_location text, next_date date, next_time time,
  next_service_date date, next_location_id uuid, next_party_size integer, usual_location text,
  usual_table text, usual_table_location text, usual_weekday integer, first_date date, past integer,
  no_shows integer, usual_days real, rhythm text, return_probability double precision)
language sql stable set search_path = ''
as $$
  with mine as materialized (
    select r.id, r.location_id, l.name as location, r.reservation_date, r.reservation_time, r.service_date,
      r.service_order, r.party_size, r.status, r.service_over, r.visited,
      r.service_order < (select private.clock(p_now)) at time zone l.timezone as is_past
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = p_customer and r.source <> 'import'
  ), upcoming as (
    select m.* from mine m where not m.is_past and m.status in ('pending', 'confirmed')
    order by m.service_order, m.id limit 1
  ), usual as (
    select private.usual(array_agg(jsonb_build_array(m.location_id, m.location)::text
        order by m.service_order, m.id))::jsonb as place,
      private.usual(array_agg(extract(isodow from m.service_date)::text
        order by m.service_order, m.id))::integer as day
    from mine m where m.visited
  ), seat as (
    select u.table_name, l.name as location
    from private.usual_tables(array[p_customer], null, (select private.clock(p_now))) as u
    join public.locations l on l.id = u.location_id
    order by u.visits desc, u.latest desc, u.location_id limit 1
  ), kept as (
    select count(*)::integer as past, count(*) filter (where m.status = 'no_show')::integer as no_shows
    from mine m where m.service_over and (m.visited or m.status = 'no_show')
  ), rhythm as (
    select g.usual_days,
      case when g.usual_days is null then 'unknown' when g.lost_on <= day.today then 'lost'
        when g.at_risk_on <= day.today then 'at_risk' else 'on_time' end as state,
      case when g.usual_days is not null
        then private.return_probability(p.r, p.alpha, p.a, p.b, g.visit_days - 1, g.last_day - g.first_day,
        day.today - g.first_day) end as probability
    from public.customer_rhythms g join public.organizations o on o.id = g.organization_id
    cross join lateral (select ((select private.clock(p_now)) at time zone o.timezone)::date) as day (today)
    cross join lateral private.rhythm_parameters(array[g.organization_id]) as p
    where g.customer_id = p_customer
  )
  select u.id, u.location, u.reservation_date, u.reservation_time, u.service_date, u.location_id,
    u.party_size, w.place ->> 1, s.table_name, s.location, w.day,
    (select m.service_date from mine m order by m.service_order limit 1), k.past, k.no_shows,
    g.usual_days, g.state, g.probability
  from kept k cross join usual w left join upcoming u on true left join seat s on true
    left join rhythm g on true
$$;
comment on function public.customer_habits(uuid, timestamptz) is
  'A customer in the caller''s locations: the next booking; where and on which weekday (1 is Monday) they came at least twice, and their usual table (private.usual_tables); the service day of the first booking; no-shows and visits of past services, and the no-shows among them. And their rhythm, over all locations.';

-- With spend: the office's, each in their locations.
create or replace function public.stats_overview(p_from date default null, p_to date default null,
  p_location uuid default null, p_now timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_locations uuid[] := array(
    select mine from private.my_locations('canWorkInOffice') as mine
      where p_location is null or mine = p_location);
  v_to date;
  v_from date;
begin
  p_now := private.clock(p_now);
  if p_location is not null and cardinality(v_locations) = 0 then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  v_to := coalesce(p_to, (
    select max(private.current_service(l.timezone, p_now))
    from public.locations l where l.id = any(v_locations)), p_now::date);
  v_from := coalesce(p_from, v_to - 6);
  if v_to - v_from not between 0 and 365 then
    return jsonb_build_object('outcome', 'bad_period');
  end if;
  return (
    with daily as materialized (
      select f.location_id, f.service_date as day, f.service_date >= v_from as recent,
        f.booked, f.reservations, f.covers, f.completed, f.visits, f.cancelled, f.no_shows,
        f.known_revenue as known, f.unknown_covers * coalesce(l.average_spend_per_guest, 0) as estimated
      from private.figures_of(v_locations, v_from - (v_to - v_from + 1), v_to) as f
      join public.locations l on l.id = f.location_id
    ), figures as (
      select recent, day, location_id, sum(booked) as booked, sum(reservations) as reservations,
        sum(covers) as covers,
        sum(completed) as completed, sum(visits) as visits, sum(cancelled) as cancelled,
        sum(no_shows) as no_shows, sum(known + estimated) as revenue, sum(estimated) as estimated_revenue
      from daily group by grouping sets ((recent), (recent, day), (recent, location_id))
    ), held as (
      select value as tier, customers
      from private.counts_of(array(select private.my_organizations('canWorkInOffice')), 'tier')
    )
    select jsonb_build_object('outcome', 'ok', 'from', v_from, 'to', v_to,
      'figures', (
        select coalesce(jsonb_agg(to_jsonb(f) order by f.recent, f.day, f.location_id), '[]') from figures f
        where f.recent or (f.day is null and f.location_id is null)),
      'locations', (select coalesce(
        jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'is_active', l.is_active,
          'pms_id', l.pms_id, 'known_from', l.known_from, 'known_until', l.known_until)
            order by l.name, l.id), '[]')
        from public.locations l where l.id = any(v_locations)),
      'customers', (select coalesce(sum(customers), 0) from held),
      'by_tier', (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name,
          'customers', coalesce(h.customers, 0)) order by t.rank), '[]')
        from public.loyalty_tiers t left join held h on h.tier = t.id::text
        where t.organization_id = any(array(select private.my_organizations('canWorkInOffice'))))));
end
$$;
comment on function public.stats_overview(date, date, uuid, timestamptz) is
  'Figures of a period (default: the last 7 service days) and totals of the one before: ok, unknown_location or bad_period (over 366 days).';
grant execute on function public.service_summary(uuid, date, timestamptz, text, text[]),
  public.next_arrivals(uuid, integer, timestamptz), public.daily_summary(date, date, uuid, text, text[]),
  public.customers_to_know(uuid, integer, timestamptz), public.customer_habits(uuid, timestamptz),
  public.stats_overview(date, date, uuid, timestamptz)
  to authenticated;
-- << supabase/logic/statistics/statistics.sql

reset check_function_bodies;
