-- Facts about customers, as codes with a word in every language: allergies, diets and
-- preferences (listed in lib/customers/fact-codes.ts). Staff record them; notes only lead to suggestions.

create or replace function private.may_use_card(p_customer uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
      select from public.customers c
      where c.id = p_customer
        and c.organization_id = any(array(select private.my_organizations('canAccessClientes'))))
    or exists (
      select from public.reservations r
      where r.customer_id = p_customer
        and r.location_id = any(array(select private.my_locations('canUseGuestCards'))))
$$;
comment on function private.may_use_card(uuid) is
  'Whether the caller may read a customer, or use the card of a guest: someone with a reservation in the caller''s locations.';

create or replace function public.guest_card(p_customer uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', c.id, 'name', nullif(concat_ws(' ', c.first_name, c.last_name), ''),
    'tier', t.name, 'tags', to_jsonb(c.tags), 'notes', nullif(btrim(c.notes), ''),
    'facts', coalesce((
      select jsonb_agg(jsonb_build_object('code', f.code, 'kind', f.kind, 'note', f.note))
      from public.customer_facts f where f.customer_id = c.id), '[]'),
    'booking_notes', coalesce((
      select jsonb_agg(r.notes) from (
        select r.notes from public.reservations r
        where r.customer_id = c.id and r.source <> 'import'
          and r.location_id = any(array(select private.my_locations('canAccessOperaciones')))
        order by r.service_order desc, r.id desc limit 20) as r
      where btrim(r.notes) <> ''), '[]'))
  from public.customers c left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
  where c.id = p_customer and private.may_use_card(c.id)
$$;
comment on function public.guest_card(uuid) is
  'The guest''s card for floor staff, without addresses and spend, with the notes of the latest 20 reservations that the caller may read; null without the right.';

create or replace function private.allergies_of(p_customers uuid[])
  returns table (customer_id uuid, organization_id uuid, code text, note text)
language sql stable set search_path = ''
as $$
  select f.customer_id, f.organization_id, f.code, f.note from public.customer_facts f
  where f.kind = 'allergy' and f.customer_id = any(p_customers)
$$;
comment on function private.allergies_of(uuid[]) is
  'The recorded allergies of these customers, for whoever may see one of their bookings: {customer_id, organization_id, code, note}.';

create or replace function private.allergy_codes(p_customers uuid[])
  returns table (customer_id uuid, codes jsonb)
language sql stable set search_path = ''
as $$
  select a.customer_id, jsonb_agg(a.code order by a.code) from private.allergies_of(p_customers) a
  group by a.customer_id
$$;
comment on function private.allergy_codes(uuid[]) is
  'The codes of the recorded allergies of these customers, as `allergies` has them in the API; no row for who has none.';

-- The few who have an allergy are looked at, not all who were asked about.
create or replace function public.guest_allergies(p_customers uuid[])
  returns table (customer_id uuid, code text, note text)
language sql stable security definer set search_path = ''
as $$
  with mine as materialized (
    select array(select private.my_organizations('canAccessClientes')) as organizations,
      array(select private.my_locations('canAccessOperaciones')) as locations
  ), known as materialized (
    select a.* from private.allergies_of(p_customers[1:500]) a
  ), guests as materialized (
    select distinct k.customer_id, k.organization_id from known k
  ), seen as materialized (
    select g.customer_id from guests g cross join mine m
    where g.organization_id = any(m.organizations)
      or exists (
        select from public.reservations r
        where r.customer_id = g.customer_id and r.location_id = any(m.locations))
  )
  select k.customer_id, k.code, k.note from known k join seen s on s.customer_id = k.customer_id
  order by k.customer_id, k.code
$$;
comment on function public.guest_allergies(uuid[]) is
  'The recorded allergies of the guests, at most 500, whom the caller may read or who have a booking that the caller may see: {customer_id, code, note}.';

create or replace function public.save_guest_notes(p_customer uuid, p_notes text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_old public.customers;
begin
  select * into v_old from public.customers c
    where c.id = p_customer and private.may_use_card(c.id) for no key update;
  if v_old.id is null then
    return 'not_found';
  elsif v_old.notes is distinct from nullif(btrim(p_notes), '') then
    update public.customers set notes = nullif(btrim(p_notes), '') where id = p_customer;
    perform private.audit(v_old.organization_id, 'customer.changed', p_customer, '{"fields": ["notes"]}');
  end if;
  return 'saved';
end
$$;
comment on function public.save_guest_notes(uuid, text) is
  'Changes the notes of a guest whose card the caller may use: saved or not_found.';

create or replace function public.save_customer_facts(p_customer uuid, p_facts jsonb) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid;
  v_changed integer;
begin
  select organization_id into v_organization from public.customers
  where id = p_customer and private.may_use_card(id) for no key update;
  if v_organization is null then
    return 'not_found';
  end if;
  with given as (
    select distinct on (f.code) f.code, f.kind, nullif(btrim(f.note), '') as note
    from jsonb_to_recordset(p_facts) as f (code text, kind text, note text)
    order by f.code
  ), gone as (
    delete from public.customer_facts k
    where k.customer_id = p_customer and not exists (select from given g where g.code = k.code)
    returning 1
  ), kept as (
    insert into public.customer_facts as k (organization_id, customer_id, code, kind, note, recorded_by)
    select v_organization, p_customer, g.code, g.kind, g.note, private.caller_name() from given g
    on conflict (customer_id, code) do update
      set kind = excluded.kind, note = excluded.note, recorded_by = excluded.recorded_by, recorded_at = now()
      where (k.kind, k.note) is distinct from (excluded.kind, excluded.note)
    returning 1
  )
  select (select count(*) from gone) + (select count(*) from kept) into v_changed;
  if v_changed > 0 then
    perform private.audit(v_organization, 'customer.changed', p_customer, '{"fields": ["facts"]}');
  end if;
  return 'saved';
end
$$;
comment on function public.save_customer_facts(uuid, jsonb) is
  'Replaces the facts of a customer, [{code, kind, note}]: saved or not_found. Unchanged facts keep their author and time.';
grant execute on function public.guest_card(uuid), public.guest_allergies(uuid[]),
  public.save_guest_notes(uuid, text), public.save_customer_facts(uuid, jsonb) to authenticated;
