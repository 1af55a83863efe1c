import { z } from 'zod'
import { localDate } from '@/lib/dates'
import { pageAddress, type Query } from '@/lib/http/page-address'
import type { Location } from '@/lib/locations/locations'
import { MONTH } from './month'

const address = pageAddress(
  '/calendar',
  z.object({
    view: z.enum(['month', 'agenda']).optional(),
    month: z.string().regex(MONTH).optional(),
    location_id: z.uuid().optional(),
  }),
)

/** The state of the calendar page, read from its address. */
export interface CalendarView {
  /** Absent: the month on a wide window, the agenda on a phone. */
  view: 'month' | 'agenda' | undefined
  /** YYYY-MM */
  month: string
  today: string
  location: Location | undefined
}

/** Reads the address, for the chosen location or all. The default month is the current one by the clock of the zone. */
export function parseCalendarQuery(
  query: Query,
  location: Location | undefined,
  timezone: string,
  now = new Date(),
): CalendarView {
  const today = localDate(now, timezone)
  const { view, month = today.slice(0, 7) } = address.read(query)
  return { view, month, today, location }
}

/** Returns the address of the same calendar with some parameters changed. */
export function calendarHref(shown: CalendarView, change: Partial<CalendarView> = {}): string {
  const { view, month, today, location } = { ...shown, ...change }
  return address.href({
    view,
    month: month === today.slice(0, 7) ? undefined : month,
    location_id: location?.id,
  })
}
