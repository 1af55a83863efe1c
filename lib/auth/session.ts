import 'server-only'
import type { CookieMethodsServer } from '@supabase/ssr'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { userDb } from '@/lib/db/user'
import { type Permission, ROLES, can as roleCan } from './permissions'

const schema = z.object({
  user_id: z.string(),
  email: z.string(),
  full_name: z.string().nullable(),
  role: z.enum(ROLES),
  session_id: z.string(),
  organization: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
})

/** Who is asking: the profile, and a database client with that person's rights. */
export interface Session extends z.infer<typeof schema> {
  db: Db
  can: (permission: Permission) => boolean
}

/**
 * The session the cookies carry, or null: no cookie, an expired or forged token, a user without profile.
 * The database verifies the token and finds the profile in one call.
 * @throws DatabaseError when the database cannot be asked.
 */
export async function readSession(cookies: CookieMethodsServer): Promise<Session | null> {
  const db = userDb(cookies)
  const { data } = await db.auth.getSession()
  if (!data.session) return null
  const answer = await db.rpc('my_session')
  if (answer.error && [401, 403].includes(answer.status)) return null
  const found = unwrap(answer)
  if (!found) return null
  const profile = schema.parse(found)
  return { ...profile, db, can: (permission) => roleCan(profile.role, permission) }
}
