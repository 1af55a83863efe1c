import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { LocalKeys } from '../../../supabase/local/keys'
import { localStorage } from '../../../supabase/local/storage'
import { roleTokens } from './jwt'

/** Loopback ports behind the gateway. */
export interface Services {
  postgrest: number
  auth: number
}

/** A listening gateway. */
export interface Gateway {
  url: string
  /** Says where the services are: Auth wants to know the gateway's address first. */
  connect: (services: Services) => void
  /**
   * Where a request to a path of the gateway goes on to; sets its credentials. Null when the gateway itself answers.
   * For callers in its own process, whom the way through it would cost a fifth of their time.
   */
  behind: (path: string, headers: Headers) => string | null
  /** Ends open connections too. */
  close: () => Promise<void>
}

const ROUTES = { '/rest/v1': 'postgrest', '/auth/v1': 'auth' } as const
type Prefix = keyof typeof ROUTES
const PREFIXES = Object.keys(ROUTES) as Prefix[]
const prefixOf = (path: string) => PREFIXES.find((prefix) => path.startsWith(`${prefix}/`))
// Links of mails and of other sites lead there: hosted Supabase asks for no API key.
const OPEN = /^\/auth\/v1\/(verify|callback|authorize|health|\.well-known\/jwks\.json)([?#]|$)/

/**
 * Hosted Supabase's front door on a loopback port (0 picks a free one): `/rest/v1` goes to PostgREST and `/auth/v1` to Auth, with the
 * API key turned into a role's JWT. Bodies are streamed both ways.
 */
export function startGateway(keys: LocalKeys, port = 0): Promise<Gateway> {
  // PostgREST drops idle connections after 30 s; leaving them earlier avoids writing to a dead one.
  const agent = new Agent({ keepAlive: true, timeout: 20_000 })
  const tokenOf = roleTokens(keys.jwtSecret)
  const roles = new Map([
    [keys.publishableKey, 'anon'],
    [keys.secretKey, 'service_role'],
  ])
  let services: Services | undefined

  function credentials(key?: string | null, given?: string | null): string | undefined {
    const role = roles.get(String(key))
    if (!role) return undefined
    const bearer = /^Bearer (.+)$/i.exec(given ?? '')?.[1]
    const isUser = bearer !== undefined && !roles.has(bearer)
    return `Bearer ${isUser ? bearer : tokenOf(role)}`
  }

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, prefix: Prefix) {
    const { host, connection, apikey, authorization, ...headers } = incoming.headers
    // The caller's address as hosted Supabase tells it; another one counts only from who has the secret key.
    headers['x-forwarded-for'] = incoming.socket.remoteAddress
    if (apikey !== keys.secretKey) delete headers['sb-forwarded-for']
    // Browsers send no key with a preflight request.
    const key = incoming.method === 'OPTIONS' ? keys.publishableKey : apikey
    const own = credentials(key?.toString(), authorization)
    const path = incoming.url ?? '/'
    if (!own && !OPEN.test(path)) return refuse(outgoing, 401, 'Invalid API key')
    const port = services?.[ROUTES[prefix]]
    if (!port) return refuse(outgoing, 503, 'Starting')
    const call = request({
      host: '127.0.0.1',
      port,
      agent,
      method: incoming.method,
      path: path.slice(prefix.length),
      headers: { ...headers, ...(own ? { authorization: own } : {}) },
    })
    call.once('response', (response) => {
      const { connection: _, 'keep-alive': __, ...answered } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, answered)
      pipeline(response, outgoing, () => {})
    })
    call.on('error', () => refuse(outgoing, 503, `${prefix} does not answer`))
    // A caller that hangs up ends its query's connection as well.
    outgoing.once('close', () => call.destroy())
    incoming.pipe(call)
  }

  const stored = localStorage(keys.secretKey)
  async function store(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { method = 'GET', url, headers } = incoming
    const body = method === 'GET' ? undefined : Buffer.concat(await incoming.toArray())
    const asked = { method, body, headers: headers as Record<string, string> }
    const answer = await stored(new Request(`http://storage${url}`, asked))
    if (!answer) return refuse(outgoing, 404, 'Not found')
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
    outgoing.end(Buffer.from(await answer.arrayBuffer()))
  }

  // A caller in this very process may be busy for longer than the usual five seconds between two requests.
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    const prefix = prefixOf(incoming.url ?? '/')
    if (prefix) return pass(incoming, outgoing, prefix)
    if (incoming.url?.startsWith('/storage/v1/')) return void store(incoming, outgoing)
    refuse(outgoing, 404, 'Not found')
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : ''}`,
        connect: (started) => {
          services = started
        },
        behind: (path, headers) => {
          const prefix = prefixOf(path)
          const port = prefix && services?.[ROUTES[prefix]]
          const own = credentials(headers.get('apikey'), headers.get('authorization'))
          if (!port || !own) return null
          headers.set('authorization', own)
          headers.delete('apikey')
          return `http://127.0.0.1:${port}${path.slice(prefix.length)}`
        },
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
