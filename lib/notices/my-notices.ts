import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { type Notices, noticesSchema } from './schema'

/** What needs the caller's attention, by the caller's rights; one query. */
export async function myNotices({ db }: Pick<Session, 'db'>, now = new Date()): Promise<Notices> {
  return noticesSchema.parse(unwrap(await db.rpc('my_notices', { p_now: now.toISOString() })))
}
