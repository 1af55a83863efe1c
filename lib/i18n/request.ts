import { hasLocale } from 'next-intl'
import { getRequestConfig } from 'next-intl/server'
import { choice } from '@/lib/http/choice'
import { en } from './en'
import { es } from './es'
import { formats } from './formats'
import { LOCALE_COOKIE, LOCALES, type Locale, TIME_ZONE } from './locales'

// The annotation makes a text that exists in one language only a type error.
const MESSAGES: Record<Locale, typeof es & typeof en> = { es, en }

/** The configuration of next-intl for a request: the language of the page, else of the cookie, else Spanish. */
export default getRequestConfig(async ({ locale: asked }) => {
  const wanted = asked ?? (await choice(LOCALE_COOKIE))
  const locale = hasLocale(LOCALES, wanted) ? wanted : LOCALES[0]
  return { locale, messages: MESSAGES[locale], formats, timeZone: TIME_ZONE, now: new Date() }
})
