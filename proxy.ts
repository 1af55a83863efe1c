import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { busyPage } from '@/lib/auth/busy-page'
import { onBehalfOf } from '@/lib/auth/client-address'
import { cookieJar } from '@/lib/auth/cookie-jar'
import { PAGE_PATH_HEADER, signInPath } from '@/lib/auth/page-session'
import { liveTokens } from '@/lib/auth/session'
import { userDb } from '@/lib/db/user'
import { imagesBase } from '@/lib/email-design/address'
import { GUEST_LANGUAGE_HEADER, visitorLanguage } from '@/lib/guests/language'
import { guestAnswer } from '@/lib/guests/proxy'
import { faultPage } from '@/lib/health/fault-page'
import { knownFault } from '@/lib/health/known-fault'
import { HttpError } from '@/lib/http/errors'
import { hostCookieName } from '@/lib/http/host-cookie'
import { isHttps } from '@/lib/http/origin'
import { NONCE_HEADER, pagePolicy } from '@/lib/http/page-policy'
import { isLocationChoice, LOCATION_COOKIE, LOCATION_PARAMETER } from '@/lib/locations/location-cookie'

/** Pages that need no session. */
const OPEN_PAGES = new Set(['/sign-in', '/sign-up', '/setup', '/forgot-password', '/reset-password', '/docs'])
/** The page of the service that a device keeps for when it has no connection (public/sw.js): it has nothing of anybody. */
const KEPT_PAGE = '/offline/service'
/** No page, and none with a parameter, is there. */
const NOWHERE = '/-'

/**
 * Keeps the session of page requests fresh, sends people without one to the sign-in page (but not guests, whose links
 * need none), and gives every page its policy. While the app cannot run, every page says why (faultPage). While Auth gives
 * no verdict on an expired session, a page waits and tries again (busyPage). It decides nothing else: pages and handlers
 * authorise by themselves.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const guest = await guestAnswer(request)
  if (guest) return guest
  const nonce = randomBytes(16).toString('base64')
  const https = isHttps(request.headers)
  const fault = await knownFault()
  // What is not there needs no database to say so.
  if (fault && (fault.kind === 'settings' || !isNowhere(request.nextUrl.pathname))) {
    const page = faultPage(request, fault, nonce)
    page.headers.set('Content-Security-Policy', pagePolicy({ nonce, https, files: '' }))
    return page
  }
  const policy = pagePolicy({ nonce, https, files: imagesBase() })
  const headers = new Headers(request.headers)
  // Next takes the nonce of its own scripts from the policy.
  headers.set('Content-Security-Policy', policy)
  headers.set(NONCE_HEADER, nonce)
  headers.delete(GUEST_LANGUAGE_HEADER)
  const answer = await onBehalfOf(request, () => withSession(request, headers, nonce))
  answer.headers.set('Content-Security-Policy', policy)
  return answer
}

async function withSession(request: NextRequest, headers: Headers, nonce: string): Promise<Response> {
  const { pathname, search } = request.nextUrl
  const path = pathname + search
  // Always as a visitor without a session gets it, in the language that is asked for.
  if (pathname === KEPT_PAGE) {
    headers.set(GUEST_LANGUAGE_HEADER, visitorLanguage(request))
    headers.delete('cookie')
    return NextResponse.next({ request: { headers } })
  }
  const show = () => NextResponse.next({ request: { headers } })
  // Where the server's name is not the request's, the rewritten request comes by here again.
  if (pathname === NOWHERE) return show()
  if (isNowhere(pathname))
    return NextResponse.rewrite(new URL(NOWHERE, request.nextUrl), { request: { headers } })
  const toSignIn = () => NextResponse.redirect(new URL(signInPath(path), request.nextUrl))
  const open = OPEN_PAGES.has(pathname)
  const jar = cookieJar(request)
  if ((await jar.getAll())?.length === 0) return jar.applyTo(open ? show() : toSignIn())

  // Asks Auth only when the access token has expired.
  const tokens = await liveTokens(userDb(jar)).catch((error: unknown) => {
    if (error instanceof HttpError) return error
    throw error
  })
  const isUnjudged = tokens instanceof HttpError
  if (isUnjudged && !open) return jar.applyTo(busyPage(request, jar, tokens, nonce))
  if (!tokens && !open) return jar.applyTo(toSignIn())
  const located = open || pathname === '/second-factor' ? null : withTabLocation(request)
  if (located) return jar.applyTo(NextResponse.redirect(located))
  headers.set(PAGE_PATH_HEADER, path)
  // A page for visitors asks no one about the session: the browser keeps it.
  headers.set('cookie', isUnjudged ? jar.header('session') : jar.header())
  return jar.applyTo(show())
}

/**
 * Whether no page can be at a path: Next answers 500 for a parameter that it cannot decode, and whoever asks for a
 * well-known address takes the sign-in page for an answer.
 */
function isNowhere(pathname: string): boolean {
  try {
    decodeURIComponent(pathname)
    return pathname === NOWHERE || pathname.startsWith('/.well-known/')
  } catch {
    return true
  }
}

/**
 * The same page with the location of its tab in the address; null when it is there, or none was ever chosen. Only for
 * a page that is loaded: links carry their tab's location on, and another tab may have chosen since.
 */
function withTabLocation(request: NextRequest): URL | null {
  const { searchParams } = request.nextUrl
  const loads =
    request.method === 'GET' && (request.headers.get('sec-fetch-dest') ?? 'document') === 'document'
  if (!loads || searchParams.has(LOCATION_PARAMETER)) return null
  const chosen = request.cookies.get(hostCookieName(LOCATION_COOKIE, isHttps(request.headers)))?.value
  // As the parameter was called before.
  const former = searchParams.get('location_id')
  const location = isLocationChoice(former) ? former : chosen
  if (!isLocationChoice(location)) return null
  const address = new URL(request.nextUrl.href)
  address.searchParams.delete('location_id')
  address.searchParams.set(LOCATION_PARAMETER, location)
  return address
}

export const config = {
  // Pages only: no API, nothing of Next's own, no files (next.config.ts has their headers). No file has a % in its address,
  // and a guest's link may end like one when something was added to it.
  matcher:
    '/((?!api(?:/|$)|_next/|(?![uUfFbB]/)[^%]*\\.(?:css|html|ico|jpe?g|js|json|map|png|svg|txt|webmanifest|webp|woff2?|xml)$).*)',
}
