import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/** A gateway in front of a Supabase that is far away: each call arrives `delayMs` later, and is counted. */
export interface SlowGateway {
  url: string
  /** The calls since the last time, each as `GET /rest/v1/customers`. */
  take: () => string[]
  close: () => Promise<void>
}

/** Starts the gateway on a free port of loopback. */
export async function startSlowGateway(target: string, delayMs: number): Promise<SlowGateway> {
  const agent = new Agent({ keepAlive: true, timeout: 20_000 })
  const { hostname, port } = new URL(target)
  let calls: string[] = []
  const server = createServer({ keepAliveTimeout: 120_000 }, async (incoming, outgoing) => {
    const { method, url = '/' } = incoming
    calls.push(`${method} ${url.split('?')[0]}`)
    await pause(delayMs)
    const { host: _, connection: __, ...headers } = incoming.headers
    const call = request({ hostname, port, agent, method, path: url, headers })
    call.once('response', (response) => {
      const { connection: ___, 'keep-alive': ____, ...answered } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, answered)
      pipeline(response, outgoing, () => {})
    })
    call.on('error', () => outgoing.destroy())
    outgoing.once('close', () => call.destroy())
    incoming.pipe(call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = calls
      calls = []
      return taken
    },
    close: async () => {
      server.closeAllConnections()
      agent.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
