import type { TestReason } from '@/lib/integrations/schema'
import { type IntegrationType, SENDER_TYPES, WEBHOOK_TYPES } from '@/lib/integrations/types'

/** What the check of an installation looks at, in the order of its list. */
export const LINES = [
  // Asked from outside, by `npm run check:deployment` alone.
  'reached',
  'headers',
  'outside_clock',
  'report',
  'app_url_here',
  // Asked by the app itself.
  'supabase_url',
  'publishable_key',
  'secret_key',
  'schema',
  'region',
  'clock',
  'sign_ups',
  'confirmation',
  'password_sign_in',
  'address_forwarding',
  'secrets_key',
  'setup_token',
  'cron_secret',
  'cron',
  'app_url',
  'mailer',
  'pms',
  ...SENDER_TYPES.filter((type) => type !== 'resend'),
  'sms_sender',
  'whatsapp_sender',
  'ai',
  ...WEBHOOK_TYPES.map((type) => `${type}_webhook` as const),
  'storage',
  'push_keys',
  'sandbox',
  'loopback',
  'replica',
] as const

/** What was found where nothing is wrong. */
export const RIGHT = [
  'reached',
  'headers_right',
  'clock_right',
  'report_read',
  'app_url_same',
  'address_right',
  'key_accepted',
  'schema_current',
  'near',
  'latency_low',
  'sign_ups_off',
  'confirmation_on',
  'password_sign_in_on',
  'secrets_open',
  'no_secrets_yet',
  'set',
  'setup_token_unneeded',
  'cron_heard',
  'app_url_reached',
  'provider_works',
  'provider_unused',
  'sender_right',
  'webhook_heard',
  'storage_there',
  'push_off',
  'sandbox_off',
  'replica_used',
] as const

/** What was found where something is wrong, or could not be checked: each has its advice. */
export const FAULTS = [
  'unreachable',
  'http_only',
  'address_inside',
  'unhealthy',
  'database_silent',
  'database_foreign',
  'settings_wrong',
  'headers_missing',
  'clock_off',
  'clock_off_here',
  'report_refused',
  'report_secret_missing',
  'report_missing',
  'app_url_other',
  'key_refused',
  'key_of_other_kind',
  'no_answer',
  'schema_missing',
  'schema_old',
  'schema_newer',
  'far',
  'outside_europe',
  'sign_ups_on',
  'confirmation_off',
  'password_sign_in_off',
  'forwarding_unseen',
  'forwarding_impossible',
  'secrets_unreadable',
  'setup_token_blank',
  'cron_secret_blank',
  'cron_silent',
  'cron_never',
  'no_group',
  'app_url_missing',
  'app_url_http',
  'app_url_unreachable',
  'app_url_elsewhere',
  'mailer_missing',
  'provider_fails',
  'sender_form',
  'webhook_never',
  'webhook_refused',
  'webhook_secret_missing',
  'storage_missing',
  'storage_private',
  'sandbox_on',
  'loopback_on',
  'replica_unused',
] as const

export type LineId = (typeof LINES)[number]
type RightFinding = (typeof RIGHT)[number]
export type FaultFinding = (typeof FAULTS)[number]

interface Values {
  /** The group it is about, where the database has several. */
  group?: string
  /** What the finding names: a setting, an address, a region, a version. Never a secret. */
  detail?: string
  /** Of the finding: minutes, seconds, milliseconds, or things. */
  count?: number
}

interface FaultValues extends Values {
  /** Why a provider's test failed, and which provider's. */
  reason?: TestReason
  type?: IntegrationType
}

/** A line of the check: right, wrong, or `unknown` where it could not be checked. */
export type Line =
  | ({ id: LineId; state: 'right'; finding: RightFinding } & Values)
  | ({ id: LineId; state: 'wrong' | 'unknown'; finding: FaultFinding } & FaultValues)

export const right = (id: LineId, finding: RightFinding, values: Values = {}): Line => ({
  ...{ id, state: 'right', finding },
  ...values,
})
export const wrong = (id: LineId, finding: FaultFinding, values: FaultValues = {}): Line => ({
  ...{ id, state: 'wrong', finding },
  ...values,
})
export const unknown = (id: LineId, finding: FaultFinding, values: FaultValues = {}): Line => ({
  ...{ id, state: 'unknown', finding },
  ...values,
})

/** In the order of the list; groups one after the other. */
export const inOrder = (lines: readonly Line[]): Line[] =>
  lines.toSorted((one, other) => LINES.indexOf(one.id) - LINES.indexOf(other.id))
