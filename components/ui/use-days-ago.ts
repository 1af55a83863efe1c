import { useFormatter, useLocale, useNow } from 'next-intl'
import { calendarDate } from '@/lib/i18n/formats'
import { kept } from '@/lib/i18n/kept'
import { currentServiceDay } from '@/lib/reservations/service-day'
import { useGroupZone } from './use-group-zone'

const DAY_MS = 86_400_000
const WEEK = 7

const wordsIn = kept((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
/**
 * How long ago a service day (YYYY-MM-DD) was, in words: by the calendar for a week ("hoy", "ayer", "hace 3 días"),
 * then "hace 2 meses".
 */
export function useDaysAgo(): (day: string) => string {
  const format = useFormatter()
  const now = useNow()
  const words = wordsIn(useLocale())
  const today = calendarDate(currentServiceDay(useGroupZone(), now))
  return (day) => {
    const then = calendarDate(day)
    const days = (today.getTime() - then.getTime()) / DAY_MS
    return days >= 0 && days < WEEK ? words.format(-days, 'day') : format.relativeTime(then, today)
  }
}
