'use client'
import { useEffect } from 'react'

/** Registers the service worker: the offline page, and push notices. A browser without one lacks just these. */
export function ServiceWorker() {
  useEffect(() => {
    // Also where the browser forbids it, as in a private window.
    navigator.serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch(() => {})
  }, [])
  return null
}
