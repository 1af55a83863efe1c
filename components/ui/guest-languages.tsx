import { useTranslations } from 'next-intl'
import { LOCALES, type Locale } from '@/lib/i18n/locales'
import classes from './guest-languages.module.css'

interface GuestLanguagesProps {
  locale: Locale
  /** The same page in another language. */
  hrefOf: (locale: Locale) => string
}

/** The languages of a guest's page, as links: it works without scripts and keeps no cookie. */
export function GuestLanguages({ locale, hrefOf }: GuestLanguagesProps) {
  const t = useTranslations('guests')
  return (
    <nav className={classes.languages} aria-label={t('languages')}>
      {LOCALES.map((each) => (
        <a
          key={each}
          href={hrefOf(each)}
          lang={each}
          hrefLang={each}
          aria-current={each === locale ? 'true' : undefined}
        >
          {t(`language.${each}`)}
        </a>
      ))}
    </nav>
  )
}
