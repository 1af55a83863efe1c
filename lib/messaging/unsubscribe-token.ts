import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { CHANNELS } from './schema'
import type { Recipient } from './suppress'

const MAC_BYTES = 16
const UUID_BYTES = 16
const UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/**
 * What an unsubscribe link carries: whom not to write to, by which channel, for which organization. It does not expire,
 * is the same each time, and shows nobody the address: it is sealed (AES-256-CTR under its own HMAC-SHA256 as nonce,
 * both keys derived from SECRETS_KEY).
 * @param key SECRETS_KEY: 32 bytes in base64
 */
export function unsubscribeToken({ organizationId, channel, address }: Recipient, key: string): string {
  const plain = Buffer.concat([
    Buffer.from(organizationId.replaceAll('-', ''), 'hex'),
    Buffer.from([CHANNELS.indexOf(channel)]),
    Buffer.from(channel === 'email' ? address.trim().toLowerCase() : address.trim(), 'utf8'),
  ])
  const { macKey, cipherKey } = halves(linkKey(key))
  const mac = macOf(plain, macKey)
  const cipher = createCipheriv('aes-256-ctr', cipherKey, mac)
  return Buffer.concat([mac, cipher.update(plain), cipher.final()]).toString('base64url')
}

/** What a token says; null when it is not one of ours, or was made with another SECRETS_KEY. */
export function readUnsubscribeToken(token: string, key: string): Recipient | null {
  return openUnsubscribeToken(token, linkKey(key))
}

/** The same by the key of the links alone, as `retired_keys` has it. */
export function openUnsubscribeToken(token: string, derived: Buffer): Recipient | null {
  const sealed = Buffer.from(token, 'base64url')
  if (sealed.length <= MAC_BYTES + UUID_BYTES + 1 || sealed.toString('base64url') !== token) return null
  const { macKey, cipherKey } = halves(derived)
  const mac = sealed.subarray(0, MAC_BYTES)
  const decipher = createDecipheriv('aes-256-ctr', cipherKey, mac)
  const plain = Buffer.concat([decipher.update(sealed.subarray(MAC_BYTES)), decipher.final()])
  if (!timingSafeEqual(mac, macOf(plain, macKey))) return null
  const channel = CHANNELS[plain[UUID_BYTES] ?? CHANNELS.length]
  if (!channel) return null
  const organizationId = plain.toString('hex', 0, UUID_BYTES).replace(UUID, '$1-$2-$3-$4-$5')
  return { organizationId, channel, address: plain.toString('utf8', UUID_BYTES + 1) }
}

/** The key of the links, 64 bytes; nothing of the SECRETS_KEY it comes from can be derived from it. */
export function linkKey(secretsKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'sobremesa unsubscribe', 64))
}

function halves(derived: Buffer): { macKey: Buffer; cipherKey: Buffer } {
  return { macKey: derived.subarray(0, 32), cipherKey: derived.subarray(32) }
}

function macOf(plain: Buffer, macKey: Buffer): Buffer {
  return createHmac('sha256', macKey).update(plain).digest().subarray(0, MAC_BYTES)
}
