import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.close())

// Staff or guests change a few of these rows at a time; of reservations, few rows of a sync are news.
const FEW_ROWS = ['log_opt_outs', 'log_rows', 'log_rules', 'note_reservation_news']

// A function keeps the plan of its connection's first call. If few rows were updated then, it is a nested loop, whose
// time grows with the square of the rows: 58 s for 20,000 customers.
it('no trigger of a table with many changes joins what an update took away with what it added', async () => {
  const joining = await stack.sql<{ name: string }>(
    `select distinct p.proname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where t.tgoldtable is not null and t.tgnewtable is not null
       and p.prosrc ~ ('join (\\(select [^\\n]* from )?(' || t.tgoldtable || '|' || t.tgnewtable || ')\\M')
     order by 1`,
  )
  expect(joining.map(({ name }) => name)).toEqual(FEW_ROWS)
})
