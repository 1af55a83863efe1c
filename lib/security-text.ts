import 'server-only'
import { env } from '@/lib/env'
import { LOCALES } from '@/lib/i18n/locales'

const DAYS = 90

/**
 * The text of /.well-known/security.txt (RFC 9116). Null without SECURITY_CONTACT: an installation is its operator's,
 * and nobody else can answer for it. It expires 90 days from now, as it is made anew for each request.
 */
export function securityText(now: Date): string | null {
  const { SECURITY_CONTACT, PUBLIC_URL } = env()
  if (SECURITY_CONTACT === '') return null
  const expires = new Date(now.getTime() + DAYS * 86_400_000)
  return [
    `Contact: ${SECURITY_CONTACT}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${LOCALES.join(', ')}`,
    // Signed by nothing, so it names the one address where it is true.
    ...(PUBLIC_URL.startsWith('https:') ? [`Canonical: ${PUBLIC_URL}/.well-known/security.txt`] : []),
    '',
  ].join('\n')
}
