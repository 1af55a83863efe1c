import { expect, it } from 'vitest'
import { type LiftStatistics, liftOf } from '@/lib/automations/lift'
import { compareVersions } from '@/lib/campaigns/compare'
import { createRandom, type Random } from '../fakes/pms/random'
import { type Campaign, campaign, drawVisits } from '../support/drawn-campaigns'

const SEED = process.env.LIFT_SEED || '1'
const CAMPAIGNS = 1000
const DAYS = 60

/** How many guests have booked by each day's end, of so many of whom a share books, sooner rather than later. */
function bookedByDay(random: Random, guests: number, share: number): number[] {
  const days = new Array<number>(DAYS).fill(0)
  for (let guest = 0; guest < guests; guest++) {
    if (!random.chance(share)) continue
    const day = Math.floor(-10 * Math.log(1 - random.next()))
    if (day < DAYS) days[day] = (days[day] ?? 0) + 1
  }
  let sum = 0
  return days.map((more) => {
    sum += more
    return sum
  })
}

/** Plays 1,000 tests of two versions, of which B books `times` as often: how many name a winner on any day, and by one look with 1.96. */
function playVersions(times: number) {
  const random = createRandom(`looks:${SEED}:${times}`)
  const found = { ever: 0, once: 0, naive: 0 }
  for (let played = 0; played < CAMPAIGNS; played++) {
    const guests = Math.round(300 * 10 ** random.next())
    const share = 0.04 + 0.1 * random.next()
    const [a, b] = [bookedByDay(random, guests, share), bookedByDay(random, guests, share * times)]
    const days = a.map((bookedA, day) => [bookedA, b[day] ?? 0] as const)
    const isBetter = ([one, other]: readonly [number, number]) =>
      compareVersions({
        winner_by: 'visits',
        versions: [
          { variant: 'a', guests, booked: one, clicked: null },
          { variant: 'b', guests, booked: other, clicked: null },
        ],
      }).known === 'better'
    const isFar = ([one, other]: readonly [number, number]) => {
      const mean = (one + other) / (2 * guests)
      return one + other >= 10 && Math.abs(other - one) > 1.96 * Math.sqrt(2 * guests * mean * (1 - mean))
    }
    if (days.some(isBetter)) found.ever++
    if (days.slice(-1).some(isFar)) found.once++
    if (days.some(isFar)) found.naive++
  }
  return found
}

/** Adds the guests of a day to both groups. */
function addDay(arms: LiftStatistics['arms'], drawn: Campaign, random: Random) {
  for (let guest = 0; guest < Math.ceil(drawn.guests / DAYS); guest++) {
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
}

/** Plays 1,000 automations with control groups: how many are ever said to have brought more visits, or more revenue. */
function playLifts(effect: number) {
  const random = createRandom(`lifts:${SEED}:${effect}`)
  let winners = 0
  for (let played = 0; played < CAMPAIGNS; played++) {
    const drawn = { ...campaign(random), effect }
    const none = { guests: 0, came: 0, visits: 0, visits_squared: 0, revenue: 0, revenue_squared: 0 }
    const arms = [false, true].map((held) => ({ ...none, share: drawn.share, held, estimated_revenue: 0 }))
    let isWinner = false
    for (let day = 0; day < DAYS; day++) {
      addDay(arms, drawn, random)
      const { visits, revenue } = liftOf({ days: 30, control_share: drawn.share, waiting: 0, arms })
      isWinner ||= visits.known === 'more' || revenue.known === 'more'
    }
    if (isWinner) winners++
  }
  return winners
}

it('names a winner in at most 5 % of 1,000 tests without a difference, looked at daily for 60 days', () => {
  const { ever, naive } = playVersions(1)
  // What a look a day with the interval for one look would do: the fault that this prevents.
  expect(naive).toBeGreaterThan(CAMPAIGNS * 0.1)
  expect(ever).toBeLessThanOrEqual(CAMPAIGNS * 0.05)
  if (process.env.LIFT_SEED) console.log('no difference', { ever, naive })
})

it.each([
  [1.5, 0.5],
  [2, 0.85],
])('still finds a version that books %d times as often', (times, least) => {
  const { ever, once } = playVersions(times)
  if (process.env.LIFT_SEED) console.log(`times ${times}`, { ever, once })
  expect(ever).toBeGreaterThanOrEqual(CAMPAIGNS * least)
  expect(ever).toBeLessThanOrEqual(once)
})

it('says of at most 5 % of 1,000 automations without effect that they brought more, looked at daily for 60 days', () => {
  const [without, within] = [playLifts(0), playLifts(0.5)]
  if (process.env.LIFT_SEED) console.log('lift', { without, within })
  expect(without).toBeLessThanOrEqual(CAMPAIGNS * 0.05)
  expect(within).toBeGreaterThan(without * 5)
})
