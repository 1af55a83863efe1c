import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { checkAnswer, safeUrl } from '@/lib/address/address'
import { resolveHost } from './resolve'

/** The time (ms) that a save waits for DNS; a slower or unknown name is checked when connecting. */
const SAVE_WAIT_MS = 2000

/**
 * Resolves a name for a socket: every address is checked, and the socket connects to exactly these, so a later change
 * of the DNS answer has no effect. Fails with RefusedAddress.
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
 * Refuses an address that is private by its text or by the present DNS answer. A name unknown to DNS passes.
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
