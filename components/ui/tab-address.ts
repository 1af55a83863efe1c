import { useRouter, useSearchParams } from 'next/navigation'
import { inTab, LOCATION_PARAMETER } from '@/lib/locations/location-cookie'

/** How addresses keep to the location of this tab. */
export function useTabHref(): (href: string) => string {
  // Null where nothing is routed, as in a test that renders a part.
  const location = useSearchParams()?.get(LOCATION_PARAMETER)
  return (href) => inTab(href, location)
}

/** Next's router, whose pages are of the location of this tab. */
export function useTabRouter(): ReturnType<typeof useRouter> {
  const router = useRouter()
  const tabHref = useTabHref()
  return {
    ...router,
    push: (href, options) => router.push(tabHref(href), options),
    replace: (href, options) => router.replace(tabHref(href), options),
  }
}
