import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { openSecret } from './open-secret'

const configSchema = z.object({ from_email: z.string(), from_name: z.string().nullish() })
const secretsSchema = z.object({ api_key: z.string(), webhook_secret: z.string().nullish() })

/** An organization's Resend account. Without a webhook secret no webhook is believed. Never log the secrets. */
export interface ResendConfig {
  organizationId: string
  apiKey: string
  webhookSecret: string | null
  fromEmail: string
  fromName: string | null
}

/**
 * The enabled Resend configurations: of one organization, or of all (one in a usual deployment).
 * @throws Error when a secret cannot be decrypted.
 */
export async function enabledResendConfigs(db: Db, organizationId?: string): Promise<ResendConfig[]> {
  let query = db
    .from('integration_configs')
    .select('organization_id, integration_type, config, secrets')
    .eq('integration_type', 'resend')
    .eq('is_enabled', true)
    .order('organization_id')
  if (organizationId) query = query.eq('organization_id', organizationId)
  return (unwrap(await query) ?? []).map((row) => {
    const config = configSchema.parse(row.config)
    const secrets = secretsSchema.parse(row.secrets)
    const open = (name: string, sealed: string) => openSecret(row, name, sealed)
    return {
      organizationId: row.organization_id,
      apiKey: open('api_key', secrets.api_key),
      webhookSecret: secrets.webhook_secret ? open('webhook_secret', secrets.webhook_secret) : null,
      fromEmail: config.from_email,
      fromName: config.from_name?.trim() || null,
    }
  })
}
