import { localTime } from '@/lib/dates'

/** A wall-clock time for all guests: `2026-12-01T11:00`. */
type Local = string

export type StartProblem = 'past' | 'past_somewhere' | null

/**
 * Whether a start at the guests' local time is over in every zone, or in some. What waits for the end of the quiet
 * hours is in the preview, which the database makes.
 * @param zones the time zones of the guests
 */
export function startProblem(start: Local, zones: readonly string[], now: Date): StartProblem {
  const past = zones.filter((zone) => localTime(now, zone) > start)
  if (past.length === 0) return null
  return past.length === zones.length ? 'past' : 'past_somewhere'
}
