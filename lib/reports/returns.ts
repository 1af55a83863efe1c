import type { Cohort } from './schema'

/** How many guests of how many came again; null when no cohort is old enough to know. */
export interface Returned {
  guests: number
  returned: number
}

/** Those of a cohort who came again by a step (1: within 30 days). */
export function returnedBy({ guests, returned }: Cohort, step: number): Returned | null {
  const count = returned[step - 1] ?? null
  return count === null ? null : { guests, returned: count }
}

/** The same of several cohorts together: only of those that are old enough. */
export function pooledBy(cohorts: readonly Cohort[], step: number): Returned | null {
  const known = cohorts.flatMap((cohort) => returnedBy(cohort, step) ?? [])
  if (known.length === 0) return null
  return {
    guests: known.reduce((sum, { guests }) => sum + guests, 0),
    returned: known.reduce((sum, { returned }) => sum + returned, 0),
  }
}

/** The share of a cohort that had come again by each step, from 0 on; it ends where the cohort is too young. */
export function curveOf(cohort: Cohort): number[] {
  const known = cohort.returned.flatMap((count) => (count === null ? [] : [count / cohort.guests]))
  return [0, ...known]
}

/**
 * The same of several cohorts together, to the `last` step: only of the cohorts that are old enough for all of it, so
 * that every point is of the same guests. Null when there is none.
 */
export function pooledCurve(cohorts: readonly Cohort[], last: number): number[] | null {
  const old = cohorts.filter((cohort) => returnedBy(cohort, last) !== null)
  if (old.length === 0) return null
  const share = (step: number) => {
    const all = pooledBy(old, step)
    return all ? all.returned / all.guests : 0
  }
  return [0, ...Array.from({ length: last }, (_, index) => share(index + 1))]
}
