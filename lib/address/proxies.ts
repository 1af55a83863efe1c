import { randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/**
 * Parses addresses and CIDR ranges, separated by commas. They are a list and not a number of hops: with a number, a
 * client that reaches the app without the proxy could forge its address.
 * @throws Error for an entry that is neither.
 */
export function proxyList(list: string): BlockList {
  const proxies = new BlockList()
  for (const entry of list.split(',').map((part) => part.trim())) {
    const [address = '', bits] = entry.split('/')
    if (isIP(address) === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
      throw new Error('not an address or a range')
    if (bits === undefined) proxies.addAddress(address, family(address))
    else proxies.addSubnet(address, Number(bits), family(address))
  }
  return proxies
}

/** The kind of an address, as `BlockList` names it. */
export const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const NAME = Symbol.for('sobremesa.socket-address-header')
const shared = globalThis as { [NAME]?: string }

/**
 * The request header in which this process notes the address at the other end of the connection. Handlers see headers
 * only, and Next keeps a client's own X-Forwarded-For. The name is random in each process: a client cannot
 * send it, even when no address is noted here.
 */
export function socketAddressHeader(): string {
  shared[NAME] ??= `x-socket-address-${randomUUID()}`
  return shared[NAME]
}

/** Makes this process' server note the address of each request's connection. */
export function noteSocketAddresses(): void {
  const header = socketAddressHeader()
  // Node publishes a request here before the server handles it.
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    request.headers[header] = request.socket.remoteAddress ?? ''
  })
}
