import { useRouter, useSearchParams } from 'next/navigation'
import { inTab, LOCATION_PARAMETER } from '@/lib/locations/location-cookie'

/** Functions that keep the location of this tab in addresses. */
export function useTabHref(): (href: string) => string {
  // Null without a router, as in a test that renders a component alone.
  const location = useSearchParams()?.get(LOCATION_PARAMETER)
  return (href) => inTab(href, location)
}

/** Next's router, whose pages keep the location of this tab. */
export function useTabRouter(): ReturnType<typeof useRouter> {
  const router = useRouter()
  const tabHref = useTabHref()
  return {
    ...router,
    push: (href, options) => router.push(tabHref(href), options),
    replace: (href, options) => router.replace(tabHref(href), options),
  }
}
