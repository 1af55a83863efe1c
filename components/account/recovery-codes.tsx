'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { FormActions } from '@/components/ui/form-layout'
import classes from './second-factor.module.css'

/** The recovery codes, this once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useTranslations('client.secondFactor')
  return (
    <>
      <p role="status" className={classes.text}>
        {t('keep')}
      </p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <FormActions>
        <Button onClick={onDone}>{t('kept')}</Button>
      </FormActions>
    </>
  )
}
