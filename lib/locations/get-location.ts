import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { notFoundError } from '@/lib/http/refusals'
import { locationSchema } from '@/lib/organization/schema'
import { LOCATION_COLUMNS } from './schema'

/**
 * A location the caller works in.
 * @throws HttpError 404.
 */
export async function getLocation({ db }: Pick<Session, 'db'>, id: string) {
  const found = unwrap(await db.from('locations').select(LOCATION_COLUMNS).eq('id', id).maybeSingle())
  if (!found) throw notFoundError()
  return locationSchema.parse(found)
}
