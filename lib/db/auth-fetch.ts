import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuthError } from '@supabase/supabase-js'
import { env } from '@/lib/env'
import { HttpError } from '@/lib/http/errors'

/** What Auth says about credentials and refresh tokens. Its other answers at /token say nothing about the person. */
const VERDICTS = new Set([
  'invalid_credentials',
  'invalid_grant',
  'email_not_confirmed',
  'user_banned',
  'user_not_found',
  'validation_failed',
  'refresh_token_not_found',
  'refresh_token_already_used',
  'session_not_found',
  'session_expired',
])
const UNANSWERED = 'auth_unanswered'
const EMAIL_LIMIT = 'over_email_send_rate_limit'
// Auth itself sends no Retry-After. Its limits by address give one request back every two seconds (sign-in) to ten.
const WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 3600

const caller = new AsyncLocalStorage<() => string | null>()

/** Runs work for someone whose address (null: unknown) the calls to Auth name from then on. */
export function callingFrom<T>(address: () => string | null, work: () => T): T {
  return caller.run(address, work)
}

/** Who `callingFrom` works for at present: for clients that are used later, as those of pages are. */
export const presentCaller = () => caller.getStore()

interface AuthFetchOptions {
  /** Told after each refresh of a session whether Auth gave a verdict. */
  refreshed?: (isVerdict: boolean) => void
  /** Whose address is named where no work is for anyone. */
  from?: () => string | null
}

/**
 * A `fetch` for supabase-js clients that act for people. To Auth it names the caller's address (Sb-Forwarded-For), so
 * that Auth's limits count each address instead of ours. An answer of Auth that is no verdict about the person comes
 * as a 429 without a retry, which `silenceOf` tells from a verdict.
 */
export function authFetch(ask: typeof fetch, { refreshed, from }: AuthFetchOptions = {}): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    if (!pathname.includes('/auth/v1/')) return ask(input, init)
    const call = { ...init, headers: withAddress(new Headers(init?.headers), from) }
    if (!pathname.endsWith('/token')) return withWait(await ask(input, call))
    // auth-js would ask again for up to 30 s when a refresh fails, and end the session on any other status.
    const answer = await ask(input, call).catch(() => null)
    const heard = answer && (answer.status === 429 ? await withWait(answer) : await verdictOf(answer))
    if (search.includes('refresh_token')) refreshed?.(heard !== null && heard.status !== 429)
    return heard ?? plain(UNANSWERED, 'no verdict')
  }
}

/** Names the caller's address. Hosted Supabase believes it only of calls with the secret key. */
function withAddress(headers: Headers, from?: () => string | null): Headers {
  const address = (presentCaller() ?? from)?.()
  if (!address) return headers
  const { SUPABASE_PUBLISHABLE_KEY, SUPABASE_SECRET_KEY } = env()
  headers.set('sb-forwarded-for', address)
  headers.set('apikey', SUPABASE_SECRET_KEY)
  // A person's own token stays.
  if (headers.get('authorization') === `Bearer ${SUPABASE_PUBLISHABLE_KEY}`)
    headers.set('authorization', `Bearer ${SUPABASE_SECRET_KEY}`)
  return headers
}

const plain = (error_code: string, msg: string) => Response.json({ error_code, msg }, { status: 429 })

/** A 429 in Auth's form with the seconds to wait in its message; any other answer as it is. */
async function withWait(answer: Response): Promise<Response> {
  if (answer.status !== 429) return answer
  const { code, msg } = await readError(answer)
  const named = /\bafter (\d+) seconds?\b/.exec(msg)?.[1]
  const asked = waitIn(answer.headers) ?? (named && Number(named)) ?? WAIT_SECONDS
  const seconds = Math.min(Math.max(1, Math.ceil(Number(asked))), LONGEST_WAIT_SECONDS)
  return plain(code || 'over_request_rate_limit', `try again in ${seconds} s`)
}

/** Seconds of a Retry-After header, a number or an HTTP date. */
function waitIn(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : (at - Date.now()) / 1000
}

/** The answer if it holds a session or is a verdict, else null. */
async function verdictOf(answer: Response): Promise<Response | null> {
  // A page of a front, or half an answer, is no session: auth-js would end the present one for it.
  if (answer.ok) return (await holdsSession(answer.clone())) ? answer : null
  const isRefusal = answer.status >= 400 && answer.status < 500
  return isRefusal && VERDICTS.has((await readError(answer.clone())).code) ? answer : null
}

async function holdsSession(answer: Response): Promise<boolean> {
  const body: unknown = await answer.json().catch(() => null)
  return typeof (body as { access_token?: unknown } | null)?.access_token === 'string'
}

async function readError(answer: Response): Promise<{ code: string; msg: string }> {
  const body: unknown = await answer.json().catch(() => null)
  const { error_code, code, error, msg, message } = (body ?? {}) as Record<string, unknown>
  const first = [error_code, code, error].find((value) => typeof value === 'string')
  return { code: String(first ?? ''), msg: String(msg ?? message ?? '') }
}

/**
 * The error answer to an error of Auth that is no verdict: AUTH_BUSY with the seconds to wait at its limits,
 * AUTH_UNAVAILABLE when it failed or did not answer. Null for a verdict about the person or the input.
 * @param error the text of AUTH_UNAVAILABLE, in place of its usual one
 */
export function silenceOf({ status, code, message }: AuthError, error?: string): HttpError | null {
  if (status === 429 && code !== UNANSWERED) {
    const seconds = /\d+/.exec(message)?.[0] ?? String(WAIT_SECONDS)
    return new HttpError('AUTH_BUSY', { headers: { 'Retry-After': seconds } })
  }
  const isVerdict = code !== UNANSWERED && status !== undefined && status >= 400 && status < 500
  return isVerdict ? null : new HttpError('AUTH_UNAVAILABLE', { error })
}

/** Whether Auth refused to send a mail, which happens for existing accounts only. */
export const isMailLimit = ({ status, code }: AuthError): boolean => status === 429 && code === EMAIL_LIMIT
