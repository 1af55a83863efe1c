import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const MOST = 200
const rowsSchema = z.array(
  z.object({ id: z.string(), first_name: z.string().nullable(), last_name: z.string().nullable() }),
)

/** The names of customers by their id, of those the caller may see; nameless ones are empty. At most 200. */
export async function customerNames(
  { db }: Pick<Session, 'db'>,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null).slice(0, MOST)
  if (wanted.length === 0) return new Map()
  const found = await db.from('customers').select('id, first_name, last_name').in('id', wanted)
  const named = rowsSchema.parse(unwrap(found) ?? [])
  return new Map(
    named.map(({ id, first_name, last_name }) => [id, [first_name, last_name].filter(Boolean).join(' ')]),
  )
}
