'use client'
import { NativeSelect } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { FIELDS, type Field } from '@/lib/imports/columns'
import classes from './import-form.module.css'

/** What the columns of these names hold, as chosen by hand. */
export type Chosen = Record<string, Field>

interface ColumnMappingProps {
  /** The names that say nothing to us. */
  names: readonly string[]
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  disabled: boolean
}

/** Lets the person say what the columns hold whose names are not known. */
export function ColumnMapping({ names, chosen, onChange, disabled }: ColumnMappingProps) {
  const t = useTranslations('client.import')
  const fields = FIELDS.map((value) => ({ value, label: t(`columns.${value}`) }))
  function choose(name: string, value: string) {
    const { [name]: _, ...others } = chosen
    const field = FIELDS.find((one) => one === value)
    onChange(field ? { ...others, [name]: field } : others)
  }
  return (
    <fieldset className={classes.group} disabled={disabled}>
      <legend>{t('mapping.title')}</legend>
      <p className={classes.hint}>{t('mapping.text')}</p>
      <div className={classes.mapping}>
        {names.map((name) => (
          <NativeSelect
            key={name}
            label={name.slice(0, 80) || t('mapping.noName')}
            data={[{ value: '', label: t('columns.ignored') }, ...fields]}
            value={chosen[name] ?? ''}
            onChange={(event) => choose(name, event.currentTarget.value)}
          />
        ))}
      </div>
    </fieldset>
  )
}
