'use client'
// biome-ignore lint/style/noRestrictedImports: this is the one place
import NextLink, { useLinkStatus } from 'next/link'
import { type ComponentProps, useState } from 'react'
import { Pending } from './pending'

/**
 * Next's link, with a line at the top while its page is on the way. It fetches that page ahead when somebody points at
 * it: Next's own does so for every link in sight, just when the browser should make this page usable.
 */
export function Link({ prefetch = 'auto', children, ...props }: ComponentProps<typeof NextLink>) {
  const [wanted, setWanted] = useState(false)
  const want = () => setWanted(true)
  return (
    <NextLink
      onMouseEnter={want}
      onFocus={want}
      onTouchStart={want}
      {...props}
      prefetch={wanted ? prefetch : false}
    >
      {children}
      <OnItsWay />
    </NextLink>
  )
}

function OnItsWay() {
  return useLinkStatus().pending ? <Pending /> : null
}
