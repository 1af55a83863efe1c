import 'server-only'
import { env } from '@/lib/env'
import type { Recipient } from './suppress'
import { unsubscribeToken } from './unsubscribe-token'

/** Where the recipient unsubscribes, by looking (GET) or at once (POST); null while the app's public address is not known. */
export function unsubscribeUrl(recipient: Recipient): string | null {
  const { PUBLIC_URL, SECRETS_KEY } = env()
  return PUBLIC_URL ? `${PUBLIC_URL}/u/${unsubscribeToken(recipient, SECRETS_KEY)}` : null
}

/** The headers by which mail programs offer to unsubscribe with one click (RFC 8058); for an e-mail's `content.headers`. */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
