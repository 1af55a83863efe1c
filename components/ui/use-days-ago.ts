import { useFormatter, useLocale, useNow, useTimeZone } from 'next-intl'

const DAY_MS = 86_400_000
const WEEK = 7

/** How long ago a visit was, in words: by the calendar for a week ("hoy", "ayer", "hace 3 días"), then "hace 2 meses". */
export function useDaysAgo(): (at: Date) => string {
  const format = useFormatter()
  const now = useNow()
  const words = new Intl.RelativeTimeFormat(useLocale(), { numeric: 'auto' })
  const isoDate = new Intl.DateTimeFormat('en-CA', { timeZone: useTimeZone() })
  const dayOf = (instant: Date) => Date.parse(isoDate.format(instant)) / DAY_MS
  return (at) => {
    const days = dayOf(now) - dayOf(at)
    return days >= 0 && days < WEEK ? words.format(-days, 'day') : format.relativeTime(at, now)
  }
}
