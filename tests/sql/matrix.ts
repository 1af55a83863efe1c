import { describe, expect, it } from 'vitest'
import { answerOf, ask, askRows, REFUSED, request } from './ask'
import { type Cast, EVERYONE, type Who } from './cast'
import type { FunctionCase, Seen, TableCase } from './expectations'

const RETURNED = { prefer: 'return=representation' }

/** Everyone tries to read, insert, change and delete in each of the tables. */
export function describeTables(cases: Record<string, TableCase>, cast: () => Cast): void {
  describe.each(Object.entries(cases))(
    '%s',
    (table, { keys, columns = '*', reads, insert, change, appendOnly }) => {
      const anyRow = `${keys[0]}=not.is.null`
      const named = `select=${keys.join(',')}`
      const nameRows = (rows: Record<string, unknown>[] | typeof REFUSED): Seen =>
        rows === REFUSED
          ? REFUSED
          : rows.map((row) => keys.map((key) => cast().nameOf(row[key])).join(' / ')).sort()
      const sorted = Object.fromEntries(
        Object.entries(reads).map(([who, rows]) => [who, rows === REFUSED ? rows : [...rows].sort()]),
      )

      it('shows everyone exactly their rows', async () => {
        const seen = await forEveryone(async (who) =>
          nameRows(await countedRows(cast(), who, `${table}?select=${columns}`)),
        )
        expect(seen).toEqual(sorted)
      })

      it('refuses inserts, in the own organization and in the other', async () => {
        const before = await snapshot(cast(), table)
        for (const home of ['Norte', 'Sur'] as const) {
          const body = insert(cast(), home)
          const outcome = await forEveryone((who) => ask(cast(), who, table, { method: 'POST', body }))
          expect(outcome).toEqual(await forEveryone(async () => REFUSED))
        }
        expect(await snapshot(cast(), table)).toEqual(before)
      })

      it.each(['PATCH', 'DELETE'] as const)('lets no one %s a row', async (method) => {
        const before = await snapshot(cast(), table)
        const body = method === 'PATCH' ? change(cast()) : undefined
        await forEveryone(async (who) => {
          const path = `${table}?${anyRow}&${named}`
          const touched = await askRows(cast(), who, path, { method, headers: RETURNED, body })
          if (touched !== REFUSED) expect(touched, who).toEqual([])
        })
        expect(await snapshot(cast(), table)).toEqual(before)
      })

      it('lets no one change a single column', async () => {
        const ofTable = `attrelid = 'public.${table}'::regclass and attnum > 0 and not attisdropped`
        const names = await cast().stack.sql<{ name: string }>(
          `select attname as name from pg_attribute where ${ofTable} and attgenerated = ''`,
        )
        expect(names.length).toBeGreaterThan(0)
        // Column rights belong to the database role: one signed-in person speaks for all.
        for (const who of ['super_admin', 'anon'] as const) {
          for (const { name } of names) {
            const body = { [name]: null }
            expect(await ask(cast(), who, `${table}?${anyRow}`, { method: 'PATCH', body }), name).toBe(
              REFUSED,
            )
          }
        }
      })

      it('lets the service insert, change and delete that same row, or only insert where rows stay', async () => {
        const before = await snapshot(cast(), table)
        const as = (path: string, method: 'POST' | 'PATCH' | 'DELETE', body?: unknown) =>
          askRows(cast(), 'service', path, { method, headers: RETURNED, body })
        const inserted = await as(`${table}?${named}`, 'POST', insert(cast(), 'Norte'))
        if (appendOnly) {
          const row = `${table}?${filterOf(inserted)}`
          for (const method of ['PATCH', 'DELETE'] as const)
            expect(
              await ask(cast(), 'service', row, {
                method,
                ...(method === 'PATCH' ? { body: change(cast()) } : {}),
              }),
            ).toBe(REFUSED)
          return
        }
        const changed = await as(`${table}?${filterOf(inserted)}&${named}`, 'PATCH', change(cast()))
        expect(changed).toHaveLength(1)
        // An organization that has a log stays (tests/security/audit.test.ts).
        if (table === 'organizations')
          await cast().stack.sql(
            `delete from public.audit_log where organization_id = (select id from public.organizations where name = 'Nueva')`,
          )
        const deleted = await as(`${table}?${filterOf(changed)}&${named}`, 'DELETE')
        expect(deleted).toEqual(changed)
        expect(await snapshot(cast(), table)).toEqual(before)
      })
    },
  )
}

/** Everyone calls each of the functions. */
export function describeFunctions(cases: Record<string, FunctionCase>, cast: () => Cast): void {
  it.each(Object.entries(cases))('%s answers everyone what is theirs', async (name, expected) => {
    const got = await forEveryone((who) => call(cast(), who, name, expected))
    expect(got).toEqual(expected.answers)
  })
}

/** Asks in turn, and collects the answers by person. */
export async function forEveryone<T>(question: (who: Who) => Promise<T>): Promise<Record<Who, T>> {
  const answers = {} as Record<Who, T>
  for (const who of EVERYONE) answers[who] = await question(who)
  return answers
}

/** The table as it is, whatever anyone may see of it. */
export function snapshot(cast: Cast, table: string): Promise<unknown[]> {
  return cast.stack.sql(`select to_jsonb(t) as row from public.${table} t order by to_jsonb(t)::text`)
}

/** The rows, after checking that their exact count reveals no others. */
async function countedRows(cast: Cast, who: Who, path: string) {
  const response = await request(cast, who, path, { headers: { prefer: 'count=exact' } })
  const rows = await answerOf(response)
  if (rows === REFUSED) return REFUSED
  const found = rows as Record<string, unknown>[]
  expect(Number(response.headers.get('content-range')?.split('/')[1]), who).toBe(found.length)
  return found
}

/** The refusal must be the function's own: what it would do may be refused for another reason. */
async function call(cast: Cast, who: Who, name: string, { body, shape }: FunctionCase): Promise<unknown> {
  const response = await request(cast, who, `rpc/${name}`, { method: 'POST', body: body(cast) })
  if (response.ok) return shape(await answerOf(response), cast)
  const { message } = (await response.json()) as { message?: string }
  return message?.includes(`permission denied for function ${name}`) ? REFUSED : message
}

function filterOf(rows: Record<string, unknown>[] | typeof REFUSED): string {
  const row = rows === REFUSED ? undefined : rows[0]
  if (!row) throw new Error('The service got no row back')
  return Object.entries(row)
    .map(([key, value]) => `${key}=eq.${encodeURIComponent(String(value))}`)
    .join('&')
}
