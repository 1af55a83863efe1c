import 'server-only'
import { z } from 'zod'
import type { Db } from '@/lib/db/types'
import { openSecret, type Reader, readEnabled, readStored } from './stored'

/** Credentials of an organization's PMS. Never log or return `apiKey`; every PMS URL contains it too. */
export interface PmsConfig {
  organizationId: string
  baseUrl: string
  apiKey: string
  /** The restaurant to ask about where no location names one. */
  venueId: string | null
}

const config = z.object({ base_url: z.string(), venue_id: z.string().optional() })
const secrets = z.object({ api_key: z.string() })

const reader: Reader<PmsConfig> = {
  type: 'pms',
  config,
  secrets,
  open: (row) => {
    const { base_url, venue_id } = config.parse(row.config)
    return {
      organizationId: row.organization_id,
      baseUrl: base_url,
      apiKey: openSecret(row, 'api_key', secrets.parse(row.secrets).api_key),
      venueId: venue_id ?? null,
    }
  },
}

/** The enabled PMS configurations: of one organization, or of all. @throws Error when a key cannot be decrypted. */
export const enabledPmsConfigs = (db: Db, organizationId?: string): Promise<PmsConfig[]> =>
  readEnabled(reader, db, organizationId)

/**
 * The stored configuration of an organization's PMS, enabled or not; null when the key or the address is missing.
 * @throws Error when the key cannot be decrypted.
 */
export const storedPmsConfig = (db: Db, organizationId: string): Promise<PmsConfig | null> =>
  readStored(reader, db, organizationId)
