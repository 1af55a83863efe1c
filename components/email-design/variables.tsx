'use client'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import classes from './design-editor.module.css'

/** A variable that a text may use. */
export interface VariableChoice {
  name: string
  /** What is inserted, in Liquid. */
  text: string
  label: string
}

interface InsertVariableProps {
  /** The field it is inserted into. */
  label: string
  variables: readonly VariableChoice[]
  onInsert: (text: string) => void
}

/** A list of variables that inserts the chosen one. */
export function InsertVariable({ label, variables, onInsert }: InsertVariableProps) {
  const t = useTranslations('client.emailDesign')
  return (
    <NativeSelect
      size="xs"
      className={classes.insert}
      aria-label={t('insertInto', { field: label })}
      value=""
      data={[
        { value: '', label: t('insert') },
        ...variables.map(({ name, label: words }) => ({ value: name, label: words })),
      ]}
      onChange={(event) => {
        const chosen = variables.find(({ name }) => name === event.currentTarget.value)
        if (chosen) onInsert(chosen.text)
      }}
    />
  )
}

interface WordsProps {
  label: string
  value: string
  variables: readonly VariableChoice[]
  disabled: boolean
  maxLength: number
  onChange: (value: string) => void
  multiline?: boolean
  error?: string | undefined
  /** As part of the e-mail: without a visible label. */
  bare?: string
}

/** A line or lines of text in which variables can be inserted at the caret. */
export function Words({ label, variables, multiline = false, bare, onChange, ...rest }: WordsProps) {
  const ref = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  function insert(text: string) {
    const input = ref.current
    if (!input) return
    const start = input.selectionStart ?? input.value.length
    input.setRangeText(text, start, input.selectionEnd ?? start, 'end')
    onChange(input.value)
  }
  const shared = {
    ref,
    ...(bare ? { 'aria-label': label, className: bare } : { label }),
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    autoComplete: 'off',
    ...rest,
  }
  return (
    <div className={classes.field}>
      {multiline ? <Textarea rows={2} {...shared} /> : <TextInput {...shared} />}
      {rest.disabled ? null : <InsertVariable label={label} variables={variables} onInsert={insert} />}
    </div>
  )
}
