import 'server-only'
import { randomBytes } from 'node:crypto'
import type { AuthError } from '@supabase/supabase-js'
import type { z } from 'zod'
import {
  factorOf,
  forgetSecondFactor,
  hashOfRecoveryCode,
  lacksPath,
  verifyCode,
} from '@/lib/auth/second-factor'
import type { Session } from '@/lib/auth/session'
import { limitSignIn } from '@/lib/auth/sign-in-limit'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { ENROLLED, NOT_AVAILABLE } from './operations'
import type { confirmSchema, secondFactorStateSchema } from './schema'

type Person = Pick<Session, 'db' | 'user_id' | 'email' | 'second_factor'>

const NOWHERE = '00000000-0000-4000-8000-000000000000'
const RECOVERY_CODES = 10
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * What the person has and may have. Auth says only to a request about a factor whether it knows any.
 * @throws HttpError 503 when Auth does not answer.
 */
export async function secondFactorState({
  db,
  second_factor,
}: Pick<Person, 'db' | 'second_factor'>): Promise<z.infer<typeof secondFactorStateSchema>> {
  if (second_factor.enrolled) return { available: true, ...second_factor }
  const { error } = await db.auth.mfa.challenge({ factorId: NOWHERE })
  const available = error?.code === 'mfa_factor_not_found'
  if (error && !available && !isWithout(error)) throw unavailable()
  return { available, ...second_factor }
}

/**
 * Starts setting up an authenticator app; it counts once a code confirms it. What was started before is dropped.
 * @returns the secret, and the picture of it, an SVG as a data: URL
 * @throws HttpError 409 for someone who has one, 501 where Auth has no second factors, 503.
 */
export async function startSecondFactor({ db, second_factor }: Person) {
  if (second_factor.enrolled) throw new HttpError(409, { error: ENROLLED })
  const listed = await db.auth.mfa.listFactors()
  if (listed.error) throw unavailable()
  const started = listed.data.all.filter(({ status }) => status !== 'verified')
  await Promise.all(started.map(({ id }) => db.auth.mfa.unenroll({ factorId: id })))
  const { data, error } = await db.auth.mfa.enroll({
    factorType: 'totp',
    friendlyName: 'Sobremesa',
    issuer: 'Sobremesa',
  })
  if (error) throw refusal(error)
  const svg = data.totp.qr_code.replace(/^data:[^,]*,/, '')
  const qr = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return { factor_id: data.id, qr, secret: data.totp.secret }
}

/**
 * Confirms the app with a code; from then on it is asked for. The session stays, the person's others end.
 * @returns the recovery codes: only their hashes are kept
 * @throws HttpError 401 for a wrong code, 409 for someone who has a second factor, 429, 503.
 */
export async function confirmSecondFactor(
  request: Request,
  person: Person,
  { factor_id, code }: z.infer<typeof confirmSchema>,
) {
  if (person.second_factor.enrolled) throw new HttpError(409, { error: ENROLLED })
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  // Before the factor counts: a person must not have one without the other.
  const kept = { p_user: person.user_id, p_hashes: codes.map(hashOfRecoveryCode) }
  unwrap(await serviceDb().rpc('keep_recovery_codes', kept))
  await limitSignIn(request, person.email, () => verifyCode(person, factor_id, code))
  return { recovery_codes: codes }
}

/**
 * Removes the person's second factor, with a code of it. Their other sessions end, and a mail says so.
 * @throws HttpError 401 for a wrong code, 409 for someone who has none, 429, 503.
 */
export async function removeSecondFactor(request: Request, person: Person, code: string): Promise<void> {
  const factorId = await factorOf(person)
  await limitSignIn(request, person.email, () => verifyCode(person, factorId, code))
  const { error } = await person.db.auth.mfa.unenroll({ factorId })
  if (error) throw unavailable()
  await forgetSecondFactor(person)
  // The tokens still say that the session has shown a factor.
  await person.db.auth.refreshSession()
}

/** 80 random bits as `ABCD-EFGH-IJKL-MNOP`. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte % 32]).join('')
  return letters.replaceAll(/.{4}(?=.)/g, '$&-')
}

const unavailable = () => new HttpError(503, { error: 'The second factor cannot be set up now' })

const refusal = (error: AuthError) =>
  isWithout(error) ? new HttpError(501, { error: NOT_AVAILABLE }) : unavailable()

/** Whether this Auth has no second factors, or they are switched off there. */
const isWithout = (error: AuthError) =>
  lacksPath(error) ||
  error.code === 'mfa_totp_enroll_not_enabled' ||
  error.code === 'mfa_totp_verify_not_enabled'
