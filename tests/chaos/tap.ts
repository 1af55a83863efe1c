import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Service = 'database' | 'twilio' | 'resend'

/** A request of a drainer to one of the services. */
export interface Exchange {
  drainer: string
  service: Service
  /** The SQL function, or `send`. */
  call: string
  headers: IncomingMessage['headers']
  body: string
}

/**
 * Looks on, and may interfere. `lose`: the request never gets there; `cut`: it does, but the connection breaks before the
 * answer; `deliver`: it gets there even if its sender is dead by then.
 */
export interface Observer {
  arrived: (exchange: Exchange) => 'pass' | 'lose' | 'cut' | 'deliver'
  answered: (exchange: Exchange, status: number, text: string) => void
}

export interface Tap {
  /** Where a drainer finds a service: under an address of its own, so that the tap knows them apart. */
  url: (drainer: string, service: Service) => string
  close: () => Promise<void>
}

/** A proxy between the drainers and everything they talk to. */
export async function startTap(targets: Record<Service, string>, observer: Observer): Promise<Tap> {
  const agent = new Agent({ keepAlive: true, timeout: 15_000 })

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const [, drainer = '', service = '', path = ''] = /^\/(\w+)\/(\w+)(\/.*)$/.exec(incoming.url ?? '') ?? []
    const body = await textOf(incoming)
    const call = service === 'database' ? (path.split(/[/?]/).at(-1) ?? '') : 'send'
    const { host, connection, ...headers } = incoming.headers
    const exchange: Exchange = { drainer, service: service as Service, call, headers, body }
    const action = observer.arrived(exchange)
    if (action === 'lose') return void incoming.socket.destroy()
    const onward = request(targets[service as Service] + path, { method: incoming.method, headers, agent })
    onward.once('response', async (response) => {
      const text = await textOf(response)
      observer.answered(exchange, response.statusCode ?? 0, text)
      if (action === 'cut') return void incoming.socket.destroy()
      const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...answered } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, answered).end(text)
    })
    onward.on('error', () => incoming.socket.resetAndDestroy())
    if (action === 'pass') outgoing.once('close', () => onward.destroy())
    onward.end(body)
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (drainer, service) => `http://127.0.0.1:${port}/${drainer}/${service}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        agent.destroy()
      }),
  }
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
