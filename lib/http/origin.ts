import { env } from '@/lib/env'
import { HttpError } from './errors'

/** The `Sec-Fetch-Site` values of requests that were not caused by another site. */
const OWN_SITES = ['same-origin', 'none']

/**
 * Refuses a request that a page of another origin, sibling hosts included, made a browser send. It checks
 * `Sec-Fetch-Site`, which links and images send too, and that `Origin` is the app's own. Clients other than browsers
 * send neither header and pass.
 * @throws HttpError 403.
 */
export function refuseForeignOrigin({ headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const foreign = (site !== null && !OWN_SITES.includes(site)) || (origin !== null && !isOwn(origin, headers))
  if (foreign) throw new HttpError('FORBIDDEN')
}

/** Whether the origin is the app's own; sandboxed frames and local files send `null`, which is refused. */
function isOwn(origin: string, headers: Headers): boolean {
  const from = URL.parse(origin)
  const schemes = isHttps(headers) ? ['https:'] : ['https:', 'http:']
  if (!from || !schemes.includes(from.protocol)) return false
  return from.origin === URL.parse(`${from.protocol}//${addressedHost(headers)}`)?.origin
}

type HeaderBag = Pick<Headers, 'get'>

/**
 * The host that the browser requested. Proxies in front of the app pass it in `X-Forwarded-Host`; a page of another
 * site cannot set that header without a CORS preflight, which the API never allows.
 */
export function addressedHost(headers: HeaderBag): string | null {
  return first(headers, 'x-forwarded-host') ?? headers.get('host')
}

/**
 * Whether the browser used https: by the proxy's header, or because the host is the one of the app's own https address
 * (APP_URL), which no header can override.
 */
export function isHttps(headers: HeaderBag): boolean {
  if (first(headers, 'x-forwarded-proto')?.toLowerCase() === 'https') return true
  const own = URL.parse(ownAddress())
  return own?.protocol === 'https:' && own.host === addressedHost(headers)?.toLowerCase()
}

/** The app's public address; empty while it is unknown, or the settings are invalid: the handler reports these. */
export function ownAddress(): string {
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
