'use client'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { numberOrText } from '@/components/forms/numbers'

/** A row of an editable list, with its React key. */
export interface Row<T> {
  key: number
  value: T
}

/**
 * The rows of an editable list. A row that `add` adds gets the focus: give its first control the id
 * `fieldId(key)`.
 */
export function useRows<T extends object>(values: readonly T[]) {
  const id = useId()
  const [rows, setRows] = useState(() => rowsOf(values, 0))
  const next = useRef(rows.length)
  const [fresh, setFresh] = useState<number | null>(null)
  const fieldId = (key: number) => `${id}-${key}`
  useEffect(() => {
    if (fresh !== null) document.getElementById(`${id}-${fresh}`)?.focus()
  }, [fresh, id])
  const change = useCallback(
    (key: number, changes: Partial<T>) =>
      setRows((now) =>
        now.map((row) => (row.key === key ? { key, value: { ...row.value, ...changes } } : row)),
      ),
    [],
  )
  return {
    rows,
    fieldId,
    change,
    add: (...added: T[]) => {
      const first = next.current
      next.current += added.length
      setRows((now) => [...now, ...rowsOf(added, first)])
      setFresh(first)
    },
    remove: (key: number) => setRows((now) => now.filter((row) => row.key !== key)),
    /** Replaces the rows with the saved ones. */
    reset: (saved: readonly T[]) => {
      next.current = Math.max(next.current, saved.length)
      setRows(rowsOf(saved, 0))
      setFresh(null)
    },
  }
}

const rowsOf = <T>(values: readonly T[], first: number): Row<T>[] =>
  values.map((value, index) => ({ key: first + index, value }))

/**
 * A text as a whole number for the API; null when empty. Other text is sent as typed, so that the API reports it at
 * the field.
 */
export const wholeNumber = (text: string, locale: string): number | string | null =>
  text.trim() === '' ? null : numberOrText(text, locale)

/** Returns whether each text repeats an earlier one, ignoring spaces around it. Empty texts never count. */
export function repeats(texts: readonly string[]): boolean[] {
  const trimmed = texts.map((text) => text.trim())
  return trimmed.map((text, index) => text !== '' && trimmed.indexOf(text) < index)
}
