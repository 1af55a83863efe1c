import type { Formats } from 'next-intl'

/** The formats every page uses. Those for calendar dates expect midnight UTC (see `calendarDate`). */
export const formats = {
  number: {
    // Spanish leaves four digits together, which a figure among larger ones should not.
    grouped: { useGrouping: 'always' },
    money: {
      style: 'currency',
      currency: 'EUR',
      useGrouping: 'always',
      trailingZeroDisplay: 'stripIfInteger',
    },
    percent: { style: 'percent' },
  },
  dateTime: {
    date: { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
    longDate: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
    weekday: { weekday: 'long', timeZone: 'UTC' },
    dayNumber: { day: 'numeric', timeZone: 'UTC' },
    month: { month: 'short', year: 'numeric', timeZone: 'UTC' },
    shortDate: { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
    instant: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    instantDate: { day: 'numeric', month: 'short', year: 'numeric' },
  },
} satisfies Formats

/** A calendar date (YYYY-MM-DD) as the instant that the date formats above show unshifted. */
export function calendarDate(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}
