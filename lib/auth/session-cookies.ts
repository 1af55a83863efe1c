import { hostCookieName } from '@/lib/http/host-cookie'

/** What the session client keeps: the tokens, in parts when long, and what it remembers on the way to them. */
const SESSION = /^sb-.+-auth-token/

interface Cookie {
  name: string
  value: string
}

/**
 * The request's cookies as the session client knows them. Over https only those named `__Host-…` count: a sibling
 * host, or anyone on the way of an unencrypted request, can set the others.
 */
export function sessionCookies(cookies: Cookie[], https: boolean): Cookie[] {
  const prefix = hostCookieName('', https)
  return cookies
    .filter(({ name }) => name.startsWith(prefix) && SESSION.test(name.slice(prefix.length)))
    .map(({ name, value }) => ({ name: name.slice(prefix.length), value }))
}

/** Names of cookies that look like a session and are none over https. */
export function staleNames(cookies: Cookie[], https: boolean): string[] {
  return https ? cookies.map(({ name }) => name).filter((name) => SESSION.test(name)) : []
}
