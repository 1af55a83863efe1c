import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import classes from './back-link.module.css'

/** The way back to the list a page belongs to. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={classes.back}>
      <IconArrowLeft size={15} aria-hidden />
      {children}
    </Link>
  )
}
