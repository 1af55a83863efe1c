'use client'
import { IconBuildingStore, IconChevronDown } from '@tabler/icons-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useOptimistic, useRef, useTransition } from 'react'
import { choiceCookie } from '@/lib/http/host-cookie'
import { ALL_LOCATIONS, LOCATION_COOKIE, LOCATION_PARAMETER } from '@/lib/locations/location-cookie'
import classes from './location-switch.module.css'

/** Pages that show the same whatever the location: there the switch chooses for the next page. */
const EVERYWHERE = /^\/(account|assistant|automations|settings|setup|customers\/.+|tickets\/.+)(\/|$)/

/**
 * Chooses the location that the pages of this tab are about, or all. The address has the last word; the choice is
 * where the next visit begins.
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
 * An address without a location shows all of them, until it is loaded anew after a choice elsewhere. So a tab writes
 * down that it shows all when another one chooses; the returned function tells the others.
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
  // A channel does not hear itself.
  return () => ours.current?.postMessage(null)
}
