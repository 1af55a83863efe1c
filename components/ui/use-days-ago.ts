import { useFormatter, useLocale, useNow } from 'next-intl'
import { kept } from '@/lib/i18n/kept'
import { useGroupZone } from './use-group-zone'

const DAY_MS = 86_400_000
const WEEK = 7

const wordsIn = kept((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
const isoDateIn = kept((timeZone) => new Intl.DateTimeFormat('en-CA', { timeZone }))

/** How long ago a visit was, in words: by the calendar for a week ("hoy", "ayer", "hace 3 días"), then "hace 2 meses". */
export function useDaysAgo(): (at: Date) => string {
  const format = useFormatter()
  const now = useNow()
  const words = wordsIn(useLocale())
  const isoDate = isoDateIn(useGroupZone())
  const dayOf = (instant: Date) => Date.parse(isoDate.format(instant)) / DAY_MS
  return (at) => {
    const days = dayOf(now) - dayOf(at)
    return days >= 0 && days < WEEK ? words.format(-days, 'day') : format.relativeTime(at, now)
  }
}
