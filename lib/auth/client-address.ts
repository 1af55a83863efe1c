import 'server-only'
import { type BlockList, isIP } from 'node:net'
import { family, proxyList, socketAddressHeader } from '@/lib/address/proxies'
import { callingFrom } from '@/lib/db/auth-fetch'
import { env } from '@/lib/env'

const MAX_PROXIES = 20
const UNKNOWN = 'unknown'

type Received = Pick<Request, 'headers'>

/**
 * The network a request comes from, for limits: an IPv4 address, or the /64 of an IPv6 one (a subscriber owns a whole
 * /64); `unknown` without an address.
 */
export function clientNetwork(request: Received): string {
  const address = clientAddress(request)
  return address ? networkOf(address) : UNKNOWN
}

/** Runs work for a request: Auth's limits then count its network, by the first address, and not this server. */
export function onBehalfOf<T>(request: Received, work: () => T): T {
  return callingFrom(() => {
    const address = clientAddress(request)
    return address && networkOf(address).replace(/\/64$/, '')
  }, work)
}

/**
 * The address a request comes from, null when it is unknown. It starts from the last hop, which no client can forge:
 * on Vercel the address Vercel saw, elsewhere the connection's. When that address is one of TRUSTED_PROXIES, the
 * address before it in X-Forwarded-For is used, and so on.
 */
function clientAddress(request: Received): string | null {
  let address = lastHop(request.headers)
  const trusted = trustedProxies()
  const before = (request.headers.get('x-forwarded-for') ?? '').split(',').slice(-MAX_PROXIES)
  while (address && trusted?.check(address, family(address))) {
    const next = normalize(before.pop())
    if (!next) break
    address = next
  }
  return address
}

function lastHop(headers: Headers): string | null {
  if (env().VERCEL)
    return normalize(headers.get('x-vercel-forwarded-for')?.split(',').at(-1) ?? headers.get('x-real-ip'))
  return normalize(headers.get(socketAddressHeader()))
}

let parsed: { list: string; proxies: BlockList } | undefined

function trustedProxies(): BlockList | null {
  const list = env().TRUSTED_PROXIES
  if (list === '') return null
  if (parsed?.list !== list) parsed = { list, proxies: proxyList(list) }
  return parsed.proxies
}

/** The address without port, brackets and zone; an IPv4-mapped IPv6 address as IPv4. Null when it is no IP address. */
function normalize(value: string | null | undefined): string | null {
  const text = (value ?? '').trim().slice(0, 64)
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/, '')
  if (isIP(address) === 0) return null
  if (isIP(address) === 4) return address
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(canonical)
  if (!mapped) return canonical
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function networkOf(address: string): string {
  if (isIP(address) === 4) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':') : []
  const all =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest]
  return `${all.slice(0, 4).join(':')}::/64`
}
