import { useFormatter, useTranslations } from 'next-intl'
import type { PlacedClosing } from '@/lib/closings/schema'
import { calendarDate } from '@/lib/i18n/formats'
import { type Known, knownOf } from '@/lib/locations/known-days'
import type { Location } from '@/lib/locations/locations'
import type { DailyFigure } from '@/lib/overview/reads'
import type { DayQuery } from './day-query'
import classes from './week.module.css'

export interface WeekViewProps {
  day: DayQuery
  dates: readonly string[]
  locations: readonly Location[]
  figures: readonly DailyFigure[]
  closings: readonly PlacedClosing[]
}

type DaySum = Pick<DailyFigure, 'reservations' | 'covers' | 'no_shows'>
/** A sum, and whether it is complete. */
export type KnownSum = DaySum & { known: Known }

/** The sum over some days and locations. */
function sumDays(figures: readonly DailyFigure[]): DaySum {
  const total = { reservations: 0, covers: 0, no_shows: 0 }
  for (const figure of figures) {
    total.reservations += figure.reservations
    total.covers += figure.covers
    total.no_shows += figure.no_shows
  }
  return total
}

/** The sum of these locations and days, and whether all, some or none of them were fetched from the PMS. */
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

/** Whether the figures are unknown (not fetched from the PMS) rather than zero. */
export function hasNoData({ known, reservations, no_shows }: KnownSum): boolean {
  return known === 'none' && reservations === 0 && no_shows === 0
}

/** Explains "no data" in a week, with the last day that was fetched from the PMS. */
export function KnownUntil({ locations }: { locations: readonly Location[] }) {
  const t = useTranslations('reservations.week')
  return <p className={classes.note}>{t('noDataNote', useKnownUntil(locations))}</p>
}

/** The last day that is known for all these locations, as text values; `known` is `no` when one was never fetched. */
export function useKnownUntil(locations: readonly Location[]): { known: string; date: string } {
  const format = useFormatter()
  const asked = locations.filter(({ pms_id, is_active }) => pms_id !== null && is_active)
  const [first = null] = asked.map(({ known_until }) => known_until ?? '').sort()
  return first
    ? { known: 'yes', date: format.dateTime(calendarDate(first), 'date') }
    : { known: 'no', date: '' }
}
