import { createRandom, type Random } from '../../fakes/pms/random'
import { DAY, guestOf, type Trial } from './past-and-future'

const date = (text: string) => Date.parse(`${text}T00:00:00Z`) / DAY
const FIRST = date('2022-01-01')
/** The end of the simulated future: guests who have not come by then are lost. */
const LAST = date('2028-12-31')
const HOLD_OUT = 365
// After the summer guests have left, and before they come.
const TODAYS = ['2024-10-01', '2025-04-01']

const isMonday = (day: number) => new Date(day * DAY).getUTCDay() === 1
const monthOf = (day: number) => new Date(day * DAY).getUTCMonth() + 1
const yearOf = (day: number) => new Date(day * DAY).getUTCFullYear()
/** Closed on Mondays and for two weeks of August. */
const isClosed = (day: number) =>
  isMonday(day) || (monthOf(day) === 8 && new Date(day * DAY).getUTCDate() <= 14)

/** The sum of n exponential waits, with the given mean in total: the greater n, the more regular. */
const wait = (random: Random, mean: number, n: number) =>
  Array.from({ length: n }, () => -Math.log(1 - random.next())).reduce((sum, one) => sum + one, 0) *
  (mean / n)

type Kind = (random: Random, from: number) => number[]

/** Visits at intervals of this mean and regularity, for `years` on average: guests move away or lose interest. */
function recurring(mean: number, regularity: number, years: number): Kind {
  return (random, from) => {
    const end = Math.min(LAST, from + wait(random, years * 365, 1))
    const own = mean * (0.6 + 0.8 * random.next())
    const days = []
    for (let day = from; day <= end; day += Math.max(1, wait(random, own, regularity)))
      days.push(Math.floor(day))
    return days
  }
}

/** The same weekday nearly every week, with three weeks of holidays in August. */
const weekly: Kind = (random, from) => {
  const end = Math.min(LAST, from + wait(random, 2.5 * 365, 1))
  const comes = 0.5 + 0.45 * random.next()
  const days = []
  for (let day = from; day <= end; day += 7)
    if (random.chance(comes) && !(monthOf(day) === 8 && new Date(day * DAY).getUTCDate() > 7)) days.push(day)
  return days.length > 0 ? days : [from]
}

/** An anniversary: about the same day of the year, in four of five years, for some years. */
const yearly: Kind = (random, from) => {
  const days = [from]
  for (let day = from + 365; day <= LAST && !random.chance(0.15); day += 365)
    if (random.chance(0.8)) days.push(day + random.int(-12, 12))
  return days
}

/** People with a house at the coast: some dinners in a summer, and again the next summer. */
const summers: Kind = (random, from) => {
  const days = []
  for (let year = yearOf(from); year <= yearOf(LAST); year++) {
    const arrives = date(`${year}-07-01`) + random.int(0, 30)
    const dinners = random.int(1, 5)
    for (let n = 0; n < dinners; n++) days.push(arrives + random.int(0, 25))
    if (random.chance(0.25)) break
  }
  return days
}

/** Visitors of the city: one evening, or two of the same stay. */
const visitors: Kind = (random, from) => (random.chance(0.15) ? [from, from + random.int(1, 4)] : [from])

const KINDS: readonly (readonly [{ name: string; days: Kind }, number])[] = [
  [{ name: 'visitors of the city', days: visitors }, 45],
  [{ name: 'now and then', days: recurring(150, 1, 3) }, 22],
  [{ name: 'about monthly', days: recurring(35, 4, 2.5) }, 10],
  [{ name: 'once a year', days: yearly }, 10],
  [{ name: 'summers', days: summers }, 8],
  [{ name: 'weekly', days: weekly }, 5],
]

/**
 * Simulated guests of a restaurant, none of them drawn from the model: weekly and monthly regulars, summer guests,
 * anniversaries, occasional guests, visitors of the city. As known on two days, with the year after each.
 */
export function simulated(guests = 20_000, seed = 'ritmo'): Trial[] {
  const random = createRandom(seed)
  const lives = Array.from({ length: guests }, () => {
    const kind = random.weighted(KINDS)
    const days = kind
      .days(random, FIRST + random.int(0, date('2025-03-31') - FIRST))
      .map((day) => (isClosed(day) ? day + 1 : day))
      .filter((day) => !isClosed(day) && day <= LAST)
    return { kind: kind.name, days }
  })
  return TODAYS.map((today) => ({
    name: `simulator, ${today}`,
    guests: lives.flatMap(({ kind, days }) => guestOf(days, date(today), HOLD_OUT, kind) ?? []),
    holdOut: HOLD_OUT,
  }))
}
