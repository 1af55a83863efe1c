import 'server-only'
import type { Json } from '@/lib/db/database.types'
import { env } from '@/lib/env'
import { addressOf } from './address'
import { decryptSecret } from './secrets'

/** A stored integration, as far as its secrets depend on it. */
interface Row {
  organization_id: string
  integration_type: string
  config: Json
}

/**
 * A secret of a stored integration, decrypted for the address that the row has now.
 * @throws Error when its key is missing, or it belongs to another row, field or address.
 */
export function openSecret(row: Row, name: string, sealed: string): string {
  const { organization_id: organizationId, integration_type: type, config } = row
  const place = { organizationId, field: `${type}.${name}`, address: addressOf(type, config) }
  return decryptSecret(sealed, place, env().SECRETS_KEYS)
}
