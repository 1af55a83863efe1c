import { TIME_ZONE } from '@/lib/i18n/locales'
import { addDays, localDate } from '@/lib/pms/sync/window'

const SERVICE_ENDS_HOUR = 6

/**
 * The date (YYYY-MM-DD) of the service under way: until 06:00 local time it is the day before's. Counted
 * in local time, so days on which the clocks change keep to it.
 */
export function currentServiceDay(timezone = TIME_ZONE, now = new Date()): string {
  const date = localDate(now, timezone)
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' })
  return Number(clock.format(now)) < SERVICE_ENDS_HOUR ? addDays(date, -1) : date
}

/** Whether a text is a real calendar date between 1970 and 2199. */
export function isCalendarDate(value: string): boolean {
  if (!/^(19[7-9]\d|2[01]\d\d)-\d\d-\d\d$/.test(value)) return false
  const instant = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(value)
}
