import { useTranslations } from 'next-intl'
import { Badge } from './badge'
import classes from './failure.module.css'

/** The mark of a row in a list that has something that cannot be read any more. */
export function BrokenMark() {
  const t = useTranslations('common.broken')
  return (
    <>
      {' '}
      <Badge tone="red">{t('mark')}</Badge>
    </>
  )
}

/** Says on the page of such a record what it means, and what to do. */
export function BrokenNote() {
  const t = useTranslations('common.broken')
  return (
    <p role="note" className={classes.failure}>
      {t('text')}
    </p>
  )
}
