import { parseCookieHeader } from '@supabase/ssr'
import { PASSWORD } from '../factories/group'
import { expectDocumented } from '../support/contract'

export interface HttpRequest {
  /** An object is sent as JSON, a string or FormData as it is. */
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** One HTTP client of a running app: keeps its cookies; every answer is checked against the OpenAPI document. */
export interface HttpClient {
  request: (method: string, path: string, init?: HttpRequest) => Promise<Response>
}

/** A client without cookies yet. `cookies` lets several share a session. */
export function httpClient(url: string, cookies = new Map<string, string>()): HttpClient {
  return {
    request: async (method, path, { body, headers = {}, signal } = {}) => {
      const raw = typeof body === 'string' || body instanceof FormData || body === undefined
      const response = await fetch(new URL(path, url), {
        method,
        redirect: 'manual',
        ...(signal ? { signal } : {}),
        headers: {
          ...(cookies.size > 0
            ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
            : {}),
          ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: raw ? (body as string | FormData) : JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) {
        const [cookie] = parseCookieHeader(line.split(';')[0] ?? '')
        if (cookie?.value) cookies.set(cookie.name, cookie.value)
        else if (cookie) cookies.delete(cookie.name)
      }
      await expectDocumented(method, path, response)
      return response
    },
  }
}

/** A client that has signed in as the person. @throws when that is refused. */
export async function signIn(url: string, email: string, cookies?: Map<string, string>): Promise<HttpClient> {
  const client = httpClient(url, cookies)
  const response = await client.request('POST', '/api/auth/sign-in', { body: { email, password: PASSWORD } })
  if (response.status !== 200) throw new Error(`${email} could not sign in: ${await response.text()}`)
  return client
}
