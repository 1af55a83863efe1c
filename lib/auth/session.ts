import 'server-only'
import type { CookieMethodsServer } from '@supabase/ssr'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { userDb } from '@/lib/db/user'
import { MACHINE_PERMISSIONS, type Permission, ROLES, type Role, can as roleCan } from './permissions'

const schema = z.object({
  user_id: z.string(),
  email: z.string(),
  full_name: z.string().nullable(),
  role: z.enum([...ROLES, 'machine']),
  permissions: z.array(z.enum(MACHINE_PERMISSIONS)).nullish(),
  organization: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
})

/** Who is asking, a person or an API token (`machine`): the profile, and a database client with their rights. */
export interface Session extends Omit<z.infer<typeof schema>, 'permissions'> {
  db: Db
  can: (permission: Permission) => boolean
}

/** The same of someone who has signed in. */
export type PersonSession = Session & { role: Role }

/**
 * The session the cookies carry, or null: no cookie, an expired or forged token, a user without profile.
 * The database verifies the token and finds the profile in one call.
 * @throws DatabaseError when the database cannot be asked.
 */
export async function readSession(cookies: CookieMethodsServer): Promise<PersonSession | null> {
  const db = userDb(cookies)
  const { data } = await db.auth.getSession()
  if (!data.session) return null
  const session = await sessionOf(db)
  // Programs send their token each time; no cookie stands for it.
  return session && isPerson(session) ? session : null
}

const isPerson = (session: Session): session is PersonSession => session.role !== 'machine'

/**
 * Who asks with this client, or null when its token opens nothing.
 * @throws DatabaseError when the database cannot be asked.
 */
export async function sessionOf(db: Db): Promise<Session | null> {
  const answer = await db.rpc('my_session')
  if (answer.error && [401, 403].includes(answer.status)) return null
  const found = unwrap(answer)
  if (!found) return null
  const { permissions, ...profile } = schema.parse(found)
  const { role } = profile
  const held: readonly Permission[] = permissions ?? []
  const can = (permission: Permission) =>
    role === 'machine' ? held.includes(permission) : roleCan(role, permission)
  return { ...profile, db, can }
}
