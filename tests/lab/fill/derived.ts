import type { Step } from './steps'

const FIGURES = `location_id, service_date, booked, reservations, covers, completed, visits, cancelled, no_shows, walk_ins,
  known_revenue, unknown_covers`

/**
 * What the product's triggers keep beside guests and reservations, by its own recounts: triggers are off while the lab
 * is filled, so each table that they keep has its step here.
 */
export const derivedSteps = (): Step[] => [
  {
    name: 'kept figures and counts',
    sql: `do $$ begin
      execute 'insert into private.daily_figures (${FIGURES}, id) select d.*, 0 from ('
        || private.daily_figure_sums('select 1 as sign, r.* from public.reservations r') || ') as d';
      execute 'insert into private.customer_counts (organization_id, kind, value, customers, id) select d.*, 0 from ('
        || private.customer_count_sums('select 1 as sign, c.* from public.customers c') || ') as d';
    end $$`,
  },
]
