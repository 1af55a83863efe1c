import 'server-only'
import { createHmac } from 'node:crypto'
import { env } from '@/lib/env'

/** The header in which health names the installation. */
export const INSTALLATION_HEADER = 'X-Installation'

/**
 * A name for this installation that no other has: it tells whether an address leads here. From SECRETS_KEY, by a
 * one-way function that nothing else uses.
 */
export function installationId(): string {
  const [key] = env().SECRETS_KEYS
  return createHmac('sha256', Buffer.from(key, 'base64')).update('installation').digest('hex').slice(0, 16)
}
