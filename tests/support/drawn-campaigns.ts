import type { Random } from '../fakes/pms/random'

const MEAN_BILL = 60

/** A campaign with a known effect. */
export interface Campaign {
  guests: number
  /** Per cent. */
  share: number
  /** Visits a guest of the control group in the 30 days, on average. */
  rate: number
  /** How much more often the treated come: 0.2 is a fifth more. */
  effect: number
  /** How alike guests are: the shape of the gamma that their rates are drawn from. */
  spread: number
  /** Of the bills' logarithms, the standard deviation. */
  skew: number
  /** The truth, for each 1,000 guests. */
  moreVisits: number
  moreRevenue: number
}

/** Draws a campaign: 200 to 2,000 guests, 2 to 30 % of whom come; in 3 of 10 the message has no effect. */
export function campaign(random: Random): Campaign {
  const guests = Math.round(200 * 10 ** random.next())
  const share = random.pick([5, 10, 10, 20, 50])
  const rate = 0.02 + 0.28 * random.next()
  const effect = random.chance(0.3) ? 0 : -0.2 + 0.8 * random.next()
  const moreVisits = 1000 * rate * effect
  return {
    ...{ guests, share, rate, effect, moreVisits, moreRevenue: MEAN_BILL * moreVisits },
    spread: 0.5 + 3 * random.next(),
    skew: 0.4 + 0.6 * random.next(),
  }
}

/** The bills of a guest's visits in the 30 days: a Poisson number with a gamma rate, and log-normal amounts. */
export function drawVisits(
  random: Random,
  { rate, spread, skew }: Pick<Campaign, 'rate' | 'spread' | 'skew'>,
) {
  const end = Math.exp((-rate * gamma(random, spread)) / spread)
  const bills: number[] = []
  for (let left = random.next(); left > end; left *= random.next()) {
    const bill = MEAN_BILL * Math.exp(skew * normal(random) - skew ** 2 / 2)
    bills.push(Math.round(100 * bill) / 100)
  }
  return bills
}

const normal = (random: Random) =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())

/** Marsaglia and Tsang. */
function gamma(random: Random, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * random.next() ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const x = normal(random)
    const v = (1 + x / Math.sqrt(9 * d)) ** 3
    if (v > 0 && Math.log(1 - random.next()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}
