/** A group of guests: their number, and the sum and sum of squares over guests of what is compared. */
export interface Sums {
  guests: number
  sum: number
  squares: number
}

/** The two groups of the guests who were drawn with one share. */
export interface Stratum {
  treated: Sums
  control: Sums
}

/**
 * How much more the treated have than the control group, per 1,000 guests, with an interval that contains the truth at
 * every look, however often one looks, in 95 % of all comparisons.
 */
export interface Difference {
  per_thousand: number
  low: number
  high: number
}

/** The share of comparisons whose interval misses the truth at any look. */
const EVER_WRONG = 0.05

/** The information from which on intervals are nearly as short as they get: some 20 visits, of two groups alike in size. */
const USUAL_INFORMATION = 5

/**
 * How many standard errors an interval reaches, so that it may be looked at as often as one likes: the normal mixture
 * boundary (Robbins 1970; Waudby-Smith et al. 2024). A single look would need 1.96.
 * @param information what the groups tell so far: 1 ÷ the variance of the logarithm of their ratio (`informationOf`)
 */
export function standardErrors(information: number): number {
  const grown = information / USUAL_INFORMATION
  return Math.sqrt((1 + 1 / grown) * (Math.log1p(grown) - 2 * Math.log(EVER_WRONG)))
}

/**
 * What two groups tell of the ratio of their means.
 * @param mean visits, or whatever is compared, per guest of both groups
 * @param dispersion variance ÷ mean; for a share it is 1 − mean
 */
const informationOf = (one: number, other: number, mean: number, dispersion: number): number =>
  (one * other * mean) / ((one + other) * dispersion)

/**
 * The difference of the groups' means and its interval: a score interval of each mean, as for compound Poisson sums
 * (variance proportional to the mean), combined by the MOVER method (docs/lift.md). Each stratum is weighted by its
 * guests. Null when no stratum has guests in both groups, all sums are 0, or all guests have the same.
 */
export function differenceOf(strata: readonly Stratum[]): Difference | null {
  const both = strata.filter(({ treated, control }) => treated.guests > 0 && control.guests > 0)
  const all = total(both.flatMap(({ treated, control }) => [treated, control]))
  if (all.guests < 2 || all.sum <= 0) return null
  const mean = all.sum / all.guests
  const variance = (all.squares - all.sum * mean) / (all.guests - 1)
  if (variance <= 0) return null
  const dispersion = variance / mean
  const information = both.reduce(
    (sum, { treated, control }) => sum + informationOf(treated.guests, control.guests, mean, dispersion),
    0,
  )
  const z = standardErrors(information)
  let [difference, below, above] = [0, 0, 0]
  for (const { treated, control } of both) {
    const weight = (treated.guests + control.guests) / all.guests
    const [one, other] = [scored(treated, z ** 2 * dispersion), scored(control, z ** 2 * dispersion)]
    difference += weight * (one.mean - other.mean)
    below += weight ** 2 * ((one.mean - one.low) ** 2 + (other.high - other.mean) ** 2)
    above += weight ** 2 * ((one.high - one.mean) ** 2 + (other.mean - other.low) ** 2)
  }
  return {
    per_thousand: 1000 * difference,
    low: 1000 * (difference - Math.sqrt(below)),
    high: 1000 * (difference + Math.sqrt(above)),
  }
}

/** The mean with its score interval: the means m for which (mean − m)² ≤ reach · m ÷ guests. */
function scored({ guests, sum }: Sums, reach: number) {
  const mean = sum / guests
  const spread = reach / guests
  const half = Math.sqrt(spread * mean + spread ** 2 / 4)
  return { mean, low: Math.max(mean + spread / 2 - half, 0), high: mean + spread / 2 + half }
}

/** The sums of several groups together. */
export const total = (groups: readonly Sums[]): Sums =>
  groups.reduce(
    (left, { guests, sum, squares }) => ({
      guests: left.guests + guests,
      sum: left.sum + sum,
      squares: left.squares + squares,
    }),
    { guests: 0, sum: 0, squares: 0 },
  )
