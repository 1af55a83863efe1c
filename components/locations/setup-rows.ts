'use client'
import { useCallback, useEffect, useId, useRef, useState } from 'react'

/** A value of a list that is edited, with the key React knows it by. */
export interface Row<T> {
  key: number
  value: T
}

/**
 * The rows of a list that is edited. A row that `add` adds takes the focus: give the control that should have it the
 * id `fieldId(key)`.
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
    /** Begins anew with what was saved. */
    reset: (saved: readonly T[]) => {
      next.current = Math.max(next.current, saved.length)
      setRows(rowsOf(saved, 0))
      setFresh(null)
    },
  }
}

const rowsOf = <T>(values: readonly T[], first: number): Row<T>[] =>
  values.map((value, index) => ({ key: first + index, value }))

/** A whole number as the API takes it; nothing typed is null. Any other text stays one: the API says so at its field. */
export function wholeNumber(text: string): number | string | null {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d{1,9}$/.test(typed) ? Number(typed) : typed
}

/** At which places stands a text that has stood there before, spaces around it aside. */
export function repeats(texts: readonly string[]): boolean[] {
  const trimmed = texts.map((text) => text.trim())
  return trimmed.map((text, index) => text !== '' && trimmed.indexOf(text) < index)
}
