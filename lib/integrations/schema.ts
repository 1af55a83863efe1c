import { z } from 'zod'
import { safeBaseUrl } from '@/lib/address/address'
import { RefusedAddress } from '@/lib/address/refusals'
import { brokenMark } from '@/lib/db/broken'
import { env } from '@/lib/env'
import { blankable, emailAddress, line } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'
import { type PmsDetails, pmsDetailsSchema } from '@/lib/pms/details'
import { fieldsOf, formProblem, INTEGRATION_TYPES, type INTEGRATIONS, type IntegrationType } from './types'
import { compactSender, type Field } from './types/registration'

/** What the API takes for a field; null and '' clear it. */
function inputOf(type: IntegrationType, name: string, field: Field): z.ZodType {
  switch (field.kind) {
    case 'number': {
      const number = field.whole ? z.number().int() : z.number()
      return number.min(field.min).max(field.max).nullable().optional()
    }
    case 'email':
      return blankable(emailAddress).optional()
    case 'url':
      return blankable(
        line(500).superRefine((value, context) => {
          const problem = urlProblem(value)
          if (problem) context.addIssue({ code: 'custom', ...problem })
        }),
      ).optional()
    default:
      return blankable(
        line(field.max)
          .superRefine((value, context) => {
            const problem = formProblem(type, name, value)
            if (problem) context.addIssue({ code: 'custom', ...problemAs('invalid_format', problem) })
          })
          .transform((value) => (field.form ? compactSender(value) : value)),
      ).optional()
  }
}

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

type Fields<T extends IntegrationType> = (typeof INTEGRATIONS)[T]['fields']
type Value<F> = (F extends { kind: 'number' } ? number : string) | null

/** The body of a PUT for each type. An absent secret is kept; any other absent field is cleared, like null and ''. */
export const CONFIG_INPUTS = Object.fromEntries(
  INTEGRATION_TYPES.map((type) => [
    type,
    z.strictObject(
      Object.fromEntries(fieldsOf(type).map(([name, field]) => [name, inputOf(type, name, field)])),
    ),
  ]),
) as unknown as {
  [T in IntegrationType]: z.ZodObject<{
    [N in keyof Fields<T>]: z.ZodOptional<z.ZodType<Value<Fields<T>[N]>>>
  }>
}

const described = INTEGRATION_TYPES.map(
  (type) =>
    `${type} {${fieldsOf(type)
      .map(([name]) => name)
      .join(', ')}}`,
)

export const integrationInputSchema = z.strictObject({
  is_enabled: z.boolean(),
  config: z.record(z.string(), z.unknown()).meta({ description: described.join('; ') }),
})

type SecretName<T extends IntegrationType> = {
  [N in keyof Fields<T>]: Fields<T>[N] extends { kind: 'secret' } ? N : never
}[keyof Fields<T>] &
  string
type Shown<F> = F extends { kind: 'secret' } ? null : Value<F>

/** An integration as the API returns it: a secret is null, and `<name>_set` says whether there is one. */
export type Integration = {
  [T in IntegrationType]: {
    integration_type: T
    is_enabled: boolean
    config: { [N in keyof Fields<T>]: Shown<Fields<T>[N]> } & Record<`${SecretName<T>}_set`, boolean>
    broken?: true
  }
}[IntegrationType]

const shownSchema = (type: IntegrationType) =>
  z.object({
    integration_type: z.literal(type),
    is_enabled: z.boolean(),
    config: z.object(
      Object.fromEntries(
        fieldsOf(type).flatMap(([name, { kind }]): [string, z.ZodType][] =>
          kind === 'secret'
            ? [
                [name, z.null()],
                [`${name}_set`, z.boolean()],
              ]
            : [[name, (kind === 'number' ? z.number() : z.string()).nullable()]],
        ),
      ),
    ),
    broken: brokenMark,
  })

const [first, ...others] = INTEGRATION_TYPES.map(shownSchema)
export const integrationSchema = z
  .discriminatedUnion('integration_type', [first as ReturnType<typeof shownSchema>, ...others])
  .meta({ id: 'Integration' }) as unknown as z.ZodType<Integration>

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
