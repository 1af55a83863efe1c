import { env } from '@/lib/env'

type HeaderBag = Pick<Headers, 'get'>

/**
 * The host the browser addressed. Proxies in front of the app name it in `X-Forwarded-Host`; no page can make a
 * browser send that header to another site without asking first, and the API answers no such question.
 */
export function addressedHost(headers: HeaderBag): string | null {
  return first(headers, 'x-forwarded-host') ?? headers.get('host')
}

/**
 * Whether the browser came by https: the proxy in front says so, or the host is that of the app's own https address
 * (APP_URL), which no header takes back.
 */
export function isHttps(headers: HeaderBag): boolean {
  if (first(headers, 'x-forwarded-proto')?.toLowerCase() === 'https') return true
  const own = URL.parse(ownAddress())
  return own?.protocol === 'https:' && own.host === addressedHost(headers)?.toLowerCase()
}

// With wrong settings the header alone counts: the handler says what is wrong.
function ownAddress(): string {
  try {
    return env().PUBLIC_URL
  } catch {
    return ''
  }
}

/** The part of a header that the outermost proxy wrote. */
function first(headers: HeaderBag, name: string): string | null {
  return headers.get(name)?.split(',')[0]?.trim() || null
}
