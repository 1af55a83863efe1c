import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { INTEGRATION_TYPES, type IntegrationType, registrationOf } from './types'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * The associated data of a ciphertext: it cannot be decrypted in another row or field, or after a change of address.
 * `address` is `addressOf` its settings.
 */
export interface SecretPlace {
  organizationId: string
  field: string
  address: string
}

/** SECRETS_KEY and, if set, SECRETS_KEY_PREVIOUS: each 32 bytes in base64. */
export type SecretsKeys = readonly [current: string, ...previous: string[]]

/** The id of a key in its ciphertexts: the first 8 hex digits of the key's SHA-256. */
export function keyId(key: string): string {
  return createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 8)
}

const associatedData = ({ organizationId, field, address }: SecretPlace) =>
  Buffer.from(JSON.stringify([organizationId, field, address]))

/** Encrypts a secret with the current key: `<key id>.<base64url of nonce, ciphertext, tag>`. */
export function encryptSecret(plain: string, place: SecretPlace, [key]: SecretsKeys): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, Buffer.from(key, 'base64'), nonce).setAAD(associatedData(place))
  const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${keyId(key)}.${sealed.toString('base64url')}`
}

/**
 * Decrypts a result of `encryptSecret` with the key that it names.
 * @throws Error when that key is unknown, or the place or ciphertext was changed.
 */
export function decryptSecret(sealed: string, place: SecretPlace, keys: SecretsKeys): string {
  const [id, payload = ''] = sealed.split('.')
  const key = keys.find((each) => keyId(each) === id)
  if (!key) throw new Error('The secret was encrypted with another SECRETS_KEY')
  const data = Buffer.from(payload, 'base64url')
  if (data.length < NONCE_BYTES + TAG_BYTES) throw new Error('The secret is cut short')
  const nonce = data.subarray(0, NONCE_BYTES)
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv(ALGORITHM, Buffer.from(key, 'base64'), nonce, options)
  decipher.setAAD(associatedData(place)).setAuthTag(data.subarray(-TAG_BYTES))
  return decipher.update(data.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/**
 * The address that an integration's secrets are bound to (`boundTo`): the origin of its base URL (scheme, host, port), or
 * its account. Empty where the deployment sets the address (Resend, an AI without a base URL) or there is none yet.
 * @param config the integration's stored fields
 */
export function addressOf(type: IntegrationType, config: unknown): string {
  const fields = (typeof config === 'object' && config !== null ? config : {}) as Record<string, unknown>
  // The database may hold a type of the version after this one.
  const boundTo = INTEGRATION_TYPES.includes(type) ? registrationOf(type).boundTo : 'base_url'
  const value = boundTo && fields[boundTo]
  if (typeof value !== 'string') return ''
  return boundTo === 'base_url' ? (URL.parse(value)?.origin ?? value) : value.trim()
}

/** A former key of unsubscribe links, encrypted; `id` is the id of the SECRETS_KEY it is derived from. */
export interface RetiredKey {
  id: string
  sealed: string
}

const placeOf = (id: string): SecretPlace => ({ organizationId: '', field: 'retired_keys', address: id })

/** Encrypts a former key with the current one. */
export function sealRetiredKey(id: string, key: Buffer, keys: SecretsKeys): RetiredKey {
  return { id, sealed: encryptSecret(key.toString('base64'), placeOf(id), keys) }
}

/** The key in a row; null when it was encrypted with an unknown SECRETS_KEY, or changed. */
export function openRetiredKey({ id, sealed }: RetiredKey, keys: SecretsKeys): Buffer | null {
  try {
    return Buffer.from(decryptSecret(sealed, placeOf(id), keys), 'base64')
  } catch {
    return null
  }
}
