import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import { openSecret } from './open-secret'

const DEFAULTS = { model: 'gpt-4o-mini', temperature: 0.7, maxTokens: 1000 } as const
const OPENAI_URL = 'https://api.openai.com/v1'

const text = z.string().trim().nullish()
const configSchema = z.object({
  model: text,
  temperature: z.number().nullish(),
  max_tokens: z.number().nullish(),
  base_url: text,
})
const secretsSchema = z.object({ api_key: z.string().nullish() })

/** How an organization reaches its language model. Never log or answer `apiKey`. */
export interface AiConfig {
  apiKey: string
  model: string
  temperature: number
  maxTokens: number
  /** As configured: check it before use. */
  baseUrl: string
}

/**
 * The organization's enabled AI configuration with defaults filled in, or null when there is none (or it
 * has no key).
 * @param db the service client: secrets are not granted to people
 */
export async function enabledAiConfig(db: Db, organizationId: string): Promise<AiConfig | null> {
  const row = unwrap(
    await db
      .from('integration_configs')
      .select('organization_id, integration_type, config, secrets')
      .eq('organization_id', organizationId)
      .eq('integration_type', 'ai')
      .eq('is_enabled', true)
      .maybeSingle(),
  )
  const sealed = row && secretsSchema.parse(row.secrets).api_key
  if (!row || !sealed) return null
  const apiKey = openSecret(row, 'api_key', sealed)
  if (apiKey === '') return null
  const config = configSchema.parse(row.config)
  return {
    apiKey,
    model: config.model || DEFAULTS.model,
    temperature: config.temperature ?? DEFAULTS.temperature,
    maxTokens: config.max_tokens ?? DEFAULTS.maxTokens,
    baseUrl: config.base_url || env().OPENAI_BASE_URL || OPENAI_URL,
  }
}
