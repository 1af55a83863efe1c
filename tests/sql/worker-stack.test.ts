import { describe, expect, it } from 'vitest'
import { createGroup } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

/** The database and its server: an embedded one has always the same name. */
const database = async (stack: Stack) =>
  (await stack.sql<{ name: string }>('select current_database() || pg_postmaster_start_time() as name'))[0]
    ?.name
const rows = async (stack: Stack) =>
  (
    await stack.sql<{ rows: number }>(
      `select ((select count(*) from public.organizations) + (select count(*) from public.customers)
         + (select count(*) from public.audit_log) + (select count(*) from private.customer_counts)
         + (select count(*) from auth.users))::int as rows`,
    )
  )[0]?.rows

/** What a file leaves behind, and whether its database can serve the next. */
const LEFT: [string, string[], boolean][] = [
  ['rows', [], true],
  [
    'a function that is another',
    ['alter function private.edited_meanwhile(jsonb, jsonb, jsonb, jsonb) rename to edited_before'],
    false,
  ],
  [
    'a policy that is gone',
    ['drop policy "staff with customer access read customers" on public.customers'],
    false,
  ],
  ['a right too many', ['grant select on public.retired_keys to anon'], false],
  ['a role without a permission', ["delete from private.role_permissions where role = 'sala'"], false],
]

describe('a database that serves file after file', () => {
  it.each(LEFT)('is as the migrations left it after %s', async (_, changes, isKept) => {
    const first = await startStack()
    const name = await database(first)
    const group = await createGroup(first, 'Grupo Anterior', [{ name: 'Norte', slug: 'norte' }])
    await group.person('admin')
    await first.sql(
      `insert into public.customers (organization_id, first_name, tags) values ($1, 'Ana', '{vip}')`,
      [group.id],
    )
    expect(await rows(first)).toBeGreaterThan(3)
    for (const change of changes) await first.sql(change)
    await first.close()
    // Work that the first file left behind reaches no other. Asked now: the second stack may get the port that is free.
    await expect(fetch(`${first.url}/rest/v1/`)).rejects.toThrow('fetch failed')

    const second = await startStack()
    try {
      expect(await rows(second)).toBe(0)
      expect((await database(second)) === name).toBe(isKept)
      await createGroup(second, 'Grupo Siguiente', [{ name: 'Norte', slug: 'norte' }])
    } finally {
      await second.close()
    }
  })
})
