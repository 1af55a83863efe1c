import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'

/** The locations the caller is bound to, or null when they work in all of them. */
export async function boundTo({ db, user_id }: Pick<Session, 'db' | 'user_id'>): Promise<string[] | null> {
  const rows =
    unwrap(await db.from('profile_locations').select('location_id').eq('profile_id', user_id)) ?? []
  return rows.length > 0 ? rows.map(({ location_id }) => location_id) : null
}

/**
 * What holds for every location is changed by people who work in all of them.
 * @throws HttpError 403 for someone bound to locations.
 */
export async function refuseBound(session: Pick<Session, 'db' | 'user_id'>): Promise<void> {
  if (await boundTo(session)) throw new HttpError(403, { error: 'Forbidden' })
}
