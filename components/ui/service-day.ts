export {
  currentServiceDay,
  localTime,
  serviceHour,
  serviceMinute,
  weekStart,
} from '@/lib/reservations/service-day'

/** Whether a text is a real calendar date between 1970 and 2199. */
export function isCalendarDate(value: string): boolean {
  if (!/^(19[7-9]\d|2[01]\d\d)-\d\d-\d\d$/.test(value)) return false
  const instant = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(value)
}
