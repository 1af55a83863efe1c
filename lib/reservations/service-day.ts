import { addDays, localDate } from '@/lib/dates'
import { kept } from '@/lib/i18n/kept'

const SERVICE_ENDS_HOUR = 6

/**
 * The date (YYYY-MM-DD) of the current service: until 06:00 local time it is the day before, also on days on which the
 * clocks change.
 */
export function currentServiceDay(timezone: string, now = new Date()): string {
  const date = localDate(now, timezone)
  return Number(localTime(timezone, now).slice(0, 2)) < SERVICE_ENDS_HOUR ? addDays(date, -1) : date
}

/** Whether a local time (HH:mm) is after midnight: of the service of the day before. */
export const isAfterMidnight = (time: string): boolean => Number(time.slice(0, 2)) < SERVICE_ENDS_HOUR

/** The day of the service that a local date and time (HH:mm) belong to. */
export const serviceDayOf = (date: string, time: string): string =>
  isAfterMidnight(time) ? addDays(date, -1) : date

/** The date of a local time (HH:mm) in the service of a day. */
export const dateInService = (day: string, time: string): string =>
  isAfterMidnight(time) ? addDays(day, 1) : day

const timeIn = kept(
  (timeZone) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
)

/** The local time (HH:mm) in a time zone. */
export function localTime(timezone: string, now = new Date()): string {
  return timeIn(timezone).format(now)
}

/** Minutes from the start of the service (06:00) to a local time (HH:mm): times after midnight come last. */
export function serviceMinute(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return ((hours - SERVICE_ENDS_HOUR + 24) % 24) * 60 + minutes
}

/** The hour of the day (0–23) that is this many hours after the start of the service. */
export const serviceHour = (position: number): number => (position + SERVICE_ENDS_HOUR) % 24

/** The Monday of a date's week. */
export function weekStart(date: string): string {
  return addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7))
}

/** Whether a day may be that of the service under way, in any time zone: yesterday, today or tomorrow by UTC. */
export function isLiveDay(date: string, now = new Date()): boolean {
  const today = now.toISOString().slice(0, 10)
  return date >= addDays(today, -1) && date <= addDays(today, 1)
}
