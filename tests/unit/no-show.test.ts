import { describe, expect, it } from 'vitest'
import {
  kindsOf,
  type LocationRates,
  noShowRisk,
  ownWeight,
  type RiskFeatures,
} from '@/lib/reservations/no-show'

const guest = (more: Partial<RiskFeatures> = {}): RiskFeatures => ({
  ...{ bookings: 0, no_shows: 0, lead_days: 3, party_size: 2, confirmed: false },
  ...more,
})
/** 1,000 bookings of which 50 were no-shows; no kind differs. */
const usual: LocationRates = { bookings: 1000, no_shows: 50, kinds: [], pairs: 0, missed_pairs: 0 }
const risk = (more: Partial<RiskFeatures> = {}, location = usual) => noShowRisk(guest(more), location)

describe('the risk of a no-show', () => {
  it('of a new guest is the location’s', () => {
    expect(risk().probability).toBeCloseTo(0.05, 3)
    expect(risk({}, { ...usual, bookings: 0, no_shows: 0 }).probability).toBeCloseTo(0.05, 3)
    expect(risk({}, { ...usual, no_shows: 200 }).probability).toBeCloseTo(0.197, 3)
  })

  it.each([
    [1, 0, 'low'],
    [40, 0, 'low'],
    [1, 1, 'medium'],
    [5, 2, 'medium'],
    [4, 3, 'high'],
    [10, 5, 'high'],
    [50, 3, 'low'],
  ] as const)('after %i bookings with %i no-shows is %s … %s', (bookings, no_shows, level) => {
    expect(risk({ bookings, no_shows }).level).toBe(level)
  })

  it('grows with each no-show, falls with each booking that was kept, and is never certain', () => {
    const grows = [0, 1, 2, 5, 20, 50].map((no_shows) => risk({ bookings: 50, no_shows }).probability)
    expect(grows).toEqual([...grows].sort((a, b) => a - b))
    const falls = [1, 2, 5, 20, 50].map((bookings) => risk({ bookings, no_shows: 1 }).probability)
    expect(falls).toEqual([...falls].sort((a, b) => b - a))
    expect(risk({ bookings: 50, no_shows: 50 }, { ...usual, no_shows: 900 }).probability).toBeLessThanOrEqual(
      0.95,
    )
  })

  it('follows the rates of the kinds of bookings at the location, which a few bookings do not move', () => {
    const kinds = [
      { kind: 'long', bookings: 200, no_shows: 40 },
      { kind: 'answered', bookings: 400, no_shows: 2 },
      { kind: 'many', bookings: 1, no_shows: 1 },
    ]
    const here = { ...usual, kinds }
    expect(risk({ lead_days: 40 }, here).probability).toBeCloseTo(0.116, 2)
    expect(risk({ confirmed: true }, here).probability).toBeLessThan(0.025)
    expect(risk({ party_size: 8 }, here).level).toBe('low')
    expect(risk({ bookings: 5, no_shows: 2, lead_days: 40 }, here).level).toBe('high')
  })
})

describe('the history of a guest', () => {
  const weightAt = (pairs: number, missed_pairs: number) => ownWeight(0.05, { ...usual, pairs, missed_pairs })

  it('weighs as usual until pairs of bookings are known', () => {
    expect(weightAt(0, 0)).toBeCloseTo(8)
  })

  it('weighs little where guests are alike, and more where they differ', () => {
    // Alike: both of a pair are missed in 0.25 % of pairs. A quarter of these guests' variance: in 1.2 %.
    expect(weightAt(20_000, 50)).toBeGreaterThan(50)
    expect(weightAt(20_000, 240)).toBeLessThan(5)
    expect(weightAt(20_000, 0)).toBe(200)
    expect(weightAt(20_000, 20_000)).toBe(2)
  })
})

it.each([
  [{ lead_days: 0 }, 'today two unanswered'],
  [{ lead_days: 1, party_size: 3 }, 'week few unanswered'],
  [{ lead_days: 7, party_size: 6 }, 'week few unanswered'],
  [{ lead_days: 8, party_size: 7 }, 'month many unanswered'],
  [{ lead_days: 30, confirmed: true }, 'month two answered'],
  [{ lead_days: 31 }, 'long two unanswered'],
  [{ lead_days: null }, 'two unanswered'],
])('the kinds of %j are %s', (more, kinds) => {
  expect(kindsOf(guest(more)).join(' ')).toBe(kinds)
})
