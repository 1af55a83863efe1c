import { useLocale, useTranslations } from 'next-intl'
import { GUEST_LANGUAGES, type GuestLanguage } from '@/lib/i18n/guest-languages'

interface NamedLanguage {
  value: GuestLanguage
  label: string
  /** The name within a sentence: Spanish writes it in small letters. */
  word: string
}

/** As the choices of a field. */
export const asChoices = (languages: readonly NamedLanguage[]) =>
  languages.map(({ value, label }) => ({ value, label }))

/** The languages of guests by their names in the reader's language, in the order of its alphabet. */
export function useGuestLanguages(): NamedLanguage[] {
  const t = useTranslations('client.guestLanguages')
  const locale = useLocale()
  return GUEST_LANGUAGES.map((value) => {
    const label = t(value)
    return { value, label, word: locale === 'es' ? label.toLowerCase() : label }
  }).sort((one, other) => one.label.localeCompare(other.label, locale))
}
