import 'server-only'
import { type NextRequest, NextResponse } from 'next/server'
import { unwrap } from '@/lib/db/errors'
import { PERSON_WAITS_MS } from '@/lib/db/patient-fetch'
import { serviceDb } from '@/lib/db/service'
import { log } from '@/lib/log'
import { type GuestLink, guestAddress, NO_TOKEN } from './address'
import { GUEST_LANGUAGE_HEADER, guestLanguage } from './language'
import { problemPage } from './problem-page'

const METHODS = ['GET', 'HEAD', 'POST']
const RETRY_SECONDS = '60'

/** The answer to a request for a guest's link, which needs no session; null for every other path. */
export async function guestAnswer(
  request: NextRequest,
  headers: Headers,
  nonce: string,
): Promise<Response | null> {
  const address = guestAddress(request.nextUrl.pathname)
  if (!address) return null
  const { method } = request
  if (!METHODS.includes(method))
    return new Response(null, { status: 405, headers: { Allow: METHODS.join(', ') } })
  const language = guestLanguage(request)
  headers.set(GUEST_LANGUAGE_HEADER, language)
  const path = `/${address.link}/${address.token}`
  const to = (where: string) =>
    NextResponse.rewrite(new URL(where, request.nextUrl), { request: { headers } })
  // Mail programs and the page's form post to the very address of the page.
  if (method === 'POST') return to(`/api${path}`)
  // A page cannot answer 503, and without scripts a page that failed is blank.
  if (address.token !== NO_TOKEN && !(await databaseAnswers(address.link))) {
    const href = `${path}?lang=${language}`
    return new Response(problemPage({ problem: 'silent', language, nonce, href }), {
      status: 503,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Retry-After': RETRY_SECONDS,
      },
    })
  }
  if (request.nextUrl.pathname === path) return NextResponse.next({ request: { headers } })
  return to(path + request.nextUrl.search)
}

async function databaseAnswers(link: GuestLink): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PERSON_WAITS_MS)
    unwrap(await serviceDb().from('retired_keys').select('id').limit(1).abortSignal(signal))
    return true
  } catch (error) {
    log().error({ link, err: error }, 'a guest’s page could not be shown')
    return false
  }
}
