import 'server-only'
import { createTranslator } from 'next-intl'
import en from '@/lib/i18n/en/guests.json'
import es from '@/lib/i18n/es/guests.json'
import type { Locale } from '@/lib/i18n/locales'

const TEXTS: Record<Locale, { guests: typeof es }> = { es: { guests: es }, en: { guests: en } }
const STYLE = `
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; color-scheme: light dark;
    font: 1rem/1.5 system-ui, sans-serif; text-align: center }
  main { max-width: 32rem; padding: 1.5rem }`

/** Why a guest's page is not shown, or their form was not taken. */
type Problem = 'silent' | 'notSaved' | 'tooOften' | 'gone' | 'unreadable'

interface GuestProblem {
  problem: Problem
  language: Locale
  /** Of the page's policy; without one the page has no style. */
  nonce: string
  /** Where to try again. */
  href: string
}

/** A page that says what happened to a guest: it needs neither the database nor scripts. */
export function problemPage({ problem, language, nonce, href }: GuestProblem): string {
  const t = createTranslator({ locale: language, namespace: 'guests', messages: TEXTS[language] })
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<title>${t(`${problem}.title`)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${t(`${problem}.title`)}</h1>
<p>${t(`${problem}.text`)}</p>
${problem === 'gone' ? '' : `<p><a href="${href}">${t('again')}</a></p>`}
</main>
</body>
</html>
`
}
