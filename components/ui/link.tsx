'use client'
// biome-ignore lint/style/noRestrictedImports: the only file that may use it
import NextLink, { useLinkStatus } from 'next/link'
import { type ComponentProps, useState } from 'react'
import classes from './link.module.css'
import { useTabHref } from './tab-address'

/**
 * Next's link, with a progress line at the top while the next page loads. It prefetches on hover, focus or touch
 * only:
 * Next prefetches every visible link, at the moment when the browser should make this page usable.
 * The next page has the same location as this one, unless the address names another.
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

/** The progress line at the top while the next page loads. */
function OnItsWay() {
  return useLinkStatus().pending ? <span className={classes.line} aria-hidden /> : null
}
