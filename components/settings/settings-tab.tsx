'use client'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import classes from './settings-nav.module.css'

/** One section of the settings, marked while the person is there. */
export function SettingsTab({ href, label }: { href: string; label: string }) {
  const here = usePathname().startsWith(href)
  return (
    <li>
      <Link href={href} className={classes.tab} aria-current={here ? 'page' : undefined}>
        {label}
      </Link>
    </li>
  )
}
