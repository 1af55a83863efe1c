import { useState } from 'react'

/** Whether a field has been left, and its `onBlur`. */
export function useLeft(): [left: boolean, onBlur: () => void] {
  const [left, setLeft] = useState(false)
  function onBlur() {
    if (!document.querySelector(':active')) return setLeft(true)
    // A press elsewhere took the focus: a message now would move its target away before the click.
    const after = new AbortController()
    const settle = () => {
      after.abort()
      setTimeout(() => setLeft(true))
    }
    for (const end of ['pointerup', 'pointercancel'])
      window.addEventListener(end, settle, { signal: after.signal })
  }
  return [left, onBlur]
}
