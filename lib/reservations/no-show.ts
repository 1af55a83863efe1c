/** What the no-show risk of a reservation is computed from: only the guest's own bookings and this one. */
export interface RiskFeatures {
  /** The guest's earlier bookings that were kept or not, and how many were not. */
  bookings: number
  no_shows: number
  /** Days from booking to the date; null where the time of booking is not known. */
  lead_days: number | null
  party_size: number
  /** Whether the guest has answered that they come. */
  confirmed: boolean
}

/** Bookings of a location that are over, and the no-shows among them: in all, and by kind. */
export interface LocationRates {
  bookings: number
  no_shows: number
  kinds: readonly { kind: string; bookings: number; no_shows: number }[]
  /** Ordered pairs of bookings of one guest, and those of them in which both were no-shows: how much guests differ. */
  pairs: number
  missed_pairs: number
}

export const RISK_LEVELS = ['low', 'medium', 'high'] as const
type RiskLevel = (typeof RISK_LEVELS)[number]

export interface Risk {
  level: RiskLevel
  /** 0 to 1. */
  probability: number
}

// A location without a history has 5 %, as if it had 20 bookings; the simulator has 5.2 %.
const USUAL = { rate: 0.05, bookings: 20 }
// How many bookings of a guest weigh as much as the location's rate: 8 until pairs of bookings say otherwise.
const OWN_WEIGHT = { usual: 8, min: 2, max: 200, pairs: 500 }
/** How many no-shows of a kind weigh as much as the assumption that the kind makes no difference. */
const KIND_WEIGHT = 10
const MEDIUM_FROM = 0.1
const HIGH_FROM = 0.25
const MAX_PROBABILITY = 0.95

/** The kinds of a booking whose rates may differ; private.no_show_kinds names the same. */
export function kindsOf({ lead_days: lead, party_size: size, confirmed }: RiskFeatures): string[] {
  const ahead = lead === null ? [] : [lead < 1 ? 'today' : lead <= 7 ? 'week' : lead <= 30 ? 'month' : 'long']
  return [...ahead, size <= 2 ? 'two' : size <= 6 ? 'few' : 'many', confirmed ? 'answered' : 'unanswered']
}

/**
 * The risk that a reservation ends as a no-show (docs/no-show.md):
 *
 * 1. The location's rate, with 20 bookings at 5 % added.
 * 2. The guest's own rate, with `ownWeight` bookings at the location's rate added: the mean of a beta-binomial model.
 * 3. Its odds times the ratio of no-shows to expected no-shows of each kind of booking at the location (lead time, party
 *    size, confirmed by the guest), with 10 no-shows added to both.
 *
 * A likelihood and no certainty: even at `high` most come. Deterministic.
 */
export function noShowRisk(features: RiskFeatures, location: LocationRates): Risk {
  const base = (location.no_shows + USUAL.rate * USUAL.bookings) / (location.bookings + USUAL.bookings)
  const weight = ownWeight(base, location)
  const own = (features.no_shows + weight * base) / (features.bookings + weight)
  const ratios = kindsOf(features).map((name) => {
    const found = location.kinds.find(({ kind }) => kind === name)
    return found ? (found.no_shows + KIND_WEIGHT) / (found.bookings * base + KIND_WEIGHT) : 1
  })
  const odds = ratios.reduce((product, ratio) => product * ratio, own / (1 - own))
  const probability = Math.min(MAX_PROBABILITY, odds / (1 + odds))
  return { probability, level: levelOf(probability) }
}

/**
 * How many bookings at the location's rate the history of a guest is up against, by the method of moments: where guests who
 * missed one booking miss others no more than anybody, the history says little, and the weight is great.
 */
export function ownWeight(base: number, { pairs, missed_pairs }: LocationRates): number {
  const spread = base * (1 - base)
  const usual = base ** 2 + spread / (OWN_WEIGHT.usual + 1)
  const both = (missed_pairs + OWN_WEIGHT.pairs * usual) / (pairs + OWN_WEIGHT.pairs)
  const variance = both - base ** 2
  if (variance <= 0) return OWN_WEIGHT.max
  return Math.min(OWN_WEIGHT.max, Math.max(OWN_WEIGHT.min, spread / variance - 1))
}

const levelOf = (probability: number): RiskLevel =>
  probability < MEDIUM_FROM ? 'low' : probability < HIGH_FROM ? 'medium' : 'high'
