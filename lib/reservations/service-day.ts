import { TIME_ZONE } from '@/lib/i18n/locales'
import { addDays, localDate } from '@/lib/pms/sync/window'

const SERVICE_ENDS_HOUR = 6

/**
 * The date (YYYY-MM-DD) of the service under way: until 06:00 local time it is the day before's. Counted
 * in local time, so days on which the clocks change keep to it.
 */
export function currentServiceDay(timezone = TIME_ZONE, now = new Date()): string {
  const date = localDate(now, timezone)
  return Number(localTime(timezone, now).slice(0, 2)) < SERVICE_ENDS_HOUR ? addDays(date, -1) : date
}

/** The time (HH:mm) that the clocks of a time zone show. */
export function localTime(timezone = TIME_ZONE, now = new Date()): string {
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en-GB', { timeZone: timezone, ...clock }).format(now)
}

/** Minutes from the start of the service (06:00) to a local time (HH:mm): after midnight comes last. */
export function serviceMinute(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return ((hours - SERVICE_ENDS_HOUR + 24) % 24) * 60 + minutes
}

/** The hour of the day (0–23) that begins so many hours after the start of the service. */
export const serviceHour = (position: number): number => (position + SERVICE_ENDS_HOUR) % 24

/** The Monday of a date's week. */
export function weekStart(date: string): string {
  return addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7))
}
