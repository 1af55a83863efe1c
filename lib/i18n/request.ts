import { headers } from 'next/headers'
import { hasLocale } from 'next-intl'
import { getRequestConfig } from 'next-intl/server'
import { currentStanding, PAGE_PATH_HEADER } from '@/lib/auth/page-session'
import { GUEST_LANGUAGE_HEADER } from '@/lib/guests/language'
import { choice } from '@/lib/http/choice'
import { en } from './en'
import { es } from './es'
import { formats } from './formats'
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

/** The configuration of next-intl for a request. Its language: the one asked for, else the guest's, the cookie's, Spanish. */
export default getRequestConfig(async ({ locale: asked }) => {
  const wanted = asked ?? (await headers()).get(GUEST_LANGUAGE_HEADER) ?? (await choice(LOCALE_COOKIE))
  const locale = hasLocale(LOCALES, wanted) ? wanted : LOCALES[0]
  return { locale, messages: MESSAGES[locale], formats, timeZone: await timeZone(), now: new Date() }
})
