import 'server-only'
import { HttpError, notFoundError } from '@/lib/http/errors'
import type { Method, Operation } from '@/lib/openapi/operation'
import { defineRoute } from './define-route'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

type HttpMethod = (typeof METHODS)[number]
type Handler = (request: Request) => Promise<Response>
/** Next handles HEAD automatically where there is a GET. */
type Declared<P> = Uppercase<keyof P & string> | ('get' extends keyof P ? 'HEAD' : never)

/**
 * The methods that a path's operations do not declare: 405 with `{error}` and `Allow`, and OPTIONS, which lists
 * the others. A route file exports every one of them; Next's own 405 has neither a body nor `Allow`.
 */
export function otherMethods<const P extends Partial<Record<Method, Operation>>>(
  operations: P,
): Record<Exclude<HttpMethod, Declared<P>>, Handler> {
  const declared = METHODS.filter(
    (method) => method === 'OPTIONS' || (method === 'HEAD' ? 'get' : method.toLowerCase()) in operations,
  )
  const headers = { Allow: declared.toSorted().join(', ') }
  const refuse = answering(() => {
    throw new HttpError('METHOD_NOT_ALLOWED', { headers: headers })
  })
  const options = answering(() => new Response(null, { status: 204, headers }))
  return Object.fromEntries(
    METHODS.map((method) => [method, method === 'OPTIONS' ? options : refuse]),
  ) as Record<HttpMethod, Handler>
}

/** Every method of a path without operations: 404 with `{error}`. */
export function unknownPath(): Record<HttpMethod, Handler> {
  const refuse = answering(() => {
    throw notFoundError()
  })
  return Object.fromEntries(METHODS.map((method) => [method, refuse])) as Record<HttpMethod, Handler>
}

/** An open route: the API's description lists the methods anyway. */
function answering(answer: () => Response): Handler {
  return defineRoute({ auth: 'none', anyOrigin: true, contract: true, handler: async () => answer() })
}
