import { afterAll, beforeAll, expect, it } from 'vitest'
import { forgivingSearch, type PartySearch, partySearch } from '@/lib/reservations/party-search'
import { createGroup, type Group } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group
/** The name of one of the guests: letters only. */
let name = ''
beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Búsqueda', [{ name: 'Norte', slug: 'norte' }])
  // Enough that reading a table is dearer than its index: a booking of each guest, 40 on each of 1,000 days.
  await stack.sql(
    `insert into public.customers (organization_id, first_name, last_name, phone)
     select $1, left(translate(md5(n::text), '0123456789', 'ghijklmnop'), 10),
       left(translate(md5('x' || n), '0123456789', 'ghijklmnop'), 10), '+34600' || lpad(n::text, 6, '0')
     from generate_series(1, 40000) as n`,
    [group.id],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, customer_name,
       customer_phone, external_id, reservation_date, reservation_time, party_size, status, source)
     select $1, $2, c.id, c.first_name || ' ' || c.last_name, c.phone, 'E' || c.phone,
       date '2026-01-01' + (row_number() over ())::integer % 1000, '21:00', 2, 'confirmed', 'manual'
     from public.customers c where c.organization_id = $1`,
    [group.id, group.locations[0]?.id],
  )
  // From all rows: a sample is another one each time, and may make another plan.
  await stack.sql(
    `do $do$ begin
       perform set_config('default_statistics_target', '1000', true);
       execute 'analyze public.reservations, public.customers';
     end $do$`,
  )
  const [guest] = await stack.sql<{ name: string }>(
    `select last_name || ' ' || first_name as name from public.customers where phone = '+34600012345'`,
  )
  name = guest?.name ?? ''
}, 180_000)
afterAll(() => stack?.close())

it.each<[string, () => (PartySearch & { code?: string }) | null]>([
  ['a name', () => partySearch(name)],
  ['a name with a typing error', () => forgivingSearch(name.replace(/^./, 'x'))],
  ['a phone', () => partySearch('600 012 345')],
  ['the last digits of a phone', () => partySearch('12345')],
  // No guest has these letters.
  ['a code', () => ({ text: '', phone: '', names: ['zumo'], starts: [], code: 'E+34600012345' })],
])('%s is found among all days without reading a table from end to end', async (_, search) => {
  const wanted = `'${JSON.stringify(search())}', '${group.id}', '{${group.locations[0]?.id}}', '2028-09-20'`
  // A function shows no plan, but its transaction counts how often a table was read from end to end.
  const whole = `select coalesce(sum(seq_scan), 0) from pg_stat_xact_user_tables
    where relid in ('public.reservations'::regclass, 'public.customers'::regclass)`
  const found = stack.sql(
    `do $do$
     declare v_before bigint; v_found integer;
     begin
       v_before := (${whole});
       v_found := cardinality(private.reservations_found(${wanted}, true, true));
       raise exception '% found, % tables read', v_found, (${whole}) - v_before;
     end $do$`,
  )
  await expect(found).rejects.toThrow(/(^|\D)1 found, 0 tables read/)
})
