import { useFormatter, useLocale, useNow } from 'next-intl'
import { calendarDate } from '@/lib/i18n/formats'
import { kept } from '@/lib/i18n/kept'
import { currentServiceDay } from '@/lib/reservations/service-day'
import { useGroupZone } from './use-group-zone'

const DAY_MS = 86_400_000
const WEEK = 7

const wordsIn = kept((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
/**
 * How long before a day another one was (both YYYY-MM-DD), in words: by the calendar for a week ("hoy", "ayer", "hace 3
 * días"), then "hace 2 meses".
 */
export function useDaysBefore(): (day: string, today: string) => string {
  const format = useFormatter()
  const words = wordsIn(useLocale())
  return (day, today) => {
    const [then, now] = [calendarDate(day), calendarDate(today)]
    const days = (now.getTime() - then.getTime()) / DAY_MS
    return days >= 0 && days < WEEK ? words.format(-days, 'day') : format.relativeTime(then, now)
  }
}

/** How long ago a service day was, by the clock of the group: see useDaysBefore. */
export function useDaysAgo(): (day: string) => string {
  const before = useDaysBefore()
  const today = currentServiceDay(useGroupZone(), useNow())
  return (day) => before(day, today)
}
