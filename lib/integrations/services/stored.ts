import 'server-only'
import { z } from 'zod'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { env } from '@/lib/env'
import { log } from '@/lib/log'
import { addressOf, decryptSecret } from '../secrets'
import type { IntegrationType } from '../types'

// What is stored of an outside service, read with the service client: people have no grant on secrets.

/** A stored integration, its secrets encrypted. */
export interface Row {
  organization_id: string
  integration_type: IntegrationType
  config: Json
  secrets: Json
}

/** How a service's rows are read. */
export interface Reader<Config> {
  type: IntegrationType
  /** What a row must have; one without it counts as not configured. */
  config: z.ZodType
  secrets: z.ZodType
  /** @throws Error when a secret cannot be decrypted */
  open: (row: Row) => Config
}

/** A text that may be missing; blank is null. */
export const trimmed = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)

/** The rows of these types: of one organization, or of all (a usual deployment has one). */
function selectRows(db: Db, types: readonly IntegrationType[], organizationId?: string) {
  const query = db
    .from('integration_configs')
    .select('organization_id, integration_type, config, secrets')
    .in('integration_type', types)
    .order('organization_id')
  return organizationId ? query.eq('organization_id', organizationId) : query
}

/** The enabled rows of these types; of one organization, or of all. @throws DatabaseError */
export async function enabledRows(
  db: Db,
  types: readonly IntegrationType[],
  organizationId?: string,
): Promise<Row[]> {
  return unwrap(await selectRows(db, types, organizationId).eq('is_enabled', true)) ?? []
}

/**
 * What is read from rows. Those that lack a field or cannot be read any more count as not configured, and are logged.
 * @throws Error when a secret cannot be decrypted.
 */
export function readRows<Config>(reader: Reader<Config>, rows: readonly Row[]): Config[] {
  return rows
    .filter((row) => {
      const whole = isWhole(reader, row)
      const { organization_id, integration_type } = row
      if (!whole) log().error({ organization_id, integration_type }, 'an integration cannot be read')
      return whole
    })
    .map(reader.open)
}

/** What is read from the enabled rows: of one organization, or of all. @throws as readRows; DatabaseError. */
export const readEnabled = async <Config>(reader: Reader<Config>, db: Db, organizationId?: string) =>
  readRows(reader, await enabledRows(db, [reader.type], organizationId))

/**
 * What is read from an organization's row, enabled or not; null when a required field is missing.
 * @throws Error when a secret cannot be decrypted; DatabaseError.
 */
export async function readStored<Config>(
  reader: Reader<Config>,
  db: Db,
  organizationId: string,
): Promise<Config | null> {
  const row = unwrap(await selectRows(db, [reader.type], organizationId).maybeSingle())
  return row && isWhole(reader, row) ? reader.open(row) : null
}

const isWhole = ({ config, secrets }: Reader<unknown>, row: Row): boolean =>
  config.safeParse(row.config).success && secrets.safeParse(row.secrets).success

/**
 * A secret of a stored integration, decrypted for the address that the row has now.
 * @throws Error when its key is missing, or it belongs to another row, field or address.
 */
export function openSecret(row: Row, name: string, sealed: string): string {
  const { organization_id: organizationId, integration_type: type, config } = row
  const place = { organizationId, field: `${type}.${name}`, address: addressOf(type, config) }
  return decryptSecret(sealed, place, env().SECRETS_KEYS)
}
