import 'server-only'
import { createHash } from 'node:crypto'
import type { AuthError } from '@supabase/supabase-js'
import type { z } from 'zod'
import { silenceOf } from '@/lib/db/auth-fetch'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import type { CookieJar } from './cookie-jar'
import { lacksPath } from './create-account'
import { limitSignIn } from './limits'
import { NO_REMOVAL } from './operations'
import type { secondFactorSchema } from './schema'
import { readStanding, type Standing } from './session'

type Who = Pick<Standing, 'user_id' | 'email' | 'db'>

/**
 * The step after the password, and the confirmation of a sensitive operation: a code of the authenticator app raises
 * the session's level, a recovery code removes the factor. Wrong codes count like wrong passwords.
 * @throws HttpError 401 without a session or for a wrong code, 409 for someone without a second factor, 429, 501, 503.
 */
export async function giveSecondFactor(
  request: Request,
  cookies: CookieJar,
  given: z.infer<typeof secondFactorSchema>,
): Promise<{ success: true; second_factor: 'verified' | 'removed' }> {
  const standing = await readStanding(cookies)
  if (!standing) throw unauthorized()
  return limitSignIn(
    request,
    standing.email,
    async () => {
      if ('code' in given) {
        await verifyCode(standing, await factorOf(standing), given.code)
        return { success: true, second_factor: 'verified' } as const
      }
      await removeWithRecoveryCode(standing, given.recovery_code)
      return { success: true, second_factor: 'removed' } as const
    },
    ({ second_factor }) => second_factor === 'verified',
  )
}

/**
 * The id of the person's authenticator app.
 * @throws HttpError 401 when the session has ended meanwhile, 409 when they have none, 503.
 */
export async function factorOf({ db }: Pick<Who, 'db'>): Promise<string> {
  const { data, error } = await db.auth.mfa.listFactors()
  if (error) throw sessionEnded(error) ? unauthorized() : unavailable(error)
  const factor = data.totp.find(({ status }) => status === 'verified')
  if (!factor) throw new HttpError('NO_SECOND_FACTOR')
  return factor.id
}

/**
 * Verifies a code with Auth; the cookies get tokens of the higher level. Auth accepts a code again while it is valid;
 * we accept it once, so that an onlooker cannot reuse it.
 * @throws HttpError 401 for a wrong code or one given before, 429, 503.
 */
export async function verifyCode({ db, user_id }: Who, factorId: string, code: string): Promise<void> {
  const claim = { p_user: user_id, p_hash: sha256(`${user_id}:${code}`) }
  if (!unwrap(await serviceDb().rpc('claim_code', claim))) throw wrongCode()
  const { error } = await db.auth.mfa.challengeAndVerify({ factorId, code })
  if (!error) return
  unwrap(await serviceDb().rpc('release_code', claim))
  throw refusal(error)
}

/** The id of the token's session. Call after the database has verified the token. */
async function sessionIdOf({ db }: Pick<Who, 'db'>): Promise<string> {
  const { data } = await db.auth.getSession()
  const [, payload = ''] = data.session?.access_token.split('.') ?? []
  return String(JSON.parse(Buffer.from(payload, 'base64url').toString()).session_id)
}

/** A recovery code as the database stores it: a hash, the same however its groups were typed. */
export const hashOfRecoveryCode = (code: string) => sha256(code.replaceAll(/[\s-]/g, '').toUpperCase())

async function removeWithRecoveryCode(who: Who, code: string): Promise<void> {
  const { mfa } = serviceDb().auth.admin
  const listed = await mfa.listFactors({ userId: who.user_id })
  if (listed.error)
    throw lacksPath(listed.error)
      ? new HttpError('SECOND_FACTOR_UNSUPPORTED', { error: NO_REMOVAL })
      : unavailable(listed.error)
  const claim = { p_user: who.user_id, p_hash: hashOfRecoveryCode(code) }
  if (!unwrap(await serviceDb().rpc('claim_recovery_code', claim))) throw wrongCode()
  const removed = await Promise.all(
    listed.data.factors.map(({ id }) => mfa.deleteFactor({ id, userId: who.user_id })),
  )
  const failed = removed.map(({ error }) => error).find((error) => error && error.status !== 404)
  if (failed) {
    unwrap(await serviceDb().rpc('release_code', claim))
    throw unavailable(failed)
  }
  await forgetSecondFactor(who)
}

/**
 * After Auth has removed the factor: deletes its codes, ends the person's other sessions, and notifies them by mail.
 */
export async function forgetSecondFactor(who: Who): Promise<void> {
  const session = await sessionIdOf(who)
  unwrap(await serviceDb().rpc('forget_second_factor', { p_user: who.user_id, p_session: session }))
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const unauthorized = () => new HttpError('UNAUTHORIZED')
const wrongCode = () => new HttpError('WRONG_CODE')
const NOT_NOW = 'The second factor cannot be checked now'
const unavailable = (error: AuthError) =>
  silenceOf(error, NOT_NOW) ?? new HttpError('AUTH_UNAVAILABLE', { error: NOT_NOW })

function refusal(error: AuthError): HttpError {
  const { code } = error
  if (code === 'session_not_found') return unauthorized()
  const wrong = code === 'mfa_verification_failed' || code === 'mfa_challenge_expired'
  return wrong || code === 'mfa_factor_not_found' ? wrongCode() : unavailable(error)
}

/** Whether Auth has ended the session, which happens when another session of the person passes the second factor. */
const sessionEnded = ({ name, code }: AuthError) =>
  name === 'AuthSessionMissingError' || code === 'session_not_found'
