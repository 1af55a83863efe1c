import 'server-only'
import { randomBytes, randomUUID } from 'node:crypto'
import type { AuthError } from '@supabase/supabase-js'
import type { z } from 'zod'
import { lacksPath } from '@/lib/auth/create-account'
import { limitSignIn } from '@/lib/auth/limits'
import { factorOf, forgetSecondFactor, hashOfRecoveryCode, verifyCode } from '@/lib/auth/second-factor'
import type { Session } from '@/lib/auth/session'
import { silenceOf } from '@/lib/db/auth-fetch'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { HttpError } from '@/lib/http/errors'
import type { confirmSchema, secondFactorStateSchema } from './schema'

type Person = Pick<Session, 'db' | 'user_id' | 'email' | 'second_factor'>

const UNKNOWN_FACTOR = '00000000-0000-4000-8000-000000000000'
const RECOVERY_CODES = 10
const RECOVERY_LETTERS = 28
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The Auth, by its address, that was seen to support second factors. */
let supporting: string | undefined

/**
 * Whether the person has a second factor, and whether Auth supports second factors. Auth reveals its support only in
 * the answer to a request about a factor. It limits these: once seen, it is not asked again for each view of a page.
 * @throws HttpError 503 when Auth does not answer.
 */
export async function secondFactorState({
  db,
  second_factor,
}: Pick<Person, 'db' | 'second_factor'>): Promise<z.infer<typeof secondFactorStateSchema>> {
  const { SUPABASE_URL } = env()
  if (second_factor.enrolled || supporting === SUPABASE_URL) return { available: true, ...second_factor }
  const { error } = await db.auth.mfa.challenge({ factorId: UNKNOWN_FACTOR })
  const available = error?.code === 'mfa_factor_not_found'
  if (error && !available && !lacksSecondFactor(error)) throw unavailable(error)
  if (available) supporting = SUPABASE_URL
  return { available, ...second_factor }
}

/**
 * `secondFactorState` for pages, which show the rest of the account also while Auth gives no verdict: a factor then
 * seems possible, and its setup says that Auth does not answer.
 */
export function shownSecondFactor(person: Pick<Person, 'db' | 'second_factor'>) {
  return secondFactorState(person).catch((error: unknown) => {
    if (error instanceof HttpError && error.status === 503)
      return { available: true, ...person.second_factor }
    throw error
  })
}

/**
 * Starts setting up an authenticator app, which is active once a code confirms it. Drops an unfinished earlier start.
 * @returns the secret, and its QR code as an SVG data: URL
 * @throws HttpError 409 when the person already has one, 501 where Auth has no second factors, 503.
 */
export async function startSecondFactor({ db, second_factor }: Person) {
  if (second_factor.enrolled) throw new HttpError('SECOND_FACTOR_EXISTS')
  const listed = await db.auth.mfa.listFactors()
  if (listed.error) throw unavailable(listed.error)
  const started = listed.data.all.filter(({ status }) => status !== 'verified')
  await Promise.all(started.map(({ id }) => db.auth.mfa.unenroll({ factorId: id })))
  const { data, error } = await db.auth.mfa.enroll({
    factorType: 'totp',
    // Auth allows each name once: a random name keeps two requests at the same time from colliding.
    friendlyName: `Sobremesa ${randomUUID()}`,
    issuer: 'Sobremesa',
  })
  if (error) throw refusal(error)
  const svg = data.totp.qr_code.replace(/^data:[^,]*,/, '')
  const qr = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return { factor_id: data.id, qr, secret: data.totp.secret }
}

/**
 * Confirms the app with a code; from then on it is required. The current session stays, the others end.
 * @returns the recovery codes: only their hashes are kept
 * @throws HttpError 401 for a wrong code, 409 when the person already has a second factor, 429, 503.
 */
export async function confirmSecondFactor(
  request: Request,
  person: Person,
  { factor_id, code }: z.infer<typeof confirmSchema>,
) {
  if (person.second_factor.enrolled) throw new HttpError('SECOND_FACTOR_EXISTS')
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  // Before the factor is active: no one may have a factor without recovery codes.
  const kept = { p_user: person.user_id, p_hashes: codes.map(hashOfRecoveryCode) }
  unwrap(await serviceDb().rpc('keep_recovery_codes', kept))
  await limitSignIn(request, person.email, () => verifyCode(person, factor_id, code))
  return { recovery_codes: codes }
}

/**
 * Removes the person's second factor, given one of its codes. Their other sessions end, and they are notified by mail.
 * @throws HttpError 401 for a wrong code, 409 without a second factor, 429, 503.
 */
export async function removeSecondFactor(request: Request, person: Person, code: string): Promise<void> {
  const factorId = await factorOf(person)
  await limitSignIn(request, person.email, () => verifyCode(person, factorId, code))
  const { error } = await person.db.auth.mfa.unenroll({ factorId })
  if (error) throw unavailable(error)
  await forgetSecondFactor(person)
  // The current tokens still state that a factor was given.
  await person.db.auth.refreshSession()
}

/** 140 random bits in groups of four letters: `ABCD-EFGH-…`. A plain hash is enough from 112 on. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(RECOVERY_LETTERS)].map((byte) => ALPHABET[byte % 32]).join('')
  return letters.replaceAll(/.{4}(?=.)/g, '$&-')
}

const NOT_NOW = 'The second factor cannot be set up now'
const unavailable = (error: AuthError) =>
  silenceOf(error, NOT_NOW) ?? new HttpError('AUTH_UNAVAILABLE', { error: NOT_NOW })

const refusal = (error: AuthError) =>
  lacksSecondFactor(error) ? new HttpError('SECOND_FACTOR_UNSUPPORTED') : unavailable(error)

/** Whether this Auth does not support second factors, or has them switched off. */
const lacksSecondFactor = (error: AuthError) =>
  lacksPath(error) ||
  error.code === 'mfa_totp_enroll_not_enabled' ||
  error.code === 'mfa_totp_verify_not_enabled'
