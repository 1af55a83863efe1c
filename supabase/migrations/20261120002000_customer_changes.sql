-- Creating, changing and merging customers. Tables stay read-only to people; these functions run with their owner's rights
-- and check who calls. Each leaves a line in audit_log.

create function private.customer_json(p_customer public.customers) returns jsonb
language sql stable set search_path = ''
as $$
  select (to_jsonb(p_customer) - array['organization_id', 'updated_at', 'sort_name', 'sort_visit', 'search_text',
      'birth_day', 'email_key', 'loyalty_tier_id', 'consents'])
    || jsonb_build_object('loyalty_tier', (
      select jsonb_build_object('id', t.id, 'name', t.name)
      from public.loyalty_tiers t where t.id = (p_customer).loyalty_tier_id),
      'consent', private.consent_json(p_customer))
$$;
comment on function private.customer_json(public.customers) is 'A customer as the API gives it.';

create function private.customer_fields() returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select array['email', 'phone', 'first_name', 'last_name', 'birth_date', 'company', 'job_title', 'address', 'tags',
    'notes', 'location_id']
$$;
comment on function private.customer_fields() is
  'The columns of customers that people edit: what save_customer takes. A merge chooses from them (all but the tags) and from the WhatsApp id.';

create function private.write_customer_fields(p_next public.customers) returns void
language sql volatile set search_path = ''
as $$
  update public.customers c set email = p_next.email, phone = p_next.phone, first_name = p_next.first_name,
    last_name = p_next.last_name, birth_date = p_next.birth_date, company = p_next.company,
    job_title = p_next.job_title, address = p_next.address, tags = p_next.tags, notes = p_next.notes,
    location_id = p_next.location_id
  where c.id = p_next.id
$$;
comment on function private.write_customer_fields(public.customers) is
  'Writes the columns of customer_fields to the customer with that id, and no other column.';

create function private.checked_column(p_table text, p_constraint text) returns text
language sql stable set search_path = ''
as $$
  select a.attname::text from pg_catalog.pg_constraint k
  join pg_catalog.pg_class t on t.oid = k.conrelid
  join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  where k.connamespace = 'public'::regnamespace and t.relname = p_table and k.conname = p_constraint
$$;
comment on function private.checked_column(text, text) is
  'The column that a check of a table is about, the first where there are several: to name the field whose value was refused.';

create function public.save_customer(p_fields jsonb, p_id uuid default null) returns jsonb
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
  if p_id is not null and p_fields ? 'loaded' then
    v_edited := private.edited_meanwhile(to_jsonb(jsonb_populate_record(v_old, p_fields -> 'loaded')), to_jsonb(v_old),
      to_jsonb(v_next), v_fields);
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
  end if;
  select array_agg(n.key order by n.key) into v_changed from jsonb_each(to_jsonb(v_next)) as n
  where n.key = any(v_editable) and n.value is distinct from to_jsonb(v_old) -> n.key;
  if p_id is not null and v_changed is null and v_wishes is null then
    return jsonb_build_object('outcome', 'saved', 'customer', private.customer_json(v_old));
  end if;
  if coalesce(v_next.email, v_next.phone, v_next.first_name, v_next.last_name) is null then
    return jsonb_build_object('outcome', 'nameless');
  end if;
  if v_next.location_id is distinct from v_old.location_id and v_next.location_id is not null and not exists (
    select 1 from public.locations l where l.id = v_next.location_id and l.id = any(array(select private.my_locations()))
  ) then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  v_next.organization_id := v_organization;
  v_obstacle := private.consent_obstacle(v_next, v_wishes);
  if v_obstacle is not null then
    return v_obstacle;
  end if;
  begin
    if p_id is null then
      insert into public.customers (organization_id, source) values (v_organization, 'Manual') returning id into v_next.id;
    end if;
    if p_id is null or v_changed is not null then
      perform private.write_customer_fields(v_next);
      perform private.suggest_for(v_next.id);
    end if;
  exception
    when unique_violation then return jsonb_build_object('outcome', 'duplicate_email');
    when check_violation then
      get stacked diagnostics v_check = constraint_name;
      return jsonb_build_object('outcome', 'malformed', 'field', private.checked_column('customers', v_check));
  end;
  -- An e-mail that a customer now uses is no longer another one's alias.
  delete from public.customer_aliases a where a.organization_id = v_organization and a.email = v_next.email;
  if p_id is not null then
    perform private.keep_name(v_old, p_id);
  end if;
  if p_id is null or v_changed is not null then
    perform private.audit(v_organization, case when p_id is null then 'customer.created' else 'customer.changed' end,
      v_next.id, case when p_id is null then '{}' else jsonb_build_object('fields', to_jsonb(v_changed)) end);
  end if;
  -- Someone who opted out at an address stays opted out when the address is corrected.
  perform private.carry_opt_outs(v_organization, array[v_old.email], v_next.email);
  perform private.carry_opt_outs(v_organization, array[v_old.phone], v_next.phone);
  perform private.record_consent(v_next.id, v_wishes);
  select * into v_next from public.customers where id = v_next.id;
  return jsonb_build_object('outcome', 'saved', 'customer', private.customer_json(v_next));
