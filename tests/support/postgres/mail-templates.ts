import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const TEMPLATES = new URL('../../../supabase/templates/', import.meta.url)

/** Serves the files of `supabase/templates` on loopback: Auth reads the texts of its mails over HTTP. */
export async function serveMailTemplates(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    try {
      const name = /^\/([\w-]+\.html)$/.exec(request.url ?? '')?.[1]
      response.end(name ? readFileSync(new URL(name, TEMPLATES)) : undefined)
    } catch {
      response.writeHead(404).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
