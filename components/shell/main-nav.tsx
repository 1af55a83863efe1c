import { useTranslations } from 'next-intl'
import type { Permission } from '@/lib/auth/permissions'
import classes from './main-nav.module.css'
import { NavItem } from './nav-item'
import { SECTIONS } from './sections'

/** The places a person's role leads to. */
export function MainNav({ can }: { can: (permission: Permission) => boolean }) {
  const t = useTranslations('nav')
  const open = SECTIONS.filter(({ permission }) => !permission || can(permission))
  return (
    <ul className={classes.list}>
      {open.map(({ name, href, icon: Icon }) => (
        <NavItem key={name} href={href} label={t(name)} icon={<Icon size={18} stroke={1.7} aria-hidden />} />
      ))}
    </ul>
  )
}
