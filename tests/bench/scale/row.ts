import { type Figure, median } from '../support/figures'

/** One row of the table: what the work took, and what the same work takes as bare SQL in the same run. */
export interface Row {
  name: string
  /** Milliseconds of each time; empty when it failed. */
  times: number[]
  /** Milliseconds of the floor, and what it is. */
  floor?: { times: number[]; what: string }
  /** In seconds or milliseconds, of the median or of the 95th percentile. */
  goal: { most: number; unit: 's' | 'ms'; of: 'median' | 'p95' }
  /** Why there is no time, or what else is worth saying. */
  note?: string
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.POSITIVE_INFINITY
}

/** The row as a figure; one that failed is beyond any bound. */
export function figureOf({ name, times, floor, goal, note }: Row): Figure {
  const [middle, high] = [median(times), percentile(times, 0.95)]
  const measured = times.length === 0 ? Number.POSITIVE_INFINITY : goal.of === 'p95' ? high : middle
  const scale = goal.unit === 's' ? 1000 : 1
  const parts = [
    times.length > 1
      ? `median ${text(middle, goal.unit)}, p95 ${text(high, goal.unit)} of ${times.length}`
      : '',
    floor ? ratio(measured, floor, goal) : '',
    note ?? '',
  ]
  return {
    name: `${name}, ${goal.of}`,
    measured: measured / scale,
    unit: goal.unit,
    bound: goal.most,
    detail: parts.filter(Boolean).join('; '),
  }
}

function ratio(measured: number, floor: NonNullable<Row['floor']>, goal: Row['goal']): string {
  const base = goal.of === 'p95' ? percentile(floor.times, 0.95) : median(floor.times)
  return `${(measured / base).toFixed(1)} × its floor ${text(base, goal.unit)} (${floor.what})`
}

function text(milliseconds: number, unit: 's' | 'ms'): string {
  return unit === 's' ? `${(milliseconds / 1000).toFixed(2)} s` : `${milliseconds.toFixed(1)} ms`
}

/** After so long fewer times are enough: what is that slow is far from its goal. */
const ENOUGH_MS = 15_000
const LEAST = 3

/** Times `work` one after another, after a warm-up. */
export async function oneByOne(
  times: number,
  work: (turn: number) => Promise<unknown>,
  warmUp = Math.min(5, times),
): Promise<number[]> {
  const measured: number[] = []
  const start = performance.now()
  const isEnough = () => performance.now() - start > ENOUGH_MS
  for (let turn = 0; measured.length < times && !(isEnough() && measured.length >= LEAST); turn++) {
    const begin = performance.now()
    await work(turn)
    if (turn >= warmUp || isEnough()) measured.push(performance.now() - begin)
  }
  return measured
}
