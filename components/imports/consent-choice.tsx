'use client'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { Failure } from '@/components/ui/failure'
import { CONSENTS, type Consent } from '@/lib/imports/consents'
import classes from './import-form.module.css'

interface ConsentChoiceProps {
  value: Consent | null
  onChange: (value: Consent) => void
  /** Whether to show that a choice is missing. */
  missing: boolean
  disabled: boolean
}

/** Asks what the people of the file may be written to on; there is no answer beforehand. */
export function ConsentChoice({ value, onChange, missing, disabled }: ConsentChoiceProps) {
  const t = useTranslations('client.import.consent')
  const hint = useId()
  return (
    <fieldset className={classes.group} disabled={disabled} aria-describedby={hint}>
      <legend>{t('title')}</legend>
      <p className={classes.hint} id={hint}>
        {t('hint')}
      </p>
      {CONSENTS.map((consent) => (
        <label key={consent} className={classes.choice}>
          <input
            type="radio"
            name="consent"
            value={consent}
            required
            checked={value === consent}
            onChange={() => onChange(consent)}
          />
          {t(consent)}
        </label>
      ))}
      <Failure text={missing ? t('missing') : null} />
    </fieldset>
  )
}
