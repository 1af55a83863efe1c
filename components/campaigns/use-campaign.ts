'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { send } from '@/components/forms/send'
import type { Campaign } from '@/lib/campaigns/schema'

const MIN_DELAY_MS = 1000
const MAX_DELAY_MS = 30_000

/**
 * Polls a campaign while something is under way (`isActive`), less and less often while its counts stay the same.
 * Refreshes the page when its status changes.
 */
export function useCampaign(shown: Campaign, isActive: boolean): Campaign {
  const router = useRouter()
  const [latest, setLatest] = useState(shown)
  const { id, status } = shown
  useEffect(() => {
    if (!isActive) return
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (delay: number, before: string) => {
      const sent = await send<Campaign>('GET', `/api/campaigns/${id}`, undefined, { signal })
      if (signal.aborted) return
      if (sent.ok) setLatest(sent.data)
      if (sent.ok && sent.data.status !== status) return router.refresh()
      const counts = sent.ok ? JSON.stringify(sent.data.progress) : before
      const next = counts === before ? Math.min(delay * 2, MAX_DELAY_MS) : MIN_DELAY_MS
      timer = setTimeout(() => ask(next, counts), next)
    }
    timer = setTimeout(() => ask(MIN_DELAY_MS, ''), MIN_DELAY_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [id, status, isActive, router])
  return isActive && latest.id === id && latest.status === status ? latest : shown
}
