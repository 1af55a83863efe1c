import { addressedHost, isHttps } from './addressed'
import { HttpError } from './errors'

/** Where browsers say a request comes from when no other site had a hand in it: our own pages, or the person. */
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
  if (foreign) throw new HttpError(403, { error: 'Forbidden' })
}

/** Whether the origin is the one addressed; sandboxed frames and local files send `null`, which is none. */
function isOwn(origin: string, headers: Headers): boolean {
  const from = URL.parse(origin)
  const schemes = isHttps(headers) ? ['https:'] : ['https:', 'http:']
  if (!from || !schemes.includes(from.protocol)) return false
  return from.origin === URL.parse(`${from.protocol}//${addressedHost(headers)}`)?.origin
}
