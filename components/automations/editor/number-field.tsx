import { TextInput } from '@mantine/core'
import { fieldId } from './problems'

interface NumberFieldProps {
  /** The field's path in the API. */
  field: string
  label: string
  hint?: string | undefined
  /** Below the input, where other fields of the row have no hint. */
  hintBelow?: boolean
  /** As typed. */
  value: string
  onChange: (value: string) => void
  errorAt: (field: string) => string | undefined
  maxLength?: number
  inputMode?: 'numeric' | 'decimal'
}

/** A number as typed: the API says what is wrong with it. */
export function NumberField({
  field,
  label,
  hint,
  hintBelow = false,
  value,
  onChange,
  errorAt,
  maxLength = 4,
  inputMode = 'numeric',
}: NumberFieldProps) {
  return (
    <TextInput
      id={fieldId(field)}
      label={label}
      description={hint}
      inputWrapperOrder={hintBelow ? ['label', 'input', 'description', 'error'] : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={errorAt(field)}
      inputMode={inputMode}
      maxLength={maxLength}
      autoComplete="off"
    />
  )
}
