import { useLocale, useTranslations } from 'next-intl'
import { GUEST_LANGUAGES, type GuestLanguage, LANGUAGE_NAMES } from '@/lib/i18n/guest-languages'
import classes from './guest-languages.module.css'

interface GuestLanguagesProps {
  /** The same page in another language. */
  hrefOf: (language: GuestLanguage) => string
}

/** The languages of a guest's page, as links by their own names: it works without scripts and keeps no cookie. */
export function GuestLanguages({ hrefOf }: GuestLanguagesProps) {
  const t = useTranslations('guests')
  const language: GuestLanguage = useLocale()
  return (
    <nav className={classes.languages} aria-label={t('languages')}>
      {GUEST_LANGUAGES.map((each) => (
        <a
          key={each}
          href={hrefOf(each)}
          lang={each}
          hrefLang={each}
          aria-current={each === language ? 'true' : undefined}
        >
          {LANGUAGE_NAMES[each]}
        </a>
      ))}
    </nav>
  )
}
