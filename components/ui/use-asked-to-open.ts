import { useSearchParams } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'

/** Opens a page's form of a new record when the address has `?new=1`, and then removes the parameter. */
export function useAskedToOpen(open: () => void): void {
  const asked = useSearchParams().has('new')
  const answer = useEffectEvent(open)
  useEffect(() => {
    if (!asked) return
    answer()
    const address = new URL(window.location.href)
    address.searchParams.delete('new')
    window.history.replaceState(null, '', address)
  }, [asked])
}
