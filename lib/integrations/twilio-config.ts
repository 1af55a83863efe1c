import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { openSecret } from './open-secret'

const sender = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)
const configSchema = z.object({ account_sid: z.string(), sms_from: sender, whatsapp_from: sender })
const secretsSchema = z.object({ auth_token: z.string() })

/** An organization's Twilio account. A sender is a number, a name or a messaging service (MG…). Never log `authToken`. */
export interface TwilioConfig {
  organizationId: string
  accountSid: string
  authToken: string
  smsFrom: string | null
  whatsappFrom: string | null
}

/**
 * The enabled Twilio configurations: of one organization, or of all (one in a usual deployment).
 * @throws Error when a token cannot be decrypted.
 */
export async function enabledTwilioConfigs(db: Db, organizationId?: string): Promise<TwilioConfig[]> {
  let query = db
    .from('integration_configs')
    .select('organization_id, integration_type, config, secrets')
    .eq('integration_type', 'twilio')
    .eq('is_enabled', true)
    .order('organization_id')
  if (organizationId) query = query.eq('organization_id', organizationId)
  return (unwrap(await query) ?? []).map((row) => {
    const config = configSchema.parse(row.config)
    return {
      organizationId: row.organization_id,
      accountSid: config.account_sid,
      authToken: openSecret(row, 'auth_token', secretsSchema.parse(row.secrets).auth_token),
      smsFrom: config.sms_from,
      whatsappFrom: config.whatsapp_from,
    }
  })
}
