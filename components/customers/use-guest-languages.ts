import { useLocale, useTranslations } from 'next-intl'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'

/** The languages of guests by their names in the reader's language, in the order of its alphabet. */
export function useGuestLanguages(): { value: string; label: string }[] {
  const t = useTranslations('client.guestLanguages')
  const locale = useLocale()
  return GUEST_LANGUAGES.map((code) => ({ value: code, label: t(code) })).sort((one, other) =>
    one.label.localeCompare(other.label, locale),
  )
}
