import 'server-only'
import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { imagesBase } from '@/lib/email-design/address'
import { isHttps } from '@/lib/http/origin'
import { NONCE_HEADER, pagePolicy } from '@/lib/http/page-policy'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import { log } from '@/lib/log'
import { type GuestAddress, type GuestLink, guestAddress, NO_TOKEN } from './address'
import { chosenLanguage, GUEST_LANGUAGE_HEADER, guestLanguage, type Spoken } from './language'
import { problemPage } from './problem-page'

const METHODS = ['GET', 'HEAD', 'POST']
/** A short link only leads on. */
const READ_METHODS = ['GET', 'HEAD']
const RETRY_SECONDS = '60'
/** How long (ms) a guest waits for the database, as GET /api/health does. */
const PATIENCE_MS = 3_000

/** What a link leads to: what its page shows, of a short link the address of its page. */
type Found = Spoken | string

// Loaded when a guest comes: the pages of staff do without.
const READERS: Record<GuestLink, (token: string, chosen: GuestLanguage | null) => Promise<Found | null>> = {
  u: async (token) => (await import('@/lib/messaging/unsubscribe')).readSubscription(token),
  f: async (token) => (await import('@/lib/feedback/survey')).readSurvey(token),
  b: async (code, chosen) => (await import('@/lib/messaging/unsubscribe')).pageOfMessage(code, chosen),
}

/**
 * The answer to a request for a guest's link, which needs no session; null for every other path. It needs no valid
 * settings either: a guest is never told what is wrong with the program.
 */
export async function guestAnswer(request: NextRequest): Promise<Response | null> {
  const address = guestAddress(request.nextUrl.pathname)
  if (!address) return null
  const nonce = randomBytes(16).toString('base64')
  const policy = pagePolicy({ nonce, https: isHttps(request.headers), files: logosFrom() })
  const answer = await answerTo(request, address, nonce, policy)
  answer.headers.set('Content-Security-Policy', policy)
  return answer
}

/** From where the logo of the page may come: from nowhere without valid settings. */
function logosFrom(): string {
  try {
    return imagesBase()
  } catch {
    return ''
  }
}

async function answerTo(
  request: NextRequest,
  { link, token }: GuestAddress,
  nonce: string,
  policy: string,
): Promise<Response> {
  const { method, nextUrl } = request
  const methods = link === 'b' ? READ_METHODS : METHODS
  if (!methods.includes(method))
    return new Response(null, { status: 405, headers: { Allow: methods.join(', ') } })
  const chosen = chosenLanguage(nextUrl.searchParams.get('lang'))
  // A page of Next that fails or finds nothing is blank without scripts, and it cannot answer 503. A form is looked up by
  // its route, and what that refuses is said in the browser's language.
  const found = method === 'POST' ? null : await find({ link, token }, chosen)
  const language = guestLanguage(request, typeof found === 'string' ? null : found)
  const headers = new Headers(request.headers)
  // Next takes the nonce of its own scripts from the policy.
  headers.set('Content-Security-Policy', policy)
  headers.set(NONCE_HEADER, nonce)
  headers.set(GUEST_LANGUAGE_HEADER, language)
  const path = `/${link}/${token}`
  const rewrite = (to: string) => NextResponse.rewrite(new URL(to, nextUrl), { request: { headers } })
  // Mail programs and the page's form post to the very address of the page.
  if (method === 'POST') return rewrite(`/api${path}${nextUrl.search}`)
  const problem = found === 'silent' || found === 'notFound' ? found : null
  if (problem)
    return new Response(await problemPage(problem, { link, token }, { language, chosen, nonce }), {
      status: problem === 'silent' ? 503 : 404,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        ...(problem === 'silent' ? { 'Retry-After': RETRY_SECONDS } : {}),
      },
    })
  if (link === 'b')
    return new Response(null, {
      status: 303,
      headers: { Location: String(found), 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
    })
  return nextUrl.pathname === path
    ? NextResponse.next({ request: { headers } })
    : rewrite(path + nextUrl.search)
}

/** What the link leads to: of a short one the page of the long one. */
async function find({ link, token }: GuestAddress, chosen: GuestLanguage | null): Promise<Found> {
  if (token === NO_TOKEN) return 'notFound'
  try {
    return (await inTime(READERS[link](token, chosen))) ?? 'notFound'
  } catch (error) {
    log().error({ link, err: error }, 'a guest’s page could not be shown')
    return 'silent'
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`No answer within ${PATIENCE_MS} ms`)), PATIENCE_MS).unref()
    }),
  ])
}
