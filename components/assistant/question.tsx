import { useTranslations } from 'next-intl'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import classes from './conversation-log.module.css'

/** What the person asked, as it was typed. */
export function Question({ text }: { text: string }) {
  const t = useTranslations('client.assistant')
  return (
    <li className={classes.question}>
      <VisuallyHidden>{t('you')}: </VisuallyHidden>
      {text}
    </li>
  )
}
