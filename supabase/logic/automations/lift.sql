-- The lift of automations: visits and revenue of the guests they wrote to and of their control groups
-- (docs/lift.md).

create or replace function public.lifts_of_automations(p_organization uuid, p_automations uuid[],
  p_now timestamptz, p_locations uuid[] default null)
returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan set work_mem = '64MB'
  set jit = off
as $$
declare
  v_window interval := private.lift_window();
  -- A page has 200 at most. An array, so that the planner knows how many guests there are.
  v_ids uuid[] := array(
    select a.id from public.automations a where a.id = any(p_automations[1:200])
      and a.organization_id = p_organization);
  v_first timestamptz;
  v_last timestamptz;
  v_by_guest boolean;
begin
  select min(e.enrolled_at), max(e.enrolled_at), private.by_guest(count(*)) into v_first, v_last, v_by_guest
  from private.enrolments e
  where e.automation_id = any(v_ids) and e.enrolled_at <= p_now - v_window - interval '2 days';
  return (
    -- One list of beginnings and visits, which is grouped: a join of both would be a loop where statistics
    -- lack. Only the visits of the last days are not known yet, until their service is closed.
    with noted as (
      select e.automation_id, e.customer_id, e.share, e.held,
        e.enrolled_at <= p_now - v_window - interval '2 days' as is_over,
        1 as records, 0 as visits, 0::float8 as revenue, 0::float8 as estimated
      from private.enrolments e where e.automation_id = any(v_ids)
      union all
      select e.automation_id, e.customer_id, e.share, e.held, true, 0, 1,
        -- In cents, which are exact as floats, and several times as fast to add up as numerics.
        100 * coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0),
        100 * case when r.total_amount is null then coalesce(r.party_size * l.average_spend_per_guest, 0)
          else 0 end
      from private.enrolments e
      join public.reservations r on r.customer_id = e.customer_id and r.visited
        and r.created_at >= e.enrolled_at
        -- Local time and UTC differ by less than a day: this only bounds the index scans, by guest or by
        -- date.
        and (v_by_guest or r.organization_id = p_organization
          and r.reservation_date >= (v_first at time zone 'UTC')::date - 1
          and r.reservation_date <= ((v_last at time zone 'UTC') + v_window)::date + 1)
        and r.service_order >= (e.enrolled_at at time zone 'UTC') - interval '1 day'
        and r.service_order <= (e.enrolled_at at time zone 'UTC') + v_window + interval '1 day'
        and (p_locations is null or r.location_id = any(p_locations))
      join public.locations l on l.id = r.location_id
        and r.service_order at time zone l.timezone between e.enrolled_at and e.enrolled_at + v_window
      where e.automation_id = any(v_ids) and e.enrolled_at <= p_now - v_window - interval '2 days'
    ), guests as materialized (
      select n.automation_id, n.customer_id, min(n.share) as share, bool_or(n.held) as held,
        bool_or(n.is_over) as is_over, sum(n.visits) as visits, sum(n.revenue) as revenue,
        sum(n.estimated) as estimated
      from noted n group by n.automation_id, n.customer_id
      -- More than one record: merged guests, who began twice. They are left out of both groups alike: those
      -- of one group come more often than others, and would be nearly all in the larger group.
      having sum(n.records) = 1
    ), arms as (
      select g.automation_id, g.share, g.held, count(*) as guests, count(*)
        filter (where g.visits > 0) as came, sum(g.visits) as visits,
        sum(g.visits * g.visits) as visits_squared, (sum(g.revenue) / 100)::numeric(20, 2) as revenue,
        sum(g.revenue * g.revenue) / 10000 as revenue_squared,
        (sum(g.estimated) / 100)::numeric(20, 2) as estimated_revenue
      from guests g where g.is_over group by g.automation_id, g.share, g.held
    ), compared as (
      select arms.automation_id, jsonb_agg(to_jsonb(arms) - 'automation_id'
        order by arms.share, arms.held) as arms
      from arms group by arms.automation_id
    ), waiting as (
      select g.automation_id, count(*) as guests from guests g where not g.is_over group by g.automation_id
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'automation_id', a.id, 'days', extract(day from v_window), 'control_share',
        coalesce(private.control_share(a), 0),
      'waiting', coalesce(w.guests, 0), 'arms', coalesce(c.arms, '[]'))), '[]')
    from public.automations a
    left join compared c on c.automation_id = a.id
    left join waiting w on w.automation_id = a.id
    where a.id = any(v_ids));
end
$$;
comment on function public.lifts_of_automations(uuid, uuid[], timestamptz, uuid[]) is
  'What the guests of automations (at most 200) did in the days after they began (days: how many): of each automation {automation_id, days, control_share, waiting: guests whose days are not over, arms}. An arm is of one share and group (held: the control group), with the sums over guests of visits (booked and made in these days, in p_locations or all) and EUR, and their sums of squares.';
grant execute on function public.lifts_of_automations(uuid, uuid[], timestamptz, uuid[]) to service_role;
