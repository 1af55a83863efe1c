'use client'
import { IconBuildingStore, IconChevronDown } from '@tabler/icons-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useOptimistic, useRef, useTransition } from 'react'
import { choiceCookie } from '@/lib/http/host-cookie'
import { ALL_LOCATIONS, LOCATION_COOKIE, LOCATION_PARAMETER } from '@/lib/locations/location-cookie'
import classes from './location-switch.module.css'

/** Pages that do not depend on the location: there the choice applies to the next page. */
const EVERYWHERE =
  /^\/(account|assistant|automations|campaigns|settings|setup|customers\/.+|tickets\/.+)(\/|$)/

/**
 * Chooses the location of this tab's pages, or all. The address decides; the stored choice is only the default of the
 * next visit.
 */
export function LocationSwitch({ locations }: { locations: { id: string; name: string }[] }) {
  const t = useTranslations('client.frame')
  const router = useRouter()
  const pathname = usePathname()
  const current = useSearchParams()
  const [pending, startTransition] = useTransition()
  const asked = current.get(LOCATION_PARAMETER)
  const [shown, show] = useOptimistic(locations.find(({ id }) => id === asked)?.id ?? ALL_LOCATIONS)
  const tellOtherTabs = usePinnedAddress()
  const everywhere = EVERYWHERE.test(pathname)

  function change(next: string) {
    tellOtherTabs()
    // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
    document.cookie = choiceCookie(LOCATION_COOKIE, next === ALL_LOCATIONS ? '' : next)
    const query = new URLSearchParams(current)
    query.set(LOCATION_PARAMETER, next)
    query.delete('cursor')
    startTransition(() => {
      show(next)
      router.replace(`${pathname}?${query}`, { scroll: false })
    })
  }

  return (
    <span
      className={classes.switch}
      data-chosen={(shown !== ALL_LOCATIONS && !everywhere) || undefined}
      data-everywhere={everywhere || undefined}
      title={everywhere ? t('everywhere') : undefined}
    >
      <IconBuildingStore size={16} stroke={1.7} aria-hidden />
      <select
        aria-label={t('location')}
        aria-description={everywhere ? t('everywhere') : undefined}
        className={classes.select}
        value={shown}
        onChange={(event) => change(event.currentTarget.value)}
        aria-busy={pending}
      >
        <option value={ALL_LOCATIONS}>{t('allLocations')}</option>
        {locations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} aria-hidden />
    </span>
  )
}

const CHANNEL = 'sobremesa-location'

/**
 * A page without a location in its address shows all locations, but after a reload the stored choice. So when another
 * tab chooses a location, this tab writes "all" into its address. Call the returned function after a choice here.
 */
function usePinnedAddress(): () => void {
  const ours = useRef<BroadcastChannel>(null)
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL)
    ours.current = channel
    channel.onmessage = () => {
      const url = new URL(window.location.href)
      if (url.searchParams.has(LOCATION_PARAMETER)) return
      url.searchParams.set(LOCATION_PARAMETER, ALL_LOCATIONS)
      window.history.replaceState(window.history.state, '', url)
    }
    return () => channel.close()
  }, [])
  // A BroadcastChannel does not receive its own messages.
  return () => ours.current?.postMessage(null)
}
