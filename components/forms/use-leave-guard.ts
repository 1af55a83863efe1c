'use client'
import { useRouter } from 'next/navigation'
import { useLayoutEffect, useState } from 'react'

interface Traversal extends Event {
  navigationType: string
  destination: { key: string }
}
type Navigation = EventTarget & { traverseTo: (key: string) => void }

let released = false
let guarding = 0

/** Whether a form on this page has unsaved input. */
export const isGuarded = () => guarding > 0

/** Allows leaving the page without a question, because the input is stored. */
export function releaseLeaveGuards(): void {
  released = true
}

/**
 * While `dirty`, leaving needs a confirmation: the browser's own question when the tab closes, ours for links and the
 * back button. Returns a function that leaves (null before an attempt), and one that stays.
 */
export function useLeaveGuard(dirty: boolean) {
  const router = useRouter()
  const [leave, setLeave] = useState<(() => void) | null>(null)
  // With the commit that says saved, not after it: the guard would stop a quick step back, and say nothing.
  useLayoutEffect(() => {
    if (!dirty) return
    const navigation = (window as { navigation?: Navigation }).navigation
    const free = new AbortController()
    const { signal } = free
    // A confirmed attempt is not stopped again.
    const ask = (go: () => void) =>
      setLeave(() => () => {
        free.abort()
        go()
      })
    window.addEventListener('beforeunload', (event) => released || event.preventDefault(), { signal })
    document.addEventListener(
      'click',
      (event) => {
        const link = event.target instanceof Element ? event.target.closest('a') : null
        const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
        if (!link || !plain || link.target === '_blank' || link.origin !== window.location.origin) return
        if (link.pathname === window.location.pathname && link.hash !== '') return
        event.preventDefault()
        // Only one form of the page asks.
        event.stopImmediatePropagation()
        ask(() => router.push(link.pathname + link.search + link.hash))
      },
      { capture: true, signal },
    )
    navigation?.addEventListener(
      'navigate',
      (event) => {
        const { navigationType, destination } = event as Traversal
        if (navigationType !== 'traverse' || !event.cancelable) return
        event.preventDefault()
        event.stopImmediatePropagation()
        ask(() => navigation.traverseTo(destination.key))
      },
      { signal },
    )
    guarding += 1
    return () => {
      guarding -= 1
      free.abort()
    }
  }, [dirty, router])
  return { leave, stay: () => setLeave(null) }
}
