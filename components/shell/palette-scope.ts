import 'server-only'
import { getFormatter, getTranslations } from 'next-intl/server'
import type { PaletteScope } from '@/components/palette/item'
import { currentServiceDay } from '@/components/ui/service-day'
import type { Session } from '@/lib/auth/session'
import { calendarDate } from '@/lib/i18n/formats'
import { addDays } from '@/lib/pms/sync/window'
import { SECTIONS } from './sections'

const DAYS = 3

/** What this person can find with the palette: the places of the role, and the days whose reservations are near. */
export async function paletteScope({ can }: Pick<Session, 'can'>): Promise<PaletteScope> {
  const [nav, settings, format] = await Promise.all([
    getTranslations('nav'),
    getTranslations('settings.nav'),
    getFormatter(),
  ])
  const places = SECTIONS.filter(({ permission }) => !permission || can(permission))
  const today = currentServiceDay()
  const dates = Array.from({ length: DAYS }, (_, ahead) => addDays(today, ahead))
  const inSettings = (['integrations', 'import', 'locations', 'team', 'jobs'] as const).filter(
    (name) => can('canViewSettings') && (name !== 'team' || can('canManageTeam')),
  )
  return {
    pages: [
      ...places.map(({ href, name }) => ({ href, label: nav(name) })),
      ...inSettings.map((name) => ({
        href: `/settings/${name}`,
        label: `${nav('settings')} › ${settings(name)}`,
      })),
    ],
    customers: can('canAccessClientes'),
    days: can('canAccessOperaciones')
      ? dates.map((date) => ({ date, label: format.dateTime(calendarDate(date), 'shortDate') }))
      : [],
  }
}
