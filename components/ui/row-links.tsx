'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useTransition } from 'react'
import { Pending } from './pending'

/** Follows every RowLink of the page within the app, unless somebody wants a new tab or another handler has it. */
export function RowLinks() {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (link?.dataset.rowLink === undefined || !plain || event.defaultPrevented) return
      event.preventDefault()
      const scroll = link.dataset.rowLink !== 'beside'
      startTransition(() => router.push(link.pathname + link.search + link.hash, { scroll }))
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [router])
  return pending ? <Pending /> : null
}
