import { randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

const NAME = Symbol.for('sobremesa.socket-address-header')
const shared = globalThis as { [NAME]?: string }

/**
 * The request header in which this process notes the address at the other end of the connection. Handlers see headers
 * only, and Next lets a client's own X-Forwarded-For stand. The name is drawn anew in each process: a client cannot
 * send it, whether or not anything notes addresses here.
 */
export function socketAddressHeader(): string {
  shared[NAME] ??= `x-socket-address-${randomUUID()}`
  return shared[NAME]
}

/** Lets this process' server note the address of each request's connection. */
export function noteSocketAddresses(): void {
  const header = socketAddressHeader()
  // Node publishes a request here before the server handles it.
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    request.headers[header] = request.socket.remoteAddress ?? ''
  })
}
