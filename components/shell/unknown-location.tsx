'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { Link } from '@/components/ui/link'
import { rememberList } from '@/components/ui/list-memory'
import { choiceCookie, hostCookieName } from '@/lib/http/host-cookie'
import { ALL_LOCATIONS, inTab, LOCATION_COOKIE, LOCATION_PARAMETER } from '@/lib/locations/location-cookie'
import classes from './unknown-location.module.css'

/**
 * Remembers how the tab showed each list. Warns when the location in the address is not among the person's (`known`),
 * so that all are shown.
 */
export function UnknownLocation({ known }: { known: readonly string[] }) {
  const t = useTranslations('client.frame')
  const pathname = usePathname()
  const query = useSearchParams()
  const asked = query.get(LOCATION_PARAMETER)
  useEffect(() => rememberList(pathname, String(query)), [pathname, query])
  const unknown = asked !== null && asked !== ALL_LOCATIONS && !known.includes(asked)
  useEffect(() => {
    if (unknown) forget(asked)
  }, [unknown, asked])
  if (!unknown) return null
  return (
    <p role="status" className={classes.notice}>
      {t('unknownLocation')} <Link href={inTab(pathname, ALL_LOCATIONS)}>{t('understood')}</Link>
    </p>
  )
}

/** Clears the stored choice: another person may have made it in this browser. */
function forget(location: string) {
  const name = hostCookieName(LOCATION_COOKIE, window.location.protocol === 'https:')
  // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
  if (document.cookie.includes(`${name}=${location}`)) document.cookie = choiceCookie(LOCATION_COOKIE, '')
}
