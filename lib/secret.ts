import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new secret, 256 random bits as base64url, and the hash that the database keeps of it. */
export function newSecret(): { secret: string; hash: string } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashOfSecret(secret) }
}

/** The form in which the database keeps a secret or a code: its SHA-256, in hexadecimal. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

const digest = (value: string) => createHash('sha256').update(value).digest()

/** Whether two secrets are equal, compared in constant time. */
export const isSameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected))
