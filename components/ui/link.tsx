'use client'
// biome-ignore lint/style/noRestrictedImports: this is the one place
import NextLink, { useLinkStatus } from 'next/link'
import { type ComponentProps, useState } from 'react'
import classes from './link.module.css'
import { useTabHref } from './tab-address'

/**
 * Next's link, with a line at the top while its page is on the way. It prefetches that page on
 * hover, focus or touch: Next's own does so for every visible link, just when the browser should make this page usable.
 * The next page is of the same location as this one, unless the address says another.
 */
export function Link({ prefetch = 'auto', href, children, ...props }: ComponentProps<typeof NextLink>) {
  const [wanted, setWanted] = useState(false)
  const tabHref = useTabHref()
  const want = () => setWanted(true)
  return (
    <NextLink
      onMouseEnter={want}
      onFocus={want}
      onTouchStart={want}
      {...props}
      href={typeof href === 'string' ? tabHref(href) : href}
      prefetch={wanted ? prefetch : false}
    >
      {children}
      <OnItsWay />
    </NextLink>
  )
}

/** A line at the top while the next page is on the way. */
function OnItsWay() {
  return useLinkStatus().pending ? <span className={classes.line} aria-hidden /> : null
}
