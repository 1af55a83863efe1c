import { BlockList, isIP } from 'node:net'

/**
 * Addresses and CIDR ranges, separated by commas. A list of places and not a number of hops: with a number, who reaches
 * the app past the proxy could write the address themselves.
 * @throws Error for what is neither.
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
