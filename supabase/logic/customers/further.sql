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
