import type { Messages, useTranslations } from 'next-intl'

type Reasons = Messages['client']['automations']['reasons']

// Codes whose sentence is another's.
const SAME: Record<string, 'provider_error' | 'provider_silent'> = {
  'the provider failed unexpectedly': 'provider_error',
  'the provider did not say what became of it': 'provider_silent',
}
const PLAIN = [
  'no_address',
  'suppressed',
  'no_consent',
  'no_provider',
  'no_app_url',
  'needs_template',
  'frequency_cap',
  'duplicate',
  'automation_inactive',
  'customer_gone',
  'reservation_changed',
  'too_late',
  'too_often',
  'invalid_number',
  'invalid_address',
  'unsubscribed',
  'unreachable',
  'region_not_enabled',
  'blocked',
  'template_rejected',
  'outside_window',
  'content_rejected',
  'rejected',
  'bounced',
  'soft_bounce',
  'provider_failed',
  'provider_suppressed',
  'provider_auth',
  'provider_config',
  'provider_quota',
  'provider_rate_limit',
  'provider_busy',
  'provider_unreachable',
  'provider_error',
  'provider_timeout',
  'provider_connection_lost',
  'idempotency_conflict',
  'lease_expired',
  'held_back',
  'reconciled',
  'refused',
  'expired',
  'stopped',
  'message_changed',
] as const satisfies (keyof Reasons)[]

/** Why a message was skipped or failed, in the person's language; `t` is that of `client.automations.reasons`. */
export function reasonText(
  t: ReturnType<typeof useTranslations<'client.automations.reasons'>>,
  reason: string | null,
): string {
  if (reason === null || reason === '') return t('none')
  const known = SAME[reason] ?? PLAIN.find((code) => code === reason)
  if (known) return t(known)
  const code = /^twilio_(\d+)$/.exec(reason)?.[1]
  if (code) return t('provider_code', { code })
  if (reason.startsWith('template: ')) return t('template', { detail: reason.slice('template: '.length) })
  return t('other', { reason })
}
