import { createGroup, type Group } from '../factories/group'
import type { Row } from './expect-context'
import type { Stack } from './stack'

const TIERS = [null, 'Bronce', 'Plata', 'Oro', 'Platino']
const STATUSES = ['pending', 'confirmed', 'seated', 'completed', 'cancelled', 'no_show']
const TIMES = ['00:30', '05:59', '06:00', '13:30', '21:00', '23:59']
const SOURCES = ['pms', 'manual', 'pms', 'import']
const PLACES = ['Madrid', 'Canarias'] as const

/** Two locations in two time zones, ten customers of every tier, and three weeks of reservations. */
export async function createAssistantGroup(stack: Stack): Promise<{ group: Group; rows: Row[] }> {
  const group = await createGroup(stack, 'Grupo Husos', [
    { name: 'Madrid', slug: 'madrid', averageSpend: 30 },
    { name: 'Canarias', slug: 'canarias', timezone: 'Atlantic/Canary', averageSpend: null },
  ])
  await stack.sql(
    `update public.locations set known_from = '2026-01-01', known_until = '2100-12-31' where organization_id = $1`,
    [group.id],
  )
  await stack.sql(
    `insert into public.customers (organization_id, first_name, last_name, email, loyalty_tier_id, total_visits,
       total_spend, last_visit_at, last_visit_on)
     select $1, 'Nombre' || n, 'Apellido' || n, 'correo' || n || '@example.com', t.id, n, n * 100,
       -- The third month ends within customers 6 to 9, in Madrid's time.
       timestamp '2026-07-23 23:59' at time zone 'Europe/Madrid' + (n - 7) * interval '1 minute', '2026-07-23'
     from generate_series(0, 9) as n
     left join public.loyalty_tiers t on t.organization_id = $1 and t.name = ($2::text[])[n % 5 + 1]`,
    [group.id, TIERS],
  )
  const rows = Array.from({ length: 22 * TIMES.length * PLACES.length }, (_, index) => {
    const customer = index % 11
    return {
      location: PLACES[index % 2] ?? 'Madrid',
      date: new Date(Date.UTC(2026, 9, 12 + Math.floor(index / 12))).toISOString().slice(0, 10),
      time: TIMES[Math.floor(index / 2) % 6] ?? '21:00',
      party_size: (index % 5) + 1,
      status: STATUSES[(index * 7 + Math.floor(index / 6)) % 6] ?? 'pending',
      source: SOURCES[Math.floor(index / 3) % 4] ?? 'pms',
      total_amount: index % 3 === 0 ? index + 0.25 : null,
      customer: customer < 10 ? customer : null,
      customer_name: customer < 10 ? `${PLACES[index % 2]} Persona${index}` : null,
      notes: index % 4 === 0 ? `Nota ${index}` : null,
    }
  })
  const saved = await stack.sql<Row>(
    `with incoming as (
       select * from jsonb_to_recordset($2::text::jsonb) as r (location text, date date, time time, party_size integer,
         status text, source text, total_amount numeric, customer integer, customer_name text, notes text)
     ), inserted as (
       insert into public.reservations (organization_id, location_id, customer_id, reservation_date,
         reservation_time, party_size, status, source, total_amount, customer_name, notes)
       select $1, l.id, c.id, r.date, r.time, r.party_size, r.status, r.source, r.total_amount, r.customer_name, r.notes
       from incoming r
       join public.locations l on l.organization_id = $1 and l.name = r.location
       left join public.customers c on c.organization_id = $1 and c.email = 'correo' || r.customer || '@example.com'
       returning *
     )
     select i.id::text, l.name as location, i.reservation_date::text as date,
       to_char(i.reservation_time, 'HH24:MI') as time, i.party_size, i.status, i.source,
       i.total_amount::float as total_amount, i.customer_name, i.notes, t.name as tier
     from inserted i
     join public.locations l on l.id = i.location_id
     left join public.customers c on c.id = i.customer_id
     left join public.loyalty_tiers t on t.id = c.loyalty_tier_id`,
    [group.id, JSON.stringify(rows)],
  )
  return { group, rows: saved }
}
