import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from './app'

/** What the front answers instead of Auth; null hangs up without an answer. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string } | null

/** A proxy before a stack that answers some of Auth's paths itself. */
export interface AuthFront {
  url: string
  /** By the start of the path and query: `/auth/v1/token?grant_type=password`. */
  replies: Map<string, Reply>
  close: () => Promise<void>
}

/** Starts the proxy on loopback. */
export async function startAuthFront(target: string): Promise<AuthFront> {
  const replies: AuthFront['replies'] = new Map()
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming
    const chosen = [...replies].find(([start]) => url.startsWith(start))
    const body = Buffer.concat(await incoming.toArray())
    if (chosen) return give(outgoing, chosen[1])
    const { host, connection, 'transfer-encoding': _, 'content-length': __, ...headers } = incoming.headers
    const answer = await fetch(target + url, {
      method,
      headers: headers as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    })
    const given = Object.fromEntries(answer.headers)
    delete given['content-encoding']
    delete given['content-length']
    outgoing.writeHead(answer.status, given)
    outgoing.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replies,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function give(outgoing: ServerResponse, reply: Reply): void {
  if (!reply) return void outgoing.destroy()
  outgoing.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body)
}

const PREFIX = 'base64-'

/** Makes the access token in a client’s cookies one with so many seconds left: the next request refreshes it. */
export function expireSession({ cookies }: Client, left = -60): void {
  const parts = [...cookies].filter(([name]) => /auth-token(\.\d+)?$/.test(name)).sort()
  const joined = parts.map(([, value]) => value).join('')
  const session = JSON.parse(Buffer.from(joined.slice(PREFIX.length), 'base64url').toString())
  session.expires_at = Math.floor(Date.now() / 1000) + left
  for (const [name] of parts) cookies.delete(name)
  const name = String(parts[0]?.[0]).replace(/\.\d+$/, '')
  cookies.set(name, PREFIX + Buffer.from(JSON.stringify(session)).toString('base64url'))
}
