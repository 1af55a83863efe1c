import { choice, href, param, type Query } from '@/components/ui/query'
import { TIME_ZONE } from '@/lib/i18n/locales'
import type { Location } from '@/lib/organization/list-locations'
import { localDate } from '@/lib/pms/sync/window'
import { monthOr } from './month'

/** What the calendar shows, read from its address; nonsense counts as absent. */
export interface CalendarView {
  /** Absent: the month, and on a phone the agenda. */
  view: 'month' | 'agenda' | undefined
  /** YYYY-MM */
  month: string
  today: string
  location: Location | undefined
}

/** Reads the address, for the chosen location or all; the month is the current one where the calendar is looked at. */
export function parseCalendarQuery(
  query: Query,
  location: Location | undefined,
  now = new Date(),
): CalendarView {
  const today = localDate(now, location?.timezone ?? TIME_ZONE)
  return {
    view: choice(query, 'view', ['month', 'agenda']),
    month: monthOr(param(query, 'month'), today.slice(0, 7)),
    today,
    location,
  }
}

/** The address of the same calendar with some of it changed. */
export function calendarHref(shown: CalendarView, change: Partial<CalendarView> = {}): string {
  const { view, month, today, location } = { ...shown, ...change }
  return href('/calendar', {
    view,
    month: month === today.slice(0, 7) ? undefined : month,
    location: location?.id,
  })
}
