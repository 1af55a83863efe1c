import { hkdfSync } from 'node:crypto'
import { aessiv } from '@noble/ciphers/aes.js'

let latest: { secretsKey: string; derived: Buffer } | undefined

/** The key of the links in messages: 64 bytes, from which SECRETS_KEY cannot be derived. */
export function linkKey(secretsKey: string): Buffer {
  // Every message asks for it; deriving it takes as long as a third of its link.
  if (latest?.secretsKey !== secretsKey) latest = { secretsKey, derived: derive(secretsKey) }
  return Buffer.from(latest.derived)
}

// The label keeps its first name: changing it would invalidate the links already sent.
const derive = (secretsKey: string) =>
  Buffer.from(hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'sobremesa unsubscribe', 64))

/**
 * The token of a link: encrypted and authenticated with AES-256-SIV (RFC 5297), in base64url; the same each time.
 * @param derived a `linkKey`
 * @param purpose the kind of link; a token is valid only for its purpose. Unsubscribe links have none.
 */
export function sealLink(plain: Uint8Array, derived: Uint8Array, purpose?: string): string {
  return Buffer.from(cipher(derived, purpose).encrypt(plain)).toString('base64url')
}

const MIN_BYTES = 32
const MAX_LENGTH = 2000

/** Whether a text has the form of a token: base64url of an id and its seal at least. It says nothing of its key. */
export function isLinkToken(text: string): boolean {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) return false
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length >= MIN_BYTES && bytes.toString('base64url') === text
}

/** The content of a token; null when it is invalid, or has another key or purpose. */
export function openLink(token: string, derived: Uint8Array, purpose?: string): Buffer | null {
  if (!isLinkToken(token)) return null
  try {
    return Buffer.from(cipher(derived, purpose).decrypt(Buffer.from(token, 'base64url')))
  } catch {
    return null
  }
}

const cipher = (derived: Uint8Array, purpose?: string) =>
  purpose === undefined ? aessiv(derived) : aessiv(derived, Buffer.from(purpose, 'utf8'))

export const UUID_BYTES = 16
const UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/** The 16 bytes of a UUID. */
export const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

/** The UUID in the first 16 bytes. */
export const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex', 0, UUID_BYTES).replace(UUID, '$1-$2-$3-$4-$5')
