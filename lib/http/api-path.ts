import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/** Makes this process' server rewrite every request's address with `apiPath`. */
export function repairApiPaths(): void {
  // Node publishes a request here before the server handles it.
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    if (request.url) request.url = apiPath(request.url)
  })
}

/**
 * Rewrites a request's address so that the API's routes answer it. Next's server would redirect repeated and trailing
 * slashes, and answer an undecodable path with a page. Here an empty segment becomes a blank one
 * (`/api/automations//run` has no id), and an undecodable segment is taken literally.
 */
export function apiPath(url: string): string {
  const [path = '', ...query] = url.split('?')
  if (!/^\/api[/\\]/.test(path)) return url
  const segments = path.replaceAll('\\', '%5C').replace(/\/+$/, '').slice(1).split('/')
  return [`/${segments.map(decodable).join('/')}`, ...query].join('?')
}

function decodable(segment: string): string {
  if (segment === '') return '%20'
  try {
    decodeURIComponent(segment)
    return segment
  } catch {
    return segment.replaceAll('%', '%25')
  }
}
