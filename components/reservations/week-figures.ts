import { type Known, knownOf } from '@/lib/locations/known-days'
import type { Location } from '@/lib/organization/list-locations'
import type { DailyFigure } from '@/lib/overview/daily-summary'
import type { DayQuery } from './day-query'

export interface WeekViewProps {
  day: DayQuery
  dates: readonly string[]
  locations: readonly Location[]
  figures: readonly DailyFigure[]
}

type DaySum = Pick<DailyFigure, 'reservations' | 'covers' | 'no_shows'>
/** A sum, and how much of it is known. */
export type KnownSum = DaySum & { known: Known }

/** The sum of some days and locations. */
function sumDays(figures: readonly DailyFigure[]): DaySum {
  const total = { reservations: 0, covers: 0, no_shows: 0 }
  for (const figure of figures) {
    total.reservations += figure.reservations
    total.covers += figure.covers
    total.no_shows += figure.no_shows
  }
  return total
}

/** The sum of some locations' days, and whether the PMS was asked for all, some or none of them. */
export function sumOf(
  figures: readonly DailyFigure[],
  locations: readonly Location[],
  dates: readonly string[],
): KnownSum {
  const picked = figures.filter(
    (figure) => dates.includes(figure.service_date) && locations.some(({ id }) => id === figure.location_id),
  )
  return { ...sumDays(picked), known: knownOf(locations, dates) }
}

/** Whether figures are missing because the PMS was not asked, rather than zero. */
export function hasNoData({ known, reservations, no_shows }: KnownSum): boolean {
  return known === 'none' && reservations === 0 && no_shows === 0
}
