import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import { OPT_OUT_WORDS } from './opt-out-words'

/** The unsubscribe link that an e-mail still needs at its end; null when its text has it already, or it has none. */
export const missingLink = (body: string, link: string | null): string | null =>
  link === null || body.includes(link) ? null : link

/** The words of that link in a language. */
export const unsubscribeWords = (language: GuestLanguage): string => OPT_OUT_WORDS[language].emailLink

/** The plain text of an e-mail with that link at its end. */
export const textWithLink = (body: string, link: string | null, language: GuestLanguage = 'es'): string =>
  link === null ? body : `${body}\n\n--\n${unsubscribeWords(language)}: ${link}\n`
