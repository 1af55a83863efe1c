'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'

interface Traversal extends Event {
  navigationType: string
  destination: { key: string }
}
type Navigation = EventTarget & { traverseTo: (key: string) => void }

/**
 * While `dirty`, leaving has to be confirmed: by the browser's own question when the tab closes, by ours for links and
 * the back button. Gives how to leave after all (null: nobody wants to), and how to stay.
 */
export function useLeaveGuard(dirty: boolean) {
  const router = useRouter()
  const [leave, setLeave] = useState<(() => void) | null>(null)
  useEffect(() => {
    if (!dirty) return
    const navigation = (window as { navigation?: Navigation }).navigation
    const free = new AbortController()
    const { signal } = free
    // Whoever has confirmed is let through.
    const ask = (go: () => void) =>
      setLeave(() => () => {
        free.abort()
        go()
      })
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
    document.addEventListener(
      'click',
      (event) => {
        const link = event.target instanceof Element ? event.target.closest('a') : null
        const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
        if (!link || !plain || link.target === '_blank' || link.origin !== window.location.origin) return
        if (link.pathname === window.location.pathname && link.hash !== '') return
        event.preventDefault()
        event.stopPropagation()
        ask(() => router.push(link.pathname + link.search))
      },
      { capture: true, signal },
    )
    navigation?.addEventListener(
      'navigate',
      (event) => {
        const { navigationType, destination } = event as Traversal
        if (navigationType !== 'traverse' || !event.cancelable) return
        event.preventDefault()
        ask(() => navigation.traverseTo(destination.key))
      },
      { signal },
    )
    return () => free.abort()
  }, [dirty, router])
  return { leave, stay: () => setLeave(null) }
}
