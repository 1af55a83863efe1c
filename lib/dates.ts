import { kept } from './i18n/kept'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

const dateIn = kept((timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }))
const timeIn = kept(
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
)

/** The calendar date (YYYY-MM-DD) of an instant in a time zone. */
export function localDate(instant: Date, timezone: string): string {
  return dateIn(timezone).format(instant)
}

/** The date some days later (or earlier, when negative). */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The local date and time of an instant in a time zone: `YYYY-MM-DDTHH:mm`. */
export function localTime(instant: Date | string, timezone: string): string {
  return timeIn(timezone).format(new Date(instant)).replace(' ', 'T')
}

/** The instant of a local time (`YYYY-MM-DDTHH:mm`); for a time in the hour skipped in spring, one hour later. */
export function instantAt(local: string, timezone: string): Date {
  const asUtc = Date.parse(`${local}:00Z`)
  const offsetAt = (time: number) => Date.parse(`${localTime(new Date(time), timezone)}:00Z`) - time
  // Near a clock change the first offset may be wrong; the second one is right.
  return new Date(asUtc - offsetAt(asUtc - offsetAt(asUtc)))
}
