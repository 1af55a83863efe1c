import { expect, it } from 'vitest'
import { startWithinDay } from '../support/clock'

it.each([
  ['noon', '2026-11-20T11:00:00Z', 0],
  ['before midnight in Madrid', '2026-11-20T22:59:59Z', 15],
  ['after midnight in Madrid', '2026-11-20T23:00:00Z', 0],
  ['before midnight in UTC', '2026-07-20T23:45:00Z', 15],
  ['long enough before it', '2026-07-20T23:44:59Z', 0],
  ['before the service’s end in winter', '2026-11-20T04:50:00Z', 15],
  ['before the service’s end in summer', '2026-07-20T03:50:00Z', 15],
])('a clock started at %s is slow by so many minutes', (_, at, minutes) => {
  expect(Date.parse(at) - startWithinDay(Date.parse(at))).toBe(minutes * 60_000)
})
