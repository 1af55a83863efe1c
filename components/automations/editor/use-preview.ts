'use client'
import { useEffect, useState } from 'react'
import { send } from '@/components/settings/send'
import type { AutomationPreview } from '@/lib/automations/schema'
import { type Problem, problemOf } from './problem'

const DELAY_MS = 500

/** What a run would do with the form as it stands. While the next answer is on its way the last one stays. */
export interface PreviewState {
  loading: boolean
  preview: AutomationPreview | null
  /** What is wrong with the form; `failed` when there was no answer at all. */
  problem: Problem | 'failed' | null
}

/** Asks for a preview a moment after the last change; an answer that is superseded is cancelled. */
export function usePreview(body: object): PreviewState {
  const [state, setState] = useState<PreviewState>({ loading: true, preview: null, problem: null })
  const asked = JSON.stringify(body)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setState((now) => ({ ...now, loading: true }))
    const timer = setTimeout(async () => {
      const sent = await send<AutomationPreview>('POST', '/api/automations/preview', JSON.parse(asked), {
        signal,
      })
      if (signal.aborted) return
      setState((now) =>
        sent.ok
          ? { loading: false, preview: sent.data, problem: null }
          : { loading: false, preview: now.preview, problem: problemOf(sent) ?? 'failed' },
      )
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [asked])
  return state
}
