import { hkdfSync } from 'node:crypto'
import { aessiv } from '@noble/ciphers/aes.js'
import { CHANNELS, type Recipient } from './schema'

const UUID_BYTES = 16
const UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/**
 * The token of an unsubscribe link: organization, channel and address, encrypted and authenticated with AES-256-SIV
 * (RFC 5297) under a key derived from SECRETS_KEY. It does not expire and is the same each time.
 * @param key SECRETS_KEY: 32 bytes in base64
 */
export function unsubscribeToken({ organizationId, channel, address }: Recipient, key: string): string {
  const plain = Buffer.concat([
    Buffer.from(organizationId.replaceAll('-', ''), 'hex'),
    Buffer.from([CHANNELS.indexOf(channel)]),
    Buffer.from(channel === 'email' ? address.trim().toLowerCase() : address.trim(), 'utf8'),
  ])
  return Buffer.from(aessiv(linkKey(key)).encrypt(plain)).toString('base64url')
}

/** The recipient in a token; null when the token is invalid or was made with another SECRETS_KEY. */
export function readUnsubscribeToken(token: string, key: string): Recipient | null {
  return openUnsubscribeToken(token, linkKey(key))
}

/** Like `openUnsubscribeToken`, with the derived key that `retired_keys` stores. */
export function openUnsubscribeToken(token: string, derived: Uint8Array): Recipient | null {
  const sealed = Buffer.from(token, 'base64url')
  if (sealed.toString('base64url') !== token) return null
  const plain = decrypt(sealed, derived)
  const channel = plain && CHANNELS[plain[UUID_BYTES] ?? CHANNELS.length]
  if (!channel) return null
  const organizationId = plain.toString('hex', 0, UUID_BYTES).replace(UUID, '$1-$2-$3-$4-$5')
  return { organizationId, channel, address: plain.toString('utf8', UUID_BYTES + 1) }
}

/** The key of the links: 64 bytes, from which SECRETS_KEY cannot be derived. */
export function linkKey(secretsKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'sobremesa unsubscribe', 64))
}

function decrypt(sealed: Uint8Array, key: Uint8Array): Buffer | null {
  try {
    return Buffer.from(aessiv(key).decrypt(sealed))
  } catch {
    return null
  }
}
