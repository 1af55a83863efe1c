-- How often each guest comes, and the days on which their silence makes them at risk and lost: the model
-- MBG/NBD on the days of their visits, fitted for each organization at night. Method and figures:
-- docs/rhythm.md.

create or replace function private.rhythm_parameters(p_organizations uuid[])
returns table (organization_id uuid, r double precision, alpha double precision, a double precision,
  b double precision)
language sql stable set search_path = ''
as $$
  -- The shipped parameters are fitted to the simulator (tests/bench/rhythm).
  select o.id, coalesce(m.r, 0.36), coalesce(m.alpha, 15), coalesce(m.a, 0.36), coalesce(m.b, 0.86)
  from unnest(p_organizations) as o (id) left join public.rhythm_models m on m.organization_id = o.id
$$;
comment on function private.rhythm_parameters(uuid[]) is 'The parameters of each organization: its own, or the shipped parameters.';

create or replace function private.return_probability(p_r double precision, p_alpha double precision,
  p_a double precision, p_b double precision, p_repeats integer, p_recency integer, p_age integer)
  returns double precision
-- In plpgsql because it is called for many rows: an SQL function with its own search_path takes twice as
-- long.
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  -- exp() overflows above 709; beyond 600 the result is 0 or 1 anyway.
  v_silence double precision := least(600,
    (p_r + p_repeats) * ln((p_alpha + greatest(p_age, p_recency)) / (p_alpha + p_recency)));
  v_ahead double precision := least(600,
    (p_r + p_repeats) * ln(1 + 365 / (p_alpha + greatest(p_age, p_recency))));
begin
  return (1 - exp(-v_ahead)) / (1 + p_a / (p_b + p_repeats) * exp(v_silence));
end
$$;
comment on function private.return_probability(double precision, double precision, double precision, double precision, integer, integer, integer) is
  'The probability that a guest comes within the next 365 days, from the parameters, the visit days after the first, the days from the first visit to the last, and the days from the first to now.';

create or replace function private.silence_until(p_r double precision, p_alpha double precision,
  p_a double precision, p_b double precision, p_repeats integer, p_recency integer, p_left double precision)
  returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_limit double precision := p_left * private.return_probability(p_r, p_alpha, p_a, p_b, p_repeats,
    p_recency, p_recency);
  v_above integer := 0;
  v_below integer := 3651;
  v_middle integer;
begin
  -- The probability only falls while the guest stays away, so a binary search finds the day.
  while v_below - v_above > 1 loop
    v_middle := (v_above + v_below) / 2;
    if private.return_probability(p_r, p_alpha, p_a, p_b, p_repeats, p_recency, p_recency + v_middle)
      < v_limit then
      v_below := v_middle;
    else
      v_above := v_middle;
    end if;
  end loop;
  return nullif(v_below, 3651);
end
$$;
comment on function private.silence_until(double precision, double precision, double precision, double precision, integer, integer, double precision) is
  'How many days after the last visit less than the share p_left of the chance to return is left; null: more than 3,650.';

create or replace function private.rhythm_days(p_visit_days integer, p_first_day date, p_last_day date,
  p_usual real, p_r double precision, p_alpha double precision, p_a double precision, p_b double precision,
  out at_risk_on date, out lost_on date)
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if p_usual is not null then
    at_risk_on := p_last_day + private.silence_until(p_r, p_alpha, p_a, p_b, p_visit_days - 1,
      p_last_day - p_first_day, 0.5);
    lost_on := p_last_day + private.silence_until(p_r, p_alpha, p_a, p_b, p_visit_days - 1,
      p_last_day - p_first_day, 0.2);
  end if;
end
$$;
comment on function private.rhythm_days(integer, date, date, real, double precision, double precision, double precision, double precision) is
  'at_risk_on and lost_on of a guest, by these parameters; both null without a usual interval.';

