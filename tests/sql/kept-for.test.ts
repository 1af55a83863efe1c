import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimsOf, createGroup, type Group, type Person } from '../factories/group'
import { createCustomer } from '../factories/messaging'
import { startStack } from '../support/stack'

const NOW = '2026-11-20T11:00:00Z'

let stack: Awaited<ReturnType<typeof startStack>>
let group: Group
let person: Person
let customer: string

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Limpio', [{ name: 'Norte', slug: 'norte' }])
  person = await group.person('admin')
  customer = await createCustomer(stack, group.id, { first_name: 'Ana' })
  await stack.sql(
    `insert into public.messages (organization_id, kind, purpose, channel, status, dedupe_key)
     values ($1, 'marketing', 'birthday', 'email', 'sent', 'x')`,
    [group.id],
  )
  // As many as there are rows of private.missing_bookings, which has one a reservation.
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size)
     select $1, $2, '2026-11-01', '21:00', 2 from generate_series(1, 3)`,
    [group.id, group.locations[0]?.id],
  )
  const { session_id } = JSON.parse(await claimsOf(person))
  await stack.sql(
    `insert into public.push_subscriptions (organization_id, profile_id, session_id, endpoint, p256dh, auth, kinds)
     values ($1, $2, $3, 'https://push.example/1', repeat('a', 87), repeat('a', 22), '{}')`,
    [group.id, person.id, session_id],
  )
})
afterAll(() => stack?.close())

/** For each table with a rule: how a row of organization $1 and moment $2 is made; $3 is what it belongs to. */
const ROWS: Record<string, { row: string; ids?: () => string[]; emptied?: string }> = {
  'public.automation_runs': {
    row: `public.automation_runs (organization_id, started_at, automation_name, triggered_by, status, processed)
      values ($1, $2, 'x', 'schedule', 'finished', 0)`,
  },
  'public.job_runs': {
    row: `public.job_runs (organization_id, started_at, job, status) values ($1, $2, 'sync', 'succeeded')`,
  },
  'public.ai_usage': {
    row: `public.ai_usage (organization_id, day, person) values ($1, $2::timestamptz::date, gen_random_uuid())`,
  },
  'public.webhook_receipts': {
    row: `public.webhook_receipts (organization_id, received_at, receipt) values ($1, $2, gen_random_uuid())`,
  },
  'private.engagement_events': {
    row: `private.engagement_events (organization_id, received_at, at, message_id, receipt, kind, link)
      select $1, $2, $2, m.id, gen_random_uuid(), 'open', '' from public.messages m where m.superseded_at is null`,
  },
  'public.messages': {
    row: `public.messages (organization_id, superseded_at, kind, purpose, channel, status, dedupe_key)
      values ($1, $2, 'marketing', 'birthday', 'email', 'skipped', gen_random_uuid()::text)`,
    // As every other message is: only tried again ones have a rule.
    emptied: 'superseded_at is null',
  },
  'public.import_runs': {
    row: `public.import_runs (organization_id, started_at, file_name, status, failed_row_count, failed_rows)
      values ($1, $2, 'x', 'partial', 1, '{"columns": ["email"], "rows": [["mal", "x"]]}')`,
    emptied: 'failed_rows is null',
  },
  'private.service_taps': {
    row: `private.service_taps (organization_id, taken_at, key, reservation_id, action, before, after)
      select $1, $2, gen_random_uuid(), r.id, 'seat', '{}', '{}' from public.reservations r limit 1`,
  },
  'private.missing_bookings': {
    row: `private.missing_bookings (organization_id, missing_since, location_id, reservation_id)
      select $1, $2, r.location_id, r.id from public.reservations r
      where r.id not in (select m.reservation_id from private.missing_bookings m) limit 1`,
  },
  'private.told_issues': {
    row: `private.told_issues (organization_id, day, location_id, code, reservation, reader)
      values ($1, $2::timestamptz::date, $3, 'not_applied', gen_random_uuid()::text, 'requests')`,
    ids: () => [String(group.locations[0]?.id)],
  },
  'public.waitlist': {
    row: `public.waitlist (organization_id, joined_at, location_id, name, party_size) values ($1, $2, $3, 'x', 2)`,
    ids: () => [String(group.locations[0]?.id)],
  },
  'private.tag_changes': {
    row: `private.tag_changes (organization_id, changed_at, author_id, tag, added, customer_ids)
      values ($1, $2, $3, 'x', true, array[gen_random_uuid()])`,
    ids: () => [person.id],
  },
  'private.kept_answers': {
    row: `private.kept_answers (organization_id, created_at, caller_id, path, key, body_hash, holder, role,
        location_ids, held_until, status, answer)
      values ($1, $2, $3, '/api/tickets', gen_random_uuid(), repeat('a', 64), gen_random_uuid(), 'admin', '{}',
        $2, 201, '{}')`,
    ids: () => [person.id],
  },
  'public.customer_merges': {
    row: `public.customer_merges (organization_id, merged_at, kept_id, gone_id, author_name)
      values ($1, $2, $3, gen_random_uuid(), 'x')`,
    ids: () => [customer],
  },
  'public.shift_notes': {
    row: `public.shift_notes (organization_id, day, location_id, body, author_name)
      values ($1, $2::timestamptz::date, $3, 'x', 'x')`,
    ids: () => [String(group.locations[0]?.id)],
  },
  'private.push_notices': {
    row: `private.push_notices (organization_id, done_at, expires_at, subscription_id, kind, dedupe_key)
      select $1, $2, $2, s.id, 'test', gen_random_uuid() from public.push_subscriptions s`,
  },
}

const rules = () =>
  stack.sql<{ table: string; counted_as: string | null; seconds: number; at: string }>(
    `select case when k.kept_in::text ~ '[.]' then '' else 'public.' end || k.kept_in as table, k.counted_as, k.aged_by::text as at,
       extract(epoch from k.kept)::integer as seconds
     from public.organizations o cross join lateral private.kept_for(o) k where o.id = $1`,
    [group.id],
  )
/** The rows of a table that are as they were made. */
async function left(table: string): Promise<number> {
  const { emptied = 'false' } = ROWS[table] ?? {}
  const [count] = await stack.sql<{ rows: number }>(
    `select count(*)::integer as rows from ${table} where organization_id = $1 and not (${emptied})`,
    [group.id],
  )
  return count?.rows ?? 0
}
const ago = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1000).toISOString()

it('every table with a rule loses what is older than its rule says, and keeps the rest', async () => {
  expect((await rules()).map(({ table }) => table).sort()).toEqual(Object.keys(ROWS).sort())
  for (const { table, at, seconds } of await rules()) {
    const { row, ids = () => [] } = ROWS[table] ?? { row: '' }
    const step = at === 'day' ? 86_400 : 1
    // The last one is there for tables of which the last row stays at any age.
    for (const moment of [ago(seconds + step), ago(seconds), ago(0)])
      await stack.sql(`insert into ${row}`, [group.id, moment, ...ids()])
  }
  const [done] = await stack.sql<{ counts: Record<string, number> }>(
    'select public.tidy_up($1, $2) as counts',
    [group.id, NOW],
  )
  for (const { table, counted_as } of await rules()) {
    expect({ table, rows: await left(table) }).toEqual({ table, rows: 2 })
    if (counted_as) expect({ counted_as, rows: done?.counts[counted_as] }).toEqual({ counted_as, rows: 1 })
  }
})

it('what the comment of a table says that tidy_up deletes has a rule', async () => {
  const promised = await stack.sql<{ table: string }>(
    `select distinct d.objoid::regclass::text as table from pg_catalog.pg_description d
     where d.classoid = 'pg_class'::regclass and d.description like '%tidy_up%' order by 1`,
  )
  const named = promised.map(({ table }) => (table.includes('.') ? table : `public.${table}`))
  expect(named.length).toBeGreaterThan(3)
  expect(Object.keys(ROWS)).toEqual(expect.arrayContaining(named))
})
