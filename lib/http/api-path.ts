import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/** Lets this process' server see every request's address as `apiPath` has it. */
export function repairApiPaths(): void {
  // Node publishes a request here before the server handles it.
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    if (request.url) request.url = apiPath(request.url)
  })
}

/**
 * The address of a request as the API's routes can answer it. The server in front of them redirects repeated
 * slashes and a slash at the end, and answers what it cannot decode with a page; here an empty segment becomes
 * a blank one (`/api/automations//run` has no id), and what cannot be decoded stands for itself.
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
