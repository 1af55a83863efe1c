import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group
beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Búsqueda', [{ name: 'Norte', slug: 'norte' }])
  // Enough that reading a table is dearer than its index: 40 bookings on each of 1,000 days.
  await stack.sql(
    `insert into public.customers (organization_id, first_name, last_name, phone)
     select $1, 'Persona' || n, 'Apellido' || md5(n::text), '+34600' || lpad(n::text, 6, '0')
     from generate_series(1, 8000) as n`,
    [group.id],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, customer_name,
       customer_phone, external_id, reservation_date, reservation_time, party_size, status, source)
     select $1, $2, c.id, c.first_name || ' ' || c.last_name, c.phone,
       'E' || row_number() over (), date '2026-01-01' + (row_number() over ())::integer % 1000, '21:00', 2,
       'confirmed', 'manual'
     from public.customers c cross join generate_series(1, 5) where c.organization_id = $1`,
    [group.id, group.locations[0]?.id],
  )
  await stack.sql('analyze public.reservations, public.customers')
}, 120_000)
afterAll(() => stack?.close())

it.each([
  ['a name', { names: ['persona77 ', 'apellido'], starts: ['persona77 '] }, 5],
  ['a name with a typing error', { names: ['(?:^| )(?:.?ersona4321|p.?rsona4321)'], starts: [] }, 5],
  ['a phone', { phone: '600000123', names: ['600000123'], starts: [] }, 5],
  ['the last digits of a phone', { phone: '0123', names: ['0123'], starts: [] }, 5],
  ['a code', { text: 'e31', code: 'E31', names: ['e31 '], starts: [] }, 1],
])('%s is found among all days without reading a table', async (_, search, least) => {
  // A function shows no plan, but its transaction counts how often a table was read from end to end.
  const whole = `select coalesce(sum(seq_scan), 0) from pg_stat_xact_user_tables
    where relid in ('public.reservations'::regclass, 'public.customers'::regclass)`
  await stack.sql(
    `do $do$
     declare v_before bigint; v_found integer;
     begin
       v_before := (${whole});
       v_found := cardinality(private.reservations_found('${JSON.stringify(search)}', '${group.id}',
         '{${group.locations[0]?.id}}', '2028-09-01', true));
       if v_found < ${least} then raise exception 'found %', v_found; end if;
       if (${whole}) > v_before then raise exception 'reads a table from end to end'; end if;
     end $do$`,
  )
  expect.assertions(0)
})
