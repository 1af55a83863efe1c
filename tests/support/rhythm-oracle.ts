import { SEEDS } from '@/lib/rhythm/fit'
import type { History, Parameters } from '@/lib/rhythm/model'

/** Days ahead for the probability of a return: a year, so that guests who come once a year count. */
const AHEAD = 365
/** A guest is at risk or lost when less than this share of the chance after the last visit is left. */
const LEFT = { at_risk: 0.5, lost: 0.2 }

/** MBG/NBD: the probability that a guest is not lost for good, as published (Batislam et al. 2007). */
export const aliveProbability = (
  { r, alpha, a, b }: Parameters,
  { repeats: x, recency, age }: History,
): number => 1 / (1 + (a / (b + x)) * ((alpha + age) / (alpha + recency)) ** (r + x))

/** MBG/NBD: the probability of a visit within the next `days`. */
export function returnProbability(parameters: Parameters, history: History, days = AHEAD): number {
  const { r, alpha } = parameters
  const none = ((alpha + history.age) / (alpha + history.age + days)) ** (r + history.repeats)
  return aliveProbability(parameters, history) * (1 - none)
}

/** The state of a guest: by the share that is left of the chance after the last visit. Three visit days or more have one. */
export function stateOf(
  parameters: Parameters,
  history: History,
): 'unknown' | 'on_time' | 'at_risk' | 'lost' {
  const { recency } = history
  if (history.repeats < 2) return 'unknown'
  const now = { ...history, age: Math.max(recency, history.age) }
  const left =
    returnProbability(parameters, now) / returnProbability(parameters, { ...history, age: recency })
  return left < LEFT.lost ? 'lost' : left < LEFT.at_risk ? 'at_risk' : 'on_time'
}

const DAY = 86_400_000
/** Whole days from one date (YYYY-MM-DD) to another. */
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY

/** A guest's rhythm on the day `today`, from the dates of the visits (in any order, may repeat); null without a visit. */
export function rhythmOf(dates: readonly string[], today: string, parameters: Parameters = SEEDS) {
  const days = [...new Set(dates)].sort()
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return null
  const waits = days.slice(1).map((day, n) => daysBetween(days[n] ?? '', day))
  const history = {
    repeats: days.length - 1,
    recency: daysBetween(first, last),
    age: daysBetween(first, today),
  }
  const usual = waits.length < 2 ? null : middle(waits)
  const silence = daysBetween(last, today)
  return {
    ...{ first, last, usual, history, visits: days.length },
    state: stateOf(parameters, history),
    isOverdue: usual !== null && silence > usual,
  }
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2
}

/** The limits of a group's fifths: days since the last visit (two and three fifths), visits and spend (one to four). */
export interface Cuts {
  recency: number[]
  visits: number[]
  spend: number[]
}

interface Value {
  total_visits: number
  total_spend: number
  last_visit_at: string | null
}
const daysSince = (last: string | null, now: Date) =>
  last === null ? Number.POSITIVE_INFINITY : Math.floor((now.getTime() - Date.parse(last)) / DAY)

/** The limits of the fifths of the guests who have come. */
export function cutsOf(guests: readonly Value[], now: Date): Cuts {
  const came = guests.filter(({ total_visits }) => total_visits > 0)
  const cut = (values: number[], shares: number[]) => {
    const sorted = values.filter(Number.isFinite).sort((one, other) => one - other)
    return shares.map((share) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN)
  }
  const fifths = [0.2, 0.4, 0.6, 0.8]
  return {
    recency: cut(
      came.map(({ last_visit_at }) => daysSince(last_visit_at, now)),
      [0.4, 0.6],
    ),
    visits: cut(
      came.map(({ total_visits }) => total_visits),
      fifths,
    ),
    spend: cut(
      came.map(({ total_spend }) => total_spend),
      fifths,
    ),
  }
}

/** The RFM class of a guest; null without a visit. */
export function rfmClass(guest: Value, { recency, visits, spend }: Cuts, now: Date) {
  if (guest.total_visits === 0) return null
  const score = (value: number, cuts: number[]) => 1 + cuts.filter((cut) => value > cut).length
  const isValuable = score(guest.total_visits, visits) + score(guest.total_spend, spend) >= 7
  const days = daysSince(guest.last_visit_at, now)
  if (days <= (recency[0] ?? 0)) return isValuable ? 'champions' : 'promising'
  if (days <= (recency[1] ?? 0)) return isValuable ? 'loyal' : 'cooling'
  return isValuable ? 'slipping' : 'dormant'
}
