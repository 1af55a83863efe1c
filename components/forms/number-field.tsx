import { TextInput, type TextInputProps } from '@mantine/core'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { type NumberKind, numberInput, numberProblem, readNumber, showNumber } from './numbers'

interface NumberFieldProps
  extends NumberKind,
    Omit<
      TextInputProps,
      | 'type'
      | 'inputMode'
      | 'maxLength'
      | 'autoComplete'
      | 'value'
      | 'defaultValue'
      | 'onChange'
      | 'min'
      | 'max'
    > {
  /** As typed; absent where the form reads its fields from its `FormData`. */
  value?: string
  /** The stored number. */
  defaultValue?: number | null | undefined
  onChange?: (text: string) => void
  /** The bounds, where `error` does not name them. */
  min?: number
  max?: number
}

const GENERAL = ['required', 'wrong_type', 'invalid'] as const

/**
 * The field for a number as people write it in their language (`readNumber`). It keeps what was typed. A form's own
 * words for an `error` stand; in place of the general ones, and of `true`, it says what is wrong with the number.
 */
export function NumberField({
  decimals,
  money,
  value,
  defaultValue,
  onChange,
  min,
  max,
  error,
  ...input
}: NumberFieldProps) {
  const locale = useLocale()
  const stored = typeof defaultValue === 'number' ? showNumber(defaultValue, locale) : ''
  const [typed, setTyped] = useState(stored)
  const kind = { decimals, money }
  const text = value ?? typed
  const problem = useNumberProblem()(text, { ...kind, min, max })
  const general = useTranslations('client.errors.issues')
  const isGeneral = error === true || GENERAL.some((issue) => error === general(issue))
  const isSlip = numberProblem(text, locale, kind) === 'decimals'
  return (
    <TextInput
      {...input}
      {...numberInput(kind)}
      {...(value === undefined ? { defaultValue: stored } : { value })}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange?.(currentTarget.value)
      }}
      error={error && (isGeneral || isSlip) ? (problem ?? error) : error}
    />
  )
}

/** Says in the reader's language what is wrong with a text as a number; null for a good one, and for an empty text. */
export function useNumberProblem() {
  const t = useTranslations('client.form.number')
  const format = useFormatter()
  const locale = useLocale()
  return (
    text: string,
    { min, max, ...kind }: NumberKind & { min?: number; max?: number },
  ): string | null => {
    const problem = numberProblem(text, locale, kind)
    if (problem !== null) return t(problem, { decimals: kind.decimals ?? 0 })
    const number = readNumber(text, locale, kind)
    if (number === null) return null
    if (min !== undefined && number < min) return t('least', { number: format.number(min) })
    if (max !== undefined && number > max) return t('most', { number: format.number(max) })
    return null
  }
}
