import { z } from 'zod'
import {
  codedErrorSchema,
  errorSchema,
  problem,
  silentAuth,
  unconfirmed,
  unexpectedSchema,
} from '@/lib/openapi/common'
import { type Answer, type Method, machinesNeed, type Operation, takesKey } from '@/lib/openapi/operation'

/** Every answer an operation can give: the usual errors that follow from its declaration, and its own. */
export function answersOf(operation: Operation, method: Method): Record<number, Answer> {
  const { auth, permission, roles, body, otherBodies, params, query, errors, failure } = operation
  const answers: Record<number, Answer> = {}
  if (params || query || body || otherBodies)
    answers[400] = problem('Bad input', 'INVALID_INPUT', invalidText(errors))
  if (auth === 'cron' || auth === 'session')
    answers[401] = problem('Not authenticated', 'UNAUTHORIZED', errors?.unauthorized)
  const fromElsewhere = (operation.changes ?? method !== 'get') && auth !== 'cron' && !operation.anyOrigin
  const machines = machinesNeed(operation)
  const forPeople = auth === 'session' && machines !== true
  if (permission || roles || fromElsewhere || forPeople)
    answers[403] = problem('Not allowed, or sent from another site', 'FORBIDDEN')
  if (operation.confirm) answers[403] = unconfirmed
  if (body || otherBodies) {
    answers[408] = problem('The body comes too slowly', 'BODY_TOO_SLOW')
    answers[413] = problem('Too large', 'BODY_TOO_LARGE')
    answers[415] = problem('Another content type', 'UNSUPPORTED_CONTENT_TYPE')
  }
  if (operation.rateLimited)
    answers[429] = {
      ...problem(tooMany(operation.rateLimited), 'RATE_LIMITED'),
      headers: { 'Retry-After': 'Seconds until the window ends' },
    }
  else if (machines)
    answers[429] = {
      ...problem('More than 120 requests of an API token in a minute', 'RATE_LIMITED'),
      headers: { 'Retry-After': 'Seconds until the window ends' },
    }
  answers[500] = unexpected(failure)
  if (auth === 'session' || auth === 'optional') answers[503] = silentAuth()
  const all = { ...answers, ...operation.responses }
  return mapValues({ ...all, ...(takesKey(operation, method) ? keyedAnswers(all) : {}) }, (answer) =>
    withBody(answer, operation.contract),
  )
}

const UNDER_WAY =
  'with an Idempotency-Key: the first request with it is under way (IN_PROGRESS), or was done and its answer is no longer kept (ANSWER_NOT_KEPT)'
const REPLAYED = { 'Idempotency-Replayed': '`true` when the answer was given before' }

/** What an Idempotency-Key adds to the answers of an operation. */
function keyedAnswers(answers: Record<number, Answer>): Record<number, Answer> {
  const done = Object.entries(answers).filter(([status]) => Number(status) < 300)
  const conflict = answers[409]
  const bad = answers[400] ?? problem('Bad input', 'INVALID_INPUT', 'Idempotency-Key: too long')
  return {
    ...Object.fromEntries(
      done.map(([status, answer]) => [status, { ...answer, headers: { ...answer.headers, ...REPLAYED } }]),
    ),
    400: bad,
    409: conflict
      ? { ...conflict, description: `${conflict.description}; ${UNDER_WAY}` }
      : problem(`W${UNDER_WAY.slice(1)}`, 'IN_PROGRESS'),
    422: problem('The Idempotency-Key was sent with another body', 'IDEMPOTENCY_MISMATCH'),
  }
}

const tooMany = (limit: true | 'hour' | 'previews') =>
  limit === 'previews'
    ? 'More than 60 previews and counts of one person in a minute, all kinds together'
    : `More than 10 requests in ${limit === 'hour' ? 'an hour' : 'a minute'}`

/** An error's body: in the contract's shape, or in ours with code and an example issue. */
function withBody({ error, ...answer }: Answer, contract = false): Answer {
  if (!error) return answer
  const { code, text } = error
  const headers = { ...answer.headers, 'X-Error-Code': 'What happened, for programs' }
  if (contract) return { ...answer, headers, schema: answer.schema ?? errorSchema, example: { error: text } }
  const path = code === 'INVALID_INPUT' ? /^[a-z_.]+(?=: )/.exec(text)?.[0] : undefined
  const issues = path === undefined ? {} : { issues: [{ path, code: 'invalid' }] }
  const confirm = code === 'SECOND_FACTOR_NEEDED' ? { confirm: 'second_factor' } : {}
  return {
    ...answer,
    headers,
    schema: answer.schema ?? codedErrorSchema,
    example: { error: text, code, ...issues, ...confirm },
  }
}

const mapValues = <V, R>(record: Record<number, V>, to: (value: V) => R): Record<number, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))

function invalidText(errors: Operation['errors']): string {
  const invalid = errors?.invalid ?? 'id: Invalid UUID'
  return typeof invalid === 'string' ? invalid : invalid({ path: '', message: 'Invalid input' })
}

function unexpected(failure: Operation['failure']): Answer {
  if (!failure)
    return {
      description: 'Unexpected failure',
      schema: unexpectedSchema,
      example: { error: 'Unexpected error', code: 'INTERNAL_ERROR', timestamp: '2026-11-20T12:00:00.000Z' },
    }
  const example = failure('Unexpected error')
  const fields = Object.entries(example).map(([name, value]) => [name, schemaLike(value)] as const)
  return {
    description: 'Unexpected failure',
    schema: fields.length === 1 ? errorSchema : z.strictObject(Object.fromEntries(fields)),
    example,
  }
}

function schemaLike(value: unknown): z.ZodType {
  if (typeof value === 'boolean') return z.boolean()
  return typeof value === 'number' ? z.number() : z.string()
}
