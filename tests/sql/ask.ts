import type { Cast, Who } from './cast'

/** What someone got: the rows, or Postgres' refusal for want of rights. */
export const REFUSED = 'refused'

export interface Question {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: unknown
  headers?: Record<string, string>
}

/** A plain REST request as that person, or as the service: the path is what an attacker would type. */
export function request(cast: Cast, who: Who | 'service', path: string, question: Question = {}) {
  const { publishableKey, secretKey } = cast.stack.keys
  const apikey = who === 'service' ? secretKey : publishableKey
  const token = who === 'service' ? secretKey : (cast.tokens[who] ?? publishableKey)
  return fetch(`${cast.stack.url}/rest/v1/${path}`, {
    method: question.method ?? 'GET',
    headers: {
      apikey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...question.headers,
    },
    ...(question.body === undefined ? {} : { body: JSON.stringify(question.body) }),
  })
}

/**
 * The answer's JSON, or REFUSED.
 * @throws on any other error, so that a malformed request never passes for a blocked one.
 */
export async function ask(cast: Cast, who: Who | 'service', path: string, question: Question = {}) {
  const response = await request(cast, who, path, question)
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  if (response.ok) return body
  if (errorCode(body) === '42501') return REFUSED
  throw new Error(`${question.method ?? 'GET'} ${path} as ${who}: ${response.status} ${text}`)
}

/** The same, for answers that are rows. */
export async function askRows(cast: Cast, who: Who | 'service', path: string, question: Question = {}) {
  const body = await ask(cast, who, path, question)
  return body === REFUSED ? REFUSED : (body as Record<string, unknown>[])
}

export function errorCode(body: unknown): string | undefined {
  return body !== null && typeof body === 'object' && 'code' in body ? String(body.code) : undefined
}
