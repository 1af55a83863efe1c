import 'server-only'
import { z } from 'zod'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { openSecret } from './open-secret'

const configSchema = z.object({ base_url: z.string(), venue_id: z.string().optional() })
const secretsSchema = z.object({ api_key: z.string() })

/** Credentials of an organization's PMS. Never log or answer `apiKey`; it also stands in every PMS URL. */
export interface PmsConfig {
  organizationId: string
  baseUrl: string
  apiKey: string
}

/** The enabled PMS configurations: of one organization, or of all (one in a usual deployment). */
export async function enabledPmsConfigs(db: Db, organizationId?: string): Promise<PmsConfig[]> {
  let query = db
    .from('integration_configs')
    .select('organization_id, integration_type, config, secrets')
    .eq('integration_type', 'pms')
    .eq('is_enabled', true)
    .order('organization_id')
  if (organizationId) query = query.eq('organization_id', organizationId)
  return (unwrap(await query) ?? []).map(open)
}

/**
 * What is stored for an organization's PMS, enabled or not; null when the key or the address is not there.
 * @throws Error when the key cannot be decrypted.
 */
export async function storedPmsConfig(db: Db, organizationId: string): Promise<PmsConfig | null> {
  const query = db
    .from('integration_configs')
    .select('organization_id, integration_type, config, secrets')
    .eq('integration_type', 'pms')
    .eq('organization_id', organizationId)
  const row = unwrap(await query.maybeSingle())
  const complete =
    row && secretsSchema.safeParse(row.secrets).success && configSchema.safeParse(row.config).success
  return complete ? open(row) : null
}

interface Row {
  organization_id: string
  integration_type: string
  config: Json
  secrets: Json
}

function open(row: Row): PmsConfig {
  return {
    organizationId: row.organization_id,
    baseUrl: configSchema.parse(row.config).base_url,
    apiKey: openSecret(row, 'api_key', secretsSchema.parse(row.secrets).api_key),
  }
}
