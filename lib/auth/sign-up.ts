import 'server-only'
import type { CookieMethodsServer } from '@supabase/ssr'
import type { AuthError } from '@supabase/supabase-js'
import type { z } from 'zod'
import { anonymousDb } from '@/lib/db/anonymous'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { userDb } from '@/lib/db/user'
import { HttpError } from '@/lib/http/errors'
import { hashOfToken } from '@/lib/team/invitation-token'
import { lacksAdminApi } from './admin-api'
import type { CookieJar } from './cookie-jar'
import type { signUpSchema } from './credentials'
import { NO_INVITATION } from './operations'
import { refuseGuessable } from './password-strength'
import { readStanding, type Standing } from './session'

type SignUp = z.infer<typeof signUpSchema>

/**
 * Redeems an invitation's token: makes the account, or joins that of someone who was here before and gives its
 * password. The session goes into the cookies. Null when the address is to be confirmed first;
 * a standing may lack the second factor.
 * @throws HttpError 403 for a token that opens nothing or a wrong password, 400 for a password that is easy to guess
 * or that Auth refuses, 503.
 */
export async function signUp(cookies: CookieJar, body: SignUp): Promise<Standing | null> {
  const { email, password, full_name, token } = body
  // Before anything that depends on the invitation: a refusal must not say that there is one.
  await refuseGuessable(password, [email, full_name])
  const organization = await openedBy(body)
  if (!organization) throw refused()
  await refuseGuessable(password, [email, full_name, organization])
  const account = await makeAccount(body)
  // Nothing is set unless it succeeds: a cookie, too, would tell whom an account belongs to.
  const draft = await draftOf(cookies)
  const db = userDb(draft.cookies)
  const { data, error } = await db.auth.signInWithPassword({ email, password })
  if (error && (error.status ?? 500) >= 500) throw unavailable()
  if (account === 'there') {
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

const refused = () => new HttpError(403, { error: NO_INVITATION })
const unavailable = () => new HttpError(503, { error: 'Sign-up is not available' })

/** The organization whose invitation of that e-mail the token redeems; the database's triggers decide it again, for good. */
async function openedBy({ email, token }: Pick<SignUp, 'email' | 'token'>): Promise<string | null> {
  const found = await serviceDb()
    .from('invitations')
    .select('organizations(name)')
    .eq('token_hash', hashOfToken(token))
    .eq('email', email)
    .is('accepted_at', null)
    .gt('expires_at', new Date().toISOString())
    .maybeSingle()
  return unwrap(found)?.organizations.name ?? null
}

/** Makes the account with its address confirmed; the database makes the profile. */
async function makeAccount({ email, password, token }: SignUp): Promise<'made' | 'there'> {
  const metadata = { invitation_token: token }
  const made = await serviceDb().auth.admin.createUser({
    ...{ email, password, email_confirm: true },
    user_metadata: metadata,
  })
  if (!made.error) return 'made'
  if (!lacksAdminApi(made.error)) return outcomeOf(made.error, { email, token })
  const { data, error } = await anonymousDb().auth.signUp({ email, password, options: { data: metadata } })
  if (error) return outcomeOf(error, { email, token })
  // For an account that is there already, Auth that confirms e-mails answers a made-up user without identities.
  return !data.user || data.user.identities?.length === 0 ? 'there' : 'made'
}

async function outcomeOf({ code }: AuthError, invitation: Pick<SignUp, 'email' | 'token'>): Promise<'there'> {
  if (code === 'user_already_exists' || code === 'email_exists') return 'there'
  if (code === 'weak_password') throw new HttpError(400, { error: 'password: too weak' })
  if (code === 'email_address_invalid' || code === 'validation_failed')
    throw new HttpError(400, { error: 'email: not accepted' })
  // Auth does not pass on why the database refused: the token may have been spent in between.
  throw (await openedBy(invitation)) ? unavailable() : refused()
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
