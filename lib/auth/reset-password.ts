import 'server-only'
import type { AuthError, User } from '@supabase/supabase-js'
import type { z } from 'zod'
import { anonymousDb } from '@/lib/db/anonymous'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import type { resetPasswordSchema } from './credentials'
import { LINK_SPENT } from './operations'
import { isGuessable, refuseGuessable } from './password-strength'
import { liftSignInLock } from './sign-in-limit'

/** Refused after the link was used. */
const REFUSED_WITH_LINK = 'password: too weak, and the link is spent'

/**
 * Sets a new password with the token of a mailed link, ends every session of the account and the locks on its sign-in.
 * @throws HttpError 403 for a link that is spent, expired or none; 400 for a password that is easy to guess (the link
 * stays good), made of the person's own data or refused by Auth (it is spent); 503.
 */
export async function resetPassword(
  request: Request,
  { token_hash, password }: z.infer<typeof resetPasswordSchema>,
) {
  // Nothing is spent by a password that no one should have.
  await refuseGuessable(password, [])
  const { auth } = anonymousDb()
  const verified = await auth.verifyOtp({ type: 'recovery', token_hash })
  if (verified.error) throw refusal(verified.error, new HttpError(403, { error: LINK_SPENT }))
  if (await isGuessable(password, await knownAbout(verified.data.user)))
    throw new HttpError(400, { error: REFUSED_WITH_LINK })
  const set = await auth.updateUser({ password })
  // Auth asks for the second factor first. It is asked for at the sign-in: the mailbox alone opens nothing.
  const { error } =
    set.error?.code === 'insufficient_aal' && verified.data.user
      ? await serviceDb().auth.admin.updateUserById(verified.data.user.id, { password })
      : set
  // The password it had already is what the person wants.
  if (error && error.code !== 'same_password')
    throw refusal(error, new HttpError(400, { error: REFUSED_WITH_LINK }))
  await endSessions(verified.data.user)
  // The database has ended them: Auth's own word is only for what it might keep.
  await auth.signOut({ scope: 'global' }).catch(() => undefined)
  const email = verified.data.user?.email
  if (email) await liftSignInLock(request, email)
  return { success: true } as const
}

/** Ends every session of the account in the database, without a call to Auth. */
async function endSessions(user: User | null): Promise<void> {
  if (user) unwrap(await serviceDb().rpc('end_sessions_of', { p_user: user.id }))
}

async function knownAbout(user: User | null): Promise<(string | null | undefined)[]> {
  const found = serviceDb()
    .from('profiles')
    .select('full_name, organizations!profiles_organization_id_fkey(name)')
    .eq('id', user?.id ?? '')
  const profile = unwrap(await found.maybeSingle())
  return [user?.email, profile?.full_name, profile?.organizations.name]
}

function refusal(error: AuthError, usual: HttpError): HttpError {
  const answered = error.status !== undefined && error.status >= 400 && error.status < 500
  return answered ? usual : new HttpError(503, { error: 'Password reset is not available' })
}
