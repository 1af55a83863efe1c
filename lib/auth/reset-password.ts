import 'server-only'
import type { AuthError } from '@supabase/supabase-js'
import type { z } from 'zod'
import { anonymousDb } from '@/lib/db/anonymous'
import { HttpError } from '@/lib/http/errors'
import type { resetPasswordSchema } from './credentials'
import { LINK_SPENT } from './operations'
import { liftSignInLock } from './sign-in-limit'

/**
 * Sets a new password with the token of a mailed link, ends every session of the account and the locks on its sign-in.
 * @throws HttpError 403 for a link that is spent, expired or none; 400 for a password Auth refuses; 503.
 */
export async function resetPassword(
  request: Request,
  { token_hash, password }: z.infer<typeof resetPasswordSchema>,
) {
  const { auth } = anonymousDb()
  const verified = await auth.verifyOtp({ type: 'recovery', token_hash })
  if (verified.error) throw refusal(verified.error, new HttpError(403, { error: LINK_SPENT }))
  const { error } = await auth.updateUser({ password })
  // The password it had already is what the person wants.
  if (error && error.code !== 'same_password')
    throw refusal(error, new HttpError(400, { error: 'password: too weak' }))
  await auth.signOut({ scope: 'global' })
  const email = verified.data.user?.email
  if (email) await liftSignInLock(request, email)
  return { success: true } as const
}

function refusal(error: AuthError, usual: HttpError): HttpError {
  const answered = error.status !== undefined && error.status >= 400 && error.status < 500
  return answered ? usual : new HttpError(503, { error: 'Password reset is not available' })
}
