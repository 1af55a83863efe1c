const BASE = 'http://sobremesa.invalid'

/** How the paths of pages look once a browser has resolved them: no empty part, nothing encoded. */
const PAGE = /^(\/[\w.~-]+)*\/?$/

/** Going there is no look at a page: some endpoints change something on GET, and this site's own redirect would vouch for it. */
const NO_PAGE = /^\/(api|_next)(\/|$)/i

const MAX_LENGTH = 2000

/**
 * The page to go to after the sign-in: what `next` asks for, resolved as a browser would, in normal form; `/` for
 * anything that is no page of this site. The answer starts with one slash and never leads to another host.
 */
export function safeNextPath(next: string | string[] | undefined): string {
  if (typeof next !== 'string' || !next.startsWith('/') || next.length > MAX_LENGTH) return '/'
  const url = URL.parse(next, BASE)
  if (url?.origin !== BASE || !PAGE.test(url.pathname) || NO_PAGE.test(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}
