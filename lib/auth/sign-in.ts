import 'server-only'
import type { z } from 'zod'
import { userDb } from '@/lib/db/user'
import { HttpError } from '@/lib/http/errors'
import type { CookieJar } from './cookie-jar'
import type { credentialsSchema } from './credentials'
import { noteSignIn } from './note-sign-in'
import { readSession } from './session'

/**
 * Signs in with e-mail and password; the session goes into the cookies.
 * @throws HttpError 401 for wrong credentials or someone without a profile, 503 when Auth does not answer.
 */
export async function signIn(
  request: Request,
  cookies: CookieJar,
  credentials: z.infer<typeof credentialsSchema>,
) {
  const db = userDb(cookies)
  const { error } = await db.auth.signInWithPassword(credentials)
  if (error && (error.status ?? 500) >= 500) throw new HttpError(503, { error: 'Sign-in is not available' })
  const session = error ? null : await readSession(cookies)
  if (session) {
    await noteSignIn(request, session)
    return { success: true, user: { id: session.user_id, email: session.email, role: session.role } }
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
