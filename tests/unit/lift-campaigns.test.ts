import { expect, it } from 'vitest'
import { type LiftStatistics, liftOf } from '@/lib/automations/lift'
import { createRandom } from '../fakes/pms/random'
import { type Campaign, campaign, drawVisits } from '../support/drawn-campaigns'

const SEED = process.env.LIFT_SEED || '1'

/** The sums of both groups, as lifts_of_automations gives them (tests/api/automation-lift.test.ts compares). */
function armsOf(drawn: Campaign, random: ReturnType<typeof createRandom>): LiftStatistics['arms'] {
  const none = { guests: 0, came: 0, visits: 0, visits_squared: 0, revenue: 0, revenue_squared: 0 }
  const arms = [false, true].map((held) => ({ ...none, share: drawn.share, held, estimated_revenue: 0 }))
  for (let guest = 0; guest < drawn.guests; guest++) {
    const held = random.chance(drawn.share / 100)
    const arm = arms[held ? 1 : 0]
    if (!arm) continue
    const bills = drawVisits(random, { ...drawn, rate: drawn.rate * (held ? 1 : 1 + drawn.effect) })
    const spent = bills.reduce((left, bill) => left + bill, 0)
    arm.guests += 1
    arm.came += bills.length > 0 ? 1 : 0
    arm.visits += bills.length
    arm.visits_squared += bills.length ** 2
    arm.revenue += spent
    arm.revenue_squared += spent ** 2
  }
  return arms
}

it('of 1,000 campaigns at least 95 % of the intervals hold the truth, and of those without effect at most 5 % win', () => {
  const random = createRandom(`campaigns:${SEED}`)
  const counts = { intervals: 0, visits: 0, revenue: 0, without: 0, winners: 0 }
  while (counts.intervals < 1000) {
    const drawn = campaign(random)
    const arms = armsOf(drawn, random)
    const { visits, revenue } = liftOf({ days: 30, control_share: drawn.share, waiting: 0, arms })
    if (visits.low === null || visits.high === null || revenue.low === null || revenue.high === null) continue
    counts.intervals++
    if (visits.low <= drawn.moreVisits && drawn.moreVisits <= visits.high) counts.visits++
    if (revenue.low <= drawn.moreRevenue && drawn.moreRevenue <= revenue.high) counts.revenue++
    if (drawn.effect !== 0) continue
    counts.without++
    if (visits.known === 'more' || revenue.known === 'more') counts.winners++
  }
  if (process.env.LIFT_SEED) console.log(JSON.stringify(counts))
  expect(Math.min(counts.visits, counts.revenue)).toBeGreaterThanOrEqual(950)
  expect(counts.winners).toBeLessThanOrEqual(counts.without * 0.05)
})

it('draws visits with the mean that it says', () => {
  const random = createRandom('mean')
  let [visits, revenue] = [0, 0]
  for (let n = 0; n < 40_000; n++) {
    const bills = drawVisits(random, { rate: 0.2, spread: 1, skew: 0.8 })
    visits += bills.length
    revenue += bills.reduce((left, bill) => left + bill, 0)
  }
  expect(visits / 40_000).toBeCloseTo(0.2, 1.7)
  expect(revenue / visits / 60).toBeCloseTo(1, 1)
})
