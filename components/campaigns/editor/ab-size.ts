import { differenceOf } from '@/lib/automations/difference'

/** The shares of guests that the example of a test starts from: how many of 100 book or click without the change. */
export const USUAL_SHARE = { visits: 0.05, clicks: 0.1 } as const

/** A difference of more points than this is more than a subject or a text usually makes. */
export const LARGE_POINTS = 5

/** With fewer guests on a side, the approximation does not hold, and no test shows anything of use. */
const LEAST_GUESTS = 20

// A difference is found in four of five tests: 80 % power, the usual choice.
const POWER = 0.841621

/**
 * The least difference, in percentage points, that a test with so many guests on each side shows in four of five cases
 * at its end: the interval of its results (lib/automations/difference.ts) then lies above 0.
 * @param usual the share, from 0 to 1, without the change
 * @returns null with fewer than 20 guests on a side, or when no difference would show
 */
export function leastPoints(guests: number, usual: number): number | null {
  if (guests < LEAST_GUESTS || !shows(guests, usual, 1 - usual)) return null
  let [without, within] = [0, 1 - usual]
  for (let halving = 0; halving < 30; halving++) {
    const difference = (without + within) / 2
    if (shows(guests, usual, difference)) within = difference
    else without = difference
  }
  return 100 * within
}

/** Whether the interval lies above 0 when B is as far below its true share as it is in one of five tests. */
function shows(guests: number, usual: number, difference: number): boolean {
  const share = usual + difference
  const error = Math.sqrt((usual * (1 - usual) + share * (1 - share)) / guests)
  const group = (of: number) => ({ guests, sum: guests * of, squares: guests * of })
  const found = differenceOf([{ treated: group(share - POWER * error), control: group(usual) }])
  return found !== null && found.low > 0
}
