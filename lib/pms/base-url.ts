import { PmsError } from './errors'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The PMS' base URL, without trailing slash: https, or loopback when `allowLoopback`.
 * @throws PmsError `bad_base_url`.
 */
export function checkedBaseUrl(value: string, allowLoopback: boolean): string {
  const url = URL.parse(value)
  const allowed = url?.protocol === 'https:' || (allowLoopback && url !== null && LOOPBACK.has(url.hostname))
  if (!url || !allowed) throw new PmsError('bad_base_url', 'the PMS address must start with https://')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
