import { linkKey, openLink, sealLink, UUID_BYTES, uuidBytes, uuidOf } from './link-token'
import { CHANNELS, type Recipient } from './schema'

/**
 * The token of an unsubscribe link: organization, channel and address, encrypted under a key derived from SECRETS_KEY
 * (see `sealLink`). It does not expire and is the same each time.
 * @param key SECRETS_KEY: 32 bytes in base64
 */
export function unsubscribeToken({ organizationId, channel, address }: Recipient, key: string): string {
  const plain = Buffer.concat([
    uuidBytes(organizationId),
    Buffer.from([CHANNELS.indexOf(channel)]),
    Buffer.from(channel === 'email' ? address.trim().toLowerCase() : address.trim(), 'utf8'),
  ])
  return sealLink(plain, linkKey(key))
}

/**
 * The recipient in a token; null when the token is invalid or has another key.
 * @param derived a `linkKey`, as `retired_keys` stores it
 */
export function openUnsubscribeToken(token: string, derived: Uint8Array): Recipient | null {
  const plain = openLink(token, derived)
  const channel = plain && CHANNELS[plain[UUID_BYTES] ?? CHANNELS.length]
  if (!channel) return null
  return { organizationId: uuidOf(plain), channel, address: plain.toString('utf8', UUID_BYTES + 1) }
}
