import { type CookieMethodsServer, parseCookieHeader, serializeCookieHeader } from '@supabase/ssr'

/** The cookies of one request, and those its answer will set. */
export interface CookieJar extends CookieMethodsServer {
  /** Adds the changed cookies to an answer. */
  applyTo: (response: Response) => Response
}

/** A jar for a route handler: reads the request's Cookie header, collects what the session client sets. */
export function cookieJar(request: Request): CookieJar {
  const current = new Map<string, string>()
  for (const { name, value } of parseCookieHeader(request.headers.get('cookie') ?? ''))
    current.set(name, value ?? '')
  const changed = new Map<string, string>()
  const secure =
    new URL(request.url).protocol === 'https:' || request.headers.get('x-forwarded-proto') === 'https'
  return {
    getAll: () => [...current].map(([name, value]) => ({ name, value })),
    setAll: (cookies) => {
      for (const { name, value, options } of cookies) {
        if (value === '') current.delete(name)
        else current.set(name, value)
        // No script reads the session: the browser only carries it.
        changed.set(
          name,
          serializeCookieHeader(name, value, { ...options, httpOnly: true, secure, sameSite: 'lax' }),
        )
      }
    },
    applyTo: (response) => {
      if (changed.size === 0) return response
      const headers = new Headers(response.headers)
      for (const cookie of changed.values()) headers.append('Set-Cookie', cookie)
      return new Response(response.body, {
        status: response.status,
        statusText: response.statusText,
        headers,
      })
    },
  }
}
