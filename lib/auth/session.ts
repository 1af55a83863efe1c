import 'server-only'
import type { CookieMethodsServer } from '@supabase/ssr'
import type { Session as Tokens } from '@supabase/supabase-js'
import { z } from 'zod'
import { silenceOf } from '@/lib/db/auth-fetch'
import { unwrap } from '@/lib/db/errors'
import { replicaDb } from '@/lib/db/replica'
import type { Db } from '@/lib/db/types'
import { userDb } from '@/lib/db/user'
import { HttpError } from '@/lib/http/errors'
import {
  MACHINE_PERMISSIONS,
  machineCan,
  type Permission,
  ROLES,
  type Role,
  can as roleCan,
} from '@/lib/permissions'

const schema = z.object({
  user_id: z.string(),
  email: z.string(),
  full_name: z.string().nullable(),
  role: z.enum([...ROLES, 'machine']),
  session_id: z.string(),
  /** Whether the session and its rights are old enough for a read replica to know them. */
  settled: z.boolean(),
  permissions: z.array(z.enum(MACHINE_PERMISSIONS)).nullish(),
  organization: z.object({ id: z.string(), name: z.string(), slug: z.string(), timezone: z.string() }),
  /**
   * Whether a second factor exists, whether the role requires one, and whether a recent code was given (true without a
   * factor).
   */
  second_factor: z.object({ enrolled: z.boolean(), required: z.boolean(), confirmed: z.boolean() }),
})

const standingSchema = z.discriminatedUnion('missing_step', [
  z.object({ missing_step: z.literal('code'), user_id: z.string(), email: z.string() }),
  schema.extend({ missing_step: z.literal('enrol') }),
  schema.extend({ missing_step: z.null() }),
])

/** The caller, a person or an API token (`machine`): the profile, and a database client with its rights. */
export interface Session extends Omit<z.infer<typeof schema>, 'permissions' | 'settled'> {
  db: Db
  /** The same rights, for reads that may be some seconds old (`onReplica`); `db` where they may not. */
  reads: Db
  can: (permission: Permission) => boolean
}

/** The session of a person. */
export type PersonSession = Session & { role: Role }

/**
 * A person with a live session, and the step that is missing before they see anything: a code of their second factor
 * (`code`), or setting one up because their role needs it (`enrol`). Until then the database gives `db` no data.
 */
export type Standing =
  | { missing: 'code'; user_id: string; email: string; db: Db }
  | { missing: 'enrol'; session: PersonSession; user_id: string; email: string; db: Db }
  | { missing: null; session: PersonSession; user_id: string; email: string; db: Db }

/**
 * Reads the session in the cookies; null without a cookie, with an expired or forged token, or without a profile.
 * The database verifies the token and finds the profile in one call.
 * @param mayLag whether reads of this request may come from the read replica
 * @throws DatabaseError when the database does not answer, HttpError 503 when Auth does not refresh an expired token.
 */
export async function readStanding(
  cookies: CookieMethodsServer,
  { mayLag = false }: { mayLag?: boolean } = {},
): Promise<Standing | null> {
  const db = userDb(cookies)
  if (!(await liveTokens(db))) return null
  const found = await queryStanding(db)
  if (!found) return null
  const { missing_step: missing, user_id, email } = found
  if (missing === 'code') return { missing, user_id, email, db }
  const reads = (mayLag && found.settled && replicaDb(db)) || db
  const session = withRights(found, { db, reads })
  // API tokens come in a header; cookies never carry one.
  return isPerson(session) ? { missing, session, user_id, email, db } : null
}

/**
 * The tokens of a client's session, refreshed when they have expired; null without a session, or when Auth says that it
 * is over.
 * @throws HttpError 503 when Auth gives no verdict: at its limits (AUTH_BUSY, with Retry-After) or in an outage. The
 * session's cookies are kept.
 */
export async function liveTokens({ auth }: Pick<Db, 'auth'>): Promise<Tokens | null> {
  const { data, error } = await auth.getSession()
  const silence = error && silenceOf(error)
  if (silence) throw silence
  return data.session
}

/** The session with its reads from the read replica, where that is allowed: for lists, reports and exports. */
export function onReplica<S extends Pick<Session, 'reads'>>(session: S): S & Pick<Session, 'db'> {
  return { ...session, db: session.reads }
}

/**
 * The session of a database client, or null when its token is not valid.
 * @throws DatabaseError when the database does not answer.
 */
export async function sessionOf(db: Db): Promise<Session | null> {
  const found = await queryStanding(db)
  return found?.missing_step === null ? withRights(found, { db, reads: db }) : null
}

/**
 * Whether the session has ended since it was read. The database then returns no rows, which must not be taken for an
 * empty result.
 */
export async function hasEnded({ db }: Pick<Session, 'db'>): Promise<boolean> {
  return (await queryStanding(db)) === null
}

async function queryStanding(db: Db): Promise<z.infer<typeof standingSchema> | null> {
  const answer = await db.rpc('my_session')
  if (answer.error && [401, 403].includes(answer.status)) return null
  const found = unwrap(answer)
  return found ? standingSchema.parse(found) : null
}

const isPerson = (session: Session): session is PersonSession => session.role !== 'machine'

function withRights(profile: z.infer<typeof schema>, clients: Pick<Session, 'db' | 'reads'>): Session {
  const { permissions, settled: _, ...rest } = profile
  const { role } = profile
  const held: readonly Permission[] = permissions ?? []
  const can = (permission: Permission) =>
    role === 'machine' ? machineCan(held, permission) : roleCan(role, permission)
  return { ...rest, ...clients, can }
}

/** The locations the caller is bound to, or null when they work in all of them. Floor staff never do. */
export async function boundTo({
  db,
  user_id,
  role,
}: Pick<Session, 'db' | 'user_id' | 'role'>): Promise<string[] | null> {
  const rows =
    unwrap(await db.from('profile_locations').select('location_id').eq('profile_id', user_id)) ?? []
  return rows.length > 0 || role === 'sala' ? rows.map(({ location_id }) => location_id) : null
}

/**
 * Guards operations on the whole organization.
 * @throws HttpError 403 for a caller bound to locations.
 */
export async function refuseBound(session: Pick<Session, 'db' | 'user_id' | 'role'>): Promise<void> {
  if (await boundTo(session)) throw new HttpError('FORBIDDEN')
}
