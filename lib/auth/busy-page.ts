import 'server-only'
import { createTranslator, hasLocale } from 'next-intl'
import type { HttpError } from '@/lib/http/errors'
import { hostCookieName } from '@/lib/http/host-cookie'
import { isHttps } from '@/lib/http/origin'
import { plainPage } from '@/lib/http/plain-page'
import en from '@/lib/i18n/en/busy.json'
import es from '@/lib/i18n/es/busy.json'
import { LOCALE_COOKIE, LOCALES, type Locale } from '@/lib/i18n/locales'
import type { CookieJar } from './cookie-jar'

const TEXTS: Record<Locale, { busy: typeof es }> = { es: { busy: es }, en: { busy: en } }
const WAIT_SECONDS = 5
/**
 * The page in place of one whose session Auth gives no verdict on: a 503 that says when to try again, and does so by
 * itself. It needs neither Auth nor the database.
 * @param silence AUTH_BUSY or AUTH_UNAVAILABLE
 */
export function busyPage(request: Request, jar: CookieJar, silence: HttpError, nonce: string): Response {
  const locale = localeIn(request.headers, jar)
  const t = createTranslator({ locale, namespace: 'busy', messages: TEXTS[locale] })
  const seconds = Number(silence.headers['Retry-After']) || WAIT_SECONDS
  return plainPage({
    locale,
    title: t('title'),
    content: `<p>${silence.code === 'AUTH_BUSY' ? t('busy') : t('silent')}</p>
<p role="status">${t('wait', { seconds })}</p>
<p><a href="">${t('retry')}</a></p>`,
    nonce,
    headers: {
      'Retry-After': String(seconds),
      'X-Error-Code': silence.code,
      // Browsers load the same address again.
      Refresh: String(seconds),
    },
  })
}

function localeIn(headers: Headers, jar: CookieJar): Locale {
  const chosen = jar.valueOf(hostCookieName(LOCALE_COOKIE, isHttps(headers)))
  return hasLocale(LOCALES, chosen) ? chosen : LOCALES[0]
}
