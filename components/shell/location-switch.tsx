'use client'
import { IconBuildingStore, IconChevronDown } from '@tabler/icons-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useOptimistic, useTransition } from 'react'
import { choiceCookie } from '@/lib/http/host-cookie'
import { ALL_LOCATIONS, LOCATION_COOKIE } from '@/lib/locations/location-cookie'
import classes from './location-switch.module.css'

interface LocationSwitchProps {
  locations: { id: string; name: string }[]
  /** The location of the cookie. */
  chosen: string | undefined
}

/** Chooses the location that every page is about, or all, and remembers it. A shared address has the last word. */
export function LocationSwitch({ locations, chosen }: LocationSwitchProps) {
  const t = useTranslations('client.frame')
  const router = useRouter()
  const pathname = usePathname()
  const current = useSearchParams()
  const [pending, startTransition] = useTransition()
  const asked = current.get('location')
  const known = asked === ALL_LOCATIONS || locations.some(({ id }) => id === asked)
  const [shown, show] = useOptimistic((known ? asked : chosen) ?? ALL_LOCATIONS)

  function change(next: string) {
    const all = next === ALL_LOCATIONS
    // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
    document.cookie = choiceCookie(LOCATION_COOKIE, all ? '' : next)
    const query = new URLSearchParams(current)
    query.delete('location')
    query.delete('cursor')
    startTransition(() => {
      show(next)
      router.replace(query.size > 0 ? `${pathname}?${query}` : pathname, { scroll: false })
      router.refresh()
    })
  }

  return (
    <span className={classes.switch} data-chosen={shown !== ALL_LOCATIONS || undefined}>
      <IconBuildingStore size={16} stroke={1.7} aria-hidden />
      <select
        aria-label={t('location')}
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
