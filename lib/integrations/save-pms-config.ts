import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { encryptSecret } from './secrets'

/** How an organization reaches its PMS. */
export interface PmsSettings {
  organizationId: string
  baseUrl: string
  apiKey: string
  venueId: string
}

/**
 * Saves and enables an organization's PMS integration; the key is stored encrypted.
 * @param db the service client
 * @param secretsKey SECRETS_KEY: 32 bytes in base64
 * @throws DatabaseError
 */
export async function savePmsConfig(db: Db, settings: PmsSettings, secretsKey: string): Promise<void> {
  const { organizationId, baseUrl, apiKey, venueId } = settings
  const place = { organizationId, field: 'pms.api_key' }
  const row = {
    organization_id: organizationId,
    integration_type: 'pms',
    is_enabled: true,
    config: { base_url: baseUrl, venue_id: venueId },
    secrets: { api_key: encryptSecret(apiKey, place, secretsKey) },
  }
  unwrap(await db.from('integration_configs').upsert(row, { onConflict: 'organization_id,integration_type' }))
}
