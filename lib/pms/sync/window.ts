const DAY_MS = 86_400_000

/** The calendar date (YYYY-MM-DD) of an instant in a time zone. */
export function localDate(instant: Date, timezone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(instant)
}

/** The date some days later (or earlier, when negative). */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** First and last date to fetch, counted in days from today in the location's time zone. */
export function syncWindow(
  now: Date,
  timezone: string,
  back: number,
  ahead: number,
): { from: string; to: string } {
  const today = localDate(now, timezone)
  return { from: addDays(today, -back), to: addDays(today, ahead) }
}
