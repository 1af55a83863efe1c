import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from './ask'
import { arrangeCast, type Cast } from './cast'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
  const { ids, stack } = cast
  for (const table of ['tickets', 'calendar_events', 'messages'])
    await stack.sql(
      `update public.${table} set customer_id = $1
       where id = (select id from public.${table} where organization_id = $2 order by id limit 1)`,
      [ids['Norte regular'], ids.Norte],
    )
  await stack.sql(
    `insert into public.customer_aliases (organization_id, customer_id, email) values ($1, $2, 'antes@norte.example')`,
    [ids.Norte, ids['Norte regular']],
  )
  await stack.sql(
    `insert into public.customer_merges (organization_id, kept_id, gone_id, author_name, merged_at)
     values ($1, $2, gen_random_uuid(), 'Ana', now())`,
    [ids.Norte, ids['Norte regular']],
  )
  await stack.sql(
    `insert into private.enrolments (automation_id, customer_id, held, share, enrolled_at)
     select id, $2, true, 10, now() from public.automations where organization_id = $1 limit 1`,
    [ids.Norte, ids['Norte regular']],
  )
})
afterAll(() => cast?.stack.close())

/** Where a person's file has the rows of each column that names a customer. */
const SECTIONS: Record<string, string> = {
  'calendar_events.customer_id': 'calendar_events',
  'conversations.customer_id': 'conversations',
  'customer_aliases.customer_id': 'former_addresses',
  'customer_facts.customer_id': 'facts',
  'customer_merges.kept_id': 'merges',
  'customer_rhythms.customer_id': 'rhythm',
  'feedback.customer_id': 'feedback',
  'loyalty_points.customer_id': 'points',
  'messages.customer_id': 'messages',
  'private.enrolments.customer_id': 'control_groups',
  'reservations.customer_id': 'reservations',
  'tickets.customer_id': 'tickets',
}

/** Those that the file leaves out: what the comparison of guests makes of names, contacts and another person's record. */
const COMPARISONS = [
  'customer_pairs.first_id',
  'customer_pairs.second_id',
  'identity_pairs.first_id',
  'identity_pairs.second_id',
  'private.customer_identity.customer_id',
  'private.identity_queue.customer_id',
]

// Each is asked for once: a person may have ten an hour.
const files: Record<string, Promise<unknown>> = {}
async function fileOf(id: string): Promise<Record<string, unknown>> {
  files[id] ??= ask(cast, 'super_admin', 'rpc/export_customer', { method: 'POST', body: { p_id: id } })
  return (await files[id]) as Record<string, unknown>
}

it('every table that names a customer is in their file, or in the list of those that are not', async () => {
  const links = await cast.stack.sql<{ link: string }>(
    `select l.source::text || '.' || l.field as link from private.links_to_customers() l`,
  )
  expect(links.map(({ link }) => link).sort()).toEqual([...Object.keys(SECTIONS), ...COMPARISONS].sort())
})

it.each(Object.entries(SECTIONS))('the rows of %s are in the file, as %s', async (link, section) => {
  const [, table, field] = /^(.*)\.(\w+)$/.exec(link) ?? []
  const [row] = await cast.stack.sql<{ id: string }>(
    `select c.id::text from ${table} t join public.customers c on c.id = t.${field}
     where c.organization_id = $1 order by 1 limit 1`,
    [cast.ids.Norte],
  )
  expect(row, 'a row of it is arranged').toBeDefined()
  const found = (await fileOf(row?.id ?? ''))[section]
  expect(Array.isArray(found) ? found.length : found ? 1 : 0).toBeGreaterThan(0)
})
