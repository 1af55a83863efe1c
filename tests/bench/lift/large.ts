import { type Group, stackClient } from '../../factories/group'
import { createAutomation } from '../../factories/messaging'
import type { Stack } from '../../support/stack'
import { type Figure, median, seconds } from '../support/figures'

const GUESTS = 300_000
const ROUNDS = 5

/** Comparing the groups of an automation that has written to 300,000 guests with three reservations each, over HTTP. */
export async function largeAutomation({ stack, group }: { stack: Stack; group: Group }): Promise<Figure> {
  const automation = await createAutomation(stack, group.id, { type: 'vip_reward', control_share: 10 })
  await addGuests(stack, group, automation)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    const { data } = await stackClient(stack, 'service')
      .rpc('lifts_of_automations', {
        p_organization: group.id,
        p_automations: [automation],
        p_now: '2030-06-01T12:00:00Z',
      })
      .throwOnError()
    times.push(performance.now() - start)
    const [{ arms }] = data as [{ arms: { guests: number; visits: number }[] }]
    const [guests, visits] = [total(arms, 'guests'), total(arms, 'visits')]
    if (guests !== GUESTS || visits !== GUESTS)
      throw new Error(`${GUESTS} guests with a visit each expected: ${guests} and ${visits}`)
  }
  return {
    name: 'the comparison of 300,000 guests',
    measured: median(times) / 1000,
    unit: 's',
    bound: 1.5,
    detail: times.map(seconds).join(', '),
  }
}

const total = <Key extends string>(rows: Record<Key, number>[], key: Key) =>
  rows.reduce((sum, row) => sum + row[key], 0)

/** Without triggers, which count statistics that are not measured here. Of a guest's three visits one is in their 30 days. */
async function addGuests(stack: Stack, group: Group, automation: string): Promise<void> {
  const ids = [group.id, group.locations[0]?.id]
  await stack.sql('set session_replication_role = replica')
  await stack.sql(
    `insert into public.customers (organization_id, location_id, email)
     select $1, $2, 'large' || n || '@example.com' from generate_series(1, ${GUESTS}) n`,
    ids,
  )
  await stack.sql(
    `insert into private.enrolments (automation_id, customer_id, held, share, enrolled_at)
     select $1, c.id, c.email like '%0@%', 10, '2030-03-01T12:00:00Z'
     from public.customers c where c.email like 'large%'`,
    [automation],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source, external_id, total_amount, created_at)
     select $1, $2, c.id, v.day, '21:00', 2, 'completed', 'pms', c.id::text || v.day::text, 60, v.day - interval '1 day'
     from public.customers c
     cross join (values (date '2030-01-10'), (date '2030-03-12'), (date '2030-05-10')) as v (day)
     where c.email like 'large%'`,
    ids,
  )
  await stack.sql('set session_replication_role = default')
  for (const table of ['public.customers', 'public.reservations', 'private.enrolments'])
    await stack.sql(`vacuum analyze ${table}`)
}
