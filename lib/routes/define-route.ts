import 'server-only'
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { authenticate, changesData, unauthorized } from '@/lib/auth/authenticate'
import { clientNetwork, onBehalfOf } from '@/lib/auth/client-address'
import { type CookieJar, cookieJar, emptyJar } from '@/lib/auth/cookie-jar'
import { markChange } from '@/lib/auth/recent-change'
import { hasEnded, type Session } from '@/lib/auth/session'
import { isTokenRequest } from '@/lib/auth/token-session'
import { hasReplica } from '@/lib/db/replica'
import { actFor } from '@/lib/db/service'
import { readJson } from '@/lib/http/body'
import { errorAnswer, HttpError, invalidInput } from '@/lib/http/errors'
import { answerOnce, hashOfBody, type KeyedRequest, keyOf } from '@/lib/http/idempotency'
import { type InputProblem, problemsOf } from '@/lib/http/issues'
import { unstorablePath } from '@/lib/http/json'
import { refuseForeignOrigin } from '@/lib/http/origin'
import { type Attempts, takeAttempts, takeRateLimit } from '@/lib/http/rate-limit'
import { log, logFor } from '@/lib/log'
import { type Operation, takesKey } from '@/lib/openapi/operation'

type Auth = Operation['auth']
type Schema = z.ZodType | undefined
type Invalid = NonNullable<Operation['errors']>['invalid']
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined

/** What a handler receives: the parsed input and the caller's session, if the operation reads one. */
interface RouteContext<A extends Auth, P extends Schema, Q extends Schema, B extends Schema> {
  request: Request
  cookies: CookieJar
  session: A extends 'session' ? Session : A extends 'optional' ? Session | null : null
  params: Parsed<P>
  query: Parsed<Q>
  body: Parsed<B>
}

/** The operation's declaration (lib/<resource>/operations.ts), the key of its rate limit, and its handler. */
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
    | 'contract'
    | 'changes'
    | 'anyOrigin'
    | 'otherBodies'
    | 'creates'
  > {
  auth: A
  params?: P
  query?: Q
  body?: B
  responses?: Operation['responses']
  /** The key of a limit for people signed in. */
  rateLimit?: (context: RouteContext<A, P, Q, B>) => string
  /** A limit that callers without a session cannot get around. */
  attempts?: (context: RouteContext<A, P, Q, B>) => Attempts
  handler: (context: RouteContext<A, P, Q, B>) => Promise<Response | object>
}

const REFUSALS = new Set([401, 403, 429])

type RouteHandler = (request: Request, next?: { params: Promise<unknown> }) => Promise<Response>

/**
 * The one wrapper of every handler: request id → auth → permission → origin → path and query → body (size, JSON, zod) →
 * rate limit → Idempotency-Key → handler → error mapping. A returned object is answered as JSON with status 200.
 */
export function defineRoute<
  A extends Auth,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(options: RouteOptions<A, P, Q, B>): RouteHandler {
  return async (request, next) => {
    const requestId = request.headers.get('x-request-id')?.slice(0, 100) ?? randomUUID()
    const response = await logFor(requestId, () =>
      onBehalfOf(request, () => respond(options, request, next?.params)),
    )
    response.headers.set('X-Request-Id', requestId)
    response.headers.set('Cache-Control', 'no-store')
    return response
  }
}

async function respond<A extends Auth, P extends Schema, Q extends Schema, B extends Schema>(
  options: RouteOptions<A, P, Q, B>,
  request: Request,
  params: Promise<unknown> | undefined,
): Promise<Response> {
  // A request with an API token neither reads nor sets cookies.
  const cookies = isTokenRequest(request) ? emptyJar() : cookieJar(request)
  let response: Response
  let mayHaveChanged = false
  try {
    const { context, keyed } = await prepare(options, request, cookies, params)
    const byBrowser = options.auth !== 'cron' && !options.anyOrigin
    mayHaveChanged = byBrowser && changesData(options, request) && hasReplica()
    if (options.rateLimit) await takeRateLimit(options.rateLimit(context))
    if (options.attempts) await takeAttempts(options.attempts(context))
    const handle = async () => {
      const result = await options.handler(context)
      return result instanceof Response ? result : Response.json(result)
    }
    response = await actFor(context.session?.user_id, () =>
      keyed ? answerOnce(keyed, options.responses ?? {}, handle) : handle(),
    ).catch(async (error: unknown) => {
      throw (await endedMeanwhile(options.auth, context.session, error)) ? unauthorized(options) : error
    })
  } catch (error) {
    const answer = errorAnswer(error, options)
    if (answer.unexpected) {
      const failure = { path: loggedPath(request), err: error }
      // A search that is typed on, or a tab that is closed, ends its request: no failure of ours.
      if (request.signal.aborted) log().info(failure, 'the client left')
      else log().error(failure, 'request failed')
    }
    response = answer.response
    if (REFUSALS.has(response.status)) logRefusal(request, response)
  }
  if (mayHaveChanged) markChange(cookies, response)
  return cookies.applyTo(response)
}

