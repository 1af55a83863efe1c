import 'server-only'
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { actFor } from '@/lib/auth/acting'
import { type CookieJar, cookieJar, emptyJar } from '@/lib/auth/cookie-jar'
import { hasCronSecret } from '@/lib/auth/cron'
import { readStanding, type Session, type Standing } from '@/lib/auth/session'
import { readTokenSession } from '@/lib/auth/token-session'
import { log } from '@/lib/log'
import { type InputProblem, machinesNeed, type Operation } from '@/lib/openapi/operation'
import { isTokenRequest } from '@/lib/tokens/token'
import { type Attempts, takeAttempts } from './attempts'
import { readJson } from './body'
import { errorAnswer, HttpError, UNCONFIRMED } from './errors'
import { refuseForeignOrigin } from './origin'
import { takeRateLimit } from './rate-limit'
import { unstorablePath } from './storable'

type Auth = Operation['auth']
type Schema = z.ZodType | undefined
type Invalid = NonNullable<Operation['errors']>['invalid']
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

/** The declaration of the operation (lib/<resource>/operations.ts), what its rate limit counts by, and its handler. */
interface RouteOptions<A extends Auth, P extends Schema, Q extends Schema, B extends Schema>
  extends Pick<
    Operation,
    | 'permission'
    | 'roles'
    | 'machines'
    | 'confirm'
    | 'enrolling'
    | 'bodyLimit'
    | 'errors'
    | 'failure'
    | 'changes'
    | 'anyOrigin'
  > {
  auth: A
  params?: P
  query?: Q
  body?: B
  /** The key of a limit for people signed in. */
  rateLimit?: (context: RouteContext<A, P, Q, B>) => string
  /** A limit that callers without a session cannot get around. */
  attempts?: (context: RouteContext<A, P, Q, B>) => Attempts
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
    // A program's request reads and sets no cookie, whatever it carries: no browser has a hand in it.
    const cookies = isTokenRequest(request) ? emptyJar() : cookieJar(request)
    let response: Response
    try {
      const context = await prepare(options, request, requestId, cookies, next?.params)
      if (options.rateLimit) await takeRateLimit(options.rateLimit(context))
      if (options.attempts) await takeAttempts(options.attempts(context))
      const result = await actFor(context.session?.user_id, () => options.handler(context))
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
  const byMachine = session?.role === 'machine'
  if (changes && options.auth !== 'cron' && !byMachine && !options.anyOrigin) refuseForeignOrigin(request)
  const invalid = options.errors?.invalid
  const malformed = typeof invalid === 'string' ? invalid : undefined
  const query = Object.fromEntries(new URL(request.url).searchParams)
  const path = (await params) ?? {}
  return {
    request,
    requestId,
    cookies,
    session: session as RouteContext<A, P, Q, B>['session'],
    params: parse<P>(options.params as P, path, invalid),
    query: parse<Q>(options.query as Q, query, invalid),
    body: options.body
      ? parse<B>(
          options.body as B,
          await readJson(request, malformed ?? 'Malformed JSON', options.bodyLimit),
          invalid,
        )
      : (undefined as Parsed<B>),
  }
}

async function authenticate(
  options: Pick<
    RouteOptions<Auth, Schema, Schema, Schema>,
    'auth' | 'permission' | 'roles' | 'machines' | 'errors' | 'confirm' | 'enrolling'
  >,
  request: Request,
  cookies: CookieJar,
): Promise<Session | null> {
  const { auth, permission, roles, errors } = options
  const unauthorized = () => new HttpError(401, { error: errors?.unauthorized ?? 'Unauthorized' })
  if (auth === 'cron' && !hasCronSecret(request)) throw unauthorized()
  if (auth === 'cron' || auth === 'none') return null
  const forbidden = () => new HttpError(403, { error: 'Forbidden' })
  const byMachine = isTokenRequest(request)
  const needed = byMachine ? machinesNeed(options) : true
  if (!needed) throw forbidden()
  const session = byMachine
    ? await readTokenSession(request)
    : personOf(await readStanding(cookies), options.enrolling)
  if (!session && auth === 'optional') return null
  if (!session) throw unauthorized()
  const { role } = session
  const isOfRole = !roles || (role !== 'machine' && roles.includes(role))
  const allowed =
    isOfRole && (!permission || session.can(permission)) && (needed === true || session.can(needed))
  if (!allowed) throw forbidden()
  if (options.confirm && !session.second_factor.confirmed) throw new HttpError(403, UNCONFIRMED)
  return session
}

/** The person who may go on: nothing is missing, or the operation is on the way to the second factor. */
function personOf(standing: Standing | null, enrolling = false): Session | null {
  if (standing === null || standing.missing === 'code') return null
  return standing.missing === null || enrolling ? standing.session : null
}

function parse<S extends Schema>(schema: S, input: unknown, invalid: Invalid): Parsed<S> {
  if (!schema) return undefined as Parsed<S>
  const result = schema.safeParse(input)
  const problem = result.success ? unstorable(result.data) : problemOf(result.error)
  if (!problem && result.success) return result.data as Parsed<S>
  const { path, message } = problem ?? { path: '', message: 'Invalid input' }
  const usual = `${path || 'body'}: ${message}`
  const text = typeof invalid === 'function' ? invalid({ path, message }) : invalid
  throw new HttpError(400, { error: text ?? usual })
}

function problemOf({ issues: [issue] }: z.ZodError): InputProblem {
  return { path: issue?.path.join('.') ?? '', message: issue?.message ?? 'Invalid input' }
}

/** What passed its schema and still could not be stored. */
function unstorable(data: unknown): InputProblem | null {
  const path = unstorablePath(data)
  return path === null ? null : { path, message: 'Contains characters that cannot be stored' }
}
