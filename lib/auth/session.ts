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
  session_id: z.string(),
  permissions: z.array(z.enum(MACHINE_PERMISSIONS)).nullish(),
  organization: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
  /** Whether the person has one, must have one, and has lately (or has no need to have) confirmed with it. */
  second_factor: z.object({ enrolled: z.boolean(), required: z.boolean(), confirmed: z.boolean() }),
})

const standingSchema = z.discriminatedUnion('missing_step', [
  z.object({ missing_step: z.literal('code'), user_id: z.string(), email: z.string() }),
  schema.extend({ missing_step: z.literal('enrol') }),
  schema.extend({ missing_step: z.null() }),
])

/** Who is asking, a person or an API token (`machine`): the profile, and a database client with their rights. */
export interface Session extends Omit<z.infer<typeof schema>, 'permissions'> {
  db: Db
  can: (permission: Permission) => boolean
}

/** The same of someone who has signed in. */
export type PersonSession = Session & { role: Role }

/**
 * Someone with a live session, and what is missing before it opens anything: the code of their second factor, or
 * setting one up, which their role needs. Then the database gives `db` no data.
 */
export type Standing =
  | { missing: 'code'; user_id: string; email: string; db: Db }
  | { missing: 'enrol'; session: PersonSession; user_id: string; email: string; db: Db }
  | { missing: null; session: PersonSession; user_id: string; email: string; db: Db }

/**
 * Whose session the cookies carry, or null: no cookie, an expired or forged token, a user without profile.
 * The database verifies the token and finds the profile in one call.
 * @throws DatabaseError when the database cannot be asked.
 */
export async function readStanding(cookies: CookieMethodsServer): Promise<Standing | null> {
  const db = userDb(cookies)
  const { data } = await db.auth.getSession()
  if (!data.session) return null
  const found = await askStanding(db)
  if (!found) return null
  const { missing_step: missing, user_id, email } = found
  if (missing === 'code') return { missing, user_id, email, db }
  const session = withRights(found, db)
  // Programs send their token each time; no cookie stands for it.
  return isPerson(session) ? { missing, session, user_id, email, db } : null
}

/**
 * Who asks with this client, or null when its token opens nothing.
 * @throws DatabaseError when the database cannot be asked.
 */
export async function sessionOf(db: Db): Promise<Session | null> {
  const found = await askStanding(db)
  return found?.missing_step === null ? withRights(found, db) : null
}

async function askStanding(db: Db): Promise<z.infer<typeof standingSchema> | null> {
  const answer = await db.rpc('my_session')
  if (answer.error && [401, 403].includes(answer.status)) return null
  const found = unwrap(answer)
  return found ? standingSchema.parse(found) : null
}

const isPerson = (session: Session): session is PersonSession => session.role !== 'machine'

function withRights(profile: z.infer<typeof schema>, db: Db): Session {
  const { permissions, ...rest } = profile
  const { role } = profile
  const held: readonly Permission[] = permissions ?? []
  const can = (permission: Permission) =>
    role === 'machine' ? held.includes(permission) : roleCan(role, permission)
  return { ...rest, db, can }
}
