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

/** How much more the treated have than the control group, per 1,000 guests, with its 95 % interval. */
export interface Difference {
  per_thousand: number
  low: number
  high: number
}

const Z = 1.959963984540054

/**
 * The difference of the groups' means and its 95 % interval: a score interval of each mean, as for compound Poisson sums
 * (variance proportional to the mean), combined by the MOVER method (docs/lift.md). Each stratum is weighted by its
 * guests. Null when no stratum has guests in both groups, or all sums are 0.
 */
export function differenceOf(strata: readonly Stratum[]): Difference | null {
  const both = strata.filter(({ treated, control }) => treated.guests > 0 && control.guests > 0)
  const all = total(both.flatMap(({ treated, control }) => [treated, control]))
  if (all.guests < 2 || all.sum <= 0) return null
  const mean = all.sum / all.guests
  const variance = (all.squares - all.sum * mean) / (all.guests - 1)
  const dispersion = Math.max(variance, 0) / mean
  let [difference, below, above] = [0, 0, 0]
  for (const { treated, control } of both) {
    const weight = (treated.guests + control.guests) / all.guests
    const [one, other] = [scored(treated, dispersion), scored(control, dispersion)]
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

/** The mean with its score interval: the means m for which (mean − m)² ≤ Z² · dispersion · m ÷ guests. */
function scored({ guests, sum }: Sums, dispersion: number) {
  const mean = sum / guests
  const spread = (Z ** 2 * dispersion) / guests
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
