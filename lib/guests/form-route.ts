import 'server-only'
import { hasLocale } from 'next-intl'
import { LOCALES, type Locale } from '@/lib/i18n/locales'
import { preferredLocale } from '@/lib/i18n/visitor-locale'
import type { GuestLink } from './address'
import { GUEST_LANGUAGE_HEADER } from './language'
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
    const language = languageOf(request)
    const { token } = await next.params
    const page = problemPage(problemOf(answer.status), { link, token }, language)
    return new Response(page, { status: answer.status, headers })
  }
}

function problemOf(status: number): Problem {
  if (status >= 500) return 'notSaved'
  if (status === 404) return 'notFound'
  return status === 429 ? 'tooOften' : 'unreadable'
}

function languageOf({ headers }: Request): Locale {
  const found = headers.get(GUEST_LANGUAGE_HEADER)
  return hasLocale(LOCALES, found) ? found : preferredLocale(headers.get('accept-language') ?? '')
}
