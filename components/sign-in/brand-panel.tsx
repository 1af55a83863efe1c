import { useTranslations } from 'next-intl'
import { Mark } from '@/components/shell/mark'
import classes from './brand-panel.module.css'

/** What the product is, beside the form. */
export function BrandPanel() {
  const t = useTranslations('signIn')
  const app = useTranslations('app')
  return (
    <header className={classes.panel}>
      <div className={classes.brand}>
        <Mark size={36} />
        <span>{app('name')}</span>
      </div>
      <div className={classes.words}>
        <p className={classes.claim}>{t('claim')}</p>
        <p className={classes.text}>{t('text')}</p>
      </div>
      <svg className={classes.picture} viewBox="0 0 400 400" aria-hidden="true">
        <circle cx="200" cy="200" r="190" />
        <circle cx="200" cy="200" r="146" />
        <circle cx="200" cy="200" r="102" />
        <circle cx="200" cy="200" r="58" />
      </svg>
    </header>
  )
}
