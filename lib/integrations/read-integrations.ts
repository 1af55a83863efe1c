import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { CONFIG_INPUTS, INTEGRATION_TYPES, type Integration, integrationSchema, SECRETS } from './schema'

const record = z.record(z.string(), z.unknown())

/** The four integrations of the caller's organization, configured or not; never a secret, nor its ciphertext. */
export async function readIntegrations({
  organization,
}: Pick<Session, 'organization'>): Promise<Integration[]> {
  // People may not even select ciphertexts; the service looks whether there is one.
  const found = await serviceDb()
    .from('integration_configs')
    .select('integration_type, is_enabled, config, secrets')
    .eq('organization_id', organization.id)
  const rows = new Map((unwrap(found) ?? []).map((row) => [row.integration_type, row]))
  return INTEGRATION_TYPES.map((type) => {
    const row = rows.get(type)
    const stored = record.parse(row?.config ?? {})
    const sealed = record.parse(row?.secrets ?? {})
    const secrets: readonly string[] = SECRETS[type]
    const config = Object.keys(CONFIG_INPUTS[type].shape).flatMap((name) =>
      secrets.includes(name)
        ? [
            [name, null],
            [`${name}_set`, typeof sealed[name] === 'string'],
          ]
        : [[name, stored[name] ?? null]],
    )
    return integrationSchema.parse({
      integration_type: type,
      is_enabled: row?.is_enabled ?? false,
      config: Object.fromEntries(config),
    })
  })
}
