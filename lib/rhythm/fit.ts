import { type Histories, logLikelihood, type Parameters } from './model'
import { nelderMead } from './nelder-mead'

/** The shipped parameters, for groups with too little data (docs/rhythm.md). private.rhythm_parameters has the same values. */
export const SEEDS: Parameters = { r: 0.36, alpha: 15, a: 0.36, b: 0.86 }

// On a flat likelihood they would grow without end; the columns of rhythm_models have the same limits.
const MIN_VALUE = 1e-3
const MAX_VALUE = 1e5

/**
 * The parameters of maximum likelihood for the histories (at least one), between 0.001 and 100,000. The search begins
 * at `start`. `likelihood` replaces the model's log likelihood by another model's, for comparisons.
 */
export function fitParameters(
  histories: readonly Histories[],
  { start = SEEDS, likelihood = logLikelihood } = {},
): Parameters {
  const guests = histories.reduce((sum, one) => sum + one.guests, 0)
  const bounded = (logarithm = 0) => Math.min(MAX_VALUE, Math.max(MIN_VALUE, Math.exp(logarithm)))
  const parameters = ([r, alpha, a, b]: readonly number[]): Parameters => ({
    ...{ r: bounded(r), alpha: bounded(alpha), a: bounded(a), b: bounded(b) },
  })
  const misfit = (at: readonly number[]) => -likelihood(parameters(at), histories) / guests
  const first = [start.r, start.alpha, start.a, start.b].map(Math.log)
  // A second search from the first result: a simplex may collapse before the minimum.
  return parameters(nelderMead(misfit, nelderMead(misfit, first), { size: 0.3, tolerance: 1e-11 }))
}
