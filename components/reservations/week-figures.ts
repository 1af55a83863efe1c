import type { Location } from '@/lib/organization/list-locations'
import type { DailyFigure } from '@/lib/overview/daily-summary'
import type { DayQuery } from './day-query'

export interface WeekViewProps {
  day: DayQuery
  dates: readonly string[]
  locations: readonly Location[]
  figures: readonly DailyFigure[]
}

export type DaySum = Pick<DailyFigure, 'reservations' | 'covers' | 'no_shows'>

/** The sum of some days and locations. */
export function sumDays(figures: readonly DailyFigure[]): DaySum {
  const total = { reservations: 0, covers: 0, no_shows: 0 }
  for (const figure of figures) {
    total.reservations += figure.reservations
    total.covers += figure.covers
    total.no_shows += figure.no_shows
  }
  return total
}

/** Those of one location (of all without one) on one date (on all without one). */
export function pickDays(
  figures: readonly DailyFigure[],
  { date, location }: { date?: string; location?: string },
): DailyFigure[] {
  return figures.filter(
    (figure) => (!date || figure.service_date === date) && (!location || figure.location_id === location),
  )
}
