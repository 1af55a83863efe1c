import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { checkAnswer, safeUrl } from '@/lib/address/address'
import { resolveHost } from './resolve'

/** What a save waits for DNS; a name that is slower, or unknown today, is checked when it is connected to. */
const SAVE_WAIT_MS = 2000

/**
 * A socket's way to resolve a name: every address is checked, and exactly these are connected to, so a name that
 * answers something else a moment later gains nothing. Fails with RefusedAddress.
 */
export function guardedLookup(allowLoopback: boolean): LookupFunction {
  return (hostname, { all, family }, callback) => {
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family
    const answer = async (): Promise<LookupAddress[]> => {
      const found = await resolveHost(hostname)
      checkAnswer(
        hostname,
        found.map(({ address }) => address),
        allowLoopback,
      )
      const usable = wanted ? found.filter((each) => each.family === wanted) : found
      if (usable.length > 0) return usable
      throw Object.assign(new Error('The name has no address'), { code: 'ENOTFOUND' })
    }
    answer().then(
      (found) => (all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family)),
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}

/**
 * Refuses an address that leads inside, by its looks or by what DNS says now. A name that DNS does not know passes.
 * @throws RefusedAddress
 */
export async function checkReachable(value: string, allowLoopback: boolean): Promise<void> {
  const { hostname } = safeUrl(value, allowLoopback)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<LookupAddress[]>((resolve) => {
    timer = setTimeout(resolve, SAVE_WAIT_MS, [])
  })
  const host = hostname.replace(/^\[|\]$/g, '')
  const found = await Promise.race([resolveHost(host).catch(() => []), late])
  clearTimeout(timer)
  checkAnswer(
    hostname,
    found.map(({ address }) => address),
    allowLoopback,
  )
}
