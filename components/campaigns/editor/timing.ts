import { localTime } from '@/lib/dates'

/** A wall-clock time for all guests: `2026-12-01T11:00`. */
type Local = string

export type StartProblem = 'past' | 'past_somewhere' | 'quiet' | null

/**
 * What is to be said about a start at the guests' local time: it is over in every zone or in some, or in the quiet
 * hours, when messages wait for their end.
 * @param zones the time zones of the locations; without one, the group's own
 * @param quiet from and until, `HH:mm`; both the same: none
 */
export function startProblem(
  start: Local,
  zones: readonly string[],
  quiet: { from: string; until: string },
  now: Date,
): StartProblem {
  const past = zones.filter((zone) => localTime(now, zone) > start)
  if (past.length > 0) return past.length === zones.length ? 'past' : 'past_somewhere'
  return inQuietHours(start.slice(11, 16), quiet) ? 'quiet' : null
}

/** Whether a time of day (`HH:mm`) is in the quiet hours, which may go over midnight. */
export function inQuietHours(time: string, { from, until }: { from: string; until: string }): boolean {
  if (from === until) return false
  return from < until ? time >= from && time < until : time >= from || time < until
}
