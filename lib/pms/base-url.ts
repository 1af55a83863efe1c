import { safeBaseUrl } from '@/lib/outgoing/address'
import { RefusedAddress } from '@/lib/outgoing/refusals'
import { PmsError } from './errors'

/**
 * The PMS' base URL, without trailing slash: https on the internet, or loopback when `allowLoopback`.
 * @throws PmsError `bad_base_url`, with the reason.
 */
export function checkedBaseUrl(value: string, allowLoopback: boolean): string {
  try {
    return safeBaseUrl(value, allowLoopback)
  } catch (error) {
    throw error instanceof RefusedAddress ? addressError(error) : error
  }
}

/** A refused address as a failure of the PMS. */
export function addressError({ message }: RefusedAddress): PmsError {
  return new PmsError('bad_base_url', `the PMS address ${message}`)
}
