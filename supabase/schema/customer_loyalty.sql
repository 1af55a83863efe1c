-- The ledger of points: visits earn, staff adjust and redeem; the balance is customers.points.

create table public.loyalty_points (
  id uuid primary key default private.new_id(),
  organization_id uuid not null references public.organizations on delete cascade,
  customer_id uuid not null references public.customers on delete cascade,
  reservation_id uuid references public.reservations on delete cascade,
  kind text not null check (kind in ('earned', 'corrected', 'taken_back', 'adjusted', 'redeemed')),
  points integer not null check (points <> 0 and (points < 0 or kind not in ('taken_back', 'redeemed')))
    check (points between -1000000000 and 1000000000),
  multiplier numeric(6, 2) check (multiplier between 0 and 1000),
  amount numeric check (amount between 0 and 10000000000),
  reason text check (btrim(reason) <> '' and length(reason) <= 300),
  author uuid references public.profiles on delete set null,
  author_name text check (length(author_name) <= 254),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z'),
  amount_is_estimate boolean not null default false,
  check (case when kind in ('adjusted', 'redeemed')
    then reservation_id is null and multiplier is null and amount is null and reason is not null
    else reservation_id is not null and multiplier is not null and reason is null end)
);
comment on table public.loyalty_points is
  'Entries of the points ledger: only ever added. Those of a visit add up to floor(EUR × multiplier), or to 0 once it is taken back.';
comment on column public.loyalty_points.multiplier is
  'points_multiplier of the tier the customer held when the visit earned (no tier: 1); a visit counted again keeps it.';
comment on column public.loyalty_points.amount is 'EUR of the visit when the entry was made; null where it was taken back.';
comment on column public.loyalty_points.amount_is_estimate is
  'Nobody rang up or typed the amount: it is party size × the location''s average spend.';
comment on column public.loyalty_points.author_name is 'Who adjusted or redeemed, as text: it stays when the person leaves.';

create index loyalty_points_customer_idx on public.loyalty_points (customer_id, created_at desc, id desc);
create index loyalty_points_reservation_idx on public.loyalty_points (reservation_id)
  where reservation_id is not null;
create index loyalty_points_author_idx on public.loyalty_points (author) where author is not null;
alter table public.loyalty_points enable row level security;
grant select on public.loyalty_points to authenticated;
grant select, insert, update, delete on public.loyalty_points to service_role;

-- The policy of reservations applies to the reservations this one reads.
create policy "staff with customer access read points, those of visits with the visit"
  on public.loyalty_points
  for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and ((select private.works_everywhere()) or reservation_id is null
      or exists (select 1 from public.reservations r where r.id = reservation_id)));

-- How often each guest comes: the fitted models, and what follows for each guest (docs/rhythm.md).

create table public.rhythm_models (
  organization_id uuid primary key references public.organizations on delete cascade,
  r double precision not null check (r between 0.001 and 100000),
  alpha double precision not null check (alpha between 0.001 and 100000),
  a double precision not null check (a between 0.001 and 100000),
  b double precision not null check (b between 0.001 and 100000),
  guests integer not null check (guests between 0 and 1000000000),
  fitted_at timestamptz check (fitted_at between '1900-01-01Z' and '2200-01-01Z'),
  apply_after uuid,
  recency_cuts integer[] not null
    check (cardinality(recency_cuts) = 2 and array_position(recency_cuts, null) is null
    and -1000000 <= all (recency_cuts) and 1000000 >= all (recency_cuts)),
  visit_cuts integer[] not null
    check (cardinality(visit_cuts) = 4 and array_position(visit_cuts, null) is null
    and 0 <= all (visit_cuts) and 1000000000 >= all (visit_cuts)),
  spend_cuts numeric[] not null
    check (cardinality(spend_cuts) = 4 and array_position(spend_cuts, null) is null
    and 0 <= all (spend_cuts) and 10000000000 >= all (spend_cuts))
);
comment on table public.rhythm_models is
  'The parameters of a group: how often its guests come (gamma: r, alpha in days), how soon they are lost (beta: a, b); and the limits of its fifths of guests, for RFM.';
comment on column public.rhythm_models.guests is 'How many guests the group had when its parameters were fitted; 0: they are the shipped parameters.';
comment on column public.rhythm_models.apply_after is
  'Guests with a greater id still have days by the earlier parameters; null: no guest has.';
comment on column public.rhythm_models.recency_cuts is 'Days since the last visit: the limits of two and three fifths of the guests.';
comment on column public.rhythm_models.visit_cuts is 'Visits: the limits of one, two, three and four fifths of the guests. spend_cuts (EUR) likewise.';

create table public.customer_rhythms (
  customer_id uuid primary key references public.customers on delete cascade,
  organization_id uuid not null references public.organizations on delete cascade,
  visit_days integer not null check (visit_days between 1 and 1000000),
  first_day date not null check (first_day between '1899-12-31' and '2199-12-31'),
  last_day date not null check (last_day between '1899-12-31' and '2199-12-31'),
  usual_days real check (usual_days between 1 and 200000),
  at_risk_on date check (at_risk_on between '1900-01-01' and '2250-01-01'),
  lost_on date check (lost_on between '1900-01-01' and '2250-01-01'),
  constraint customer_rhythms_days_check check (first_day <= last_day),
  constraint customer_rhythms_known_check check (case when visit_days < 3
    then num_nonnulls(usual_days, at_risk_on, lost_on) = 0 else usual_days is not null end)
);
comment on table public.customer_rhythms is 'The rhythm of a guest who has come, over all locations; updated with the statistics.';
comment on column public.customer_rhythms.visit_days is 'Service days with a visit: lunch and dinner on one day count once. With fewer than three no rhythm is known.';
comment on column public.customer_rhythms.usual_days is 'The median of the days between visits; null with fewer than three visit days.';
comment on column public.customer_rhythms.at_risk_on is
  'The first day without a visit on which less than half is left of the chance (of a visit within a year) that the guest had after the last visit; null: not within ten years, or no rhythm is known.';
comment on column public.customer_rhythms.lost_on is 'Likewise, less than a fifth.';

create index customer_rhythms_organization_idx on public.customer_rhythms (organization_id, customer_id);
-- Dates instead of states: nothing has to be written as days go by.
create index customer_rhythms_state_idx
  on public.customer_rhythms (organization_id, lost_on, at_risk_on, customer_id);
alter table public.rhythm_models enable row level security;
alter table public.customer_rhythms enable row level security;
grant select on public.rhythm_models, public.customer_rhythms to authenticated;
grant select, insert, update, delete on public.rhythm_models, public.customer_rhythms to service_role;

create policy "staff with customer access read the model of rhythms" on public.rhythm_models for select
  to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));
create policy "staff with customer access read rhythms" on public.customer_rhythms for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));
