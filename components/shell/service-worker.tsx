'use client'
import { useEffect } from 'react'

/** Registers the service worker, for the offline page and push notices. Browsers without it lack only these. */
export function ServiceWorker() {
  useEffect(() => {
    // Registration also fails where the browser forbids it, as in a private window.
    navigator.serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch(() => {})
  }, [])
  return null
}
