'use client'
import { usePathname } from 'next/navigation'
import { useEffect } from 'react'

/**
 * Registers the service worker, for the offline page and push notices; not on a guest's phone. Browsers without it lack
 * only these.
 */
export function ServiceWorker() {
  const isGuest = /^\/[uf]\//i.test(usePathname())
  useEffect(() => {
    if (isGuest) return
    // Registration also fails where the browser forbids it, as in a private window.
    navigator.serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch(() => {})
  }, [isGuest])
  return null
}
