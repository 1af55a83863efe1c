import 'server-only'
import type { NextRequest } from 'next/server'
import { createTranslator, hasLocale } from 'next-intl'
import { hostCookieName } from '@/lib/http/host-cookie'
import { isHttps } from '@/lib/http/origin'
import { plainPage } from '@/lib/http/plain-page'
import en from '@/lib/i18n/en/fault.json'
import es from '@/lib/i18n/es/fault.json'
import { LOCALE_COOKIE, LOCALES, type Locale } from '@/lib/i18n/locales'
import { preferredLocale } from '@/lib/i18n/visitor-locale'
import type { Fault } from './fault'

const TEXTS: Record<Locale, { fault: typeof es }> = { es: { fault: es }, en: { fault: en } }
const RETRY_SECONDS = 10

/**
 * The header with the setting, or the settings, that a fault is about: `npm run check:deployment` reads it where the app
 * does not run far enough to answer.
 */
const SETTINGS_HEADER = 'X-Wrong-Settings'

const ADVISED = Object.keys(es.settings.todo) as (keyof typeof es.settings.todo)[]

/** The page in place of every other while the app cannot run: says why and what to do, never a value. */
export function faultPage(request: NextRequest, fault: Fault, nonce: string): Response {
  const locale = localeOf(request)
  const t = createTranslator({ locale, namespace: 'fault', messages: TEXTS[locale] })
  const settings = settingsOf(fault)
  const headers = {
    'Retry-After': String(RETRY_SECONDS),
    Refresh: String(RETRY_SECONDS),
    'X-Error-Code': `INSTALLATION_${fault.kind.toUpperCase()}`,
    ...(settings.length > 0 ? { [SETTINGS_HEADER]: settings.join(', ') } : {}),
  }
  const [setting = ''] = settings
  const title = t(`${fault.kind}.title`)
  const content =
    fault.kind === 'settings'
      ? `<p>${t('settings.text', { count: settings.length })}</p>
<ul>${fault.settings.map(item).join('\n')}</ul>`
      : `<p>${t(`${fault.kind}.text`, { setting })}</p>
<p>${t(`${fault.kind}.todo`, { setting })}</p>`
  return plainPage({
    ...{ locale, nonce, headers, title },
    content: `${content}\n<p role="status">${t('docs')}</p>`,
  })

  function item({ setting, problem }: { setting: string; problem: 'missing' | 'invalid' }): string {
    const advice = ADVISED.find((name) => name === setting) ?? 'other'
    return `<li><code>${setting}</code> ${t(`settings.${problem}`)} ${t(`settings.todo.${advice}`)}</li>`
  }
}

function settingsOf(fault: Fault): string[] {
  if (fault.kind === 'settings') return fault.settings.map(({ setting }) => setting)
  return fault.kind === 'key_refused' ? [fault.setting] : []
}

/** As chosen earlier, else as the browser prefers: nobody has chosen anything in an installation that never ran. */
function localeOf({ cookies, headers }: NextRequest): Locale {
  const chosen = cookies.get(hostCookieName(LOCALE_COOKIE, isHttps(headers)))?.value
  return hasLocale(LOCALES, chosen) ? chosen : preferredLocale(headers.get('accept-language') ?? '')
}
