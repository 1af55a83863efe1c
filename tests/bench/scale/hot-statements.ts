import type { Lab } from '../../lab/settings'

interface Sql {
  sql: string
  values?: unknown[]
}

/** A statement whose plan must not change as a group grows. */
export interface HotStatement {
  name: string
  /** Whose statement it is: a person everywhere or in one location; without it the service's. */
  as?: 'everywhere' | 'bound'
  statement: (lab: Lab) => Sql
  /** What the superuser does before it in the same transaction, without triggers; it is rolled back. */
  before?: (lab: Lab) => Sql
  /** Indexes that must be used; `a|b`: one of them. */
  indexes: string[]
  /** The most rows of a large table that one step may read in vain. */
  mostDiscarded: number
}

const FEW = 2000
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

const days = (from: number, to: number) => ({
  sql: `select id, location_id, customer_name, reservation_date, reservation_time, status from public.reservations
    where source <> 'import' and service_date >= $1 and service_date <= $2 order by service_order, id limit 101`,
  values: [day(from), day(to)],
})
const list = (filters: object, after?: { key: string; id: string }) => ({
  sql: 'select * from public.list_customers($1, $2, $3, $4, 51)',
  values: [JSON.stringify(filters), 'recent', after?.key ?? null, after?.id ?? null],
})
const newest = (table: string, order: string) => ({
  sql: `select * from public.${table} order by ${order} limit 50`,
})
const claim = (lab: Lab) => ({
  sql: 'select public.claim_messages($1, $2, 100)',
  values: [lab.organization, 'email'],
})
// As many as wait while a run for all of them is planned and sent.
const waiting = (lab: Lab) => ({
  sql: `insert into public.messages (organization_id, kind, purpose, automation_id, customer_id, location_id, channel, recipient,
      dedupe_key, not_before)
    select $1, 'marketing', 'post_visit', $2, c.id, c.location_id, 'email', c.email, 'plans:' || c.id, now() - interval '1 hour'
    from public.customers c where c.organization_id = $1 and c.tags && array['boletin'] limit 50000`,
  values: [lab.organization, lab.automation],
})

export const HOT_STATEMENTS: HotStatement[] = [
  {
    name: 'reservations of a day',
    as: 'everywhere',
    statement: () => days(1, 1),
    indexes: ['reservations_day_idx'],
    mostDiscarded: FEW,
  },
  {
    name: 'reservations of a day, of one location',
    as: 'bound',
    statement: () => days(1, 1),
    indexes: ['reservations_day_idx'],
    mostDiscarded: FEW,
  },
  {
    name: 'reservations of a week',
    as: 'everywhere',
    statement: () => days(7, 1),
    indexes: ['reservations_day_idx'],
    mostDiscarded: FEW,
  },
  {
    name: 'guests through PostgREST, newest first',
    as: 'everywhere',
    statement: () => newest('customers', 'created_at desc'),
    indexes: ['customers_created_idx'],
    mostDiscarded: FEW,
  },
  {
    name: 'reservations through PostgREST, newest first',
    as: 'everywhere',
    statement: () => newest('reservations', 'reservation_date desc, reservation_time desc'),
    indexes: ['reservations_date_idx'],
    mostDiscarded: FEW,
  },
  {
    name: 'guests’ list, first page',
    as: 'everywhere',
    statement: () => list({}),
    indexes: ['customers_by_visit_idx'],
    mostDiscarded: FEW,
  },
  {
    name: 'guests’ list, far below',
    as: 'everywhere',
    statement: () => list({}, { key: '2025-06-01T12:00:00Z', id: '80000000-0000-4000-8000-000000000000' }),
    indexes: ['customers_by_visit_idx'],
    mostDiscarded: FEW,
  },
  {
    name: 'guests’ list, search',
    as: 'everywhere',
    statement: () => list({ search: ['%lucia%', '%fernandez%'] }),
    indexes: ['customers_search_idx|customers_by_visit_idx'],
    mostDiscarded: 20_000,
  },
  {
    name: 'stats/overview',
    as: 'everywhere',
    statement: () => ({ sql: 'select public.stats_overview()' }),
    // Only kept figures: some thousand rows, which may be read from end to end.
    indexes: [],
    mostDiscarded: 5000,
  },
  {
    name: 'debug-reservations',
    as: 'everywhere',
    statement: ({ organization }) => ({
      sql: `select * from public.reservations where organization_id = $1 and reservation_date = $2 and source <> 'import'
        order by service_order, id limit 50`,
      values: [organization, day(0)],
    }),
    indexes: ['reservations_day_idx|reservations_date_idx'],
    mostDiscarded: FEW,
  },
  {
    name: 'tags',
    as: 'everywhere',
    statement: () => ({ sql: 'select * from public.customer_tags()' }),
    indexes: [],
    mostDiscarded: FEW,
  },
  {
    name: 'duplicates',
    as: 'everywhere',
    statement: () => ({ sql: 'select public.customer_duplicates(50)' }),
    indexes: ['identity_pairs_best_idx'],
    mostDiscarded: FEW,
  },
  {
    name: 'claim of messages',
    before: waiting,
    statement: claim,
    indexes: ['messages_queue_idx'],
    mostDiscarded: FEW,
  },
]
