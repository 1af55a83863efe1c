import { DatabaseError } from '@/lib/db/errors'

/** An answer that is an error: thrown anywhere below a handler, answered as it stands. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly body: { error: string; [field: string]: unknown },
    readonly headers: Record<string, string> = {},
  ) {
    super(body.error)
    this.name = 'HttpError'
  }
}

/** The body of a 403 that a fresh code of the second factor lifts (POST /api/auth/second-factor). */
export const UNCONFIRMED = { error: 'Confirm with your second factor', confirm: 'second_factor' } as const

const DATABASE_STATUS: Record<string, { status: number; error: string; confirm?: string }> = {
  // Raised by private.refuse_unconfirmed.
  SF001: { status: 403, ...UNCONFIRMED },
  '23505': { status: 409, error: 'Already exists' },
  '42501': { status: 403, error: 'Forbidden' },
  PGRST116: { status: 404, error: 'Not found' },
  '22P02': { status: 400, error: 'Malformed value' },
  '22003': { status: 400, error: 'Number out of range' },
  '22007': { status: 400, error: 'Malformed value' },
  '22008': { status: 400, error: 'Malformed value' },
}

/**
 * The answer for anything a handler threw: HttpErrors as they are, known database codes mapped, the rest a 500,
 * `{error, code, timestamp}` or what `failure` makes of the message. `unexpected` tells to log it.
 */
export function errorAnswer(
  error: unknown,
  failure?: (message: string) => object,
): { response: Response; unexpected: boolean } {
  if (error instanceof HttpError) {
    const response = Response.json(error.body, { status: error.status, headers: error.headers })
    return { response, unexpected: false }
  }
  const known = error instanceof DatabaseError ? DATABASE_STATUS[error.code] : undefined
  if (known) {
    const { status, ...body } = known
    return { response: Response.json(body, { status }), unexpected: false }
  }
  const message = errorText(error)
  const usual = { error: message, code: 'INTERNAL_ERROR', timestamp: new Date().toISOString() }
  return { response: Response.json(failure ? failure(message) : usual, { status: 500 }), unexpected: true }
}

/** What may be told of anything thrown: our own errors and the database's say it themselves. */
export function errorText(error: unknown): string {
  return error instanceof HttpError || error instanceof DatabaseError ? error.message : 'Unexpected error'
}
