import type { ShownEvent } from './load-events'

/** An event on one of its days; on those after the first it goes on. */
export interface DayEvent {
  event: ShownEvent
  goesOn: boolean
}

/** The events on each of the dates that they touch, in order of time. Dates without any are left out. */
export function eventsByDate(
  events: readonly ShownEvent[],
  dates: readonly string[],
): ReadonlyMap<string, DayEvent[]> {
  const sorted = events.toSorted((a, b) => (`${a.date}${a.start}` < `${b.date}${b.start}` ? -1 : 1))
  const days = dates.map((date) => {
    const of = sorted.filter((event) => event.date <= date && date <= event.lastDate)
    return [date, of.map((event) => ({ event, goesOn: event.date < date }))] as const
  })
  return new Map(days.filter(([, of]) => of.length > 0))
}