create or replace function private.refresh_rhythms(p_ids uuid[]) returns void
language sql volatile set search_path = ''
as $$
  with days as (
    select distinct r.customer_id, r.service_date as day
    from public.reservations r where r.customer_id = any(p_ids) and r.visited
  ), waits as (
    select d.customer_id, d.day, d.day - lag(d.day) over (partition by d.customer_id order by d.day) as wait
      from days d
  ), current as materialized (
    select w.customer_id, count(*)::integer as visit_days, min(w.day) as first_day, max(w.day) as last_day,
      case when count(*) >= 3 then (percentile_cont(0.5) within group (order by w.wait))::real end
        as usual_days
    from waits w group by w.customer_id
  ), guests as materialized (
    -- Read once for all of them, as in settle_points.
    select g.id, g.organization_id from public.customers g where g.id = any(p_ids)
  ), gone as (
    delete from public.customer_rhythms k where k.customer_id = any(p_ids)
      and not exists (select 1 from public.reservations r where r.customer_id = k.customer_id and r.visited)
  ), changed as materialized (
    select n.*, c.organization_id
    from current n join guests c on c.id = n.customer_id
    left join public.customer_rhythms k on k.customer_id = n.customer_id
    where (k.visit_days, k.first_day, k.last_day, k.usual_days)
      is distinct from (n.visit_days, n.first_day, n.last_day, n.usual_days)
  )
  insert into public.customer_rhythms as k
    (customer_id, organization_id, visit_days, first_day, last_day, usual_days, at_risk_on, lost_on)
  select n.customer_id, n.organization_id, n.visit_days, n.first_day, n.last_day, n.usual_days, d.at_risk_on,
    d.lost_on
  from changed n join private.rhythm_parameters(array(select distinct organization_id from changed)) as p
    using (organization_id)
  cross join lateral private.rhythm_days(n.visit_days, n.first_day, n.last_day, n.usual_days, p.r, p.alpha,
    p.a, p.b) as d
  on conflict (customer_id) do update set visit_days = excluded.visit_days, first_day = excluded.first_day,
    last_day = excluded.last_day, usual_days = excluded.usual_days, at_risk_on = excluded.at_risk_on,
    lost_on = excluded.lost_on
$$;
comment on function private.refresh_rhythms(uuid[]) is
  'Recomputes the rhythms of customers from their visits; writes only changes. The caller holds lock_identities.';

create or replace function private.rhythm_state(p_state text, p_alias text, p_today date) returns text
language sql immutable set search_path = ''
as $$
  select case p_state
    when 'unknown' then format('(%1$s.visit_days is not null and %1$s.usual_days is null)', p_alias)
    when 'on_time' then format(
      '(%1$s.usual_days is not null and coalesce(%1$s.at_risk_on > %2$L::date, true))', p_alias, p_today)
    when 'overdue' then format('%1$s.last_day + floor(%1$s.usual_days)::integer < %2$L::date', p_alias,
      p_today)
    when 'at_risk' then format(
      '(%1$s.at_risk_on <= %2$L::date and coalesce(%1$s.lost_on > %2$L::date, true))', p_alias, p_today)
    when 'lost' then format('%1$s.lost_on <= %2$L::date', p_alias, p_today) end
$$;
comment on function private.rhythm_state(text, text, date) is
  'A state as a condition on a row of customer_rhythms. Everyone who has come is exactly one of unknown (fewer than three visit days), on_time, at_risk and lost; overdue (away for longer than usual) overlaps with the last three. Null: no such state.';

create or replace function public.rhythm_histories(p_organization uuid, p_now timestamptz default now(),
  p_most integer default 10000)
returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_today date := (p_now at time zone private.zone_of(p_organization))::date;
  v_model public.rhythm_models;
  v_guests integer;
  v_returned integer;
  v_due boolean;
begin
  select * into v_model from public.rhythm_models m where m.organization_id = p_organization;
  select count(*), count(*) filter (where k.visit_days > 1) into v_guests, v_returned
  from public.customer_rhythms k where k.organization_id = p_organization;
  -- Fewer guests do not determine four parameters. Fitted again when the guests changed by a fifth, and after
  -- a week.
  v_due := v_guests >= 200 and v_returned >= 50
    and coalesce(v_guests not between v_model.guests * 0.8 and v_model.guests * 1.2
      or v_model.fitted_at not between p_now - interval '7 days' and p_now, true);
  return jsonb_build_object('guests', v_guests,
    'parameters', (select to_jsonb(p) - 'organization_id'
      from private.rhythm_parameters(array[p_organization]) as p),
    'histories', case when v_due then (
      select coalesce(jsonb_agg(jsonb_build_array(h.repeats, h.recency, h.age, h.guests)), '[]') from (
        -- Ids are random, so the first guests are a random sample.
        select s.visit_days - 1 as repeats, s.last_day - s.first_day as recency,
          greatest(v_today, s.last_day) - s.first_day as age, count(*) as guests
        from (select k.* from public.customer_rhythms k where k.organization_id = p_organization
          order by k.customer_id limit p_most) as s
        group by 1, 2, 3) as h) end);
end
$$;
comment on function public.rhythm_histories(uuid, timestamptz, integer) is
  'The input of a fit: {guests, parameters (those in use), histories: [[repeats, recency, age, guests], …]}. The histories are of p_most guests at most, and null when no fit is due.';

create or replace function public.save_rhythm_model(p_organization uuid, p_parameters jsonb, p_guests integer,
  p_now timestamptz default now())
