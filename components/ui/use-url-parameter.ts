import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTransition } from 'react'

/**
 * A parameter of the page's address, and how to set it (empty: remove it). What narrows a list anew shows it from its
 * first page.
 */
export function useUrlParameter(name: string) {
  const router = useRouter()
  const pathname = usePathname()
  const value = useSearchParams().get(name) ?? ''
  const [pending, startTransition] = useTransition()

  /** `meanwhile` runs in the transition, for what is shown until the page is there. */
  function set(next: string, history: 'push' | 'replace' = 'push', meanwhile?: () => void) {
    // As the address is now: a search that was typed a moment ago knows what was chosen since.
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
