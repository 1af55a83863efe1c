import { useTranslations } from 'next-intl'
import classes from './reports.module.css'

/** What the reports count, in plain words. */
export function ReportHelp() {
  const t = useTranslations('reports.help')
  return (
    <details className={classes.help}>
      <summary>{t('title')}</summary>
      <p>{t('cohort')}</p>
      <p>{t('again')}</p>
      <p>{t('young')}</p>
      <p>{t('location')}</p>
      <p>{t('revenue')}</p>
    </details>
  )
}
