import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { log } from '@/lib/log'
import { deviceOf } from './device'
import type { Session } from './session'

/**
 * Keeps from where a session begins, and has its owner written to when the device is new. A failure is logged: it
 * does not block the sign-in.
 */
export async function noteSignIn(
  request: Request,
  { session_id }: Pick<Session, 'session_id'>,
): Promise<void> {
  const { browser, system, network, place } = deviceOf(request)
  const device = { p_browser: browser, p_system: system, p_network: network, p_place: place }
  try {
    unwrap(await serviceDb().rpc('note_sign_in', { p_session: session_id, ...nullable(device) }))
  } catch (err) {
    log().error({ err }, 'the device of a sign-in was not kept')
  }
}

// The generated types know no null in a parameter.
const nullable = <K extends string>(values: Record<K, string | null>) => values as Record<K, string>
