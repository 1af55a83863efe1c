import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimsOf, createGroup, type Group } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group
let claims: string
let party: string
beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Líneas', [{ name: 'Norte', slug: 'norte' }])
  claims = await claimsOf(await group.person('operaciones'))
  // Enough that reading a table is dearer than its index: five bookings of each guest, a fact, an answer and a ticket.
  await stack.sql(
    `insert into public.customers (organization_id, first_name)
     select $1, 'G' || n from generate_series(1, 6000) as n`,
    [group.id],
  )
  await stack.sql(
    `insert into public.customer_facts (organization_id, customer_id, code, kind, recorded_by)
     select organization_id, id, 'nuts', 'allergy', 'x' from public.customers where organization_id = $1`,
    [group.id],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, customer_name,
       reservation_date, reservation_time, party_size, status, source)
     select $1, $2, c.id, c.first_name, date '2026-01-01' + n, '21:00', 2,
       case n when 5 then 'confirmed' when 4 then 'no_show' else 'completed' end, 'manual'
     from public.customers c cross join generate_series(1, 5) as n where c.organization_id = $1`,
    [group.id, group.locations[0]?.id],
  )
  await stack.sql(
    `insert into public.feedback (organization_id, location_id, customer_id, reservation_id, score, language,
       answered_at)
     select organization_id, location_id, customer_id, id, 1, 'es', '2026-01-10T10:00:00Z'
     from public.reservations where organization_id = $1 and service_date = '2026-01-04'`,
    [group.id],
  )
  await stack.sql(
    `insert into public.tickets (organization_id, subject, location_id, customer_id, created_at)
     select organization_id, 'Llamar', location_id, customer_id, '2026-01-10T10:00:00Z'
     from public.reservations where organization_id = $1 and service_date = '2026-01-04'`,
    [group.id],
  )
  // From all rows: a sample is another one each time, and may make another plan.
  await stack.sql(
    `do $do$ begin
       perform set_config('default_statistics_target', '1000', true);
       execute 'analyze public.reservations, public.customers, public.customer_facts, public.feedback, public.tickets';
     end $do$`,
  )
  const [made] = await stack.sql<{ id: string }>(
    `select id::text from public.reservations where organization_id = $1 and service_date = '2026-01-06' limit 1`,
    [group.id],
  )
  party = made?.id ?? ''
}, 180_000)
afterAll(() => stack?.close())

it('the lines of a party read no table from end to end', async () => {
  // A function shows no plan, but its transaction counts how often a table was read from end to end.
  const whole = `select coalesce(sum(seq_scan), 0) from pg_stat_xact_user_tables where relid = any(array[
    'public.reservations', 'public.customers', 'public.customer_facts', 'public.feedback',
    'public.tickets']::regclass[])`
  const found = stack.sql(
    `do $do$
     declare v_before bigint; v_lines jsonb;
     begin
       perform set_config('request.jwt.claims', '${claims.replaceAll("'", "''")}', true);
       v_before := (${whole});
       v_lines := public.party_lines('${party}');
       raise exception 'last %, missed %, score %, % ticket, % tables read', v_lines #>> '{guest,last,date}',
         v_lines #>> '{guest,no_shows,count}', v_lines #>> '{feedback,score}',
         jsonb_array_length(v_lines -> 'tickets'), (${whole}) - v_before;
     end $do$`,
  )
  await expect(found).rejects.toThrow('last 2026-01-04, missed 1, score 1, 1 ticket, 0 tables read')
})