end
$$;
comment on function public.save_customer(jsonb, uuid) is
  'Creates a customer, or changes the fields given: outcome saved (with customer), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), nameless, unknown_location, duplicate_email, malformed (with its field: a check of the table refuses it), forbidden, or for a consent (with its channel) no_address_for or address_refused.';

create function private.merge_messages(p_from uuid, p_to uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Two messages are about one thing when their keys differ by the customer only, or one run wrote both by one channel.
  -- The one that may have gone out counts, else the remaining customer's; a queued other one is not sent.
  with theirs as (
    select m.*, case split_part(m.dedupe_key, ':', 3) when p_from::text then replace(m.dedupe_key, p_from::text, p_to::text)
        else m.dedupe_key end as next_key,
      row_number() over (order by m.status in ('skipped', 'failed'), m.status = 'queued', m.customer_id = p_from, m.id) as place
    from public.messages m where m.customer_id in (p_from, p_to)
  ), pairs as (
    select b.id, bool_or(b.next_key = a.next_key) as same_key, bool_or(coalesce(b.run_id = a.run_id, false)
      and b.channel = a.channel and b.reservation_id is not distinct from a.reservation_id) as same_run
    from theirs b join theirs a on a.place < b.place and a.customer_id <> b.customer_id
    group by b.id
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
  update public.messages m set dedupe_key = replace(m.dedupe_key, p_from::text, p_to::text)
  where m.customer_id = p_from and split_part(m.dedupe_key, ':', 3) = p_from::text;
end
$$;
comment on function private.merge_messages(uuid, uuid) is
  'Before a merge: of two messages about one thing only one goes on, and the keys name the remaining customer, so that no automation writes about it again.';

create function private.merge_facts(p_from uuid, p_to uuid) returns void
language sql volatile set search_path = ''
as $$
  with doubled as (
    delete from public.customer_facts f using public.customer_facts k
    where f.customer_id = p_from and k.customer_id = p_to and k.code = f.code
    returning f.code, f.note
  )
  update public.customer_facts k
  set note = left(concat_ws(' · ', k.note, nullif(d.note, k.note)), 200)
  from doubled d where k.customer_id = p_to and k.code = d.code and d.note is not null
$$;
comment on function private.merge_facts(uuid, uuid) is
  'Before a merge: what is recorded of both stays once, with the notes of both.';

create function private.move_references(p_from uuid, p_to uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_link record;
begin
  perform private.merge_messages(p_from, p_to);
  perform private.merge_facts(p_from, p_to);
  perform private.merge_pairs(p_from, p_to);
  perform private.forget_identity(p_from);
  -- Every table with a foreign key to customers, found in the catalogue.
  for v_link in
    select f.conrelid::regclass as source, a.attname as field from pg_catalog.pg_constraint f
    join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
    where f.contype = 'f' and f.confrelid = 'public.customers'::regclass
  loop
    execute format('update %s set %I = $1 where %2$I = $2', v_link.source, v_link.field) using p_to, p_from;
  end loop;
end
$$;
comment on function private.move_references(uuid, uuid) is
  'Points every reference to the one customer at the other.';

create function private.keep_addresses(p_kept public.customers, p_gone public.customers, p_next public.customers) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.customer_aliases a where a.customer_id = p_next.id and (a.email = p_next.email or a.phone = p_next.phone);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select p_next.organization_id, p_next.id, lost from unnest(array[p_kept.email, p_gone.email]) as lost
  where lost <> p_next.email
  on conflict (organization_id, email) where email is not null do update set customer_id = excluded.customer_id;
  insert into public.customer_aliases (organization_id, customer_id, phone)
  select p_next.organization_id, p_next.id, lost from unnest(array[p_kept.phone, p_gone.phone]) as lost
  where lost <> p_next.phone and not exists (
    select 1 from public.customer_aliases a where a.customer_id = p_next.id and a.phone = lost);
  insert into public.customer_aliases (organization_id, customer_id, whatsapp_id)
  select p_next.organization_id, p_next.id, lost from unnest(array[p_kept.whatsapp_id, p_gone.whatsapp_id]) as lost
  where lost <> p_next.whatsapp_id and not exists (
    select 1 from public.customer_aliases a where a.customer_id = p_next.id and a.whatsapp_id = lost);
end
$$;
comment on function private.keep_addresses(public.customers, public.customers, public.customers) is
  'After a merge: the addresses of both that the remaining customer does not use become its aliases.';

create function public.merge_customers(p_id uuid, p_duplicate_id uuid, p_fields text[] default '{}') returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_kept public.customers;
  v_gone public.customers;
  v_next public.customers;
  v_taken jsonb;
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

  -- Blanks are filled from the duplicate; named fields are taken from it when it has them.
  select coalesce(jsonb_object_agg(g.key, g.value), '{}') into v_taken from jsonb_each(to_jsonb(v_gone)) as g
  where g.key = any(array_remove(private.customer_fields(), 'tags') || array['whatsapp_id'])
    and g.value <> 'null' and (g.key = any(p_fields) or to_jsonb(v_kept) -> g.key = 'null'
      -- The WhatsApp id belongs to the number.
      or g.key = 'whatsapp_id' and 'phone' = any(p_fields));
  v_next := jsonb_populate_record(v_kept, v_taken);
  -- Notes may hold an allergy, so none is dropped: two become one.
  if not v_taken ? 'notes' and v_gone.notes <> v_kept.notes then
    v_next.notes := left(v_kept.notes || E'\n' || v_gone.notes, 20000);
  end if;
  v_next.tags := array(
    select t.tag from unnest(v_kept.tags || v_gone.tags) with ordinality as t (tag, position)
    group by t.tag order by min(t.position) limit 200);
  v_next.loyalty_tier_id := (select t.id from public.loyalty_tiers t
    where t.id in (v_kept.loyalty_tier_id, v_gone.loyalty_tier_id) order by t.rank desc limit 1);
  v_next.consents := private.merged_consents(v_kept.consents, v_gone.consents);

  perform private.move_references(p_duplicate_id, p_id);
  delete from public.customers where id = p_duplicate_id;
  perform private.write_customer_fields(v_next);
  update public.customers c set whatsapp_id = v_next.whatsapp_id, loyalty_tier_id = v_next.loyalty_tier_id,
    consents = v_next.consents, created_at = least(v_kept.created_at, v_gone.created_at)
  where c.id = p_id;
  perform private.keep_addresses(v_kept, v_gone, v_next);
  perform private.keep_name(v_kept, p_id), private.keep_name(v_gone, p_id);
  perform private.share_whatsapp_stop(v_organization, private.whatsapp_addresses_of(p_id));
  perform private.carry_opt_outs(v_organization, array[v_kept.email, v_gone.email], v_next.email);
  perform private.carry_opt_outs(v_organization, array[v_kept.phone, v_gone.phone], v_next.phone);

  perform private.refresh_customers(array[p_id]);
  perform private.audit(v_organization, 'customer.merged', p_id, jsonb_build_object('duplicate_id', p_duplicate_id,
    'fields', array(select k from jsonb_object_keys(v_taken) as k order by k)));
  select * into v_next from public.customers where id = p_id;
  return jsonb_build_object('outcome', 'merged', 'customer', private.customer_json(v_next));
end
$$;
comment on function public.merge_customers(uuid, uuid, text[]) is
  'Makes one customer of two: outcome merged (with customer), same or not_found. p_fields are taken from the duplicate.';

revoke execute on function private.customer_json(public.customers), private.customer_fields(),
  private.write_customer_fields(public.customers), private.checked_column(text, text), private.merge_messages(uuid, uuid),
  private.merge_facts(uuid, uuid), private.move_references(uuid, uuid), private.keep_addresses(public.customers, public.customers, public.customers) from public;
revoke execute on function public.save_customer(jsonb, uuid), public.merge_customers(uuid, uuid, text[])
  from public, anon;
grant execute on function public.save_customer(jsonb, uuid), public.merge_customers(uuid, uuid, text[])
  to authenticated;
