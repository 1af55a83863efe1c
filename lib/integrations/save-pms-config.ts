import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { addressOf, encryptSecret, type SecretsKeys } from './secrets'

/** How an organization reaches its PMS. */
export interface PmsSettings {
  organizationId: string
  baseUrl: string
  apiKey: string
  /** The restaurant to test the connection with where no location names one. */
  venueId: string | null
}

/**
 * Saves and enables an organization's PMS integration; the key is stored encrypted.
 * @param db the service client
 * @throws DatabaseError
 */
export async function savePmsConfig(db: Db, settings: PmsSettings, keys: SecretsKeys): Promise<void> {
  const { organizationId, baseUrl, apiKey, venueId } = settings
  const config = { base_url: baseUrl, ...(venueId === null ? {} : { venue_id: venueId }) }
  const address = addressOf('pms', config)
  const place = { organizationId, field: 'pms.api_key', address }
  const row = {
    organization_id: organizationId,
    integration_type: 'pms' as const,
    is_enabled: true,
    config,
    address,
    secrets: { api_key: encryptSecret(apiKey, place, keys) },
  }
  unwrap(await db.from('integration_configs').upsert(row, { onConflict: 'organization_id,integration_type' }))
}
