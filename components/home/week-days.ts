import { type KnownDays, knownOf } from '@/lib/locations/known-days'
import type { DailyFigure } from '@/lib/overview/daily-summary'
import { addDays } from '@/lib/pms/sync/window'

/** The covers of a day and of the same weekday before; null where there are no data. */
export interface WeekDay {
  date: string
  current: number | null
  previous: number | null
}

/** The covers of a week's days in some locations beside those of the week before. */
export function weekDays(
  figures: readonly DailyFigure[],
  monday: string,
  locations: readonly KnownDays[],
): WeekDay[] {
  const covers = new Map<string, number>()
  for (const figure of figures)
    covers.set(figure.service_date, (covers.get(figure.service_date) ?? 0) + figure.covers)
  const on = (date: string) => covers.get(date) ?? (knownOf(locations, [date]) === 'none' ? null : 0)
  return Array.from({ length: 7 }, (_, index) => {
    const date = addDays(monday, index)
    return { date, current: on(date), previous: on(addDays(date, -7)) }
  })
}

/**
 * The covers of the days up to today and of the same weekdays before, with the change as a share (null from none, or
 * where days before are not known).
 */
export function upTo(days: readonly WeekDay[], today: string) {
  const past = days.filter(({ date }) => date <= today)
  const current = past.reduce((sum, day) => sum + (day.current ?? 0), 0)
  const previous = past.reduce((sum, day) => sum + (day.previous ?? 0), 0)
  const comparable = previous > 0 && past.every((day) => day.current !== null && day.previous !== null)
  return { current, previous, change: !comparable ? null : (current - previous) / previous }
}
