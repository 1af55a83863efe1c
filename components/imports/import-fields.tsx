'use client'
import { NativeSelect } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { type DragEvent, useId, useState } from 'react'
import { Failure } from '@/components/ui/failure'
import { FIELDS, type Field } from '@/lib/imports/columns'
import { CONSENTS, type Consent } from '@/lib/imports/consents'
import classes from './import-form.module.css'
import type { Preview } from './read-preview'

/** A field for a file: dropped, or chosen with a click or the keyboard. */
export function DropZone({ onFile, maxMb }: { onFile: (file: File) => void; maxMb: number }) {
  const t = useTranslations('client.import')
  const [over, setOver] = useState(false)
  const hint = useId()

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) onFile(file)
  }

  return (
    <label
      className={classes.zone}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconFileUpload size={28} stroke={1.5} aria-hidden />
      <span className={classes.title}>{t('choose')}</span>
      <span className={classes.zoneHint} id={hint}>
        {t('chooseHint', { most: maxMb })}
      </span>
      <input
        type="file"
        accept=".csv,.txt,text/csv"
        className={classes.input}
        aria-label={t('file')}
        aria-describedby={hint}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) onFile(file)
          // Choosing the same file again, after a correction, must count as a change.
          event.currentTarget.value = ''
        }}
      />
    </label>
  )
}

/** The words for the field of a column; null: it is not imported. */
function useColumnLabel(): (field: Field | null) => string {
  const t = useTranslations('client.import.columns')
  const labels = useTranslations('client.guestFields')
  return (field) => (field === null ? t('ignored') : field === 'country_code' ? t(field) : labels(field))
}

/** The first rows of the chosen file, and the field that each column maps to. */
export function FilePreview({ preview, chosen }: { preview: Preview; chosen: Chosen }) {
  const t = useTranslations('client.import')
  const label = useColumnLabel()
  const columns = preview.columns.map(({ name, field }) => ({ name, field: field ?? chosen[name] ?? null }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
    <section className={classes.frame} aria-label={t('preview')} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map(({ name, field }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name and never move
              <th key={index} scope="col" data-ignored={field === null || undefined}>
                {name}
                <small>{label(field)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id and never move
            <tr key={line}>
              {columns.map(({ field }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={index} data-ignored={field === null || undefined}>
                  {row[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The fields chosen by hand, by column name. */
export type Chosen = Record<string, Field>

interface ColumnMappingProps {
  /** The columns whose names are unknown. */
  names: readonly string[]
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  disabled: boolean
}

/** Lets the person choose what unknown columns hold. */
export function ColumnMapping({ names, chosen, onChange, disabled }: ColumnMappingProps) {
  const t = useTranslations('client.import')
  const label = useColumnLabel()
  const fields = FIELDS.map((value) => ({ value, label: label(value) }))
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
            data={[{ value: '', label: label(null) }, ...fields]}
            value={chosen[name] ?? ''}
            onChange={(event) => choose(name, event.currentTarget.value)}
          />
        ))}
      </div>
    </fieldset>
  )
}

interface ConsentChoiceProps {
  value: Consent | null
  onChange: (value: Consent) => void
  /** Whether to show an error at a missing choice. */
  missing: boolean
  disabled: boolean
}

/** Asks for the legal basis on which marketing may write to the people in the file. Nothing is preselected. */
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
