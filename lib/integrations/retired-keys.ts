import { decryptSecret, encryptSecret, type SecretPlace, type SecretsKeys } from './secrets'

/** A former key of unsubscribe links, sealed; `id` names the SECRETS_KEY it is derived from. */
export interface RetiredKey {
  id: string
  sealed: string
}

const placeOf = (id: string): SecretPlace => ({ organizationId: '', field: 'retired_keys', address: id })

/** Seals a former key with the current one. */
export function sealRetiredKey(id: string, key: Buffer, keys: SecretsKeys): RetiredKey {
  return { id, sealed: encryptSecret(key.toString('base64'), placeOf(id), keys) }
}

/** The key in a row; null when it was sealed with a SECRETS_KEY that is gone, or changed. */
export function openRetiredKey({ id, sealed }: RetiredKey, keys: SecretsKeys): Buffer | null {
  try {
    return Buffer.from(decryptSecret(sealed, placeOf(id), keys), 'base64')
  } catch {
    return null
  }
}
