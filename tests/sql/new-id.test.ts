import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.close())

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it('makes UUIDs of version 7 that sort by their time and differ at the same time', async () => {
  const made = await stack.sql<{ at: string; id: string }>(
    `select at::text, private.new_id(at)::text as id
     from unnest(array['1970-01-01Z', '2026-11-25 12:00:00.001Z', '2026-11-25 12:00:00.002Z', '2200-01-01Z']::timestamptz[]) as at,
       generate_series(1, 500)
     order by at`,
  )
  const ids = made.map(({ id }) => id)
  expect(new Set(ids).size).toBe(2000)
  for (const id of ids) expect(id).toMatch(VERSION_7)
  const times = [...made].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ at }) => at)
  expect(times).toEqual(made.map(({ at }) => at))
  // 2026-11-25T12:00:00.001Z in milliseconds.
  expect(ids[500]?.slice(0, 13)).toBe(
    Date.UTC(2026, 10, 25, 12, 0, 0, 1)
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-'),
  )
})

it.each(['customers', 'reservations', 'loyalty_points', 'messages', 'audit_log'])(
  'gives a new row of %s such an id',
  async (table) => {
    const [column] = await stack.sql<{ made_by: string }>(
      `select column_default as made_by from information_schema.columns
       where table_schema = 'public' and table_name = $1 and column_name = 'id'`,
      [table],
    )
    expect(column?.made_by).toBe('private.new_id()')
  },
)
