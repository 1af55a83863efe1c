'use client'
import { IconArrowLeft } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { Link } from './link'
import { listAddress, stepsBackTo } from './list-memory'
import classes from './page-header.module.css'

/**
 * A link back to the list of this record, as this tab last showed it, with its filters and its page. When the list is
 * still in the browser's history, it goes back there, so that the scroll position returns.
 */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  const [address, setAddress] = useState(href)
  useEffect(() => setAddress(listAddress(href)), [href])

  function goBack(event: MouseEvent<HTMLAnchorElement>) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const steps = stepsBackTo(href)
    if (steps === null) return
    event.preventDefault()
    window.history.go(-steps)
  }

  return (
    <Link href={address} className={classes.back} onClick={goBack}>
      <IconArrowLeft size={15} aria-hidden />
      {children}
    </Link>
  )
}
