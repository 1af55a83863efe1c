import { useEffect, useState } from 'react'
import type { PaletteItem, PaletteScope } from './item'
import { lookUp } from './look-up'

const DELAY_MS = 200
const MIN_LENGTH = 2

type LookUp = { state: 'idle' | 'busy' | 'done' | 'failed'; found: PaletteItem[] }
const NOTHING: LookUp = { state: 'idle', found: [] }

/** Looks the text up a moment after the typing stops; a newer text aborts the look-up of an older one. */
export function useLookUp(text: string, scope: PaletteScope): LookUp {
  const [answer, setAnswer] = useState(NOTHING)
  useEffect(() => {
    if (text.length < MIN_LENGTH || !(scope.customers || scope.days.length > 0)) return setAnswer(NOTHING)
    const abort = new AbortController()
    // What was found so far stays while the next look-up runs.
    setAnswer(({ found }) => ({ state: 'busy', found }))
    const timer = setTimeout(() => {
      lookUp(text, scope, abort.signal).then(
        (found) => setAnswer({ state: 'done', found }),
        () => abort.signal.aborted || setAnswer({ state: 'failed', found: [] }),
      )
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text, scope])
  return answer
}
