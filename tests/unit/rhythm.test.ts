import { describe, expect, it } from 'vitest'
import { waitInWords } from '@/lib/customers/habits'
import { fitParameters, SEEDS } from '@/lib/rhythm/fit'
import { logLikelihood, type Parameters } from '@/lib/rhythm/model'
import { nelderMead } from '@/lib/rhythm/nelder-mead'
import { bgAliveProbability, bgReturnProbability } from '../bench/rhythm/bg-nbd'
import { historiesOf } from '../bench/rhythm/past-and-future'
import { brier, calibration, calibrationError } from '../bench/rhythm/scores'
import { createRandom, type Random } from '../fakes/pms/random'
import { aliveProbability, returnProbability, stateOf } from '../support/rhythm-oracle'

/** CDNOW in weeks, as published: BG/NBD by Fader, Hardie and Lee, MBG/NBD by Batislam, Denizel and Filiztekin. */
const BG = { r: 0.243, alpha: 4.414, a: 0.793, b: 2.426 }
const MBG = { r: 0.525, alpha: 6.183, a: 0.891, b: 1.614 }
const FIRST_CUSTOMER = { repeats: 2, recency: 30.43, age: 38.86 }

const exponential = (random: Random, mean: number) => -Math.log(1 - random.next()) * mean
/** Gamma of a whole shape; beta as the ratio of two. */
const gamma = (random: Random, shape: number) =>
  Array.from({ length: shape }, () => exponential(random, 1)).reduce((sum, one) => sum + one, 0)

/** Guests as the model takes them to be: after each visit, the first too, some are lost for good. */
function modelled(guests: number, { r, alpha, a, b }: Parameters) {
  const random = createRandom('modelled')
  return Array.from({ length: guests }, () => {
    const age = random.int(200, 900)
    const rate = gamma(random, r) / alpha
    const [goes, stays] = [gamma(random, a), gamma(random, b)]
    const lost = goes / (goes + stays)
    const history = { repeats: 0, recency: 0, age }
    for (let day = 0; random.next() >= lost; ) {
      day += exponential(random, 1 / rate)
      if (day > age) break
      history.repeats++
      history.recency = day
    }
    return history
  })
}

describe('the model', () => {
  it('gives the published probability that customer 1 of CDNOW is not lost', () => {
    expect(bgAliveProbability(BG, FIRST_CUSTOMER)).toBeCloseTo(0.7266, 4)
    expect(bgReturnProbability(BG, FIRST_CUSTOMER, 39)).toBeLessThan(0.7266)
    // By hand: 1 / (1 + 0.891 / 3.614 · (45.043 / 36.613)^2.525).
    expect(aliveProbability(MBG, FIRST_CUSTOMER)).toBeCloseTo(0.7059, 3)
  })

  it('has a likelihood that adds up to one over what may happen', () => {
    // Once or never again within the time: of one repeat the density is integrated over when it happened.
    const parameters = { r: 0.5, alpha: 2, a: 4, b: 1 }
    const density = (repeats: number, recency: number) =>
      Math.exp(logLikelihood(parameters, [{ repeats, recency, age: 1, guests: 1 }]))
    const STEPS = 2000
    const area = (repeats: number) => {
      // The last of n visits at t leaves t^(n−1)/(n−1)! ways for the others.
      let factorial = 1
      for (let n = 2; n < repeats; n++) factorial *= n
      let sum = 0
      for (let n = 0; n < STEPS; n++) {
        const at = (n + 0.5) / STEPS
        sum += (density(repeats, at) * at ** (repeats - 1)) / factorial / STEPS
      }
      return sum
    }
    const total = density(0, 0) + Array.from({ length: 30 }, (_, n) => area(n + 1)).reduce((a, b) => a + b, 0)
    expect(total).toBeCloseTo(1, 4)
  })

  it('finds the parameters that drew 20,000 guests', () => {
    const truth = { r: 2, alpha: 60, a: 1, b: 3 }
    const found = fitParameters(historiesOf(modelled(20_000, truth)))
    for (const key of ['r', 'alpha', 'a', 'b'] as const) {
      expect(found[key] / truth[key], key).toBeGreaterThan(0.85)
      expect(found[key] / truth[key], key).toBeLessThan(1.15)
    }
  })

  it('keeps within its bounds where the histories say nothing', () => {
    const nobodyReturned = fitParameters([{ repeats: 0, recency: 0, age: 300, guests: 500 }])
    for (const value of Object.values(nobodyReturned)) {
      expect(value).toBeGreaterThanOrEqual(1e-3)
      expect(value).toBeLessThanOrEqual(1e5)
    }
  })

  it('takes silence for what it is by the guest’s own rhythm', () => {
    const weekly = { repeats: 50, recency: 350 }
    const quarterly = { repeats: 8, recency: 720 }
    expect(stateOf(SEEDS, { ...weekly, age: 350 + 14 })).toBe('on_time')
    expect(stateOf(SEEDS, { ...weekly, age: 350 + 90 })).toBe('lost')
    expect(stateOf(SEEDS, { ...quarterly, age: 720 + 90 })).toBe('on_time')
    expect(returnProbability(SEEDS, { ...quarterly, age: 720 + 90 })).toBeGreaterThan(0.8)
  })
})

describe('the search for a minimum', () => {
  it('finds that of Rosenbrock’s valley', () => {
    const valley = ([x = 0, y = 0]: readonly number[]) => (1 - x) ** 2 + 100 * (y - x * x) ** 2
    const [x, y] = nelderMead(valley, [-1.2, 1], { tolerance: 1e-14 })
    expect(x).toBeCloseTo(1, 4)
    expect(y).toBeCloseTo(1, 4)
  })
})

describe('the scores of a back-test', () => {
  const forecasts = [
    { probability: 0.95, happened: true },
    { probability: 0.05, happened: false },
    { probability: 0.05, happened: true },
  ]
  it('are Brier’s, and a table of bands', () => {
    expect(brier(forecasts)).toBeCloseTo((0.05 ** 2 + 0.05 ** 2 + 0.95 ** 2) / 3, 10)
    expect(calibration(forecasts)).toEqual([
      { guests: 2, predicted: 0.05, happened: 0.5 },
      { guests: 1, predicted: 0.95, happened: 1 },
    ])
    expect(calibrationError(forecasts)).toBeCloseTo((2 * 0.45 + 0.05) / 3, 10)
  })
})

it.each([
  [1, 'days', 1],
  [10, 'days', 10],
  [11, 'weeks', 2],
  [21, 'weeks', 3],
  [70, 'weeks', 10],
  [75, 'months', 2],
  [365, 'months', 12],
])('a wait of %s days is said in %s', (days, unit, count) => {
  expect(waitInWords(days)).toEqual({ unit, count })
})
