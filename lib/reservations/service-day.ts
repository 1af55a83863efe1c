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
