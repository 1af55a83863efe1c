import { hasLocale } from 'next-intl'
import { hostCookieName } from '@/lib/http/host-cookie'
import { isHttps } from '@/lib/http/origin'
import { LOCALE_COOKIE, LOCALES, type Locale } from '@/lib/i18n/locales'
import { preferredLocale } from '@/lib/i18n/visitor-locale'

/** The request header in which proxy.ts passes the language of a guest's page; it drops a visitor's own. */
export const GUEST_LANGUAGE_HEADER = 'x-guest-language'

/** Whoever has a cookie and an address: a request in proxy.ts. */
interface Asked {
  headers: Headers
  nextUrl: { searchParams: URLSearchParams }
  cookies: { get: (name: string) => { value: string } | undefined }
}

/** A guest's language: `?lang=` of the link or of the page's own choice, else the browser's, else Spanish. */
export function guestLanguage({ headers, nextUrl, cookies }: Asked): Locale {
  const asked = nextUrl.searchParams.get('lang')
  const chosen = cookies.get(hostCookieName(LOCALE_COOKIE, isHttps(headers)))?.value
  const wanted = [asked, chosen].find((each) => hasLocale(LOCALES, each))
  return hasLocale(LOCALES, wanted) ? wanted : preferredLocale(headers.get('accept-language') ?? '')
}
