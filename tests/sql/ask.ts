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
export async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  if (response.ok) return body
  if (body !== null && typeof body === 'object' && 'code' in body && body.code === '42501') return REFUSED
  throw new Error(`${response.status} from ${response.url}: ${text}`)
}

/** Asks and gives the answer. */
export async function ask(cast: Cast, who: Who | 'service', path: string, question: Question = {}) {
  return answerOf(await request(cast, who, path, question))
}

/** The same, for answers that are rows. */
export async function askRows(cast: Cast, who: Who | 'service', path: string, question: Question = {}) {
  const body = await ask(cast, who, path, question)
  return body === REFUSED ? REFUSED : (body as Record<string, unknown>[])
}
