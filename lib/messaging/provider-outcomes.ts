import type { Outcome } from './provider'
import { WireError } from './wire'

/**
 * Trouble that concerns every message until somebody changes the integration's settings or plan: long, so that a
 * message's few attempts last for days. The engine caps a delay at six hours.
 */
const PAUSE_SECONDS = 21_600

/** Not this message's fault: credentials, sender or plan. Surely not accepted. */
export const paused = (reason: 'provider_auth' | 'provider_config' | 'provider_quota'): Outcome => ({
  kind: 'retryable',
  reason,
  afterSeconds: PAUSE_SECONDS,
})

/** What an HTTP status says by itself; null for refusals of the one message (other 4xx). */
export function outcomeOfStatus(status: number, afterSeconds: number | undefined): Outcome | null {
  if (status === 429) return { kind: 'retryable', reason: 'provider_rate_limit', afterSeconds }
  if (status === 401 || status === 403) return paused('provider_auth')
  if (status >= 400 && status < 500 && status !== 408) return null
  return { kind: 'ambiguous', reason: 'provider_error' }
}

/** What a failure without an answer says. Anything but a request that never left may have been accepted. */
export function outcomeOfError(error: unknown): Outcome {
  if (!(error instanceof WireError)) return { kind: 'ambiguous', reason: 'provider_error' }
  if (!error.begun) return { kind: 'retryable', reason: 'provider_unreachable' }
  return { kind: 'ambiguous', reason: error.timedOut ? 'provider_timeout' : 'provider_connection_lost' }
}
