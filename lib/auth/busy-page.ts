import 'server-only'
import { createTranslator, hasLocale } from 'next-intl'
import type { HttpError } from '@/lib/http/errors'
import { hostCookieName } from '@/lib/http/host-cookie'
import { isHttps } from '@/lib/http/origin'
import en from '@/lib/i18n/en/busy.json'
import es from '@/lib/i18n/es/busy.json'
import { LOCALE_COOKIE, LOCALES, type Locale } from '@/lib/i18n/locales'
import type { CookieJar } from './cookie-jar'

const TEXTS: Record<Locale, { busy: typeof es }> = { es: { busy: es }, en: { busy: en } }
const WAIT_SECONDS = 5
const STYLE = `
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; color-scheme: light dark;
    font: 1rem/1.5 system-ui, sans-serif; text-align: center }
  main { max-width: 32rem; padding: 1.5rem }`

/**
 * The page in place of one whose session Auth gives no verdict on: a 503 that says when to try again, and does so by
 * itself. It needs neither Auth nor the database.
 * @param silence AUTH_BUSY or AUTH_UNAVAILABLE
 */
export function busyPage(request: Request, jar: CookieJar, silence: HttpError, nonce: string): Response {
  const locale = localeIn(request.headers, jar)
  const t = createTranslator({ locale, namespace: 'busy', messages: TEXTS[locale] })
  const seconds = Number(silence.headers['Retry-After']) || WAIT_SECONDS
  const html = `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${t('title')}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${t('title')}</h1>
<p>${silence.code === 'AUTH_BUSY' ? t('busy') : t('silent')}</p>
<p role="status">${t('wait', { seconds })}</p>
<p><a href="">${t('retry')}</a></p>
</main>
</body>
</html>
`
  return new Response(html, {
    status: 503,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
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
