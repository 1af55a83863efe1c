import { HttpError } from '@/lib/http/errors'

const typeOf = (request: Request) =>
  request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''

/** Whether the request brings a multipart form. */
export function isForm(request: Request): boolean {
  return typeOf(request) === 'multipart/form-data'
}

/**
 * The form without a file takes no body; JSON, which clients send out of habit, is not looked at.
 * @throws HttpError 415 for any other body: somebody sends a file in the wrong way.
 */
export function refuseOtherBodies(request: Request): void {
  const type = typeOf(request)
  const length = request.headers.get('content-length')
  const hasBody = length === null ? request.body !== null : Number(length) > 0
  if (hasBody && type !== '' && type !== 'application/json')
    throw new HttpError(415, { error: 'Content-Type must be multipart/form-data' })
}
