import { useRef, useState } from 'react'

// Typing is undone in steps of this length.
const STEP_MS = 800
const MAX_STEPS = 100

interface History<T> {
  /** Changes the value; changes with the same key in a row are one step. */
  change: (next: T, key?: string) => void
  undo: () => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
}

/** Undo and redo for a value that the parent holds. */
export function useHistory<T>(value: T, onChange: (value: T) => void): History<T> {
  const past = useRef<T[]>([])
  const future = useRef<T[]>([])
  const last = useRef({ key: '', at: 0 })
  const [, setCount] = useState(0)

  function go(from: T[], to: T[]) {
    const next = from.pop()
    if (next === undefined) return
    to.push(value)
    last.current = { key: '', at: 0 }
    setCount((count) => count + 1)
    onChange(next)
  }

  return {
    change(next, key = '') {
      const at = performance.now()
      const continues = key !== '' && key === last.current.key && at - last.current.at < STEP_MS
      if (!continues) past.current = [...past.current, value].slice(-MAX_STEPS)
      last.current = { key, at }
      future.current = []
      setCount((count) => count + 1)
      onChange(next)
    },
    undo: () => go(past.current, future.current),
    redo: () => go(future.current, past.current),
    canUndo: past.current.length > 0,
    canRedo: future.current.length > 0,
  }
}
