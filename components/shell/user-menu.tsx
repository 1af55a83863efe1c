import { IconChevronDown } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { Role } from '@/lib/permissions'
import { AccountLink, SignOutButton } from './account-actions'
import classes from './user-menu.module.css'

interface UserMenuProps {
  name: string | null
  email: string
  role: Role
  /** Controls that do not fit into a phone's header. */
  children: ReactNode
}

/** The signed-in person, and the sign-out. A native popover: Escape and a click elsewhere close it. */
export function UserMenu({ name, email, role, children }: UserMenuProps) {
  const t = useTranslations('userMenu')
  const roles = useTranslations('roles')
  const shown = name ?? email
  return (
    <>
      <button type="button" className={classes.trigger} popoverTarget="user-menu">
        <VisuallyHidden>{t('label', { name: shown })}</VisuallyHidden>
        <span className={classes.initials} aria-hidden>
          {initials(shown)}
        </span>
        <span className={classes.shown} aria-hidden>
          {shown}
        </span>
        <IconChevronDown size={14} aria-hidden />
      </button>
      <div id="user-menu" popover="auto" className={classes.menu}>
        {name ? <p className={classes.name}>{name}</p> : null}
        <p className={classes.detail}>{email}</p>
        <p className={classes.detail}>{roles(role)}</p>
        <div className={classes.tools}>{children}</div>
        <AccountLink />
        <SignOutButton />
      </div>
    </>
  )
}

function initials(text: string): string {
  const [first = '', second = ''] = text.split(/[\s.@_-]+/)
  return (first.slice(0, 1) + second.slice(0, 1)).toUpperCase()
}
