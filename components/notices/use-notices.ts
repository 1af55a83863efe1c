import { useEffect, useRef, useState } from 'react'
import type { Notices } from '@/lib/notices/schema'

const EVERY_MS = 120_000

/** The notices as they came with the page, then anew every two minutes while somebody looks. */
export function useNotices(initial: Notices | null): Notices | null {
  const [notices, setNotices] = useState(initial)
  const asked = useRef(0)
  useEffect(() => {
    asked.current = Date.now()
    const abort = new AbortController()
    async function refresh() {
      if (document.hidden || Date.now() - asked.current < EVERY_MS) return
      asked.current = Date.now()
      const response = await fetch('/api/notices', { signal: abort.signal }).catch(() => null)
      // Without an answer the last one stands.
      if (response?.ok) setNotices((await response.json()).data)
    }
    const timer = setInterval(refresh, EVERY_MS)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      abort.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [])
  return notices
}
