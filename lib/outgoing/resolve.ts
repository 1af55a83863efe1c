import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'

/** Every address of a host, as the system resolves it. @throws Error ENOTFOUND and the like. */
export function resolveHost(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true })
}
