import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTransition } from 'react'

/**
 * A parameter of the page's address, and a function that sets it (empty: removes it). Changing it returns to the
 * list's
 * first page.
 */
export function useUrlParameter(name: string) {
  const router = useRouter()
  const pathname = usePathname()
  const value = useSearchParams().get(name) ?? ''
  const [pending, startTransition] = useTransition()

  /** `meanwhile` runs within the transition, to show something until the page is loaded. */
  function set(next: string, history: 'push' | 'replace' = 'push', meanwhile?: () => void) {
    // Read the current address: a search typed a moment ago must keep a filter chosen since.
    const query = new URLSearchParams(window.location.search)
    query.delete('cursor')
    if (next === '') query.delete(name)
    else query.set(name, next)
    startTransition(() => {
      meanwhile?.()
      router[history](query.size > 0 ? `${pathname}?${query}` : pathname, { scroll: false })
    })
  }

  return { value, pending, set }
}
