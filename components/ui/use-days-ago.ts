import { useFormatter, useLocale, useNow } from 'next-intl'

const DAY_MS = 86_400_000

/** How long ago a visit was, in words: "hoy" and "ayer" by the calendar, then "hace 3 días", "hace 2 meses". */
export function useDaysAgo(): (at: Date) => string {
  const format = useFormatter()
  const now = useNow()
  const days = new Intl.RelativeTimeFormat(useLocale(), { numeric: 'auto' })
  const dateOf = (instant: Date) => format.dateTime(instant, 'instantDate')
  return (at) => {
    if (dateOf(at) === dateOf(now)) return days.format(0, 'day')
    if (dateOf(at) === dateOf(new Date(now.getTime() - DAY_MS))) return days.format(-1, 'day')
    return format.relativeTime(at, now)
  }
}
