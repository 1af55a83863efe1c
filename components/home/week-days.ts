import type { DailyFigure } from '@/lib/overview/daily-summary'
import { addDays } from '@/lib/pms/sync/window'

export interface WeekDay {
  date: string
  current: number
  previous: number
}

/** The covers of a week's days beside those of the week before. */
export function weekDays(figures: readonly DailyFigure[], monday: string): WeekDay[] {
  const covers = new Map<string, number>()
  for (const figure of figures)
    covers.set(figure.service_date, (covers.get(figure.service_date) ?? 0) + figure.covers)
  return Array.from({ length: 7 }, (_, index) => {
    const date = addDays(monday, index)
    return { date, current: covers.get(date) ?? 0, previous: covers.get(addDays(date, -7)) ?? 0 }
  })
}

/** The covers of the days up to today and of the same weekdays before, with the change as a share (null from none). */
export function upTo(days: readonly WeekDay[], today: string) {
  const past = days.filter(({ date }) => date <= today)
  const current = past.reduce((sum, day) => sum + day.current, 0)
  const previous = past.reduce((sum, day) => sum + day.previous, 0)
  return { current, previous, change: previous === 0 ? null : (current - previous) / previous }
}
