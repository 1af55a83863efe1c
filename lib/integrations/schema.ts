import { z } from 'zod'
import { safeBaseUrl } from '@/lib/address/address'
import { RefusedAddress } from '@/lib/address/refusals'
import { brokenMark } from '@/lib/db/broken'
import { env } from '@/lib/env'
import { blankable, line } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'
import { type PmsDetails, pmsDetailsSchema } from '@/lib/pms/details'
import { compactSender, formProblem } from './forms'

/** Every outside service an organization can configure. */
export const INTEGRATION_TYPES = ['pms', 'ai', 'twilio', 'resend'] as const
export type IntegrationType = (typeof INTEGRATION_TYPES)[number]

/** Fields that are stored encrypted and never returned. */
export const SECRETS = {
  pms: ['api_key'],
  ai: ['api_key'],
  twilio: ['auth_token'],
  resend: ['api_key', 'webhook_secret'],
} as const satisfies Record<IntegrationType, readonly string[]>

/** Required fields of an enabled integration; a list means one of its fields. */
export const REQUIRED = {
  pms: ['api_key', 'base_url'],
  ai: ['api_key'],
  twilio: ['account_sid', 'auth_token', ['sms_from', 'whatsapp_from']],
  resend: ['api_key', 'from_email'],
} as const satisfies Record<IntegrationType, readonly (string | readonly string[])[]>

const field = (max: number) => blankable(line(max)).optional()

/** A field whose form the provider sets (lib/integrations/forms.ts). */
const formed = (type: IntegrationType, name: string, max: number) =>
  blankable(
    line(max)
      .superRefine((value, context) => {
        const found = formProblem(type, name, value)
        if (found) context.addIssue({ code: 'custom', ...problemAs('invalid_format', found.error) })
      })
      .transform(compactSender),
  ).optional()
const baseUrl = blankable(
  line(500).superRefine((value, context) => {
    const problem = urlProblem(value)
    if (problem) context.addIssue({ code: 'custom', ...problem })
  }),
).optional()

/** The syntactic problem of a base URL; its host is resolved when it is saved. */
function urlProblem(value: string): ReturnType<typeof problemAs> | null {
  const url = URL.parse(value)
  const extras = url && [url.username, url.password, url.search, url.hash].some(Boolean)
  if (!url || extras || !/^https?:$/.test(url.protocol))
    return problemAs('scheme', 'must be an https:// address without credentials')
  try {
    safeBaseUrl(value, env().ALLOW_LOOPBACK_UPSTREAMS)
    return null
  } catch (error) {
    return error instanceof RefusedAddress
      ? problemAs(error.reason, error.message)
      : problemAs('invalid', 'is not an address')
  }
}

/** The body of a PUT for each type. An absent secret is kept; any other absent field is cleared, like null and ''. */
export const CONFIG_INPUTS = {
  pms: z.strictObject({ api_key: field(1000), venue_id: field(120), base_url: baseUrl }),
  ai: z.strictObject({
    api_key: field(1000),
    model: field(120),
    temperature: z.number().min(0).max(2).nullable().optional(),
    max_tokens: z.number().int().min(1).max(32_000).nullable().optional(),
    base_url: baseUrl,
  }),
  twilio: z.strictObject({
    account_sid: formed('twilio', 'account_sid', 64),
    auth_token: formed('twilio', 'auth_token', 1000),
    sms_from: formed('twilio', 'sms_from', 40),
    whatsapp_from: formed('twilio', 'whatsapp_from', 40),
  }),
  resend: z.strictObject({
    api_key: formed('resend', 'api_key', 1000),
    from_email: blankable(line(254).pipe(z.email())).optional(),
    from_name: field(120),
    webhook_secret: formed('resend', 'webhook_secret', 1000),
  }),
} as const satisfies Record<IntegrationType, z.ZodObject>

export const integrationInputSchema = z.strictObject({
  is_enabled: z.boolean(),
  config: z.record(z.string(), z.unknown()).meta({
    description:
      'pms {api_key, venue_id, base_url}; ai {api_key, model, temperature, max_tokens, base_url}; twilio {account_sid, auth_token, sms_from, whatsapp_from}; resend {api_key, from_email, from_name, webhook_secret}',
  }),
})

const text = z.string().nullable()
const number = z.number().nullable()
const secret = z.null()
const integration = <T extends IntegrationType, C extends z.ZodObject>(type: T, config: C) =>
  z.object({ integration_type: z.literal(type), is_enabled: z.boolean(), config, broken: brokenMark })

export const integrationSchema = z
  .discriminatedUnion('integration_type', [
    integration(
      'pms',
      z.object({ api_key: secret, api_key_set: z.boolean(), venue_id: text, base_url: text }),
    ),
    integration(
      'ai',
      z.object({
        api_key: secret,
        api_key_set: z.boolean(),
        model: text,
        temperature: number,
        max_tokens: number,
        base_url: text,
      }),
    ),
    integration(
      'twilio',
      z.object({
        account_sid: text,
        auth_token: secret,
        auth_token_set: z.boolean(),
        sms_from: text,
        whatsapp_from: text,
      }),
    ),
    integration(
      'resend',
      z.object({
        api_key: secret,
        api_key_set: z.boolean(),
        from_email: text,
        from_name: text,
        webhook_secret: secret,
        webhook_secret_set: z.boolean(),
      }),
    ),
  ])
  .meta({ id: 'Integration' })
/** An integration as the API returns it: a secret is null, and `<name>_set` says whether there is one. */
export type Integration = z.infer<typeof integrationSchema>

/** The reasons of a failed connection test, including those of every PmsCheck. */
const TEST_REASONS = [
  'not_configured',
  'no_location',
  'unreadable_key',
  'new_address',
  'timeout',
  'out_of_time',
  'unreachable',
  'rate_limited',
  'http_status',
  'not_json',
  'refused',
  'bad_base_url',
  'inside_address',
  'bad_key',
  'not_found',
  'unknown_venue',
  'not_reservations',
  'too_large',
  'unreadable_rows',
  'wrong_days',
  'bad_account',
  'suspended',
  'no_credit',
  'domain_not_verified',
  'sms_sender_unknown',
  'whatsapp_sender_unknown',
  'whatsapp_sender_offline',
  'quota',
] as const
export type TestReason = (typeof TEST_REASONS)[number]
/** Whether a stored reason is one that this version knows. */
export const isTestReason = (text: string): text is TestReason =>
  (TEST_REASONS as readonly string[]).includes(text)

/** The body of a connection test: what is typed and not yet saved. */
export const testInputSchema = z
  .strictObject({
    config: CONFIG_INPUTS.pms.meta({
      description:
        'pms alone: tests these settings, as saving them would leave them. A key that is left out is the stored one, at its own address only.',
    }),
  })
  .optional()

/**
 * The outcome of a connection test; `error` is the reason in English, without the address or the key. `details`: what a
 * PMS answered.
 */
export const testResultSchema = z.object({
  success: z.boolean(),
  reason: z.enum(TEST_REASONS).optional(),
  error: z.string().optional(),
  details: pmsDetailsSchema.optional(),
})
export type TestResult =
  | { success: true; details?: PmsDetails }
  | { success: false; reason: TestReason; error: string; details?: PmsDetails }

/** What is tested, and its last outcome kept: each integration, and a test mail. */
export const TEST_KINDS = [...INTEGRATION_TYPES, 'mail'] as const
export type TestKind = (typeof TEST_KINDS)[number]

/** The outcome of a test mail, and where it went. */
export const testMailSchema = testResultSchema.pick({ success: true, reason: true, error: true }).extend({
  to: z.string(),
})
