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
