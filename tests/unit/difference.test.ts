import { describe, expect, it } from 'vitest'
import { differenceOf, type Sums, standardErrors } from '@/lib/automations/difference'
import { type LiftStatistics, liftOf } from '@/lib/automations/lift'

/** A group of guests of whom the first so many came once. */
const group = (guests: number, sum: number): Sums => ({ guests, sum, squares: sum })

describe('the interval of a difference', () => {
  it('is the one by hand: score intervals of both means, joined by squares', () => {
    // Mean 16/200 = 0.08; variance (16 − 16 · 0.08) / 199; each limit solves (mean − m)² = z² · dispersion · m ÷ guests.
    const dispersion = (16 - 16 * 0.08) / 199 / 0.08
    // The boundary by hand, at an information of 50 · 0.08 ÷ dispersion.
    const grown = (50 * 0.08) / dispersion / 5
    const squared = ((1 + grown) / grown) * (Math.log(1 + grown) + 2 * Math.log(20))
    const found = differenceOf([{ treated: group(100, 12), control: group(100, 4) }])
    const limits = (mean: number) => {
      const c = (squared * dispersion) / 100
      return [-1, 1].map((sign) => mean + c / 2 + sign * Math.sqrt(c * mean + c ** 2 / 4)) as [number, number]
    }
    const [[low1, high1], [low0, high0]] = [limits(0.12), limits(0.04)]
    expect(found?.per_thousand).toBeCloseTo(80, 9)
    expect(found?.low).toBeCloseTo(80 - 1000 * Math.hypot(0.12 - low1, high0 - 0.04), 4)
    expect(found?.high).toBeCloseTo(80 + 1000 * Math.hypot(high1 - 0.12, 0.04 - low0), 4)
  })

  it('reaches further than a single look needs, and least where comparisons usually are', () => {
    expect(standardErrors(5)).toBeCloseTo(Math.sqrt(2 * Math.log(2 / 0.05 ** 2)), 9)
    for (const information of [0.1, 1, 10, 100, 1000, 1e6]) {
      expect(standardErrors(information)).toBeGreaterThan(3)
    }
    expect(standardErrors(40)).toBeLessThan(3.1)
  })

  it('turns over when the groups are exchanged', () => {
    const [one, other] = [group(300, 40), group(80, 5)]
    const there = differenceOf([{ treated: one, control: other }])
    const back = differenceOf([{ treated: other, control: one }])
    expect(back?.low).toBeCloseTo(-(there?.high ?? 0), 9)
    expect(back?.high).toBeCloseTo(-(there?.low ?? 0), 9)
  })

  it('is not known with nobody in a group, or when nobody came', () => {
    expect(differenceOf([])).toBeNull()
    expect(differenceOf([{ treated: group(50, 5), control: group(0, 0) }])).toBeNull()
    expect(differenceOf([{ treated: group(0, 0), control: group(50, 5) }])).toBeNull()
    expect(differenceOf([{ treated: group(900, 0), control: group(100, 0) }])).toBeNull()
  })

  it('has a width although nobody of one group came', () => {
    const found = differenceOf([{ treated: group(900, 40), control: group(100, 0) }])
    expect(found?.per_thousand).toBeCloseTo(44.4, 1)
    expect(found?.low).toBeLessThan(25)
    expect(found?.high).toBeGreaterThan(50)
  })

  it('makes nothing of one huge bill', () => {
    const bills = { guests: 900, sum: 60 * 40 + 20_000, squares: 60 ** 2 * 40 + 20_000 ** 2 }
    const found = differenceOf([{ treated: bills, control: { guests: 100, sum: 240, squares: 4 * 60 ** 2 } }])
    expect(found?.low).toBeLessThan(0)
    expect(found?.high).toBeGreaterThan(0)
  })

  it('compares only guests who were drawn with one share', () => {
    // The effect is 0 in both: the many who come often were drawn with another share.
    const rare = { treated: group(9000, 90), control: group(1000, 10) }
    const often = { treated: group(1000, 500), control: group(1000, 500) }
    const found = differenceOf([rare, often])
    expect(found?.per_thousand).toBeCloseTo(0, 9)
    expect(differenceOf([rare, often, { treated: group(700, 600), control: group(0, 0) }])).toEqual(found)
  })
})

describe('what is known', () => {
  const arm = (held: boolean, guests: number, visits: number, bill = 50, share = 10) => ({
    ...{ share, held, guests, came: visits, visits, visits_squared: visits },
    ...{ revenue: visits * bill, revenue_squared: visits * bill ** 2, estimated_revenue: 0 },
  })
  const known = (...arms: LiftStatistics['arms']) => {
    const { visits, revenue } = liftOf({ days: 30, control_share: 10, waiting: 0, arms })
    return [visits.known, revenue.known]
  }

  it.each([
    ['no_control', [arm(false, 500, 60)]],
    ['no_treated', [arm(true, 500, 60)]],
    ['too_few', [arm(false, 500, 60), arm(true, 19, 2)]],
    ['too_few', [arm(false, 19, 12), arm(true, 500, 60)]],
    ['too_few', [arm(false, 500, 0), arm(true, 100, 0)]],
    ['too_few', [arm(false, 500, 8), arm(true, 100, 1)]],
    ['unclear', [arm(false, 500, 60), arm(true, 100, 10)]],
    ['more', [arm(false, 5000, 800), arm(true, 500, 40)]],
    ['less', [arm(false, 5000, 400), arm(true, 500, 80)]],
  ])('is %s', (expected, arms) => {
    expect(known(...arms)).toEqual([expected, expected])
  })

  it('adds up the groups over all shares', () => {
    const arms = [arm(false, 90, 9), arm(true, 10, 1), arm(false, 50, 5, 50, 50), arm(true, 50, 6, 50, 50)]
    const lift = liftOf({ days: 30, control_share: 50, waiting: 3, arms })
    expect(lift).toMatchObject({
      ...{ control_share: 50, days: 30, waiting: 3 },
      treated: { guests: 140, came: 14, visits: 14, revenue: 700, estimated_revenue: 0 },
      control: { guests: 60, came: 7, visits: 7, revenue: 350, estimated_revenue: 0 },
    })
  })
})
