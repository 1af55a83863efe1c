import 'server-only'
import type { AuthError, User } from '@supabase/supabase-js'
import type { z } from 'zod'
import { anonymousDb } from '@/lib/db/anonymous'
import { isMailLimit, silenceOf } from '@/lib/db/auth-fetch'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { runAfter } from '@/lib/http/after'
import { HttpError, invalidInput } from '@/lib/http/errors'
import { liftSignInLock } from './limits'
import { isGuessable, refuseGuessable } from './password-strength'
import { askForReset, endHandedOver, hadMailJustNow, mailResetLink, resetMailer } from './reset-mail'
import type { resetPasswordSchema } from './schema'
import { isMachineAddress } from './token-session'

// Auth refuses a caller beyond its limit at once; a mail takes longer.
const ANSWER_MS = 500

/**
 * Has a link to /reset-password mailed if the address has an account. The answer does not wait for the mail, so neither
 * its text nor its time reveals whether there is one. A failure is logged. The account of an API token gets no mail.
 * @throws HttpError 503 MAIL_UNAVAILABLE when nobody can send it (`resetMailer`), 503 AUTH_BUSY when Auth's limit for the
 * caller is reached, 429; each whatever the address.
 */
export async function forgotPassword(email: string): Promise<{ success: true }> {
  const mailer = await resetMailer()
  if (!mailer) throw new HttpError('MAIL_UNAVAILABLE')
  if (isMachineAddress(email)) return { success: true }
  const time = new Promise<null>((resolve) => setTimeout(resolve, ANSWER_MS, null))
  if (mailer === 'auth' || !(await hadMailJustNow(email))) {
    const asked = askForReset(mailer, email)
    const busy = asked.then(({ error }) => {
      const silence = error && !isMailLimit(error) ? silenceOf(error) : null
      return silence?.code === 'AUTH_BUSY' ? silence : null
    })
    const early = await Promise.race([busy, time])
    if (early) throw early
    runAfter('forgot-password', async () => {
      const { link, error } = await asked
      if (error) throw error
      if (link) await mailResetLink(link)
    })
  }
  await time
  return { success: true }
}

/** Longer than Auth's usual limit, which an installation may set to a day. */
const LINK_LASTS_MS = 3_600_000

/** Until when a link that is made now works. */
export const linkEnds = (): string => new Date(Date.now() + LINK_LASTS_MS).toISOString()

/** The error when the password is refused although the link is already spent. */
const REFUSED_WITH_LINK = {
  path: 'password',
  code: 'weak_password_link_spent',
  message: 'too weak, and the link is spent',
} as const

/**
 * Sets a new password with the token of a mailed link, ends every session of the account and the locks on its sign-in.
 * @throws HttpError 403 for a link that is spent, expired or invalid; 400 for a password that is easy to guess (the
 * link stays valid), made of the person's own data or refused by Auth (the link is then spent); 503.
 */
export async function resetPassword(
  request: Request,
  { token_hash, password }: z.infer<typeof resetPasswordSchema>,
) {
  // Before the link is used: a weak password must not spend it.
  await refuseGuessable(password, [])
  const { auth } = anonymousDb()
  const verified = await auth.verifyOtp({ type: 'recovery', token_hash })
  if (verified.error) throw refusal(verified.error, new HttpError('LINK_SPENT'))
  const email = verified.data.user?.email
  // The link is spent, whatever comes of it. Without this its note ends by itself, after ten minutes.
  if (email) await endHandedOver(email).catch(() => undefined)
  if (isOld(verified.data.user) || !(await holds(verified.data.user))) {
    await auth.signOut({ scope: 'local' }).catch(() => undefined)
    throw new HttpError('LINK_SPENT')
  }
  if (await isGuessable(password, await knownAbout(verified.data.user))) throw invalidInput(REFUSED_WITH_LINK)
  const set = await auth.updateUser({ password })
  // Auth requires the second factor first. The sign-in asks for it: the mailbox alone gives no access. The link is
  // spent, so a limit of Auth must not stop it here.
  const isOpen = set.error && (set.error.code === 'insufficient_aal' || silenceOf(set.error))
  const { error } =
    isOpen && verified.data.user
      ? await serviceDb().auth.admin.updateUserById(verified.data.user.id, { password })
      : set
  // Reusing the current password counts as success.
  if (error && error.code !== 'same_password') throw refusal(error, invalidInput(REFUSED_WITH_LINK))
  await endSessions(verified.data.user)
  // The database has already ended the sessions. Signing out only removes Auth's own records of them.
  await auth.signOut({ scope: 'global' }).catch(() => undefined)
  if (email) await liftSignInLock(request, email)
  return { success: true } as const
}

/** Whether the link was made too long ago, by Auth's own note. */
function isOld(user: User | null): boolean {
  const made = Date.parse(user?.recovery_sent_at ?? '')
  return !Number.isNaN(made) && made + LINK_LASTS_MS < Date.now()
}

/** Whether who handed the link over may still do so: their rights, or the person's, may have changed since. */
async function holds(user: User | null): Promise<boolean> {
  if (!user?.recovery_sent_at) return true
  const link = { p_user: user.id, p_made: user.recovery_sent_at }
  return unwrap(await serviceDb().rpc('password_link_holds', link)) === true
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
  return silenceOf(error, 'Password reset is not available') ?? usual
}
