import 'server-only'
import { isAuthError } from '@supabase/supabase-js'
import type { z } from 'zod'
import type { CookieJar } from '@/lib/auth/cookie-jar'
import { createAccount } from '@/lib/auth/create-account'
import { refuseGuessable, WEAK_PASSWORD } from '@/lib/auth/password-strength'
import { signIn } from '@/lib/auth/sign-in'
import { slugOf } from '@/lib/brands/schema'
import { silenceOf } from '@/lib/db/auth-fetch'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { HttpError, invalidInput, refuse } from '@/lib/http/errors'
import { log } from '@/lib/log'
import { isSameSecret, newSecret } from '@/lib/secret'
import type { setupSchema } from './schema'

type Setup = z.infer<typeof setupSchema>

// The sign-in page calls this too, and must show its form when the database does not answer.
const WAIT_MS = 3000
// Cached for good: a group with an audit log cannot be deleted.
let closed = false

/**
 * `open`: there is no group and a token is set; `no_token`: none is set; `closed`: there is a group.
 * @throws DatabaseError when the database does not answer soon.
 */
export async function setupState(): Promise<'open' | 'no_token' | 'closed'> {
  if (!closed)
    closed = !unwrap(await serviceDb().rpc('setup_is_open').abortSignal(AbortSignal.timeout(WAIT_MS)))
  if (closed) return 'closed'
  return env().SETUP_TOKEN === '' ? 'no_token' : 'open'
}

/**
 * Creates the first group and its super_admin, and signs them in. Both are created in one transaction of Auth, so after
 * a failure the form can be sent again.
 * @returns whether the sign-in succeeded too
 * @throws HttpError 403 for a wrong token, 409 when a group exists, 400 for a password that is easy to guess, 503.
 */
export async function setUp(request: Request, cookies: CookieJar, body: Setup): Promise<boolean> {
  const { email, password, full_name, group_name, timezone } = body
  if (!knowsToken(body.token)) throw new HttpError('SETUP_REFUSED')
  await refuseGuessable(password, [email, full_name, group_name])
  const { secret, hash } = newSecret()
  const parameters = {
    p_token_hash: hash,
    p_email: email,
    p_full_name: (full_name ?? null) as string,
    p_name: group_name,
    p_slug: slugOf(group_name) || 'grupo',
    p_timezone: timezone,
  }
  refuse(unwrap(await serviceDb().rpc('prepare_setup', parameters)), {
    closed: 'SETUP_DONE',
    unknown_timezone: { path: 'timezone', code: 'unknown', message: 'unknown time zone' },
  })
  await makeAccount({ email, password }, secret)
  try {
    const session = await signIn(request, cookies, { email, password })
    return 'user' in session
  } catch (err) {
    log().error({ err }, 'the group is set up, and its first sign-in failed')
    return false
  }
}

function knowsToken(given: string): boolean {
  const token = env().SETUP_TOKEN
  return token !== '' && isSameSecret(given, token)
}

/** Makes the account with its address confirmed; the database makes the group and the profile. */
async function makeAccount(account: { email: string; password: string }, secret: string): Promise<void> {
  let outcome: 'created' | 'exists'
  try {
    outcome = await createAccount(account, { setup_token: secret })
  } catch (error) {
    if (!isAuthError(error)) throw error
    if (error.code === 'weak_password') throw invalidInput(WEAK_PASSWORD)
    if (error.code === 'email_address_invalid' || error.code === 'validation_failed')
      throw invalidInput({ path: 'email', code: 'invalid', message: 'not accepted' })
    const silence = silenceOf(error)
    if (silence?.code === 'AUTH_BUSY') throw silence
    // Auth does not return the database's reason: another request may have been first.
    if ((await setupState()) === 'closed') throw new HttpError('SETUP_DONE')
    throw new HttpError('AUTH_UNAVAILABLE', { error: 'Setup is not available' })
  }
  if (outcome === 'created') return
  // The same form sent twice.
  if ((await setupState()) === 'closed') throw new HttpError('SETUP_DONE')
  // An account of a deleted group: it keeps its password, and no group is created.
  throw invalidInput({ path: 'email', code: 'not_unique', message: 'has an account already' })
}
