const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * A configured address without trailing slash, credentials or query: https, or also http on loopback when
 * `allowLoopback`. Null for anything else.
 */
export function safeBaseUrl(value: string, allowLoopback: boolean): string | null {
  const url = URL.parse(value)
  if (!url) return null
  const local = allowLoopback && url.protocol === 'http:' && LOOPBACK.has(url.hostname)
  if (url.protocol !== 'https:' && !local) return null
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
