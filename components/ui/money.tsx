import { useFormatter, useTranslations } from 'next-intl'
import classes from './money.module.css'
import { VisuallyHidden } from './visually-hidden'

interface MoneyProps {
  /** EUR. */
  value: number
  /** It is, or contains, guests × average spend for want of an amount. */
  estimate?: boolean
}

/** An amount of money. An estimate says so, and how it is computed. */
export function Money({ value, estimate = false }: MoneyProps) {
  const t = useTranslations('common.estimate')
  const format = useFormatter()
  const amount = format.number(value, 'money')
  if (!estimate) return amount
  return (
    <span>
      {amount}{' '}
      <span className={classes.estimate} title={t('how')}>
        <span aria-hidden>{t('mark')}</span>
        <VisuallyHidden>{t('how')}</VisuallyHidden>
      </span>
    </span>
  )
}
