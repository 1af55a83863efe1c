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
    'postal_code', 'city', 'language', 'tags', 'notes', 'location_id']
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
