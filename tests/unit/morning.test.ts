import { describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import { compareMorning } from '@/lib/morning/compare'
import { MEASURES, type Morning, type StoredMorning } from '@/lib/morning/schema'

const DATE = '2026-11-20'
const YESTERDAY = '2026-11-19'
const weeksBefore = (weeks: number) => addDays(YESTERDAY, -7 * weeks)
const NONE = { covers: 0, reservations: 0, walk_ins: 0, no_shows: 0, cancelled: 0, revenue: 0 }

type Place = StoredMorning['locations'][number]
const place = (name: string, changes: Partial<Place> = {}): Place => ({
  ...{ id: name, name, timezone: 'Europe/Madrid', is_active: true, pms_id: 'x' },
  ...{ known_from: '2026-01-01', known_until: '2026-12-31' },
  ...changes,
})
type Figures = Partial<StoredMorning['figures'][number]>
/** Yesterday and the four weeks before; a number is that many covers, booked. */
const figures = (location_id: string, days: (number | Figures)[]): StoredMorning['figures'] =>
  days.map((given, weeks) => ({
    ...{ location_id, day: weeksBefore(weeks), closed: false, booked: given === 0 ? 0 : 1 },
    ...{ ...NONE, estimated_revenue: 0 },
    ...(typeof given === 'number' ? { covers: given } : given),
  }))
const coming = (location_id: string, changes: Partial<StoredMorning['ahead'][number]> = {}) =>
  Array.from({ length: 8 }, (_, n) => ({
    ...{ location_id, day: addDays(DATE, n), closed: false, booked: 4, reservations: 3, covers: 30 },
    ...{ capacity: 100, has_hours: true, shifts: 2 },
    ...changes,
  }))
const morning = (
  locations: Place[],
  figures: StoredMorning['figures'] = [],
  ahead: StoredMorning['ahead'] = [],
): Morning => compareMorning({ date: DATE, locations, figures, ahead, closings: [], notes: [], guests: [] })
const covers = (of: Morning['totals']) => ({
  covers: of.figures?.covers,
  week: of.since_week?.covers,
  mean: of.since_mean?.covers,
  days: of.mean_days,
})

describe('yesterday', () => {
  it('stands beside the week before and the mean of four', () => {
    const { locations, totals } = morning([place('Norte')], figures('Norte', [100, 90, 80, 70, 60]))
    expect(covers(totals)).toEqual({ covers: 100, week: 10, mean: 25, days: 4 })
    expect(locations[0]?.yesterday).toEqual(totals)
  })

  it('leaves a day the PMS was not asked for out of the mean, and says no data of it, never zero', () => {
    const recent = place('Norte', { known_from: weeksBefore(1) })
    expect(covers(morning([recent], figures('Norte', [100, 90, 0, 0, 0])).totals)).toEqual({
      ...{ covers: 100, week: 10, mean: 10, days: 1 },
    })
    const unknown = morning(
      [place('Norte', { known_until: '2026-11-01' })],
      figures('Norte', [0, 0, 0, 0, 0]),
    )
    expect(unknown.totals).toMatchObject({ known: 'none', figures: null, since_week: null, since_mean: null })
  })

  it('counts what was booked by hand where the PMS was never asked', () => {
    const never = place('Norte', { known_from: null, known_until: null })
    expect(covers(morning([never], figures('Norte', [8, 0, 0, 0, 0])).totals)).toMatchObject({ covers: 8 })
  })

  it('is not compared with a closed day, nor is a closed day compared', () => {
    const shut = { closed: true, booked: 0 }
    const before = morning([place('Norte')], figures('Norte', [100, shut, 80, 80, 80]))
    expect(covers(before.totals)).toEqual({ covers: 100, week: undefined, mean: 20, days: 3 })
    const closed = morning([place('Norte')], figures('Norte', [shut, 90, 80, 80, 80]))
    expect(closed.totals).toMatchObject({ closed: true, since_week: null, since_mean: null, figures: NONE })
  })

  it('adds up the differences of the locations that have one', () => {
    const opened = place('Sur', { known_from: YESTERDAY })
    const rows = [...figures('Norte', [100, 90, 90, 90, 90]), ...figures('Sur', [50, 0, 0, 0, 0])]
    const { totals } = morning([place('Norte'), opened], rows)
    expect(covers(totals)).toEqual({ covers: 150, week: 10, mean: 10, days: 4 })
    const some = morning([place('Norte'), place('Sur', { known_until: '2026-11-01' })], rows.slice(0, 5))
    expect(some.totals.known).toBe('some')
  })

  it('of an empty group is nothing at all', () => {
    expect(morning([])).toMatchObject({ totals: { figures: NONE, since_week: null }, locations: [] })
    expect(Object.keys(NONE).sort()).toEqual([...MEASURES].sort())
  })
})

describe('the days ahead', () => {
  const first = (of: Morning) => of.ahead[0]

  it('set what is booked beside the capacity, of every location or of none', () => {
    const both = [place('Norte'), place('Sur')]
    expect(first(morning(both, [], [...coming('Norte'), ...coming('Sur')]))).toMatchObject({
      ...{ covers: 60, capacity: 200, reservations: 6 },
    })
    const unknown = [...coming('Norte'), ...coming('Sur', { capacity: null })]
    expect(first(morning(both, [], unknown))).toMatchObject({ covers: 60, capacity: null })
    const noHours = [...coming('Norte'), ...coming('Sur', { capacity: null, has_hours: false, shifts: 0 })]
    expect(morning(both, [], noHours).locations[1]?.ahead[0]).toMatchObject({ closed: false, capacity: null })
  })

  it('leave out the capacity of a location that is closed or has no shift', () => {
    const both = [place('Norte'), place('Sur')]
    const rest = { booked: 0, reservations: 0, covers: 0 }
    for (const shut of [{ closed: true }, { shifts: 0, capacity: null }]) {
      const rows = [...coming('Norte'), ...coming('Sur', { ...rest, ...shut })]
      expect(first(morning(both, [], rows))).toMatchObject({ covers: 30, capacity: 100, closed: false })
    }
  })

  it('say no data where the PMS was not asked', () => {
    const rest = { booked: 0, reservations: 0, covers: 0 }
    const until = place('Norte', { known_until: addDays(DATE, 2) })
    const { ahead } = morning([until], [], coming('Norte', rest))
    expect(ahead.map(({ covers }) => covers)).toEqual([0, 0, 0, null, null, null, null, null])
    expect(ahead[4]).toMatchObject({ known: 'none', capacity: null })
  })
})
