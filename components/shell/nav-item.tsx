'use client'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import classes from './main-nav.module.css'

/** A place in the navigation, marked while the person is there. */
export function NavItem({ href, label, icon }: { href: string; label: string; icon: ReactNode }) {
  const pathname = usePathname()
  const here = href === '/' ? pathname === '/' : pathname === href || pathname.startsWith(`${href}/`)
  return (
    <li>
      <Link href={href} className={classes.item} aria-current={here ? 'page' : undefined}>
        {icon}
        {label}
      </Link>
    </li>
  )
}
