import { vi } from 'vitest'

/**
 * Stops the clock of a test file, from this call to its end: "today" stays the same day over midnight, for the tests, the
 * app and the embedded database. Timers go on. `fresh-state` gives the next file the real clock.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] })
}
