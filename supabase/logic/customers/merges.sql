-- Merging two customers who are one person. merge_undo.sql takes it back.

create or replace function private.merge_messages(p_merge uuid, p_from uuid, p_to uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Two messages are about one thing when their keys differ by the customer only, or one run wrote both by
  -- one channel. The message that may have been sent is kept, else the remaining customer's; the other one,
  -- if queued, is not sent, and leaves its channel to the one that is kept.
  with theirs as (
    select m.*, replace(m.dedupe_key, p_from::text, p_to::text) as next_key,
      row_number() over (order by m.status in ('skipped', 'failed'), m.status = 'queued',
        m.customer_id = p_from, m.id) as place
    from public.messages m where m.customer_id in (p_from, p_to)
  ), pairs as (
    select b.id, bool_or(b.next_key = a.next_key) as same_key, bool_or(coalesce(b.run_id = a.run_id, false)
      and (b.channel = a.channel or b.status = 'queued' and b.next_key = a.next_key)
      and b.reservation_id is not distinct from a.reservation_id) as same_run
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

create or replace function private.all_muted(p_one uuid[], p_other uuid[]) returns uuid[]
language sql immutable set search_path = ''
as $$
  select array(select unnest(p_one) union select unnest(p_other) order by 1)
$$;
comment on function private.all_muted(uuid[], uuid[]) is 'The brands that are in either list, each once.';

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
  -- The stricter wish of both.
  c.write_frequency := coalesce(p_kept.write_frequency, p_gone.write_frequency);
  c.muted_brands := private.all_muted(p_kept.muted_brands, p_gone.muted_brands);
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
    consents = v_next.consents, write_frequency = v_next.write_frequency,
    muted_brands = v_next.muted_brands, created_at = least(v_kept.created_at, v_gone.created_at)
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
