-- What to know of one party before it sits down, for its three lines: who comes, what to avoid, what to do.

create or replace function private.visits_of_party(p_party public.reservations, p_bound uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  with bookings as materialized (
    select o.* from public.reservations o
    where o.customer_id = p_party.customer_id and o.source <> 'import'
      and (p_bound is null or o.location_id = any(p_bound))
  ), earlier as materialized (
    select b.* from bookings b
    where b.id <> p_party.id and b.service_order <= p_party.service_order
  ), missed as (
    select e.* from earlier e
    where e.status = 'no_show' and e.service_date >= p_party.service_date - interval '2 years'
  )
  select jsonb_build_object(
    -- In the whole group, also where the caller does not work: a number names no visit.
    'visits', (
      select greatest(0, c.total_visits - (
        select count(*) from public.reservations o
        where o.customer_id = c.id and o.visited
          and (o.id = p_party.id or o.service_order > p_party.service_order)))
      from public.customers c where c.id = p_party.customer_id),
    'here', (
      select count(*) from earlier e where e.visited and e.location_id = p_party.location_id),
    'last', (
      select jsonb_build_object('id', e.id, 'location_id', l.id, 'location', l.name, 'date', e.service_date)
      from earlier e join public.locations l on l.id = e.location_id
      where e.visited order by e.service_order desc, e.id desc limit 1),
    'usual', (
      select jsonb_build_object(
        'party_size', private.usual(array_agg(e.party_size::text order by e.service_order, e.id))::integer,
        'time', private.usual(array_agg(to_char(e.reservation_time, 'HH24:MI')
          order by e.service_order, e.id)),
        'table_name', (
          select u.table_name from private.usual_tables(array[p_party.customer_id],
            array[p_party.location_id], p_party.service_order at time zone 'UTC', p_party) as u))
      from earlier e where e.visited),
    -- Only who has not come yet can be asked whether they will.
    'no_shows', case when p_party.status in ('pending', 'confirmed') and p_party.arrived_at is null then (
      select jsonb_build_object('count', count(*) over (), 'id', m.id, 'location_id', m.location_id,
        'date', m.service_date)
      from missed m order by m.service_order desc, m.id desc limit 1) end)
$$;
comment on function private.visits_of_party(public.reservations, uuid[]) is
  'The visits of a party''s guest before the party: visits, all of the group; and at these locations (null: all) here, at the party''s own; the last one; the usual size and time (private.usual) and table there (private.usual_tables); and the no-shows of two years, with the latest.';

create or replace function private.complaints_of_party(p_party public.reservations, p_last uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with mine as materialized (
    select array(select private.my_locations('canAccessClientes')) as locations,
      array(select private.my_organizations('canAccessClientes')) as organizations
  ), answer as materialized (
    -- As in private.ticket_of_feedback: one or two stars open a ticket.
    select f.* from mine m join public.feedback f on f.reservation_id = p_last
    where f.score <= 2 and f.location_id = any(m.locations)
  ), named as materialized (
    select t.id from public.tickets t where t.reservation_id in (p_party.id, p_last)
    union
    select t.id from public.tickets t
    where t.customer_id = p_party.customer_id and t.reservation_id is null and t.created_at >= (
      select v.service_order at time zone l.timezone
      from public.reservations v join public.locations l on l.id = v.location_id where v.id = p_last)
    union
    select a.ticket_id from answer a
  ), open as (
    select t.id, t.number, t.subject from named n join public.tickets t on t.id = n.id cross join mine m
    where t.status in ('open', 'in_progress', 'waiting') and t.organization_id = any(m.organizations)
      and (t.location_id is null or t.location_id = any(m.locations))
    order by t.number desc limit 3
  )
  select jsonb_build_object(
    'feedback', (
      select jsonb_build_object('id', a.id, 'score', a.score, 'date', v.service_date)
      from answer a join public.reservations v on v.id = a.reservation_id),
    'tickets', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.number desc), '[]') from open o))
$$;
comment on function private.complaints_of_party(public.reservations, uuid) is
  'For who may read customers, each in their locations: the bad answer of a party''s guest about their last visit, and at most three open tickets about it, since it, or about the party. The others get none.';

create or replace function public.party_lines(p_reservation uuid, p_now timestamptz default now())
  returns jsonb
language sql stable security definer set search_path = ''
as $$
  with found as materialized (
    select r as party, l.timezone from public.reservations r join public.locations l on l.id = r.location_id
    where r.id = p_reservation and r.source <> 'import'
      and r.location_id = any(array(select private.my_locations('canAccessOperaciones')))
  ), guest as materialized (
    select c.*, t.name as tier, coalesce(t.rank >= private.vip_rank(c.organization_id), false) as vip,
      private.visits_of_party(f.party, private.bound_to()) as visits
    from found f join public.customers c on c.id = (f.party).customer_id
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    where c.organization_id = any(array(select private.my_organizations('canUseGuestCards')))
  )
  select jsonb_build_object('id', (f.party).id, 'location_id', (f.party).location_id,
    'day', (f.party).service_date, 'notes', nullif(btrim((f.party).notes), ''),
    'today', private.current_service(f.timezone, (select private.clock(p_now))),
    'withheld', g.id is null and (f.party).customer_id is not null,
    'guest', case when g.id is not null then jsonb_build_object('id', g.id,
      'tier', g.tier, 'vip', g.vip, 'notes', nullif(btrim(g.notes), ''), 'tags', to_jsonb(g.tags),
      'birthday_in', (
        select n from generate_series(-3, 3) as n
        where g.birth_day = any(private.birth_days((f.party).service_date + n, 0))
          and g.birth_date > private.born_after((f.party).service_date) limit 1))
      || g.visits end,
    -- Allergies stand wherever the booking does; the rest, and what a note says of them, is on the card.
    'facts', (
      select coalesce(jsonb_agg(jsonb_build_object('code', k.code, 'kind', k.kind,
        'note', case when g.id is not null then k.note end) order by k.kind, k.code), '[]')
      from public.customer_facts k
      where k.customer_id = (f.party).customer_id and (g.id is not null or k.kind = 'allergy')))
    || private.complaints_of_party(f.party, (g.visits #>> '{last,id}')::uuid)
  from found f left join guest g on true
$$;
comment on function public.party_lines(uuid, timestamptz) is
  'What to know of a party of the caller''s locations: its note, its guest with visits, habits, tier, birthday and facts as on the card, and complaints (see private.complaints_of_party). Without canUseGuestCards only what the list shows, and withheld says that there is a guest. Null without the right.';
grant execute on function public.party_lines(uuid, timestamptz) to authenticated;
