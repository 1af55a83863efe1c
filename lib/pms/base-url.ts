import { safeBaseUrl } from '@/lib/integrations/base-url'
import { PmsError } from './errors'

/**
 * The PMS' base URL, without trailing slash: https, or loopback when `allowLoopback`.
 * @throws PmsError `bad_base_url`.
 */
export function checkedBaseUrl(value: string, allowLoopback: boolean): string {
  const url = safeBaseUrl(value, allowLoopback)
  if (url === null) throw new PmsError('bad_base_url', 'the PMS address must start with https://')
  return url
}
