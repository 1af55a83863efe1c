import {
  type Icon,
  IconCalendarEvent,
  IconCalendarMonth,
  IconLayoutDashboard,
  IconMessageChatbot,
  IconSend,
  IconSettings,
  IconStar,
  IconTicket,
  IconUsers,
} from '@tabler/icons-react'
import type { Permission } from '@/lib/auth/permissions'
import type { es } from '@/lib/i18n/es'

/** A place of the navigation; its name is the text `nav.<name>`. */
export interface Section {
  name: keyof typeof es.nav
  href: string
  icon: Icon
  /** Without one it is everybody's. */
  permission?: Permission
}

/** The main places, in the order of the navigation. */
export const SECTIONS: Section[] = [
  { name: 'home', href: '/', icon: IconLayoutDashboard },
  {
    name: 'reservations',
    href: '/reservations',
    icon: IconCalendarEvent,
    permission: 'canAccessOperaciones',
  },
  { name: 'customers', href: '/customers', icon: IconUsers, permission: 'canAccessClientes' },
  { name: 'automations', href: '/automations', icon: IconSend, permission: 'canAccessMarketing' },
  { name: 'loyalty', href: '/loyalty', icon: IconStar, permission: 'canAccessMarketing' },
  { name: 'calendar', href: '/calendar', icon: IconCalendarMonth },
  { name: 'tickets', href: '/tickets', icon: IconTicket },
  { name: 'assistant', href: '/assistant', icon: IconMessageChatbot },
  { name: 'settings', href: '/settings', icon: IconSettings, permission: 'canViewSettings' },
]
