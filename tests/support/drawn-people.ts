import type { Group } from '../factories/group'
import type { Guest, Visit } from './audience-oracle'
import type { Stack } from './stack'

/** A guest as the oracle takes it, and how to reach them. */
export interface Person extends Guest {
  first_name: string
  email: string | null
  phone: string | null
}

/**
 * Makes so many customers and reservations of all kinds around 20 November 2026 in the group's locations; returns them
 * as they were stored, and the rank of each tier.
 */
export async function drawPeople(
  stack: Stack,
  group: Group,
  count: number,
): Promise<{ guests: Person[]; visits: Visit[]; tierRanks: Record<string, number> }> {
  const tiers = await stack.sql<{ id: string; rank: number }>(
    'select id::text, rank from public.loyalty_tiers where organization_id = $1 order by rank',
    [group.id],
  )
  const tierRanks = Object.fromEntries(tiers.map(({ id, rank }) => [id, rank]))
  // Everyone is drawn by a hash of their number, so that a failure comes back the same.
  const draw = (topic: number, sides: number) => `(hashint4(n + ${topic}000000) & 1048575) % ${sides}`
  await stack.sql(
    `insert into public.customers (organization_id, first_name, email, phone, birth_date, location_id, loyalty_tier_id, tags,
       total_spend, total_visits, last_visit_at)
     select $1, 'g' || n, case when ${draw(18, 6)} > 0 then 'g' || n || '@example.com' end,
       case when ${draw(19, 6)} > 0 then '+346' || 10000000 + n end, case when ${draw(1, 7)} > 0 then date '1980-01-01' + ${draw(2, 9000)} end,
       ($2::uuid[])[${draw(3, 3)}], ($3::uuid[])[${draw(4, 5)}],
       (array['{vip,terraza}', '{vip}', '{}', '{}'])[1 + ${draw(5, 4)}]::text[], ${draw(6, 3000)}, ${draw(7, 4)},
       case when ${draw(7, 4)} > 0 then timestamptz '2026-11-20T11:00:00Z' - make_interval(hours => ${draw(8, 4800)}) end
     from generate_series(1, ${count}) n`,
    [group.id, group.locations.map(({ id }) => id), tiers.map(({ id }) => id)],
  )
  await stack.sql(
    `update public.customers set birth_date = case first_name when 'g3' then date '1990-01-01' when 'g4' then '1900-01-01'
       when 'g5' then '1900-11-21' when 'g6' then '1915-11-20' when 'g7' then '1915-11-22' else '1992-02-29' end
     where first_name in ('g1', 'g2', 'g3', 'g4', 'g5', 'g6', 'g7')`,
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source, created_at)
     select $1, ($2::uuid[])[1 + ${draw(11, 2)}], case when ${draw(12, 9)} > 0 then c.id end,
       date '2026-11-14' + ${draw(13, 12)}, time '00:30' + make_interval(mins => ${draw(14, 1400)}), 2,
       (array['pending', 'confirmed', 'seated', 'completed', 'completed', 'confirmed', 'cancelled', 'no_show'])
         [1 + ${draw(15, 8)}], (array['pms', 'manual', 'pms', 'import'])[1 + ${draw(16, 4)}],
       timestamptz '2026-11-08T11:00:00Z' + make_interval(hours => ${draw(20, 300)})
     from generate_series(1, ${count}) n
     join public.customers c on c.organization_id = $1 and c.first_name = 'g' || (1 + ${draw(17, count)})`,
    [group.id, group.locations.map(({ id }) => id)],
  )
  const guests = await stack.sql<Person>(
    `select c.id::text, c.first_name, c.email, c.phone, c.birth_date::text, c.location_id::text, coalesce(l.timezone, o.timezone) as timezone,
       c.loyalty_tier_id::text as tier_id, to_json(c.tags)::text as tags, c.total_spend::float, c.total_visits,
       extract(epoch from c.last_visit_at)::float as last_visit
     from public.customers c join public.organizations o on o.id = c.organization_id
     left join public.locations l on l.id = c.location_id where c.organization_id = $1`,
    [group.id],
  )
  for (const guest of guests) guest.tags = JSON.parse(String(guest.tags))
  const visits = await stack.sql<Visit>(
    `select r.id::text, r.customer_id::text, r.location_id::text, l.timezone, r.reservation_date::text as date,
       to_char(r.reservation_time, 'HH24:MI') as time, r.status, r.source,
       extract(epoch from r.created_at)::float as created
     from public.reservations r join public.locations l on l.id = r.location_id where r.organization_id = $1`,
    [group.id],
  )
  return { guests, visits, tierRanks }
}
