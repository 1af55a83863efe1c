'use client'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { Link } from '@/components/ui/link'
import classes from './settings-nav.module.css'

/** One section of the settings, marked while the person is there. */
export function SettingsTab({ href, label }: { href: string; label: string }) {
  const here = usePathname().startsWith(href)
  const tab = useRef<HTMLLIElement>(null)
  // On a phone the sections are one line that scrolls.
  useEffect(() => {
    const line = tab.current?.parentElement
    if (here && tab.current && line) line.scrollLeft = tab.current.offsetLeft - 24
  }, [here])
  return (
    <li ref={tab}>
      <Link href={href} className={classes.tab} aria-current={here ? 'page' : undefined}>
        {label}
      </Link>
    </li>
  )
}
