import 'server-only'
import { createTranslator, hasLocale } from 'next-intl'
import en from '@/lib/i18n/en/guests.json'
import es from '@/lib/i18n/es/guests.json'
import { GUEST_LANGUAGES, type GuestLanguage, LANGUAGE_NAMES } from '@/lib/i18n/guest-languages'
import { furtherTexts } from '@/lib/i18n/guests'
import { LOCALES, type Locale } from '@/lib/i18n/locales'
import type { GuestAddress } from './address'
import { PROBLEM_STYLE } from './problem-style'

const TEXTS: Record<Locale, typeof es> = { es, en }

/** Why a guest's page is not shown, or their form was not taken. */
export type Problem = 'silent' | 'notSaved' | 'tooOften' | 'unreadable' | 'notFound'

interface Shown {
  language: GuestLanguage
  /** `?lang=` of the address, which its links keep. */
  chosen: GuestLanguage | null
  /** Of the page's policy. */
  nonce?: string
}

/** A page that says what happened to a guest: it needs neither the database nor scripts. */
export async function problemPage(
  problem: Problem,
  { link, token }: GuestAddress,
  { language, chosen, nonce = '' }: Shown,
): Promise<string> {
  const texts =
    problem === 'notFound' ? ({ u: 'notOut', b: 'notOut', f: 'notSurvey' } as const)[link] : problem
  const guests = await textsIn(language)
  const t = createTranslator({ locale: language as Locale, namespace: 'guests', messages: { guests } })
  const href = (each: GuestLanguage | null) =>
    `/${link}/${encodeURIComponent(token)}${each ? `?lang=${each}` : ''}`
  // A link that leads nowhere may have come to anyone: in Spanish and English too.
  const others = LOCALES.filter((each) => each !== language)
  const rest =
    problem === 'notFound'
      ? others.map((each) => `<p lang="${each}">${TEXTS[each][texts].text}</p>`)
      : [`<p><a href="${href(chosen)}">${t('again')}</a></p>`]
  const languages = GUEST_LANGUAGES.map(
    (each) =>
      `<a href="${href(each)}" lang="${each}" hreflang="${each}"${each === language ? ' aria-current="true"' : ''}>${LANGUAGE_NAMES[each]}</a>`,
  )
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
${rest.join('\n')}
<nav aria-label="${t('languages')}">
${languages.join('\n')}
</nav>
</main>
</body>
</html>
`
}

// None has a variable or a mark of HTML.
const textsIn = async (language: GuestLanguage): Promise<typeof es> =>
  hasLocale(LOCALES, language) ? TEXTS[language] : (await furtherTexts(language)).guests
