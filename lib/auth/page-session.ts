import 'server-only'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { isHttps } from '@/lib/http/origin'
import type { Permission } from '@/lib/permissions'
import { onBehalfOf } from './client-address'
import { sessionCookies } from './cookie-jar'
import { hasJustChanged } from './recent-change'
import { type PersonSession, readStanding, type Standing } from './session'

/** The request header in which proxy.ts passes the path of the requested page. */
export const PAGE_PATH_HEADER = 'x-page-path'

/** The address of the sign-in page; it returns to `path` afterwards. */
export function signInPath(path: string): string {
  return path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`
}

/** The address of the page for the second factor; it returns to `path` afterwards. */
export function secondFactorPath(path: string): string {
  return path === '/' ? '/second-factor' : `/second-factor?next=${encodeURIComponent(path)}`
}

/**
 * The visitor's session and its missing step, read once a request. Pages cannot set cookies: proxy.ts refreshes them.
 */
export const currentStanding = cache(async (): Promise<Standing | null> => {
  const [all, head] = [(await cookies()).getAll(), await headers()]
  const jar = { getAll: () => sessionCookies(all, isHttps(head)), setAll: () => {} }
  return onBehalfOf({ headers: head }, () => readStanding(jar, { mayLag: !hasJustChanged(all, head) }))
})

/** The session of this page's visitor; redirects to the sign-in, or to the second factor, when it is missing. */
export async function pageSession(): Promise<PersonSession> {
  const standing = await currentStanding()
  if (standing?.missing === null) return standing.session
  const path = (await headers()).get(PAGE_PATH_HEADER) ?? '/'
  redirect(standing ? secondFactorPath(path) : signInPath(path))
}

/** Like `pageSession`, but null when the role lacks the permission: the page then shows `NoAccess`. */
export async function pageSessionWith(permission: Permission): Promise<PersonSession | null> {
  const session = await pageSession()
  return session.can(permission) ? session : null
}

const BASE = 'http://sobremesa.invalid'

/** Paths of pages after a browser has resolved them: no empty segment, no encoded character. */
const PAGE = /^(\/[\w.~-]+)*\/?$/

/** Excludes the API: some endpoints change data on GET, and a redirect from this site passes the origin check. */
const NO_PAGE = /^\/(api|_next)(\/|$)/i

const MAX_LENGTH = 2000

/**
 * Returns the path to open after the sign-in: `next`, resolved as a browser would, in normal form; `/` when it is not
 * a page of this site. The result starts with exactly one slash and never leads to another host.
 */
export function safeNextPath(next: string | string[] | undefined): string {
  if (typeof next !== 'string' || !next.startsWith('/') || next.length > MAX_LENGTH) return '/'
  const url = URL.parse(next, BASE)
  if (url?.origin !== BASE || !PAGE.test(url.pathname) || NO_PAGE.test(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}
