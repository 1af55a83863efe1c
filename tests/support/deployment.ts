import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'

/** A deployment's public address on loopback. */
export interface PublicAddress {
  url: string
  close: () => Promise<void>
}

/** Serves what `answer` gives for each request. */
export async function servePublicly(answer: (request: Request) => Promise<Response>): Promise<PublicAddress> {
  const server = createServer(async (incoming, outgoing) => {
    const headers = incoming.headers as Record<string, string>
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, { headers })
    const { status, headers: given, body } = await answer(request)
    outgoing.writeHead(status, Object.fromEntries(given))
    outgoing.end(body ? Buffer.from(await new Response(body).arrayBuffer()) : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** Gives the app these variables (undefined: none) as a new deployment would; returns how it was before. */
export function deployWith(
  variables: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]))
  for (const [name, value] of Object.entries(variables))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  vi.resetModules()
  return before
}
