import {
  IconCalendarEvent,
  IconLayoutDashboard,
  IconMessageChatbot,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import type { Permission } from '@/lib/auth/permissions'
import classes from './main-nav.module.css'
import { NavItem } from './nav-item'

/** The places a person's role leads to. */
export function MainNav({ can }: { can: (permission: Permission) => boolean }) {
  const t = useTranslations('nav')
  return (
    <ul className={classes.list}>
      <NavItem href="/" label={t('home')} icon={<IconLayoutDashboard size={18} stroke={1.7} aria-hidden />} />
      {can('canAccessOperaciones') ? (
        <NavItem
          href="/reservations"
          label={t('reservations')}
          icon={<IconCalendarEvent size={18} stroke={1.7} aria-hidden />}
        />
      ) : null}
      {can('canAccessClientes') ? (
        <NavItem
          href="/customers"
          label={t('customers')}
          icon={<IconUsers size={18} stroke={1.7} aria-hidden />}
        />
      ) : null}
      <NavItem
        href="/assistant"
        label={t('assistant')}
        icon={<IconMessageChatbot size={18} stroke={1.7} aria-hidden />}
      />
      {can('canViewSettings') ? (
        <NavItem
          href="/settings"
          label={t('settings')}
          icon={<IconSettings size={18} stroke={1.7} aria-hidden />}
        />
      ) : null}
    </ul>
  )
}
