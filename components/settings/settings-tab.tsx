'use client'
import { usePathname } from 'next/navigation'
import { Link } from '@/components/ui/link'
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
