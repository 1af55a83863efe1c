'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { send } from '@/components/settings/send'
import type { AutomationRun } from '@/lib/automations/schema'

const FIRST_MS = 1000
const MOST_MS = 15_000

/** A run as it goes on: asked for less and less often while nothing moves; at its end the page is read anew. */
export function useRun(shown: AutomationRun): AutomationRun {
  const router = useRouter()
  const [latest, setLatest] = useState(shown)
  const { id, automation_id, status } = shown
  useEffect(() => {
    if (status !== 'running') return
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (delay: number, before: number) => {
      const path = `/api/automations/${automation_id}/runs?limit=10`
      const sent = await send<AutomationRun[]>('GET', path, undefined, { signal })
      if (signal.aborted) return
      const runs = sent.ok ? sent.data : []
      const now = runs.find((run) => run.id === id)
      if (now) setLatest(now)
      if (now && now.status !== 'running') return router.refresh()
      const pending = now?.pending ?? before
      const next = pending === before ? Math.min(delay * 2, MOST_MS) : FIRST_MS
      timer = setTimeout(() => ask(next, pending), next)
    }
    timer = setTimeout(() => ask(FIRST_MS, -1), FIRST_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [id, automation_id, status, router])
  return latest.id === id && status === 'running' ? latest : shown
}
