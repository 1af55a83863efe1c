import 'server-only'
import type { z } from 'zod'
import { anonymousDb } from '@/lib/db/anonymous'
import { HttpError } from '@/lib/http/errors'
import type { changePasswordSchema } from './credentials'
import { endMySessions } from './my-sessions'
import { refuseGuessable } from './password-strength'
import type { Session } from './session'
import { limitSignIn } from './sign-in-limit'

// The page goes by their fields.
const PASSWORD_REFUSALS = {
  current: 'current_password: not the current one',
  same: 'password: the same as before',
  weak: 'password: too weak',
} as const

const unavailable = () => new HttpError(503, { error: 'Changing the password is not available' })

/**
 * Sets another password for the person who asks and knows the current one, and ends their other sessions. Wrong
 * current passwords count as failed sign-ins: a browser left open is no place to guess.
 * @throws HttpError 400 for a wrong current password or a new one that is the same, easy to guess or refused by Auth;
 * 429, 503.
 */
export async function changePassword(
  request: Request,
  session: Session,
  { current_password, password }: z.infer<typeof changePasswordSchema>,
): Promise<{ success: true }> {
  const { db, email, full_name, organization } = session
  await refuseGuessable(password, [email, full_name, organization.name])
  await limitSignIn(request, email, () => verify(email, current_password)).catch((error: unknown) => {
    const isWrong = error instanceof HttpError && error.status === 401
    throw isWrong ? new HttpError(400, { error: PASSWORD_REFUSALS.current }) : error
  })
  const { error } = await db.auth.updateUser({ password, current_password })
  if (error?.code === 'same_password') throw new HttpError(400, { error: PASSWORD_REFUSALS.same })
  if (error?.code === 'weak_password') throw new HttpError(400, { error: PASSWORD_REFUSALS.weak })
  if (error) throw unavailable()
  await endMySessions(session, 'others')
  return { success: true }
}

/** Asks Auth whether it is the password; the session it begins ends with the others. */
async function verify(email: string, password: string): Promise<void> {
  const { auth } = anonymousDb()
  const { error } = await auth.signInWithPassword({ email, password })
  if (error && (error.status ?? 500) >= 500) throw unavailable()
  if (error) throw new HttpError(401, { error: PASSWORD_REFUSALS.current })
  await auth.signOut({ scope: 'local' })
}
