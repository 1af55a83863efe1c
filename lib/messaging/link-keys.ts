import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { openRetiredKey } from '@/lib/integrations/secrets'
import { isLinkToken, linkKey } from './link-token'

/**
 * Calls `read` with the link key of each SECRETS_KEY, then of each retired key, until one opens the token; null when
 * none does. The database is not asked about what cannot be a token.
 */
export async function withLinkKeys<T>(
  token: string,
  read: (token: string, derived: Uint8Array) => T | null,
): Promise<T | null> {
  if (!isLinkToken(token)) return null
  const { SECRETS_KEYS } = env()
  for (const key of SECRETS_KEYS) {
    const found = read(token, linkKey(key))
    if (found !== null) return found
  }
  for (const row of unwrap(await serviceDb().from('retired_keys').select('id, sealed')) ?? []) {
    const key = openRetiredKey(row, SECRETS_KEYS)
    const found = key && read(token, key)
    if (found) return found
  }
  return null
}
