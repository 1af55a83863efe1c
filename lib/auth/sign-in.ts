import 'server-only'
import type { z } from 'zod'
import { silenceOf } from '@/lib/db/auth-fetch'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { userDb } from '@/lib/db/user'
import { HttpError } from '@/lib/http/errors'
import { log } from '@/lib/log'
import type { Role } from '@/lib/permissions'
import { LIST_KEY_COOKIE } from '@/lib/service/list-key'
import type { CookieJar } from './cookie-jar'
import { deviceOf } from './device'
import type { credentialsSchema } from './schema'
import { readStanding, type Session } from './session'

/** The result of a sign-in: the person, or the missing step. The cookies carry the session in both cases. */
export type SignedIn =
  | { success: true; user: { id: string; email: string; role: Role } }
  | { success: true; second_factor: 'code' | 'enrol' }

/**
 * Signs in with e-mail and password; the session goes into the cookies.
 * @throws HttpError 401 for wrong credentials or a missing profile, 503 when Auth gives no verdict.
 */
export async function signIn(
  request: Request,
  cookies: CookieJar,
  credentials: z.infer<typeof credentialsSchema>,
): Promise<SignedIn> {
  const db = userDb(cookies)
  const { error } = await db.auth.signInWithPassword(credentials)
  const silence = error && silenceOf(error)
  if (silence) throw silence
  const standing = error ? null : await readStanding(cookies)
  if (standing?.missing) return { success: true, second_factor: standing.missing }
  if (standing) {
    const { user_id: id, email, role } = standing.session
    await noteSignIn(request, standing.session)
    return { success: true, user: { id, email, role } }
  }
  if (!error) await db.auth.signOut({ scope: 'local' })
  throw new HttpError('WRONG_CREDENTIALS')
}

// Clears the cache too: another person may use the device next.
const CLEARED = { 'Clear-Site-Data': '"cache", "storage"' }

/**
 * Ends the session, and clears its cookies and the site's data in the browser. Also works without a session, and when
 * Auth gives no verdict.
 */
export async function signOut(cookies: CookieJar): Promise<Response> {
  const db = userDb(cookies)
  // First in the database, which decides what a token opens: Auth may not answer.
  await db.rpc('end_my_sessions', { p_which: 'this' })
  await db.auth.signOut({ scope: 'local' })
  const left = (await cookies.getAll()) ?? []
  await cookies.setAll?.(
    [...left.map(({ name }) => name), LIST_KEY_COOKIE].map((name) => ({
      ...{ name, value: '', options: { maxAge: 0 } },
    })),
    {},
  )
  return Response.json({ success: true }, { headers: CLEARED })
}

/**
 * Stores the device of a new session, and queues a mail to its owner when the device is new. A failure is logged and
 * does not block the sign-in.
 */
export async function noteSignIn(
  request: Request,
  { session_id }: Pick<Session, 'session_id'>,
): Promise<void> {
  const { browser, system, network, place } = deviceOf(request)
  const device = { p_browser: browser, p_system: system, p_network: network, p_place: place }
  try {
    unwrap(await serviceDb().rpc('note_sign_in', { p_session: session_id, ...nullable(device) }))
  } catch (err) {
    log().error({ err }, 'the device of a sign-in was not kept')
  }
}

// The generated types do not allow null in a parameter.
const nullable = <K extends string>(values: Record<K, string | null>) => values as Record<K, string>
