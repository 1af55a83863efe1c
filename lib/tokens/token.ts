import { createHash, randomBytes } from 'node:crypto'

/** What the secrets below are known by: the start of every token. */
const PREFIX = 'sbm'

/** 256 random bits as base64url, and the SHA-256, in hexadecimal, that is kept of them. */
export function newSecret(): { secret: string; hash: string } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashOfSecret(secret) }
}

/** The form in which the database keeps the secret half of a token. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The token a program sends: whose it is, and the secret. */
export function tokenOf(id: string, secret: string): string {
  return `${PREFIX}_${id}_${secret}`
}

/** What of a token is shown in lists, to recognize it by. */
export function shownPrefix(id: string): string {
  return `${PREFIX}_${id.slice(0, 8)}`
}

/** Whether a request means to be a program's: it carries `Authorization: Bearer sbm_…`, whatever follows. */
export function isTokenRequest({ headers }: Pick<Request, 'headers'>): boolean {
  return new RegExp(`^bearer +${PREFIX}_`, 'i').test(headers.get('authorization') ?? '')
}

/** The halves of the token a request carries; null when it has not the form of one. */
export function tokenIn({ headers }: Pick<Request, 'headers'>): { id: string; secret: string } | null {
  const form = new RegExp(
    `^bearer +${PREFIX}_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_([\\w-]{43})$`,
    'i',
  )
  const [, id, secret] = form.exec(headers.get('authorization') ?? '') ?? []
  return id && secret ? { id: id.toLowerCase(), secret } : null
}
