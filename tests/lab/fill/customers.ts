import type { Step } from './steps'

const DECLARED = `jsonb_build_object('basis', 'opt_in', 'source', 'import', 'at', '2025-06-01T10:00:00Z')`

/**
 * The guests with the statistics, tier and points that follow from their bookings, as the product's recount has them.
 * Three in five have the tag `boletin` and an e-mail.
 */
export const customerSteps = (organization: string): Step[] => [
  {
    name: 'statistics from bookings',
    sql: `create unlogged table lab.statistics as
      select b.guest, count(*) filter (where b.visited)::integer as visits,
        max((b.date + b.at) at time zone 'Europe/Madrid') filter (where b.visited) as last_visit,
        sum(coalesce(b.amount, b.party * p.average)) filter (where b.visited) as spend,
        bool_or(b.amount is null) filter (where b.visited) as estimate,
        sum(floor(coalesce(b.amount, b.party * p.average))) filter (where b.visited) as points
      from lab.bookings b join lab.places p on p.n = b.place group by b.guest`,
  },
  {
    name: 'usual places',
    sql: `create unlogged table lab.homes as
      select distinct on (h.guest) h.guest, p.id as location_id from (
        select b.guest, b.place, count(*) filter (where b.source <> 'import') as bookings, max(b.date + b.at) as latest
        from lab.bookings b group by b.guest, b.place) as h
      join lab.places p on p.n = h.place
      order by h.guest, h.bookings desc, h.latest desc, p.id`,
  },
  { sql: 'analyze lab.statistics, lab.homes' },
  {
    name: 'customers',
    sql: `insert into public.customers (id, organization_id, email, phone, first_name, last_name, birth_date, company,
        address, tags, source, notes, location_id, total_visits, total_spend, spend_is_estimate, last_visit_at,
        loyalty_tier_id, consents, points, created_at, updated_at)
      select g.id, $1, g.email, g.phone, g.first_name, g.last_name,
        case when g.n % 9 < 4 then date '1945-01-01' + floor(g.spare * 22000)::integer end,
        case when g.n % 31 = 0 then 'Empresa ' || g.n % 997 end,
        case when g.n % 13 = 0 then 'Calle Mayor ' || g.n % 150 || ', 280' || lpad((g.n % 54)::text, 2, '0') || ' Madrid' end,
        array_remove(array[case when g.n % 4 <> 0 and g.n % 5 <> 0 then 'boletin' end,
          case when g.n % 101 = 0 then 'vip' end, case when g.n % 17 = 0 then 'empresa' end,
          case when g.n % 997 = 0 then 'prensa' end], null),
        case when g.bookings = 0 then 'import' else 'pms' end,
        case when g.n % 25 = 0 then 'Prefiere mesa junto a la ventana.' end,
        coalesce(h.location_id, p.id), coalesce(s.visits, 0), coalesce(s.spend, 0), coalesce(s.estimate, false),
        s.last_visit, (
          select r.tier_id from public.loyalty_rules r join public.loyalty_tiers t on t.id = r.tier_id
          where r.location_id = coalesce(h.location_id, p.id) and coalesce(s.spend, 0) >= r.min_spend
            and coalesce(s.visits, 0) >= r.min_visits order by t.rank desc limit 1),
        case when g.n % 11 = 0 then jsonb_build_object('email', ${DECLARED})
          when g.n % 37 = 0 then jsonb_build_object('sms', ${DECLARED}, 'whatsapp', ${DECLARED}) else '{}' end,
        coalesce(s.points, 0), now() - interval '3 years' + g.spare * interval '2 years', now() - g.spare * interval '200 days'
      from lab.guests g join lab.places p on p.n = g.home
      left join lab.statistics s on s.guest = g.n left join lab.homes h on h.guest = g.n
      order by g.id`,
    values: [organization],
  },
]

/** Points of every visit, by the multiplier of the lowest tier. */
export const pointsStep = (organization: string): Step => ({
  sql: `insert into public.loyalty_points (organization_id, customer_id, reservation_id, kind, points, multiplier,
      amount, created_at)
    select $1, r.customer_id, r.id, 'earned', floor(coalesce(r.total_amount, r.party_size * p.average)), 1,
      coalesce(r.total_amount, r.party_size * p.average), (r.service_order + interval '12 hours') at time zone 'UTC'
    from public.reservations r join lab.places p on p.id = r.location_id
    where r.visited and floor(coalesce(r.total_amount, r.party_size * p.average)) > 0`,
  values: [organization],
})

/** Opt-outs of one guest in 67, and pairs of likely duplicates: a hundredth of the guests. */
export const aboutCustomers = (organization: string): Step[] => [
  {
    name: 'opt-outs and duplicates',
    sql: `insert into public.suppressions (organization_id, channel, address, reason, created_at)
      select $1, 'email', g.email, case when g.n % 134 = 0 then 'bounce' else 'unsubscribe' end,
        now() - g.spare * interval '700 days'
      from lab.guests g where g.n % 67 = 0 and g.email is not null`,
    values: [organization],
  },
  {
    sql: `insert into public.identity_pairs (first_id, second_id, organization_id, probability, certain, reasons)
      select least(g.id, o.id), greatest(g.id, o.id), $1, 0.9 + 0.0999 * g.spare, g.n % 200 = 1,
        '{"given": "exact", "surname": "both", "phone": "exact"}'
      from lab.guests g join lab.guests o on o.n = g.n - 1 where g.n % 50 = 1`,
    values: [organization],
  },
]
