-- Changing a tag of many customers at once, and undoing it.

create or replace function private.write_tag(p_organization uuid, p_ids uuid[], p_tag text, p_added boolean)
  returns uuid[]
language plpgsql volatile set search_path = ''
as $$
declare
  v_changed uuid[];
begin
  -- A customer with the maximum number of tags gets no further one, else the form would be refused.
  with changed as (
    update public.customers c
    set tags = case when p_added then array_append(c.tags, p_tag) else array_remove(c.tags, p_tag) end
    where c.organization_id = p_organization and c.id = any(p_ids) and (c.tags @> array[p_tag]) <> p_added
      and (not p_added or cardinality(c.tags) < 50)
    returning c.id
  )
  select array_agg(id) into v_changed from changed;
  if v_changed is null then
    return '{}';
  end if;
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, details)
  select p_organization, who.name, who.id, 'customer.changed', 'customer', changed.id, '{"fields": ["tags"]}'
  from unnest(v_changed) as changed (id)
  cross join (select private.actor_name(), (select a.id from private.acting() a)) as who (name, id);
  perform private.audit(p_organization,
    case when p_added then 'customers.tagged' else 'customers.untagged' end,
    p_organization, jsonb_build_object('rows', cardinality(v_changed)));
  return v_changed;
end
$$;
comment on function private.write_tag(uuid, uuid[], text, boolean) is
  'Adds a tag to customers without it, or removes it, logs that, and returns the ids of the changed customers.';

create or replace function public.tag_customers(
  p_added boolean, p_tag text, p_filters jsonb, p_now timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_most constant integer := 5000;
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_ids uuid[];
  v_changed uuid[];
  v_change uuid;
begin
  p_now := private.clock(p_now);
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  perform private.lock_identities(v_organization);
  execute format(
    'select array_agg(id) from (select c.id from public.customers c where c.organization_id = $1 %s limit $3) as found',
    private.customers_where(v_organization, p_filters, p_now))
  into v_ids using v_organization, p_filters, v_most + 1;
  if cardinality(v_ids) > v_most then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  v_changed := private.write_tag(v_organization, v_ids, p_tag, p_added);
  if v_changed <> '{}' then
    insert into private.tag_changes (organization_id, author_id, tag, added, customer_ids)
    values (v_organization, (select private.caller()), p_tag, p_added, v_changed) returning id into v_change;
  end if;
  return jsonb_build_object('outcome', 'saved', 'id', v_change, 'changed', cardinality(v_changed),
    'full', (select count(*) from public.customers c
      where p_added and c.id = any(v_ids) and not c.tags @> array[p_tag]));
end
$$;
comment on function public.tag_customers(boolean, text, jsonb, timestamptz) is
  'Adds a tag to the customers that match the filters, or removes it: saved ({id, changed, full}: the change for an undo, the changed customers, and the customers with too many tags), too_many (above 5,000 match; nothing changed) or forbidden.';

create or replace function public.undo_tag_change(p_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_change private.tag_changes;
begin
  perform private.lock_identities(v_organization);
  delete from private.tag_changes k
  where k.id = p_id and k.organization_id = v_organization and k.author_id = (select private.caller())
    and k.changed_at > now() - interval '1 hour'
  returning * into v_change;
  if v_change.id is null then
    return false;
  end if;
  perform private.write_tag(v_organization, v_change.customer_ids, v_change.tag, not v_change.added);
  return true;
end
$$;
comment on function public.undo_tag_change(uuid) is
  'Undoes a change that the caller made with tag_customers within the last hour, once; false when the caller made no such change.';
grant execute on function public.tag_customers(boolean, text, jsonb, timestamptz),
  public.undo_tag_change(uuid) to authenticated;
