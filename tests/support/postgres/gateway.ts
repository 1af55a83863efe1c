import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { LocalKeys } from '../../../supabase/local/keys'
import { roleTokens } from './jwt'

export interface GatewayOptions {
  keys: LocalKeys
  postgrestPort: number
  /** Answers `/auth/v1`, API keys included. */
  auth: (request: Request) => Promise<Response>
}

/** A listening gateway. */
export interface Gateway {
  url: string
  /** Ends open connections too. */
  close: () => Promise<void>
}

const REST = '/rest/v1'

/**
 * Hosted Supabase's front door on a free loopback port: `/rest/v1` goes to PostgREST, with the API key
 * turned into a role's JWT, and `/auth/v1` to `auth`. Bodies are streamed both ways.
 */
export function startGateway({ keys, postgrestPort, auth }: GatewayOptions): Promise<Gateway> {
  // PostgREST drops idle connections after 30 s; leaving them earlier avoids writing to a dead one.
  const agent = new Agent({ keepAlive: true, timeout: 20_000 })
  const upstream = { host: '127.0.0.1', port: postgrestPort, agent }
  const tokenOf = roleTokens(keys.jwtSecret)
  const roles = new Map([
    [keys.publishableKey, 'anon'],
    [keys.secretKey, 'service_role'],
  ])
  const answerAuth = getRequestListener(auth, { overrideGlobalObjects: false })

  function authorization(incoming: IncomingMessage): string | undefined {
    const role = roles.get(String(incoming.headers.apikey))
    // Browsers send no key with a preflight request.
    if (!role) return incoming.method === 'OPTIONS' ? `Bearer ${tokenOf('anon')}` : undefined
    const bearer = /^Bearer (.+)$/i.exec(incoming.headers.authorization ?? '')?.[1]
    const isUser = bearer !== undefined && !roles.has(bearer)
    return `Bearer ${isUser ? bearer : tokenOf(role)}`
  }

  function answerRest(incoming: IncomingMessage, outgoing: ServerResponse) {
    const credentials = authorization(incoming)
    if (!credentials) return refuse(outgoing, 401, 'Invalid API key')
    const { host, connection, apikey, ...headers } = incoming.headers
    const call = request({
      ...upstream,
      method: incoming.method,
      path: incoming.url?.slice(REST.length) || '/',
      headers: { ...headers, authorization: credentials },
    })
    call.once('response', (response) => {
      const { connection: _, 'keep-alive': __, ...answered } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, answered)
      pipeline(response, outgoing, () => {})
    })
    call.on('error', () => refuse(outgoing, 503, 'PostgREST does not answer'))
    // A caller that hangs up ends its query's connection as well.
    outgoing.once('close', () => call.destroy())
    incoming.pipe(call)
  }

  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/'
    if (path.startsWith(`${REST}/`)) return answerRest(incoming, outgoing)
    if (path.startsWith('/auth/v1/')) return void answerAuth(incoming, outgoing)
    refuse(outgoing, 404, 'Not found')
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : ''}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done())
            server.closeAllConnections()
            agent.destroy()
          }),
      })
    })
  })
}

function refuse(outgoing: ServerResponse, status: number, message: string) {
  if (outgoing.headersSent) return void outgoing.destroy()
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
}
