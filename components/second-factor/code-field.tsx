'use client'
import { TextInput } from '@mantine/core'

/** A field for the six digits; browsers and phones offer to fill it in. */
export function CodeField({ label }: { label: string }) {
  return (
    <TextInput
      name="code"
      label={label}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={8}
      size="md"
      data-autofocus
      autoFocus
    />
  )
}