/** The path without what is longer than an id: the token of a survey or an unsubscribe link. */
const loggedPath = (request: Request) => new URL(request.url).pathname.replaceAll(/[^/]{40,}/g, '…')

/** Notes a refused request; the lines of a request say who asks. */
function logRefusal(request: Request, { status, headers }: Response): void {
  const path = loggedPath(request)
  const code = headers.get('x-error-code')
  log().info(
    { method: request.method, path, status, code, network: clientNetwork(request) },
    'request refused',
  )
}

/** Whether a handler failed because the session ended while it ran: RLS then hid the rows it looked for. */
async function endedMeanwhile(auth: Auth, session: Session | null, error: unknown): Promise<boolean> {
  const { status } = errorAnswer(error).response
  const mayBe = auth === 'session' && (status === 403 || status === 404 || status >= 500)
  // When the database does not answer, the session's state is unknown.
  return mayBe && session !== null && hasEnded(session).catch(() => false)
}

async function prepare<A extends Auth, P extends Schema, Q extends Schema, B extends Schema>(
  options: RouteOptions<A, P, Q, B>,
  request: Request,
  cookies: CookieJar,
  params: Promise<unknown> | undefined,
): Promise<{ context: RouteContext<A, P, Q, B>; keyed: KeyedRequest | null }> {
  const session = await authenticate(options, request, cookies)
  const changes = changesData(options, request)
  const byMachine = session?.role === 'machine'
  if (changes && options.auth !== 'cron' && !byMachine && !options.anyOrigin) refuseForeignOrigin(request)
  const invalid = options.errors?.invalid
  const malformed = typeof invalid === 'string' ? invalid : undefined
  const { pathname, searchParams } = new URL(request.url)
  const key = session && takesKey(options, request.method) ? keyOf(request.headers) : null
  const given = {
    params: parse<P>(options.params as P, (await params) ?? {}, invalid),
    query: parse<Q>(options.query as Q, Object.fromEntries(searchParams), invalid),
  }
  const sent = options.body
    ? await readJson(request, malformed ?? 'Malformed JSON', options.bodyLimit)
    : undefined
  const body = parse<B>(options.body as B, sent, invalid)
  const keyed =
    session && key !== null ? { caller: session.user_id, path: pathname, key, hash: hashOfBody(sent) } : null
  return {
    context: { request, cookies, session: session as RouteContext<A, P, Q, B>['session'], ...given, body },
    keyed,
  }
}

function parse<S extends Schema>(schema: S, input: unknown, invalid: Invalid): Parsed<S> {
  if (!schema) return undefined as Parsed<S>
  const result = schema.safeParse(input, { reportInput: true })
  const problems = result.success ? unstorable(result.data) : problemsOf(result.error)
  if (result.success && problems.length === 0) return result.data as Parsed<S>
  const [first = { path: '', message: 'Invalid input' }] = problems
  const documented = typeof invalid === 'function' ? invalid(first) : invalid
  throw documented === undefined
    ? invalidInput(...problems)
    : new HttpError('INVALID_INPUT', { error: documented })
}

/** Input that passed its schema but cannot be stored. */
function unstorable(data: unknown): InputProblem[] {
  const path = unstorablePath(data)
  if (path === null) return []
  return [{ path, code: 'unstorable', message: 'Contains characters that cannot be stored' }]
}
