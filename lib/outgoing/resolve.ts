import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'

/** Every address of a host by the system's resolver. @throws Error such as ENOTFOUND. */
export function resolveHost(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true })
}
