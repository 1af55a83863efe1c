import 'server-only'
import { z } from 'zod'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import { log } from '@/lib/log'
import type { IntegrationType } from './schema'
import { addressOf, decryptSecret } from './secrets'

// The configuration of each outside service, read with the service client: people have no grant on secrets.

interface Row {
  organization_id: string
  integration_type: string
  config: Json
  secrets: Json
}

const trimmed = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)

/** The rows of these types: of one organization, or of all (a usual deployment has one). */
const selectRows = (db: Db, types: readonly IntegrationType[], organizationId?: string) => {
  const query = db
    .from('integration_configs')
    .select('organization_id, integration_type, config, secrets')
    .in('integration_type', types)
    .order('organization_id')
  return organizationId ? query.eq('organization_id', organizationId) : query
}

const enabledRows = async (db: Db, type: IntegrationType, organizationId?: string): Promise<Row[]> =>
  unwrap(await selectRows(db, [type], organizationId).eq('is_enabled', true)) ?? []

/**
 * A secret of a stored integration, decrypted for the address that the row has now.
 * @throws Error when its key is missing, or it belongs to another row, field or address.
 */
function openSecret(row: Row, name: string, sealed: string): string {
  const { organization_id: organizationId, integration_type: type, config } = row
  const place = { organizationId, field: `${type}.${name}`, address: addressOf(type, config) }
  return decryptSecret(sealed, place, env().SECRETS_KEYS)
}

const pmsConfig = z.object({ base_url: z.string(), venue_id: z.string().optional() })
const pmsSecrets = z.object({ api_key: z.string() })

/** Credentials of an organization's PMS. Never log or return `apiKey`; every PMS URL contains it too. */
export interface PmsConfig {
  organizationId: string
  baseUrl: string
  apiKey: string
}

const openPms = (row: Row): PmsConfig => ({
  organizationId: row.organization_id,
  baseUrl: pmsConfig.parse(row.config).base_url,
  apiKey: openSecret(row, 'api_key', pmsSecrets.parse(row.secrets).api_key),
})

/** The enabled PMS configurations: of one organization, or of all. */
export async function enabledPmsConfigs(db: Db, organizationId?: string): Promise<PmsConfig[]> {
  return readable(await enabledRows(db, 'pms', organizationId), pmsConfig, pmsSecrets).map(openPms)
}

/**
 * The stored configuration of an organization's PMS, enabled or not; null when the key or the address is missing.
 * `venueId`: the restaurant to ask about where no location names one.
 * @throws Error when the key cannot be decrypted.
 */
export async function storedPmsConfig(
  db: Db,
  organizationId: string,
): Promise<(PmsConfig & { venueId: string | null }) | null> {
  const row = unwrap(await selectRows(db, ['pms'], organizationId).maybeSingle())
  const complete = row && pmsSecrets.safeParse(row.secrets).success && pmsConfig.safeParse(row.config).success
  return complete ? { ...openPms(row), venueId: pmsConfig.parse(row.config).venue_id ?? null } : null
}

const AI_DEFAULTS = { model: 'gpt-4o-mini', temperature: 0.7, maxTokens: 1000 } as const
const OPENAI_URL = 'https://api.openai.com/v1'
const aiConfig = z.object({
  model: trimmed,
  temperature: z.number().nullish(),
  max_tokens: z.number().nullish(),
  base_url: trimmed,
})
const aiSecrets = z.object({ api_key: z.string().nullish() })

/** How an organization reaches its language model. Never log or return `apiKey`. */
export interface AiConfig {
  apiKey: string
  model: string
  temperature: number
  maxTokens: number
  /** As configured: check it before use. */
  baseUrl: string
}

/** The organization's enabled AI configuration with defaults filled in; null when there is none, or it has no key. */
export async function enabledAiConfig(db: Db, organizationId: string): Promise<AiConfig | null> {
  const [row] = readable(await enabledRows(db, 'ai', organizationId), aiConfig, aiSecrets)
  return row ? openAi(row) : null
}

function openAi(row: Row): AiConfig | null {
  const sealed = aiSecrets.parse(row.secrets).api_key
  if (!sealed) return null
  const apiKey = openSecret(row, 'api_key', sealed)
  if (apiKey === '') return null
  const config = aiConfig.parse(row.config)
  return {
    apiKey,
    model: config.model ?? AI_DEFAULTS.model,
    temperature: config.temperature ?? AI_DEFAULTS.temperature,
    maxTokens: config.max_tokens ?? AI_DEFAULTS.maxTokens,
    baseUrl: config.base_url ?? (env().OPENAI_BASE_URL || OPENAI_URL),
  }
}

