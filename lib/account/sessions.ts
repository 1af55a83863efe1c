import 'server-only'
import { z } from 'zod'
import { limitSignIn } from '@/lib/auth/limits'
import { refuseGuessable, WEAK_PASSWORD } from '@/lib/auth/password-strength'
import type { changePasswordSchema } from '@/lib/auth/schema'
import type { Session } from '@/lib/auth/session'
import { anonymousDb } from '@/lib/db/anonymous'
import { silenceOf } from '@/lib/db/auth-fetch'
import { unwrap } from '@/lib/db/errors'
import { HttpError, invalidInput, notFoundError } from '@/lib/http/errors'
import { mySessionSchema } from './schema'

/** The caller's live sessions: the current one first, then the last used; at most 100. */
export async function mySessions({ db }: Pick<Session, 'db'>) {
  return z.array(mySessionSchema).parse(unwrap(await db.rpc('my_sessions')))
}

/**
 * Ends one of the caller's sessions, at once.
 * @throws HttpError 404 when the caller has no session with that id.
 */
export async function endMySession({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  if (!unwrap(await db.rpc('end_my_session', { p_session: id }))) throw notFoundError()
}

/** Ends the caller's sessions, at once: all `others`, or the current one too (`everywhere`). */
export async function endMySessions(
  { db }: Pick<Session, 'db'>,
  which: 'others' | 'everywhere',
): Promise<void> {
  unwrap(await db.rpc('end_my_sessions', { p_which: which }))
}

const PASSWORD_PROBLEMS = {
  current: { path: 'current_password', code: 'wrong_password', message: 'not the current one' },
  same: { path: 'password', code: 'same_password', message: 'the same as before' },
} as const

const NOT_AVAILABLE = 'Changing the password is not available'

/**
 * Changes the caller's password, given the current one, and ends their other sessions. Wrong current passwords count
 * as failed sign-ins, so that an open browser does not allow unlimited guesses.
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
    throw isWrong ? invalidInput(PASSWORD_PROBLEMS.current) : error
  })
  const { error } = await db.auth.updateUser({ password, current_password })
  if (error?.code === 'same_password') throw invalidInput(PASSWORD_PROBLEMS.same)
  if (error?.code === 'weak_password') throw invalidInput(WEAK_PASSWORD)
  if (error)
    throw silenceOf(error, NOT_AVAILABLE) ?? new HttpError('AUTH_UNAVAILABLE', { error: NOT_AVAILABLE })
  await endMySessions(session, 'others')
  return { success: true }
}

/** Checks the password by signing in at Auth; the new session ends with the other sessions. */
async function verify(email: string, password: string): Promise<void> {
  const { auth } = anonymousDb()
  const { error } = await auth.signInWithPassword({ email, password })
  const silence = error && silenceOf(error, NOT_AVAILABLE)
  if (silence) throw silence
  if (error) throw new HttpError('WRONG_CREDENTIALS', { error: PASSWORD_PROBLEMS.current.message })
  await auth.signOut({ scope: 'local' })
}
