import type { ErrorCode, Issue } from '@/lib/http/error-codes'
import { askForCode } from './ask-for-code'
import { releaseLeaveGuards } from './use-leave-guard'

/** Why a request failed. Without `code` there was no answer at all, and `status` is 0. */
export interface Refusal {
  ok: false
  status: number
  code?: ErrorCode
  issues: readonly Issue[]
  /** With EDITED_MEANWHILE: the current values of these fields. */
  current?: Readonly<Record<string, unknown>>
}
export type Answer<T> = { ok: true; data: T } | Refusal

/**
 * Sends a change to the API as JSON. Never throws. A request without a session goes to the sign-in page, unless that
 * would lose unsaved input (`stay`). A request that needs a code of the second factor asks for it and is sent again.
 */
export async function send<T = unknown>(
  method: string,
  path: string,
  body?: object,
  { headers, signal, stay }: { headers?: Record<string, string>; signal?: AbortSignal; stay?: boolean } = {},
): Promise<Answer<T>> {
  try {
    const response = await fetch(path, {
      method,
      headers: { ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
      signal,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) {
      const refusal = await refusalOf(response)
      if (refusal.code === 'UNAUTHORIZED' && !stay) {
        // Unsaved input elsewhere on the page is kept.
        releaseLeaveGuards()
        window.location.assign(signInAgain())
      }
      if (refusal.code === 'SECOND_FACTOR_NEEDED' && (await askForCode()))
        return send(method, path, body, { headers, signal, stay })
      return refusal
    }
    const answer = response.status === 204 ? {} : await response.json()
    return { ok: true, data: (answer.data ?? answer) as T }
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
  const { issues = [], current } = await response.json().catch(() => ({}))
  const code = response.headers.get('X-Error-Code') as ErrorCode | null
  return {
    ok: false,
    status: response.status,
    ...(code ? { code } : {}),
    issues,
    ...(current ? { current } : {}),
  }
}
