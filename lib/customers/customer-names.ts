import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const rowsSchema = z.array(
  z.object({ id: z.string(), first_name: z.string().nullable(), last_name: z.string().nullable() }),
)

/** The names of these customers by their id, in one query; those that the caller may not see are left out. */
export async function customerNames(
  { db }: Pick<Session, 'db'>,
  ids: readonly (string | null)[],
): Promise<Map<string, string | null>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const found = await db.from('customers').select('id, first_name, last_name').in('id', wanted)
  return new Map(
    rowsSchema
      .parse(unwrap(found))
      .map(({ id, first_name, last_name }) => [
        id,
        [first_name, last_name].filter(Boolean).join(' ') || null,
      ]),
  )
}
