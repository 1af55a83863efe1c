import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { refuseFor } from '@/lib/http/attempts'
import { HttpError } from '@/lib/http/errors'
import { clientNetwork } from './client-address'

/**
 * Runs an attempt to sign in within the limits. Only failures count (the attempt's 401): 10 a minute an account, 60 a
 * minute a network. The tenth failure of an account from one network locks that pair for a minute, each further one for
 * twice as long, up to an hour, the right password included; a day without one forgets them.
 *
 * Over all networks an account locks from its thirtieth failure on, for 15 minutes at most, and never for networks it has
 * signed in from within 30 days: a stranger can slow a colleague down on a new device, and not keep them out of the
 * usual one. A password reset lifts every lock. Accounts that do not exist count and lock alike.
 *
 * A result that is not whole (the password alone of someone with a second factor) neither counts nor forgets anything:
 * else the right password would buy ten more guesses at the code each time.
 * @throws HttpError 429 with Retry-After, and what the attempt throws.
 */
export async function limitSignIn<T>(
  request: Request,
  email: string,
  attempt: () => Promise<T>,
  isWhole: (result: T) => boolean = () => true,
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
  await end(isWhole(result) ? 'succeeded' : 'unanswered')
  return result
}

/** Ends the locks of an account whose owner has just set a new password. */
export async function liftSignInLock(request: Request, email: string): Promise<void> {
  unwrap(await serviceDb().rpc('lift_sign_in_lock', { p_email: email, p_network: clientNetwork(request) }))
}
