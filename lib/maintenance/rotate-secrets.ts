import { z } from 'zod'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import {
  addressOf,
  decryptSecret,
  encryptSecret,
  keyId,
  openRetiredKey,
  type SecretsKeys,
  sealRetiredKey,
} from '@/lib/integrations/secrets'
import type { IntegrationType } from '@/lib/integrations/types'
import { linkKey } from '@/lib/messaging/link-token'

const PAGE = 500
// Secrets saved during a pass are read again. The limit ends the loop when an app still writes with the old key.
const PASSES = 5

const secretsSchema = z.record(z.string(), z.string())

interface Row {
  id: string
  organization_id: string
  integration_type: IntegrationType
  config: Json
  secrets: Json
}

/**
 * The numbers of secrets that were re-encrypted, already had the current key, or open with neither key (to be entered
 * again).
 */
export interface Rotation {
  rotated: number
  current: number
  unreadable: number
}

/**
 * Re-encrypts every stored secret with the current key, and stores the former unsubscribe key. Safe while an app with
 * both keys is running: secrets that the app saves meanwhile are not overwritten.
 * @param db the service client
 * @throws DatabaseError; Error when the app kept saving with the former key.
 */
export async function rotateSecrets(db: Db, keys: SecretsKeys): Promise<Rotation> {
  const retired = await retiredKeys(db, keys)
  unwrap(await db.rpc('rotate_secrets', { p_changes: [], p_retired: retired }))
  let rotated = 0
  for (let pass = 0; pass < PASSES; pass++) {
    const found = { current: 0, unreadable: 0 }
    let pending = false
    for await (const rows of pages(db)) {
      const changes = rows.map((row) => change(row, keys, found)).filter((each) => each !== null)
      if (changes.length === 0) continue
      const p_changes = changes.map(({ count: _, ...each }) => each)
      const changed = new Set(unwrap(await db.rpc('rotate_secrets', { p_changes, p_retired: [] })))
      for (const { id, count } of changes) if (changed.has(id)) rotated += count
      pending = true
    }
    if (!pending) return { rotated, current: found.current - rotated, unreadable: found.unreadable }
  }
  throw new Error(
    'Secrets are still being saved with the old key: is every instance of the app on the new one?',
  )
}

async function* pages(db: Db): AsyncGenerator<Row[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await db
      .from('integration_configs')
      .select('id, organization_id, integration_type, config, secrets')
      .gt('id', after)
      .order('id')
      .limit(PAGE)
    const page = unwrap(rows) ?? []
    yield page
    if (page.length < PAGE) return
    after = page.at(-1)?.id ?? after
  }
}

/** Re-encrypts a row's secrets that have another key; null when there are none. Counts what it finds. */
function change(row: Row, keys: SecretsKeys, found: Omit<Rotation, 'rotated'>) {
  const before = secretsSchema.parse(row.secrets)
  const after: Record<string, string> = {}
  let count = 0
  for (const [name, sealed] of Object.entries(before)) {
    after[name] = sealed
    const address = addressOf(row.integration_type, row.config)
    const place = { organizationId: row.organization_id, field: `${row.integration_type}.${name}`, address }
    if (sealed.startsWith(`${keyId(keys[0])}.`)) found.current++
    else {
      try {
        after[name] = encryptSecret(decryptSecret(sealed, place, keys), place, keys)
        count++
      } catch {
        found.unreadable++
      }
    }
  }
  return count > 0 ? { id: row.id, before, after, count } : null
}

async function retiredKeys(db: Db, keys: SecretsKeys) {
  const [, ...previous] = keys
  const stored = unwrap(await db.from('retired_keys').select('id, sealed')) ?? []
  const open = stored.flatMap((row) => {
    const key = openRetiredKey(row, keys)
    return key ? [{ id: row.id, key }] : []
  })
  const former = previous.map((key) => ({ id: keyId(key), key: linkKey(key) }))
  const known = new Map([...open, ...former].map(({ id, key }) => [id, key]))
  return [...known].map(([id, key]) => ({ ...sealRetiredKey(id, key, keys) }))
}
