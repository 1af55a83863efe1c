'use client'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { useTransition } from 'react'
import { choiceCookie } from '@/lib/http/host-cookie'
import { LOCALE_COOKIE, LOCALES } from '@/lib/i18n/locales'
import classes from './tool-button.module.css'

/** Switches to the other language and remembers it. */
export function LanguageSwitch() {
  const t = useTranslations('client.frame')
  const locale = useLocale()
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const other = LOCALES.find((candidate) => candidate !== locale) ?? LOCALES[0]
  function change() {
    // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
    document.cookie = choiceCookie(LOCALE_COOKIE, other)
    startTransition(() => router.refresh())
  }
  return (
    <button
      type="button"
      className={classes.tool}
      onClick={change}
      aria-busy={pending}
      lang={other}
      aria-label={t(`language.${other}`)}
    >
      {other.toUpperCase()}
    </button>
  )
}
