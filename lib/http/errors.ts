import { DatabaseError } from '@/lib/db/errors'
import { ERRORS, type ErrorCode, type Issue } from './error-codes'
import type { InputProblem } from './issues'

/** Optional parts of an error answer besides its code. */
interface ErrorDetails {
  /** Replaces the code's usual text. */
  error?: string
  /** Replaces the code's usual status, where the contract requires it. */
  status?: number
  issues?: readonly Issue[]
  /** Further fields of the body. */
  fields?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

/** An error answer, thrown anywhere below a handler. */
export class HttpError extends Error {
  readonly status: number
  readonly issues: readonly Issue[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    readonly code: ErrorCode,
    { error, status, issues = [], fields = {}, headers = {} }: ErrorDetails = {},
  ) {
    const [usualStatus, usualError] = ERRORS[code]
    super(error ?? usualError)
    this.name = 'HttpError'
    this.status = status ?? usualStatus
    this.issues = issues
    this.fields = fields
    this.headers = headers
  }
}

/** The fields of SECOND_FACTOR_NEEDED; after a code sent to POST /api/auth/second-factor the request succeeds. */
export const CONFIRM = { confirm: 'second_factor' } as const

const MAX_ISSUES = 20

/** 400 for input whose fields have these problems; its text names the first. */
export function invalidInput(...problems: readonly InputProblem[]): HttpError {
  const [first] = problems
  return new HttpError('INVALID_INPUT', {
    ...(first ? { error: `${first.path || 'body'}: ${first.message}` } : {}),
    issues: problems.slice(0, MAX_ISSUES).map(({ message: _, ...issue }) => issue),
  })
}

/** 404 for a record that does not exist, or is not visible to the caller. */
export const notFoundError = () => new HttpError('NOT_FOUND')

/** The errors of outcomes that all SQL functions share, by the word they return. */
const OUTCOMES: Readonly<Record<string, ErrorCode>> = { forbidden: 'FORBIDDEN', not_found: 'NOT_FOUND' }

/**
 * Throws the error of an SQL function's outcome. The outcome is a word: `forbidden`, `not_found`, or one of `refusals`,
 * which map to an error's code or a field's problem; every other word means success.
 * @throws HttpError
 */
export function refuse(
  outcome: string | null,
  refusals: Readonly<Record<string, ErrorCode | InputProblem>> = {},
): void {
  const refusal = outcome === null ? undefined : (refusals[outcome] ?? OUTCOMES[outcome])
  if (refusal === undefined) return
  throw typeof refusal === 'string' ? new HttpError(refusal) : invalidInput(refusal)
}

const DATABASE_CODES: Readonly<Record<string, ErrorCode>> = {
  // Raised by private.refuse_unconfirmed.
  SF001: 'SECOND_FACTOR_NEEDED',
  // A call to the database whose token Auth does not refresh (lib/db/user.ts).
  AUTH_UNAVAILABLE: 'AUTH_UNAVAILABLE',
  // Raised by private.take_export, with the seconds to wait.
  PT429: 'RATE_LIMITED',
  '23505': 'ALREADY_EXISTS',
  '42501': 'FORBIDDEN',
  PGRST116: 'NOT_FOUND',
  '22P02': 'MALFORMED_VALUE',
  '22003': 'OUT_OF_RANGE',
  '22007': 'MALFORMED_VALUE',
  '22008': 'MALFORMED_VALUE',
}

/** The shape of a route's errors. */
interface ErrorShape {
  /** The body has the contract's shape, `{error}` and its documented fields; the code is in the header only. */
  contract?: true
  /** The documented body of an unexpected failure. */
  failure?: (message: string) => object
}

/**
 * The answer to an error thrown by a handler: `{error, code, issues?}` and the code as `X-Error-Code`. An error that is
 * neither an HttpError nor a known database error becomes a 500, `{error, code, timestamp}` or the result of `failure`,
 * and `unexpected` is true: the caller should log it.
 */
export function errorAnswer(
  thrown: unknown,
  { contract, failure }: ErrorShape = {},
): { response: Response; unexpected: boolean } {
  const error = asHttpError(thrown)
  if (error) {
    const { code, message, status, issues, fields } = error
    const coded = contract ? {} : { code, ...(issues.length > 0 ? { issues } : {}) }
    const headers = { ...error.headers, 'X-Error-Code': code }
    return {
      response: Response.json({ error: message, ...coded, ...fields }, { status, headers }),
      unexpected: false,
    }
  }
  const message = errorText(thrown)
  const usual = { error: message, code: 'INTERNAL_ERROR', timestamp: new Date().toISOString() }
  const headers = { 'X-Error-Code': 'INTERNAL_ERROR' }
  return {
    response: Response.json(failure ? failure(message) : usual, { status: 500, headers }),
    unexpected: true,
  }
}

function asHttpError(thrown: unknown): HttpError | null {
  if (thrown instanceof HttpError) return thrown
  if (!(thrown instanceof DatabaseError)) return null
  const code = DATABASE_CODES[thrown.code]
  if (code === undefined) return null
  if (code === 'RATE_LIMITED') return new HttpError(code, { headers: { 'Retry-After': thrown.wait ?? '60' } })
  return new HttpError(code, code === 'SECOND_FACTOR_NEEDED' ? { fields: CONFIRM } : {})
}

/**
 * The message to show for a thrown value: that of our own errors, else a general one. Never the database's: it names
 * tables, functions and values; the log has it.
 */
export function errorText(error: unknown): string {
  if (error instanceof HttpError) return error.message
  return error instanceof DatabaseError ? 'The database could not do this' : 'Unexpected error'
}
