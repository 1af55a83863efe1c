import { createHash, randomBytes } from 'node:crypto'

/** What redeems an invitation: 256 random bits as base64url, and the SHA-256, in hexadecimal, that is kept of them. */
export function newInvitationToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOfToken(token) }
}

/** The form in which the database keeps a token. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
