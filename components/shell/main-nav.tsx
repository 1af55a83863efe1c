import {
  type Icon,
  IconCalendarEvent,
  IconCalendarMonth,
  IconChartLine,
  IconLayoutDashboard,
  IconMessageChatbot,
  IconMessageHeart,
  IconMessages,
  IconSend,
  IconSettings,
  IconSpeakerphone,
  IconStar,
  IconSunrise,
  IconTicket,
  IconToolsKitchen2,
  IconUsers,
} from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { es } from '@/lib/i18n/es'
import type { Permission } from '@/lib/permissions'
import { NavItem } from './frame-controls'
import classes from './main-nav.module.css'

/** A section of the navigation; its text is `nav.<name>`. */
export interface Section {
  name: keyof typeof es.nav
  href: string
  icon: Icon
  /** Absent when it is open to all. */
  permission?: Permission
}

/** The main sections, in the order of the navigation. */
export const SECTIONS: Section[] = [
  { name: 'home', href: '/', icon: IconLayoutDashboard, permission: 'canWorkInOffice' },
  { name: 'morning', href: '/morning', icon: IconSunrise, permission: 'canReadReports' },
  { name: 'service', href: '/service', icon: IconToolsKitchen2, permission: 'canAccessOperaciones' },
  {
    name: 'reservations',
    href: '/reservations',
    icon: IconCalendarEvent,
    permission: 'canAccessOperaciones',
  },
  { name: 'customers', href: '/customers', icon: IconUsers, permission: 'canAccessClientes' },
  { name: 'feedback', href: '/feedback', icon: IconMessageHeart, permission: 'canAccessClientes' },
  {
    name: 'conversations',
    href: '/conversations',
    icon: IconMessages,
    permission: 'canAccessClientes',
  },
  { name: 'automations', href: '/automations', icon: IconSend, permission: 'canAccessMarketing' },
  { name: 'campaigns', href: '/campaigns', icon: IconSpeakerphone, permission: 'canAccessMarketing' },
  { name: 'loyalty', href: '/loyalty', icon: IconStar, permission: 'canAccessMarketing' },
  { name: 'reports', href: '/reports', icon: IconChartLine, permission: 'canReadReports' },
  { name: 'calendar', href: '/calendar', icon: IconCalendarMonth },
  { name: 'tickets', href: '/tickets', icon: IconTicket },
  { name: 'assistant', href: '/assistant', icon: IconMessageChatbot, permission: 'canWorkInOffice' },
  { name: 'settings', href: '/settings', icon: IconSettings, permission: 'canViewSettings' },
]

interface MainNavProps {
  can: (permission: Permission) => boolean
  /** The number of unread conversations. */
  unread: number
}

/** The sections that the role may open. */
export function MainNav({ can, unread }: MainNavProps) {
  const t = useTranslations('nav')
  const shell = useTranslations('conversations')
  const open = SECTIONS.filter(({ permission }) => !permission || can(permission))
  return (
    <ul className={classes.list}>
      {open.map(({ name, href, icon: Icon }) => (
        <NavItem key={name} href={href} label={t(name)} icon={<Icon size={18} stroke={1.7} aria-hidden />}>
          {name === 'conversations' && unread > 0 ? (
            <span className={classes.count}>
              {unread}
              <VisuallyHidden>{shell('toRead', { count: unread })}</VisuallyHidden>
            </span>
          ) : null}
        </NavItem>
      ))}
    </ul>
  )
}
