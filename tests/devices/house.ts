import { createGroup, type Person } from '../factories/group'
import type { Random } from '../fakes/pms/random'
import type { Stack } from '../support/stack'

/** A restaurant at nine in the evening, wherever on earth that is now. */
export interface House {
  location: string
  timezone: string
  /** The service day, and the instant of its midnight. */
  day: string
  midnight: number
  people: Person[]
}

const HOUR = 3_600_000

/** The time zone without clock changes in which it is between 20:00 and 21:00. */
function zoneOfTheEvening(now: Date): { timezone: string; offset: number } {
  const offset = ((20 - now.getUTCHours() + 36) % 24) - 12
  return { timezone: `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`, offset }
}

/**
 * Makes a restaurant with its tables, tonight's bookings and its guests' past visits, and people of the floor and of
 * operations who work there.
 */
export async function openHouse(
  stack: Stack,
  random: Random,
  { tables, bookings, people }: { tables: number; bookings: number; people: number },
): Promise<House> {
  const now = new Date()
  const { timezone, offset } = zoneOfTheEvening(now)
  const local = new Date(now.getTime() + offset * HOUR).toISOString()
  const day = local.slice(0, 10)
  const group = await createGroup(stack, 'Grupo Noche', [{ name: 'Norte', slug: 'norte', timezone }])
  const location = group.locations[0]?.id ?? ''
  const { sql } = stack
  await sql(
    `insert into public.shifts (organization_id, location_id, name, weekdays, opens, closes, capacity)
     values ($1, $2, 'Comida', '{1,2,3,4,5,6,7}', '13:00', '16:30', 120), ($1, $2, 'Cena', '{1,2,3,4,5,6,7}', '19:30', '23:59', 150)`,
    [group.id, location],
  )
  const seats = Array.from({ length: tables }, () =>
    random.weighted([
      [2, 3],
      [4, 4],
      [6, 2],
      [8, 1],
    ] as const),
  )
  await sql(
    `insert into public.dining_tables (organization_id, location_id, name, zone, capacity)
     select $1, $2, 'S' || n, case when n % 3 = 0 then 'Terraza' else 'Sala' end, ($3::int[])[n] from generate_series(1, $4) as n`,
    [group.id, location, seats, tables],
  )
  const booked = tonight(random, seats, bookings, local.slice(11, 16))
  await sql(
    `insert into public.customers (organization_id, first_name, last_name, email, phone, notes, tags)
     select $1, 'Invitada', 'Número ' || n, 'invitada' || n || '@correo.example', '+3460000' || lpad(n::text, 4, '0'),
       case when n % 4 = 0 then 'Le gusta la mesa de la ventana; suele venir con sus padres.' end,
       case when n % 5 = 0 then '{vip,prensa}' else '{}' end::text[] from generate_series(1, $2) as n`,
    [group.id, bookings],
  )
  await sql(
    `insert into public.customer_facts (organization_id, customer_id, code, kind, recorded_by)
     select $1, c.id, 'nuts', 'allergy', 'Ana' from public.customers c where right(c.phone, 1) in ('1', '6')`,
    [group.id],
  )
  await sql(
    `insert into public.reservations (organization_id, location_id, customer_id, customer_name, reservation_date,
       reservation_time, party_size, status, source, service_over)
     select $1, $2, c.id, 'Invitada', $3::date - 20 * n, '21:00', 2, case when n = 3 then 'no_show' else 'completed' end, 'manual', true
     from public.customers c cross join generate_series(1, 5) as n`,
    [group.id, location, day],
  )
  await sql(
    `insert into public.reservations (organization_id, location_id, customer_id, customer_name, customer_phone, reservation_date,
       reservation_time, party_size, status, source, table_name, notes)
     select $1, $2, c.id, b.name, c.phone, $3, b.time::time, b.size, 'confirmed', 'manual', b.table, b.notes
     from jsonb_to_recordset($4::jsonb) as b (n int, name text, time text, size int, "table" text, notes text)
     join public.customers c on c.email = 'invitada' || b.n || '@correo.example'`,
    [group.id, location, day, JSON.stringify(booked)],
  )
  await sql('select private.refresh_customers(array(select id from public.customers))')
  await sql('analyze')
  const hired: Person[] = []
  for (let nth = 0; nth < people; nth++)
    hired.push(await group.person(nth % 3 === 2 ? 'operaciones' : 'sala', [location]))
  return { location, timezone, day, midnight: Date.parse(`${day}T00:00Z`) - offset * HOUR, people: hired }
}

/** The bookings of the evening: those with a table have it for themselves. */
function tonight(random: Random, seats: readonly number[], count: number, clock: string) {
  const now = Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
  const quarter = (minute: number) =>
    Math.max(19 * 60 + 30, Math.min(Math.floor(minute / 15) * 15, 23 * 60 + 30))
  const timeOf = (minute: number) => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`
  return Array.from({ length: count }, (_, n) => {
    // A table has at most one booking of the early evening.
    const [hasTable, seat] = [n < seats.length * 0.6, seats[n] ?? 2]
    const minute = quarter(hasTable ? now - random.int(-30, 30) : now + random.int(-40, 120))
    return {
      ...{ n: n + 1, name: `Reserva ${n + 1}`, time: timeOf(minute) },
      ...{ size: hasTable ? random.int(1, seat) : random.int(1, 6), table: hasTable ? `S${n + 1}` : null },
      notes: random.chance(0.2) ? 'Cumpleaños, traerán tarta' : null,
    }
  })
}
