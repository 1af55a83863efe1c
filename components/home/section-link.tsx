import { SECTIONS } from '@/components/shell/sections'
import { Link } from '@/components/ui/link'
import classes from './rows.module.css'

/** A link to one of the main places; nothing while there is no such place. */
export function SectionLink({ href, children }: { href: string; children: string }) {
  if (!SECTIONS.some((section) => section.href === href)) return null
  return (
    <Link href={href} prefetch={false} className={classes.all}>
      {children}
    </Link>
  )
}
