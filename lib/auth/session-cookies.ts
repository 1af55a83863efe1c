/** Browsers take a cookie of this name only over https, from this very host, for all its paths. */
const HOST_PREFIX = '__Host-'

/** What the session client keeps: the tokens, in parts when long, and what it remembers on the way to them. */
const SESSION = /^sb-.+-auth-token/

interface Cookie {
  name: string
  value: string
}

/** The name under which the browser keeps a cookie of the session client. */
export const wireName = (name: string, https: boolean) => (https ? HOST_PREFIX + name : name)

/**
 * The request's cookies as the session client knows them. Over https only those named `__Host-…` count: a sibling
 * host, or anyone on the way of an unencrypted request, can set the others.
 */
export function sessionCookies(cookies: Cookie[], https: boolean): Cookie[] {
  const prefix = wireName('', https)
  return cookies
    .filter(({ name }) => name.startsWith(prefix) && SESSION.test(name.slice(prefix.length)))
    .map(({ name, value }) => ({ name: name.slice(prefix.length), value }))
}

/** Names of cookies that look like a session and are none over https. */
export function staleNames(cookies: Cookie[], https: boolean): string[] {
  return https ? cookies.map(({ name }) => name).filter((name) => SESSION.test(name)) : []
}
