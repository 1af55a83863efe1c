'use client'
import { useRouter } from 'next/navigation'
import { startTransition, useEffect, useEffectEvent, useState } from 'react'
import { isGuarded } from '@/components/forms/use-leave-guard'
import { Freshness } from '@/components/ui/freshness'

const REFRESH_MS = 15_000
const GIVE_UP_MS = 5_000

/**
 * Refreshes the page every fifteen seconds and when the person returns to it, and shows the age of the data.
 * @param at when the server read what the page shows, ISO 8601
 */
export function LiveRefresh({ at }: { at: string }) {
  const router = useRouter()
  const [offline, setOffline] = useState(false)

  const refresh = useEffectEvent(async () => {
    // After the session has ended, a refresh would redirect to the sign-in and lose the input.
    if (document.visibilityState !== 'visible' || isGuarded()) return
    // Next answers a failed refresh with a full page load, which would end in the browser's error page.
    const alive = navigator.onLine && (await isAlive())
    setOffline(!alive)
    if (alive) startTransition(() => router.refresh())
  })

  useEffect(() => {
    const look = () => void refresh()
    const timer = setInterval(look, REFRESH_MS)
    const events = ['focus', 'online', 'offline'] as const
    for (const name of events) window.addEventListener(name, look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      for (const name of events) window.removeEventListener(name, look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])

  return <Freshness at={new Date(at)} offline={offline} />
}

async function isAlive(): Promise<boolean> {
  try {
    return (await fetch('/api/health', { signal: AbortSignal.timeout(GIVE_UP_MS) })).ok
  } catch {
    return false
  }
}
