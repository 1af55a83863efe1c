import { useFormatter, useLocale } from 'next-intl'
import { calendarDate } from '@/lib/i18n/formats'
import { kept } from '@/lib/i18n/kept'
import { LOCATION_PARAMETER } from '@/lib/locations/location-cookie'
import type { FoundReservation } from '@/lib/service/schema'

const wordsIn = kept((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
/** Beyond half a year a day without its year is ambiguous. */
const NEAR = 180

/** Whether a text is worth searching for: one letter is too common, but a name in scripts of words. */
export const isEnough = (text: string): boolean => text.length > 1 || text > '\u00ff'

/** The day and time of a reservation that was found: "hoy, 21:00", "mañana, 21:00", "mié, 9 dic, 21:00". */
export function useFoundDay(): (found: FoundReservation) => string {
  const format = useFormatter()
  const words = wordsIn(useLocale())
  return ({ service_date, days, time }) => {
    const day =
      Math.abs(days) < 2
        ? words.format(days, 'day')
        : format.dateTime(calendarDate(service_date), Math.abs(days) < NEAR ? 'shortDate' : 'date')
    return `${day}, ${time}`
  }
}

/** Opens the reservation in the list of its day. */
export function foundHref({
  id,
  location_id,
  service_date: date,
}: Pick<FoundReservation, 'id' | 'location_id' | 'service_date'>): string {
  return `/reservations?${new URLSearchParams({ date, [LOCATION_PARAMETER]: location_id, reservation: id })}`
}
