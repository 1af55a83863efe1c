import 'server-only'
import { createECDH } from 'node:crypto'
import { z } from 'zod'
import { safeBaseUrl } from '@/lib/address/address'
import { proxyList } from '@/lib/address/proxies'

const flag = z
  .enum(['0', '1', ''])
  .default('0')
  .transform((value) => value === '1')

const optionalUrl = z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default('')

const urlOr = (fallback: string) =>
  z
    .string()
    .default('')
    .transform((url) => url || fallback)

const secretsKey = z
  .base64()
  .refine((key) => Buffer.from(key, 'base64').length === 32, 'must be 32 bytes in base64')

// A shorter secret can be guessed over HTTP.
const MIN_SECRET = 16

const optionalSecret = z
  .string()
  .refine(
    (secret) => secret === '' || secret.length >= MIN_SECRET,
    `must have at least ${MIN_SECRET} characters (openssl rand -base64 32)`,
  )
  .default('')

function isProxyList(value: string): boolean {
  try {
    return value === '' || Boolean(proxyList(value))
  } catch {
    return false
  }
}

/** Whether a private key of push notices is empty or whole: Node takes one without its leading zeros, web-push does not. */
function isWholeKey(privateKey: string): boolean {
  return privateKey === '' || Buffer.from(privateKey, 'base64url').length === 32
}

/** Whether both keys are empty, or the public key belongs to the private key (P-256, base64url). */
function isKeyPair(publicKey: string, privateKey: string): boolean {
  if (publicKey === '' && privateKey === '') return true
  try {
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(privateKey, 'base64url')
    return curve.getPublicKey('base64url') === publicKey
  } catch {
    return false
  }
}

/** Messages a second; 0 is no limit. */
const perSecond = (usual: number) => z.coerce.number().min(0).max(1000).default(usual)

/** The project's address: the paths of its services are added to it. */
const projectUrl = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => !/\/(rest|auth|storage)\/v1\/?$/.test(url),
    'must be the address of the project, without a path',
  )

