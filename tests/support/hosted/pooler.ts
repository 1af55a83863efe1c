import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { selfSigned } from '../../fakes/providers/tls'
import type { ServerAddress } from '../postgres/server'

const PROTOCOL = 0x00030000
const TLS_REQUEST = 80877103

/** Where it listens on loopback. */
export interface Pooler {
  port: number
  close: () => Promise<void>
}

/**
 * Stands before a server as Supabase's session pooler does: over TLS, a login `postgres.<ref>` to the database `postgres`
 * is the project's own role and database. The password is checked by the server.
 */
export async function startPooler(server: ServerAddress, ref: string, database: string): Promise<Pooler> {
  const certificate = selfSigned()
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    return socket
  }
  const serve = (client: Socket) => {
    keep(client).once('data', (message: Buffer) => {
      if (message.length === 8 && message.readInt32BE(4) === TLS_REQUEST) {
        client.write('S')
        serve(new TLSSocket(client, { isServer: true, ...certificate }))
        return
      }
      const behind = keep(connect(server.port, server.host))
      behind.write(forProject(message, ref, database))
      client.pipe(behind).pipe(client)
      client.on('close', () => behind.destroy())
      behind.on('close', () => client.destroy())
    })
  }
  const listener = createServer(serve).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        listener.close(() => done())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The first message of a connection, with the names that the server knows. Anything but a login goes on as it is. */
function forProject(message: Buffer, ref: string, database: string): Buffer {
  const length = message.readInt32BE(0)
  if (message.readInt32BE(4) !== PROTOCOL) return message
  const words = message.subarray(8, length).toString().split('\0')
  for (let at = 0; at + 1 < words.length; at += 2) {
    const value = words[at + 1] ?? ''
    if (words[at] === 'user') words[at + 1] = value.replace(new RegExp(`[.]${ref}$`), '')
    if (words[at] === 'database' && value === 'postgres') words[at + 1] = database
  }
  const parameters = Buffer.from(words.join('\0'))
  const head = Buffer.alloc(8)
  head.writeInt32BE(parameters.length + 8, 0)
  head.writeInt32BE(PROTOCOL, 4)
  return Buffer.concat([head, parameters, message.subarray(length)])
}
