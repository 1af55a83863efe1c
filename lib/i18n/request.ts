import { headers } from 'next/headers'
import { hasLocale, type Messages } from 'next-intl'
import { getRequestConfig } from 'next-intl/server'
import { currentStanding, PAGE_PATH_HEADER } from '@/lib/auth/page-session'
import { GUEST_LANGUAGE_HEADER } from '@/lib/guests/language'
import { choice } from '@/lib/http/choice'
import { en } from './en'
import { es } from './es'
import { formats } from './formats'
import { type GuestLanguage, isGuestLanguage } from './guest-languages'
import { furtherTexts, NEXT_BEST } from './guests'
import { LOCALE_COOKIE, LOCALES, type Locale, TIME_ZONE } from './locales'

// The annotation makes a text that exists in one language only a type error.
const MESSAGES: Record<Locale, typeof es & typeof en> = { es, en }

/**
 * The time zone of the dates and times in texts: that of the visitor's group, or `TIME_ZONE` when nobody is signed in. The
 * API's texts have no times, so it does not look the group up.
 */
async function timeZone(): Promise<string> {
  if (!(await headers()).has(PAGE_PATH_HEADER)) return TIME_ZONE
  // When the session cannot be read, texts have `TIME_ZONE`; a page that needs the session reports the outage.
  const standing = await currentStanding().catch(() => null)
  return standing?.missing === null ? standing.session.organization.timezone : TIME_ZONE
}

/** The language asked for, else the guest's, the cookie's, Spanish. Only guests' pages speak more than the interface. */
async function languageOf(asked: string | undefined): Promise<GuestLanguage> {
  const guests = (await headers()).get(GUEST_LANGUAGE_HEADER)
  if (asked === undefined && isGuestLanguage(guests)) return guests
  const wanted = asked ?? (await choice(LOCALE_COOKIE))
  return hasLocale(LOCALES, wanted) ? wanted : LOCALES[0]
}

/** All texts of a language. Of those that only guests' pages speak theirs, over another language's: no page is without. */
async function messagesIn(language: GuestLanguage): Promise<Messages> {
  if (hasLocale(LOCALES, language)) return MESSAGES[language]
  const { error, ...texts } = await furtherTexts(language)
  const others = MESSAGES[NEXT_BEST[language]]
  return {
    ...others,
    ...texts,
    client: { ...others.client, error: { ...others.client.error, ...error } },
  }
}

/** The configuration of next-intl for a request. */
export default getRequestConfig(async ({ locale: asked }) => {
  const language = await languageOf(asked)
  return {
    // The type is that of staff's pages, which are in no other language.
    ...{ locale: language as Locale, messages: await messagesIn(language), formats },
    ...{ timeZone: await timeZone(), now: new Date() },
  }
})
