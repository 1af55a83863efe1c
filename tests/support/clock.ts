import { afterAll, vi } from 'vitest'
import { localDate } from '@/lib/dates'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { currentServiceDay } from '@/lib/reservations/service-day'

const QUARTER_MS = 15 * 60_000

/**
 * Stops the clock of a test file, from this call to its end: "today" stays the same day over midnight, for the tests, the
 * app and the embedded database. Timers go on. `fresh-state` gives the next file the real clock.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] })
}

/**
 * The same for a file that needs the order of moments: its clock goes on, and is a quarter of an hour slow while a day is
 * about to end.
 */
export function stayInOneDay(): void {
  const Real = globalThis.Date
  const slow = Real.now() - startWithinDay(Real.now())
  if (slow === 0) return
  globalThis.Date = class extends Real {
    constructor(...given: [] | [number]) {
      if (given.length === 0) super(Real.now() - slow)
      else super(...given)
    }
    static override now = () => Real.now() - slow
  } as DateConstructor
  afterAll(() => {
    globalThis.Date = Real
  })
}

/** The instant, or a quarter of an hour earlier where a day of UTC, of Madrid or of the service ends within one. */
export function startWithinDay(now: number): number {
  const days = (instant: number) => {
    const date = new Date(instant)
    return [localDate(date, 'UTC'), localDate(date, TIME_ZONE), currentServiceDay(TIME_ZONE, date)].join()
  }
  return days(now) === days(now + QUARTER_MS) ? now : now - QUARTER_MS
}
