import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { apiPath } from '@/lib/http/api-path'

/** Next calls this once, before the first request. Its router then sees the addresses that the API can answer. */
export function register(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    if (request.url) request.url = apiPath(request.url)
  })
}
