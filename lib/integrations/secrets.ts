import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Where a secret belongs; bound to the ciphertext, so it cannot be moved to another row or field. */
export interface SecretPlace {
  organizationId: string
  field: string
}

/** Which key a ciphertext was made with: the first 8 hex digits of the key's SHA-256. */
function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8)
}

const associatedData = ({ organizationId, field }: SecretPlace) => Buffer.from(`${organizationId}\n${field}`)

/** Encrypts a secret: `<key id>.<base64url of nonce, ciphertext, tag>`. `key` is 32 bytes in base64. */
export function encryptSecret(plain: string, place: SecretPlace, key: string): string {
  const bytes = Buffer.from(key, 'base64')
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, bytes, nonce).setAAD(associatedData(place))
  const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${keyId(bytes)}.${sealed.toString('base64url')}`
}

/**
 * Decrypts what `encryptSecret` made.
 * @throws Error when the key is another one, or place or ciphertext were tampered with.
 */
export function decryptSecret(sealed: string, place: SecretPlace, key: string): string {
  const bytes = Buffer.from(key, 'base64')
  const [id, payload = ''] = sealed.split('.')
  if (id !== keyId(bytes)) throw new Error('The secret was encrypted with another SECRETS_KEY')
  const data = Buffer.from(payload, 'base64url')
  const nonce = data.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(ALGORITHM, bytes, nonce).setAAD(associatedData(place))
  decipher.setAuthTag(data.subarray(-TAG_BYTES))
  return decipher.update(data.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
