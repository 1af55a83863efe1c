'use client'
import { TextInput } from '@mantine/core'

/** The six digits; browsers and phones offer the code themselves. */
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
