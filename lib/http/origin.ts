import { env } from '@/lib/env'
import { HttpError } from './errors'

/** The `Sec-Fetch-Site` values of requests that no other site caused. */
const OWN_SITES = ['same-origin', 'none']

/**
 * Refuses a request that a page of another origin made a browser send, a sibling host's included: by
 * `Sec-Fetch-Site`, which comes with links and images too, or by an `Origin` that is not the one addressed.
 * Clients that are no browsers send neither and pass.
 * @throws HttpError 403.
 */
export function refuseForeignOrigin({ headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const foreign = (site !== null && !OWN_SITES.includes(site)) || (origin !== null && !isOwn(origin, headers))
  if (foreign) throw new HttpError('FORBIDDEN')
}

/** Whether the origin is the one addressed; sandboxed frames and local files send `null`, which is none. */
function isOwn(origin: string, headers: Headers): boolean {
  const from = URL.parse(origin)
  const schemes = isHttps(headers) ? ['https:'] : ['https:', 'http:']
  if (!from || !schemes.includes(from.protocol)) return false
  return from.origin === URL.parse(`${from.protocol}//${addressedHost(headers)}`)?.origin
}

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
