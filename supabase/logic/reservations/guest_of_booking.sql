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
