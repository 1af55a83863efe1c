import { hasLocale } from 'next-intl'
import { hostCookieName } from '@/lib/http/host-cookie'
import { isHttps } from '@/lib/http/origin'
import { GUEST_LANGUAGES, type GuestLanguage, isGuestLanguage } from '@/lib/i18n/guest-languages'
import { LOCALE_COOKIE, LOCALES, type Locale } from '@/lib/i18n/locales'
import { preferredLocale, preferredOf } from '@/lib/i18n/visitor-locale'

/** The request header in which proxy.ts passes the language of a guest's page; it drops a visitor's own. */
export const GUEST_LANGUAGE_HEADER = 'x-guest-language'

/** Whoever has a cookie and an address: a request in proxy.ts. */
interface Asked {
  headers: Headers
  nextUrl: { searchParams: URLSearchParams }
  cookies: { get: (name: string) => { value: string } | undefined }
}

/** What is stored of the language of the guest behind a link. */
export interface Spoken {
  /** Their own; null when nobody has said it, or several guests with one address speak several. */
  language: GuestLanguage | null
  /** The group's; null where the link names none. */
  groupLanguage: GuestLanguage | null
}

/**
 * The language that a guest chose on the page: `?lang=` of its address, null for none. No link that we send has it, and a
 * page carries it on only when it has it itself: so a form that was sent with it says what its guest wants.
 */
export function chosenLanguage(lang: string | string[] | null | undefined): GuestLanguage | null {
  const [first] = [lang].flat()
  return isGuestLanguage(first) ? first : null
}

/**
 * The language of a guest's page: the chosen one, else the guest's own, this browser's (chosen in the app, else preferred),
 * the group's, Spanish. The browser comes before the group: it knows more of a guest who has no language of their own.
 */
export function guestLanguage(asked: Asked, spoken?: Spoken | null): GuestLanguage {
  const stored = cookieOf(asked)
  return (
    chosenLanguage(asked.nextUrl.searchParams.get('lang')) ??
    spoken?.language ??
    (isGuestLanguage(stored) ? stored : null) ??
    preferredOf(GUEST_LANGUAGES, asked.headers.get('accept-language') ?? '') ??
    spoken?.groupLanguage ??
    GUEST_LANGUAGES[0]
  )
}

/** The language of a page of staff's without a session: `?lang=`, else the cookie's, the browser's, Spanish. */
export function visitorLanguage(asked: Asked): Locale {
  const wanted = [asked.nextUrl.searchParams.get('lang'), cookieOf(asked)].find((each) =>
    hasLocale(LOCALES, each),
  )
  return hasLocale(LOCALES, wanted) ? wanted : preferredLocale(asked.headers.get('accept-language') ?? '')
}

const cookieOf = ({ headers, cookies }: Asked): string | undefined =>
  cookies.get(hostCookieName(LOCALE_COOKIE, isHttps(headers)))?.value
