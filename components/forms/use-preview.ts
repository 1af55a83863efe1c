import { useEffect, useRef, useState } from 'react'
import { type Refusal, send } from './send'

const DELAY_MS = 400

/** What the API says of the form as it stands. The last answer stays while the next one is loading. */
export interface PreviewState<Preview> {
  loading: boolean
  preview: Preview | null
  /** Why there is no preview of the current form; its issues refer to the form's fields. */
  refusal: Refusal | null
}

/**
 * Posts the form a moment after its last change, with the `seed` of its first preview where one was given, and aborts a request that is out of date. For null, a form that is
 * incomplete, nothing is asked. After too many previews in a minute it waits, and asks again by itself.
 */
export function usePreview<Preview>(path: string, body: object | null): PreviewState<Preview> {
  const [state, setState] = useState<PreviewState<Preview>>({
    loading: body !== null,
    preview: null,
    refusal: null,
  })
  const seed = useRef<string | undefined>(undefined)
  const asked = body && JSON.stringify(body)
  useEffect(() => {
    if (asked === null) return setState((now) => ({ ...now, loading: false, refusal: null }))
    const controller = new AbortController()
    const { signal } = controller
    const form: object = JSON.parse(asked)
    setState((now) => ({ ...now, loading: true }))
    let timer = setTimeout(ask, DELAY_MS)
    async function ask() {
      const seeded = seed.current === undefined ? form : { ...form, seed: seed.current }
      const sent = await send<Preview & { seed?: string | null }>('POST', path, seeded, {
        signal,
        stay: true,
      })
      if (signal.aborted) return
      if (sent.ok) seed.current = sent.data.seed ?? undefined
      setState((now) =>
        sent.ok
          ? { loading: false, preview: sent.data, refusal: null }
          : { loading: false, preview: now.preview, refusal: sent },
      )
      if (!sent.ok && sent.wait) timer = setTimeout(ask, sent.wait * 1000)
    }
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [path, asked])
  return state
}
