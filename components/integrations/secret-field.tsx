'use client'
import { Button, PasswordInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import classes from './secret-field.module.css'

interface SecretFieldProps {
  label: string
  hint?: string
  error?: string
  stored: boolean
  /** Absent: what is stored stays. Null: it is removed on saving. */
  value: string | null | undefined
  onChange: (value: string | null | undefined) => void
  onBlur: () => void
}

/** A secret that is written and never shown again: stored, it can be replaced or removed. */
export function SecretField({ label, hint, error, stored, value, onChange, onBlur }: SecretFieldProps) {
  const t = useTranslations('client.integrations.secret')
  const id = useId()
  if (stored && (value === undefined || value === null))
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot lie beside the buttons
      <div role="group" aria-labelledby={id}>
        <div className={classes.label} id={id}>
          {label}
        </div>
        <div className={classes.stored} data-removed={value === null || undefined}>
          <IconLock size={16} aria-hidden />
          <span>{value === null ? t('removed') : t('stored')}</span>
          {value === null ? (
            <Button size="compact-sm" variant="subtle" onClick={() => onChange(undefined)}>
              {t('undo')}
            </Button>
          ) : (
            <>
              <Button size="compact-sm" variant="subtle" onClick={() => onChange('')}>
                {t('replace')}
              </Button>
              <Button size="compact-sm" variant="subtle" color="red" onClick={() => onChange(null)}>
                {t('remove')}
              </Button>
            </>
          )}
        </div>
        {error ? (
          <p className={classes.error} role="alert">
            {error}
          </p>
        ) : null}
      </div>
    )
  return (
    <div>
      <PasswordInput
        label={label}
        description={hint}
        error={error}
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onBlur}
        autoComplete="new-password"
        spellCheck={false}
        autoFocus={stored}
        visibilityToggleButtonProps={{ 'aria-label': t('show') }}
      />
      {stored ? (
        <Button size="compact-sm" variant="subtle" mt={4} onClick={() => onChange(undefined)}>
          {t('keep')}
        </Button>
      ) : null}
    </div>
  )
}
