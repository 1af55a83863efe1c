import { useTranslations } from 'next-intl'
import classes from './note.module.css'
import { VisuallyHidden } from './visually-hidden'

/** A reservation's notes; nothing without any. */
export function Note({ text }: { text: string | null }) {
  const t = useTranslations('reservation')
  if (!text) return null
  return (
    <p className={classes.note} title={text}>
      <VisuallyHidden>{t('notes')}: </VisuallyHidden>
      <span>{text}</span>
    </p>
  )
}
