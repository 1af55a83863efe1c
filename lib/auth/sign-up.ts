import 'server-only'
import type { AuthError } from '@supabase/supabase-js'
import type { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { userDb } from '@/lib/db/user'
import { HttpError } from '@/lib/http/errors'
import type { CookieJar } from './cookie-jar'
import type { signUpSchema } from './credentials'
import { NO_INVITATION } from './operations'
import { refuseGuessable } from './password-strength'
import { readSession, type Session } from './session'

/**
 * Makes the account of someone invited (the database's trigger makes the profile) and signs them in: the session
 * goes into the cookies. Null when Auth first wants the e-mail confirmed.
 * @throws HttpError 403 without an open invitation or with an account, 400 for a password that is easy to guess or that Auth refuses, 503.
 */
export async function signUp(
  cookies: CookieJar,
  { email, password, full_name }: z.infer<typeof signUpSchema>,
): Promise<Session | null> {
  // Before anything that depends on the invitation: a refusal must not say that there is one.
  await refuseGuessable(password, [email, full_name])
  const service = serviceDb()
  const open = service
    .from('invitations')
    .select('id, organizations(name)')
    .eq('email', email)
    .is('accepted_at', null)
  const invitation = unwrap(await open.maybeSingle())
  if (!invitation) throw new HttpError(403, { error: NO_INVITATION })
  await refuseGuessable(password, [email, full_name, invitation.organizations.name])
  // Nothing is set unless it succeeds: a cookie, too, would tell whom an account belongs to.
  const changed: Parameters<NonNullable<CookieJar['setAll']>>[0] = []
  const jar = { getAll: () => cookies.getAll(), setAll: (set: typeof changed) => void changed.push(...set) }
  const { data, error } = await userDb(jar).auth.signUp({ email, password })
  if (error) throw refusal(error)
  // For an account that is there already, Auth that confirms e-mails answers a made-up user without identities.
  if (!data.user || data.user.identities?.length === 0) throw new HttpError(403, { error: NO_INVITATION })
  if (full_name) unwrap(await service.from('profiles').update({ full_name }).eq('id', data.user.id))
  if (!data.session) return null
  await cookies.setAll?.(
    changed.filter(({ name }) => !name.includes('code-verifier')),
    {},
  )
  return readSession(cookies)
}

function refusal({ code }: AuthError): HttpError {
  if (code === 'weak_password') return new HttpError(400, { error: 'password: too weak' })
  if (code === 'user_already_exists' || code === 'email_exists')
    return new HttpError(403, { error: NO_INVITATION })
  if (code === 'email_address_invalid' || code === 'validation_failed')
    return new HttpError(400, { error: 'email: not accepted' })
  return new HttpError(503, { error: 'Sign-up is not available' })
}
