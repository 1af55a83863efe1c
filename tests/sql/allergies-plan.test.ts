import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group
beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Alergias', [{ name: 'Norte', slug: 'norte' }])
  // Enough that reading a table is dearer than its index: 160 bookings on each of 100 days.
  await stack.sql(
    `insert into public.customers (organization_id, first_name)
     select $1, 'G' || n from generate_series(1, 8000) as n`,
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
     select $1, $2, c.id, c.first_name, date '2026-01-01' + (row_number() over ())::integer % 100, '21:00', 2,
       'confirmed', 'manual'
     from public.customers c cross join generate_series(1, 2) where c.organization_id = $1`,
    [group.id, group.locations[0]?.id],
  )
  await stack.sql('analyze public.reservations, public.customer_facts, public.customers')
}, 120_000)
afterAll(() => stack?.close())

it('the allergies of a day’s list are read by indexes, once for the list', async () => {
  const plan = await stack.sql(
    // As private.allergies_of reads them: a function of its own shows no plan.
    `explain select f.code from public.customer_facts f
     where f.kind = 'allergy' and f.customer_id = any(array(
       select r.customer_id from public.reservations r
       where r.location_id = $1 and r.service_date = '2026-02-01'))`,
    [group.locations[0]?.id],
  )
  const lines = plan.map((row) => String(Object.values(row)[0]))
  expect(lines.filter((line) => line.includes('Seq Scan'))).toEqual([])
  expect(lines.join('\n')).toMatch(/customer_facts_pkey/)
  expect(lines.join('\n')).toMatch(/reservations_day_idx/)
})
