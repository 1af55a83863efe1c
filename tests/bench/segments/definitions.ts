import type { SegmentNode } from '@/lib/segments/schema'

/** Ids that the definitions name. */
export interface Named {
  tiers: string[]
  locations: string[]
}

const ALLERGIES = ['gluten', 'nuts', 'milk', 'egg', 'fish', 'peanut', 'soy']

/** Ten conditions that must hold together. */
export const together = ({ tiers, locations }: Named): SegmentNode => ({
  and: [
    { field: 'visits', min: 2 },
    { field: 'visits', min: 1, period: { days: 180 } },
    { field: 'spend', min: 30, period: { days: 365 }, locations },
    { field: 'tier', tiers },
    { field: 'consent', channel: 'email', state: 'reachable' },
    { not: { field: 'consent', channel: 'whatsapp', state: 'opted_out' } },
    { field: 'last_visit', is: 'before', days: 7 },
    { field: 'no_show_rate', max: 30 },
    { field: 'tags', is: 'none', tags: ['prensa'] },
    { not: { field: 'facts', is: 'any', codes: ALLERGIES as never } },
  ],
})

/** Ten conditions of which one is enough, so that none can narrow the search for the others. */
export const either = ({ tiers, locations }: Named): SegmentNode => ({
  or: [
    { field: 'visits', min: 12, period: { days: 365 } },
    { field: 'visits', min: 3, period: { days: 60 }, locations: locations.slice(0, 2) },
    { field: 'spend', min: 900, period: { days: 365 } },
    { field: 'tier', tiers: tiers.slice(-1) },
    { field: 'birthday', is: 'next_days', days: 7 },
    { field: 'facts', is: 'any', codes: ALLERGIES as never },
    { field: 'booking', days: 7 },
    { field: 'no_shows', min: 2 },
    { field: 'tags', is: 'any', tags: ['vip', 'prensa'] },
    { field: 'consent', channel: 'sms', state: 'opted_out' },
  ],
})

/** Ten conditions in groups within groups. */
export const nested = ({ tiers, locations }: Named): SegmentNode => ({
  and: [
    {
      or: [
        { field: 'visits', min: 3, period: { days: 180 } },
        { field: 'spend', min: 200, period: { days: 90 } },
        {
          and: [
            { field: 'tier', tiers: tiers.slice(-2) },
            { field: 'last_visit', is: 'before', days: 60 },
          ],
        },
      ],
    },
    {
      not: {
        or: [
          { field: 'no_shows', min: 2 },
          { field: 'facts', is: 'all', codes: ['nuts', 'milk'] },
        ],
      },
    },
    {
      or: [
        { field: 'consent', channel: 'email', state: 'reachable' },
        { field: 'birthday', is: 'this_month' },
      ],
    },
    { field: 'location', locations },
    { not: { field: 'booking', days: 14 } },
  ],
})

/** `together` as one would write it by hand: its count and its first twenty. */
export const BARE = `
  with v as (
    select r.customer_id, count(*) filter (where r.service_date >= $5::date - 180) as n,
      sum(coalesce(r.total_amount, r.party_size * l.average_spend_per_guest, 0)) as amount
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.location_id = any($3::uuid[]) and r.service_date between $5::date - 365 and $5::date and r.visited
    group by r.customer_id
  ), ns as (
    select customer_id, count(*) as n from public.reservations
    where organization_id = $1 and status = 'no_show' and source <> 'import' group by customer_id
  ), found as materialized (
    select c.id, c.sort_visit from public.customers c join v on v.customer_id = c.id left join ns on ns.customer_id = c.id
    where c.organization_id = $1 and c.total_visits >= 2 and v.n >= 1 and v.amount >= 30
      and c.loyalty_tier_id = any($2::uuid[])
      and c.email is not null and private.consent_basis(c.consents, c.total_visits, 'email') <> 'none'
      and not exists (select 1 from public.suppressions s
        where s.organization_id = $1 and s.channel = 'email' and s.address = c.email)
      and not exists (select 1 from public.suppressions s
        where s.organization_id = $1 and s.channel = 'whatsapp' and s.address in (coalesce(c.phone, c.whatsapp_id), c.whatsapp_id))
      and c.sort_visit < now() - interval '7 days' and c.sort_visit > '-infinity'
      and coalesce(ns.n, 0) * 100.0 / (coalesce(ns.n, 0) + c.total_visits) <= 30
      and not c.tags @> array['prensa']
      and not exists (select from public.customer_facts f where f.customer_id = c.id and f.code = any($4::text[]))
  )
  select (select count(*) from found)::integer as n, (select jsonb_agg(to_jsonb(page)) from (
    select c.id, c.first_name, c.last_name, c.email, c.phone, c.total_visits, c.total_spend, c.last_visit_at
    from found f join public.customers c on c.id = f.id order by f.sort_visit desc, f.id desc limit 20) as page) as first`
export const BARE_CODES = ALLERGIES
