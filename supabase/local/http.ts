import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { EmbeddedStack } from './embedded'

const KEEP_ALIVE_MS = 120_000

/** A stack served on loopback. */
export interface ServedStack {
  url: string
  close: () => Promise<void>
}

/** Serves the stack's API on 127.0.0.1 (port 0 picks a free one). `close` ends open connections. */
export function serveStack(stack: Pick<EmbeddedStack, 'fetch'>, port = 0): Promise<ServedStack> {
  return new Promise((resolve, reject) => {
    const server = serve(
      {
        port,
        hostname: '127.0.0.1',
        // Its own global Response is not the one that `Response.json` makes: instanceof would fail in tests.
        overrideGlobalObjects: false,
        fetch: (request, env) =>
          stack.fetch(
            request,
            (env as { incoming?: { socket: { remoteAddress?: string } } }).incoming?.socket.remoteAddress,
          ),
      },
      (info: AddressInfo) => {
        resolve({
          url: `http://127.0.0.1:${info.port}`,
          close: () =>
            new Promise((done) => {
              server.close(() => done())
              if ('closeAllConnections' in server) server.closeAllConnections()
            }),
        })
      },
    )
    server.once('error', reject)
    // A busy client notices late that an idle connection was closed, and loses the requests it sends on it.
    if ('keepAliveTimeout' in server) server.keepAliveTimeout = KEEP_ALIVE_MS
  })
}
