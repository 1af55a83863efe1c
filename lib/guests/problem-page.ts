import 'server-only'
import { createTranslator } from 'next-intl'
import en from '@/lib/i18n/en/guests.json'
import es from '@/lib/i18n/es/guests.json'
import { LOCALES, type Locale } from '@/lib/i18n/locales'
import type { GuestAddress } from './address'
import { PROBLEM_STYLE } from './problem-style'

const TEXTS: Record<Locale, { guests: typeof es }> = { es: { guests: es }, en: { guests: en } }

/** Why a guest's page is not shown, or their form was not taken. */
export type Problem = 'silent' | 'notSaved' | 'tooOften' | 'unreadable' | 'notFound'

/**
 * A page that says what happened to a guest: it needs neither the database nor scripts.
 * @param nonce of the page's policy
 */
export function problemPage(
  problem: Problem,
  { link, token }: GuestAddress,
  language: Locale,
  nonce = '',
): string {
  const texts =
    problem === 'notFound' ? ({ u: 'notOut', b: 'notOut', f: 'notSurvey' } as const)[link] : problem
  const t = createTranslator({ locale: language, namespace: 'guests', messages: TEXTS[language] })
  const other = LOCALES.find((each) => each !== language) ?? language
  const again = createTranslator({ locale: other, namespace: 'guests', messages: TEXTS[other] })
  // A link that leads nowhere may have come to anyone: in both languages.
  const rest =
    problem === 'notFound'
      ? `<p lang="${other}">${again(`${texts}.text`)}</p>`
      : `<p><a href="/${link}/${encodeURIComponent(token)}?lang=${language}">${t('again')}</a></p>`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<title>${t(`${texts}.title`)}</title>
<style nonce="${nonce}">${PROBLEM_STYLE}</style>
</head>
<body>
<main>
<h1>${t(`${texts}.title`)}</h1>
<p>${t(`${texts}.text`)}</p>
${rest}
</main>
</body>
</html>
`
}
