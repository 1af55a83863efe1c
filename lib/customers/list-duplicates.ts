import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { parseJson } from '@/lib/http/json'
import { isStorable } from '@/lib/http/storable'
import { type DuplicateGroup, duplicateGroupSchema } from './duplicates'

const rowsSchema = z.array(duplicateGroupSchema.extend({ key: z.string(), name: z.string() }))
const part = z.string().max(2700).refine(isStorable)
const cursorSchema = z.union([
  z.tuple([z.literal('email'), part, z.literal('')]),
  z.tuple([z.literal('name_and_birth_date'), z.iso.date().regex(/^[12]/), part]),
  z.tuple([z.literal('phone'), part, part]),
])

/**
 * Groups of customers who are likely one person, a keyset page at a time.
 * @throws HttpError 400 for a cursor that is not one of ours.
 */
export async function listDuplicates(
  { db }: Pick<Session, 'db'>,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<{ data: DuplicateGroup[]; next_cursor: string | null }> {
  const [reason, key, name] = cursor === undefined ? [] : decode(cursor)
  const parameters = { p_limit: limit + 1, p_after_reason: reason, p_after_key: key, p_after_name: name }
  const rows = rowsSchema.parse(unwrap(await db.rpc('customer_duplicates', parameters)))
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    data: rows.slice(0, limit).map(({ reason, customers }) => ({ reason, customers })),
    next_cursor: last
      ? Buffer.from(JSON.stringify([last.reason, last.key, last.name])).toString('base64url')
      : null,
  }
}

function decode(cursor: string): z.infer<typeof cursorSchema> {
  try {
    return cursorSchema.parse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    throw new HttpError(400, { error: 'Malformed cursor' })
  }
}
