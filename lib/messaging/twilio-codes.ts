import type { Outcome } from './provider'
import { paused } from './provider-outcomes'

/** Why Twilio did not send or deliver, by its error codes. Reasons hold no personal data. */
const REASONS: Record<string, readonly number[]> = {
  invalid_number: [
    21211, 21214, 21217, 21219, 21265, 21401, 21407, 21421, 21601, 21614, 21635, 30005, 30006, 63024, 63033,
  ],
  unsubscribed: [21610, 63032],
  unreachable: [21612, 30003, 30008, 63003, 63009, 63012],
  region_not_enabled: [21408, 60410],
  blocked: [30002, 30004, 30007, 30034, 63020, 63021, 63049],
  template_rejected: [
    21654, 21655, 21656, 63005, 63013, 63019, 63022, 63023, 63027, 63028, 63030, 63040, 63041, 63042,
  ],
  outside_window: [63016],
  content_rejected: [21602, 21605, 21617, 21619, 21620, 30019, 92001],
}

/** Codes about the sender or the account: no message would get through. */
const CONFIGURATION = new Set([
  20003, 20005, 20404, 21212, 21603, 21606, 21609, 21659, 21660, 21703, 63007, 63038,
])
/** Too much at once. */
const CROWDED = new Set([14107, 20429, 21611, 30001, 30022, 63018])

/** A short reason for an error code of Twilio's, the code itself where there is none. */
export function twilioReason(code: number | undefined): string {
  const known = Object.entries(REASONS).find(([, codes]) => code !== undefined && codes.includes(code))
  if (known) return known[0]
  return Number.isInteger(code) ? `twilio_${code}` : 'rejected'
}

/** What a refusal (4xx) of Twilio's means for the message. */
export function twilioRefusal(code: number | undefined, afterSeconds: number | undefined): Outcome {
  if (code !== undefined && CONFIGURATION.has(code)) return paused('provider_config')
  if (code !== undefined && CROWDED.has(code))
    return { kind: 'retryable', reason: 'provider_rate_limit', afterSeconds }
  return { kind: 'permanent', reason: twilioReason(code) }
}
