import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { type Attempts, refuseFor } from '@/lib/http/rate-limit'
import { clientNetwork } from './client-address'

/**
 * Runs an attempt to sign in within the limits. Only failures (a 401) count: per minute 10 an account and 60 a network.
 * The tenth failure of an account from one network locks the account for that network for a minute, each further one
 * for twice as long, up to an hour; even the right password is refused then. After a day without failures they are
 * forgotten.
 *
 * The thirtieth failure from all networks together locks the account for 15 minutes at most, but not for networks it
 * signed in from within 30 days: an attacker can delay a person on a new device, not on the usual one. A password reset
 * lifts every lock. Accounts that do not exist have the same limits.
 *
 * A sign-in that still needs the second factor neither counts nor resets anything: else each right password would allow
 * ten more guesses at the code.
 * @throws HttpError 429 with Retry-After, and errors of the attempt.
 */
export async function limitSignIn<T>(
  request: Request,
  email: string,
  attempt: () => Promise<T>,
  isComplete: (result: T) => boolean = () => true,
): Promise<T> {
  const who = { p_email: email, p_network: clientNetwork(request) }
  refuseFor(unwrap(await serviceDb().rpc('begin_sign_in', who)))
  const end = async (outcome: 'succeeded' | 'failed' | 'unanswered') =>
    unwrap(await serviceDb().rpc('end_sign_in', { ...who, p_outcome: outcome }))
  let result: T
  try {
    result = await attempt()
  } catch (error) {
    await end(error instanceof HttpError && error.status === 401 ? 'failed' : 'unanswered')
    throw error
  }
  await end(isComplete(result) ? 'succeeded' : 'unanswered')
  return result
}

/** Ends the locks of an account whose owner has just set a new password. */
export async function liftSignInLock(request: Request, email: string): Promise<void> {
  unwrap(await serviceDb().rpc('lift_sign_in_lock', { p_email: email, p_network: clientNetwork(request) }))
}

const EMAIL_LIMIT = 10
const NETWORK_LIMIT = 60

/**
 * The limits of an endpoint without a session: 10 attempts a minute an e-mail and 60 a network; without an e-mail, 10 a
 * network.
 */
export function anonymousAttempts(endpoint: string, request: Request, email?: string): Attempts {
  const network = `${endpoint}:network:${clientNetwork(request)}`
  if (email === undefined) return { seconds: 60, most: { [network]: EMAIL_LIMIT } }
  return { seconds: 60, most: { [network]: NETWORK_LIMIT, [`${endpoint}:email:${email}`]: EMAIL_LIMIT } }
}

// Well above the time that Auth takes to check a password.
const STEP_MS = 500

/** The clock of `evenFailures`, in milliseconds; tests pass their own. */
export interface Pace {
  now: () => number
  wait: (ms: number) => Promise<void>
}

const realTime: Pace = {
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/**
 * Delays failures to the next half-second. Auth refuses an unknown e-mail faster, since there is no password to check:
 * the time of a refusal must not reveal it. Successes are not delayed.
 * @throws errors of the attempt, delayed.
 */
export async function evenFailures<T>(attempt: () => Promise<T>, pace: Pace = realTime): Promise<T> {
  const start = pace.now()
  try {
    return await attempt()
  } catch (error) {
    const elapsed = pace.now() - start
    await pace.wait(Math.max(1, Math.ceil(elapsed / STEP_MS)) * STEP_MS - elapsed)
    throw error
  }
}
