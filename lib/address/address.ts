import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Refusal, RefusedAddress } from './refusals'

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])
// Names of private networks, and of the clouds' metadata services (metadata.google.internal).
const INTERNAL_SUFFIXES = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home.arpa']
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** The reason why an IP address is refused; null when it is public. IPv4 inside IPv6 is checked as IPv4. */
export function ipRefusal(ip: string): Refusal | null {
  if (isIP(ip) === 0) return 'reserved'
  const address = ipaddr.process(ip)
  const range = address.range()
  if (range === 'loopback' || range === 'unspecified') return 'loopback'
  if (range === 'private' || range === 'uniqueLocal' || range === 'carrierGradeNat') return 'private'
  if (range === 'linkLocal') return 'link_local'
  if (range !== 'unicast') return 'reserved'
  return address.kind() === 'ipv6' && !address.match(GLOBAL_UNICAST_V6) ? 'reserved' : null
}

/** Whether the host is a name of loopback and the deployment allows loopback (ALLOW_LOOPBACK_UPSTREAMS). */
function isAllowedLoopback(hostname: string, allowLoopback: boolean): boolean {
  return allowLoopback && LOOPBACK_NAMES.has(hostname)
}

/** The reason why a URL's host is refused before DNS: a refused IP or a private name. Null when DNS has to decide. */
function hostRefusal(hostname: string, allowLoopback: boolean): Refusal | null {
  if (isAllowedLoopback(hostname, allowLoopback)) return null
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(bare) !== 0) return ipRefusal(bare)
  const internal = INTERNAL_SUFFIXES.some((suffix) => bare === suffix || bare.endsWith(`.${suffix}`))
  return internal ? 'internal_name' : null
}

/**
 * Refuses a host's DNS answer when one of its addresses is not public: the connection could use any of them. Loopback
 * is accepted where it is allowed, and only for the names of loopback.
 * @throws RefusedAddress
 */
export function checkAnswer(hostname: string, ips: readonly string[], allowLoopback: boolean): void {
  for (const ip of ips) {
    const refusal = ipRefusal(ip)
    if (refusal && !(refusal === 'loopback' && isAllowedLoopback(hostname, allowLoopback)))
      throw new RefusedAddress(refusal)
  }
}

/**
 * A configured address without trailing slash, credentials or query: https, or also http on loopback when
 * `allowLoopback`. The URL parser normalises every notation of an IPv4 address (hex, octal, short, other digits).
 * A name's IPs are checked when it is resolved.
 * @throws RefusedAddress
 */
export function safeUrl(value: string, allowLoopback: boolean): URL {
  const url = URL.parse(value)
  const local = url?.protocol === 'http:' && isAllowedLoopback(url.hostname, allowLoopback)
  if (!url || (url.protocol !== 'https:' && !local)) throw new RefusedAddress('scheme')
  const refusal = hostRefusal(url.hostname, allowLoopback)
  if (refusal) throw new RefusedAddress(refusal)
  return url
}

/** `safeUrl` as text, to which a path can be added. @throws RefusedAddress */
export function safeBaseUrl(value: string, allowLoopback: boolean): string {
  const url = safeUrl(value, allowLoopback)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
