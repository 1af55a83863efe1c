import 'server-only'
import { getTranslations } from 'next-intl/server'
import { campaignsPage } from '@/components/campaigns/addresses'
import type { NoticeLinks } from '@/components/notices/notice-bell'
import { NoticeBell } from '@/components/notices/notice-bell'
import type { PaletteScope } from '@/components/palette/look-up'
import type { Session } from '@/lib/auth/session'
import { countUnread } from '@/lib/conversations/reads'
import { ALL_LOCATIONS, inTab } from '@/lib/locations/location-cookie'
import { listLocations } from '@/lib/locations/locations'
import { log } from '@/lib/log'
import { myNotices } from '@/lib/notices/operations'
import { LocationSwitch } from './location-switch'
import { SECTIONS } from './main-nav'
import { UnknownLocation } from './unknown-location'

/** The header's choice of a location. Absent for people who work in only one. */
export async function ChosenLocation({ session }: { session: Session }) {
  const locations = await listLocations(session)
  if (locations.length < 2) return null
  return <LocationSwitch locations={locations.map(({ id, name }) => ({ id, name }))} />
}

/** A notice above the page when the address names a location in which the person does not work. */
export async function LocationNotice({ session }: { session: Session }) {
  return <UnknownLocation known={(await listLocations(session)).map(({ id }) => id)} />
}

/** The header's bell, with the count at load time. It is shown even when reading the notices fails. */
export async function NoticesOf({ session }: { session: Session }) {
  const initial = await myNotices(session).catch((err: unknown) => {
    log().error({ err }, 'notices failed')
    return null
  })
  return <NoticeBell initial={initial} links={linksFor(session)} />
}

/** The number of unread conversations; 0 when the person may not see them, or the database does not answer. */
export async function unreadOf(session: Session): Promise<number> {
  if (!session.can('canAccessClientes')) return 0
  return countUnread(session).catch((err: unknown) => {
    log().error({ err }, 'conversations were not counted')
    return 0
  })
}

function linksFor({ can }: Pick<Session, 'can'>): NoticeLinks {
  const section = (path: string) =>
    SECTIONS.find(({ href, permission }) => href === path && (!permission || can(permission)))?.href ?? null
  // The bell counts notices of all locations.
  const tickets = section('/tickets')
  return {
    sync: can('canViewSettings') ? '/settings/jobs' : '/',
    home: can('canWorkInOffice') ? '/' : null,
    automations: section('/automations'),
    campaigns: section('/campaigns') && campaignsPage.href({ status: 'waiting_approval' }),
    tickets: tickets && inTab(tickets, ALL_LOCATIONS),
  }
}

const SETTINGS = [
  'general',
  'integrations',
  'import',
  'locations',
  'team',
  'tokens',
  'jobs',
  'audit',
  'installation',
] as const
/** Settings that concern colleagues and their tokens. */
const OF_TEAM: readonly string[] = ['team', 'tokens']

/**
 * What the palette offers to this role: actions, sections, customers, tickets, and reservations.
 */
export async function paletteScope(session: Session): Promise<PaletteScope> {
  const { can, role } = session
  const [locations, action, nav, tables, settings] = await Promise.all([
    listLocations(session),
    getTranslations('palette'),
    getTranslations('nav'),
    getTranslations('service.views'),
    getTranslations('settings.nav'),
  ])
  const places = SECTIONS.filter(({ permission }) => !permission || can(permission))
  const inSettings = SETTINGS.filter(
    (name) =>
      can('canViewSettings') &&
      (!OF_TEAM.includes(name) || can('canManageTeam')) &&
      (name !== 'installation' || role === 'super_admin'),
  )
  const [books, knows] = [can('canAccessOperaciones'), can('canAccessClientes')]
  return {
    actions: [
      ...(books ? [{ href: '/reservations?new=1', label: action('newReservation') }] : []),
      ...(knows ? [{ href: '/customers?new=1', label: action('newCustomer') }] : []),
      { href: '/tickets?new=1', label: action('newTicket') },
      { href: '/calendar?new=1', label: action('newEvent') },
      ...(books ? [{ href: '/service', label: action('openService') }] : []),
      { sync: true, label: action('sync') },
    ],
    pages: [
      ...places.map(({ href, name }) => ({ href, label: nav(name) })),
      ...(can('canAccessOperaciones')
        ? [{ href: '/service/tables', label: `${nav('service')} › ${tables('tables')}` }]
        : []),
      ...inSettings.map((name) => ({
        href: `/settings/${name}`,
        label: `${nav('settings')} › ${settings(name)}`,
      })),
    ],
    customers: knows,
    reservations: books,
    locations: locations.length,
  }
}
