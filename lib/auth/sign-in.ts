import 'server-only'
import type { z } from 'zod'
import { userDb } from '@/lib/db/user'
import { HttpError } from '@/lib/http/errors'
import type { CookieJar } from './cookie-jar'
import type { credentialsSchema } from './credentials'
import type { Role } from './permissions'
import { readStanding } from './session'

/** What the sign-in answers: the person, or the step that is missing; the session is in the cookies in both cases. */
export type SignedIn =
  | { success: true; user: { id: string; email: string; role: Role } }
  | { success: true; second_factor: 'code' | 'enrol' }

/**
 * Signs in with e-mail and password; the session goes into the cookies.
 * @throws HttpError 401 for wrong credentials or someone without a profile, 503 when Auth does not answer.
 */
export async function signIn(
  cookies: CookieJar,
  credentials: z.infer<typeof credentialsSchema>,
): Promise<SignedIn> {
  const db = userDb(cookies)
  const { error } = await db.auth.signInWithPassword(credentials)
  if (error && (error.status ?? 500) >= 500) throw new HttpError(503, { error: 'Sign-in is not available' })
  const standing = error ? null : await readStanding(cookies)
  if (standing?.missing) return { success: true, second_factor: standing.missing }
  if (standing) {
    const { user_id: id, email, role } = standing.session
    return { success: true, user: { id, email, role } }
  }
  if (!error) await db.auth.signOut({ scope: 'local' })
  throw new HttpError(401, { error: 'Credenciales no válidas' })
}

/** Ends the session here and clears its cookies; also fine without one. */
export async function signOut(cookies: CookieJar) {
  await userDb(cookies).auth.signOut({ scope: 'local' })
  return { success: true }
}
