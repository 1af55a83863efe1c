import { describe, expect, it } from 'vitest'
import { curveOf, pooledBy, pooledCurve, returnedBy } from '@/lib/reports/returns'
import type { Cohort } from '@/lib/reports/schema'

/** A cohort whose first steps are known. */
const cohort = (guests: number, ...known: number[]): Cohort => ({
  month: '2026-01-01',
  guests,
  returned: [...known, ...Array<null>(12 - known.length).fill(null)],
})

const OLD = cohort(10, 1, 2, 4, 4, 5, 5)
const RECENT = cohort(30, 6, 9)
const YOUNG = cohort(100)

describe('who came again', () => {
  it('is unknown while the cohort is too young, which is not nobody', () => {
    expect(returnedBy(OLD, 3)).toEqual({ guests: 10, returned: 4 })
    expect(returnedBy(cohort(10, 0), 1)).toEqual({ guests: 10, returned: 0 })
    expect(returnedBy(RECENT, 3)).toBeNull()
  })

  it('of several cohorts counts those that are old enough, their guests too', () => {
    const all = [OLD, RECENT, YOUNG]
    expect(pooledBy(all, 1)).toEqual({ guests: 40, returned: 7 })
    expect(pooledBy(all, 3)).toEqual({ guests: 10, returned: 4 })
    expect(pooledBy(all, 7)).toBeNull()
    expect(pooledBy([], 1)).toBeNull()
  })
})

describe('the curve', () => {
  it('of a cohort begins at 0 and ends where it is too young', () => {
    expect(curveOf(RECENT)).toEqual([0, 0.2, 0.3])
    expect(curveOf(YOUNG)).toEqual([0])
  })

  it('of several cohorts is of the same guests at every point, so it never falls', () => {
    // Of these a greater share came again in the first months: with it the curve would fall in the third.
    const eager = cohort(90, 80, 85)
    expect(pooledCurve([OLD, eager, YOUNG], 3)).toEqual([0, 0.1, 0.2, 0.4])
    expect(pooledCurve([OLD, RECENT], 2)).toEqual([0, 7 / 40, 11 / 40])
    expect(pooledCurve([eager, YOUNG], 3)).toBeNull()
  })
})
