import 'server-only'
import type { z } from 'zod'
import { userDb } from '@/lib/db/user'
import { HttpError } from '@/lib/http/errors'
import type { CookieJar } from './cookie-jar'
import type { credentialsSchema } from './credentials'
import { noteSignIn } from './note-sign-in'
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
  request: Request,
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
    await noteSignIn(request, standing.session)
    return { success: true, user: { id, email, role } }
  }
  if (!error) await db.auth.signOut({ scope: 'local' })
  throw new HttpError(401, { error: 'Credenciales no válidas' })
}

// What the browser keeps of pages and scripts goes too, for who comes next to the same device.
const CLEARED = { 'Clear-Site-Data': '"cache", "storage"' }

/** Ends the session here, and clears its cookies and what the browser stores of us; also fine without one. */
export async function signOut(cookies: CookieJar): Promise<Response> {
  await userDb(cookies).auth.signOut({ scope: 'local' })
  return Response.json({ success: true }, { headers: CLEARED })
}
