import {
  type Icon,
  IconCalendarEvent,
  IconLayoutDashboard,
  IconMessageChatbot,
  IconSettings,
  IconStar,
  IconUsers,
} from '@tabler/icons-react'
import type { Permission } from '@/lib/auth/permissions'

/** A place of the navigation; its name is the text `nav.<name>`. */
export interface Section {
  name: 'home' | 'reservations' | 'customers' | 'loyalty' | 'assistant' | 'settings'
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
  { name: 'loyalty', href: '/loyalty', icon: IconStar, permission: 'canAccessMarketing' },
  { name: 'assistant', href: '/assistant', icon: IconMessageChatbot },
  { name: 'settings', href: '/settings', icon: IconSettings, permission: 'canViewSettings' },
]
