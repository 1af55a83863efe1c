'use client'
import { Textarea, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import classes from './template-field.module.css'
import { fieldId } from './use-problems'

/** The variables that are offered; those of a reservation only where there is one. */
const ALWAYS = ['first_name', 'full_name', 'location_name', 'tier', 'total_visits', 'last_visit'] as const
const RESERVATION = ['reservation_date', 'reservation_time', 'party_size'] as const
const LAST = ['organization_name', 'unsubscribe_url'] as const

interface TemplateFieldProps {
  field: string
  label: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
  description?: string
  multiline?: boolean
  ofReservation?: boolean
  maxLength: number
}

/** A text with variables, and buttons that put them where the caret is. */
export function TemplateField({ field, multiline, ofReservation, onChange, ...rest }: TemplateFieldProps) {
  const t = useTranslations('client.automationEditor')
  const ref = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const offered = [...ALWAYS, ...(ofReservation ? RESERVATION : (['birthday'] as const)), ...LAST]

  function insert(variable: string) {
    const input = ref.current
    if (!input) return
    input.focus()
    const { selectionStart, selectionEnd } = input
    const start = selectionStart ?? input.value.length
    input.setRangeText(`{{ ${variable} }}`, start, selectionEnd ?? start, 'end')
    onChange(input.value)
    // React writes the value anew and the caret would jump to the end.
    const caret = input.selectionStart
    requestAnimationFrame(() => input.setSelectionRange(caret, caret))
  }

  const shared = {
    ref,
    id: fieldId(field),
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    ...rest,
  }
  return (
    <div>
      {multiline ? (
        <Textarea rows={8} className={classes.text} {...shared} />
      ) : (
        <TextInput autoComplete="off" {...shared} />
      )}
      <fieldset className={classes.variables} aria-label={`${t('insert')}: ${rest.label}`}>
        {offered.map((variable) => (
          <button
            key={variable}
            type="button"
            className={classes.variable}
            title={`{{ ${variable} }}`}
            onClick={() => insert(variable)}
          >
            {t(`variables.${variable}`)}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