const twilioConfig = z.object({ account_sid: z.string(), sms_from: trimmed, whatsapp_from: trimmed })
const twilioSecrets = z.object({ auth_token: z.string() })

/**
 * An organization's Twilio account. A sender is a number, a name or a messaging service (MG…). Never log `authToken`.
 */
export interface TwilioConfig {
  organizationId: string
  accountSid: string
  authToken: string
  smsFrom: string | null
  whatsappFrom: string | null
}

/**
 * The enabled Twilio configurations: of one organization, or of all.
 * @throws Error when a token cannot be decrypted.
 */
export async function enabledTwilioConfigs(db: Db, organizationId?: string): Promise<TwilioConfig[]> {
  return readable(await enabledRows(db, 'twilio', organizationId), twilioConfig, twilioSecrets).map(
    openTwilio,
  )
}

function openTwilio(row: Row): TwilioConfig {
  const config = twilioConfig.parse(row.config)
  return {
    organizationId: row.organization_id,
    accountSid: config.account_sid,
    authToken: openSecret(row, 'auth_token', twilioSecrets.parse(row.secrets).auth_token),
    smsFrom: config.sms_from,
    whatsappFrom: config.whatsapp_from,
  }
}

const resendConfig = z.object({ from_email: z.string(), from_name: trimmed })
const resendSecrets = z.object({ api_key: z.string(), webhook_secret: z.string().nullish() })

/** An organization's Resend account. Without a webhook secret no webhook is accepted. Never log the secrets. */
export interface ResendConfig {
  organizationId: string
  apiKey: string
  webhookSecret: string | null
  fromEmail: string
  fromName: string | null
}

/**
 * The enabled Resend configurations: of one organization, or of all.
 * @throws Error when a secret cannot be decrypted.
 */
export async function enabledResendConfigs(db: Db, organizationId?: string): Promise<ResendConfig[]> {
  return readable(await enabledRows(db, 'resend', organizationId), resendConfig, resendSecrets).map(
    openResend,
  )
}

/**
 * The enabled accounts by which an organization sends messages, in one read.
 * @throws Error when a secret cannot be decrypted.
 */
export async function enabledSenders(db: Db, organizationId: string) {
  const found = await selectRows(db, ['twilio', 'resend'], organizationId).eq('is_enabled', true)
  const rows = (type: IntegrationType) =>
    (unwrap(found) ?? []).filter(({ integration_type }) => integration_type === type)
  return {
    twilio: readable(rows('twilio'), twilioConfig, twilioSecrets).map(openTwilio)[0],
    resend: readable(rows('resend'), resendConfig, resendSecrets).map(openResend)[0],
  }
}

function openResend(row: Row): ResendConfig {
  const config = resendConfig.parse(row.config)
  const { api_key, webhook_secret } = resendSecrets.parse(row.secrets)
  return {
    organizationId: row.organization_id,
    apiKey: openSecret(row, 'api_key', api_key),
    webhookSecret: webhook_secret ? openSecret(row, 'webhook_secret', webhook_secret) : null,
    fromEmail: config.from_email,
    fromName: config.from_name,
  }
}

const STORED = {
  ai: openAi,
  twilio: (row: Row) => (isWhole(row, twilioConfig, twilioSecrets) ? openTwilio(row) : null),
  resend: (row: Row) => (isWhole(row, resendConfig, resendSecrets) ? openResend(row) : null),
} as const

/** Without those that lack a field or cannot be read any more: they count as not configured, and are logged. */
const readable = (rows: Row[], ofConfig: z.ZodType, ofSecrets: z.ZodType): Row[] =>
  rows.filter((row) => {
    const whole = isWhole(row, ofConfig, ofSecrets)
    const { organization_id, integration_type } = row
    if (!whole) log().error({ organization_id, integration_type }, 'an integration cannot be read')
    return whole
  })

const isWhole = ({ config, secrets }: Row, ofConfig: z.ZodType, ofSecrets: z.ZodType): boolean =>
  ofConfig.safeParse(config).success && ofSecrets.safeParse(secrets).success

/**
 * The stored configuration of an organization's provider, enabled or not; null when a required field is missing.
 * @throws Error when a secret cannot be decrypted.
 */
export async function storedConfig<T extends keyof typeof STORED>(
  db: Db,
  type: T,
  organizationId: string,
): Promise<ReturnType<(typeof STORED)[T]>> {
  const row = unwrap(await selectRows(db, [type], organizationId).maybeSingle())
  return (row ? STORED[type](row) : null) as ReturnType<(typeof STORED)[T]>
}