returns void
language sql volatile set search_path = ''
as $$
  with drawn as materialized (
    select floor(extract(epoch from p_now - c.last_visit_at) / 86400)::integer as days, c.total_visits,
      c.total_spend
    from (select * from public.customers c where c.organization_id = p_organization
      order by c.id limit 100000) as c
    where c.total_visits > 0
  ), fifths as (
    select percentile_disc(array[0.4, 0.6]) within group (order by d.days) as recency,
      percentile_disc(array[0.2, 0.4, 0.6, 0.8]) within group (order by d.total_visits) as visits,
      percentile_disc(array[0.2, 0.4, 0.6, 0.8]) within group (order by d.total_spend) as spend
    from drawn d having count(*) > 0
  )
  insert into public.rhythm_models as m
    (organization_id, r, alpha, a, b, guests, fitted_at, apply_after, recency_cuts, visit_cuts, spend_cuts)
  select p_organization, coalesce((p_parameters ->> 'r')::double precision, p.r),
    coalesce((p_parameters ->> 'alpha')::double precision, p.alpha),
    coalesce((p_parameters ->> 'a')::double precision, p.a),
    coalesce((p_parameters ->> 'b')::double precision, p.b),
    case when p_parameters ? 'r' then p_guests else 0 end,
    case when p_parameters ? 'r' then p_now end,
    case when p_parameters ? 'r' then '00000000-0000-0000-0000-000000000000'::uuid end, f.recency, f.visits,
    f.spend
  from fifths f cross join private.rhythm_parameters(array[p_organization]) as p
  on conflict (organization_id) do update set r = excluded.r, alpha = excluded.alpha, a = excluded.a,
    b = excluded.b, guests = coalesce(nullif(excluded.guests, 0), m.guests),
    fitted_at = coalesce(excluded.fitted_at, m.fitted_at),
    apply_after = coalesce(excluded.apply_after, m.apply_after), recency_cuts = excluded.recency_cuts,
    visit_cuts = excluded.visit_cuts, spend_cuts = excluded.spend_cuts
$$;
comment on function public.save_rhythm_model(uuid, jsonb, integer, timestamptz) is
  'Saves newly fitted parameters ({r, alpha, a, b}; {}: keeps the current ones) and the number of guests, and measures the group''s fifths. apply_rhythm_model then updates the guests.';

create or replace function public.apply_rhythm_model(p_organization uuid, p_limit integer default 10000)
  returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_model public.rhythm_models;
  v_ids uuid[];
begin
  perform private.lock_identities(p_organization);
  select * into v_model from public.rhythm_models m
    where m.organization_id = p_organization for no key update;
  if v_model.apply_after is null then
    return false;
  end if;
  select coalesce(array_agg(batch.customer_id order by batch.customer_id), '{}') into v_ids from (
    select k.customer_id from public.customer_rhythms k
    where k.organization_id = p_organization and k.customer_id > v_model.apply_after
      and k.usual_days is not null
    order by k.customer_id limit p_limit
  ) as batch;
  with next as materialized (
    select k.customer_id, d.at_risk_on, d.lost_on
    from public.customer_rhythms k
    cross join lateral private.rhythm_days(k.visit_days, k.first_day, k.last_day, k.usual_days,
      v_model.r, v_model.alpha, v_model.a, v_model.b) as d
    where k.customer_id = any(v_ids)
  )
  update public.customer_rhythms k set at_risk_on = n.at_risk_on, lost_on = n.lost_on
  from next n where k.customer_id = n.customer_id and (k.at_risk_on, k.lost_on) is distinct
    from (n.at_risk_on, n.lost_on);
  update public.rhythm_models set apply_after = case when cardinality(v_ids) = p_limit then v_ids[p_limit] end
  where organization_id = p_organization;
  return cardinality(v_ids) = p_limit;
end
$$;
comment on function public.apply_rhythm_model(uuid, integer) is
  'Recomputes at_risk_on and lost_on of the next p_limit guests by newly fitted parameters; true while more guests remain.';
grant execute on function private.rhythm_parameters(uuid[]),
  private.return_probability(double precision, double precision, double precision, double precision, integer,
    integer, integer) to authenticated, service_role;
grant execute on function
  private.silence_until(double precision, double precision, double precision, double precision, integer,
  integer, double precision),
  private.rhythm_days(integer, date, date, real, double precision, double precision, double precision,
  double precision), private.refresh_rhythms(uuid[]), public.rhythm_histories(uuid, timestamptz, integer),
  public.save_rhythm_model(uuid, jsonb, integer, timestamptz), public.apply_rhythm_model(uuid, integer)
    to service_role;
