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
  organization: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
  /** Whether the person has one, must have one, and has lately (or has no need to have) confirmed with it. */
  second_factor: z.object({ enrolled: z.boolean(), required: z.boolean(), confirmed: z.boolean() }),
})

const standingSchema = z.discriminatedUnion('missing_step', [
  z.object({ missing_step: z.literal('code'), user_id: z.string(), email: z.string() }),
  schema.extend({ missing_step: z.literal('enrol') }),
  schema.extend({ missing_step: z.null() }),
])

/** Who is asking: the profile, and a database client with that person's rights. */
export interface Session extends z.infer<typeof schema> {
  db: Db
  can: (permission: Permission) => boolean
}

/**
 * Someone with a live session, and what is missing before it opens anything: the code of their second factor, or
 * setting one up, which their role needs. Then the database gives `db` no data.
 */
export type Standing =
  | { missing: 'code'; user_id: string; email: string; db: Db }
  | { missing: 'enrol'; session: Session; user_id: string; email: string; db: Db }
  | { missing: null; session: Session; user_id: string; email: string; db: Db }

/**
 * Whose session the cookies carry, or null: no cookie, an expired or forged token, a user without profile.
 * The database verifies the token and finds the profile in one call.
 * @throws DatabaseError when the database cannot be asked.
 */
export async function readStanding(cookies: CookieMethodsServer): Promise<Standing | null> {
  const db = userDb(cookies)
  const { data } = await db.auth.getSession()
  if (!data.session) return null
  const answer = await db.rpc('my_session')
  if (answer.error && [401, 403].includes(answer.status)) return null
  const found = unwrap(answer)
  if (!found) return null
  const { missing_step: missing, ...profile } = standingSchema.parse(found)
  const { user_id, email } = profile
  if (!('role' in profile)) return { missing: 'code', user_id, email, db }
  const can = (permission: Permission) => roleCan(profile.role, permission)
  const session = { ...profile, db, can }
  return { missing: missing === 'enrol' ? missing : null, session, user_id, email, db }
}
