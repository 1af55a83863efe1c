import 'server-only'
import type { CookieMethodsServer } from '@supabase/ssr'
import { isAuthError } from '@supabase/supabase-js'
import type { z } from 'zod'
import { silenceOf } from '@/lib/db/auth-fetch'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { userDb } from '@/lib/db/user'
import { HttpError, invalidInput } from '@/lib/http/errors'
import { hashOfSecret } from '@/lib/secret'
import type { CookieJar } from './cookie-jar'
import { createAccount } from './create-account'
import { refuseGuessable, WEAK_PASSWORD } from './password-strength'
import type { OpenInvitation, signUpSchema } from './schema'
import { readStanding, type Standing } from './session'

type SignUp = z.infer<typeof signUpSchema>

/**
 * Redeems an invitation's token: creates the account, or lets an existing one join with its password. The session
 * goes into the cookies. Null when the address has to be confirmed first, or Auth made the account and then gave no
 * verdict. The second factor may still be missing.
 * @throws HttpError 403 for an invalid token or a wrong password, 400 for a password that is easy to guess
 * or that Auth refuses, 503.
 */
export async function signUp(cookies: CookieJar, body: SignUp): Promise<Standing | null> {
  const { email, password, full_name, token } = body
  // First, before the invitation is read: a refusal must not reveal whether there is one.
  await refuseGuessable(password, [email, full_name])
  const organization = await organizationOf(body)
  if (!organization) throw refused()
  await refuseGuessable(password, [email, full_name, organization])
  const account = await makeAccount(body)
  // Cookies are set only on success: else they would reveal whether an account exists.
  const draft = await draftOf(cookies)
  const db = userDb(draft.cookies)
  const { data, error } = await db.auth.signInWithPassword({ email, password })
  const silence = error && silenceOf(error, NOT_AVAILABLE)
  // Nothing has changed for someone with an account, so they can send the form again. The invitation of a new
  // account is spent: it signs in later.
  if (silence && account === 'exists') throw silence
  if (account === 'exists') {
    const joined = !error && unwrap(await db.rpc('accept_invitation', { p_token: token }))
    if (!joined) {
      if (!error) await db.auth.signOut({ scope: 'local' })
      throw refused()
    }
  }
  if (error) return null
  if (full_name) unwrap(await serviceDb().from('profiles').update({ full_name }).eq('id', data.user.id))
  const standing = await readStanding(draft.cookies)
  if (standing) await cookies.setAll?.(draft.changes, {})
  else await db.auth.signOut({ scope: 'local' })
  return standing
}

const refused = () => new HttpError('INVALID_INVITATION')
const NOT_AVAILABLE = 'Sign-up is not available'
const unavailable = () => new HttpError('AUTH_UNAVAILABLE', { error: NOT_AVAILABLE })

/**
 * What an invitation's token promises, for the form: whom it is for, and by which group.
 * @throws HttpError 403 for a token that is wrong, used, replaced, withdrawn or expired.
 */
export async function openInvitation(token: string): Promise<OpenInvitation> {
  const found = unwrap(await invitationOf(token).maybeSingle())
  if (!found) throw refused()
  return { email: found.email, full_name: found.full_name, organization: found.organizations.name }
}

const invitationOf = (token: string) =>
  serviceDb()
    .from('invitations')
    .select('email, full_name, organizations(name)')
    .eq('token_hash', hashOfSecret(token))
    .is('accepted_at', null)
    .gt('expires_at', new Date().toISOString())

/** The organization whose invitation of that e-mail the token redeems; the database's triggers check it again and decide. */
async function organizationOf({ email, token }: Pick<SignUp, 'email' | 'token'>): Promise<string | null> {
  const found = await invitationOf(token).eq('email', email).maybeSingle()
  return unwrap(found)?.organizations.name ?? null
}

/** Makes the account with its address confirmed; the database makes the profile. */
async function makeAccount({ email, password, token }: SignUp): Promise<'created' | 'exists'> {
  try {
    return await createAccount({ email, password }, { invitation_token: token })
  } catch (error) {
    if (!isAuthError(error)) throw error
    if (error.code === 'weak_password') throw invalidInput(WEAK_PASSWORD)
    if (error.code === 'email_address_invalid' || error.code === 'validation_failed')
      throw invalidInput({ path: 'email', code: 'invalid', message: 'not accepted' })
    const silence = silenceOf(error, NOT_AVAILABLE)
    if (silence?.code === 'AUTH_BUSY') throw silence
    // Auth does not pass on why the database refused: the token may have been spent in between.
    throw (await organizationOf({ email, token })) ? unavailable() : refused()
  }
}

type Cookies = Parameters<NonNullable<CookieMethodsServer['setAll']>>[0]

/** A copy of the cookies that collects its changes. */
async function draftOf(cookies: CookieJar): Promise<{ cookies: CookieMethodsServer; changes: Cookies }> {
  const given = (await cookies.getAll()) ?? []
  const current = new Map(given.map(({ name, value }) => [name, value]))
  const changes: Cookies = []
  return {
    changes,
    cookies: {
      getAll: () => [...current].map(([name, value]) => ({ name, value })),
      setAll: (set) => {
        changes.push(...set)
        for (const { name, value } of set) {
          if (value === '') current.delete(name)
          else current.set(name, value)
        }
      },
    },
  }
}
