import type { ErrorCode, Issue } from '@/lib/http/error-codes'
import type { Question } from '@/lib/reservations/questions'
import { newId } from '@/lib/uuid'
import { askForCode } from './ask-for-code'
import { releaseLeaveGuards } from './use-leave-guard'

/** Why a request failed. Without `code` there was no answer at all, and `status` is 0. */
export interface Refusal {
  ok: false
  status: number
  code?: ErrorCode
  issues: readonly Issue[]
  /** With EDITED_MEANWHILE the current values of these fields, with TABLE_TAKEN the party that has the table. */
  current?: Readonly<Record<string, unknown>>
  /** What the API asks before it saves a booking. */
  questions?: readonly Question[]
  /** The seconds to wait before another attempt, where the answer says so. */
  wait?: number
  /** With CONTACT_OF_ANOTHER: the guests whose contact it is. */
  candidates?: readonly { id: string; name: string | null }[]
}
/** `whole` has what an answer carries beside `data`. */
export type Answer<T> = { ok: true; data: T; whole: unknown } | Refusal

/**
 * The Idempotency-Key of a filled-in form: null before it is sent, then the same each time, so that what creates
 * something does so once. After success the form gets a new one.
 */
interface FormKey {
  current: string | null
}

/** Errors that say that something was created with the key: what is sent next is something else. */
const SPENT: readonly (ErrorCode | undefined)[] = ['IDEMPOTENCY_MISMATCH', 'ANSWER_NOT_KEPT']

interface SendOptions {
  headers?: Record<string, string>
  signal?: AbortSignal
  stay?: boolean
  /** For forms and buttons that create something. */
  key?: FormKey
}

/**
 * Sends a change to the API as JSON. Never throws. A request without a session goes to the sign-in page, unless that
 * would lose unsaved input (`stay`). A request that needs a code of the second factor asks for it and is sent again.
 */
export async function send<T = unknown>(
  method: string,
  path: string,
  body?: object,
  options: SendOptions = {},
): Promise<Answer<T>> {
  const { headers, signal, stay, key } = options
  const keyed = key && method === 'POST' ? key : null
  if (keyed) keyed.current ??= newId()
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...(keyed?.current ? { 'Idempotency-Key': keyed.current } : {}),
        ...headers,
      },
      signal,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) {
      const refusal = await refusalOf(response)
      if (keyed && SPENT.includes(refusal.code)) keyed.current = null
      if (refusal.code === 'UNAUTHORIZED' && !stay) {
        // Unsaved input elsewhere on the page is kept.
        releaseLeaveGuards()
        window.location.assign(signInAgain())
      }
      if (refusal.code === 'SECOND_FACTOR_NEEDED' && (await askForCode()))
        return send(method, path, body, options)
      return refusal
    }
    const answer = response.status === 204 ? {} : await response.json()
    // Only now: an answer that broke off half-way is asked for again with the same key.
    if (keyed) keyed.current = null
    return { ok: true, data: (answer.data ?? answer) as T, whole: answer }
  } catch {
    return { ok: false, status: 0, issues: [] }
  }
}

/** The sign-in page, which returns to the current page. */
export function signInAgain(): string {
  const { pathname, search } = window.location
  return `/sign-in?next=${encodeURIComponent(pathname + search)}`
}

/** Returns the refusal in an answer that is not ok. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const { issues = [], current, candidates, questions } = await response.json().catch(() => ({}))
  const known = response.headers.get('X-Error-Code') as ErrorCode | null
  // A host or proxy refuses a large body by itself, in plain text: it never reached the app.
  const code = known ?? (response.status === 413 ? 'BODY_TOO_LARGE' : null)
  const wait = Number(response.headers.get('Retry-After'))
  return {
    ok: false,
    status: response.status,
    ...(code ? { code } : {}),
    issues,
    ...(current ? { current } : {}),
    ...(wait > 0 ? { wait } : {}),
    ...(candidates ? { candidates } : {}),
    ...(questions ? { questions } : {}),
  }
}
