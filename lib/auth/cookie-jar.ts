import { type CookieMethodsServer, parseCookieHeader, serializeCookieHeader } from '@supabase/ssr'
import { hostCookieName } from '@/lib/http/host-cookie'
import { isHttps } from '@/lib/http/origin'

/**
 * The cookies of one request, and the changes for its answer. The session client sees its cookies without the prefix.
 */
export interface CookieJar extends CookieMethodsServer {
  /** Adds the changed cookies to an answer. */
  applyTo: (response: Response) => Response
  /** The Cookie header of the request with the changes applied, with or without the session. */
  header: (without?: 'session') => string
  /** The value of a cookie by its name in the browser. */
  valueOf: (name: string) => string | undefined
}

/** A jar that ignores a request's cookies and sets none. */
export function emptyJar(): CookieJar {
  return {
    getAll: () => [],
    setAll: () => {},
    header: () => '',
    valueOf: () => undefined,
    applyTo: (response) => response,
  }
}

/** A jar for a route handler: reads the request's Cookie header, collects the cookies that the session client sets. */
export function cookieJar({ headers }: Request): CookieJar {
  const https = isHttps(headers)
  const received = parseCookieHeader(headers.get('cookie') ?? '').map(({ name, value = '' }) => ({
    name,
    value,
  }))
  const current = new Map(received.map(({ name, value }) => [name, value]))
  const changed = new Map<string, string>()
  const set = (name: string, value: string, options: object) => {
    if (value === '') current.delete(name)
    else current.set(name, value)
    // No script in the browser needs the session.
    const own = { path: '/', domain: undefined, httpOnly: true, secure: https, sameSite: 'lax' } as const
    changed.set(name, serializeCookieHeader(name, value, { ...options, ...own }))
  }
  for (const name of staleNames(received, https)) set(name, '', { maxAge: 0 })
  const all = () => [...current].map(([name, value]) => ({ name, value }))
  return {
    getAll: () => sessionCookies(all(), https),
    setAll: (cookies) => {
      for (const { name, value, options } of cookies) set(hostCookieName(name, https), value, options)
    },
    header: (without) =>
      all()
        .filter(({ name }) => !without || !SESSION.test(name.replace(hostCookieName('', https), '')))
        .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
        .join('; '),
    valueOf: (name) => current.get(name),
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

/** The names of the session client's cookies: the tokens, in parts when long, and its state during a sign-in. */
const SESSION = /^sb-.+-auth-token/

interface Cookie {
  name: string
  value: string
}

/**
 * The request's cookies as the session client knows them. Over https only those named `__Host-…` count: a sibling
 * host, or an attacker on an unencrypted connection, can set the others.
 */
export function sessionCookies(cookies: Cookie[], https: boolean): Cookie[] {
  const prefix = hostCookieName('', https)
  return cookies
    .filter(({ name }) => name.startsWith(prefix) && SESSION.test(name.slice(prefix.length)))
    .map(({ name, value }) => ({ name: name.slice(prefix.length), value }))
}

/** Names of session cookies without the prefix, which are ignored over https. */
function staleNames(cookies: Cookie[], https: boolean): string[] {
  return https ? cookies.map(({ name }) => name).filter((name) => SESSION.test(name)) : []
}
