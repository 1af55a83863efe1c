-- The guests whose messages are rendered to check a send before it leaves (lib/sending-check): some of each
-- kind, which stand for all of it. What a text lacks depends on what is known of the guest.

create or replace function private.guests_to_check_sql() returns text
language sql immutable set search_path = ''
as $$
  -- Names that nameInMessage may leave out are a kind of their own: they may look like an address.
  select $sql$with told as (
      select p.customer_id, p.reservation_id, p.channel, concat(p.channel, c.first_name is null,
        c.last_name is null, c.first_name ~ v.odd, c.last_name ~ v.odd, c.birth_date is null,
        c.last_visit_on is null, c.loyalty_tier_id is null, p.location_id is null, c.total_visits = 0,
        c.language) as kind
      from plan p
      join public.customers c on c.id = p.customer_id
      cross join (values ('[^[:alpha:][:space:]''-]')) as v (odd)
      where p.reason is null
    ), numbered as (
      select *, count(*) over (partition by kind) as guests,
        row_number() over (partition by kind order by customer_id, reservation_id) as place
      from told
    )
    select coalesce(jsonb_agg(jsonb_build_object('customer_id', n.customer_id, 'reservation_id',
      n.reservation_id, 'channel', n.channel,
      'guests', n.guests::numeric / least(n.guests, most.each))), '[]')
    from numbered n
    cross join (select greatest(10, 1000 / greatest(count(distinct kind), 1)) as each from told) as most
    where n.place <= most.each$sql$
$$;
comment on function private.guests_to_check_sql() is
  'A query over a plan, which has to stand as "plan" before it: of each kind of guest to whom a message would go up to 1,000 divided by the kinds, each with the number that they stand for.';

create or replace function private.guests_to_check(p_organization uuid, p_guests jsonb) returns jsonb
language sql stable set search_path = '' set enable_nestloop = on
as $$
  select coalesce(jsonb_agg(jsonb_build_object('guests', g.guests, 'channel', g.channel,
    'facts', private.message_facts(o, c, r, l, t.name))), '[]')
  from jsonb_to_recordset(p_guests) as g (customer_id uuid, reservation_id uuid, channel text, guests numeric)
  join public.customers c on c.id = g.customer_id
  join public.organizations o on o.id = p_organization
  left join public.reservations r on r.id = g.reservation_id
  left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
  left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
$$;
comment on function private.guests_to_check(uuid, jsonb) is
  'The facts for the messages of these guests, as [{guests, channel, facts}]; p_guests as guests_to_check_sql gives it.';
grant execute on function private.guests_to_check_sql(), private.guests_to_check(uuid, jsonb) to service_role;
