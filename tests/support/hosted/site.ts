import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '../../fakes/providers/tls'
import { testClient } from '../app'

/** The app's address on the web. */
export interface Site {
  /** `localhost:1234`, over https. */
  host: string
  /** A file with the certificate: `CURL_CA_BUNDLE`. */
  certificate: string
  close: () => Promise<void>
}

/** Serves the app's handlers over https, as the host does; `pointAppAt` says with which settings. */
export async function startSite(): Promise<Site> {
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-site-'))
  const pair = selfSigned()
  const certificate = join(directory, 'cert.pem')
  writeFileSync(certificate, pair.cert)
  const server = createServer(pair, async (request, response) => {
    try {
      const headers: Record<string, string> = {}
      if (request.headers.authorization) headers.authorization = request.headers.authorization
      const answer = await testClient().request(request.method ?? 'GET', request.url ?? '/', { headers })
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    certificate,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
