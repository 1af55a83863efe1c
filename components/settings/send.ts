import { askForCode } from '@/components/second-factor/ask-for-code'

/** The status that `send` gives for what the person did not confirm with a code. */
export const UNCONFIRMED_STATUS = 428

/** What one of our endpoints answered; `error` is its own English text: show words instead. */
export type Answer<T> = { ok: true; data: T } | { ok: false; status: number; error: string }

/** Sends a change to the API as JSON. Never throws: no answer is status 0. Someone signed out goes to sign in.
 * What needs a code of the second factor asks for it, and is sent again. */
export async function send<T = unknown>(
  method: string,
  path: string,
  body?: object,
  { headers, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Answer<T>> {
  try {
    const response = await fetch(path, {
      method,
      headers: { ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
      signal,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const answer = response.status === 204 ? {} : await response.json()
    if (response.ok) return { ok: true, data: (answer.data ?? answer) as T }
    if (response.status === 401)
      window.location.assign(`/sign-in?next=${encodeURIComponent(window.location.pathname)}`)
    if (response.status === 403 && answer.confirm === 'second_factor') {
      if (await askForCode()) return send(method, path, body, { headers, signal })
      return { ok: false, status: UNCONFIRMED_STATUS, error: '' }
    }
    return { ok: false, status: response.status, error: String(answer.error ?? '') }
  } catch {
    return { ok: false, status: 0, error: '' }
  }
}

/** The field an error of the API is about: `name` of `name: too long`; null when it names none. */
export function fieldOf(error: string): string | null {
  return /^(?:config\.)?([a-z_]+)(?:\.\d+)?: /.exec(error)?.[1] ?? null
}
