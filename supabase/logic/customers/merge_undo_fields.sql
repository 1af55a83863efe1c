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
  -- What the guest asked for since the merge holds for both: it is unknown which of the two asked. A merge of
  -- before there were such wishes has none.
  if p_now.write_frequency is not distinct from v_after.write_frequency then
    v_next.write_frequency := v_before.write_frequency;
  else
    v_gone.write_frequency := coalesce(v_gone.write_frequency, p_now.write_frequency);
  end if;
  if p_now.muted_brands = coalesce(v_after.muted_brands, '{}') then
    v_next.muted_brands := coalesce(v_before.muted_brands, '{}');
    v_gone.muted_brands := coalesce(v_gone.muted_brands, '{}');
  else
    v_gone.muted_brands := private.all_muted(v_gone.muted_brands, p_now.muted_brands);
  end if;
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
    consents = v_next.consents, write_frequency = v_next.write_frequency,
    muted_brands = v_next.muted_brands, created_at = v_next.created_at
  where c.id = v_next.id;
  perform private.insert_customer(v_gone);
  return jsonb_build_object('kept', to_jsonb(v_stays), 'restored', to_jsonb(v_missing));
end
$$;
comment on function private.undo_customers(uuid, public.customers) is
  'Restores the remaining customer''s fields, where they still have the merge''s values, and creates the other customer again: {kept, restored}, the fields that could not be restored.';
