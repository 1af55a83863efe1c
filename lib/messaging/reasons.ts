import type { Enums } from '@/lib/db/database.types'

/** Why a message was not sent: a code of the database's list (supabase/schema/message_reasons.sql), or Twilio's own code. */
export type MessageReason = Enums<'message_reason'> | `twilio_${number}`

/** Why a plan leaves a guest out, in the order in which pages show it; what becomes due is asked for more. */
export const PLAN_REASONS = [
  'no_address',
  /** An SMS to a fixed line. */
  'not_mobile',
  'suppressed',
  /** Nothing on record says that marketing may write to them by the channel. */
  'no_consent',
  'no_provider',
  /** Marketing by e-mail without a public address: it would have no unsubscribe link. */
  'no_app_url',
  /** WhatsApp without a Content SID, to a customer who has not written within 24 hours. */
  'needs_template',
  'frequency_cap',
  /** They asked for one a month at most (`customers.write_frequency`). */
  'guest_frequency',
  /** They want nothing of its brand, or of any brand when it is of none alone (`customers.muted_brands`). */
  'brand_muted',
  'duplicate',
  /** Not written to, so that the others can be compared with them (docs/lift.md). */
  'control_group',
] as const satisfies readonly MessageReason[]

/** Something for each reason of a plan. */
export function byPlanReason<T>(value: T): Record<(typeof PLAN_REASONS)[number], T> {
  return Object.fromEntries(PLAN_REASONS.map((reason) => [reason, value])) as ReturnType<
    typeof byPlanReason<T>
  >
}
