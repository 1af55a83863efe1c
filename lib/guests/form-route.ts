import 'server-only'
import { GUEST_LANGUAGES, type GuestLanguage, isGuestLanguage } from '@/lib/i18n/guest-languages'
import { preferredOf } from '@/lib/i18n/visitor-locale'
import type { GuestLink } from './address'
import { chosenLanguage, GUEST_LANGUAGE_HEADER } from './language'
import { type Problem, problemPage } from './problem-page'

type Route = (request: Request, next: { params: Promise<{ token: string }> }) => Promise<Response>

/**
 * The route of a guest's form. A person who sent it with the browser reads a refusal as a page in their language;
 * programs get it as JSON, as everywhere in the API.
 */
export function formRoute(link: GuestLink, route: Route): Route {
  return async (request, next) => {
    const answer = await route(request, next)
    if (answer.status < 400 || !request.headers.get('accept')?.includes('text/html')) return answer
    const headers = new Headers(answer.headers)
    headers.set('Content-Type', 'text/html; charset=utf-8')
    const chosen = chosenLanguage(new URL(request.url).searchParams.get('lang'))
    const language = chosen ?? languageOf(request)
    const { token } = await next.params
    const page = await problemPage(problemOf(answer.status), { link, token }, { language, chosen })
    return new Response(page, { status: answer.status, headers })
  }
}

function problemOf(status: number): Problem {
  if (status >= 500) return 'notSaved'
  if (status === 404) return 'notFound'
  return status === 429 ? 'tooOften' : 'unreadable'
}

function languageOf({ headers }: Request): GuestLanguage {
  const found = headers.get(GUEST_LANGUAGE_HEADER)
  if (isGuestLanguage(found)) return found
  return preferredOf(GUEST_LANGUAGES, headers.get('accept-language') ?? '') ?? GUEST_LANGUAGES[0]
}
