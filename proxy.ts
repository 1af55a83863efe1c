import { type NextRequest, NextResponse } from 'next/server'
import { cookieJar } from '@/lib/auth/cookie-jar'
import { PAGE_PATH_HEADER, signInPath } from '@/lib/auth/page-session'
import { userDb } from '@/lib/db/user'

const SESSION_COOKIE = /^sb-.+-auth-token(\.\d+)?$/

/** Pages that need no session. */
const OPEN_PAGES = new Set(['/sign-in', '/sign-up', '/forgot-password', '/reset-password', '/docs'])

/**
 * Keeps the session of page requests fresh and sends people without one to the sign-in page. It decides
 * nothing else: pages and handlers authorise by themselves.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const { pathname, search } = request.nextUrl
  // Unsubscribing needs no session. Mail clients post to the very address of the page.
  if (pathname.startsWith('/u/')) {
    const posts = request.method === 'POST'
    return posts ? NextResponse.rewrite(new URL(`/api${pathname}`, request.nextUrl)) : NextResponse.next()
  }
  const toSignIn = () => NextResponse.redirect(new URL(signInPath(pathname + search), request.nextUrl))
  const open = OPEN_PAGES.has(pathname)
  const carriesSession = request.cookies.getAll().some(({ name }) => SESSION_COOKIE.test(name))
  if (!carriesSession) return open ? NextResponse.next() : toSignIn()

  const jar = cookieJar(request)
  // Asks Auth only when the access token has expired.
  const { data } = await userDb(jar).auth.getSession()
  if (!data.session && !open) return jar.applyTo(toSignIn())
  const headers = new Headers(request.headers)
  headers.set(PAGE_PATH_HEADER, pathname + search)
  const cookies = (await jar.getAll()) ?? []
  headers.set('cookie', cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; '))
  return jar.applyTo(NextResponse.next({ request: { headers } }))
}

export const config = {
  // Pages only: no API, nothing of Next's own, no files.
  matcher: '/((?!api(?:/|$)|_next/|.*\\..*).*)',
}
