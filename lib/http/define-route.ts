import 'server-only'
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { type CookieJar, cookieJar } from '@/lib/auth/cookie-jar'
import { hasCronSecret } from '@/lib/auth/cron'
import type { Permission, Role } from '@/lib/auth/permissions'
import { readSession, type Session } from '@/lib/auth/session'
import { log } from '@/lib/log'
import { readJson } from './body'
import { errorAnswer, HttpError } from './errors'
import { refuseForeignOrigin } from './origin'
import { takeRateLimit } from './rate-limit'

/** `optional`: a session when there is one. */
type Auth = 'cron' | 'session' | 'optional' | 'none'
type Schema = z.ZodType | undefined
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined

/** What a handler gets: checked input and, for `session` routes, who is asking. */
interface RouteContext<A extends Auth, P extends Schema, Q extends Schema, B extends Schema> {
  request: Request
  requestId: string
  cookies: CookieJar
  session: A extends 'session' ? Session : A extends 'optional' ? Session | null : null
  params: Parsed<P>
  query: Parsed<Q>
  body: Parsed<B>
}

interface RouteOptions<A extends Auth, P extends Schema, Q extends Schema, B extends Schema> {
  auth: A
  permission?: Permission
  /** Only these roles, where no permission of the matrix says it. */
  roles?: readonly Role[]
  params?: P
  query?: Q
  body?: B
  /** The documented texts of this route's errors. */
  errors?: { unauthorized?: string; invalid?: string }
  /** The documented body of an unexpected failure (500), where it is not `{error, code, timestamp}`. */
  failure?: (message: string) => object
  /** Whether it changes something; the default is every method but GET and HEAD. */
  changes?: boolean
  rateLimit?: (context: RouteContext<A, P, Q, B>) => string
  handler: (context: RouteContext<A, P, Q, B>) => Promise<Response | object>
}

type RouteHandler = (request: Request, next?: { params: Promise<unknown> }) => Promise<Response>

/**
 * The one wrapper of every handler: request id → auth → permission → origin → size-capped body → zod →
 * rate limit → handler → error mapping. A returned object is answered as JSON with status 200.
 */
export function defineRoute<
  A extends Auth,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(options: RouteOptions<A, P, Q, B>): RouteHandler {
  return async (request, next) => {
    const requestId = request.headers.get('x-request-id')?.slice(0, 100) ?? randomUUID()
    const cookies = cookieJar(request)
    let response: Response
    try {
      const context = await prepare(options, request, requestId, cookies, next?.params)
      if (options.rateLimit) await takeRateLimit(options.rateLimit(context))
      const result = await options.handler(context)
      response = result instanceof Response ? result : Response.json(result)
    } catch (error) {
      const answer = errorAnswer(error, options.failure)
      if (answer.unexpected)
        log().error({ requestId, path: new URL(request.url).pathname, err: error }, 'request failed')
      response = answer.response
    }
    response.headers.set('X-Request-Id', requestId)
    response.headers.set('Cache-Control', 'no-store')
    return cookies.applyTo(response)
  }
}

async function prepare<A extends Auth, P extends Schema, Q extends Schema, B extends Schema>(
  options: RouteOptions<A, P, Q, B>,
  request: Request,
  requestId: string,
  cookies: CookieJar,
  params: Promise<unknown> | undefined,
): Promise<RouteContext<A, P, Q, B>> {
  const session = await authenticate(options, request, cookies)
  const changes = options.changes ?? !['GET', 'HEAD'].includes(request.method)
  if (changes && options.auth !== 'cron') refuseForeignOrigin(request)
  const invalid = options.errors?.invalid
  const query = Object.fromEntries(new URL(request.url).searchParams)
  return {
    request,
    requestId,
    cookies,
    session: session as RouteContext<A, P, Q, B>['session'],
    params: parse<P>(options.params as P, await params, invalid),
    query: parse<Q>(options.query as Q, query, invalid),
    body: options.body
      ? parse<B>(options.body as B, await readJson(request, invalid ?? 'Malformed JSON'), invalid)
      : (undefined as Parsed<B>),
  }
}

async function authenticate(
  options: Pick<RouteOptions<Auth, Schema, Schema, Schema>, 'auth' | 'permission' | 'roles' | 'errors'>,
  request: Request,
  cookies: CookieJar,
): Promise<Session | null> {
  const { auth, permission, roles, errors } = options
  const unauthorized = () => new HttpError(401, { error: errors?.unauthorized ?? 'Unauthorized' })
  if (auth === 'cron' && !hasCronSecret(request)) throw unauthorized()
  if (auth === 'cron' || auth === 'none') return null
  const session = await readSession(cookies)
  if (!session && auth === 'optional') return null
  if (!session) throw unauthorized()
  const allowed = (!permission || session.can(permission)) && (!roles || roles.includes(session.role))
  if (!allowed) throw new HttpError(403, { error: 'Forbidden' })
  return session
}

function parse<S extends Schema>(schema: S, input: unknown, invalid: string | undefined): Parsed<S> {
  if (!schema) return undefined as Parsed<S>
  const result = schema.safeParse(input)
  if (result.success) return result.data as Parsed<S>
  const [issue] = result.error.issues
  throw new HttpError(400, { error: invalid ?? `${issue?.path.join('.') || 'body'}: ${issue?.message}` })
}
