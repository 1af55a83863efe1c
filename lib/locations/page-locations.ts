import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { decodeKey, encodeKey } from '@/lib/http/key-cursor'
import { locationSchema } from '@/lib/organization/schema'
import { LOCATION_COLUMNS } from './schema'

/** A keyset page of the locations the caller works in, by name (unique in the organization). */
export async function pageLocations({ db }: Pick<Session, 'db'>, page: { cursor?: string; limit: number }) {
  let query = db.from('locations').select(LOCATION_COLUMNS).order('name')
  if (page.cursor !== undefined) query = query.gt('name', decodeKey(page.cursor))
  const rows = z.array(locationSchema).parse(unwrap(await query.limit(page.limit + 1)))
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return { data: rows.slice(0, page.limit), next_cursor: last ? encodeKey(last.name) : null }
}
