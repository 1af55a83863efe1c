-- Loyalty points: a ledger per guest. Visits earn, staff adjust and redeem; the balance is customers.points.

create table public.loyalty_points (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  customer_id uuid not null references public.customers on delete cascade,
  reservation_id uuid references public.reservations on delete cascade,
  kind text not null check (kind in ('earned', 'corrected', 'taken_back', 'adjusted', 'redeemed')),
  points integer not null check (points <> 0 and (points < 0 or kind not in ('taken_back', 'redeemed'))),
  multiplier numeric(6, 2),
  amount numeric,
  reason text check (btrim(reason) <> '' and length(reason) <= 300),
  author uuid references public.profiles on delete set null,
  author_name text,
  created_at timestamptz not null default now(),
  check (case when kind in ('adjusted', 'redeemed')
    then reservation_id is null and multiplier is null and amount is null and reason is not null
    else reservation_id is not null and multiplier is not null and reason is null end)
);
comment on table public.loyalty_points is
  'Entries of the points ledger: only ever added. Those of a visit add up to floor(EUR × multiplier), or to 0 once it is taken back.';
comment on column public.loyalty_points.multiplier is
  'points_multiplier of the tier the guest held when the visit earned (no tier: 1); a visit counted again keeps it.';
comment on column public.loyalty_points.amount is 'EUR of the visit when the entry was made; null where it was taken back.';
comment on column public.loyalty_points.author_name is 'Who adjusted or redeemed, as text: it stays when the person leaves.';

create index loyalty_points_customer_idx on public.loyalty_points (customer_id, created_at desc, id desc);
create index loyalty_points_reservation_idx on public.loyalty_points (reservation_id) where reservation_id is not null;
create index loyalty_points_author_idx on public.loyalty_points (author) where author is not null;

alter table public.loyalty_points enable row level security;
revoke all on public.loyalty_points from anon, authenticated;
grant select on public.loyalty_points to authenticated;
grant select, insert, update, delete on public.loyalty_points to service_role;

-- The policy of reservations applies to the reservations this one reads.
create policy "staff with customer access read points, those of visits with the visit" on public.loyalty_points
  for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and ((select private.works_everywhere()) or reservation_id is null
      or exists (select 1 from public.reservations r where r.id = reservation_id)));

create function private.settle_points(p_customers uuid[]) returns void
language sql volatile set search_path = ''
as $$
  with owed as (
    select r.customer_id, r.id as reservation_id,
      coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0) as amount,
      (r.reservation_date + r.reservation_time) at time zone l.timezone as visited_at
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = any(p_customers) and r.visited
  ), entered as (
    select p.customer_id, p.reservation_id, sum(p.points) as points,
      (array_agg(p.multiplier order by p.created_at desc, p.id desc) filter (where p.kind = 'earned'))[1] as multiplier
    from public.loyalty_points p
    where p.customer_id = any(p_customers) and p.reservation_id is not null
    group by p.customer_id, p.reservation_id
  ), compared as (
    select customer_id, reservation_id, o.amount, o.visited_at, coalesce(e.points, 0) as points, e.multiplier
    from owed o full join entered e using (customer_id, reservation_id)
  ), due as (
    select c.organization_id, p.customer_id, p.reservation_id, p.amount, p.visited_at, p.points, rate.multiplier,
      least(floor(coalesce(p.amount, 0) * rate.multiplier), 1000000000) as target
    from compared p
    join public.customers c on c.id = p.customer_id
    left join public.loyalty_tiers held on held.id = c.loyalty_tier_id
    cross join lateral (select coalesce(p.multiplier, held.points_multiplier, 1)) as rate (multiplier)
  )
  insert into public.loyalty_points (organization_id, customer_id, reservation_id, kind, points, multiplier, amount,
    created_at)
  select organization_id, customer_id, reservation_id,
    case when amount is null then 'taken_back' when points = 0 then 'earned' else 'corrected' end,
    (target - points)::integer, multiplier, amount,
    -- Visits that became known together stay in their order.
    now() + row_number() over (order by visited_at, reservation_id) * interval '1 microsecond'
  from due where target <> points
$$;
comment on function private.settle_points(uuid[]) is
  'Brings the points of each of the customers'' visits to floor(EUR × multiplier): earns, corrects or takes back the difference. Under lock_identities.';

revoke execute on function private.settle_points(uuid[]) from public;
grant execute on function private.settle_points(uuid[]) to service_role;