const settings = z.object({
  SUPABASE_URL: projectUrl,
  SUPABASE_PUBLISHABLE_KEY: z.string().min(1),
  SUPABASE_SECRET_KEY: z.string().min(1),
  SUPABASE_READ_URL: optionalUrl,
  CRON_SECRET: optionalSecret,
  SETUP_TOKEN: optionalSecret,
  SECRETS_KEY: secretsKey,
  SECRETS_KEY_PREVIOUS: z.union([z.literal(''), secretsKey]).default(''),
  VAPID_PUBLIC_KEY: z.string().default(''),
  VAPID_PRIVATE_KEY: z.string().default(''),
  VAPID_SUBJECT: z
    .string()
    .default('')
    .refine(
      (subject) => subject === '' || /^(https:\/\/|mailto:.+@)/.test(subject),
      'must be https:// or mailto:',
    ),
  SECURITY_CONTACT: z
    .string()
    .default('')
    .refine(
      (contact) => contact === '' || /^(https:\/\/\S+|mailto:\S+@\S+|tel:\S+)$/.test(contact),
      'must be https://, mailto: or tel:',
    ),
  PMS_SYNC_DAYS_BACK: z.coerce.number().int().min(0).max(366).default(7),
  PMS_SYNC_DAYS_AHEAD: z.coerce.number().int().min(0).max(366).default(1),
  PMS_HORIZON_DAYS: z.coerce.number().int().min(0).max(366).default(60),
  PMS_MISSING_MINUTES: z.coerce.number().int().min(0).max(10_080).default(10),
  PMS_TIMEOUT_MS: z.coerce.number().int().min(1).default(15_000),
  OPENAI_BASE_URL: z.union([z.literal(''), z.url()]).default(''),
  AI_TIMEOUT_MS: z.coerce.number().int().min(1).default(30_000),
  AI_BUDGET_MS: z.coerce.number().int().min(1).default(55_000),
  IMPORT_DIR: z.string().trim().default(''),
  UPLOAD_MB: z.union([z.literal(''), z.coerce.number().int().min(1).max(50)]).default(''),
  APP_URL: optionalUrl.transform((url) => url.replace(/\/+$/, '')),
  VERCEL_PROJECT_PRODUCTION_URL: z.string().default(''),
  VERCEL_REGION: z.string().default(''),
  MESSAGE_SANDBOX: flag,
  AUTH_MAILER: flag,
  TWILIO_BASE_URL: urlOr('https://api.twilio.com'),
  RESEND_BASE_URL: urlOr('https://api.resend.com'),
  SMS_PER_SECOND: perSecond(10),
  WHATSAPP_PER_SECOND: perSecond(20),
  EMAILS_PER_SECOND: perSecond(100),
  ALLOW_LOOPBACK_UPSTREAMS: flag,
  VERCEL: flag,
  TRUSTED_PROXIES: z
    .string()
    .trim()
    .default('')
    .refine(isProxyList, 'must be addresses or ranges, such as 10.0.0.0/8'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
})

/** Vercel takes bodies of 4.5 MB: a file, and the form around it. */
export const UPLOAD_MB_ON_VERCEL = 4

const schema = settings.transform((values, context) => {
  for (const name of ['TWILIO_BASE_URL', 'RESEND_BASE_URL', 'OPENAI_BASE_URL'] as const) {
    if (name === 'OPENAI_BASE_URL' && values[name] === '') continue
    try {
      values[name] = safeBaseUrl(values[name], values.ALLOW_LOOPBACK_UPSTREAMS)
    } catch (error) {
      const message = error instanceof Error ? error.message : 'is not an address'
      context.addIssue({ code: 'custom', path: [name], message })
    }
  }
  if (!isWholeKey(values.VAPID_PRIVATE_KEY))
    context.addIssue({
      code: 'custom',
      path: ['VAPID_PRIVATE_KEY'],
      message: 'must be 32 bytes in base64url (npx web-push generate-vapid-keys makes a pair)',
    })
  else if (!isKeyPair(values.VAPID_PUBLIC_KEY, values.VAPID_PRIVATE_KEY))
    context.addIssue({
      code: 'custom',
      path: ['VAPID_PUBLIC_KEY'],
      message: 'must be the pair of VAPID_PRIVATE_KEY (npx web-push generate-vapid-keys)',
    })
  const { APP_URL, VERCEL_PROJECT_PRODUCTION_URL: host, SECRETS_KEY, SECRETS_KEY_PREVIOUS } = values
  const SECRETS_KEYS: readonly [string, ...string[]] = SECRETS_KEY_PREVIOUS
    ? [SECRETS_KEY, SECRETS_KEY_PREVIOUS]
    : [SECRETS_KEY]
  // The app's public address; on Vercel the project's own host. Empty: unknown.
  const PUBLIC_URL = APP_URL || (host && `https://${host}`)
  // The contact for push services when our notices cause problems; they refuse plain http.
  const VAPID_SUBJECT = values.VAPID_SUBJECT || (PUBLIC_URL.startsWith('https:') ? PUBLIC_URL : '')
  const UPLOAD_MB = values.UPLOAD_MB || (values.VERCEL ? UPLOAD_MB_ON_VERCEL : 50)
  return { ...values, SECRETS_KEYS, PUBLIC_URL, VAPID_SUBJECT, UPLOAD_MB }
})

/** The deployment's settings; `.env.example` describes each. */
export type Env = z.infer<typeof schema>

let parsed: Env | undefined

/** A setting that is not set although the app needs it, or that is not valid. */
export interface SettingProblem {
  setting: string
  problem: 'missing' | 'invalid'
}

/** The deployment's settings are not valid. The message names each and what is wrong with it, never a value. */
export class InvalidSettings extends Error {
  constructor(
    readonly problems: readonly SettingProblem[],
    details: readonly string[],
  ) {
    super(`The environment is not complete (see .env.example):\n${details.join('\n')}`)
    this.name = 'InvalidSettings'
  }
}

/**
 * The settings, read and checked once. One that is blank counts as not set, as `.env.example` has them.
 * @throws InvalidSettings
 */
export function env(): Env {
  if (parsed) return parsed
  const given = withoutBlanks(process.env)
  const source: Record<string, string | undefined> = {
    ...given,
    // Projects from before the new key format use these two names.
    SUPABASE_PUBLISHABLE_KEY: given.SUPABASE_PUBLISHABLE_KEY ?? given.SUPABASE_ANON_KEY,
    SUPABASE_SECRET_KEY: given.SUPABASE_SECRET_KEY ?? given.SUPABASE_SERVICE_ROLE_KEY,
  }
  const result = schema.safeParse(source)
  if (!result.success) throw invalidSettings(result.error, source)
  parsed = result.data
  return parsed
}

/** The variables that have a value, without the white space that a copy brings along. */
function withoutBlanks(variables: NodeJS.ProcessEnv): Record<string, string> {
  const trimmed = Object.entries(variables).map(([name, value]) => [name, value?.trim() ?? ''] as const)
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''))
}

function invalidSettings(
  { issues }: z.ZodError,
  source: Readonly<Record<string, string | undefined>>,
): InvalidSettings {
  const isMissing = (setting: string) => source[setting] === undefined
  const names = [...new Set(issues.map(({ path }) => String(path[0])))]
  return new InvalidSettings(
    names.map((setting) => ({ setting, problem: isMissing(setting) ? 'missing' : 'invalid' })),
    issues.map(({ path, message }) => {
      const setting = String(path[0])
      return `${setting}: ${isMissing(setting) ? 'is not set' : message}`
    }),
  )
}

/** Whether this is `npm run dev`. */
export function isDevelopment(): boolean {
  return process.env.NODE_ENV === 'development'
}
